"""Offers: what may be said of each card of a hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..table.actions import Action
from ..table.cards import Card


def naming_each(hand: Sequence[Card], first: tuple[Action, ...], *verbs: Mapping[Card, Action]) -> tuple[Action, ...]:
    """Some actions first, then of each verb that which names each card of the hand (their order ours)."""
    return (*first, *[action for said in verbs for action in map(said.__getitem__, hand)])
