"""Stops: cards are played in sequence, ace low, king high, up to a card whose next nobody can play
(Baxter-Wray, "Round Games with Cards", 1891, pp. 80-89, 95-96)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..actions import Action
from ..cards import CARD, SUITS, Card
from ..table import Ask, Deal, Story

ORDER = "A23456789TJQK"
NEXT: dict[Card, Card | None] = {  # the next higher card of the suit; of a king none
    CARD[rank + suit]: CARD[after + suit] if after else None
    for suit in SUITS
    for rank, after in zip(ORDER, [*ORDER[1:], ""], strict=True)
}


class Stops(Deal):
    """A game of stops: who holds the next card must play it, whoever played a stop leads again, the first out wins.

    Its option is `card_price`."""

    family = "stops"
    public = {
        "leader": "the seat that leads, or led, the run on the table; None before the first",
        "run": "the cards of this run, in the order of play; empty at a lead",
        "played": "every card played in this deal, in order, and the seat that played it",
        "cards_left": "how many cards each seat holds",
        "winner": "the seat that was out of cards first; None before",
    }

    leader: Any
    winner: Any

    def clear_the_table(self) -> None:
        """Nobody has cards yet."""
        self.hands: list[list[Card]] = [[] for _ in range(self.players)]
        self.holder: dict[Card, int] = {}
        self.leader = self.winner = None
        self.run: list[Card] = []
        self.played: dict[Card, int] = {}

    def deal_out(self, cards: Sequence[Card]) -> None:
        """All cards one at a time, eldest first; the first seats may have one more."""
        self.pack = self.chance.pack(cards)
        drawn = self.pack.draw(len(cards))
        for place, seat in enumerate(self.round_from(self.eldest)):
            self.take_up(seat, drawn[place :: self.players])

    def take_up(self, seat: int, hand: list[Card]) -> None:
        self.hands[seat] = hand
        self.holder.update(dict.fromkeys(hand, seat))

    def playing(self) -> Story:
        """Eldest leads first, then whoever played the stop; the first without cards is the winner."""
        self.leader = self.eldest
        while self.winner is None:
            self.run = []
            self.leader = yield from self.one_run(self.leader)

    def one_run(self, seat: int) -> Story:
        """A card is led, and the holder of the next must play it, up to a stop.  Returns who played the last."""
        yield from self.leads(seat)
        while self.winner is None and (due := self.due()) in self.holder:
            seat = self.holder[due]
            yield from self.follows(seat, due)
        return seat

    def leads(self, seat: int) -> Story:
        """Any card."""
        self.play_card(seat, (yield Ask(seat, "lead", self.may_lead(seat))).card)

    def follows(self, seat: int, card: Card) -> Story:
        """There is no choice."""
        yield Ask(seat, "lead", (card.play,))
        self.play_card(seat, card)

    def due(self) -> Card | None:
        """The card that must follow on the run; None after a king.  If nobody has it, the last one was a stop."""
        return NEXT[self.run[-1]]

    def may_lead(self, seat: int) -> tuple[Action, ...]:
        return tuple([card.play for card in self.hands[seat]])

    def play_card(self, seat: int, card: Card) -> None:
        """On to the run; the first without cards is the winner."""
        self.hands[seat].remove(card)
        del self.holder[card]
        self.run.append(card)
        self.played[card] = seat
        if not self.hands[seat]:
            self.winner = seat

    def pay_for_the_cards_left(self) -> None:
        """Each other seat pays the winner for every card left in its hand."""
        for seat in self.round_from(self.winner)[1:]:
            self.pay(seat, self.winner, self.price_of(self.hands[seat]))

    def price_of(self, hand: Sequence[Card]) -> int:
        return len(hand) * int(self.rules.card_price)

    @property
    def cards_left(self) -> list[int]:
        return [len(hand) for hand in self.hands or ()]

    def refusal(self, ask: Ask, said: Action) -> str:
        return f"{ask.phase}: {self.why_refused(ask, said)}"

    def why_refused(self, ask: Ask, said: Action) -> str:
        if said.card and said == said.card.play:
            in_hand = said.card in self.hands[ask.seat]
            return f"{ask.legal[0].card} must be played" if in_hand else f"{said.card} is not in hand"
        return "not a legal action"
