"""Thirty-one by the book, with corrections for knocking, passing and the card that is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from roundsim.games.thirty_one import ThirtyOne
from roundsim.toolkit import SUITS, Card, Choices, Corrected, corrections_in, draws, of_suit, pips

files = ["corrections.txt"]
GRADES = (30.5, "three of a kind or 31"), (27, "27 to 30"), (25, "25 or 26"), (23, "23 or 24"), (20, "20 to 22")
ROUNDS = "first", "second", "third"


class Expert(Corrected):
    """The book, except where trying all answers on the same cards has shown that another gains more.

    Before anybody has knocked it knocks, passes or draws for the count, by the round and the count in hand."""

    name = "expert"
    games = ["thirty-one"]
    pages = "section Thirty-One"
    table = corrections_in(Path(__file__).with_name("corrections.txt"))

    def choices(self, view: ThirtyOne.View) -> Choices | None:
        if view.phase != "draw" or view.knocker is not None or not view.options.triplets or len(view.legal) == 1:
            return None
        action, hand, _ = max(draws(view), key=lambda draw: value(draw[1]))
        around = ROUNDS[min(2, view.turns // view.players)]
        held, drawn = value(view.hand), value(hand)
        gains = "a draw gains" if drawn > held else "no draw gains"
        answers = {"knock": "knock", "pass": "pass", "draw": str(action)}
        return Choices(f"{around} round, {grade(held)}, {gains}", answers)


def value(hand: Sequence[Card]) -> float:
    """Return the highest count of a suit; three of a kind lie between thirty and thirty-one."""
    count = max(sum(map(pips, of_suit(hand, suit))) for suit in SUITS)
    return 30.5 if hand[0].rank == hand[1].rank == hand[2].rank else count


def grade(count: float) -> str:
    """Return a count in words."""
    return next((name for least, name in GRADES if count >= least), "under 20")
