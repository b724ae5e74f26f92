"""Run a tournament: play what is missing, and compute the standings."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import merge
from itertools import chain
from pathlib import Path
from typing import Protocol

from ..base.errors import FolderError
from ..base.version import __version__
from .judging.standings import Standings, compute_standings, unplaced
from .judging.stopping import RuleWatch, all_ended, watches
from .planning.plan import Entry, Schedule, ShardProgress, Task, Tournament
from .results.entry_totals import EntryTotals
from .storage.folder import RunFolder
from .storage.shards import Shard
from .storage.totals import Found, finished_totals, read_shards
from .storage.writer import RunWriter


class Workers(Protocol):
    """Plays the tasks of a tournament into its folder, in any order, several at a time.

    It yields each task when its shard is written (see `RunFolder.write_shard`), or what it has found in shards that it
    has copied and checked; and a few times a second what is in progress, so that the caller can show it. An error that
    it cannot recover from is raised as a RoundsimError. However it ends, none of its processes is left. The bytes of a
    shard depend on its task only, and the run trusts only what it reads in the folder."""

    def __call__(
        self, tournament: Tournament, folder: str, tasks: Iterator[Task], jobs: int
    ) -> Iterator[Task | Found | Sequence[ShardProgress]]: ...


@dataclass
class Progress:
    """Progress of a run.

    It counts total deals (or freeze-outs); those in finished shards; of these, those `played` in this run. `underway`
    is what is in progress. It also has the entries so far, their totals, and their stopping rules."""

    total: int
    whole: int = 0
    played: int = 0
    underway: Sequence[ShardProgress] = ()
    started: float = field(default_factory=time.monotonic)
    entries: Sequence[Entry] = ()
    folds: list[EntryTotals] = field(default_factory=list)
    watched: Sequence[RuleWatch] = ()

    def add(self, tournament: Tournament, shard: Shard) -> int:
        """Count a finished shard; return the units in it."""
        self.folds[shard.task.entry].add(shard.task.first, shard.tally, shard.rows)
        return self.count(tournament.entries[shard.task.entry], shard.tally.blocks)

    def merge(self, tournament: Tournament, found: Found) -> int:
        """Count shards that were read together; return the units in them."""
        self.folds[found.entry].merge(found.totals)
        return self.count(tournament.entries[found.entry], found.totals.tally.blocks)

    def count(self, entry: Entry, blocks: int) -> int:
        units = blocks * entry.format.units(entry)
        self.whole += units
        return units

    @property
    def done(self) -> int:
        """The finished part of the total."""
        return self.whole + sum(progress.units for progress in self.underway)

    @property
    def done_now(self) -> int:
        """The part of it that was played since the run started."""
        return self.played + sum(progress.units - progress.before for progress in self.underway)


@dataclass
class Result:
    """A finished run: the tournament as it was played, its folder, and the totals of each entry.

    `guests`: how third-party strategies were isolated, in words; "" if there were none."""

    tournament: Tournament
    folder: RunFolder
    folds: list[EntryTotals]
    seconds: float
    jobs: int
    played: int  # units played now; 0: there was nothing to do
    guests: str = ""

    @property
    def faults(self) -> int:
        return most_faults(self.tournament, self.folds)

    @cached_property
    def standings(self) -> Standings:
        return compute_standings(self.tournament, self.folds)


def next_rounds(tournament: Tournament, folds: Sequence[EntryTotals]) -> tuple[Tournament, list[EntryTotals]] | None:
    """Return the tournament and the totals with the rounds that follow from the results so far; None if none
    follows."""
    entries, further = list(tournament.entries), list(folds)
    for *_, last in reversed(tournament.series):
        out = unplaced(entries[last], folds[last], tournament.limits)
        if after := entries[last].format.after(entries[last], folds[last].tally, out):
            entries.insert(last + 1, after)
            further.insert(last + 1, EntryTotals())
    return (replace(tournament, entries=tuple(entries)), further) if len(further) > len(folds) else None


def most_faults(tournament: Tournament, folds: Sequence[EntryTotals]) -> int:
    """Return the largest number of faults that one strategy made."""
    counts: Counter[str] = Counter()
    for entry, fold in zip(tournament.entries, folds, strict=True):
        labels = entry.labels
        for (entrant, _), n in fold.tally.faults.items():
            counts[labels[entrant]] += n
    return max(counts.values(), default=0)


def run_tournament(
    tournament: Tournament,
    folder: RunFolder,
    workers: Workers,
    jobs: int,
    tell: Callable[[Progress], None],
    finish: Callable[[Result], None],
    guests: str = "",
) -> Result:
    """Play a tournament into its folder. Finished shards are kept; only missing ones are played.

    FolderError, and what the workers raise. `tell` is called a few times a second; `finish` at the end, while the
    folder is still locked against other runs."""
    with RunWriter(folder.path).locked() as writer:
        isolate = tournament.limits.isolate
        tournament = writer.open(tournament, __version__)
        writer.keep_sources(tournament)
        tournament = replace(tournament, limits=replace(tournament.limits, isolate=isolate))
        total = sum(
            entry.format.last_round * entry.block_count * entry.format.units(entry) for entry in tournament.entries
        )
        progress = Progress(total, entries=tournament.entries, folds=[EntryTotals() for _ in tournament.entries])
        progress.watched = watched = watches(tournament)
        play_missing(tournament, writer, workers, jobs, tell, progress)
        while further := next_rounds(tournament, progress.folds):
            tournament, progress.folds = further
            progress.entries = tournament.entries
            writer.go_on(tournament)
            play_missing(tournament, writer, workers, jobs, tell, progress)
        lasts = {
            at: watch.block for at, watch in enumerate(watched) if watch.ended and watch.block < watch.entry.blocks
        }
        if lasts:
            tournament = writer.stop(tournament, lasts)
            progress.folds = finished_totals(tournament, folder, jobs)[0]
        if progress.played or lasts:
            writer.clear_results()  # a page may have been made meanwhile
        if lost := gone(tournament, folder):
            raise FolderError(f"{lost} has been taken away during the run: the same command plays it again")
        writer.sync()
        seconds = time.monotonic() - progress.started
        result = Result(tournament, folder, progress.folds, seconds, jobs, progress.played, guests)
        finish(result)
        writer.clear_kept()
    return result


def play_missing(
    tournament: Tournament,
    folder: RunWriter,
    workers: Workers,
    jobs: int,
    tell: Callable[[Progress], None],
    progress: Progress,
) -> None:
    """Play what is missing; if there are stopping rules, only until the rules of all entries are decided."""
    schedules, watched = [Schedule(tournament, number) for number in range(len(tournament.entries))], progress.watched
    there = count_there(tournament, folder, progress, jobs)
    playing = workers(
        tournament, str(folder.path.resolve()), missing(tournament, schedules, folder, progress, there), jobs
    )
    with ExitStack() as stack:
        stack.callback(getattr(playing, "close", lambda: None))
        for each in playing:
            if isinstance(each, Task):
                shard = read_played(folder, each, schedules[each.entry])
                progress.played += progress.add(tournament, shard)
                folder.keep([shard.path])
            elif isinstance(each, Found):
                progress.played += progress.merge(tournament, each)
                folder.keep(folder.shard(tournament.entries[each.entry], first) for first in each.firsts)
            else:
                progress.underway = each
                tell(progress)
                continue
            if watched and all_ended(watched, progress.folds):
                return


def read_played(folder: RunFolder, task: Task, schedule: Schedule) -> Shard:
    """Read a shard that was played. LogError if it is damaged; FolderError if it is not there."""
    shard = folder.read_shard(schedule, task.first)
    if not shard or not shard.whole:
        raise FolderError(f"{folder.path}: block {task.first} was played and is not there")
    return shard


def count_there(tournament: Tournament, folder: RunFolder, progress: Progress, jobs: int) -> list[set[int]]:
    """Count the shards that are there, and return their first blocks by entry. LogError."""
    there = [set[int]() for _ in tournament.entries]
    for number, entry in enumerate(tournament.entries):
        if progress.folds[number].tally.blocks == entry.block_count:  # it is a round that has been counted
            there[number] = {blocks[0] for blocks in entry.shards()}
            continue
        for found in read_shards(tournament, folder, number, jobs):
            progress.merge(tournament, found)
            there[number].update(found.firsts)
    return there


def missing(
    tournament: Tournament,
    schedules: Sequence[Schedule],
    folder: RunWriter,
    progress: Progress,
    there: Sequence[Set[int]],
) -> Iterator[Task]:
    """Yield the shards that are not there yet, in schedule order.

    Entry follows entry; in a gate over all games they take turns. The first one removes the results of an earlier,
    shorter run, because they are no longer true."""
    entries = [missing_in(schedule, progress, there[schedule.number]) for schedule in schedules]
    over_all = tournament.stopping and tournament.stopping.over_all
    for number, task in enumerate(merge(*entries, key=lambda task: task.first) if over_all else chain(*entries)):
        if not number:
            folder.clear_results()
        yield task


def missing_in(schedule: Schedule, progress: Progress, there: Set[int]) -> Iterator[Task]:
    """Yield the shards of an entry that are not there yet, until its rule is decided."""
    for blocks in schedule.entry.shards():
        if progress.watched and progress.watched[schedule.number].follow(progress.folds[schedule.number]):
            return
        if blocks[0] not in there:
            yield schedule.task(blocks[0])


def gone(tournament: Tournament, folder: RunFolder) -> Path | None:
    """Return a shard that is not there, if there is one."""
    for entry in tournament.entries:
        there = {*folder.firsts(entry)}
        if lost := next((blocks[0] for blocks in entry.shards() if blocks[0] not in there), None):
            return folder.shard(entry, lost)
    return None
