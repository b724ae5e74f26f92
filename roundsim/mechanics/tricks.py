"""Tricks: what lies on the table, following suit, and who takes the trick."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..actions import Action
from ..cards import Card
from ..table import Deal


class Tricks(Deal):
    """A deal that is played in tricks."""

    public = {
        "leader": "the seat that led, or leads, the trick on the table",
        "trick": "the cards on the table, in the order of play",
        "tricks": "the tricks that are over: (leader, cards) each",
        "won": "tricks won, by seat",
    }
    leader: Any
    trick: list[Card]
    tricks: list[tuple[int, list[Card]]]
    won: list[int]

    def clear_the_table(self, leader: int | None = None) -> None:
        """No trick has been played yet."""
        self.leader, self.trick, self.tricks, self.won = leader, [], [], [0] * self.players

    def gather(self, winner: int) -> None:
        """The trick is over; who has won it leads to the next."""
        self.won[winner] += 1
        self.tricks.append((self.leader, self.trick))
        self.leader, self.trick = winner, []


def may_play(hand: Sequence[Card], trick: Sequence[Card]) -> tuple[Action, ...]:
    """Playing any card of the suit led, if the hand has one; else any card."""
    if trick:
        led = trick[0].suit
        return tuple([card.play for card in hand if card.suit == led] or [card.play for card in hand])
    return tuple([card.play for card in hand])


def taker(trick: Sequence[Card], trumps: str | None) -> int:
    """The place in the trick of its highest trump, or else of the highest card of the suit led; ace high."""
    best = trick[0]
    for card in trick:
        if card.suit == best.suit:
            if card.rank > best.rank:
                best = card
        elif card.suit == trumps:
            best = card
    return trick.index(best)
