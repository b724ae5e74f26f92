"""What the claims about Vingt-un count."""

from collections import Counter
from fractions import Fraction
from functools import cache
from math import comb

from roundsim.claim import counters, gives
from roundsim.strategy import ace_low

ACE, TEN, NINE, EIGHT = 14, 10, 9, 8
PACK = (4,) * 9 + (16,)  # how many cards count 1 to 10, an ace one


def natural():
    """An ace and a ten-card, of all pairs of cards."""
    return Fraction(4 * 16, comb(52, 2))


def pair():
    """Of the 51 other cards three have the rank of the first."""
    return Fraction(3, 51)


def over_by_count():
    """How often a hand drawn from the whole pack up to a count goes over twenty-one."""
    return {f"t{least}": goes_over(PACK, 0, least) for least in range(14, 19)}


@cache
def goes_over(pack, total, least):
    """The chance to go over from a total with aces at one: an ace counts ten more while that does not pass 21."""
    soft = total <= 11 and pack[0] < PACK[0]
    if total > 21 or total + 10 * soft >= least:
        return Fraction(total > 21)
    cards = sum(pack)
    return sum(
        Fraction(left, cards) * goes_over((*pack[:at], left - 1, *pack[at + 1 :]), total + at + 1, least)
        for at, left in enumerate(pack)
        if left
    )


@gives("dealer")
def of_each(deal):
    """What the dealer wins of each player."""
    yield "dealer", counters(deal, deal.dealer) / (deal.players - 1)


@gives("dealer")
def turn(deals):
    """What the dealer of a turn wins in all its hands; a sitting has whole turns."""
    won, seat = 0, deals[0].dealer
    for deal in deals:
        if deal.dealer != seat:
            yield "dealer", won
            won, seat = 0, deal.dealer
        won += counters(deal, seat)
    yield "dealer", won


@gives("over")
def decided(deal):
    """Whether a player's hand goes over, or stands against a dealer who does; each box of a divided pair for itself."""
    over = deal.over
    dealer_over = "over" in over.fate[over.banker]
    for seat in over.order[:-1]:
        for fate in over.fate[seat]:
            yield "over", fate == "over" or fate == "stand" and dealer_over


@gives("natural")
def ends(deal):
    """Whether a player has a natural, and the dealer none."""
    yield "natural", bool(deal.over.naturals) and deal.over.banker not in deal.over.naturals


@gives("variance")
def unevenness(deals):
    """The variance of the number of hands that each seat deals in a sitting."""
    dealt = Counter(deal.dealer for deal in deals)
    players = deals[0].players
    yield "variance", sum((dealt[seat] - len(deals) / players) ** 2 for seat in range(players)) / players


# Where an answer is forced.


def on_an_ace(view):
    return view.hand[0].rank == ACE


def on_a_ten(view):
    return TEN <= view.hand[0].rank < ACE


def on_a_nine(view):
    return view.hand[0].rank == NINE


def on_a_low_card(view):
    return view.hand[0].rank < NINE


def hard(view):
    """The count of a player's box with all aces at one; 0 where an ace counts eleven, and for the dealer."""
    total = sum(min(ace_low(card), 10) for card in view.hand)
    soft = total <= 11 and any(card.rank == ACE for card in view.hand)
    return 0 if soft or view.seat == view.banker else total


def twelve_to_fifteen(view):
    return 12 <= hard(view) <= 15


def thirteen(view):
    return hard(view) == 13


def sixteen(view):
    return hard(view) == 16


def of_rank(view, low, high):
    """A player may divide a pair of such a rank."""
    return view.seat != view.banker and low <= view.hand[0].rank <= high and len(view.legal) > 1


def aces(view):
    return of_rank(view, ACE, ACE)


def tens(view):
    return of_rank(view, TEN, ACE - 1)


def eights(view):
    return of_rank(view, EIGHT, EIGHT)


def low_pair(view):
    return of_rank(view, 2, 7)
