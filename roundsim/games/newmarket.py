"""Newmarket: stops, with stakes on four cards laid out (Baxter-Wray, "Round Games with Cards", 1891, p. 89)."""

from __future__ import annotations

from itertools import permutations, product

from ..actions import Action, say
from ..cards import CARD, PACK, SUITS, Card
from ..mechanics.stops import Stops
from ..options import OneOf, Option, Rules, between
from ..table import Ask, Carry, State, Story

FORERUNNER = {"A": "K", "K": "Q", "Q": "J", "J": "T"}  # wins what lies on the card above it
SEVENS = {CARD["7" + suit] for suit in SUITS}


class Layout(OneOf):
    """The four cards in any order, as 'As Kc Qh Jd'."""

    def __init__(self) -> None:
        orders = product(permutations("AKQJ"), permutations(SUITS))
        super().__init__(*[" ".join(map("".join, zip(ranks, suits, strict=True))) for ranks, suits in orders])

    def __str__(self) -> str:
        return "an ace, a king, a queen and a knave, one of each suit"


class Newmarket(Stops):
    """Stakes lie on an ace, a king, a queen and a knave; who plays the card below one of them takes what is on it."""

    id = "newmarket"
    title = "Newmarket"
    seats = (3, 10)
    usual = (4, 8)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, p. 89'
    course = """Four cards, one of each suit, lie on the table; the sevens are put away. In turn each places a counter on
one of the four, the dealer two, and all must be covered. The rest of the pack is dealt. The eldest hand leads any card,
and whoever holds the next higher of the suit must play it, and so on to a stop: a king, a six, or a card whose next
lies on the table or has been played. Its player leads again. Whoever plays a ten, knave, queen or king takes what lies
on the knave, queen, king or ace of its suit. The first to be out of cards wins a counter for every card left in the
other hands. What nobody takes stays."""

    options = (
        Option("layout", "As Kc Qh Jd", Layout(), "the cards on the table", "Baxter-Wray p. 89"),
        Option("stake", 1, between(1, 100), "counters placed at a time", "Baxter-Wray p. 89"),
        Option(
            "later", "all", OneOf("all", "dealer"), "who places after the first deal; dealer: once", "Baxter-Wray p. 89"
        ),
        Option("card_price", 1, between(1, 100), "counters for a card left in hand", "Baxter-Wray p. 89"),
    )

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        """The cards on the table, the pack without them, and which card takes the stakes of which."""
        rules.laid_out = tuple([CARD[word] for word in rules.layout.split()])
        rules.pack = tuple([card for card in PACK if card not in rules.laid_out and card not in SEVENS])
        rules.taken_by = {CARD[FORERUNNER[card[0]] + card.suit]: card for card in rules.laid_out}

    pool_names = ("As", "Kc", "Qh", "Jd")
    carried = {"first": Carry(True, "whether no deal has been played yet")}
    phases = {
        "place": "before the cards, the dealer twice: `place As`, the stake on one of the four",
        "lead": "`play As`: any card; the holder of the next higher of the suit then plays it, which is forced",
    }
    public = Stops.public

    first: bool

    @classmethod
    def begin(cls, rules: Rules, dealer: int | None = None) -> State:
        state = super().begin(rules, dealer)
        state.pools = dict.fromkeys(rules.laid_out, 0)
        return state

    def deal(self) -> Story:
        self.clear_the_table()
        yield from self.placing()
        self.deal_out(self.rules.pack)
        yield from self.playing()
        self.pay_for_the_cards_left()

    def placing(self) -> Story:
        """Each in turn and the dealer twice, or later the dealer once; what is bare must be covered in time."""
        seats = [*self.round_from(self.eldest), self.dealer]
        if not self.first and self.rules.later == "dealer":
            seats = [self.dealer]
        self.first = False
        for to_come, seat in zip(range(len(seats), 0, -1), seats, strict=True):
            bare = [card for card in self.pools if not self.pools[card]]
            legal = bare if len(bare) >= to_come else self.pools
            placed = yield Ask(seat, "place", tuple([say("place", card) for card in legal]))
            self.into_pool(seat, self.rules.stake, placed.card)

    def play_card(self, seat: int, card: Card) -> None:
        """The forerunner of a card on the table takes what lies there, whether it is led or follows."""
        super().play_card(seat, card)
        if card in self.rules.taken_by:
            self.take_pool(seat, self.rules.taken_by[card])

    def why_refused(self, ask: Ask, said: Action) -> str:
        if ask.phase == "place" and said.verb == "place":
            return f"{said.card} is not bare" if said.card in self.pools else "only on " + " ".join(self.pools)
        return super().why_refused(ask, said)
