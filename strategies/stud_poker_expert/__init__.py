"""Stud poker by a table of shares for every round of betting."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from roundsim.game import Betting
from roundsim.games.stud_poker import StudPoker
from roundsim.strategy import Card, Vying, Wary, betting_table, by_rank, groups, owed

files = ["shares.txt"]
SHAPES = {(): 0, (2,): 1, (2, 2): 2, (3,): 3, (3, 2): 6, (4,): 7, (5,): 8}
STRAIGHT, FLUSH, FOUR_FLUSH = 4, 5, 1.7  # four of a suit count like a pair of tens
ACE = 14
BETS = "no bet", "a small bet", "a bet", "a large bet"
MOST_RAISES = 2  # from then on the hand is called or folded


class Expert(Wary, Vying):
    """The answers of a table that has played against itself and the book, by the number of cards, the hand against all that
    is in sight, the company, the size of a bet and the raises.

    The book wins more from those who raise by chance, and plays against them."""

    name = "expert"
    games = ["stud-poker"]
    needs = {"form": "street", "stakes": "open"}
    phases = ("bet",)
    places = 0.35, 0.62, 0.8, 0.91, 0.98
    table = betting_table(Path(__file__).with_name("shares.txt"))

    def stage(self, view: StudPoker.View) -> str:
        return f"{len(view.hand)} cards"

    def strength(self, view: StudPoker.View) -> float:
        return standing(view.hand, tuple([view.up[seat] for seat in view.still_in if seat != view.seat]))

    def situation(self, view: StudPoker.View) -> str:
        """The size of a bet says more of a hand than its price: the book bets a tenth of the limit on nothing, half of it on
        a pair, and all on two pairs or better."""
        time = {2: "two cards", 5: "five cards"}.get(len(view.hand), "three or four")
        against = "one" if len(view.still_in) == 2 else "more"
        limit = view.options.limit
        bet = BETS[bisect_left((0, limit / 5, limit / 2), owed(view))]
        return f"{time}, {against} against, {bet}, {min(view.raises, MOST_RAISES)} raises"

    def answers(self, view: Betting.View) -> dict[str, str]:
        """Return those without counters, and a tenth of the limit or all of it."""
        known = super().answers(view)
        return {letter: known[letter] for letter in ("fc" if view.raises >= MOST_RAISES else "fcra") if letter in known}


@lru_cache(4096)
def standing(hand: Sequence[Card], others: Sequence[Sequence[Card]]) -> float:
    """Return how high a hand stands: behind what is in sight, above it, or above it even if the cards that lie face down
    pair the highest ones."""
    own = worth(hand)
    return own + 10 * (own >= max(map(worth, others))) + 10 * (own > max(map(with_a_pair, others)))


@lru_cache(4096)
def with_a_pair(cards: Sequence[Card]) -> float:
    return worth((*cards, max(cards, key=by_rank)))


@lru_cache(4096)
def worth(cards: Sequence[Card]) -> float:
    """Return the class of some cards so far and, below the point, their ranks, groups first."""
    made = groups(cards)
    kind, ranks = SHAPES[tuple(size for size, _ in made if size > 1)], [rank for _, rank in made]
    suited = len({card.suit for card in cards}) == 1
    if len(cards) == 4 and suited and not kind:
        return FOUR_FLUSH
    if len(ranks) == 5:
        wheel = ranks == [ACE, 5, 4, 3, 2]
        kind = FLUSH if suited else STRAIGHT if wheel or ranks[0] - ranks[4] == 4 else 0
    return kind + sum(rank / 15.0**place for place, rank in enumerate(ranks, 1))
