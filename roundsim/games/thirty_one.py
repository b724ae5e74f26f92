"""Thirty-One, or Schnautz: three cards on the table, and a count of one suit (Foster, "The Poker Family")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..mechanics.exchange import Exchange, ExchangeRules, best_suit
from ..table.actions import PASS, Action
from ..table.cards import Card
from ..table.deal import Story
from ..table.options import option
from ..table.view import public

THIRTY_ONE, TRIPLET, TOTAL = 2, 1, 0


class ThirtyOne(Exchange):
    """Three cards each and three on the table: who knocks ends it, and the best hand takes the pool."""

    id = "thirty-one"
    title = "Thirty-One"
    family = "commerce"
    seats = (2, 16)
    usual = (4, 6)
    source = 'Foster, "The Poker Family", section Thirty-One'
    course = """Each pays one counter into the pool. Three cards each, and three face up on the table. Each in turn
exchanges a card for one of the table's, passes or knocks; after a knock every other player has one more turn. Then the
hands are shown and the best takes the pool: thirty-one in one suit (the ace counts eleven, king, queen, knave and ten
ten each), then three of a kind, then the greatest count in one suit; of equal counts that of more cards."""
    rules: ThirtyOneRules

    def deal(self) -> Story:
        self.pay_in()
        self.table = self.deal_hands(3, for_the_table=True)
        first = yield from self.drawing(self.eldest)
        yield from self.last_draws(first)
        self.show()
        self.settle()

    def pay_in(self) -> None:
        """Each pays a counter into the pool (section Thirty-One)."""
        self.all_pay(self.rules.ante, "the ante")

    def may_draw_or_knock(self, seat: int) -> tuple[Action, ...]:
        """One can exchange a card, and so may also pass (section Thirty-One)."""
        return (PASS, *super().may_draw_or_knock(seat))

    def value(self, hand: Sequence[Card]) -> tuple[float, ...]:
        """Thirty-one in a suit; three of a kind; the greatest count of a suit (section Thirty-One)."""
        total, cards = best_suit(hand)
        if total == 31:
            return (THIRTY_ONE,)
        if self.rules.triplets and len({card.rank for card in hand}) == 1:
            return TRIPLET, hand[0].rank
        return TOTAL, total, cards

    def named(self, seat: int) -> str:
        kind, *count = self.value_of[seat]
        return {THIRTY_ONE: "thirty-one", TRIPLET: "three of a kind"}.get(int(kind)) or f"{count[0]} in one suit"

    def settle(self) -> None:
        """The best hand takes the pool (section Thirty-One; ties ours)."""
        best = self.best()
        if len(best) > 1 and self.rules.ties == "split":
            self.divide_pool(best, "equal hands divide the pool")
        else:
            self.take_pool(best[0], why="the best hand takes the pool")

    phases = {
        "draw": "`pass`, `knock`, or `draw As 2c`, the ace for the deuce; after a knock `stand` or `draw`",
    }

    class View(Exchange.View):
        """What lies open at Thirty-One."""

        turns: int = public("turns taken; after `max_rounds` rounds without a knock the next seat must knock")


class ThirtyOneRules(ExchangeRules, of=ThirtyOne):
    """The options of Thirty-One."""

    ante: int = option(1, "what each pays into the pool", "section Thirty-One", high=100)
    ties: Literal["split", "elder"] = option("split", "equal hands divide, or that nearest to eldest takes all", "ours")
    triplets: bool = option(True, "whether three of a kind rank above a count; if not, they are but a count", "ours")
