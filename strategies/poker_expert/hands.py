"""Hands in steps, and rows: a weight or a chance for each step."""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache

from roundsim.strategy import Card, Ranking

Row = list[float]  # a weight for each step

# Hands in steps, from the least: 0 four of a flush, 1 four of an open straight, 2 knave high or less, then Q K A high,
# each pair, four steps of two pairs and four of threes, straight, flush, full, fours.  By (position, rank), from 2 on:
STEPS: list[tuple[int, float]] = [
    *[(0, rank) for rank in (0, 12, 13, 14)],
    *[(10, rank) for rank in range(2, 15)],
    *[(20, rank) for rank in (2, 9, 12, 14)],
    *[(30, rank) for rank in (2, 6, 10, 13)],
    *[(position, 0) for position in (40, 50, 60, 70)],
]
FOUR_FLUSH, OPEN_FOUR, NOTHING, ACE_HIGH, DEUCES = 0, 1, 2, 5, 6
NINES, TENS, KNAVES, QUEENS, KINGS, ACES = 13, 14, 15, 16, 17, 18
TWO_PAIRS, ACES_UP, THREES, THREE_TENS, STRAIGHT, FLUSH, FULL, FOURS = 19, 22, 23, 25, 27, 28, 29, 30
ALL = range(31)

SLIP = 0.003  # how often players depart from their kind


def step_of(hand: Sequence[Card], ranking: Ranking) -> int:
    """Return the step of five cards."""
    ranks = [card.rank for card in hand if card != "Jo"]
    rank = max(ranks, key=lambda own: (ranks.count(own), own))
    return bisect_right(STEPS, (ranking.position(hand), rank)) + 1


def spread_over(*parts: tuple[float, int | list[tuple[int, float]]]) -> Row:
    """Return a row of chances by step, from (chance, step or [(step, share)])."""
    row = [0.0] * len(ALL)
    for chance, steps in parts:
        for step, share in [(steps, 1)] if isinstance(steps, int) else steps:
            row[step] += chance * share
    return row


@cache
def mostly(*ranges: tuple[int, int]) -> Row:
    """Return by step the chance of an action that is taken with the steps in these ranges, apart from slips."""
    return [1 - SLIP if any(low <= step < high for low, high in ranges) else SLIP for step in ALL]


@cache
def always(chance: float) -> Row:
    """Return a row with the same chance for every hand."""
    return [chance] * len(ALL)


NEVER = always(0.0)
