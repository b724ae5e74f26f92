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
RANK_OF_HANDS = f"""With straight_flush: The hands, from best to least: {STRAIGHT_FLUSH}; {HANDS} (Foster, section Rank of
the Hands).

Without straight_flush: The hands, from best to least: {HANDS} (Foster, section Rank of the Hands). A sequence of one suit
is only a flush, so four of a kind is the best hand (Foster, sections Straight Poker, Stud Poker).

{WITHIN} (Foster, section Rank of the Hands).

With ace = low: In a sequence the ace stands below the two, never above the king (Baxter-Wray laws 66, 70).

With suits = hearts or hearts-top: But a flush of hearts beats other flushes (Baxter-Wray p. 31, laws 69-70).

With suits = hearts-top: A straight topped by a heart beats one that is topped by an equal card (Foster).

Without two_pair_odd: If both pairs are equal, the fifth card does not count (Baxter-Wray law 73).

With inverted: If no hand has a pair, the lower one wins, and with two pairs the one whose higher pair is lower (Foster).

With blaze = foster: A blaze, five kings, queens and jacks, comes next above two pairs (Foster, section Eccentric Hands).

With blaze = wray: A blaze, five aces, kings, queens and jacks, comes next above two pairs (Baxter-Wray p. 41).

With blaze = true: A blaze, five kings, queens and jacks, comes next below four of a kind (Foster, section Eccentric Hands).

With skip = foster: A skip straight, such as 2 4 6 8 T, comes next below three of a kind (Foster, section Eccentric Hands).

With skip = wray: A skip straight, such as 2 4 6 8 T, comes next above three of a kind (Baxter-Wray p. 44).

With skip = true: A skip straight, such as 2 4 6 8 T, comes next above a straight (Foster, section Eccentric Hands).

With tiger = foster: A tiger, with a seven high and a two low, comes next above a straight (Foster, section Eccentric Hands).

With tiger = hoyle: A tiger, A 2 3 4 5, comes next above other straights (Hoyle's Games p. 136).

With tiger = true: A tiger, with a seven high and a two low, comes next above a flush (Foster, section Eccentric Hands).

With round = foster: A round-the-corner straight, such as Q K A 2 3, comes next below a straight (Foster, section Eccentric
Hands).

With round = true: A round-the-corner straight, such as Q K A 2 3, comes next above a full house (Foster, section Eccentric
Hands)."""
WITH_A_JOKER = """With joker and joker_as = any: The joker stands for any card, and five of a kind beat all other hands
(Foster, section Joker Poker).

With joker and joker_as = missing: The joker stands for any card that is not in the hand (Baxter-Wray p. 41).

With joker and joker_tie = hand: If hands are equal, the one with the joker wins (Foster, section Joker Poker).

With joker and joker_tie = natural: If hands are equal, one without the joker wins (Foster, section Joker Poker).

With joker and joker_tie = card: The joker counts half a rank more than the card it stands for (Baxter-Wray p. 41)."""


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
