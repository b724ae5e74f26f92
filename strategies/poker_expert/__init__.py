"""Draw poker and straight poker by weighing what each opponent may hold, and what he does with it."""

from .draw_poker import DrawPoker
from .straight_poker import StraightPoker

__all__ = ["DrawPoker", "StraightPoker"]
