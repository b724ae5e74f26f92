"""What the claims about Ambigu count."""

from fractions import Fraction
from itertools import product
from math import comb

from roundsim.claim import gives
from roundsim.strategy import SUITS, ace_low, of_suit

RANKS = range(1, 11)  # the ace is 1, the ten 10: as many pips
HANDS = comb(40, 4)
ALONE = "nobody else is in for it"  # why a winner takes the pool whom nobody has met


def classes():
    """How many hands of four each class has: what is left when all others are counted is a point."""
    threes = len(RANKS) * comb(4, 3)
    four_suits = [ranks for ranks in product(RANKS, repeat=4) if max(map(ranks.count, ranks)) < 3]
    found = {
        "fredon": len(RANKS),
        "sequence_flush": 4 * (len(RANKS) - 3),
        "tricon_prime": threes * (len(RANKS) - 1),
        "flush": 4 * (comb(len(RANKS), 4) - (len(RANKS) - 3)),
        "tricon": threes * 3 * (len(RANKS) - 1),
        "sequence": 4 * (len(RANKS) - 2) * 30,
        "prime": len(four_suits),
    }
    found["point"] = HANDS - sum(found.values())
    return {**found, "grand": sum(sum(ranks) > 30 for ranks in four_suits)}


def prices():
    """What each class is paid by one player on the average of all hands; above thirty a prime costs one more."""
    found = classes()
    grand_tricons = 4 * sum(3 * rank + other > 30 for rank in RANKS for other in RANKS if other != rank)
    paid = {
        "point": found["point"],
        "prime": 2 * found["prime"] + found["grand"],
        "sequence": 3 * found["sequence"],
        "tricon": 4 * found["tricon"],
        "flush": 5 * found["flush"],
        "tricon_prime": 6 * found["tricon_prime"] + grand_tricons,
    }
    return {name: Fraction(counters, HANDS) for name, counters in paid.items()}


@gives("hand", "pool")
def income(deal):
    """What the winner of a deal has from the pool, with what they put up, and from the payments for the hand."""
    taken = [move for move in deal.moves if move.payer == "pool" and move.why in ("the best hand", ALONE)]
    for move in taken:
        yield "pool", move.counters
        yield "hand", sum(paid.counters for paid in deal.moves if paid.why.endswith("is paid for"))


def sequence_or_better(view):
    """Nobody has bet, and the four cards are a sequence or better: a run of three, three of a rank, or four of a suit."""
    ranks = [card.rank for card in view.hand]
    suits = [sorted(map(ace_low, of_suit(view.hand, suit))) for suit in SUITS]
    longest = max(suits, key=len)
    run = len(longest) == 3 and longest[2] - longest[0] == 2
    return view.better is None and (run or len(longest) == 4 or max(map(ranks.count, ranks)) >= 3)
