"""Significant pairs, and the ranks each entrant may hold."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import TypeVar

from .distributions import normal_point

LEVEL = 0.05  # how often any result at all is falsely significant
T = TypeVar("T", bound=Hashable)


def levels(p: Mapping[T, float], level: float = LEVEL) -> dict[T, float]:
    """Return the level at which Holm (1979) tests each: from the smallest p on, each at the level of those left.

    All from the first that is not significant are at the level of that one."""
    tested: dict[T, float] = {}
    own, significant = 0.0, True
    for left, key in zip(range(len(p), 0, -1), sorted(p, key=lambda key: p[key]), strict=True):
        if significant:
            own = level / left
            significant = p[key] <= own
        tested[key] = own
    return tested


def holm(p: Mapping[T, float], level: float = LEVEL) -> set[T]:
    """Return the significant ones of many tests, by Holm (1979)."""
    return {key for key, own in levels(p, level).items() if p[key] <= own}


def adjusted(p: Mapping[T, float]) -> dict[T, float]:
    """Return for each the level over all tests from which Holm's method finds it significant."""
    adjusted_p: dict[T, float] = {}
    most = 0.0
    for left, key in zip(range(len(p), 0, -1), sorted(p, key=lambda key: p[key]), strict=True):
        most = adjusted_p[key] = max(most, min(1.0, left * p[key]))
    return adjusted_p


def first_level(pairs: int, level: float = LEVEL) -> float:
    """Return the point of the normal distribution that the most significant of this many pairs has to pass."""
    return normal_point(1 - level / (2 * pairs))


def ranges(worth: Sequence[float | None], above: Collection[tuple[int, int]]) -> list[tuple[int, int] | None]:
    """Return the best and the worst rank that each may hold; None for an entrant that has not played.

    `above`: the pairs whose difference is significant, the better entrant first. An entrant ranks after those that are
    significantly better, and before those that are significantly worse
    (simultaneous intervals of ranks: Mohamad, Goeman and van Zwet 2022)."""
    better, worse = [0] * len(worth), [0] * len(worth)
    for up, down in above:
        better[down] += 1
        worse[up] += 1
    played = sum(value is not None for value in worth)
    return [None if value is None else (1 + better[i], played - worse[i]) for i, value in enumerate(worth)]
