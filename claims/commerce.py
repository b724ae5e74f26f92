"""What the claims about Commerce count."""

from fractions import Fraction
from itertools import combinations, product
from math import comb

from roundsim.claim import counters, gives, subject

ACE = 14
HANDS = comb(52, 3)


def pips_of(rank):
    """An ace counts eleven, a king, queen, jack or ten 10, other cards their number."""
    return 11 if rank == ACE else min(rank, 10)


def two_points():
    """How often two hands are mere points; of these, how often their totals are equal, and their ranks as well.

    A point has three ranks and suits that are not all one. Of two points with so many ranks in common those suits are
    counted in which no card is in both."""
    points = [*combinations(range(2, ACE + 1), 3)]
    suits = [each for each in product("shdc", repeat=3) if len({*each}) > 1]
    apart = {
        common: sum(all(mine[at] != other[at] for at in range(common)) for mine in suits for other in suits)
        for common in range(4)
    }
    both = equal = 0
    for mine, other in product(points, repeat=2):
        ways = apart[len({*mine} & {*other})]
        both += ways
        equal += ways * (sum(map(pips_of, mine)) == sum(map(pips_of, other)))
    tied = len(points) * apart[3]  # equal totals are decided by the highest card that differs
    return {
        "points": Fraction(both, HANDS * comb(49, 3)),
        "equal": Fraction(equal, both),
        "tied": Fraction(tied, both),
    }


def wrays_hands():
    """How many hands of each class there are: sequences run from the lowest rank to the ace, with 52 also 3 2 A."""
    found = {}
    for name, ranks, sequences in ("", 13, 12), ("short_", 8, 6):
        found[f"{name}tricon"] = ranks * comb(4, 3)
        found[f"{name}sequence"] = 4 * sequences
        found[f"{name}flush"] = 4 * (comb(ranks, 3) - sequences)
        found[f"{name}pair"] = ranks * comb(4, 2) * 4 * (ranks - 1)
        found[f"{name}point"] = comb(ranks, 3) * (4**3 - 4)
    return found


def fosters_hands():
    """How many hands of each class there are; without a point all suits differ, and it is no triplet."""
    none = comb(4, 3) * 13**3 - 52
    return {
        "triplet": 52,
        "sequence": 48,
        "three": 4 * comb(13, 3) - 48,
        "two": 4 * comb(13, 2) * 39,
        "none": none,
    }


@gives("tied")
def ties(deal):
    """Whether two or more have the best hand."""
    yield "tied", len(deal.over.best()) > 1


@gives("aces", "all")
def two_aces(deal):
    """Whether a seat has the best hand, of those who were dealt two aces, and of all."""
    best = deal.over.best()
    for seat, hand in enumerate(deal.hands):
        yield "all", seat in best
        if sum(card[0] == "A" for card in hand) == 2:
            yield "aces", seat in best


def first_with_a_point(view):
    """The first turn of a seat that does not deal, with three ranks and not all of one suit."""
    first = view.turns < len(view.order) and view.seat != view.dealer
    return first and len({card.rank for card in view.hand}) == 3 and len({card.suit for card in view.hand}) > 1


def always(view):
    return True


@gives("net")
def to_the_end(deals, where, phase):
    """What the strategy that is tested wins from a question on up to the end of the game, or of the sitting."""
    asked, won = False, 0
    for deal in deals:
        seat = subject(deal)
        asked = asked or any(view.seat == seat and view.phase == phase and where(view) for view, _ in deal.walk())
        if asked:
            won += counters(deal, seat)
            if sum(map(bool, deal.over.lives)) < 2:
                break
    if asked:
        yield "net", won
