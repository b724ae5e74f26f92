"""Choices of some of n things, the fewest first: how many there are, and which stands at a place."""

from __future__ import annotations

from functools import cache, lru_cache
from math import comb


@cache
def choices(n: int, low: int, high: int) -> int:
    """How many choices of `low` to `high` things there are among n."""
    return sum(comb(n, k) for k in range(low, high + 1))


@lru_cache(1 << 12)
def choice(n: int, low: int, place: int) -> tuple[int, ...]:
    """Which of n things make the choice at this place, of all choices of at least `low`, fewest first."""
    k = low
    while place >= comb(n, k):
        place -= comb(n, k)
        k += 1
    chosen, at = [], 0
    while k:  # the k things that stand at `place` among all choices of k
        if place < (with_it := comb(n - at - 1, k - 1)):
            chosen.append(at)
            k -= 1
        else:
            place -= with_it
        at += 1
    return tuple(chosen)
