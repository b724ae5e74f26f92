"""The chance of a deal with two cards exchanged, to find out what depends on cards that a seat has not seen."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from .actions import Action
from .cards import Card
from .chance import Pack, Source


class ExchangeDivergedError(ValueError):
    """The deal with the exchanged cards takes another course: it says nothing about what was seen."""


class ExchangeSource(Source):
    """The chance of a deal, which notes the cards of every pack; `swapped` returns the same with two cards
    exchanged."""

    __slots__ = ("packs", "swap")

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.packs: dict[str, list[Card]] = {}
        self.swap: dict[str, Card] = {}

    def swapped(self, one: Card, other: Card) -> ExchangeSource:
        source = ExchangeSource(self.name)
        source.packs, source.swap = self.packs, {one: other, other: one}
        return source

    def pack(self, cards: Iterable[Card], what: str = "pack") -> Pack:
        if not self.swap:
            self.packs[what] = [*cards]
        elif what not in self.packs:
            raise ExchangeDivergedError(f"another shuffle, {what}")
        pack = super().pack(self.packs[what], what)
        return ExchangedPack(pack, self) if self.swap else pack

    def exchanged(self, thing: Any) -> Any:
        """Return the same with the two cards exchanged, wherever they occur."""
        if isinstance(thing, Card):
            return self.swap.get(thing, thing)
        if isinstance(thing, str):
            return Action(re.sub(r"\w+", lambda word: self.swap.get(word[0], word[0]), thing))
        if isinstance(thing, list | tuple):
            return type(thing)([self.exchanged(part) for part in thing])
        if isinstance(thing, dict):
            return {
                self.exchanged(key) if isinstance(key, Card) else key: self.exchanged(value)
                for key, value in thing.items()
            }
        return thing


class ExchangedPack(Pack):
    """A pack in which two cards are exchanged."""

    __slots__ = ("inner", "source")

    def __init__(self, inner: Pack, source: ExchangeSource) -> None:
        self.inner, self.source = inner, source

    @property
    def cards(self) -> list[Card]:
        return [self.source.swap.get(card, card) for card in self.inner.cards]

    def __len__(self) -> int:
        return len(self.inner)

    def draw(self, n: int) -> list[Card]:
        return [self.source.swap.get(card, card) for card in self.inner.draw(n)]
