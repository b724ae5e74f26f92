"""Draw poker and straight poker by weighing what each opponent may hold, and how they play it."""

from .draw_poker import DrawPoker
from .straight_poker import StraightPoker

__all__ = ["DrawPoker", "StraightPoker"]
