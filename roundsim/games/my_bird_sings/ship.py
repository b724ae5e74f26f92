"""My Ship Sails (Foster, "The Poker Family", section Commerce)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from roundsim.game import PASS, Ask, Card, Story, actions_for, best_suit, say

from .game import BARTER, GIVE, MyBirdSings

if TYPE_CHECKING:
    from . import MyBirdSingsRules

SAIL = (say("sail"),)


class MyShipSails(MyBirdSings):
    """Three cards each, bartered with the next in two rounds, until somebody holds three of one suit."""

    what_wins = """The highest flush wins, three cards of one suit, or else the highest two cards of one suit: an ace counts
11, a king, queen, jack or ten 10, other cards their number (Foster, section Commerce)."""
    course = "pay_in deal_cards bartering look_for_a_sail show best_takes_the_pool"

    def deal(self) -> Story:
        self.pay_in()
        self.deal_cards(3)
        yield from self.bartering()
        self.show()
        self.best_takes_the_pool()

    def pay_in(self) -> None:
        """Each player pays {stake counter} into the pool (Foster, section Commerce)."""
        self.all_pay(self.rules.stake, "each pays in")

    def bartering(self) -> Story:
        """From the eldest hand, the player on the dealer's left, each player in turn may offer a card face down to the next
        on the left, who must give one for it without seeing it. This goes on for {ship_rounds round} (Foster, section
        Commerce)."""
        yield from self.look_for_a_sail()
        while not self.sang and self.round <= self.rules.ship_rounds:
            seat, other = self.turn, self.next_to(self.turn)
            offered = (yield Ask(seat, "trade", actions_for(self.hands[seat], (PASS,), BARTER))).card
            if offered:
                given = (yield Ask(other, "answer", actions_for(self.hands[other], (), GIVE))).card
                self.hand_over(offered, seat, other)
                self.hand_over(given, other, seat)
                yield from self.look_for_a_sail()
            self.turns += 1

    def look_for_a_sail(self) -> Story:
        """As soon as a player has a flush, dealt or after an exchange, they sail, and no more cards are exchanged (Foster,
        section Commerce); of several, the first from the dealer's left sails (ours)."""
        for seat in self.order:
            if len({card.suit for card in self.hands[seat]}) == 1:
                yield Ask(seat, "sail", SAIL)
                self.sang = (seat,)
                return

    def best_takes_the_pool(self) -> None:
        """The best hand takes the pool, of equal ones the first from the dealer's left (Foster, section Commerce)."""
        first, *others = self.best()
        self.take_pool(first, why="the first of equal hands" if others else "the best hand")

    @classmethod
    def bound(cls, rules: MyBirdSingsRules) -> int:
        """The stakes of the others, which one hand always takes (Foster, section Commerce)."""
        return (rules.players - 1) * rules.stake

    def value(self, hand: Sequence[Card]) -> tuple[float, ...]:
        """A flush, by its pips; or else the pips of two cards of one suit (Foster, section Commerce)."""
        total, cards = best_suit(hand, 2)
        return cards == 3, total

    def named(self, seat: int) -> str:
        flush, total = self.value_of[seat]
        return f"{'a flush' if flush else 'two of one suit'}, {total} pips" if total else "no two of one suit"
