"""Loo by the book."""

from collections.abc import Sequence

from roundsim.games.loo import Loo
from roundsim.strategy import SUITS, Card, all_but, by_rank, discard, playable

HIGH = ("A", "K", "Q")


class Book:
    """Baxter-Wray's advice ("Round Games with Cards", 1891, pp. 16-30); the figures are our reading of it.

    Three-card: two trumps stand, and so do the ace and the king of trumps, and the queen or knave with another high
    card; without a trump it throws up.  The first hand is more exacting; what a trick is worth against the loo
    decides the doubtful hands, which are kept when there has been no single for three deals.  The miss is taken when
    two have thrown up and few stand, or for a rich pool.  Against one the last hand defends the pool unless its own
    cards or the price are worth a venture.
    With one trump and a high side card the trump is led against many, the side card against few; with small cards the
    smallest; without trumps the highest.  A trick is headed as cheaply as may be, and trumps are kept.

    `cautious`: 1 throws up the king with small cards, and the queen and knave, unless a trick is worth a loo (two);
    -1 stands with any trump, and with two aces or kings.

    Ours: with fewer than five playing one step bolder, since the book's advice is for five and loses at a small table;
    the elder of two always stands.  Five-card stands with Pam, two trumps or the ace, Irish and a small table with any
    trump; they change what is neither trump nor high card.  Where flushes count, a hand that wants no more than one
    card to it stands, and changes that."""

    name = "book"
    games = ["loo"]

    def __init__(self, cautious: int = 0) -> None:
        self.cautious = cautious
        self.full_deals = 0

    def settled(self, view: Loo.View, net: int) -> None:
        """Nothing is said or done in a single."""
        self.full_deals = self.full_deals + 1 if view.history else 0

    def declare(self, view: Loo.View) -> str:
        if view.options.variant == "three-card":
            return self.three_cards(view)
        if "fold" in view.legal and not stands_for_exchange(view):
            return "fold"
        out = put_out(view)[: view.stock]
        return discard(out) if out else "stand"

    def play(self, view: Loo.View) -> str:
        cards = playable(view)
        card = min(cards, key=lambda card: strength(view, card)) if view.trick else lead(view, cards)
        return card.play

    def worth(self, view: Loo.View) -> float:
        """A trick's share of the pool, in loos; risks are taken more readily after three deals without a single."""
        return view.played_for // 3 / view.loo + (0.5 if self.full_deals >= 3 else 0)

    def stands(self, view: Loo.View) -> bool:
        """Whether a hand of three stands on its own cards."""
        trumps, side = divided(view)
        high = [card for card in side if card[0] in HIGH]
        first, worth = view.seat == view.order[0], self.worth(view)
        if elder_of_two(view):
            return True
        cautious = self.cautious - (len(view.order) < 5)
        if cautious < 0 and (trumps or sum(card[0] in "AK" for card in side) >= 2):
            return True
        if len(trumps) > 1 and (not first or worth >= 1 or any(card[0] in HIGH for card in view.hand)):
            return True
        if not trumps:
            return worth >= 2 and all(card[0] in "AK" for card in side)
        best = max(trumps, key=by_rank)[0]
        if best == "A" or best == "K" and (high or worth >= 1 or cautious <= 0):
            return True
        if first and len({card.suit for card in high}) == 2:
            return True
        return best in "QJ" and bool(high or len(view.standing) <= 2 and worth >= 1 + cautious)

    def three_cards(self, view: Loo.View) -> str:
        if self.stands(view):
            return "stand"
        if "defend" in view.legal:
            return "miss" if self.worth(view) >= 1 else "defend"
        if view.seat == view.order[-1] and view.standing == (view.miss,):
            return "stand" if divided(view)[0] else "fold"
        return "miss" if "miss" in view.legal and self.miss_is_worth_it(view) else "fold"

    def miss_is_worth_it(self, view: Loo.View) -> bool:
        """Not as first hand, nor when all before have stood or three stand; else on a rich pool or if two threw up."""
        standing, thrown_up = len(view.standing), view.declared.count("fold")
        if not thrown_up or standing >= 3:
            return False
        return standing <= len(view.order) - 3 and thrown_up >= 2 or self.worth(view) >= 2


def elder_of_two(view: Loo.View) -> bool:
    """Whether only one other follows: a player who throws up gives the other the pool."""
    return len(view.order) == 2 and view.seat == view.order[0]


def is_trump(view: Loo.View, card: Card) -> bool:
    return card.suit == view.trumps or card == view.pam


def strength(view: Loo.View, card: Card) -> tuple[bool, bool, float]:
    """Trumps above the rest, Pam above all."""
    return is_trump(view, card), card == view.pam, card.rank


def divided(view: Loo.View) -> tuple[list[Card], list[Card]]:
    """The trumps of the hand, and its side cards."""
    trumps = [card for card in view.hand if is_trump(view, card)]
    return trumps, all_but(view.hand, trumps)


def stands_for_exchange(view: Loo.View) -> bool:
    """Whether a hand of five-card or Irish loo stands; a flush, or four cards of one, is worth the venture."""
    trumps, _ = divided(view)
    if elder_of_two(view) or view.options.flush and len(wanting_to_flush(view)) < 2:
        return True
    if view.options.variant == "irish" or len(view.order) < 5:
        return bool(trumps)
    return len(trumps) > 1 or any(card == view.pam or card[0] == "A" for card in trumps)


def wanting_to_flush(view: Loo.View) -> list[Card]:
    """The cards of other suits than the one most held, Pam being of any."""
    cards = [card for card in view.hand if card != view.pam]
    suits = [card.suit for card in cards]
    most = max(SUITS, key=suits.count)
    return [card for card in cards if card.suit != most]


def put_out(view: Loo.View) -> list[Card]:
    """Return the cards that are neither trump nor high, lowest first; or the one card that spoils a flush."""
    if view.options.flush:
        others = wanting_to_flush(view)
        if len(others) < 2:
            return others
    _, side = divided(view)
    return sorted([card for card in side if card[0] not in HIGH], key=by_rank)


def lead(view: Loo.View, cards: Sequence[Card]) -> Card:
    """Where the law leaves a choice."""
    trumps = [card for card in cards if is_trump(view, card)]
    side = all_but(cards, trumps)
    if len(trumps) != 1 or not side:
        return max(cards, key=lambda card: strength(view, card))
    best = max(side, key=by_rank)
    if best[0] in HIGH:
        return trumps[0] if len(view.standing) >= 4 else best
    return min(side, key=by_rank)
