"""What the claims about Whiskey Poker count."""

from fractions import Fraction
from functools import cache
from math import comb

from roundsim.claim import gives
from roundsim.odds import kinds
from roundsim.strategy import PACK, cards, ranking_of

RANKING = ranking_of(None)
PAIR, STRAIGHT, FULL = 10, 40, 60  # positions of classes
FIVES = RANKING.key(cards("5h 5d 4s 3h 2c"))


def eldest_with_a_pair(view):
    return view.seat == view.order[0] and RANKING.position(view.hand) == PAIR


def no_pair(view):
    return RANKING.position(view.hand) < PAIR


def small_pair(view):
    return PAIR << 28 < RANKING.key(view.hand) < FIVES


def widow_has_a_pair():
    """The share of all hands of five that are a pair or better."""
    better = sum(many for hand, many in kinds([], PACK) if RANKING.position(hand) >= PAIR)
    return Fraction(better, comb(52, 5))


@gives("early", "late", "early_full", "late_full")
def winning_hand(deal):
    """How good the hand is that wins: early, before each has had a turn at the open widow, or late, after two of them."""
    rounds = deal.over.turns / deal.players
    if rounds < 1 or rounds >= 2:
        when, best = "early" if rounds < 1 else "late", max(map(RANKING.position, deal.over.shown))
        yield when, best >= STRAIGHT
        yield f"{when}_full", best >= FULL


@gives("deals", "more")
def deals_of_a_game(deals):
    """How many deals it takes until somebody has no lives; `more`: than are expected where each loses as often."""
    yield "deals", len(deals)
    yield "more", len(deals) - deals_by_lot((deals[0].rules.lives,) * deals[0].players)


@cache
def deals_by_lot(lives):
    """The deals that are expected until somebody has no lives, one of these being drawn each time."""
    if not min(lives):
        return 0
    after = [tuple(sorted((*lives[:at], lives[at] - 1, *lives[at + 1 :]))) for at in range(len(lives))]
    return 1 + sum(map(deals_by_lot, after)) / len(lives)
