"""The rows of consecutive blocks, packed: a column for each number, in 64 bits, compressed."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Generic, NamedTuple, TypeVar

import zstandard

from .packing import unpacked
from .totals import BlockRecord

BASE = 10**18  # squares may have twice as many digits as a column has room for: they have two
LEVEL = 3  # of compression
T = TypeVar("T")


class RowShape(NamedTuple):
    """How many numbers of each kind a row has, in this order; `values` are by measure and place."""

    places: int
    measures: int
    ahead: int
    from_dealer: int
    extra: int

    @classmethod
    def of(cls, row: BlockRecord) -> RowShape:
        return cls(len(row.seats), len(row.values), len(row.ahead), len(row.from_dealer), len(row.extra))

    @property
    def columns(self) -> int:
        """The number of columns: deals, decisions, two for the squares, seats, and the others."""
        return 4 + self.places * (1 + self.measures) + self.ahead + self.from_dealer + self.extra

    def split(self, numbers: Iterable[T]) -> Split[T]:
        """Split the numbers of a row, or columns of them, from the seats on."""
        left = iter(numbers)

        def take(many: int) -> list[T]:
            return [*islice(left, many)]

        seats, values = take(self.places), [take(self.places) for _ in range(self.measures)]
        return Split(seats, values, take(self.ahead), take(self.from_dealer), take(self.extra))


class Split(NamedTuple, Generic[T]):
    """The seats of a row, or columns of them; the values of each measure, and the other numbers (see `BlockResult`)."""

    seats: list[T]
    values: list[list[T]]
    ahead: list[T]
    from_dealer: list[T]
    extra: list[T]


class Batch:
    """Consecutive blocks in columns: blocks, deals, and those of a row from the seats on."""

    def __init__(self, shape: RowShape, columns: Sequence[array[int]]) -> None:
        self.blocks, self.deals, *others = columns
        self.seats, self.values, self.ahead, self.from_dealer, self.extra = shape.split(others)


@dataclass(frozen=True)
class PackedRows:
    """The rows of `count` blocks from `first` on, of one shape."""

    first: int
    count: int
    shape: RowShape
    data: bytes

    @classmethod
    def of(cls, rows: Sequence[BlockRecord]) -> PackedRows:
        """Pack some rows, at least one."""
        numbers = little(numbers_of(rows))
        return cls(rows[0].block, len(rows), RowShape.of(rows[0]), zstandard.compress(numbers.tobytes(), LEVEL))

    def numbers(self) -> array[int]:
        """Return its numbers, column by column. ValueError if they are damaged."""
        numbers = array("q")
        numbers.frombytes(unpacked(self.data, 8 * self.count * self.shape.columns))
        return little(numbers)

    def check(self, strategies: int) -> Batch:
        """Return its columns. ValueError if they have numbers that no run has (see also `Format.check_rows`)."""
        batch = Batch(self.shape, self.columns())
        if min(batch.deals) < 1 or not set().union(*batch.seats) <= {*range(strategies)}:
            raise ValueError("rows of blocks without deals, or with other entrants")
        return batch

    def columns(self) -> list[array[int]]:
        """Return its columns: blocks, deals, and those from the seats on, without decisions and squares."""
        numbers, count = self.numbers(), self.count
        blocks = array("q", range(self.first, self.first + count))
        own = (0, *range(4, self.shape.columns))
        return [blocks, *[numbers[column * count : (column + 1) * count] for column in own]]

    def __iter__(self) -> Iterator[BlockRecord]:
        """Yield each row."""
        numbers, count = self.numbers(), self.count
        for at in range(count):
            yield record(self.first + at, self.shape, numbers[at::count].tolist())


def numbers_of(rows: Sequence[BlockRecord]) -> array[int]:
    """Return the numbers of rows, column by column."""
    return array("q", chain.from_iterable(zip(*map(flat, rows), strict=True)))


def flat(row: BlockRecord) -> Iterable[int]:
    squares = divmod(row.squares, BASE)
    values = chain.from_iterable(row.values)
    return chain((row.deals, row.decisions, *squares), row.seats, values, row.ahead, row.from_dealer, row.extra)


def record(block: int, shape: RowShape, row: list[int]) -> BlockRecord:
    (deals, decisions, high, low), split = row[:4], shape.split(row[4:])
    numbers = deals, decisions, split.values, split.ahead, split.from_dealer
    return BlockRecord(block, split.seats, *numbers, high * BASE + low, split.extra)


def little(numbers: array[int]) -> array[int]:
    """Return numbers in the byte order of a file, or back in that of this machine."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
