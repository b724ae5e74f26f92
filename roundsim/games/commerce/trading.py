"""Trading with the dealer for ready money, and with the left neighbour by barter: modern commerce, and Foster's."""

from __future__ import annotations

from typing import ClassVar

from ...mechanics.offers import naming_each
from ...table.actions import Action, say
from ...table.cards import PACK, Card
from ...table.deal import Ask, Story
from .game import Commerce

BUY, BARTER, GIVE = [{card: say(verb, card) for card in PACK} for verb in ("buy", "barter", "give")]


class Trading(Commerce):
    """Each in turn trades with the dealer or with his left neighbour, until one is content with his hand."""

    with_table = False
    stop: ClassVar[Action]

    def deal_cards(self) -> None:
        """Beneath the pack lie the cards that go to its bottom (Baxter-Wray p. 73)."""
        super().deal_cards()
        self.bottom: list[Card] = []

    def turn(self, seat: int) -> Story:
        return self.trade(seat)

    def trade(self, seat: int) -> Story:
        """He must stand, buy or barter (Baxter-Wray pp. 72-73; Foster, section Commerce).

        Whose offer is refused, in the extended game, is asked again (ours).  Returns whether he has traded."""
        while self.trading:
            said = yield Ask(seat, "trade", self.may_trade(seat))
            if said is self.stop:
                self.stand(seat)
                return False
            if said.verb == "buy":
                self.buy(seat, said.card)
                return True
            if (yield from self.barter(seat, said.card)):
                return True
        return False

    def may_trade(self, seat: int) -> tuple[Action, ...]:
        """One card a turn, bought or bartered (Baxter-Wray p. 73); after the last round he must stand (ours)."""
        if self.last_round_is_over():
            return (self.stop,)
        verbs = (BUY, BARTER) if len(self.trading) > 1 else (BUY,)
        return naming_each(self.hands[seat], (self.stop,), *(verbs if self.stock else verbs[1:]))

    def buy(self, seat: int, card: Card) -> None:
        """He pays the dealer, and gets the top card of the pack (Baxter-Wray p. 73; Foster, section Commerce)."""
        self.pay(seat, self.dealer, self.rules.stake, "a card is bought")
        hand = self.hands[seat]
        hand[hand.index(card)] = self.pack.draw(1)[0] if len(self.pack) else self.bottom.pop(0)

    def barter(self, seat: int, card: Card) -> Story:
        """The next must give a card for it, or stand (Baxter-Wray p. 73); both unseen (Foster, section Commerce).

        Returns whether he has given one."""
        other = self.trading[1]
        said = yield Ask(other, "answer", naming_each(self.hands[other], (self.stop,), GIVE))
        if said is self.stop:
            self.stand(other)
            return False
        for owner, lost, got in (seat, card, said.card), (other, said.card, card):
            self.hands[owner][self.hands[owner].index(lost)] = got
        return True

    def stand(self, seat: int) -> None:
        """All trading is over; extended, only this seat's (Baxter-Wray pp. 73, 76; Foster, section Commerce)."""
        self.stood.append(seat)
        self.trading = [other for other in self.trading if other != seat] if self.rules.extended else []

    @property
    def stock(self) -> int:
        return len(self.pack) + len(self.bottom)
