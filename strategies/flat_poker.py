"""Flat poker by thresholds of our own: Foster ("The Poker Family") has no advice on it."""

from collections.abc import Sequence

from roundsim.games.flat_poker import FlatPoker
from roundsim.strategy import RANKS, SUITS, Card, Ranking, all_but, by_rank, discard, of_suit, ranking_of

PAIR, TWO_PAIRS, THREES = 10, 20, 30  # places in the order of classes
TEN, QUEEN, KING, ACE = (RANKS[letter] for letter in "TQKA")
BACKED = {2: (PAIR, TEN), 3: (PAIR, ACE), 4: (TWO_PAIRS, 0), 5: (TWO_PAIRS, QUEEN), 6: (THREES, 0), 7: (THREES, 0)}


class Book:
    """Blinds of one, now and then the limit; comes in for a tenth of it, and half the time for more.

    It backs a hand that beats the others more often than not: with two in the pool a pair of tens, then aces, two pairs,
    queens up, threes; now and then nothing at all, if all others have drawn two cards or more.  It calls with two
    pairs.  Foster gives no advice ("a pure gamble; except that a bold player may occasionally bluff the field off");
    the thresholds are ours."""

    name = "book"
    games = ["flat-poker"]

    def blind(self, view: FlatPoker.View) -> str:
        return view.legal[-1 if view.chance.below(5) == 0 else 0]

    def come(self, view: FlatPoker.View) -> str:
        return "call" if 10 * view.blind <= view.options.limit or view.chance.below(2) else "fold"

    def draw(self, view: FlatPoker.View) -> str:
        return discard(all_but(view.hand, kept(view.hand, ranking_of(view.options))))

    def back(self, view: FlatPoker.View) -> str:
        hand = value(view)
        others = [view.drawn[seat] or 0 for seat in view.still_in if seat != view.seat]
        bluff = hand[0] < PAIR and min(others) >= 2 and view.chance.below(15) == 0
        return "back" if bluff or hand >= BACKED[len(view.still_in)] else "pass"

    def call(self, view: FlatPoker.View) -> str:
        return "call" if value(view)[0] >= TWO_PAIRS else "pass"


def value(view: FlatPoker.View) -> tuple[int, float]:
    """(place of its class, highest rank of the cards that make it; of no pair 0)."""
    ranking = ranking_of(view.options)
    return ranking.position(view.hand), max(map(by_rank, ranking.grouped(view.hand)), default=0)


def kept(hand: Sequence[Card], ranking: Ranking) -> Sequence[Card]:
    """Return the cards that make the hand's class; without a pair, four to a flush or an open straight, an ace or king."""
    made = ranking.grouped(hand)
    if made:
        return made
    for suit in SUITS:
        four = of_suit(hand, suit)
        if len(four) == 4:
            return four
    for ranks in ranking.straights[:-1]:
        four = [card for card in hand if card[0] in ranks[1:]]
        if len(four) == 4:
            return four
    return [card for card in hand if card.rank >= KING and card.rank == max(map(by_rank, hand))]
