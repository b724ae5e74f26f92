"""Five-card and Irish loo (Baxter-Wray, "Round Games with Cards", 1891, pp. 27-28)."""

from __future__ import annotations

from collections.abc import Sequence

from roundsim.game import STAND, Action, Ask, Subsets, spelled, tells

from .game import FOLD, Loo


class FiveCardLoo(Loo):
    """With exchange of cards, Pam and flushes; Irish loo is the same with three cards, and without Pam."""

    course = """count_the_deals pay_stake play_single deal_cards must_stand declaring may_declare taken_unplayed flushes
pay_flush playing first_leader may_lead may_follow share_the_pool loo_the_rest"""

    def may_declare(self, seat: int) -> Sequence[Action]:
        """Players who stand may exchange any of their cards for cards of the stock (p. 27), as many as it holds
        (ours)."""
        plain = (STAND,) if self.must_stand() else (FOLD, STAND)
        return Subsets("discard", self.hands[seat], 1, self.stock, plain) if self.stock else plain

    def declare(self, seat: int, action: Action) -> None:
        """Cards put out are made up from the top of the stock (p. 27)."""
        super().declare(seat, action)
        if action is not FOLD and action is not STAND:
            hand = self.hands[seat]
            for card in action.cards:
                hand.remove(card)
            self.thrown_up[seat] = action.cards
            hand += self.pack.draw(len(action.cards))
            self.stock = len(self.pack)

    def taken_unplayed(self) -> bool:
        """With flush: When all have declared, the best flush of those who stand takes the pool (pp. 27-28).

        A player who is the only one left takes the pool without play, and the next deal is a single (pp. 19-21)."""
        if self.rules.flush and (flushes := self.flushes()):
            self.pay_flush(flushes)
            return True
        return super().taken_unplayed()

    def flushes(self) -> list[int]:
        """With flush and pam = clubs or trumps: In a flush Pam counts as any suit. One in trumps is the best, then one
        with Pam, then the one nearest to the dealer's left (pp. 27-28; two in trumps ours).

        With flush and pam = none: A flush in trumps is the best, then the one nearest to the dealer's left (pp.
        27-28)."""
        held = {}
        for seat in self.standing:
            hand = self.hands[seat]
            suits = {card.suit for card in hand if card is not self.pam}
            if len(suits) == 1:
                held[seat] = (self.trumps in suits, self.pam in hand)
        return sorted(held, key=held.__getitem__, reverse=True)

    @tells(lambda deal, flushes: f"seat {flushes[0]} shows a flush: {' '.join(deal.hands[flushes[0]])}")
    def pay_flush(self, flushes: list[int]) -> None:
        """With flush: Every player who does not stand with a flush pays a loo to the best one, and the next deal is a
        single (p. 28)."""
        best = flushes[0]
        for seat in self.order:
            if seat not in flushes:
                self.pay(seat, best, self.loo, "a loo to the flush")
        self.take_unplayed(best, "the flush takes the pool")

    def says(self, ask: Ask, action: Action) -> str:
        if action.verb != "discard":
            return super().says(ask, action)
        count = f"{spelled(action.amount)} card{'s' * (action.amount != 1)}"
        return f"stands, and exchanges {' '.join(action.cards) or count}"

    def declaration_refused(self, seat: int, action: Action) -> str:
        if action == FOLD:
            return f"{'last round' if self.last_round else 'club law'}: all must stand"
        if action.verb != "discard" or not action.words:
            return "not a legal action"
        if len(set(action.cards)) < len(action.words) or not set(action.cards) <= set(self.hands[seat]):
            return "not in hand"
        return f"not enough cards left: {self.stock} in the stock"
