"""What the claims about Spoil Five count."""

from fractions import Fraction
from itertools import pairwise
from math import comb

from roundsim.claim import gives
from roundsim.games.spoil_five import SpoilFive

RANDOM = {3: 0.27, 4: 0.47, 5: 0.59, 6: 0.69, 7: 0.73, 8: 0.79, 9: 0.81, 10: 0.85}  # spoilt deals at random play
RANDOM_BY_TWO = {3: 0.016, 4: 0.020, 5: 0.043, 6: 0.081, 7: 0.14, 8: 0.18, 9: 0.21, 10: 0.25}  # where two tricks win


# Exact.


def robbing():
    """The chance that somebody may rob: the ace of trumps is turned up, or in one of the hands."""
    return {f"n{players}": may_rob(players) for players in range(2, 11)}


def may_rob(players):
    """An ace is turned up in one deal of thirteen; if not, that of the suit is one of the 51 others."""
    dealt = 5 * players
    in_a_hand = Fraction(comb(50, dealt - 1), comb(51, dealt))
    return Fraction(1, 13) + Fraction(12, 13) * in_a_hand


def cards_in_play():
    """The share of the pack that is dealt or turned up."""
    return {"four": Fraction(4 * 5 + 1, 52), "five": Fraction(5 * 5 + 1, 52)}


def jink_break_even():
    """The share of jinks that must be made, at five seats and the first deal: the pool is lost, or a stake each won."""
    rules = SpoilFive.rules_for(5, {"jinking": True})
    pool = rules.players * rules.stake + rules.deal_stake
    return Fraction(pool, pool + (rules.players - 1) * rules.stake)


# Measures.


@gives("spoilt", "random", "fewer")
def spoilt(deal):
    """How often a deal is spoilt; what random play spoils at so many seats, and at two fewer."""
    spoils = RANDOM if deal.rules.tricks_to_win == 3 else RANDOM_BY_TWO
    yield "spoilt", deal.over.winner is None
    for name, players in (("random", deal.players), ("fewer", deal.players - 2)):
        if players in spoils:
            yield name, spoils[players]


@gives("again")
def spoilt_again(deals):
    """How often two deals on end are spoilt."""
    lost = [deal.over.winner is None for deal in deals]
    for before, after in pairwise(lost):
        yield "again", before and after


@gives("made")
def jinks(deal):
    """How often a jink is made."""
    if "jink" in deal.actions:
        yield "made", deal.over.winner is not None


@gives("ends")
def ends(deal):
    """In how many deals a game of 25 or 45 ends."""
    yield "ends", deal.over.winner is not None


# Hands.


def may_decline(view):
    """Whether a seat may rob: it is asked."""
    return True


def with_one_trump(view):
    """Whether a seat that may rob holds no other trump than the ace, and can but spoil."""
    return sum(card.suit == view.trumps or card == "Ah" for card in view.hand) < 2
