"""Straight poker by the book."""

from roundsim.games.straight_poker import StraightPoker
from roundsim.strategy import groups, has_raised, pool, say, to_call

NOTHING, PAIR, TWO_PAIRS, THREES = range(4)
KING, ACE = 13, 14
LINE = "A23456789TJQKA"


def value(view: StraightPoker.View) -> tuple[int, float]:
    """Return the value of a hand: its class, with straights and better as threes, and the rank of its best pair."""
    natural = [card for card in view.hand if card != "Jo"]
    jokers = len(view.hand) - len(natural)
    sizes, ranks = map(list, zip(*groups(natural), strict=True))
    sizes[0] += jokers
    letters, line = {card[0] for card in natural}, LINE if view.options.ace == "high-low" else LINE[:-1]
    straight = len(letters) == len(natural) and any(letters <= set(line[at : at + 5]) for at in range(len(line) - 4))
    flush = len({card.suit for card in natural}) == 1
    if sizes[0] >= 3 or straight or flush:
        return THREES, ranks[0]
    return TWO_PAIRS if sizes[:2] == [2, 2] else PAIR if sizes[0] == 2 else NOTHING, ranks[0]


class Book:
    """Foster's hints ("The Poker Family"), with figures of our own.

    Triplets are very strong, and two pairs win most pools: bet the limit on threes or better, half of it on two pairs
    and a tenth on a pair of tens or better, but pass with less than aces in the first two seats.  Against a bet raise
    once with threes, and with aces up when no more than five play; call with two pairs, and with kings or aces if it
    costs no more than the pool, leaving out what is asked; lay down the rest.  Bluff is the great element: once in
    eight, when all before have passed and at most two are to speak, bet the size of the pool."""

    name = "book"
    games = ["straight-poker"]

    def bet(self, view: StraightPoker.View) -> str:
        return self.before_a_bet(view) if view.better is None else self.facing_a_bet(view)

    def before_a_bet(self, view: StraightPoker.View) -> str:
        hand, limit = value(view), view.options.limit
        at = view.dealt_in.index(view.seat)
        if hand >= (PAIR, ACE if at < 2 else 10):
            kind = hand[0]
            return say(view, ("bet", limit if kind == THREES else limit // 2 if kind == TWO_PAIRS else limit // 10))
        if at >= len(view.dealt_in) - 3 and view.chance.below(8) == 0:
            return say(view, ("bet", view.pools["pool"]))
        return "pass"

    def facing_a_bet(self, view: StraightPoker.View) -> str:
        hand, asked = value(view), to_call(view)
        if hand >= ((TWO_PAIRS, ACE) if len(view.dealt_in) <= 5 else (THREES, 0)) and not has_raised(view):
            return say(view, ("raise", view.options.limit), "call")
        if hand >= (TWO_PAIRS, 0) or hand >= (PAIR, KING) and asked <= pool(view) - asked:
            return "call"
        return view.legal[0]
