"""How much more play would make a difference significant."""

from __future__ import annotations

from math import floor, log10

from .differences import Difference
from .distributions import normal_point

POWER = 0.8  # how often this many blocks are enough


def more_blocks(
    difference: Difference, point: float, deals: int = 1, played: int | None = None
) -> tuple[str, int] | None:
    """Return how many more blocks (or deals, `deals` to a block) are needed: "about" or "more than", and two digits.

    None if no number would do: the two are always equal, or always differ by the same amount. `point`: of the normal
    distribution, that must be passed; 1.96 for a pair alone. A difference below its standard error is taken to be as
    large as that, since it may be smaller still. `played`: deals so far, where they are not those of the blocks."""
    if not difference.standard:
        return None
    word = "about" if abs(difference.value) >= difference.standard else "more than"
    errors = max(1.0, abs(difference.value) / difference.standard)
    so_far = played or deals * (difference.freedom + 1)
    return word, two_digits(max(float(deals), so_far * (((point + normal_point(POWER)) / errors) ** 2 - 1)))


def two_digits(n: float) -> int:
    """Return a number of 1 or more with its first two digits: 12 345 is 12 000."""
    return int(round(n, 1 - floor(log10(n))))
