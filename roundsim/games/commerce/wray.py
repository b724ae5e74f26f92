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
    what_wins = """The best hand is a tricon, three cards of one rank. Next comes a sequence, three cards of one suit in
sequence, from A K Q down to 3 2 A (Baxter-Wray pp. 70-72).

Without combos = no-flush-pair: Next comes a flush, three cards of one suit (Baxter-Wray pp. 70-72).

With combos = full: Next comes a pair, two cards of one rank (Baxter-Wray pp. 70-72).

All other hands are points (Baxter-Wray pp. 70-72).

The higher rank wins between two tricons, sequences or pairs: A K Q J T 9 8 7 6 5 4 3 2. If two pairs have the same rank,
the higher third card wins. The higher of two flushes or points is the one that counts more, then the one with the higher
card: an ace counts 11, a king, queen, jack or ten 10, other cards their number (Baxter-Wray pp. 70-72)."""

    def value(self, hand: Sequence[Card]) -> tuple[float, ...]:
        one, two, three = hand
        return worth(one.mark + two.mark + three.mark, one.suit == two.suit == three.suit, self.rules.combos)

    def better_than(self, seat: int) -> list[int]:
        value_of, own = self.value_of, self.value_of[seat]
        return [other for other in self.order if value_of[other] > own]

    def pay_penalty(self) -> None:
        """With dealer_penalty = all: A dealer who is beaten with more than a point pays {stake counter} to every other
        player (Baxter-Wray p. 76).

        With dealer_penalty = better: A dealer who is beaten with more than a point pays {stake counter} to each better
        hand (Baxter-Wray p. 76)."""
        penalty = self.rules.dealer_penalty
        if penalty != "none" and self.value_of[self.dealer][0] > POINT and (better := self.better_than(self.dealer)):
            for payee in better if penalty == "better" else self.order[:-1]:
                self.pay(self.dealer, payee, self.rules.stake, "the dealer is beaten with more than a point")


class Modern(Trading, BaxterWrays):
    """Modern commerce: trading with the dealer and the neighbour, until one stands."""

    stop = STAND
    may_declare = True  # who has now a hand strong enough stands at once (Baxter-Wray p. 73)
    deals_again = False
    course = "pay_in deal_cards turn may_trade buy barter stand show settle pay_penalty next_dealer"

    def pay_in(self) -> None:
        """Each player pays {stake counter} into the pool, and the dealer twice that (Baxter-Wray p. 72)."""
        self.all_pay(self.rules.stake, "the stake")
        self.into_pool(self.dealer, self.rules.stake, why="the dealer stakes twice")

    def buy(self, seat: int, card: Card) -> None:
        """To buy, players put a card under the pack, pay the dealer {stake counter}, and get the top card of the pack. The
        dealer pays nothing (Baxter-Wray p. 73)."""
        super().buy(seat, card)
        self.bottom = (*self.bottom, card)

    def settle(self) -> None:
        """The best hand takes the pool, and a dealer who is beaten pays {stake counter} to it (Baxter-Wray pp. 72-73).

        Without extended: The player who stood pays {stake counter} to each better hand (Baxter-Wray pp. 72-73).

        Equal hands divide the pool, and odd counters stay for the next deal; the dealer pays each of them (ours)."""
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
        """With continuous: The same player deals until a flush or better is shown (Baxter-Wray p. 76)."""
        return self.dealer if self.deals_again else super().next_dealer()


class Old(BaxterWrays):
    """The old game: three cards lie face up on the table, and nothing is staked."""

    with_table = True
    course = "pay_in deal_cards turn change may_exchange show settle pay_penalty"

    def pay_in(self) -> None:
        """There is no pool (Baxter-Wray p. 74)."""

    def turn(self, seat: int) -> Story:
        """From the eldest hand, the player on the dealer's left, each player in turn changes a card, passes or stands, and
        so on round the table. A player who has passed or stood has no more turns. Once two have stood, each of the others
        has one last turn, to change a card or pass (Baxter-Wray p. 74)."""
        last = len(self.stood) == 2
        action = yield Ask(seat, "trade", self.may_exchange(seat, last))
        self.change(seat, action)
        if action is STAND:
            self.stood.append(seat)
        if last or action is STAND or action is PASS:
            self.trading.remove(seat)

    def may_exchange(self, seat: int, last: bool) -> tuple[Action, ...]:
        """After {max_rounds round} all who still have turns must pass (ours)."""
        if self.last_round_is_over():
            return (PASS,)
        return (PASS, *([] if last else [STAND]), *self.may_take(seat))

    def settle(self) -> None:
        """Each other player pays {stake counter} to the best hand, or to each of equal ones (Baxter-Wray p. 74)."""
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

    course = """pay_in deal_cards turn change may_exchange show settle in_the_game offer_horse
last_takes_the_pool"""

    def deal(self) -> Story:
        yield from super().deal()
        yield from self.offer_horse()
        self.last_takes_the_pool()

    def pay_in(self) -> None:
        """For a game each player pays {entry counter} into the pool, and gets {lives marker}, one for each life
        (Baxter-Wray p. 75)."""
        if self.new_game():
            self.horse = False
            self.all_pay(self.rules.entry, "the entry for a game")

    def settle(self) -> None:
        """With prize: The best hand, or each of equal ones, takes {prize counter} out of the pool, as long as there are any
        (Baxter-Wray p. 75).

        The worst hand loses a life. So do all equal ones, unless all hands are equal (Baxter-Wray p. 75; equal ones
        ours)."""
        for winner in self.best():
            self.into_pool(winner, -min(self.rules.prize, self.pools["pool"]), why="the prize of the best hand")
        self.lose_a_life(self.worst())

    def offer_horse(self) -> Story:
        """With horse = third or half: The first player to lose all lives may buy a horse, one more life, for
        {price_of_a_horse counter} to the pool. If several lose them in one deal, the first from the dealer's left who
        wants it gets it (Baxter-Wray p. 75; if several do ours)."""
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
        """The last player who has lives takes the rest of the pool, and the game is over (Baxter-Wray p. 75)."""
        if self.over():
            last = next(seat for seat in self.order if self.lives[seat])
            self.take_pool(last, why="the last who has lives takes the pool")

    @classmethod
    def bound(cls, rules: CommerceRules) -> int:
        """All entries of the game and the price of a horse, which the last takes (Baxter-Wray p. 75)."""
        return rules.players * rules.entry + (0 if rules.horse == "none" else rules.price_of_a_horse)
