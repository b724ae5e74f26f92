"""Linger Longer: the old game of tricks in which the last to hold a card takes the pool."""

from __future__ import annotations

from collections.abc import Iterator

from roundsim.game import PACK, Ask, Card, Rules, Story, Tricks, may_play, option, public, taker, tells


class LingerLonger(Tricks):
    """Win tricks, which bring you new cards, and be the last to hold any."""

    id = "linger-longer"
    title = "Linger Longer"
    family = "tricks"
    seats = (3, 6)
    usual = (4, 6)
    source = "Traditional"
    pool_names = ("pool",)
    shows = ("turn_up",)
    rules: LingerLongerRules

    def deal(self) -> Story:
        self.pay_in()
        self.deal_cards()
        while sum(map(bool, self.hands)) > 1:
            winner = yield from self.one_trick()
            self.gather(winner)
            if self.stock:
                self.draw_one(winner)
        self.settle()

    def pay_in(self) -> None:
        """Each player pays one counter into the pool (ours)."""
        for seat in range(self.players):
            self.into_pool(seat, 1, why="the stake")

    def deal_cards(self) -> None:
        """Each player gets {cards card}, one at a time. The dealer's last card is turned up: its suit is trumps (ours)."""
        self.clear_the_table()
        self.pack = self.chance.pack(PACK)
        self.hands = self.deal_singly(self.rules.cards, self.round_from(self.eldest))
        self.turn_up = self.hands[self.dealer][-1]
        self.leader = self.eldest

    def one_trick(self) -> Story:
        """The eldest hand, the player on the dealer's left, leads, and then the winner of each trick. Players must follow
        suit if they can; those without cards are out (ours)."""
        seats = [seat for seat in self.round_from(self.leader) if self.hands[seat]]
        self.leader = seats[0]
        for seat in seats:
            card = (yield Ask(seat, "play", may_play(self.hands[seat], self.trick))).card
            self.hands[seat].remove(card)
            self.trick.append(card)
        return seats[taker(self.trick, self.turn_up.suit)]

    @tells("seat {winner} draws a card")
    def draw_one(self, winner: int) -> None:
        """The winner of a trick draws the top card of the stock, as long as there is one (ours)."""
        self.hands[winner] += self.pack.draw(1)

    def settle(self) -> None:
        """The last player with cards takes the pool; if all run out in one trick, its winner (ours)."""
        last = next((seat for seat, hand in enumerate(self.hands) if hand), self.leader)
        self.take_pool(last, why="the last who holds a card takes the pool")

    what_wins = """The ace is high, the two low. The highest trump takes the trick; without a trump the highest card of the
suit led takes it (ours)."""
    course = "pay_in deal_cards one_trick draw_one settle"

    phases = {"play": "`play As`: follow suit if you can"}

    class View(Tricks.View):
        """The public state of Linger Longer."""

        turn_up: Card = public("the last card dealt, which the dealer holds: its suit is trumps")
        held: tuple[int, ...] = public("how many cards each seat holds")
        stock: int = public("how many cards are left to be drawn")

    @property
    def held(self) -> list[int]:
        return [len(hand) for hand in self.hands]

    @property
    def stock(self) -> int:
        return len(self.pack)


class LingerLongerRules(Rules, of=LingerLonger):
    """The option of Linger Longer."""

    cards: int = option(
        lambda rules: rules.players, "cards dealt to each", "ours", high=17, usual="one for each player"
    )

    def refusals(self) -> Iterator[str]:
        if self.cards * self.players > len(PACK):
            yield f"cards = {self.cards} for {self.players} players: there are only {len(PACK)}"
