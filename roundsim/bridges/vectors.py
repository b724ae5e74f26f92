"""The view of a seat as a vector of numbers from -1 to 1, of equal length for a whole table.

The kinds of the view's names decide the encoding. Each card and each word has its own place, which is marked. Seats are
numbered from one's own. A number is encoded by its size, on a logarithmic scale. The history is only encoded as its
length."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from hashlib import blake2b
from math import copysign, log1p
from typing import Any, NamedTuple
from zlib import crc32

from ..base.errors import InputError
from ..native import native
from ..table.cards import SUITS
from ..table.deal import Ask, Deal, Sealed, deal_of
from ..table.kinds import Kind
from ..table.options import Rules
from ..table.view import TableView
from .tokens import Spoken, Tokens

LAYOUT = 1  # the version of the encoding: raise it when a vector of the same places means something else
LARGEST = 14  # the logarithm of 1.2 million
STRANGE = 8  # places for words that no phase names
SOME = 4  # the first of a list of numbers
KEPT = 1 << 16  # texts whose marks are kept
LEFT_OUT = "seat", "game", "players", "phase", "history"  # constant for a whole table, or encoded elsewhere
Put = Callable[["array[float]", int, Any, int], object]


class Coder(NamedTuple):
    """The encoder of some kind: the number of places, and `put(vector, place, thing, own seat)`.

    The native writer knows it by its `kind`, the encoders `of` its parts, and its `places`."""

    size: int
    put: Put
    kind: str
    of: tuple[Coder, ...] = ()
    places: Any = ()


class Marks(dict[str, tuple[tuple[int, float], ...]]):
    """The marks of texts: the place and the number of each, found once by `mark`."""

    def __init__(self, mark: Callable[[str], tuple[int, float]]) -> None:
        self.mark = mark

    def __missing__(self, text: str) -> tuple[tuple[int, float], ...]:
        marks = tuple([self.mark(word) for word in text.split()])
        return self.setdefault(text, marks) if len(self) < KEPT else marks


class Vectors:
    """The vectors of a table. `places`: the range of each name in the vector; the last is for the words said so far.

    DeclarationError for a name whose type gives no kind."""

    def __init__(self, game: type[Deal], rules: Rules, tokens: Tokens | None = None) -> None:
        self.game, self.rules, self.players = game, rules, rules.players
        self.tokens = tokens or Tokens(game, rules)
        self.cards = {card: place for place, card in enumerate(dict.fromkeys(game.cards_at(rules)))}
        words = (*game.words(rules).names, *SUITS)
        self.words = {word: place for place, word in enumerate(dict.fromkeys(words))}
        self.phases = {phase: place for place, phase in enumerate(rules.played_by.phases, 2)}
        self.all_hear = (Ask, Sealed) if game.seen_by is Deal.seen_by else ()  # the questions whose answers all hear
        self.places, self.size = dict[str, range](), 0
        self._place("over", 1)
        self._place("history", 1)
        self._place("phase", len(self.phases))
        parts = list[tuple[str, int, Coder]]()
        for name, kind in game.View.kinds.items():
            if name not in LEFT_OUT:
                parts.append((name, self.size, self.pools() if name == "pools" else self.coder(kind)))
                self._place(name, parts[-1][2].size)
        self.parts, self.words_at = tuple(parts), self.size
        self._place("said", len(self.tokens) + 1)

    @cached_property
    def layout(self) -> str:
        """A text for files of weights that distinguishes this layout from any other: of places, tokens, game and encoding."""
        places = [(name, place.start, place.stop) for name, place in self.places.items()]
        parts = LAYOUT, places, self.tokens.texts, [*self.cards], [*self.words], [*self.phases]
        digest = blake2b(repr(parts).encode(), digest_size=8).hexdigest()
        return f"layout {LAYOUT} of {self.game.id}/{self.game.version} for {self.players} ({digest})"

    def _place(self, name: str, size: int) -> None:
        self.places[name] = range(self.size, self.size + size)
        self.size += size

    def of(self, view: TableView, spoken: Spoken | None = None) -> array[float]:
        """Return the vector of a view, in single precision, and of what its seat has said so far of an action."""
        vector = array("f", bytes(4 * self.size))
        self.write(vector, 0, view, spoken)
        return vector

    def write(self, into: Any, at: int, view: TableView, spoken: Spoken | None = None) -> None:
        """Write the same into a flat buffer of floats, from this place on, where it is all 0."""
        write_view(self, view, into, at)
        if spoken is not None:
            first = at + self.words_at
            for token in spoken.said:
                into[first + token] = 1
            if spoken.sum:
                into[at + self.size - 1] = sized(spoken.sum)

    # Encoders of the kinds.

    def coder(self, kind: Kind) -> Coder:
        match kind.what:
            case "card":
                return self.one_of(self.cards)
            case "seat":
                return self.seat()
            case "number":
                return Coder(2, number_coder, "number")
            case "flag":
                return Coder(1, flag, "flag")
            case "word":
                return self.word()
            case "each":
                return self.by_seat(self.coder(kind.of[0]))
            case "tuple":
                return concatenated([self.coder(part) for part in kind.of])
            case "map" if kind.of[0].what == "seat":
                return self.by_seat(self.coder(kind.of[1]), lambda thing: thing.items())
            case "map":
                return laid_over(concatenated([self.coder(part) for part in kind.of]), lambda thing: thing.items())
            case "list" if kind.of[0].what == "number":
                return first_ones(self.coder(kind.of[0]))
            case _:
                return laid_over(self.coder(kind.of[0]))

    @staticmethod
    def one_of(places: dict[Any, int]) -> Coder:
        """A mark in its place; a thing without a place is left out."""

        def put(vector: array[float], at: int, thing: Any, seat: int) -> None:
            if (place := places.get(thing)) is not None:
                vector[at + place] = 1

        return Coder(len(places), put, "mark", places=places)

    def seat(self) -> Coder:
        """A mark at the distance of the seat from one's own; none for nobody."""
        players = self.players

        def put(vector: array[float], at: int, thing: int, seat: int) -> None:
            if thing >= 0:
                vector[at + (thing - seat) % players] = 1

        return Coder(players, put, "seat")

    def word(self) -> Coder:
        """A mark for each of its words, and a number in it; unknown words share a few places."""
        places, strange = self.words, len(self.words)

        def mark(word: str) -> tuple[int, float]:
            if word.isdecimal():
                return strange + STRANGE, sized(int(word))
            return places.get(word, strange + crc32(word.encode()) % STRANGE), 1.0

        marks = Marks(mark)

        def put(vector: array[float], at: int, thing: str, seat: int) -> None:
            for place, number in marks[thing]:
                vector[at + place] = number

        return Coder(strange + STRANGE + 1, put, "word", places=marks)

    def by_seat(self, inner: Coder, items: Callable[[Any], Iterable[Any]] = enumerate) -> Coder:
        """A value for each seat, one's own first."""
        players, size, put_one = self.players, inner.size, inner.put

        def put(vector: array[float], at: int, thing: Any, seat: int) -> None:
            for whose, value in items(thing):
                if value is not None:
                    put_one(vector, at + (whose - seat) % players * size, value, seat)

        return Coder(players * size, put, "each", (inner,))

    def pools(self) -> Coder:
        """The counters in each pool of the table."""
        names = tuple(self.rules.pool_names)

        def put(vector: array[float], at: int, thing: Any, seat: int) -> None:
            for place, name in enumerate(names):
                vector[at + place] = sized(thing[name])

        return Coder(len(names), put, "pools", places=names)


@native
def write_row(vectors: Vectors, view: TableView, spoken: Spoken, into: Any, masks: Any, row: int) -> None:
    """Write a row of two flat buffers, where it is all 0: of floats, what a view shows and its seat has said; of bytes, a
    1 for each token that may be said."""
    vectors.write(into, row * vectors.size, view, spoken)
    first = row * len(vectors.tokens)
    for token in spoken.open:
        masks[first + token] = 1


@native
def write_view(vectors: Vectors, view: TableView, into: Any, at: int) -> None:
    """Write what a view shows into a flat buffer of floats, from this place on, where it is all 0."""
    into[at + vectors.phases.get(view.phase, 0)] = 1
    into[at + 1] = sized(len(view.history))
    seat = view.seat
    for name, place, coder in vectors.parts:
        thing = getattr(view, name)
        if thing is not None:
            coder.put(into, at + place, thing, seat)


def sized(number: float) -> float:
    """Scale a number logarithmically: 1 is 0.05, a million 0.99; the result is at most 1."""
    return copysign(min(log1p(abs(number)) / LARGEST, 1), number)


def number_coder(vector: array[float], at: int, thing: float, seat: int) -> None:
    """Encode that there is a number, and its size."""
    vector[at] = 1
    vector[at + 1] = sized(thing)


def flag(vector: array[float], at: int, thing: bool, seat: int) -> None:
    vector[at] = 1 if thing else -1


def concatenated(parts: Sequence[Coder]) -> Coder:
    """Several things, one after the other."""

    def put(vector: array[float], at: int, thing: Any, seat: int) -> None:
        for part, value in zip(parts, thing, strict=True):
            if value is not None:
                part.put(vector, at, value, seat)
            at += part.size

    return Coder(sum(part.size for part in parts), put, "tuple", tuple(parts))


def laid_over(inner: Coder, items: Callable[[Any], Iterable[Any]] = iter) -> Coder:
    """Their number, and all of them in the same places; if two numbers share a place, the last counts."""
    put_one = inner.put

    def put(vector: array[float], at: int, thing: Any, seat: int) -> None:
        vector[at] = sized(len(thing))
        for value in items(thing):
            if value is not None:
                put_one(vector, at + 1, value, seat)

    return Coder(1 + inner.size, put, "list", (inner,))


def first_ones(inner: Coder) -> Coder:
    """Their number, and the first few of them."""
    size, put_one = inner.size, inner.put

    def put(vector: array[float], at: int, thing: Any, seat: int) -> None:
        vector[at] = sized(len(thing))
        for place, value in enumerate(thing[:SOME]):
            if value is not None:
                put_one(vector, at + 1 + place * size, value, seat)

    return Coder(1 + SOME * size, put, "brief list", (inner,))


@lru_cache(8)
def vectors_of(rules: Rules) -> Vectors:
    """Return the vectors of a table, made once."""
    return Vectors(rules.of, rules)


def vectors_at(view: TableView, layout: str | None = None) -> Vectors:
    """Return the vectors of the table whose view a strategy sees. `layout`: that with which its weights were trained.

    InputError if it is not the one of this table."""
    vectors = vectors_of(deal_of(view).rules)
    if layout is not None and layout != (own := vectors.layout):
        raise InputError(f"trained with {layout}, here it is {own}: train again, at a table like this one")
    return vectors
