"""Spoil Five by common practice."""

from collections.abc import Sequence
from functools import cache

from roundsim.games.spoil_five import SpoilFive
from roundsim.strategy import PACK, Card, playable

BLACK, RED = "AKQ2346789T", "AKQT9876432"  # trumps below the five, the knave and the ace of hearts
PLAIN = {"s": "KQJA23456789T", "c": "KQJA23456789T", "h": "KQJT98765432", "d": "KQJT98765432A"}
ORDINARY = "AKQJT98765432"
WORTH = {"5": 1, "J": 1, "A": 0.7, "K": 0.5, "Q": 0.5}  # of a trump, in tricks; others .3
ORDINARY_WORTH = {"A": 1, "K": 0.7, "Q": 0.5}


class Book:
    """Common practice, since the book (Baxter-Wray, "Round Games with Cards", 1891, pp. 103-107) has next to none.

    He robs whenever he may, putting out a low plain card, from a suit held once if possible. He counts what tricks his
    hand should make: the first three trumps 1 each, the ace .7, king and queen .5, any other .3, a plain king .4, a
    plain queen .15. If that, with the tricks he has, is at least 2.2 (1.4 where two win) he plays to win: trumps that
    nothing can beat are led first, then a plain king, and the first three trumps are kept back from a low trump led
    except for the trick that wins the pool. Otherwise he plays to spoil: he leads low, takes what a plain card takes and
    keeps his trumps, until somebody wants but one trick; him he beats whenever he can. With two players or two sides
    nothing can be spoilt, and in twenty-five and forty-five every trick counts: there he always plays to win.

    He jinks with the two highest trumps that are left; asks for another turn-up without a trump, and agrees to it with
    one low trump at most.

    `bold`: how much less than 2.2 (1.4) is enough to play to win, in tenths of a trick."""

    name = "book"
    games = ["spoil-five"]

    def __init__(self, bold: int = 0) -> None:
        self.bold = bold

    def five(self, view: SpoilFive.View) -> str:
        return "stand" if any(is_trump(card, view) for card in view.hand) else "five"

    def answer(self, view: SpoilFive.View) -> str:
        held = [card for card in view.hand if is_trump(card, view)]
        low = all(worth(card, view) < 0.5 for card in held)
        return "yes" if len(held) <= 1 and low else "no"

    def rob(self, view: SpoilFive.View) -> str:
        return min(
            (action for action in view.legal if action != "no"), key=lambda action: keeping_order(action.card, view)
        )

    def jink(self, view: SpoilFive.View) -> str:
        return "jink" if all(is_trump(card, view) and not higher_out(card, view) for card in view.hand) else "take"

    def play(self, view: SpoilFive.View) -> str:
        cards = playable(view)
        plays_to_win = self.plays_to_win(view)
        card = follow(view, cards, plays_to_win) if view.trick else lead(view, cards, plays_to_win)
        return card.play

    def plays_to_win(self, view: SpoilFive.View) -> bool:
        """Whether the hand may win the pool, or need not fear to help another to it."""
        if view.jinker is not None or view.seat == view.debarred:
            return view.jinker == view.seat
        if view.options.game != "pool" or view.players == 2 or view.options.partners:
            return True
        enough = 2.2 if view.options.tricks_to_win == 3 else 1.4
        return view.won[view.seat] + sum(worth(card, view) for card in view.hand) >= enough - self.bold / 10


# The cards.


@cache
def trumps_of(suit: str, ranking: str) -> list[str]:
    """The trumps from high to low."""
    if ranking == "ordinary":
        return [rank + suit for rank in ORDINARY]
    rest = [rank + suit for rank in (BLACK if suit in "sc" else RED) if rank + suit != "Ah"]
    return ["5" + suit, "J" + suit, "Ah", *rest]


def is_trump(card: Card, view: SpoilFive.View) -> bool:
    return card.suit == view.trumps or card == "Ah" and view.options.ranking == "spoil-five"


@cache
def heights(suit: str, ranking: str) -> dict[str, int]:
    """How high each card stands: any trump above any plain card."""
    ranks = dict.fromkeys(PLAIN, ORDINARY) if ranking == "ordinary" else PLAIN
    plain = {str(card): 50 - ranks[card.suit].index(card[0]) for card in PACK if card[0] in ranks[card.suit]}
    return {**plain, **{card: 100 - place for place, card in enumerate(trumps_of(suit, ranking))}}


def height(card: Card, view: SpoilFive.View) -> int:
    return heights(view.trumps, view.options.ranking)[card]


def worth(card: Card, view: SpoilFive.View) -> float:
    """The tricks that a card should make."""
    ordinary = view.options.ranking == "ordinary"
    if is_trump(card, view):
        return 1 if card == "Ah" and not ordinary else (ORDINARY_WORTH if ordinary else WORTH).get(card[0], 0.3)
    return {50: 0.4, 49: 0.15}.get(height(card, view), 0)


def keeping_order(card: Card, view: SpoilFive.View) -> tuple[bool, float, bool, int]:
    """Return the order of cards to put out: first a low plain card, of a suit held once; last a trump."""
    single = sum(other.suit == card.suit for other in view.hand) == 1
    return is_trump(card, view), worth(card, view), not single, height(card, view)


def higher_out(card: Card, view: SpoilFive.View) -> bool:
    """Whether a higher trump may be in another's hand."""
    gone = {*view.hand, *view.put_out, *view.turned, *view.trick}.union(*(trick for _, trick in view.tricks))
    if view.robber is None:
        gone.add(view.turn_up)
    trumps = trumps_of(view.trumps, view.options.ranking)
    return any(higher not in gone for higher in trumps[: trumps.index(card)])


# The table.


def wants(seat: int, view: SpoilFive.View) -> int:
    """How many tricks a seat or its side still wants for the pool; many if it cannot win."""
    if view.jinker is not None:
        return 1 if seat == view.jinker else 9
    if seat == view.debarred:
        return 9
    if view.options.game != "pool":
        return -(-(int(view.options.game) - view.scores[seat]) // 5)
    side = [seat]
    if view.options.partners:
        side = [one for one in range(view.players) if (one - seat) % 2 == 0 and one != view.debarred]
    tricks: int = view.options.tricks_to_win
    return tricks - sum(view.won[one] for one in side)


def lead(view: SpoilFive.View, cards: Sequence[Card], plays_to_win: bool) -> Card:
    """To win: a trump that nothing beats, a plain king, a low plain card.  To spoil: low, or high trumps at a threat."""
    trumps = [card for card in cards if is_trump(card, view)]
    plain = [card for card in cards if not is_trump(card, view)]
    best = max(trumps, key=lambda card: height(card, view), default=None)
    if best and (plays_to_win or threats(view)) and not higher_out(best, view):
        return best
    if plain and plays_to_win:
        return max(plain, key=lambda card: height(card, view))
    return min(plain or trumps, key=lambda card: height(card, view))


def threats(view: SpoilFive.View) -> list[int]:
    """The opponents who want but one trick."""
    own = {view.seat, *view.partners}
    return [seat for seat in range(view.players) if seat not in own and wants(seat, view) == 1]


def follow(view: SpoilFive.View, cards: Sequence[Card], plays_to_win: bool) -> Card:
    """To win: beat the trick, but keep the first three trumps from a trump led. To spoil: play trumps only at a threat."""
    best = highest(view)
    holder = ((view.leader or 0) + view.trick.index(best)) % view.players
    after = [(view.seat + n) % view.players for n in range(1, view.players - len(view.trick))]
    beating = [card for card in cards if beats(card, best, view)]
    lowest = min(cards, key=lambda card: keeping_order(card, view))
    threat = threats(view)
    in_danger = any(seat in threat for seat in after)
    if not beating or holder in view.partners and not in_danger:
        return lowest
    decides = wants(view.seat, view) == 1
    strongest = max(beating, key=lambda card: height(card, view))
    cheapest = min(beating, key=lambda card: height(card, view))
    if in_danger or decides:
        return strongest if after else cheapest
    if holder in threat:
        return cheapest
    if not plays_to_win:
        plain = [card for card in beating if not is_trump(card, view)]
        return max(plain, key=lambda card: height(card, view), default=lowest)
    if is_trump(view.trick[0], view) and view.options.ranking == "spoil-five":
        beating = [card for card in beating if height(card, view) < 98]
    return min(beating, key=lambda card: height(card, view), default=lowest)


def highest(view: SpoilFive.View) -> Card:
    """The card that has the trick so far."""
    best = view.trick[0]
    for card in view.trick:
        if beats(card, best, view):
            best = card
    return best


def beats(card: Card, best: Card, view: SpoilFive.View) -> bool:
    return (card.suit == best.suit or is_trump(card, view)) and height(card, view) > height(best, view)
