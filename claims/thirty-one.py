"""What the claims about Thirty-One count."""

from fractions import Fraction
from math import comb

from roundsim.claim import gives
from roundsim.strategy import of_suit, pips

THIRTY_ONE, TRIPLET, COUNT = 2, 1, 0  # the classes of the rules


def dealt():
    """Thirty-one: an ace and two of the four ten-cards of its suit. Three of a kind: of each rank three of four cards."""
    hands = comb(52, 3)
    return {"thirty_one": Fraction(4 * comb(4, 2), hands), "triplet": Fraction(13 * comb(4, 3), hands)}


@gives("thirty_one", "triplet")
def shown(deal):
    """How often each of the best two classes is among the hands shown."""
    for kind, *_ in deal.over.value_of.values():
        yield "thirty_one", kind == THIRTY_ONE
        yield "triplet", kind == TRIPLET


@gives("count", "triplet", "thirty_one")
def best_hand(deal):
    """The class of the best hand."""
    kind = max(deal.over.value_of.values())[0]
    yield "count", kind == COUNT
    yield "triplet", kind == TRIPLET
    yield "thirty_one", kind == THIRTY_ONE


@gives("first", "last", "knocker")
def after_the_knock(deal):
    """Which of those has a best hand: the first and the last to draw after the knock, and the knocker."""
    knocker, best = deal.over.knocker, deal.over.best()
    for name, seat in ("first", knocker + 1), ("last", knocker - 1), ("knocker", knocker):
        yield name, seat % deal.players in best


def first_with_20_to_24(view):
    return counts_in_the_first_turn(view, 20, 24)


def first_with_24_to_26(view):
    return counts_in_the_first_turn(view, 24, 26)


def first_with_26_to_28(view):
    return counts_in_the_first_turn(view, 26, 28)


def counts_in_the_first_turn(view, low, high):
    """It is the seat's first turn, nobody has knocked, and the hand counts so much and is no triplet."""
    if view.turns >= view.players or "knock" not in view.legal or len({card.rank for card in view.hand}) == 1:
        return False
    return low <= max(sum(map(pips, of_suit(view.hand, card.suit))) for card in view.hand) <= high
