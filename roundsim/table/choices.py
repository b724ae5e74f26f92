"""Numbered choices of some of n things (fewest first, in one order or in every order) and numbered shares of a number:
count them, find the one at a place, and find the place of one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from math import comb, perm


@cache
def ways_to_choose(n: int, low: int, high: int) -> int:
    """Return the number of choices of `low` to `high` things among n."""
    return sum(comb(n, k) for k in range(low, high + 1))


@lru_cache(1 << 12)
def choice(n: int, low: int, place: int) -> tuple[int, ...]:
    """Return the things in the choice at this place, of all choices of at least `low` of n things, fewest first."""
    k = low
    while place >= comb(n, k):
        place -= comb(n, k)
        k += 1
    chosen, at = [], 0
    while k:  # the k things at `place` among all choices of k
        if place < (with_it := comb(n - at - 1, k - 1)):
            chosen.append(at)
            k -= 1
        else:
            place -= with_it
        at += 1
    return tuple(chosen)


def place_of_choice(n: int, low: int, chosen: Sequence[int]) -> int:
    """Return the place of this choice of n things, among all choices of at least `low`."""
    at, start = ways_to_choose(n, low, len(chosen) - 1), 0
    for left, place in zip(range(len(chosen), 0, -1), chosen, strict=True):
        at += sum(comb(n - skipped - 1, left - 1) for skipped in range(start, place))
        start = place + 1
    return at


def orders(n: int, low: int, high: int) -> int:
    """Return the number of orders of `low` to `high` things among n."""
    return sum(perm(n, k) for k in range(low, high + 1))


def nth_order(n: int, low: int, place: int) -> list[int]:
    """Return the things in the order at this place, of all orders of at least `low` of n things, fewest first."""
    left, k = list(range(n)), low
    chosen: list[int] = []
    while place >= (ways := perm(n, k)):
        place -= ways
        k += 1
    for after in range(k - 1, -1, -1):  # so many come after the one that is found
        at, place = divmod(place, perm(len(left) - 1, after))
        chosen.append(left.pop(at))
    return chosen


def place_of_order(n: int, low: int, chosen: Sequence[int]) -> int:
    """Return the place of this order of n things. ValueError if it contains one of them twice."""
    left, at = list(range(n)), orders(n, low, len(chosen) - 1)
    for after, thing in zip(range(len(chosen) - 1, -1, -1), chosen, strict=True):
        at += left.index(thing) * perm(len(left) - 1, after)
        left.remove(thing)
    return at


def shares(kinds: int, number: int) -> int:
    """Return the number of ways to share a number among `kinds` kinds."""
    return comb(kinds + number - 1, number) if kinds else int(number == 0)


def share(kinds: int, number: int, place: int) -> list[int]:
    """Return the share of each kind in the way at this place; the way with the most on the first kind is the first."""
    counts: list[int] = []
    for after in range(kinds - 1, -1, -1):
        for here in range(number, -1, -1):
            ways = comb(after + number - here - 1, number - here) if after else int(number == here)
            if place < ways:
                break
            place -= ways
        counts.append(here)
        number -= here
    return counts


def place_of_share(counts: Sequence[int]) -> int:
    """Return the place of this way of sharing."""
    at, number = 0, sum(counts)
    for after, here in zip(range(len(counts) - 1, -1, -1), counts, strict=True):
        for more in range(number, here, -1):
            at += comb(after + number - more - 1, number - more) if after else int(number == more)
        number -= here
    return at
