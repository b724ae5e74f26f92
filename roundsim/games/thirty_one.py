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
        self.deal_cards()
        first = yield from self.drawing(self.eldest)
        yield from self.last_draws(first)
        self.show()
        self.settle()

    def pay_in(self) -> None:
        """Each player pays {ante counter} into the pool (section Thirty-One)."""
        self.all_pay(self.rules.ante, "the ante")

    def deal_cards(self) -> None:
        """Each player gets three cards, one at a time. Three more lie face up on the table. The eldest hand, the player on
        the dealer's left, begins (section Thirty-One)."""
        self.table = self.deal_hands(3, for_the_table=True)

    def may_draw_or_knock(self, seat: int) -> tuple[Action, ...]:
        """Before a knock players may also pass (section Thirty-One)."""
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
        """The best hand takes the pool (section Thirty-One).

        With ties = split: Equal hands divide it, and odd counters stay for the next deal (ours).

        With ties = elder: If hands are equal, the one nearest to the dealer's left takes it (ours)."""
        best = self.best()
        if len(best) > 1 and self.rules.ties == "split":
            self.divide_pool(best, "equal hands divide the pool")
        else:
            self.take_pool(best[0], why="the best hand takes the pool")

    @classmethod
    def bound(cls, rules: ThirtyOneRules) -> int:
        """The best hand takes the antes of the others (section Thirty-One), and odd counters left before (ours)."""
        return cls.most_divided(rules.players, rules.ante)

    what_wins = """Thirty-one wins, an ace and two cards that count ten, all of one suit (section Thirty-One).

With triplets: Next come three cards of one rank, aces best (section Thirty-One).

Next comes the highest count of one suit, and of equal counts the one of more cards (section Thirty-One).

An ace counts 11, a king, queen, jack or ten 10, other cards their number (section Thirty-One)."""
    course = "pay_in deal_cards drawing change may_draw_or_knock last_draws show settle"

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
