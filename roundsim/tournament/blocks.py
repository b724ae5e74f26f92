"""The blocks of an entry as statistics ask for them, in the order of the schedule."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import TypeVar

from ..statistics.rows import Row
from .fold import Packed
from .formats import Measure
from .plan import Entry

T = TypeVar("T")
Grouped = tuple[tuple[int, ...], list[list[int]]]


class Blocks:
    """What blocks came to by a measure, as statistics ask for it; up to block `last`, if that is given."""

    def __init__(self, entry: Entry, packed: Packed, measure: Measure | None = None, last: int | None = None) -> None:
        self.entry, self.packed, self.last = entry, packed, last
        self.measure = measure or entry.format.measures[0]
        self.grouped = cache(grouped)

    def __iter__(self) -> Iterator[Row]:
        """The rows, without who was ahead."""
        for block, weight, seats, values, _ in self.read():
            who, places = self.grouped(seats)
            yield Row(block, weight, who, self.values_of(weight, values, places), ())

    @property
    def compared(self) -> Iterable[Row]:
        """The rows, with who was ahead: by deals, or where the block has a winner, by that."""
        return Again(self.with_ahead)

    @property
    def from_dealer(self) -> Iterable[list[float]]:
        """Of each block the mean net a deal of the dealer, of eldest, of the next; nothing where there is none."""
        return Again(self.by_place)

    def with_ahead(self) -> Iterator[Row]:
        for block, weight, seats, values, packed in self.read():
            who, places = self.grouped(seats)
            ahead = by_deals(weight, packed, places) if self.entry.format.by_deals else self.by_merit(packed, places)
            yield Row(block, weight, who, self.values_of(weight, values, places), ahead)

    def by_place(self) -> Iterator[list[float]]:
        seats = self.packed.places
        for packed in self.packed if self.entry.format.by_deals else ():
            yield [net / packed[1] for net in packed[-seats:]]

    def read(self) -> Iterator[tuple[int, int, tuple[int, ...], array[int], array[int]]]:
        """Of each block its number, weight, seats, values by place, and all that is packed."""
        seats, by_deals = self.packed.places, self.entry.format.by_deals
        at = 2 + seats * (1 + self.entry.format.measures.index(self.measure))
        for packed in self.packed:
            if self.last is not None and packed[0] > self.last:
                return
            yield packed[0], packed[1] if by_deals else 1, tuple(packed[2 : 2 + seats]), packed[at : at + seats], packed

    def values_of(self, weight: int, values: Sequence[int], places: list[list[int]]) -> list[float]:
        """Of each entrant, more being better."""
        sign = -1 if self.measure.less_is_better else 1
        scale = sign * weight * self.measure.parts(self.entry)
        if self.measure.mean_of_places:
            scale = sign * weight
            return [sum([values[place] for place in mine]) / (len(mine) * scale) for mine in places]
        return [sum([values[place] for place in mine]) / scale for mine in places]

    def by_merit(self, packed: Sequence[int], places: list[list[int]]) -> list[tuple[int, float]]:
        """Of each two entrants, whether the first did better in the block."""
        seats, format = self.packed.places, self.entry.format
        merits = [
            [
                -packed[2 + seats * (1 + at) + place]
                if measure.less_is_better
                else packed[2 + seats * (1 + at) + place]
                for at, measure in enumerate(format.measures[: format.ranked_by])
            ]
            for (place,) in places
        ]
        return [(1, (one > other) + (one == other) / 2) for one, other in combinations(merits, 2)]


class Again(Iterable[T]):
    """What is made anew each time that it is gone through."""

    def __init__(self, make: Callable[[], Iterator[T]]) -> None:
        self.make = make

    def __iter__(self) -> Iterator[T]:
        return self.make()


def grouped(seats: tuple[int, ...]) -> Grouped:
    """Who sits there, each once, and the places of each."""
    who = tuple(dict.fromkeys(seats))
    return who, [[place for place, entrant in enumerate(seats) if entrant == each] for each in who]


def by_deals(deals: int, packed: Sequence[int], places: list[list[int]]) -> list[tuple[int, float]]:
    """Of each two entrants in how many deals they were compared, once for each two places of theirs, and in how many
    the first had more."""
    seats = sum(map(len, places))
    first, at = -seats - seats * (seats - 1) // 2, pairs_of(seats)

    def ahead(one: int, other: int) -> float:
        doubled = packed[first + at[min(one, other), max(one, other)]]
        return doubled / 2 if one < other else deals - doubled / 2

    return [
        (deals * len(mine) * len(others), sum(ahead(one, other) for one in mine for other in others))
        for mine, others in combinations(places, 2)
    ]


@cache
def pairs_of(places: int) -> dict[tuple[int, int], int]:
    """Where each two places stand among all pairs."""
    return {pair: at for at, pair in enumerate(combinations(range(places), 2))}
