"""The totals of the shards that are there, read on several processes if there are many."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ...base.errors import FolderError, LogError
from ...processes.pool import each
from ...processes.start import cores
from ..planning.plan import Schedule, Tournament
from ..results.entry_totals import EntryTotals
from .folder import RunFolder
from .shards import Shard

BATCH = 100  # shards that are read at a time
WORTH = 2  # batches for each process at least, or it is not worth its start


class Found(NamedTuple):
    """Shards of an entry that are there and whole, by their first blocks, and their totals."""

    entry: int
    firsts: list[int]
    totals: EntryTotals

    @classmethod
    def none(cls, entry: int) -> Found:
        return cls(entry, [], EntryTotals())

    def add(self, shard: Shard) -> None:
        self.firsts.append(shard.task.first)
        self.totals.add(shard.task.first, shard.tally, shard.rows)


def read_shards(tournament: Tournament, folder: RunFolder, number: int, jobs: int | None = None) -> Iterator[Found]:
    """Yield the totals of the whole shards of an entry, in batches. LogError."""
    firsts = folder.firsts(tournament.entries[number])
    return in_batches(partial(read_batch, tournament, folder.path, number), firsts, jobs)


def in_batches(
    function: Callable[[Sequence[int]], Found | LogError | FolderError], firsts: Sequence[int], jobs: int | None = None
) -> Iterator[Found]:
    """Yield the result of a function for batches of shards, as it is ready. Errors that it returns are raised."""
    batches = [firsts[at : at + BATCH] for at in range(0, len(firsts), BATCH)]
    for totals in each(function, batches, min(jobs or cores(), len(batches) // WORTH)):
        if isinstance(totals, LogError | FolderError):
            raise totals
        yield totals


def read_batch(tournament: Tournament, path: Path, number: int, firsts: Sequence[int]) -> Found | LogError:
    """Read some shards."""
    folder, schedule, found = RunFolder(path), Schedule(tournament, number), Found.none(number)
    try:
        for first in firsts:
            shard = folder.read_shard(schedule, first)
            if shard and shard.whole:
                found.add(shard)
    except LogError as error:
        return error
    return found


def finished_totals(
    tournament: Tournament, folder: RunFolder, jobs: int | None = None
) -> tuple[list[EntryTotals], int]:
    """Return the totals of the finished shards of each entry, and the number of missing shards, with those of rounds to
    come. LogError."""
    totals, whole = [EntryTotals() for _ in tournament.entries], 0
    for number, entry in enumerate(totals):
        for found in read_shards(tournament, folder, number, jobs):
            entry.merge(found.totals)
            whole += len(found.firsts)
    return totals, tournament.shard_count + tournament.shards_to_come - whole
