"""Commerce by thresholds of our own: of the books' advice there is but this, that the deal is an advantage."""

from collections.abc import Sequence

from roundsim.games.commerce import Commerce
from roundsim.strategy import SUITS, Action, Card, draws, of_suit, pips, say

TRIPLET, SEQUENCE, FLUSH, PAIR, POINT, NOTHING = 5, 4, 3, 2, 1, 0
TEN, QUEEN, KING, ACE = 10, 12, 13, 14
HORSES = {"third": 3, "half": 2}


class Book:
    """Ours: the only advice of Baxter-Wray and Foster is that the deal is an advantage.

    Modern: it stands in the first turn with a pair of tens (up to four players), of aces (up to seven) or a flush, and
    after a trade with a flush; it answers by standing with a pair of queens. Otherwise it gives the card that is no part
    of its best start: a pair, suited neighbours, two of a suit, high cards. It buys as dealer, or with a pair or two of
    a suit, and otherwise barters; extended, it stands after two turns, because to buy on costs more than the pool.

    Old and pool: it takes a card that betters the hand; if none does, it stands with a pair of kings, on the last life
    with any pair, or passes.

    Foster's games: it builds its best suit; it knocks with a point of 27 (29 from five players on), a flush that ranks
    above it, a sequence or a triplet; as dealer it takes a widow with 21. It buys a horse if three times its price is in
    the pool."""

    name = "book"
    games = ["commerce"]

    def trade(self, view: Commerce.View) -> str:
        if view.options.variant in ("old", "pool"):
            return exchange(view)
        if stands(view):
            return view.legal[0]
        start, out = odd_card(view)
        buys = view.seat == view.dealer or start[0] > 0
        wanted = [f"buy {out}", f"barter {out}"] if buys else [f"barter {out}", f"buy {out}"]
        return say(view, *wanted)

    def answer(self, view: Commerce.View) -> str:
        foster = view.options.variant == "foster"
        content = knocks(view) if foster else value(view, view.hand) >= (PAIR, QUEEN)
        return view.legal[0] if content else f"give {odd_card(view)[1]}"

    def declare(self, view: Commerce.View) -> str:
        return "stand" if value(view, view.hand)[0] >= FLUSH else "pass"

    def dealer(self, view: Commerce.View) -> str:
        return "yes" if value(view, view.table)[0] >= SEQUENCE or best_suit(view.table, 1)[0] >= 21 else "no"

    def draw(self, view: Commerce.View) -> str:
        return "knock" if knocks(view) else possible(view)[1]

    def horse(self, view: Commerce.View) -> str:
        price = view.options.entry // HORSES[view.options.horse]
        return "yes" if view.pools["pool"] >= 3 * price else "no"


def stands(view: Commerce.View) -> bool:
    """In the modern game pairs are stood on in the first turn only; extended, anything after two."""
    if view.options.variant == "foster":
        return knocks(view)
    seats = len(view.order)
    if view.options.extended and view.turns >= 2 * seats:
        return True
    first = view.turns < seats
    least = (PAIR, TEN) if first and seats <= 4 else (PAIR, ACE) if first and seats <= 7 else (FLUSH,)
    return value(view, view.hand) >= least


def knocks(view: Commerce.View) -> bool:
    """The same point wins less often the more there are."""
    now = value(view, view.hand)
    return now[0] >= FLUSH or now[0] == POINT and now[1] >= (27 if len(view.order) <= 4 else 29)


def exchange(view: Commerce.View) -> str:
    """With three cards on the table, old and pool."""
    now, (best, action) = value(view, view.hand), possible(view)
    if best > now:
        return action
    last_life = view.lives and view.lives[view.seat] == 1
    return "stand" if now >= ((PAIR,) if last_life else (PAIR, KING)) and "stand" in view.legal else "pass"


def possible(view: Commerce.View) -> tuple[tuple[float, ...], Action]:
    """The best hand that a draw gives, and the draw; of equal ones that which lays down the lowest card."""
    best, _, action = max((value(view, hand), -laid.rank, action) for action, hand, laid in draws(view))
    return best, action


def odd_card(view: Commerce.View) -> tuple[tuple[float, ...], Card]:
    """How good the best start of two cards is, and the card that is no part of it."""
    return max((worth(view, [card for card in view.hand if card != out]), out) for out in view.hand)


def worth(view: Commerce.View, two: Sequence[Card]) -> tuple[float, ...]:
    """Rank two cards: a pair, suited neighbours, two of a suit, others; with Foster only the suit counts."""
    high, low = sorted((card.rank for card in two), reverse=True)
    suited = two[0].suit == two[1].suit
    if view.options.variant == "foster":
        return suited, sum(map(pips, two))
    neighbours = suited and (high - low == 1 or (high, low) == (ACE, 2))
    return 3 if high == low else 2 if neighbours else 1 if suited else 0, high, low


def value(view: Commerce.View, hand: Sequence[Card]) -> tuple[float, ...]:
    """The class of three cards at this table, and what it is compared by; the greater is the better hand."""
    options = view.options
    foster = options.variant in ("foster", "foster-widow")
    ranks = sorted((card.rank for card in hand), reverse=True)
    if ranks[0] == ranks[2]:
        return TRIPLET, ranks[0]
    one_suit = hand[0].suit == hand[1].suit == hand[2].suit
    if one_suit and (ranks[0] - ranks[2] == 2 or ranks == [ACE, 3, 2]):
        return SEQUENCE, 3 if ranks == [ACE, 3, 2] else ranks[0]
    if one_suit and (options.extra if foster else options.combos != "no-flush-pair"):
        return FLUSH, sum(map(pips, hand)), *ranks
    if ranks[1] in (ranks[0], ranks[2]) and (options.extra if foster else options.combos == "full"):
        return PAIR, ranks[1], sum(ranks) - 2 * ranks[1]
    if not foster:
        return POINT, sum(map(pips, hand)), *ranks
    total, cards = best_suit(hand, 2)
    return (POINT, total, cards) if cards else (NOTHING,)


def best_suit(hand: Sequence[Card], least: int) -> tuple[int, int]:
    """The greatest sum of pips that so many cards of one suit make, and how many they are."""
    suits = [list(map(pips, of_suit(hand, suit))) for suit in SUITS]
    return max([(sum(counts), len(counts)) for counts in suits if len(counts) >= least], default=(0, 0))
