"""Thirty-one: Foster's one hint, that an early knock denies the others their draws, with thresholds of our own."""

from collections.abc import Iterator, Sequence

from roundsim.games.thirty_one import ThirtyOne
from roundsim.strategy import PACK, Action, Card, draws, pips

THIRTY_ONE, TRIPLET, TOTAL = 2, 1, 0
COUNT = {card: 4 * pips(card) + 1 for card in PACK}  # its pips, and itself: of three cards both can be read off the sum


class Book:
    """Foster hints that one may knock without drawing; the figures are ours.

    Thirty-one or three of a kind knock at once, and so does in the first turn a count of 25 (up to three players), 27
    (four or five) or 29.  Else the draw that betters the hand most; if none does, 24 knock; with less the draw that
    loses least, the lowest card put out, unless every draw loses.  After a knock the draw that betters the hand most."""

    name = "book"
    games = ["thirty-one"]

    def draw(self, view: ThirtyOne.View) -> str:
        triplets = view.options.triplets
        now = value(view.hand, triplets)
        best, laid, action = max(possible(view, triplets))
        if view.knocker is not None:
            return action if best > now else "stand"
        if now[0] != TOTAL or view.turns < view.players and now[1] >= enough(view.players):
            return "knock"
        if best > now:
            return action
        if now[1] >= 24:
            return "knock"
        return action if best[:2] == now[:2] else "pass"


def enough(players: int) -> int:
    """The count to knock with in the first turn."""
    return 25 if players <= 3 else 27 if players <= 5 else 29


def possible(view: ThirtyOne.View, triplets: bool) -> Iterator[tuple[tuple[float, ...], float, Action]]:
    """Yield each possible hand, the rank laid down for it (less is better), and the action."""
    for action, hand, laid in draws(view):
        yield value(hand, triplets), -laid.rank, action


def value(hand: Sequence[Card], triplets: bool) -> tuple[float, ...]:
    """The class of three cards, and what it is compared by; the greater is the better hand."""
    if triplets and hand[0].rank == hand[1].rank == hand[2].rank:
        return TRIPLET, hand[0].rank
    counts: dict[str, int] = {}
    for card in hand:
        counts[card.suit] = counts.get(card.suit, 0) + COUNT[card]
    total, cards = divmod(max(counts.values()), 4)
    return (THIRTY_ONE,) if total == 31 else (TOTAL, total, cards)
