"""Totals of a whole entry: its tally and its blocks, added shard by shard in any order."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from itertools import chain
from tempfile import TemporaryFile, gettempdir
from typing import IO, NamedTuple
from weakref import finalize

import zstandard

from ...errors import FolderError
from ...words import so_many
from .at_fault import DealsAtFault
from .record import FaultReport
from .totals import FAULTS_IN_FULL, BlockRecord, ShardTotals

MAX_BYTES_IN_MEMORY = 1 << 22  # bytes of blocks that are held in memory

Piece = tuple[int, int]  # of the file: where it begins, and how long it is


class PackedBlocks:
    """The number, deals, seats and figures of each block, as in `tally.BlockRecord`, by shard.

    All except the first are packed in an unnamed temporary file, so the longest run takes no more memory."""

    def __init__(self) -> None:
        self.shards: dict[int, array[int] | Piece] = {}
        self.places = self.size = self.held = self.end = 0  # bytes in memory; the end of the file
        self.file: IO[bytes] | None = None
        self.whole: PackedBlocks | None = None  # of a part, what keeps the file open

    def add(self, shard: int, rows: Iterable[BlockRecord]) -> None:
        """Add the blocks of a shard. Shards may come in any order. FolderError."""
        packed = array("q")
        for row in rows:
            start = len(packed)
            packed.extend((row.block, row.deals))
            packed.extend(chain(row.seats, *row.values, row.ahead, row.from_dealer, row.extra))
            self.places, self.size = len(row.seats), len(packed) - start
        size = len(packed) * packed.itemsize
        if self.held + size <= MAX_BYTES_IN_MEMORY:
            self.shards[shard] = packed
            self.held += size
        else:
            self.put_away(shard, packed)

    def put_away(self, shard: int, packed: array[int]) -> None:
        data = zstandard.compress(packed.tobytes(), 1)
        with reaching():
            if not self.file:
                self.file = TemporaryFile()  # noqa: SIM115 - it stays open as long as this object exists
                finalize(self, self.file.close)
            self.file.seek(self.end)
            self.file.write(data)
        self.shards[shard] = self.end, len(data)
        self.end += len(data)

    def of(self, shard: int) -> array[int]:
        """Return the numbers of a shard's blocks. FolderError."""
        there = self.shards[shard]
        if isinstance(there, array):
            return there
        packed = array("q")
        with reaching():
            assert self.file
            self.file.seek(there[0])
            packed.frombytes(zstandard.decompress(self.file.read(there[1])))
        return packed

    def same(self, other: PackedBlocks) -> bool:
        """Whether it has the same blocks."""
        return self.shards.keys() == other.shards.keys() and all(
            self.of(each) == other.of(each) for each in self.shards
        )

    def only(self, shard: int) -> PackedBlocks:
        """Return the part of it that has only this shard."""
        part = copy(self)  # with the same file
        part.shards, part.whole = {shard: self.shards[shard]}, self
        return part

    def shards_in_order(self) -> Iterator[array[int]]:
        """Yield the numbers of each shard."""
        return map(self.of, sorted(self.shards))

    def __iter__(self) -> Iterator[array[int]]:
        """Yield the numbers of each block."""
        for packed in self.shards_in_order():
            for at in range(0, len(packed), self.size or 1):
                yield packed[at : at + self.size]


@contextmanager
def reaching() -> Iterator[None]:
    """Raise FolderError if the file cannot be written or read, as on a full disk."""
    try:
        yield
    except OSError as error:
        raise FolderError(f"cannot write in {gettempdir()}: {error.strerror}") from None


class FaultCount(NamedTuple):
    """A kind of fault of an entrant: how many there are, and the first one that is reported in full, if any is."""

    entrant: int
    kind: str
    n: int
    first: FaultReport | None

    @property
    def words(self) -> str:
        """illegal in nap/1/1/1; illegal 768 times, first in nap/1/1/1"""
        times = f" {so_many(self.n, 'time')}" if self.n > 1 else ""
        return f"{self.kind}{times}" + (f"{', first' * bool(times)} in {self.first.deal}" if self.first else "")


class EntryTotals:
    """The tally of an entry and its blocks. It keeps the first faults of each entrant.

    `at_fault`: in how many deals each entrant was at fault; `faulty`: the same of each shard with faults."""

    def __init__(self) -> None:
        self.tally, self.blocks = ShardTotals(), PackedBlocks()
        self.at_fault, self.faulty = DealsAtFault(), dict[int, DealsAtFault]()
        self.told: dict[int, list[tuple[int, int, FaultReport]]] = {}
        self.first: dict[tuple[int, str], tuple[int, int, FaultReport]] = {}

    def add(self, shard: int, tally: ShardTotals) -> None:
        self.tally.merge(tally)
        self.blocks.add(shard, tally.rows)
        own = DealsAtFault.of(tally)
        self.at_fault.add(own)
        if tally.faults:
            self.faulty[shard] = own
        for at, fault in enumerate(tally.fault_reports):
            kept = self.told.setdefault(fault.entrant, [])
            kept.append((shard, at, fault))
            kept.sort(key=lambda fault: fault[:2])
            del kept[FAULTS_IN_FULL:]
            which = fault.entrant, fault.kind
            new = shard, at, fault
            self.first[which] = min(self.first.get(which, new), new, key=lambda fault: fault[:2])

    def fault_reports(self) -> list[FaultReport]:
        """Return the fault reports in schedule order."""
        everything = [fault for kept in self.told.values() for fault in kept]
        return [fault for _, _, fault in sorted(everything, key=lambda fault: fault[:2])]

    def fault_counts(self) -> list[FaultCount]:
        """Return each kind of fault of each entrant once, in the schedule order of the first ones."""
        firsts = {which: first for which, (*_, first) in sorted(self.first.items(), key=lambda each: each[1][:2])}
        counts = self.tally.faults
        order = [*filter(counts.__contains__, firsts), *sorted(counts.keys() - firsts.keys())]
        return [FaultCount(*which, counts[which], firsts.get(which)) for which in order]
