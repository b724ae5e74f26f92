"""A block as numbers: what everything here is a fold over, in the order of the blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Row(NamedTuple):
    """What a block came to: its number; its `weight` in means; the entrants who sat in it, each once; the value of each by
    unit of weight, more being better.

    `ahead`: of each two of them, (0, 1), (0, 2) ... (1, 2) ..., how often they were compared, and of these how often the
    first was ahead, halves for equals."""

    block: int
    weight: int
    entrants: Sequence[int]
    values: Sequence[float]
    ahead: Sequence[tuple[int, float]]
