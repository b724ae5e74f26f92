"""What the claims about Speculation count."""

from fractions import Fraction
from math import comb

from roundsim.claim import gives

COURTS = 4  # ace, king, queen and knave
TABLES = (3, 4, 5, 6, 8, 10)


def holds(higher, players):
    """The chance that none of so many higher trumps is among the hands."""
    return Fraction(comb(51 - higher, 3 * players), comb(51, 3 * players))


def turn_up_wins(courts=0):
    """The chance of a card turned up, each rank as likely: 0 to 12 trumps are higher; so many courts win at once."""
    return {f"n{n}": (courts + sum(holds(higher, n) for higher in range(courts, 13))) / 13 for n in TABLES}


def dealer_wins(courts=0):
    """The pool has a counter of each and one more of the dealer, who pays two; the dealer's hand is as good as others'."""
    wins = turn_up_wins(courts)
    return {f"n{n}": (n + 1) * (wins[f"n{n}"] + (1 - wins[f"n{n}"]) / n) - 2 for n in TABLES}


def dealer_wins_with_courts():
    """Ace, king, queen and knave win at once."""
    return dealer_wins(COURTS)


def others_win():
    """Each hand is as likely to win what the turn-up does not."""
    return {name: (int(name[1:]) + 1) * (1 - wins) / int(name[1:]) - 1 for name, wins in turn_up_wins().items()}


def turn_up_holds():
    """The chance that a card turned up holds against five hands: one trump is higher than a king, two than a queen."""
    names = "ace", "king", "queen", "knave", "ten", "nine"
    return {name: holds(higher, 5) for higher, name in enumerate(names)}


@gives("changes")
def chiefs(deal):
    """How often the best trump changes its owner, by a higher one or a sale; deals that a court card ends count, too."""
    owners = [view.chief for view, _ in deal.walk() if view.chief is not None] + [deal.over.chief]
    yield "changes", sum(one != other for one, other in zip(owners, owners[1:], strict=False))
