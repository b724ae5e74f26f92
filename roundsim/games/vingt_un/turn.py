"""A dealer's turn at Vingt-un: who is banker, the pack that is not reunited, and when the deal passes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from roundsim.game import PASS, Ask, Card, Deal, OrderedPack, Sealed, Story, amounts, carried, say, tells

if TYPE_CHECKING:
    from . import VingtUnRules

DEAL = say("deal")


class Turn(Deal):
    """The hands that one banker deals, one after the other, from one pack."""

    rules: VingtUnRules
    number: int
    boxes: list[list[list[Card]]]
    away: list[list[Card]]  # those of the boxes that are paid, and lie with the pone
    naturals: list[int]
    price: int | None = None
    bids: Sequence[int] = ()
    successor: int | None = None  # who deals next, once the turn is over

    def seat_the_banker(self) -> None:
        """The dealer, or who bought his turn (p. 69), is served last (p. 62; the buyer, too: ours)."""
        self.banker = self.dealer if self.buyer < 0 else self.buyer
        self.order = (*[seat for seat in self.round_from(self.eldest) if seat != self.banker], self.banker)

    def selling(self) -> Story:
        """With sell_deal: At the start of a turn the dealer may sell it: they name the least price, and all others bid or
        pass, without seeing each other's bids. The highest bidder, of equal ones the first from the dealer's left, pays
        the bid and is the banker (p. 68; bids ours)."""
        action = yield Ask(self.dealer, "sell", amounts((DEAL,), "sell", 1, self.rules.sell_max))
        if action is DEAL:
            return
        self.price = action.amount
        legal, bids = amounts((PASS,), "bid", action.amount, self.rules.sell_max), [0] * self.players
        others = self.round_from(self.eldest)[:-1]
        self.veil = len(self.actions)
        for seat in others:
            bids[seat] = (yield Sealed(seat, "bid", legal)).amount
        self.veil, self.bids = None, bids
        self.sell(others)

    @tells(lambda deal, others: None if any(deal.bids) else "nobody bids, and the dealer keeps his turn")
    def sell(self, others: Sequence[int]) -> None:
        """To the highest bidder, of equal ones the first from the dealer's left (p. 68; bids ours)."""
        if highest := max(self.bids):
            self.buyer = next(seat for seat in others if self.bids[seat] == highest)
            self.pay(self.buyer, self.dealer, highest, "the turn is sold")
            self.seat_the_banker()

    def pay_pool(self) -> None:
        """With pool_deal: At the start of a turn each player pays {pool_deal counter} into a pool (p. 68)."""
        for seat in range(self.players):
            self.into_pool(seat, self.rules.pool_deal, why="a new turn begins")

    def take_up_the_pack(self) -> None:
        """It is not reunited after each hand, but goes on where the last one left it; the pone has the rest (p. 65)."""
        self.pone, order = list(self.used), list(self.pack_left)
        if not order:
            order = list(self.rules.whole_pack)
            for card in self.pone:
                order.remove(card)
            order = self.chance.pack(order).draw(len(order))
            if self.left:
                self.pone += order[self.left :]
                del order[self.left :]
        self.pack = OrderedPack(order)
        self.left = len(order)

    def next_card(self) -> Card:
        """All hands of a turn are dealt from one pack, but not its last card: it and the used cards are shuffled, and are
        the new pack (p. 65)."""
        if len(self.pack) == 1:
            self.gather()
        top = self.pack.draw(1)[0]
        self.left = len(self.pack)
        return top

    @tells("the pack is gone through, and the used cards are shuffled")
    def gather(self) -> None:
        """The boxes that were paid no longer lie on the table (ours)."""
        for box in self.away:
            box.clear()
        self.gone += 1
        gathered = self.pack.cards + self.pone
        self.pack = OrderedPack(self.chance.pack(gathered, f"pack {self.gone + 1}").draw(len(gathered)))
        self.pone = []

    def can_be_had(self, wanted: int) -> bool:
        """Whether so many cards can be dealt; the very last one is not (ours)."""
        return len(self.pack) + len(self.pone) > wanted

    def put_away(self, box: list[Card]) -> None:
        """A hand that is paid goes to the pone at once (p. 63), and lies with him until it is shuffled (ours)."""
        self.pone += box
        self.away.append(box)

    def end_hand(self) -> None:
        """All cards are used; the pack is reunited when but one is left (p. 65), or the turn is over (ours)."""
        away = {*map(id, self.away)}
        self.pone += [card for boxes in self.boxes for box in boxes if id(box) not in away for card in box]
        gone_through = len(self.pack) == 1
        self.gone += gone_through
        self.hand += 1
        if over := self.turn_is_over():
            self.pass_the_deal()
        if over or gone_through:
            self.pack, self.pone = OrderedPack(()), []
        self.left, self.used, self.pack_left = len(self.pack), tuple(self.pone), tuple(self.pack.cards)

    def turn_is_over(self) -> bool:
        """For a turn of several hands the dealer is the banker, against whom each of the others plays alone (pp. 65-66,
        68).

        With deal_ends = natural: The turn lasts until a player, but not the banker, has a natural; in the first hand that
        does not count (pp. 65-66).

        With deal_ends = hands: The turn lasts {hands hand} (p. 68).

        With deal_ends = pack: The turn lasts until the pack is gone through {times time} (p. 68).

        With after_natural = left: Then the next player on the left deals (p. 65).

        With after_natural = holder: Then the player with that natural deals (p. 65)."""
        if self.rules.deal_ends == "natural":
            return self.number > 1 and bool(self.naturals) and self.banker not in self.naturals
        if self.rules.deal_ends == "hands":
            return self.number >= self.rules.hands
        return self.gone >= self.rules.times

    @tells("the turn is over, and seat {deal.successor} deals next")
    def pass_the_deal(self) -> None:
        """To the next player, or to the holder of the natural (p. 65); a buyer does not change that (p. 69)."""
        self.successor = self.naturals[0] if self.rules.after_natural == "holder" else self.next_to(self.dealer)
        self.buyer, self.hand, self.gone = -1, 1, 0

    def next_dealer(self) -> int:
        """The dealer keeps the deal until his turn is over (p. 65)."""
        return self.dealer if self.successor is None else self.successor

    buyer: int = carried(-1, "the seat that bought this turn; -1: none", names="seat")
    hand: int = carried(1, "the number of the next hand in the turn, from 1")
    gone: int = carried(0, "how often the pack was gone through in this turn")
    left: int = carried(0, "how many cards are left in the pack; 0: all cards are shuffled before the next hand")
    used: Sequence[Card] = carried((), "the used cards, which the player on the dealer's right keeps")
    pack_left: Sequence[Card] = carried((), "the cards left in the pack, from the top")
