"""A run: what is missing of a tournament is played, and the standings are made."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .. import __version__
from ..workers import local
from ..workers.shard import Task
from .folder import RunFolder, write_aside
from .formats import seatings
from .plan import Entry, Tournament
from .tally import Fold, Tally


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
        """The most faults that one strategy made."""
        counts: dict[str, int] = {}
        for entry, fold in zip(self.tournament.entries, self.folds, strict=True):
            labels = entry.labels
            for (entrant, _), n in fold.tally.faults.items():
                counts[labels[entrant]] = counts.get(labels[entrant], 0) + n
        return max(counts.values(), default=0)


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def unit(entry: Entry) -> int:
    """What a block counts for in the progress: its deals, or one freeze-out."""
    return 1 if entry.format == "freeze-out" else entry.block_deals


def run(
    tournament: Tournament,
    out: str | Path | None = None,
    jobs: int | None = None,
    tell: Callable[[Progress], None] = lambda progress: None,
) -> Result:
    """Play a tournament into its folder; what is finished there is kept, and only what is missing is played.

    FolderError, WorkError.  `tell` is called a few times a second."""
    jobs = jobs or cores()
    folder = RunFolder(out or Path("runs") / tournament.folder_name())
    with folder.locked():
        tournament = folder.open(tournament, __version__)
        progress = Progress(
            sum(entry.blocks * unit(entry) for entry in tournament.entries), folds=[Fold() for _ in tournament.entries]
        )
        tasks = folder.without_results(missing(tournament, folder, progress))
        for event in local.play(tournament, str(folder.path.resolve()), tasks, jobs):
            if event:
                task, tally = event
                count_in(progress, tournament.entries[task.entry], task.entry, task.shard, tally)
                progress.played += tally.blocks * unit(tournament.entries[task.entry])
            tell(progress)
        seconds = time.monotonic() - progress.started
        result = Result(tournament, folder, progress.folds, seconds, jobs, progress.played)
        write_results(result)
    return result


def missing(tournament: Tournament, folder: RunFolder, progress: Progress) -> Iterator[Task]:
    """The shards that are not there yet, in schedule order; those that are, are counted in."""
    for number, entry in enumerate(tournament.entries):
        everyone = seatings(entry, tournament.seed)
        for shard, (first, last) in enumerate(entry.shards()):
            who = tuple(next(everyone) for _ in range(first, last + 1))
            there = folder.read_shard(entry, first)
            if there and there[1].blocks == last - first + 1:
                count_in(progress, entry, number, shard, there[1])
            else:
                yield Task(number, shard, first, last, who)


def count_in(progress: Progress, entry: Entry, number: int, shard: int, tally: Tally) -> None:
    progress.folds[number].add(shard, tally)
    progress.done += tally.blocks * unit(entry)


def fold(tournament: Tournament, folder: RunFolder) -> tuple[list[Fold], int]:
    """The folds of what is finished in a folder, and how many shards are missing."""
    progress = Progress(0, folds=[Fold() for _ in tournament.entries])
    return progress.folds, sum(1 for _ in missing(tournament, folder, progress))


def write_results(result: Result) -> None:
    """`standings.*`, `faults.jsonl` and `timing.json`."""
    from ..report import results

    for name, data in results(result.tournament, result.folds).items():
        path = result.folder.path / name
        if not path.exists() or path.read_bytes() != data:
            write_aside(path, data)
    timing = result.folder.path / "timing.json"
    if result.played or not timing.exists():
        write_aside(timing, json.dumps(timing_data(result), indent=1).encode() + b"\n")


def timing_data(result: Result) -> dict[str, Any]:
    return {
        "seconds": round(result.seconds, 3),
        "processes": result.jobs,
        "played": result.played,
        "host": platform.node(),
        "system": platform.platform(),
        "python": platform.python_version(),
    }
