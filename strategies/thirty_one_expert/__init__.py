"""Thirty-one by the book, with corrections for knocking, passing and the card that is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from roundsim.games.thirty_one import ThirtyOne
from roundsim.toolkit import SUITS, Card, Choices, Corrected, corrections_in, draws, of_suit, pips

files = ["corrections.txt"]


class Expert(Corrected):
    """The book, except where trying all answers on the same cards has shown that another gains more.

    Before a knock it may knock, pass, or draw: for the count, for two high cards of a suit, or for the count without a
    suit laid down that the next player collects. Classes are by the round, the count, and the count that a draw makes."""

    name = "expert"
    games = ["thirty-one"]
    table = corrections_in(Path(__file__).with_name("corrections.txt"))

    def choices(self, view: ThirtyOne.View) -> Choices | None:
        if view.phase != "draw" or view.knocker is not None or not view.options.triplets or len(view.legal) == 1:
            return None
        wanted = collected(view, (view.seat + 1) % view.players)
        possible = [(action, hand, wanted.count(laid.suit)) for action, hand, laid in draws(view)]
        for_count = max(possible, key=lambda draw: (value(draw[1]), start(draw[1]), -draw[2]))
        for_start = max(possible, key=lambda draw: (start(draw[1]), value(draw[1]), -draw[2]))
        denying = max(possible, key=lambda draw: (value(draw[1]) - 4 * draw[2], start(draw[1])))
        now, best = value(view.hand), value(for_count[1])
        rounds = ("first", "second", "third", "later")[min(3, view.turns // view.players)]
        kind = f"{rounds} round, {grade(now)} in hand, {grade(best) if best > now else 'no more'} on the table"
        answers: dict[str, str] = {"knock": "knock", "pass": "pass"}
        for name, (action, _, _) in {
            "draw for the count": for_count,
            "draw for a start": for_start,
            "draw and deny": denying,
        }.items():
            if action not in answers.values():
                answers[name] = action
        return Choices(kind, answers)


def collected(view: ThirtyOne.View, seat: int) -> list[str]:
    """Return the suits of the cards that a seat has taken, and not laid down again."""
    taken: list[Card] = []
    for said in view.history:
        if said.seat == seat and said.action.verb == "draw":
            card, laid = said.action.cards
            taken = [*[other for other in taken if other != laid], card]
    return [card.suit for card in taken]


def value(hand: Sequence[Card]) -> float:
    """Return the highest count of a suit; three of a kind lie between thirty and thirty-one."""
    count = max(sum(map(pips, of_suit(hand, suit))) for suit in SUITS)
    return 30.5 if hand[0].rank == hand[1].rank == hand[2].rank else count


def start(hand: Sequence[Card]) -> int:
    """Return the count of the best two cards of a suit."""
    return max(sum(sorted(map(pips, of_suit(hand, suit)))[-2:]) for suit in SUITS)


def grade(count: float) -> str:
    """Return a count in words."""
    return next((name for least, name in GRADES if count >= least), "under 15")


GRADES = (
    (30.5, "a sure hand"),
    (27, "27 to 30"),
    (25, "25 or 26"),
    (23, "23 or 24"),
    (21, "21 or 22"),
    (19, "19 or 20"),
    (15, "15 to 18"),
)
