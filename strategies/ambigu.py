"""Ambigu.  Foster ("The Poker Family") gives the rules and the prices, and no word on how to play."""

from collections.abc import Sequence

from roundsim.games.ambigu import Ambigu
from roundsim.strategy import SUITS, Card, ace_low, all_but, discard, of_suit, say

POINT, PRIME, GRAND, SEQUENCE, TRICON, FLUSH, TRICON_PRIME, SEQUENCE_FLUSH, FREDON = range(9)


class Book:
    """Thresholds of our own, since Foster ("The Poker Family") gives no tactics.

    First draw: a pair, a suited pair within two steps and two suits with 16 pips are kept, of others the higher card,
    below 8 pips none.  First betting: half the limit on a sequence or better, 1 on a grand prime; a prime of 24 pips or
    better calls, however often it is raised.  All having passed, the dealer keeps a prime.  Second draw: sequences and
    better stand; one card is drawn to three of a suit, or to three suits, and two to a pair.  Last betting: the limit
    on a tricon or better, half on a sequence or grand prime, and the same hands call as before.

    Where the thresholds are silent: primes stand, and points of two and two draw two to a prime; what does not call is
    folded to a first bet, too."""

    name = "book"
    games = ["ambigu"]

    def first_draw(self, view: Ambigu.View) -> str:
        low, high = sorted(view.hand, key=ace_low)
        total, steps = ace_low(low) + ace_low(high), ace_low(high) - ace_low(low)
        one_suit = low.suit == high.suit
        if steps == 0 or one_suit and steps <= 2 or not one_suit and total >= 16:
            return discard([])
        return discard([low, high] if total < 8 else [low])

    def play(self, view: Ambigu.View) -> str:
        kind = class_of(view.hand)
        if kind >= SEQUENCE:
            return bet(view, view.options.limit // 2)
        return bet(view, 1) if kind == GRAND else "pass"

    def bet(self, view: Ambigu.View) -> str:
        kind = class_of(view.hand)
        return "call" if kind > PRIME or kind == PRIME and sum(map(ace_low, view.hand)) >= 24 else "fold"

    def redeal(self, view: Ambigu.View) -> str:
        return "keep" if class_of(view.hand) >= PRIME else "redeal"

    def second_draw(self, view: Ambigu.View) -> str:
        hand = sorted(view.hand, key=ace_low, reverse=True)
        if class_of(hand) >= PRIME:
            return discard([])
        suits = [card.suit for card in hand]
        if max(map(suits.count, suits)) == 3:
            kept = [card for card in hand if suits.count(card.suit) == 3]
        elif len(set(suits)) == 3:
            kept = highest_of_each_suit(hand)
        else:
            ranks = [card.rank for card in hand]
            kept = [card for card in hand if ranks.count(card.rank) == 2][:2] or highest_of_each_suit(hand)
        return discard(all_but(hand, kept))

    def last_play(self, view: Ambigu.View) -> str:
        kind = class_of(view.hand)
        if kind >= TRICON:
            return bet(view, view.options.limit)
        return bet(view, view.options.limit // 2) if kind in (GRAND, SEQUENCE) else "pass"


def bet(view: Ambigu.View, counters: int) -> str:
    """As many counters, as far as the stack goes."""
    return say(view, ("bet", counters))


def highest_of_each_suit(hand: Sequence[Card]) -> list[Card]:
    """Return the highest card of each suit, from a hand with the highest cards first."""
    return list({card.suit: card for card in reversed(hand)}.values())


def class_of(hand: Sequence[Card]) -> int:
    """The class of four cards, a grand prime for itself."""
    line = sorted(map(ace_low, hand))
    suits = [sorted(map(ace_low, of_suit(hand, suit))) for suit in SUITS]
    longest = max(suits, key=len)
    run = longest[-1] - longest[0] == len(longest) - 1
    alike = line.count(line[1])
    if alike == 4:
        return FREDON
    if len(longest) == 4:
        return SEQUENCE_FLUSH if run else FLUSH
    if alike == 3:
        return TRICON_PRIME if len(longest) == 1 else TRICON
    if len(longest) == 3 and run:
        return SEQUENCE
    if len(longest) == 1:
        return GRAND if sum(line) > 30 else PRIME
    return POINT
