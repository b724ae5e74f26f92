"""Tricks: following suit, and who takes the trick."""
from __future__ import annotations

from collections.abc import Sequence

from ..cards import Card


def follow(hand: Sequence[Card], trick: Sequence[Card]) -> Sequence[Card]:
    """Those of the hand that may be played: of the suit led if it has any, else all."""
    if trick:
        led = trick[0].suit
        return [card for card in hand if card.suit == led] or hand
    return hand


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
