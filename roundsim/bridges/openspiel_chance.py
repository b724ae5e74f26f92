"""Chance as a player that is asked: a deal reads the numbers drawn so far, then stops with `NotDrawnError`.

No game is changed for this, because all draws go through the deal's `Source`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from ..base.errors import IllegalError, InputError, RulesError
from ..table.cards import CARD, Card
from ..table.chance import Pack, Source
from ..table.imagined import DivergedError

T = TypeVar("T")
CARDS = tuple(CARD.values())
NUMBER = {card: number for number, card in enumerate(CARDS)}
MAX_LOT = 128  # of things other than cards, and of all numbers


class Lot:
    """Things to draw from, all equally likely, by numbers: a card has its own number, anything else its index."""

    __slots__ = ("things", "left")

    def __init__(self, things: Iterable[Any]) -> None:
        own = list(things)
        cards = all([type(thing) is Card for thing in own])
        if len(own) > MAX_LOT and not cards:
            raise InputError(f"one of {len(own)} things is drawn: for OpenSpiel they may be {MAX_LOT} at most")
        self.things: Sequence[Any] = CARDS if cards else own
        self.left = sorted([NUMBER[card] for card in own]) if cards else [*range(len(own))]

    def take(self, number: int) -> Any:
        """Draw the thing with this number, which must be here."""
        self.left.remove(number)
        return self.things[number]

    def number(self, thing: Any) -> int:
        """Return the number of a thing. DivergedError if it is not here."""
        for number in self.left:
            if self.things[number] == thing:
                return number
        raise DivergedError


class PendingDraw:
    """A question to chance: draw `more` things of a lot, one by one."""

    __slots__ = ("lot", "more")

    def __init__(self, lot: Lot, more: int) -> None:
        self.lot, self.more = lot, more

    def copy(self) -> PendingDraw:
        copy = PendingDraw(Lot(()), self.more)
        copy.lot.things, copy.lot.left = self.lot.things, [*self.lot.left]
        return copy

    def outcomes(self) -> list[tuple[int, float]]:
        """Return the numbers that may be drawn next, in order, and their probabilities: a card may be there twice."""
        left = self.lot.left
        single = [*dict.fromkeys(left)]
        if len(single) == len(left):
            return [(number, 1 / len(left)) for number in left]
        return [(number, left.count(number) / len(left)) for number in single]

    def take(self, number: int) -> None:
        """Draw this one. IllegalError, and no change, if it is not here."""
        if number not in self.lot.left:
            raise IllegalError(f"{number} cannot be drawn: expected is one of {[*dict.fromkeys(self.lot.left)]}")
        self.lot.take(number)
        self.more -= 1

    @property
    def done(self) -> bool:
        """Whether nothing is left to draw."""
        return not self.more or len(self.lot.left) < 2


class NotDrawnError(Exception):  # noqa: N818 - not an error
    """The next draw is not decided yet."""

    def __init__(self, draw: PendingDraw) -> None:
        self.draw = draw


class Drawn:
    """The numbers that were drawn in a sitting, as its deals read them; those before `at` have been read."""

    __slots__ = ("numbers", "at")

    def __init__(self, numbers: list[int]) -> None:
        self.numbers, self.at = numbers, 0

    def take(self, lot: Lot, n: int, what: str) -> list[Any]:
        """Return the next n things of a lot. NotDrawnError if they are not drawn yet."""
        drawn = []
        for more in range(n, 0, -1):
            number = self.number(lot, more, what) if len(lot.left) > 1 else lot.left[0]
            drawn.append(lot.take(number))
        return drawn

    def number(self, lot: Lot, more: int, what: str) -> int:
        """Return the next number of a lot."""
        if self.at == len(self.numbers):
            raise NotDrawnError(PendingDraw(lot, more))
        self.at += 1
        return self.numbers[self.at - 1]


class Imitated(Drawn):
    """The draws of an imagined deal, from what was drawn of each pack there; the numbers are noted."""

    __slots__ = ("due",)

    def __init__(self, *due: Mapping[str, Sequence[Any]]) -> None:
        super().__init__([])
        self.due = {what: iter(things) for draws in due for what, things in draws.items()}

    def number(self, lot: Lot, more: int, what: str) -> int:
        self.numbers.append(lot.number(next(self.due.get(what, iter(())), None)))
        return self.numbers[-1]


class DrawnPack(Pack):
    """A pack that gives the cards that were drawn."""

    __slots__ = ("lot", "drawn", "what")

    def __init__(self, cards: Iterable[Card], drawn: Drawn, what: str) -> None:
        self.lot, self.drawn, self.what = Lot(cards), drawn, what

    @property
    def cards(self) -> list[Card]:
        return [self.lot.things[number] for number in self.lot.left]

    def __len__(self) -> int:
        return len(self.lot.left)

    def draw(self, n: int) -> list[Card]:
        if n > len(self):
            raise RulesError(f"{n} cards are drawn of a pack of {len(self)}")
        return self.drawn.take(self.lot, n, self.what)


class DrawnSource(Source):
    """The chance of a deal that gives what was drawn."""

    __slots__ = ("drawn",)

    def __init__(self, drawn: Drawn) -> None:
        super().__init__("")
        self.drawn = drawn

    def pack(self, cards: Iterable[Card], what: str = "pack") -> Pack:
        return DrawnPack(cards, self.drawn, what)

    def shuffled(self, things: Iterable[T], what: str) -> list[T]:
        lot = Lot(things)
        return self.drawn.take(lot, len(lot.left), what)
