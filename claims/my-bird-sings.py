"""What the claims about My Bird Sings and My Ship Sails count."""

from fractions import Fraction
from itertools import product
from math import comb, prod

from roundsim.claim import gives

# Exact.


def dealt_birds():
    """The chance that four cards sing, and that the best four of five do; of four suits, or of one."""
    names = "four", "four_suits", "four_flush", "five", "five_suits", "five_flush"
    return dict(zip(names, [*singing(4), *singing(5)], strict=True))


def singing(cards):
    """The chance that four of so many cards are of four suits or of one; the first, and the second."""
    suits = flush = 0
    for held in product(range(cards + 1), repeat=4):  # how many of each suit
        if sum(held) == cards:
            hands = prod(comb(13, number) for number in held)
            suits += hands * (min(held) > 0)
            flush += hands * (max(held) >= 4)
    return [Fraction(each, comb(52, cards)) for each in (suits + flush, suits, flush)]


def dealt_flush_of_three():
    """The chance that three cards are of one suit."""
    return Fraction(4 * comb(13, 3), comb(52, 3))


# Measures.


@gives("rounds", "fourth")
def rounds(deal):
    """How many rounds a deal takes, and how often it reaches the fourth; 0 if a bird sings as it is dealt."""
    over = deal.over
    played = over.round if over.turns else 0
    yield "rounds", played
    yield "fourth", played >= 4


@gives("eldest", "others")
def after_the_deal(deal):
    """How often the eldest hand sings, and each other, if no bird sings as it is dealt."""
    over = deal.over
    if over.turns:
        for seat in range(deal.players):
            yield "eldest" if seat == deal.eldest else "others", seat in over.sang


@gives("flush")
def sails(deal):
    """How often a flush wins in My Ship Sails."""
    yield "flush", bool(deal.over.sang)
