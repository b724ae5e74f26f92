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

    what_wins = """The best hand is a triplet, three cards of one rank. Next comes a sequence, three cards of one suit in
sequence, from A K Q down to 3 2 A. Within each the higher rank wins: A K Q J T 9 8 7 6 5 4 3 2 (Foster, section
Commerce).

With extra: Next comes a flush, three cards of one suit, by its count, and then a pair, two cards of one rank, of equal
ones that with the higher third card (Foster, section Commerce).

Next comes the point, the highest count of two or three cards of one suit: an ace counts 11, a king, queen, jack or ten
10, other cards their number. If two hands count the same, three cards beat two. A hand without any of these is
last (Foster, section Commerce).

If hands are equal the dealer's wins, or else the one nearest to the dealer's left (Foster, section Commerce)."""

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
    course = "pay_in deal_cards turn may_trade buy barter stand show settle"

    def pay_in(self) -> None:
        """Each player pays {stake counter} into the pool (Foster, section Commerce)."""
        self.all_pay(self.rules.stake, "the stake")

    def settle(self) -> None:
        """The best hand takes the pool. A dealer who is beaten pays it {stake counter}, or pays that to every other player
        if both hands are of one kind, as two points are (Foster, section Commerce)."""
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
    course = "pay_in deal_cards dealers_choice drawing change show settle pay_for_the_whiskey over"

    def pay_in(self) -> None:
        """For a game each player gets {lives marker}, one for each life, and puts one into the pool in every deal (Foster,
        section Commerce)."""
        self.new_game()

    def commerce(self) -> Story:
        """The widow is first the dealer's; then each in turn draws of it, or knocks (Foster, section Commerce)."""
        yield from self.dealers_choice()
        yield from self.drawing(self.order[0])

    def dealers_choice(self) -> Story:
        """The cards on the table are the widow. Before seeing their own cards, the dealer may change them for the widow.
        Then the eldest hand, the player on the dealer's left, begins (Foster, section Commerce)."""
        dealer = self.order[-1]
        unseen, self.hands[dealer] = self.hands[dealer], []
        takes = (yield Ask(dealer, "dealer", (NO, YES))) is YES
        self.hands[dealer], self.table = (self.table, unseen) if takes else (unseen, self.table)

    def settle(self) -> None:
        """The best hand takes the lives in the pool (Foster, section Commerce).

        With game = freeze: A life is worth one counter (Foster, section Commerce)."""
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
        """With game = whiskey: As soon as a player has lost the last life, they pay {whiskey counter} to each other player,
        for the whiskey, and the game is over. If several have, only the worst hand pays (Foster, section Commerce)."""
        payer = [seat for seat in losers if not self.lives[seat]][-1]
        for payee in self.order:
            self.pay(payer, payee, self.rules.whiskey, "the whiskey is paid for")

    def over(self) -> bool:
        """With game = freeze: A player without lives is out, and the game is over when one has all lives (Foster, section
        Commerce)."""
        return super().over() if self.rules.game == "freeze" else not all(self.lives)
