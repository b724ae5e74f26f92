"""Trading with the dealer for ready money, and with the left neighbour by barter: modern commerce, and Foster's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from roundsim.game import PACK, PASS, Action, Ask, Card, Story, actions_for, say

from .game import Commerce

if TYPE_CHECKING:
    from . import CommerceRules

BUY, BARTER, GIVE = [{card: say(verb, card) for card in PACK} for verb in ("buy", "barter", "give")]


class Trading(Commerce):
    """Each in turn trades with the dealer or with his left neighbour, until one is content with his hand."""

    with_table = False
    bottom: Sequence[Card] = ()  # the cards that have gone to the bottom of the pack
    stop: ClassVar[Action]
    may_declare: ClassVar[bool]  # whether one who has traded may then stand

    def turn(self, seat: int) -> Story:
        """From the eldest hand, the player on the dealer's left, each player in turn must buy a card, barter one, or keep
        their hand (Baxter-Wray pp. 72-73; Foster, section Commerce).

        With extended: A player whose offer is refused has another turn (ours)."""
        while self.trading:
            action = yield Ask(seat, "trade", self.may_trade(seat))
            if action is self.stop:
                self.stand(seat)
                return
            if action.verb == "buy":
                self.buy(seat, action.card)
                break
            other = self.trading[1]
            given = yield Ask(other, "answer", actions_for(self.hands[other], (self.stop,), GIVE))
            if given is not self.stop:
                self.barter(seat, action.card, other, given.card)
                break
            self.stand(other)
        else:
            return
        if self.may_declare and (yield Ask(seat, "declare", (PASS, self.stop))) is self.stop:
            self.stand(seat)

    def may_trade(self, seat: int) -> tuple[Action, ...]:
        """A player trades one card a turn (Baxter-Wray p. 73). After {max_rounds round} nobody may trade (ours)."""
        if self.last_round_is_over():
            return (self.stop,)
        may_buy, may_barter = self.bottom or self.stock, len(self.trading) > 1
        if may_buy and may_barter:
            return actions_for(self.hands[seat], (self.stop,), BUY, BARTER)
        return actions_for(self.hands[seat], (self.stop,), *[BUY] * bool(may_buy), *[BARTER] * may_barter)

    def buy(self, seat: int, card: Card) -> None:
        """To buy, players put a card away, pay the dealer {stake counter}, and get the top card of the pack. The dealer
        pays nothing. When the pack is out nobody buys (Baxter-Wray p. 73; Foster, section Commerce)."""
        self.pay(seat, self.dealer, self.rules.stake, "a card is bought")
        hand = self.hands[seat]
        if len(self.pack):
            (hand[hand.index(card)],) = self.pack.draw(1)
        else:
            hand[hand.index(card)], *self.bottom = self.bottom

    def barter(self, seat: int, card: Card, other: int, given: Card) -> None:
        """To barter, players offer a card face down to the next player on the left, who gives one for it without seeing
        it, or refuses (Baxter-Wray p. 73; Foster, section Commerce)."""
        hand, others = self.hands[seat], self.hands[other]
        hand[hand.index(card)], others[others.index(given)] = given, card

    def stand(self, seat: int) -> None:
        """With variant = modern: To keep their hand, players stand on their turn, after a trade, or to refuse a barter
        (Baxter-Wray p. 73).

        With variant = foster: To keep their hand, players knock on their turn, or to refuse a barter (Foster, section
        Commerce).

        Without extended: Then all trading is over (Baxter-Wray p. 73; Foster, section Commerce).

        With extended: They trade no more, and all trading is over when everybody has stood (Baxter-Wray p. 76)."""
        self.stood.append(seat)
        self.trading = [other for other in self.trading if other != seat] if self.rules.extended else []

    @classmethod
    def bound(cls, rules: CommerceRules) -> int:
        """A card bought in every turn, all of them of one dealer or by one player; and from each the pool's stake, and at
        most two for hands that are beaten, with the odd counters of pools (Baxter-Wray pp. 72-76; Foster, section
        Commerce)."""
        return rules.players * ((rules.max_rounds + 3) * rules.stake + 1)

    @property
    def stock(self) -> int:
        """The pack, and beneath it the cards that go to its bottom (Baxter-Wray p. 73)."""
        return len(self.pack) + len(self.bottom)
