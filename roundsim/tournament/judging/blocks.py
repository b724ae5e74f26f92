"""The blocks of an entry as rows for the statistics, in schedule order."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import combinations, repeat
from operator import truediv
from typing import NamedTuple, TypeVar

from ...statistics.rows import BlockRow
from ..formats import Measure
from ..planning.plan import Entry
from ..results.entry_totals import PackedBlocks

T = TypeVar("T")
Grouped = tuple[tuple[int, ...], list[list[int]]]


class BlockLayout(NamedTuple):
    """How a block is packed: `size` numbers, for `seats` places; the values of the places begin at `at`.

    A value is `scale` times the figure; `scale` is negative if less is better. `by_deals`: a block weighs as much as it
    has deals, else 1. `mean`: an entrant with several places gets their mean, not their sum."""

    size: int
    seats: int
    at: int
    scale: int
    by_deals: bool
    mean: bool


class Blocks:
    """Results of blocks by one measure, for the statistics; only up to block `last`, if that is given."""

    def __init__(
        self, entry: Entry, packed: PackedBlocks, measure: Measure | None = None, last: int | None = None
    ) -> None:
        self.entry, self.packed, self.last = entry, packed, last
        self.measure = measure or entry.format.measures[0]

    @property
    def layout(self) -> BlockLayout:
        """The layout of the blocks that have been added so far."""
        format, measure, seats = self.entry.format, self.measure, self.packed.places
        mean, sign = measure.mean_of_places, -1 if measure.less_is_better else 1
        at = 2 + seats * (1 + format.measures.index(measure))
        scale = sign * measure.parts(self.entry)
        return BlockLayout(self.packed.size, seats, at, scale, format.by_deals, mean)

    def __iter__(self) -> Iterator[BlockRow]:
        """Yield the rows without comparisons."""
        return self.rows(False)

    @property
    def compared(self) -> Iterable[BlockRow]:
        """The rows with comparisons: by deals, or by the block if the block has a winner."""
        return Reiterable(partial(self.rows, True) if self.entry.format.by_deals else self.by_merits)

    @property
    def from_dealer(self) -> Iterable[list[float]]:
        """For each block the mean net per deal of the dealer, the eldest hand, the next ...

        It is empty if the block has a winner."""
        return Reiterable(self.by_place)

    def rows(self, compared: bool) -> Iterator[BlockRow]:
        layout = self.layout
        for packed in self.packed.shards_in_order():
            for row in block_rows(packed, layout, compared):
                if self.last is not None and row.block > self.last:
                    return
                yield row

    def by_merits(self) -> Iterator[BlockRow]:
        for packed, row in zip(self.packed, self, strict=False):
            yield row._replace(ahead=self.by_merit(packed, grouped(seats_in(packed, self.packed.places))[1]))

    def by_place(self) -> Iterator[list[float]]:
        seats = self.packed.places
        for packed in self.packed if self.entry.format.by_deals else ():
            yield [net / packed[1] for net in packed[-seats:]]

    def seats(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield the number of each block, and the entrants at its places."""
        for packed in self.packed:
            yield packed[0], seats_in(packed, self.packed.places)

    def deals(self) -> Iterator[tuple[int, tuple[int, ...], int]]:
        """Yield the number of each block, the entrants at its places, and its deals."""
        for packed in self.packed:
            yield packed[0], seats_in(packed, self.packed.places), packed[1]

    def by_merit(self, packed: Sequence[int], places: list[list[int]]) -> list[tuple[int, float]]:
        """Return for each two entrants whether the first did better in the block."""
        seats, format = self.packed.places, self.entry.format
        signs = [-1 if measure.less_is_better else 1 for measure in format.measures[: format.ranked_by]]
        merits = [
            [sign * sum(packed[2 + seats * (1 + at) + place] for place in mine) for at, sign in enumerate(signs)]
            for mine in places
        ]
        return [(1, (one > other) + (one == other) / 2) for one, other in combinations(merits, 2)]


class Reiterable(Iterable[T]):
    """An iterable that calls `make` for each iteration."""

    def __init__(self, make: Callable[[], Iterator[T]]) -> None:
        self.make = make

    def __iter__(self) -> Iterator[T]:
        return self.make()


def block_rows(packed: array[int], layout: BlockLayout, compared: bool) -> list[BlockRow]:
    """Return the rows of some blocks; if compared, with the share of deals in which the first of two was ahead."""
    size, seats = layout.size, layout.seats
    if any(
        len({*seating}) < seats for seating in {*zip(*[packed[2 + at :: size] for at in range(seats)], strict=True)}
    ):
        return [block_row(packed[at : at + size], layout, compared) for at in range(0, len(packed), size)]
    columns = [packed[at::size] for at in range(size)]
    blocks, deals, *entrants = columns[: 2 + seats] or ((), ())
    weights = deals if layout.by_deals else [1] * len(blocks)
    whole = [weight * layout.scale for weight in weights]
    values = [map(truediv, column, whole) for column in columns[layout.at : layout.at + seats]]
    doubles = columns[size - seats - seats * (seats - 1) // 2 : size - seats] if compared else ()
    ahead = [zip(deals, [doubled / 2 for doubled in column], strict=True) for column in doubles]
    pairs = map(list, zip(*ahead, strict=True)) if ahead else repeat(())
    return [*map(BlockRow, blocks, weights, zip(*entrants, strict=True), map(list, zip(*values, strict=True)), pairs)]


def block_row(packed: array[int], layout: BlockLayout, compared: bool) -> BlockRow:
    """Return the row of a block in which an entrant may have several places."""
    weight, (who, places) = packed[1] if layout.by_deals else 1, grouped(seats_in(packed, layout.seats))
    own = packed[layout.at : layout.at + layout.seats]
    whole = [weight * layout.scale * (len(mine) if layout.mean else 1) for mine in places]
    values = [sum([own[place] for place in mine]) / each for mine, each in zip(places, whole, strict=True)]
    return BlockRow(packed[0], weight, who, values, by_deals(weight, packed, places) if compared else ())


def seats_in(packed: array[int], seats: int) -> tuple[int, ...]:
    return tuple(packed[2 : 2 + seats])


@lru_cache(1 << 12)
def grouped(seats: tuple[int, ...]) -> Grouped:
    """Return the entrants, each once, and the places of each."""
    who = tuple(dict.fromkeys(seats))
    return who, [[place for place, entrant in enumerate(seats) if entrant == each] for each in who]


def by_deals(deals: int, packed: Sequence[int], places: list[list[int]]) -> list[tuple[int, float]]:
    """Return for each two entrants the number of comparisons, and in how many of them the first had more.

    Each deal counts once for each two places of theirs."""
    seats = sum(map(len, places))
    first, at = -seats - seats * (seats - 1) // 2, pair_indexes(seats)

    def ahead(one: int, other: int) -> float:
        doubled = packed[first + at[min(one, other), max(one, other)]]
        return doubled / 2 if one < other else deals - doubled / 2

    return [
        (deals * len(mine) * len(others), sum(ahead(one, other) for one in mine for other in others))
        for mine, others in combinations(places, 2)
    ]


@cache
def pair_indexes(places: int) -> dict[tuple[int, int], int]:
    """Return the index of each pair of places among all pairs."""
    return {pair: at for at, pair in enumerate(combinations(range(places), 2))}
