"""An action is its text, 'play As', 'raise 4', 'discard 2c 5d', and knows its parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from ..native import native
from .cards import CARD, Card, put, unchangeable


class Action(str):
    """A statement or move of a player: `verb`, the `words` after it, the `card` named first, `cards`, and `amount` (0
    if none). It is its text, and cannot be changed.

    >>> from roundsim.strategy import Action
    >>> action = Action("discard 2c 5d")
    >>> action.verb, action.cards, action.amount, Action("raise 12").amount
    ('discard', ('2c', '5d'), 0, 12)"""

    __slots__ = ("verb", "words", "card", "cards", "amount")
    verb: str
    words: tuple[str, ...]
    card: Any
    cards: tuple[Card, ...]
    amount: int

    def __new__(cls, text: str) -> Action:
        self = super().__new__(cls, text)
        verb, *words = text.split() or [""]
        cards = tuple([CARD[word] for word in words if word in CARD])
        put(self, "verb", verb)
        put(self, "words", tuple(words))
        put(self, "cards", cards)
        put(self, "card", cards[0] if cards else None)
        put(self, "amount", int(words[0]) if words and words[0].isdecimal() and len(words[0]) < 4000 else 0)
        return self

    __setattr__ = __delattr__ = unchangeable

    def __reduce__(self) -> tuple[Any, ...]:
        return say, (str(self),)


@lru_cache(1 << 13)
def say(*words: object) -> Action:
    """Return the action of these words. The last few thousand are kept, so that each is made once.

    >>> from roundsim.game import CARD, say
    >>> say("raise", 12), say("draw", CARD["Ah"], CARD["2c"])
    ('raise 12', 'draw Ah 2c')"""
    return Action(" ".join(map(str, words)))


def naming(verb: str, cards: Sequence[Card]) -> Action:
    """Return the action that names these cards, without reading them from its text.

    >>> from roundsim.game import cards, naming
    >>> naming("discard", cards("2c 5d"))
    'discard 2c 5d'"""
    cards = tuple(cards)
    self = str.__new__(Action, " ".join((verb, *cards)))
    put(self, "verb", verb)
    put(self, "words", cards)
    put(self, "cards", cards)
    put(self, "card", cards[0] if cards else None)
    put(self, "amount", 0)
    return self


for one_card in CARD.values():
    put(one_card, "play", Action(f"play {one_card}"))


@native
def play_actions(cards: Sequence[Card], suit: str | None = None) -> tuple[Action, ...]:
    """Return the actions of playing each of these cards, or those of a suit, in their order."""
    if suit is None:
        return tuple([card.play for card in cards])
    return tuple([card.play for card in cards if card.suit == suit])


@native
def actions_for(cards: Sequence[Card], first: tuple[Action, ...], *tables: Mapping[Card, Action]) -> tuple[Action, ...]:
    """Return the actions `first`, then from each table the action of each card. Raises KeyError if a table does not
    have one."""
    return (*first, *[table[card] for table in tables for card in cards])


PASS, STAND, YES, NO = map(say, ("pass", "stand", "yes", "no"))
