"""Foster's commerce, without a widow and with one ("The Poker Family", section Commerce)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from roundsim.game import KNOCK, NO, YES, Ask, Card, Story, best_suit, tells

from .game import FLUSH, NOTHING, PAIR, POINT, SEQUENCE, TRIPLET, Commerce, top_of_sequence
from .trading import Trading

if TYPE_CHECKING:
    from . import CommerceRules


class Fosters(Commerce):
    """Foster's hands, no two of them equal."""

    def value(self, hand: Sequence[Card]) -> tuple[float, ...]:
        """Triplet, sequence flush, point of two or three cards; extra: flush and pair (Foster, section Commerce)."""
        ranks = sorted([card.rank for card in hand], reverse=True)
        total, cards = best_suit(hand, 2)
        if ranks[0] == ranks[2]:
            return TRIPLET, ranks[0]
        if cards == 3 and (top := top_of_sequence(ranks)):
            return SEQUENCE, top
        if self.rules.extra and cards == 3:
            return FLUSH, total
        if self.rules.extra and ranks[1] in (ranks[0], ranks[2]):
            return PAIR, ranks[1], sum(ranks) - 2 * ranks[1]
        return (POINT, total, cards) if cards else (NOTHING,)

    def best(self) -> list[int]:
        return self.placed()[:1]

    def placed(self) -> list[int]:
        """The best first; of equal hands the dealer's, then that nearest on his left (Foster, section Commerce)."""
        return sorted([self.order[-1], *self.order[:-1]], key=self.value_of.__getitem__, reverse=True)


class Foster(Trading, Fosters):
    """Without a widow: trading with the dealer and the neighbour, until one knocks."""

    stop = KNOCK
    may_declare = False

    def pay_in(self) -> None:
        """Each stakes one counter (Foster, section Commerce)."""
        self.all_pay(self.rules.stake, "the stake")

    def settle(self) -> None:
        """The best takes the pool; a dealer beaten in his class pays all, or only him (Foster, section Commerce)."""
        winner = self.placed()[0]
        self.take_pool(winner, why="the best hand takes the pool")
        if winner != self.dealer:
            same = self.value_of[winner][0] == self.value_of[self.dealer][0]
            why = "the dealer is beaten in his class" if same else "the dealer is beaten"
            for payee in self.order[:-1] if same else [winner]:
                self.pay(self.dealer, payee, self.rules.stake, why)


class FosterWidow(Fosters):
    """With a widow, and for lives: one must draw a card of it, or knock."""

    with_table = True

    def pay_in(self) -> None:
        """Each has his lives, and puts one of them into the pool in every deal (Foster, section Commerce)."""
        self.new_game()

    def commerce(self) -> Story:
        """The widow is first the dealer's; then each in turn draws of it, or knocks (Foster, section Commerce)."""
        yield from self.dealers_choice()
        yield from self.drawing(self.order[0])

    def dealers_choice(self) -> Story:
        """The dealer may take the widow instead of the dealer's own cards, before seeing these (Foster, section Commerce)."""
        dealer = self.order[-1]
        unseen, self.hands[dealer] = self.hands[dealer], []
        takes = (yield Ask(dealer, "dealer", (NO, YES))) is YES
        self.hands[dealer], self.table = (self.table, unseen) if takes else (unseen, self.table)

    def settle(self) -> None:
        """The best takes the lives of the pool; frozen out, each of them is a counter (Foster, section Commerce)."""
        winner, *losers = self.placed()
        self.lose_a_life(losers)
        self.take_lives(winner, len(losers))
        if self.rules.game == "freeze":
            for loser in losers:
                self.pay(loser, winner, 1, "a life of the pool")
        elif self.over():
            self.pay_for_the_whiskey(losers)

    @classmethod
    def bound(cls, rules: CommerceRules) -> int:
        """Each other player loses a life of one counter; or one pays all for the whiskey (Foster, section Commerce)."""
        return (rules.players - 1) * (rules.whiskey if rules.game == "whiskey" else 1)

    @tells("seat {winner} takes the lives of the pool")
    def take_lives(self, winner: int, lives: int) -> None:
        self.lives[winner] += lives

    def pay_for_the_whiskey(self, losers: Sequence[int]) -> None:
        """The player who has lost his last life pays; of several the one with the worst hand (Foster, section
        Commerce)."""
        payer = [seat for seat in losers if not self.lives[seat]][-1]
        for payee in self.order:
            self.pay(payer, payee, self.rules.whiskey, "the whiskey is paid for")

    def over(self) -> bool:
        """For the whiskey a game is over as soon as one has no lives (Foster, section Commerce)."""
        return super().over() if self.rules.game == "freeze" else not all(self.lives)
