"""The blocks of an entry as tables and rows for the statistics."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain, combinations, product, repeat
from operator import mul, sub, truediv
from typing import TypeVar

from ...statistics.rows import BlockRow, BlockTable, Tables, runs_of
from ..formats import Measure
from ..planning.plan import Entry
from ..results.entry_totals import PackedBlocks
from ..results.packed_rows import Batch

T = TypeVar("T")
N = TypeVar("N", int, float)
Columns = list[list[int]]
Compared = tuple[Sequence[int], Sequence[float]]  # how often two were compared, and how often the first was ahead
Seating = tuple[int, ...]
Places = tuple[tuple[int, ...], ...]  # the places of each entrant of a block


class Blocks:
    """Results of blocks by one measure, for the statistics; rows only up to block `last`, if that is given."""

    def __init__(
        self, entry: Entry, packed: PackedBlocks, measure: Measure | None = None, last: int | None = None
    ) -> None:
        self.entry, self.packed, self.last = entry, packed, last
        self.measure = measure or entry.format.measures[0]

    def __iter__(self) -> Iterator[BlockRow]:
        """Yield the rows in schedule order, without comparisons."""
        for batch in self.packed:
            for row in sorted(chain.from_iterable(table.rows() for table in self.tables_in(batch))):
                if self.last is not None and row.block > self.last:
                    return
                yield row

    @property
    def tables(self) -> Tables:
        """The blocks as tables, without comparisons."""
        return Reiterable(partial(self.every_table, False))

    @property
    def compared(self) -> Tables:
        """The tables with comparisons: by deals, or by the block if the block has a winner."""
        return Reiterable(partial(self.every_table, True))

    @property
    def from_dealer(self) -> Iterator[list[list[float]]]:
        """In columns the mean net per deal of the dealer, the eldest hand, the next ... in each block.

        It is empty if the block has a winner."""
        for batch in self.packed if self.entry.format.by_deals else ():
            yield [list(map(truediv, column, batch.deals)) for column in batch.from_dealer]

    def deals(self) -> Iterator[tuple[int, tuple[int, ...], int]]:
        """Yield the number of each block, the entrants at its places, and its deals."""
        for batch in self.packed:
            yield from zip(batch.blocks, zip(*batch.seats, strict=True), batch.deals, strict=True)

    def extra(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield the number of each block, and the further numbers of its format."""
        for batch in self.packed:
            yield from zip(batch.blocks, zip(*batch.extra, strict=True), strict=True)

    def every_table(self, compared: bool) -> Iterator[BlockTable]:
        for batch in self.packed:
            yield from self.tables_in(batch, compared)

    def tables_in(self, batch: Batch, compared: bool = False) -> Iterator[BlockTable]:
        """Yield a table for each way in which entrants share places."""
        by_seating, alike = defaultdict[Seating, list[int]](list), defaultdict[Places, list[int]](list)
        for at, seating in enumerate(zip(*batch.seats, strict=True)):
            by_seating[seating].append(at)
        for seating, rows in sorted(by_seating.items()):
            alike[places_in(seating)] += rows
        for places, rows in alike.items():
            yield self.table(batch, places, rows, compared)

    def table(self, batch: Batch, places: Places, rows: Sequence[int], compared: bool) -> BlockTable:
        """Return some rows of a batch as a table. A block weighs as much as it has deals, or 1 if it has a winner."""
        format, measure = self.entry.format, self.measure

        def picked(columns: Iterable[Sequence[int]]) -> Columns:
            return [list(map(column.__getitem__, rows)) for column in columns]

        blocks, deals, *seats = picked([batch.blocks, batch.deals, *batch.seats])
        weights = deals if format.by_deals else [1] * len(rows)
        scale = (-1 if measure.less_is_better else 1) * measure.parts(self.entry)
        own = picked(batch.values[format.measures.index(measure)])
        values = []
        for mine in places:
            wholes = scaled(weights, scale * (len(mine) if measure.mean_of_places else 1))
            values.append(list(map(truediv, total([own[place] for place in mine]), wholes)))
        ahead = list[Compared]()
        if compared and format.by_deals:
            ahead = ahead_in_deals(deals, places, picked(batch.ahead))
        elif compared:
            ahead = self.better(places, [*map(picked, batch.values)])
        entrants = [seats[mine[0]] for mine in places]
        return BlockTable(blocks, weights, entrants, values, ahead, runs_of(zip(*entrants, strict=True)))

    def better(self, places: Places, values: Sequence[Columns]) -> list[Compared]:
        """Return for each two entrants whether the first did better in each block."""
        ranking = [
            (own, -1 if measure.less_is_better else 1)
            for own, measure in zip(values, self.entry.format.measures, strict=True)
        ][: self.entry.format.ranked_by]
        merits = [
            [*zip(*[scaled(total([own[place] for place in mine]), sign) for own, sign in ranking], strict=True)]
            for mine in places
        ]
        return [
            ([1] * len(first), [(one > other) + (one == other) / 2 for one, other in zip(first, second, strict=True)])
            for first, second in combinations(merits, 2)
        ]


class Reiterable(Iterable[T]):
    """An iterable that calls `make` for each iteration."""

    def __init__(self, make: Callable[[], Iterator[T]]) -> None:
        self.make = make

    def __iter__(self) -> Iterator[T]:
        return self.make()


def ahead_in_deals(deals: Sequence[int], places: Places, doubled: Columns) -> list[Compared]:
    """Return for each two entrants the number of comparisons, and in how many of them the first had more.

    Each deal counts once for each two places of theirs."""
    pairs = [*combinations(sorted(chain(*places)), 2)]
    ahead = {pair: [count / 2 for count in column] for pair, column in zip(pairs, doubled, strict=True)}
    ahead |= {pair[::-1]: list(map(sub, deals, column)) for pair, column in ahead.items()}
    return [
        (scaled(deals, len(mine) * len(others)), total([ahead[pair] for pair in product(mine, others)]))
        for mine, others in combinations(places, 2)
    ]


def total(columns: Sequence[Sequence[N]]) -> Sequence[N]:
    """Return the sum of some columns."""
    return list(map(sum, zip(*columns, strict=True))) if len(columns) > 1 else columns[0]


def scaled(column: Sequence[int], scale: int) -> Sequence[int]:
    return column if scale == 1 else list(map(mul, column, repeat(scale)))


@lru_cache(1 << 12)
def places_in(seating: Seating) -> Places:
    """Return the places of each entrant."""
    return tuple(
        [tuple([at for at, entrant in enumerate(seating) if entrant == one]) for one in dict.fromkeys(seating)]
    )
