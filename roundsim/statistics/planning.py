"""How much more must be played to tell two apart."""

from __future__ import annotations

from math import floor, log10

from .differences import Difference
from .distributions import normal_point

POWER = 0.8  # how often so many blocks are enough


def more_blocks(difference: Difference, point: float, deals: int = 1) -> tuple[str, int] | None:
    """How many more blocks, or deals where a block has so many: "about" or "more than", and the number to two digits.  None
    where no number would do: the two are always alike, or always differ by as much.

    `point` of the normal distribution is what is to be passed, 1.96 for a pair alone.  A difference below its standard error
    is taken for as much as that: it may be smaller still."""
    if not difference.standard:
        return None
    word = "about" if abs(difference.value) >= difference.standard else "more than"
    errors = max(1.0, abs(difference.value) / difference.standard)
    played = difference.freedom + 1
    more = deals * max(1.0, played * (((point + normal_point(POWER)) / errors) ** 2 - 1))
    return word, int(round(more, 1 - floor(log10(more))))
