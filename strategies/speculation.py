"""Speculation by the exact chances."""

from fractions import Fraction
from functools import cache
from math import ceil, comb, floor

from roundsim.games.speculation import Speculation
from roundsim.strategy import PACK, PACK_32, Card


class Book:
    """Baxter-Wray finds "little skill" in it and gives no figures ("Round Games with Cards", 1891, pp. 77-79); these are
    ours: everything is worth the pool times its chance, counted exactly.

    The turn-up unseen is sold for one more than it is worth, and bought for its worth. The best trump is sold for one
    more than its worth while it may be beaten in one of ten, and bought for four fifths. A seat offers the first of its
    three cards for twice its worth, two at least, and bids their worth for those of others. It offers
    nothing that would cost more than the highest price. Ours: a lot is worth what its cards are together.

    A card is as likely to win the pool whoever owns it: so nobody should pay more for it than others, nor the chief for
    one that threatens him. These measure it. `part`: of the best trump's worth, what is bid. `protect`: what the chief
    adds to his bid for an unseen card, as a part of its worth. `court`: 1 counts an ace to knave turned up as the win that
    it is unless option court is play; 0 leaves that out."""

    name = "book"
    games = ["speculation"]

    def __init__(self, part: float = 0.8, protect: float = 0, court: int = 0) -> None:
        self.part, self.protect, self.court = Fraction(str(part)), Fraction(str(protect)), court

    def turn_up(self, view: Speculation.View) -> str:
        return priced(view, ceil(self.turn_up_worth(view)) + 1)

    def hold(self, view: Speculation.View) -> str:
        chance = trump_holds(view)
        return priced(view, ceil(pool(view) * chance) + 1) if chance < Fraction(9, 10) else "keep"

    def turn(self, view: Speculation.View) -> str:
        first = view.unturned[view.seat] == 3
        return priced(view, max(2, ceil(2 * unseen_worth(view, 1)))) if first else "turn"

    last = turn

    def bid(self, view: Speculation.View) -> str:
        if view.for_sale == "turn-up":
            worth = self.turn_up_worth(view)
        elif view.for_sale == "trump":
            worth = self.part * pool(view) * trump_holds(view)
        else:
            seller = view.seller if view.for_sale == "lot" else None
            worth = unseen_worth(view, 1 if seller is None else view.unturned[seller])
            worth += self.protect * worth if view.seat == view.chief else 0
        bid = min(floor(worth), view.options.max_bid)
        return f"bid {bid}" if bid >= view.price else "pass"

    def turn_up_worth(self, view: Speculation.View) -> Fraction:
        court = bool(self.court) and view.options.court != "play"
        left = sum(view.unturned) + in_spare_hand(view)
        return pool(view) * turn_up_wins(view.options.pack, view.gone, left, court)


def priced(view: Speculation.View, price: int) -> str:
    """The offer for this price; keeps or turns the card if it may not be named."""
    return f"sell {price}" if price <= view.options.max_bid else view.legal[0]


def in_spare_hand(view: Speculation.View) -> int:
    return 3 if view.options.spare_hand else 0


def pool(view: Speculation.View) -> Fraction:
    return Fraction(view.pools["pool"])


def unseen(view: Speculation.View) -> tuple[int, int]:
    """How many cards nobody has seen, and how many of them are trumps higher than the best."""
    best, cards = view.best, view.stock + sum(view.unturned) + in_spare_hand(view)
    assert best
    return cards, int(14 - best.rank) - sum([card.suit == best.suit and card.rank > best.rank for card in view.gone])


def of_others(view: Speculation.View) -> int:
    """How many cards others have still to turn, the spare hand among them."""
    return sum(view.unturned) - view.unturned[view.seat] + in_spare_hand(view)


def trump_holds(view: Speculation.View) -> Fraction:
    """The chance of the best trump in this seat's hands."""
    return none_among(*unseen(view), of_others(view))


def unseen_worth(view: Speculation.View, number: int) -> Fraction:
    """Return the worth of unseen cards: the pool, if one is higher, and the middle one of the higher trumps then holds."""
    cards, higher = unseen(view)
    others = of_others(view) - (number if view.phase == "bid" else 0)
    rises = 1 - none_among(cards, higher, number)
    return rises and pool(view) * rises * none_among(cards - number, min(higher // 2, cards - number), others)


@cache
def none_among(cards: int, higher: int, drawn: int) -> Fraction:
    """The chance that none of the higher ones is among those drawn."""
    return Fraction(comb(cards - higher, drawn), comb(cards, drawn))


@cache
def turn_up_wins(pack: str, gone: tuple[Card, ...], drawn: int, court: bool) -> Fraction:
    """The chance of a card turned up from those not yet seen, each of them as likely, against so many others."""
    cards = [card for card in (PACK if pack == "52" else PACK_32) if card not in gone]
    wins = Fraction(0)
    for card in cards:
        higher = sum([other.suit == card.suit and other.rank > card.rank for other in cards])
        wins += 1 if court and card.rank >= 11 else none_among(len(cards) - 1, higher, drawn)
    return wins / len(cards)
