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

STRAIGHT_FLUSH = "a straight flush, five cards of one suit in sequence (A K Q J T is called a royal flush)"
HANDS = (  # as `what_wins` lists them below the straight flush
    "four of a kind, four cards of one rank; a full house, three cards of one rank and two of another; a flush, five"
    " cards of one suit; a straight, five ranks in sequence, with the ace above the king or below the two; three of a"
    " kind, three cards of one rank; two pairs, two cards of one rank and two of another; a pair, two cards of one rank;"
    " a high card, none of these"
)
WITHIN = (  # and which of two hands of one class wins
    "Cards rank A K Q J T 9 8 7 6 5 4 3 2, with the ace low in A 2 3 4 5. If two hands are of the same kind, compare four or"
    " three of a rank first, then pairs, then the other cards, from the highest down; the higher card wins. Suits do not"
    " count, and equal hands divide the pool"
)


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
        """Five each, one at a time, from eldest to the dealer (Foster, section Draw Poker; Baxter-Wray p. 33)."""
        self.pack = self.chance.pack(self.rules.cards)
        self.hands = self.deal_singly(5, seats)

    def draw(self, seat: int, comes_back: bool = True) -> Story:
        """The player puts cards away and gets as many, one by one (Foster, section Draw Poker; Baxter-Wray pp. 34-35).

        Those put out are dead when the seat has drawn."""
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
        """The rest of the pack is shuffled with the dead cards (Foster, section Draw Poker; Baxter-Wray law 41)."""
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
