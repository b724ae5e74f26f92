"""What the claims about Snip-Snap-Snorum count."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import comb

from roundsim.claim import gives, subject

PAID, WON = "his card is paired", "the last one left"  # why counters move


def pairing():
    """The chance that the next of five players can pair the first card, of which the leader holds one, two or three."""
    hand, unseen = 5, 52 - 5
    held = {"single": 1, "pair": 2, "three": 3}
    return {name: 1 - Fraction(comb(unseen - (4 - n), hand), comb(unseen, hand)) for name, n in held.items()}


def payments(deal):
    """What each seat pays for its cards that are paired."""
    paid = Counter({seat: 0 for seat in range(deal.players)})
    for move in deal.moves:
        if move.why == PAID:
            paid[move.payer] += move.counters
    return paid


def place_in(deal, seat):
    return "eldest" if seat == deal.eldest else "dealer" if seat == deal.dealer else "middle"


@gives("eldest", "middle", "rest", "dealer", "others")
def paying(deal):
    """What each place pays a deal for its cards that are paired; `middle`: all but the eldest and the dealer, `rest`: all
    but the eldest, `others`: all but the dealer."""
    for seat, paid in payments(deal).items():
        yield place_in(deal, seat), paid
        if seat != deal.eldest:
            yield "rest", paid
        if seat != deal.dealer:
            yield "others", paid


@gives("paid")
def own_payment(deal):
    """What the strategy that is tested pays a deal for its cards that are paired."""
    yield "paid", payments(deal)[subject(deal)]


@gives("one", "two", "three")
def paired(deal):
    """How often a card is paired that pairs none, by the cards of its rank that its player has not seen."""
    hands, played, last = [[*hand] for hand in deal.hands], Counter(), None
    plays = [*deal.over.played.items()]
    for (card, seat), (after, _) in pairwise(plays):
        unseen = 4 - played[card.rank] - sum(card.rank == other.rank for other in hands[seat])
        if unseen and card.rank != last:
            yield ("one", "two", "three")[unseen - 1], after.rank == card.rank
        hands[seat].remove(card)
        played[card.rank] += 1
        last = card.rank


@gives("deals", "eldest", "middle", "dealer", "others")
def games(deals):
    """The deals of each game that ends, and how often a place in its first deal wins it."""
    first, number = deals[0], 0
    for at, deal in enumerate(deals, 1):
        number += 1
        for winner in [move.payee for move in deal.moves if move.why == WON]:
            yield "deals", number
            for seat in range(deal.players):
                yield place_in(first, seat), seat == winner
                if seat != first.dealer:
                    yield "others", seat == winner
            first, number = deals[at % len(deals)], 0


@gives("empty")
def empty_pool(deal):
    """How often the winner finds nothing in the pool."""
    yield "empty", not any(move.why == PAID for move in deal.moves)
