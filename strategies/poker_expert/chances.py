"""How often each hand is dealt, how the book draws to it, and the results of the draw."""

from bisect import bisect_right
from functools import cache

from .hands import (
    ACE_HIGH,
    ACES,
    ACES_UP,
    ALL,
    DEUCES,
    FLUSH,
    FOUR_FLUSH,
    FOURS,
    FULL,
    NOTHING,
    OPEN_FOUR,
    SLIP,
    STEPS,
    STRAIGHT,
    THREES,
    TWO_PAIRS,
    Row,
    spread_over,
)

# The share of each step in its class.
LOW = [(2, 0.193), (3, 0.163), (4, 0.258), (5, 0.386)]
PAIRS = [(step, 1 / 13) for step in range(DEUCES, TWO_PAIRS)]
TWO = [(19, 21 / 78), (20, 24 / 78), (21, 21 / 78), (22, 12 / 78)]
TRIPS = [(23, 4 / 13), (24, 4 / 13), (25, 3 / 13), (26, 2 / 13)]

PAT = ((0.00393, STRAIGHT), (0.00197, FLUSH), (0.00144, FULL), (0.00026, FOURS))
DEALT = spread_over((0.03, 0), (0.025, 1), (0.4461, LOW), (0.42257, PAIRS), (0.04754, TWO), (0.02113, TRIPS), *PAT)
ANY = spread_over((0.50118, LOW), (0.42257, PAIRS), (0.04754, TWO), (0.02113, TRIPS), *PAT)  # after any draw


@cache
def hand_after(step: int, drawn: int) -> Row:
    """Return the chances of each hand after a draw of this many cards to the ones worth keeping."""
    if step == FOUR_FLUSH and drawn:
        return spread_over((0.1915, FLUSH), (0.2553, PAIRS), (0.5532, LOW))
    if step == OPEN_FOUR and drawn:
        return spread_over((0.1702, STRAIGHT), (0.2553, PAIRS), (0.5745, LOW))
    if step < DEUCES:
        if not drawn:
            return spread_over((1.0, max(step, NOTHING)))
        high = 0.18 if step >= ACE_HIGH - 1 else 0
        return spread_over((high, ACES + step - ACE_HIGH), (1 - high, [(key, ANY[key]) for key in ALL]))
    if not drawn or drawn > 3 or step >= STRAIGHT and step != FOURS:
        return spread_over((1.0, step))
    if step < TWO_PAIRS:
        better = max(TWO_PAIRS, min(ACES_UP, bisect_right(STEPS, (20, step - 4)) + 1))
        up = [(better, 0.6), (min(ACES_UP, better + 1), 0.4)]
        trips = bisect_right(STEPS, (30, step - 4)) + 1
        if drawn == 3:
            return spread_over((0.7132, step), (0.1599, up), (0.1143, trips), (0.0102, FULL), (0.0024, FOURS))
        return spread_over((0.7410, step), (0.1721, ACES_UP), (0.0777, trips), (0.0083, FULL), (0.0009, FOURS))
    if step < THREES:
        return spread_over((0.9149, step), (0.0851, FULL)) if drawn == 1 else spread_over((1.0, step))
    if step < STRAIGHT:
        full, fours = (0.0611, 0.0425) if drawn == 2 else (0.0638, 0.0213)
        return spread_over((1 - full - fours, step), (full, FULL), (fours, FOURS))
    return spread_over((1.0, step))


@cache
def draws(step: int, english: bool) -> dict[int, float]:
    """How often the book draws so many cards to a hand, by their number."""
    if step <= OPEN_FOUR:
        return {1: 1}
    if step < DEUCES:
        return {4: 0.8, 3: 0.2} if step >= ACE_HIGH - 1 else {4: 1}
    if step < TWO_PAIRS:
        return {3: 1} if english else {3: 0.8, 2: 0.2}
    if step < THREES:
        return {1: 1} if english else {0: 0.5, 1: 0.5}
    if step < STRAIGHT:
        return {1 if english else 2: 1}
    return {1: 1} if step == FOURS else {0: 1}


@cache
def drawn_to(number: int | None, english: bool) -> list[list[tuple[int, float]]]:
    """By step: the chances of what it becomes, times that of drawing just so many; number None: of all draws."""
    rows = []
    for step in ALL:
        row = [0.0] * len(ALL)
        for drawn in range(6) if number is None else [number]:
            share = draws(step, english).get(drawn, 0) * (1 - SLIP) + SLIP / 6
            row = [old + share * new for old, new in zip(row, hand_after(step, drawn), strict=True)]
        rows.append([(to, chance) for to, chance in enumerate(row) if chance])
    return rows


def become(weights: Row, rows: list[list[tuple[int, float]]]) -> Row:
    """Return the weights of these hands after the draw."""
    new = [0.0] * len(ALL)
    for weight, row in zip(weights, rows, strict=True):
        if weight:
            for to, chance in row:
                new[to] += weight * chance
    return new
