"""Tricks: following suit, and who takes the trick."""

from __future__ import annotations

from collections.abc import Sequence

from ..actions import Action
from ..cards import Card


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
