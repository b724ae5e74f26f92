"""Thirty-One, or Schnautz: three cards on the table, and a count of one suit (Foster, "The Poker Family")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from roundsim.game import PASS, Action, Card, Exchange, ExchangeRules, Story, best_suit, option, public

THIRTY_ONE, TRIPLET, TOTAL = 2, 1, 0


class ThirtyOne(Exchange):
    """Exchange cards with those on the table, and have the best hand of three when somebody knocks."""

    id = "thirty-one"
    title = "Thirty-One"
    family = "commerce"
    seats = (2, 16)
    usual = (4, 6)
    source = 'Foster, "The Poker Family", section Thirty-One'
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

    @classmethod
    def bound(cls, rules: ThirtyOneRules) -> int:
        """The best hand takes the antes of the others (section Thirty-One), and odd counters left before (ours)."""
        return cls.most_divided(rules.players, rules.ante)

    what_wins = """Thirty-one wins, an ace and two cards that count ten, all of one suit. Next come three cards of one
rank, aces best. Next comes the highest count of one suit, and of equal counts the one of more cards
(section Thirty-One).

An ace counts 11, a king, queen, jack or ten 10, other cards their number (section Thirty-One)."""
    course = """Each player pays one counter into the pool (section Thirty-One).

Each player gets three cards. Three more lie face up on the table (section Thirty-One).

From the eldest hand, the player on the dealer's left, each player in turn takes one card of the table and lays one of
theirs in its place, or passes, or knocks (section Thirty-One).

After a knock each other player has one more turn, to exchange a card or stand (section Thirty-One).

All hands are shown, and the best takes the pool (section Thirty-One). Equal hands divide it (ours)."""

    phases = {
        "draw": "`pass`, `knock`, or `draw As 2c`, the ace for your two; after a knock `stand` or `draw`",
    }

    class View(Exchange.View):
        """The names that everybody sees at Thirty-One."""

        turns: int = public(
            "how many turns were taken; after `max_rounds` rounds without a knock the next seat must knock"
        )


class ThirtyOneRules(ExchangeRules, of=ThirtyOne):
    """The options of Thirty-One."""

    ante: int = option(1, "what each player pays into the pool", "section Thirty-One", high=100)
    ties: Literal["split", "elder"] = option(
        "split", "whether equal hands divide the pool, or the one nearest to the dealer's left takes all", "ours"
    )
    triplets: bool = option(True, "whether three of a kind rank above a count", "ours")
