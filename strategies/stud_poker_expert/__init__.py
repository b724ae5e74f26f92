"""Stud poker by the book, with corrections for every round of betting."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path

from roundsim.games.stud_poker import StudPoker
from roundsim.strategy import Card, Choices, Corrected, corrections_in, groups, owed, ranking_of, sized

files = ["corrections.txt"]
THREES = 30  # its place in the order of classes
TEN, KING = 10, 13
BETS = "no bet", "a small bet", "a bet", "a large bet"
Sight = tuple[tuple[int, ...], tuple[float, ...]]  # of some cards: how many of each rank, and the ranks


class Expert(Corrected):
    """The book, except where trying all answers on the same cards has shown that another gains more.

    It bets by the number of cards dealt, its hand against all that is in sight, the company, and the bets before it."""

    name = "expert"
    games = ["stud-poker"]
    pages = "section Stud Poker"
    needs = {"form": "street"}
    table = corrections_in(Path(__file__).with_name("corrections.txt"))

    def choices(self, view: StudPoker.View) -> Choices | None:
        hand, company = view.hand, len(view.still_in) - 1
        best = max(in_sight(view.up[seat]) for seat in view.still_in if seat != view.seat)
        ahead = "leads" if in_sight(hand) > best else "is beaten in sight"
        time = {2: "two cards", 5: "five cards"}.get(len(hand), "three or four")
        kind = start_of(hand) if len(hand) == 2 else held(view)
        sizes = {"a tenth": view.options.limit // 10, "all": view.options.limit}
        return Choices(
            f"{time}, {kind} {ahead}, {price(view)}, {'one' if company == 1 else 'more'} against", sized(view, sizes)
        )


def price(view: StudPoker.View) -> str:
    """Name the amount to call, by what the book bets on nothing, a pair and two pairs, and whether it is a raise.

    The book raises on two pairs or better alone."""
    limit = view.options.limit
    bet = BETS[bisect_left((0, limit / 5, limit / 2), owed(view))]
    return f"{bet}, raised" if view.raises else bet


def in_sight(cards: Sequence[Card]) -> Sight:
    """Return the value of some cards by pairs, threes and ranks."""
    sizes, ranks = zip(*groups(cards), strict=True)
    return tuple([size for size in sizes if size > 1]), ranks


def start_of(hand: Sequence[Card]) -> str:
    """Name two cards: a pair, both high, or a high one down."""
    down, mine = [card.rank for card in hand]
    if down == mine:
        return "a pair"
    if min(down, mine) >= TEN:
        return "high cards"
    return "an ace or king down" if down >= KING else "low cards"


def held(view: StudPoker.View) -> str:
    """Name the class of a hand so far, and whether a pair is above all cards in sight."""
    hand = view.hand
    sizes, ranks = in_sight(hand)
    if sizes > (2, 2) or len(hand) == 5 and ranking_of(view.options).position(hand) > THREES:
        return "threes or better"
    if sizes == (2, 2):
        return "two pairs"
    if sizes:
        above = all(card.rank <= ranks[0] for seat in view.still_in for card in view.up[seat])
        return "the highest pair" if above else "a pair"
    return "four of a suit" if len(hand) == 4 and len({card.suit for card in hand}) == 1 else "nothing"
