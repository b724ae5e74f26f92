"""What the claims about Pope Joan count, and the strategies that they compare with the book."""

from fractions import Fraction
from itertools import permutations

from roundsim_strategies import stops

from roundsim.claim import counters, gives
from roundsim.strategy import CARD

POPE = CARD["9d"]
PACK = [card for card in stops.NEXT if card != "8d"]
PAIRS = {"matrimony": "KQ", "intrigue": "QJ"}


class PopeFirst(stops.PopeJoan):
    """Leads Pope at the first opportunity, and then as the book."""

    name = "pope-first"

    def lead(self, view):
        return POPE.play if POPE in view.hand else super().lead(view)


class PopeKept(stops.PopeJoan):
    """Leads as the book, but Pope last of all."""

    name = "pope-kept"

    def lead(self, view):
        hand = [card for card in view.hand if card is not POPE] or view.hand
        gone = {stops.EIGHT, view.turn_up, *view.played, *view.missing}
        return stops.card_to_lead(hand, gone, self.worth(view, hand), keep=self.keep).play


class Longest(stops.PopeJoan):
    """Leads the lowest card of the longest suit."""

    name = "longest"

    def lead(self, view):
        length = stops.lengths(view.hand)
        return max(view.hand, key=lambda card: (length[card.suit], -stops.ace_low(card))).play


def seats_of(players):
    """Whose each of the fifty cards is that come before the turn-up: a seat's, or -1 for the spare hand (p. 81)."""
    hands = players + 1
    owners = [seat if seat < players else -1 for seat in range(hands)] * (50 // hands)
    return owners + [-1] * (50 - len(owners))


def married():
    """The chance that king and queen of trumps are in one hand, of all places for them, and all cards turned up."""
    return {f"n{players}": chance_of_a_pair(players) for players in range(3, 9)}


def chance_of_a_pair(players):
    places = [*permutations(seats_of(players), 2)]
    together = Fraction(sum(king == queen >= 0 for king, queen in places), len(places))
    neither = Fraction(sum(card[0] not in "KQ" for card in PACK), len(PACK))  # is turned up
    return neither * together


def pope_dealt():
    """The chance that Pope is in the hand of a seat, of all its places in the pack."""
    return {f"n{n}": Fraction(sum(owner >= 0 for owner in seats_of(n)), len(PACK)) for n in (4, 6)}


@gives("none", "age")
def evenings(deals):
    """Whether nobody wins matrimony in a sitting; in how many deals Pope was dressed when it was won."""
    last, married = -1, False
    for number, deal in enumerate(deals):
        won = {move.payer for move in deal.moves if move.payer in deal.over.pools}
        married |= "matrimony" in won
        if "pope" in won:
            yield "age", number - last
            last = number
    yield "none", not married


@gives("held", "won")
def marriages(deal):
    """How often both cards of a pair are dealt to one hand, and how often the pair is won; each of both pairs."""
    trumps, won = deal.over.trumps, {move.payer for move in deal.moves}
    for name, ranks in PAIRS.items():
        pair = {CARD[rank + trumps] for rank in ranks}
        yield "held", any(pair.issubset(hand) for hand in deal.hands)
        yield "won", name in won


@gives("eldest", "middle", "dealer")
def eldest_and_middle(deal):
    """What the eldest hand, the dealer and the seats between win a deal."""
    for seat in range(deal.players):
        name = "eldest" if seat == deal.eldest else "dealer" if seat == deal.dealer else "middle"
        yield name, counters(deal, seat)


@gives("won")
def pope_won(deal):
    """How often Pope is played or turned up."""
    yield "won", any(move.payer == "pope" for move in deal.moves)


@gives("cards")
def runs(deal):
    """The cards of each run."""
    cards = 0
    for card, after in zip(played := [*deal.over.played], [*played[1:], None], strict=True):
        cards += 1
        if after is None or stops.NEXT[card] is not after:
            yield "cards", cards
            cards = 0
