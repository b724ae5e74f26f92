"""Other luck from a question on: what a pack still holds there comes in another order.

Nobody has seen those cards when the question is asked, so every order of them is as likely as the true one, whatever the
strategies are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Self, TypeVar, cast

from ..table.cards import Card
from ..table.chance import Pack, Shuffle, Source
from ..table.deal import Deal
from ..table.options import Rules
from .sitting import Sitting

T = TypeVar("T")


class RedrawnSitting(Sitting):
    """A sitting with other luck from an action on, of the deal with this number; both are counted from 1.

    `order`: the number of the order of the cards; in order 0, the true one, they are only counted. `source`: the chance
    of that deal, once it is dealt."""

    __slots__ = ("number", "action", "order", "dealt", "source")

    def __init__(self, game: type[Deal], rules: Rules, deals: int, at: tuple[int, int], order: int = 0) -> None:
        super().__init__(game, rules, deals=deals)
        (self.number, self.action), self.order, self.dealt = at, order, 0

    def next_deal(self, source: Source) -> Deal:
        self.dealt += 1
        if self.dealt != self.number:
            return super().next_deal(source)
        self.source = RedrawnSource(source.name, self.action, self.order)
        return self.source.deal_by(super().next_deal)


class RedrawnSource(Source):
    """The chance of the deal. `drawn`: the cards that were drawn after the action."""

    __slots__ = ("action", "order", "drawn", "deal")

    def __init__(self, name: str, action: int, order: int) -> None:
        super().__init__(name)
        self.action, self.order, self.drawn = action, order, 0
        self.deal: Deal | None = None  # until it is made

    def new_deal(self, make: Callable[[Source], T]) -> T:
        return RedrawnSource(self.name, self.action, self.order).deal_by(make)

    def deal_by(self, make: Callable[[Self], T]) -> T:
        """Return the deal that is made of it."""
        made = make(self)
        self.deal = cast(Deal, made)
        return made

    @property
    def is_later(self) -> bool:
        """Whether the action is done."""
        return self.deal is not None and len(self.deal.actions) >= self.action

    def pack(self, cards: Iterable[Card], what: str = "pack") -> Pack:
        return RedrawnPack(self.shuffle(cards, what), self, what)

    def shuffle(self, cards: Iterable[Card], what: str) -> Shuffle:
        """Return cards as they are shuffled now."""
        order = f"/order {self.order}" if self.order and self.is_later else ""
        return Shuffle(cards, f"{self.name}/{what}{order}")


class RedrawnPack(Pack):
    """A pack whose rest is shuffled again when the action is done."""

    __slots__ = ("source", "what", "is_later")

    def __init__(self, shuffle: Shuffle, source: RedrawnSource, what: str) -> None:
        super().__init__(shuffle)
        self.source, self.what, self.is_later = source, what, source.is_later

    def draw(self, n: int) -> list[Card]:
        source = self.source
        if source.is_later:
            if source.order and not self.is_later:
                self.shuffle, self.at, self.is_later = source.shuffle(sorted(self.cards), self.what), 0, True
            source.drawn += n
        return super().draw(n)
