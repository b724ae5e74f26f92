"""The cards of Loto: sets of them, and their rows (Baxter-Wray, "Round Games with Cards", 1891, pp. 108-109)."""

from __future__ import annotations

import random
from functools import cache

from roundsim.game import Action, CardError, say

KNOBS = tuple(range(1, 91))

CardRows = tuple[bytes, ...]  # the numbers of each row


@cache
def card_set(seed: int) -> tuple[str, ...]:
    """24 cards (p. 109), from a number: four strips of six, each with every number once (ours)."""
    rng, cards = random.Random(seed), []
    for _ in range(4):
        in_column, extra = [[1] * 9 for _ in range(6)], [0] * 6
        columns = [list(range(10 * column or 1, 91 if column == 8 else 10 * column + 10)) for column in range(9)]
        for column, numbers in enumerate(columns):
            order = list(range(6))
            rng.shuffle(order)
            order.sort(key=lambda card: extra[card])
            for card in order[: len(numbers) - 6]:
                in_column[card][column] += 1
                extra[card] += 1
        for numbers in columns:
            rng.shuffle(numbers)
        for card in range(6):
            rows: list[list[int]] = [[], [], []]
            order = list(range(9))
            rng.shuffle(order)
            for column in order:
                by_length = [0, 1, 2]
                rng.shuffle(by_length)
                by_length.sort(key=lambda row: len(rows[row]))
                for row in sorted(by_length[: in_column[card][column]]):
                    rows[row].append(columns[column].pop())
            cards.append(" / ".join(" ".join(map(str, sorted(row))) for row in rows))
    return tuple(cards)


@cache
def laid_out(cards: tuple[str, ...]) -> tuple[dict[int, str], dict[int, CardRows]]:
    """A set of cards by their numbers, and their rows (pp. 108-109)."""
    by_number = dict(enumerate(cards, 1))
    return by_number, {number: rows_of(card) for number, card in by_number.items()}


@cache
def rows_of(card: str) -> CardRows:
    """Five numbers in each of three rows (pp. 108-109).

    CardError for what is no card."""
    try:
        rows = tuple([bytes(map(int, row.split())) for row in card.split("/")])
    except ValueError:
        rows = ()
    numbers = [number for row in rows for number in row]
    if [len(row) for row in rows] != [5, 5, 5] or not {*numbers} <= {*KNOBS} or len({*numbers}) < 15:
        raise CardError(f"no card of loto: {card!r} (three rows of five numbers from 1 to 90, '1 10 20 30 40 / ...')")
    return rows


@cache
def may_take(takes: tuple[int, ...], most: int) -> tuple[Action, ...]:
    """As many cards as are offered and left (p. 109)."""
    return tuple([say("take", cards) for cards in takes if cards <= most])
