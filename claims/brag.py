"""What the claims about Brag count."""

from fractions import Fraction
from math import comb

from roundsim.claim import gives
from roundsim.strategy import RANKS, by_rank

BRAGGERS = ("Ad", "Jc", "9d")  # of the single stake; American brag has all jacks and nines
AMERICAN = 8


def with_braggers():
    """The share of hands with a bragger: all hands less those made of the other cards."""
    hands = comb(52, 3)
    return {
        "single": 1 - Fraction(comb(52 - len(BRAGGERS), 3), hands),
        "american": 1 - Fraction(comb(52 - AMERICAN, 3), hands),
        "american_three": Fraction(comb(AMERICAN, 3), hands),
    }


def two_with_three_braggers():
    """The share of deals for eight in which two seats hold three braggers each; a third cannot, so pairs are summed."""
    one, other = comb(AMERICAN, 3), comb(AMERICAN - 3, 3)
    return {"share": Fraction(comb(8, 2) * one * other, comb(52, 3) * comb(49, 3))}


def always(view):
    return True


def raised_with_queens_or_kings(view):
    """A raise is standing, and the hand makes a pair of queens or kings."""
    american = view.options.variant == "american"
    return bool(view.raises) and "fold" in view.legal and paired(view.hand, american) in (RANKS["Q"], RANKS["K"])


def paired(hand, american):
    """The rank of the best pair that a hand makes with its braggers; 0 for no pair, or for a triplet."""
    braggers = [card for card in hand if (card[0] in "J9" if american else card in BRAGGERS)]
    others = [card for card in hand if card not in braggers]
    ranks = [card.rank for card in hand]
    if len(braggers) > 1 or len(set(ranks)) == 1:
        return 0
    if braggers:
        return 0 if others[0].rank == others[1].rank else max(others, key=by_rank).rank
    return max([rank for rank in ranks if ranks.count(rank) == 2], default=0)


@gives("dealer", "eldest")
def third_pool(deal):
    """What the third pool brings the last and the first to draw, less the cards that they buy."""
    for name, seat in ("dealer", deal.dealer), ("eldest", deal.eldest):
        yield (
            name,
            sum(
                move.counters * ((move.payee == seat) - (move.payer == seat))
                for move in deal.moves
                if "third" in (move.payer, move.payee)
            ),
        )
