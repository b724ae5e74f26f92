"""What a hand is worth as Nap."""

from roundsim.strategy import SUITS, ranks_of


def best_suit(hand):
    return max(SUITS, key=lambda suit: (len(ranks_of(hand, suit)), sum(ranks_of(hand, suit))))


def tricks(hand):
    """Return the tricks that the best suit should take: its ace, its king, and each card after three."""
    ranks = ranks_of(hand, best_suit(hand))
    return sum(rank >= 13 for rank in ranks) + max(0, len(ranks) - 3)
