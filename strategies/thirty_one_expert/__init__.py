"""Thirty-one by the book, with corrections for knocking, passing and the card that is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from roundsim.games.thirty_one import ThirtyOne
from roundsim.strategy import Card, Choices, Corrected, corrections_in, draws, pips

files = ["corrections.txt"]
GRADES = (30.5, "three of a kind or 31"), (27, "27 to 30"), (25, "25 or 26"), (23, "23 or 24")
ROUNDS = "first", "second", "third"


class Expert(Corrected):
    """The book, except where trying all answers on the same cards has shown that another gains more.

    Before anybody has knocked it knocks, passes, draws for the count or draws for what the hand may become: two high
    cards of a suit want a third, and two of a rank one more. It decides by the round, the count in hand, and what a draw
    adds to the count and to the promise."""

    name = "expert"
    games = ["thirty-one"]
    pages = "section Thirty-One"
    needs = {"triplets": True}
    table = corrections_in(Path(__file__).with_name("corrections.txt"))

    def choices(self, view: ThirtyOne.View) -> Choices | None:
        if view.phase != "draw" or view.knocker is not None or len(view.legal) == 1:
            return None
        tried = [(*worth(hand), -laid.rank, str(action)) for action, hand, laid in draws(view)]
        (count, promise), counting = worth(view.hand), max(tried, key=lambda draw: draw[0])
        building, gains = max(tried, key=lambda draw: draw[1:3]), counting[0] > count
        more = building[1] - (counting[1] if gains else promise)
        around, drawn = ROUNDS[min(2, view.turns // view.players)], "a draw gains" if gains else "no draw gains"
        promises = "one promises much" if more >= 2 else "one promises more" if more > 0 else "none promises more"
        answers = {"knock": "knock", "pass": "pass", "draw": counting[3], "build": building[3]}
        return Choices(f"{around} round, {grade(count)}, {drawn}, {promises}", answers)


def worth(hand: Sequence[Card]) -> tuple[float, float]:
    """Return the highest count of a suit, and the promise of a hand: a score of what it may become while others draw.

    Three of a kind lie between thirty and thirty-one. The weights of the score come from trials of all draws on the same
    cards."""
    suits: dict[str, list[int]] = {}
    for card in hand:
        suits.setdefault(card.suit, []).append(pips(card))
    ranks = len({card.rank for card in hand})
    count = 30.5 if ranks == 1 else max(map(sum, suits.values()))
    two = max([sum(points) - (len(points) == 3) * min(points) for points in suits.values()])
    return count, count / 5 + max(0, count - 20) + max(0, two - 16) + 2 * (ranks == 2)


def grade(count: float) -> str:
    """Return a count in words."""
    return next((name for least, name in GRADES if count >= least), "under 23")
