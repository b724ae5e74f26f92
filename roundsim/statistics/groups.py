"""Who is told apart from whom, and what ranks that leaves to each."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import TypeVar

from .distributions import normal_point

LEVEL = 0.05  # how often anything at all is told that is not so
T = TypeVar("T", bound=Hashable)


def holm(p: Mapping[T, float], level: float = LEVEL) -> set[T]:
    """Those that are told although so many were asked, from the surest on, each at the level of those left (Holm 1979)."""
    told: set[T] = set()
    for each in sorted(p, key=lambda each: p[each]):
        if p[each] > level / (len(p) - len(told)):
            break
        told.add(each)
    return told


def first_level(pairs: int, level: float = LEVEL) -> float:
    """The point of the normal distribution that the surest of so many pairs has to pass."""
    return normal_point(1 - level / (2 * pairs))


def ranges(worth: Sequence[float | None], told: Collection[tuple[int, int]]) -> list[tuple[int, int] | None]:
    """The best and the worst rank that each may have: after those surely better, before those surely worse (simultaneous
    intervals of ranks: Mohamad, Goeman and van Zwet 2022); None for who has not played."""
    better, worse = [0] * len(worth), [0] * len(worth)
    for i, j in told:
        up, down = (i, j) if (worth[i] or 0) > (worth[j] or 0) else (j, i)
        better[down] += 1
        worse[up] += 1
    played = sum(each is not None for each in worth)
    return [None if each is None else (1 + better[i], played - worse[i]) for i, each in enumerate(worth)]
