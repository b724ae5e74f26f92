"""What the claims about Spin count, and the strategies that they compare with one another."""

from fractions import Fraction
from itertools import permutations

from roundsim_strategies import stops

from roundsim.claim import counters, gives
from roundsim.games.spin import PAIRS, SPIN

CARDS = 50


class SpinFirst(stops.Spin):
    """Plays Spin with the first card that follows, and else as the book.

    `stop`: with the first that is a certain stop, or that is none; None for any."""

    name = "spin-first"

    def __init__(self, stop=None):
        super().__init__()
        self.stop = stop

    def follow(self, view):
        alone, *with_spin = view.legal
        stop = stops.is_stop(alone.card, stops.NOT_IN_SPIN | set(view.played))
        return with_spin[0] if with_spin and self.stop in (None, stop) else alone


class SpinLate(stops.Spin):
    """Plays Spin with the first card that follows when a hand is down to three cards, and else as the book."""

    name = "spin-late"

    def follow(self, view):
        return view.legal[-1] if min(view.cards_left) <= 3 else view.legal[0]


def married():
    """The chance that king and queen of diamonds are in one hand, of all places for them (p. 87)."""
    return {f"n{players}": chance_of_a_pair(players) for players in (4, 5, 6)}


def chance_of_a_pair(players):
    places = [*permutations([place % players for place in range(CARDS)], 2)]
    return Fraction(sum(king == queen for king, queen in places), len(places))


@gives("held", "declared")
def pairs(deal):
    """How often both cards of a pair are dealt to one hand, and how often the pair is declared; each of both pairs."""
    declared = {action.words[0] for action in deal.over.actions if action.verb == "declare"}
    for name, cards in PAIRS.items():
        yield "held", any({*cards}.issubset(hand) for hand in deal.hands)
        yield "declared", name in declared


@gives("left", "double", "brings")
def spin(deal):
    """How often Spin is left in the hand, what its holder then pays more than for the cards, and what Spin brings."""
    left = SPIN not in deal.over.played
    yield "left", left
    yield "brings", deal.rules.spin_stake * (deal.players - 1)
    for hand in deal.over.hands:
        if SPIN in hand:
            yield "double", len(hand) * deal.rules.card_price


@gives("none", "one", "two")
def kings(deal):
    """What a hand wins a deal, by the kings that it is dealt."""
    for seat, hand in enumerate(deal.hands):
        held = sum(card[0] == "K" for card in hand)
        if held < 3:
            yield ("none", "one", "two")[held], counters(deal, seat)
