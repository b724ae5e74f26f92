"""Bouillotte by the book (Foster, "The Poker Family")."""

from roundsim.games.bouillotte import Bouillotte
from roundsim.strategy import SUITS, Card, by_rank, of_suit, owed, pool, say, stack_of

PIPS = {"A": 11, "K": 10, "Q": 10, "J": 10, "9": 9, "8": 8}
FAVORI, SIMPLE, CARRE = "favori", "simple", "carre"


class Book:
    """Foster's hints ("The Poker Family"), by the pips of the best suit, the retourne counted with it.

    The first to come in opens with 21 at the ante, but not with an ace alone unless its suit is turned, nor with 21 and
    an 8 or a 9 of the turned suit.  Eldest with a good hand passes at first, and raises afterwards.  Three of a suit to
    the king bet half the stake at once.  21 calls one who has bet, not a bet and a call; with two in before only 40 or
    a brelan does; beyond the first raise two others want 40 or a brelan, three a brelan.  A brelan raises by the size
    of the pool, and calls; in the word only if it is in hand alone.

    Ours: it never straddles; a good hand is 31; 21 calls no more than a quarter of its stake, nor does three to the
    king; and of brelans that nobody has called it shows those worth more than one counter.  It buys a
    cave where it may choose."""

    name = "book"
    games = ["bouillotte"]

    def cave(self, view: Bouillotte.View) -> str:
        """The stake that all began with."""
        return say(view, ("buy", view.options.cave))

    def straddle(self, view: Bouillotte.View) -> str:
        return "pass"

    def open(self, view: Bouillotte.View) -> str:
        """In the first place a good hand waits for the others."""
        pips, first = best_suit(view), view.seat == next_after(view, view.age)
        if brelan(view) or pips >= 31:
            return "pass" if first else say(view, ("bet", pool(view) if brelan(view) else view.level))
        if three_to_the_king(view):
            return say(view, ("bet", half(view)))
        return say(view, ("bet", 0)) if pips >= 21 and not weak_in_turned_suit(view) else "pass"

    def bet(self, view: Bouillotte.View) -> str:
        company, pips, free = in_before(view), best_suit(view), "fold" not in view.legal
        if brelan(view):
            return say(view, ("raise", pool(view)), "call")
        if company >= 3 and view.raises > 1 and not free:
            return "fold"
        if pips >= (40 if company >= 2 else 31):
            waited = ("open", "pass") in [
                (entry.phase, entry.action) for entry in view.history if entry.seat == view.seat
            ]
            return say(view, ("raise", view.level), "call") if waited and not view.raises else say(view, "call")
        if company < 2 and three_to_the_king(view) and not view.raises:
            return say(view, ("raise", half(view)), "call")
        cheap = owed(view) <= stack_of(view, view.seat) / 4
        return say(view, "call") if free or company < 2 and pips >= 21 and cheap else "fold"

    def word(self, view: Bouillotte.View) -> str:
        return say(view, ("raise", pool(view))) if brelan(view) in (CARRE, SIMPLE) else "pass"

    def show(self, view: Bouillotte.View) -> str:
        return "stifle" if brelan(view) == SIMPLE else "show"


# what it looks at


def next_after(view: Bouillotte.View, seat: int) -> int:
    """The next seat to the right that is in the deal."""
    seats = view.dealt_in
    return seats[(seats.index(seat) + 1) % len(seats)]


def turned_up(view: Bouillotte.View) -> Card:
    """The retourne, which lies there as soon as cards are dealt."""
    assert view.retourne
    return view.retourne


def brelan(view: Bouillotte.View) -> str | None:
    """Return the kind of brelan that three or two of a rank in hand make, or None."""
    ranks = [card[0] for card in view.hand]
    turned = ranks.count(turned_up(view)[0])
    if len(set(ranks)) == 1:
        return CARRE if turned else SIMPLE
    return FAVORI if turned == 2 else None


def best_suit(view: Bouillotte.View) -> int:
    """The pips of the best suit; a single card counts only if its suit is turned."""
    turned, sums = turned_up(view), [0]
    for suit in SUITS:
        held = of_suit(view.hand, suit)
        if held and (len(held) > 1 or suit == turned.suit):
            sums.append(sum(PIPS[card[0]] for card in of_suit([*held, turned], suit)))
    return max(sums)


def weak_in_turned_suit(view: Bouillotte.View) -> bool:
    return any(card[0] in "89" for card in of_suit(view.hand, turned_up(view).suit))


def three_to_the_king(view: Bouillotte.View) -> bool:
    return len({card.suit for card in view.hand}) == 1 and max(view.hand, key=by_rank)[0] == "K"


def in_before(view: Bouillotte.View) -> int:
    """How many others have come in, or are in with all they have."""
    spoken = [entry.seat for entry in view.history if entry.action.verb in ("bet", "call", "raise")]
    others = [seat for seat in view.still_in if seat != view.seat]
    return sum(seat in spoken or not stack_of(view, seat) for seat in others)


def half(view: Bouillotte.View) -> int:
    return stack_of(view, view.seat) // 2
