"""Newmarket: stops, with stakes on four cards laid out (Baxter-Wray, "Round Games with Cards", 1891, p. 89)."""

from __future__ import annotations

from functools import cached_property
from itertools import permutations, product
from typing import Literal

from ..mechanics.stops import Stops, StopsRules
from ..table.actions import Action, say
from ..table.cards import CARD, SUITS, Card, pack_of
from ..table.deal import Ask, Story, carried
from ..table.options import OneOf, option
from ..words import so_many

PACK_48 = pack_of("2345689TJQKA")
FORERUNNER = {"A": "K", "K": "Q", "Q": "J", "J": "T"}  # wins what lies on the card above it


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
    pool_names = ("As", "Kc", "Qh", "Jd")
    shows = ("pools",)  # named after the cards on the table
    rules: NewmarketRules

    def deal(self) -> Story:
        self.clear_the_table()
        yield from self.placing()
        self.deal_out(self.rules.whole_pack)
        yield from self.playing()
        self.pay_for_the_cards_left()

    def placing(self) -> Story:
        """Each in turn and the dealer twice, or later he alone; what is bare must be covered in time (p. 89)."""
        seats = [*self.round_from(self.eldest), self.dealer]
        if not self.first and self.rules.later == "dealer":
            seats = [self.dealer]
        self.first = False
        for to_come, seat in zip(range(len(seats), 0, -1), seats, strict=True):
            bare = [card for card in self.pools if not self.pools[card]]
            legal = bare if len(bare) >= to_come else self.pools
            placed = yield Ask(seat, "place", tuple([say("place", card) for card in legal]))
            self.into_pool(seat, self.rules.stake, placed.card, "placed on a card")

    def play_card(self, seat: int, card: Card) -> None:
        """Whether it is led or follows (ours), the forerunner of a card on the table takes what lies there (p. 89)."""
        super().play_card(seat, card)
        if card in self.rules.taken_by:
            self.take_pool(seat, self.rules.taken_by[card], "won by the forerunner")

    def where_it_is(self, card: Card) -> str:
        return "lies on the table" if card in self.pools else super().where_it_is(card)

    def says(self, ask: Ask, said: Action) -> str:
        if ask.phase == "place":
            return f"places {so_many(self.rules.stake, 'counter')} on {said.card}"
        return super().says(ask, said)

    def why_refused(self, ask: Ask, said: Action) -> str:
        if ask.phase == "place" and said.verb == "place":
            return f"{said.card} is not bare" if said.card in self.pools else "only on " + " ".join(self.pools)
        return super().why_refused(ask, said)

    first: bool = carried(True, "whether no deal has been played yet")

    played_with = PACK_48
    phases = {
        "place": "before the cards, the dealer twice: `place As`, the stake on one of the four",
        "lead": "`play As`: any card; the holder of the next higher of the suit then plays it, which is forced",
    }


class Layout(OneOf):
    """The four cards in any order, as 'As Kc Qh Jd'."""

    def __init__(self) -> None:
        orders = product(permutations("AKQJ"), permutations(SUITS))
        super().__init__(*[" ".join(map("".join, zip(ranks, suits, strict=True))) for ranks, suits in orders])

    def __str__(self) -> str:
        return "an ace, a king, a queen and a knave, one of each suit"


class NewmarketRules(StopsRules, of=Newmarket):
    """The options of Newmarket, the cards on the table and those that are dealt."""

    layout: str = option("As Kc Qh Jd", "the cards on the table", "p. 89", values=Layout())
    stake: int = option(1, "counters placed at a time", "p. 89", high=100)
    later: Literal["all", "dealer"] = option("all", "who places after the first deal; dealer: once", "p. 89")
    card_price: int = option(1, "counters for a card left in hand", "p. 89", high=100)

    @property
    def pool_names(self) -> tuple[Card, ...]:
        """The four cards on the table (p. 89)."""
        return tuple([CARD[word] for word in self.layout.split()])

    @cached_property
    def whole_pack(self) -> tuple[Card, ...]:
        """Without the sevens and the four cards on the table (p. 89)."""
        return tuple([card for card in PACK_48 if card not in self.pool_names])

    @cached_property
    def taken_by(self) -> dict[Card, Card]:
        """Which card takes the stakes of which: the one below it, the ace above the king (p. 89)."""
        return {CARD[FORERUNNER[card[0]] + card.suit]: card for card in self.pool_names}
