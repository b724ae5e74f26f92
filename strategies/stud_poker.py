"""Stud poker by the book."""

from collections.abc import Sequence

from roundsim.games.stud_poker import StudPoker
from roundsim.strategy import Card, by_rank, groups, has_raised, pool, say, to_call, unseen

NOTHING, PAIR, TWO_PAIRS, THREES, STRAIGHT, FLUSH, FULL, FOURS = range(8)
SHAPES = {(1,): NOTHING, (2,): PAIR, (2, 2): TWO_PAIRS, (3,): THREES, (3, 2): FULL, (4,): FOURS}
TEN, KING, ACE = 10, 13, 14

Value = tuple[int, list[float]]  # of some cards: their class, then their ranks, groups first
Up = Sequence[Sequence[Card]]  # by seat, the cards that lie face up


def value(cards: Sequence[Card], ace: str = "high-low") -> Value:
    """Return the value of some cards so far: their class, then their ranks, groups first."""
    sizes, ranks = map(list, zip(*groups(cards), strict=True))
    kind = SHAPES[tuple([size for size in sizes if size > 1]) or (1,)]
    if len(ranks) == 5:
        low = ranks == [ACE, 5, 4, 3, 2]
        if len({card.suit for card in cards}) == 1:
            kind = FLUSH
        elif low or ranks[0] - ranks[4] == 4 and (ranks[0] < ACE or ace == "high-low"):
            return STRAIGHT, ranks[1:] if low else ranks
    return kind, ranks


class Book:
    """Foster's general advice, raise or lay down, put into rules for stud, which are ours.

    One card at a time: on two cards go on with a pair, with two cards of ten or better, or with an ace or king face
    down above all that is in sight.  Later lay down what a hand showing beats, unless four of a flush cost no more than
    a quarter of the pool with a card to come.  When first bet a tenth of the limit on nothing, half of it on a pair
    above all that is showing, the limit on two pairs or better; raise once with those.  In the last round raise if no
    down card can beat the hand.

    All cards at once: as at straight poker, folding what a hand showing beats already.

    Ours: the pool is counted without the bet to call.

    `wary`: call in the last round only with what beats the bettor even if he has paired his
    highest card.  That loses to random, who bets on anything."""

    name = "book"
    games = ["stud-poker"]

    def __init__(self, wary: bool = False) -> None:
        self.wary = wary

    def bet(self, view: StudPoker.View) -> str:
        me, up = value(view.hand, view.options.ace), view.up
        best = max(value(up[seat]) for seat in view.still_in if seat != view.seat)
        if view.options.form == "five":
            return self.five(view, me, best)
        if view.better is None:
            return self.first(view, me, best)
        if len(view.hand) == 2:
            return self.good_or_fold(view, me, goes_on(view.hand, up))
        if len(view.hand) == 5:
            return self.last_round(view, me, best, up)
        four_flush = len(view.hand) == 4 and len({card.suit for card in view.hand}) == 1
        return self.good_or_fold(view, me, best <= me or four_flush and 4 * to_call(view) <= before_us(view))

    def first(self, view: StudPoker.View, me: Value, best: Value) -> str:
        """Nobody has bet in this round."""
        limit, kind = view.options.limit, me[0]
        if len(view.hand) > 2 and best > me:
            return "check" if "check" in view.legal else "fold"
        if kind >= TWO_PAIRS:
            return say(view, ("bet", limit))
        return say(view, ("bet", limit // 2 if kind == PAIR and me > best else limit // 10))

    def good_or_fold(self, view: StudPoker.View, me: Value, good: bool) -> str:
        if not good:
            return view.legal[0]
        if me[0] >= TWO_PAIRS and not has_raised(view):
            return say(view, ("raise", view.options.limit), "call")
        return "call"

    def last_round(self, view: StudPoker.View, me: Value, best: Value, up: Up) -> str:
        """Wary: the bettor has paired his highest card, for all that one knows."""
        showing, ace = up[view.better or 0], view.options.ace
        if best > me or self.wary and value([*showing, max(showing, key=by_rank)]) >= me:
            return view.legal[0]
        down, others = unseen(view), [seat for seat in view.still_in if seat != view.seat]
        if any(value([*up[seat], card], ace) > me for seat in others for card in down):
            return self.good_or_fold(view, me, True)
        return say(view, ("raise", view.options.limit), "call")

    def five(self, view: StudPoker.View, me: Value, best: Value) -> str:
        """As at straight poker."""
        kind, ranks = me
        limit, at, players = view.options.limit, view.dealt_in.index(view.seat), len(view.dealt_in)
        if view.better is None:
            if best <= me and me >= (PAIR, [ACE if at < 2 else TEN]):
                return say(view, ("bet", limit if kind >= THREES else limit // 2 if kind == TWO_PAIRS else limit // 10))
            if at >= players - 3 and view.chance.below(8) == 0:
                return say(view, ("bet", view.pools["pool"]))
            return "pass"
        if best > me:
            return view.legal[0]
        if me >= ((TWO_PAIRS, [ACE]) if players <= 5 else (THREES, [])) and not has_raised(view):
            return say(view, ("raise", limit), "call")
        if kind >= TWO_PAIRS or me >= (PAIR, [KING]) and to_call(view) <= before_us(view):
            return "call"
        return view.legal[0]


def goes_on(hand: Sequence[Card], up: Up) -> bool:
    """A pair, both cards ten or better, or an ace or king face down above every card in sight."""
    down, mine = [card.rank for card in hand]
    highest = max(card.rank for cards in up for card in cards)
    return down == mine or min(down, mine) >= TEN or down >= KING and down > highest


def before_us(view: StudPoker.View) -> int:
    """Return the pool without the bet to call."""
    return pool(view) - to_call(view)
