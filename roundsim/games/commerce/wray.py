"""Baxter-Wray's commerce: the modern game, the old one, and pool ("Round Games with Cards", 1891, pp. 70-76)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from roundsim.game import NO, PACK, PASS, STAND, YES, Action, Ask, Card, Story, pips

from .game import FLUSH, PAIR, POINT, SEQUENCE, TRIPLET, Commerce, top_of_sequence
from .trading import Trading

if TYPE_CHECKING:
    from . import CommerceRules

HIGH_TO_LOW = sorted(PACK[:13], key=lambda card: -card.rank)
RANKED = {sum([card.mark for card in three]): three for three in combinations_with_replacement(HIGH_TO_LOW, 3)}


@cache
def worth(marks: int, one_suit: bool, combos: str) -> tuple[float, ...]:
    """Tricon, sequence, flush, pair, point; fewer of them in limited commerce (Baxter-Wray pp. 70-72, 75)."""
    ranks = [card.rank for card in RANKED[marks]]
    if ranks[0] == ranks[2]:
        return TRIPLET, ranks[0]
    if one_suit:
        if top := top_of_sequence(ranks):
            return SEQUENCE, top
        if combos != "no-flush-pair":
            return FLUSH, sum(map(pips, RANKED[marks])), *ranks
    if combos == "full" and ranks[1] in (ranks[0], ranks[2]):
        return PAIR, ranks[1], sum(ranks) - 2 * ranks[1]
    return POINT, sum(map(pips, RANKED[marks])), *ranks


class BaxterWrays(Commerce):
    """Baxter-Wray's hands, and the dealer's penalty."""

    triplet = "a tricon"

    def value(self, hand: Sequence[Card]) -> tuple[float, ...]:
        one, two, three = hand
        return worth(one.mark + two.mark + three.mark, one.suit == two.suit == three.suit, self.rules.combos)

    def better_than(self, seat: int) -> list[int]:
        value_of, own = self.value_of, self.value_of[seat]
        return [other for other in self.order if value_of[other] > own]

    def pay_penalty(self) -> None:
        """A dealer beaten with more than a point pays the stake to all, or to each better hand (Baxter-Wray p. 76)."""
        penalty = self.rules.dealer_penalty
        if penalty != "none" and self.value_of[self.dealer][0] > POINT and (better := self.better_than(self.dealer)):
            for payee in better if penalty == "better" else self.order[:-1]:
                self.pay(self.dealer, payee, self.rules.stake, "the dealer is beaten with more than a point")


class Modern(Trading, BaxterWrays):
    """Modern commerce: trading with the dealer and the neighbour, until one stands."""

    stop = STAND
    may_declare = True  # who has now a hand strong enough stands at once (Baxter-Wray p. 73)
    deals_again = False

    def pay_in(self) -> None:
        """Each pays the stake, the dealer twice (Baxter-Wray p. 72)."""
        self.all_pay(self.rules.stake, "the stake")
        self.into_pool(self.dealer, self.rules.stake, why="the dealer stakes twice")

    def buy(self, seat: int, card: Card) -> None:
        """The card that he puts out goes to the bottom of the pack (Baxter-Wray p. 73)."""
        super().buy(seat, card)
        self.bottom = (*self.bottom, card)

    def settle(self) -> None:
        """The best takes the pool, and the dealer's stake; who stood pays each better hand (Baxter-Wray pp. 72-73)."""
        stake, winners = self.rules.stake, self.best()
        self.divide_pool(
            winners, "the best hand takes the pool" if len(winners) == 1 else "equal hands divide the pool"
        )
        if self.dealer not in winners:
            for winner in winners:
                self.pay(self.dealer, winner, stake, "the dealer is beaten")
        if not self.rules.extended:
            for better in self.better_than(self.stood[0]):
                self.pay(self.stood[0], better, stake, "who stood is beaten")
        self.pay_penalty()
        self.deals_again = self.rules.continuous and max(self.value_of.values())[0] < FLUSH

    def next_dealer(self) -> int:
        """With continuous dealing the same, until a flush or better was shown (Baxter-Wray p. 76)."""
        return self.dealer if self.deals_again else super().next_dealer()


class Old(BaxterWrays):
    """The old game: three cards lie face up on the table, and nothing is staked."""

    with_table = True

    def pay_in(self) -> None:
        """There is no pool (Baxter-Wray p. 74)."""

    def turn(self, seat: int) -> Story:
        """A player who passes or stands is done; when two have stood each other has one last turn (Baxter-Wray p.
        74)."""
        last = len(self.stood) == 2
        action = yield Ask(seat, "trade", self.may_exchange(seat, last))
        self.change(seat, action)
        if action is STAND:
            self.stood.append(seat)
        if last or action is STAND or action is PASS:
            self.trading.remove(seat)

    def may_exchange(self, seat: int, last: bool) -> tuple[Action, ...]:
        """To stand, pass or take a card of the table (Baxter-Wray p. 74); after the last round one must pass (ours)."""
        if self.last_round_is_over():
            return (PASS,)
        return (PASS, *([] if last else [STAND]), *self.may_take(seat))

    def settle(self) -> None:
        """Each other pays the stake to the best hand, or to each of equal ones (Baxter-Wray p. 74)."""
        winners = self.best()
        for payer in self.order:
            for winner in winners:
                if payer not in winners:
                    self.pay(payer, winner, self.rules.stake, "the best hand is paid by all")
        self.pay_penalty()

    @classmethod
    def bound(cls, rules: CommerceRules) -> int:
        """The stakes of all others, or one to each, and for a dealer's penalty as much again (Baxter-Wray pp. 74, 76)."""
        return (rules.players - 1) * rules.stake * (1 if rules.dealer_penalty == "none" else 2)


class PoolForm(Old):
    """Pool commerce: the old game, played for lives, and for a pool that the last takes."""

    def deal(self) -> Story:
        yield from super().deal()
        yield from self.offer_horse()
        self.last_takes_the_pool()

    def pay_in(self) -> None:
        """For a game each pays the entry, and has his lives (Baxter-Wray p. 75)."""
        if self.new_game():
            self.horse = False
            self.all_pay(self.rules.entry, "the entry for a game")

    def settle(self) -> None:
        """The best hand takes the prize, and the worst loses a life (Baxter-Wray p. 75)."""
        for winner in self.best():
            self.into_pool(winner, -min(self.rules.prize, self.pools["pool"]), why="the prize of the best hand")
        self.lose_a_life(self.worst())

    def offer_horse(self) -> Story:
        """The first player out may buy one more life (Baxter-Wray p. 75); of several, the first who wants it (ours)."""
        out = [seat for seat in self.order if not self.lives[seat]]
        if not out or self.horse or self.rules.horse == "none":
            return
        self.horse = True
        for seat in out:
            if (yield Ask(seat, "horse", (NO, YES))) is YES:
                self.into_pool(seat, self.rules.price_of_a_horse, why="a horse is bought")
                self.lives[seat] = 1
                return

    def last_takes_the_pool(self) -> None:
        """The last who has lives takes the rest of the pool (Baxter-Wray p. 75)."""
        if self.over():
            last = next(seat for seat in self.order if self.lives[seat])
            self.take_pool(last, why="the last who has lives takes the pool")

    @classmethod
    def bound(cls, rules: CommerceRules) -> int:
        """All entries of the game and the price of a horse, which the last takes (Baxter-Wray p. 75)."""
        return rules.players * rules.entry + (0 if rules.horse == "none" else rules.price_of_a_horse)
