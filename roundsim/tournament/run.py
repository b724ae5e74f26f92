"""A run: what is missing of a tournament is played, and the standings are made."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from .._version import __version__
from .folder import RunFolder
from .plan import Entry, Task, Tournament
from .tally import Fold, Tally


class Workers(Protocol):
    """Plays the tasks of a tournament into its folder, in any order, so many at a time.

    It yields each task with its tally when its shard is written (see `RunFolder.write_shard`), and None now and then
    while it waits, so that the caller can tell how far it is.  Whatever cannot be got over is raised as a RoundsimError;
    however it ends, nothing of it is left running.  The bytes of a shard follow from its task alone."""

    def __call__(
        self, tournament: Tournament, folder: str, tasks: Iterator[Task], jobs: int
    ) -> Iterator[tuple[Task, Tally] | None]: ...


@dataclass
class Progress:
    """How far a run is: deals (freeze-outs) done and in all, and the folds of the entries so far."""

    total: int
    done: int = 0
    played: int = 0
    started: float = field(default_factory=time.monotonic)
    folds: list[Fold] = field(default_factory=list)


@dataclass
class Result:
    """A finished run: the tournament as it was played, its folder, and a fold for each entry."""

    tournament: Tournament
    folder: RunFolder
    folds: list[Fold]
    seconds: float
    jobs: int
    played: int  # units played now; 0: there was nothing to do

    @property
    def faults(self) -> int:
        return most_faults(self.tournament, self.folds)


def most_faults(tournament: Tournament, folds: Sequence[Fold]) -> int:
    """The most faults that one strategy made."""
    counts: Counter[str] = Counter()
    for entry, fold in zip(tournament.entries, folds, strict=True):
        labels = entry.labels
        for (entrant, _), n in fold.tally.faults.items():
            counts[labels[entrant]] += n
    return max(counts.values(), default=0)


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(
    tournament: Tournament,
    folder: RunFolder,
    workers: Workers,
    jobs: int,
    tell: Callable[[Progress], None],
    finish: Callable[[Result], None],
) -> Result:
    """Play a tournament into its folder; what is finished there is kept, and only what is missing is played.

    FolderError, and what the workers raise.  `tell` is called a few times a second; `finish` at the end, while the folder
    is still held against other runs."""
    with folder.locked():
        tournament = folder.open(tournament, __version__)
        total = sum(entry.blocks * entry.format.units(entry) for entry in tournament.entries)
        progress = Progress(total, folds=[Fold() for _ in tournament.entries])
        tasks = folder.without_results(missing(tournament, folder, progress))
        for event in workers(tournament, str(folder.path.resolve()), tasks, jobs):
            if event:
                task, tally = event
                entry = tournament.entries[task.entry]
                count_in(progress, entry, task.entry, task.shard, tally)
                progress.played += tally.blocks * entry.format.units(entry)
            tell(progress)
        seconds = time.monotonic() - progress.started
        result = Result(tournament, folder, progress.folds, seconds, jobs, progress.played)
        finish(result)
    return result


def missing(tournament: Tournament, folder: RunFolder, progress: Progress) -> Iterator[Task]:
    """The shards that are not there yet, in schedule order; those that are, are counted in."""
    for number, entry in enumerate(tournament.entries):
        everyone = entry.format.seatings(entry, tournament.seed)
        for shard, (first, last) in enumerate(entry.shards()):
            who = tuple(next(everyone) for _ in range(first, last + 1))
            there = folder.read_shard(entry, first)
            if there and there[1].blocks == last - first + 1:
                count_in(progress, entry, number, shard, there[1])
            else:
                yield Task(number, shard, first, last, who)


def count_in(progress: Progress, entry: Entry, number: int, shard: int, tally: Tally) -> None:
    progress.folds[number].add(shard, tally)
    progress.done += tally.blocks * entry.format.units(entry)


def fold(tournament: Tournament, folder: RunFolder) -> tuple[list[Fold], int]:
    """The folds of what is finished in a folder, and how many shards are missing."""
    progress = Progress(0, folds=[Fold() for _ in tournament.entries])
    return progress.folds, sum(1 for _ in missing(tournament, folder, progress))
