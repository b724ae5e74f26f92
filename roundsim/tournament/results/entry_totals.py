"""Totals of a whole entry: its tally and its blocks, added shard by shard in any order."""

from __future__ import annotations

from array import array
from bisect import insort
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from itertools import chain
from tempfile import TemporaryFile, gettempdir
from typing import IO, Any, NamedTuple
from weakref import finalize

from ...base.errors import FolderError
from ...base.text import so_many
from ...refereeing.faults import Fault
from .at_fault import DealsAtFault
from .packed_rows import Batch, PackedRows
from .totals import FAULTS_IN_FULL, ShardTotals

MAX_BYTES_IN_MEMORY = 1 << 22  # bytes of packed blocks that are held in memory
AT_ONCE = 1024  # blocks in a batch, at least

Report = tuple[int, int, Fault]  # the shard of a report, its number there, and the report
Place = tuple[int, int]  # in the file: where it begins, and how long it is


class PackedBlocks:
    """The rows of blocks, by shard, packed as in its index.

    All except the first are in an unnamed temporary file, so the longest run takes no more memory."""

    def __init__(self) -> None:
        self.shards: dict[int, PackedRows | tuple[PackedRows, Place]] = {}
        self.held = self.end = 0  # bytes in memory; the end of the file
        self.file: IO[bytes] | None = None
        self.whole: PackedBlocks | None = None  # of a part, what keeps the file open

    def __getstate__(self) -> dict[str, Any]:
        """Return it for another process, which cannot have the file: all rows are in memory."""
        return {
            **vars(self),
            "shards": {shard: self.packed(shard) for shard in self.shards},
            "file": None,
            "whole": None,
        }

    def add(self, shard: int, rows: PackedRows) -> None:
        """Add the blocks of a shard. Shards may come in any order. FolderError."""
        if self.held + len(rows.data) <= MAX_BYTES_IN_MEMORY:
            self.shards[shard] = rows
            self.held += len(rows.data)
        else:
            self.put_away(shard, rows)

    def put_away(self, shard: int, rows: PackedRows) -> None:
        with reaching():
            if not self.file:
                self.file = TemporaryFile()  # noqa: SIM115 - it stays open as long as this object exists
                finalize(self, self.file.close)
            self.file.seek(self.end)
            self.file.write(rows.data)
        self.shards[shard] = replace(rows, data=b""), (self.end, len(rows.data))
        self.end += len(rows.data)

    def packed(self, shard: int) -> PackedRows:
        """Return the packed rows of a shard. FolderError."""
        there = self.shards[shard]
        if isinstance(there, PackedRows):
            return there
        rows, (at, size) = there
        with reaching():
            assert self.file
            self.file.seek(at)
            return replace(rows, data=self.file.read(size))

    def same(self, other: PackedBlocks) -> bool:
        """Whether it has the same blocks."""
        return self.shards.keys() == other.shards.keys() and all(
            self.packed(shard).columns() == other.packed(shard).columns() for shard in self.shards
        )

    def only(self, shard: int) -> PackedBlocks:
        """Return the part of it that has only this shard."""
        part = copy(self)  # with the same file
        part.shards, part.whole = {shard: self.shards[shard]}, self
        return part

    def __iter__(self) -> Iterator[Batch]:
        """Yield the blocks in the order of the schedule, several shards at once."""
        whole: list[array[int]] = []
        for shard in sorted(self.shards):
            packed = self.packed(shard)
            columns = packed.columns()
            whole = [one + more for one, more in zip(whole, columns, strict=True)] if whole else columns
            if len(whole[0]) >= AT_ONCE:
                yield Batch(packed.shape, whole)
                whole = []
        if whole:
            yield Batch(packed.shape, whole)


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
    first: Fault | None

    @property
    def words(self) -> str:
        """illegal in nap/1/1/1; illegal 768 times, first in nap/1/1/1"""
        times = f" {so_many(self.n, 'time')}" if self.n > 1 else ""
        return f"{self.kind}{times}" + (f"{', first' * bool(times)} in {self.first.deal}" if self.first else "")


class EntryTotals:
    """The tally of an entry and its blocks. It keeps the first faults of each entrant.

    `faulty`: of each shard with faults, in how many deals each entrant was at fault."""

    def __init__(self) -> None:
        self.tally, self.blocks = ShardTotals(), PackedBlocks()
        self.faulty: dict[int, DealsAtFault] = {}
        self.reports: dict[int, list[Report]] = {}
        self.first: dict[tuple[int, str], Report] = {}

    @property
    def at_fault(self) -> DealsAtFault:
        """In how many deals each entrant was at fault."""
        return self.tally.at_fault

    def add(self, shard: int, tally: ShardTotals, rows: PackedRows | None = None) -> None:
        """Add a shard; `rows`: those of the tally, packed. FolderError."""
        self.tally.merge(tally)
        if rows or tally.rows:
            self.blocks.add(shard, rows or PackedRows.of(tally.rows))
        if tally.faults:
            self.faulty[shard] = tally.at_fault
        self.keep((shard, at, fault) for at, fault in enumerate(tally.fault_reports))

    def merge(self, other: EntryTotals) -> None:
        """Add the totals of other shards. FolderError."""
        self.tally.merge(other.tally)
        for shard in other.blocks.shards:
            self.blocks.add(shard, other.blocks.packed(shard))
        self.faulty |= other.faulty
        self.keep(report for kept in other.reports.values() for report in kept)
        self.keep(other.first.values())

    def keep(self, reports: Iterable[Report]) -> None:
        """Keep the first reports of each entrant, and the first of each kind."""
        for new in reports:
            fault = new[2]
            kept = self.reports.setdefault(fault.entrant, [])
            if new not in kept:
                insort(kept, new, key=place_of)
                del kept[FAULTS_IN_FULL:]
            which = fault.entrant, fault.kind
            self.first[which] = min(self.first.get(which, new), new, key=place_of)

    def fault_reports(self) -> list[Fault]:
        """Return the fault reports in schedule order."""
        return [fault for _, _, fault in sorted(chain.from_iterable(self.reports.values()), key=place_of)]

    def fault_counts(self) -> list[FaultCount]:
        """Return each kind of fault of each entrant once, in the schedule order of the first ones."""
        firsts = {which: first for which, (*_, first) in sorted(self.first.items(), key=lambda each: place_of(each[1]))}
        counts = self.tally.faults
        order = [*filter(counts.__contains__, firsts), *sorted(counts.keys() - firsts.keys())]
        return [FaultCount(*which, counts[which], firsts.get(which)) for which in order]


def place_of(report: Report) -> tuple[int, int]:
    """Return the shard of a report, and its number there."""
    return report[:2]
