"""Drawing: cards are exchanged for others from the pack, which may run out and then takes the dead cards in again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ..table.actions import Action
from ..table.cards import Card
from ..table.deal import Ask, Story
from ..table.selections import Subsets
from ..table.view import Each, private, public
from .betting import Staking
from .hands import RankingRules


class Drawing(Staking):
    """A deal of five cards in which cards may be put out for others."""

    played_with = "cards"
    reshuffles = True
    unseen_verbs: ClassVar[tuple[str, ...]] = ("discard",)
    rules: RankingRules

    def take_places(self) -> None:
        super().take_places()
        self.hands: list[list[Card]] = [[] for _ in range(self.players)]
        self.put_out: list[tuple[Card, ...]] = [()] * self.players
        self.drawn: list[int | None] = [None] * self.players
        self.dead: list[Card] = []  # what may be gathered when the pack runs out
        self.shuffles = 1

    def deal_five(self, seats: Sequence[int]) -> None:
        """Each player who is in gets five cards, one at a time (Foster, section Draw Poker; Baxter-Wray p. 33)."""
        self.pack = self.chance.pack(self.rules.cards)
        self.hands = self.deal_singly(5, seats)

    def draw(self, seat: int, comes_back: bool = True) -> Story:
        """Each player who is in puts away any of their cards, in turn, and gets as many from the pack. Everybody sees
        how many (Foster, section Draw Poker; Baxter-Wray pp. 34-35)."""
        hand = self.hands[seat]
        cards = (yield Ask(seat, "draw", Subsets("discard", hand, 0, 5))).cards
        for card in cards:
            hand.remove(card)
        self.put_out[seat] = cards
        self.drawn[seat] = many = len(cards)
        if many < len(self.pack):
            hand += self.pack.draw(many)
        else:
            self.deal_the_last(hand, many)
        if comes_back:
            self.dead += cards

    def deal_the_last(self, hand: list[Card], cards: int) -> None:
        """The pack runs out when none is left that may be dealt, and goes on as a new one (Baxter-Wray law 41)."""
        for due in range(cards, 0, -1):
            if self.runs_out(due):
                self.gather()
            hand += self.pack.draw(1)

    def runs_out(self, due: int) -> bool:
        """The last card is not dealt, nor are the last two when two are due (Foster, section Draw Poker)."""
        left = len(self.pack)
        return left < 2 or left == 2 and due > 1

    def gather(self) -> None:
        """If the pack runs out, the cards put away and those of players who are out are shuffled, and dealt again
        (Foster, section Draw Poker; Baxter-Wray law 41)."""
        self.shuffles += 1
        self.pack = self.chance.pack([*self.pack.cards, *self.dead], f"pack {self.shuffles}")
        self.dead = []

    def refusal(self, ask: Ask, action: Action) -> str:
        if ask.phase == "draw" and action.verb == "discard":
            return "not in hand, or named twice"
        return super().refusal(ask, action)

    class View(Staking.View):
        """The names that everybody sees where cards are drawn, and what the seat alone knows."""

        drawn: Each[int | None] = public("how many cards each seat has drawn; None before its draw")
        put_out: tuple[Card, ...] = private("the cards you have put away for others")
