"""Reuse blocks of earlier runs: a block with an equal key is not played again but copied.

After a fault, later questions may depend on the whole shard. So a block is not reused if one of its entrants
was at fault in that shard. If an entrant of a reused block is at fault in the new shard, the whole shard is played. So
the bytes of the folder are the same as if everything had been played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from .._version import __version__
from ..errors import InputError, LogError
from ..words import number
from .judging.diff import DiffSide, RunGame, run_differences
from .planning.plan import Keys, Reused, Schedule, ShardProgress, Task, Tournament, entry_identity
from .results.entry_totals import EntryTotals
from .results.record import seated_in, seats_line
from .results.totals import BlockRecord, BlockResult, ShardTotals
from .run import Workers
from .storage.folder import RunFolder
from .storage.shards import Shard, note_extremes

ELSE = "its blocks of them had faults, or are of another version of roundsim"


class Reuse:
    """Earlier runs to take blocks from; `taken` of `blocks` so far. LogError if one is not a run."""

    def __init__(self, runs: Iterable[str | Path] = ()) -> None:
        self.runs = [(folder, folder.tournament()) for folder in map(RunFolder, runs)]
        self.blocks = self.taken = 0

    def workers(self, workers: Workers, own: RunFolder) -> Workers:
        """Return workers that get, with each task, the blocks that need not be played.

        InputError if an earlier run is the one that is played."""
        for path in self.paths:
            if path.resolve() == own.path.resolve():
                raise InputError(f"{path} is the run to be played: its blocks are kept anyway")

        def play(
            tournament: Tournament, folder: str, tasks: Iterator[Task], jobs: int
        ) -> Iterator[Task | Sequence[ShardProgress]]:
            with ExitStack() as stack:
                playing = workers(tournament, folder, map(self.looking(tournament), tasks), jobs)
                stack.callback(getattr(playing, "close", lambda: None))
                for each in playing:
                    if isinstance(each, Task):
                        self.blocks, self.taken = self.blocks + len(each.seatings), self.taken + len(each.reused)
                    yield each

        return play if self.runs else workers

    def looking(self, tournament: Tournament) -> Callable[[Task], Task]:
        """Return a function that adds to a task the blocks that the runs have; the first run has precedence."""
        every = [[*self.earlier(tournament, number)] for number in range(len(tournament.entries))]

        def look(task: Task) -> Task:
            found = {block: each for earlier in reversed(every[task.entry]) for block, each in earlier.blocks(task)}
            return replace(task, reused=dict(sorted(found.items())))

        return look

    def earlier(self, tournament: Tournament, number: int) -> Iterator[Earlier]:
        """Yield the earlier runs that have an entry."""
        name, keys = tournament.entries[number].name, Keys(tournament, number)
        for run, there in self.runs:
            for at, entry in enumerate(there.entries):
                if entry.name == name:
                    yield Earlier(run, Schedule(there, at), keys)

    def describe(self, tournament: Tournament) -> list[str]:
        """Return lines such as "94 of 125 blocks of runs/parlour-8c1f04".

        If no block was reused, a further line says what first differs from each run."""
        said = [f"{number(self.taken)} of {number(self.blocks)} blocks of {', '.join(map(str, self.paths))}"]
        if not self.taken:
            here = side_of(tournament)
            said += [str(next(run_differences(side_of(there), here), ELSE)) for _, there in self.runs]
        return said

    @property
    def paths(self) -> list[Path]:
        return [run.path for run, _ in self.runs]


class Earlier:
    """An entry of an earlier run.

    Ask it for the blocks of tasks in rising order. `keys`: those of the entry being played."""

    def __init__(self, folder: RunFolder, schedule: Schedule, keys: Keys) -> None:
        self.folder, self.schedule, self.keys = folder, schedule, keys
        self.task = lru_cache(1)(schedule.task)  # the same one may be needed again: here shards may be longer
        self.shard = lru_cache(1)(self.read)

    def read(self, first: int) -> Shard | None:
        """Return the shard that begins with a block, if it is there. LogError."""
        return self.folder.read_shard(self.task(first), self.schedule.keys)

    def blocks(self, task: Task) -> Iterator[tuple[int, Reused]]:
        """Yield those blocks of a task that were played here and can be reused. LogError."""
        seatings = dict(zip(range(task.first, task.last + 1), task.seatings, strict=True))
        for first in self.firsts(task):
            equal = {
                block: seatings[block]
                for block, seating in enumerate(self.task(first).seatings, first)
                if block in seatings and self.keys(block, seatings[block]) == self.schedule.keys(block, seating)
            }
            if equal and (shard := self.shard(first)) and shard.version == __version__:
                faulty = {entrant for entrant, _ in shard.tally.faults}
                for row, lines in zip(shard.tally.rows, shard.blocks, strict=True):
                    seating = equal.get(row.block, ())
                    if seating and faulty.isdisjoint(row.seats) and paired_off(row.seats, seating):
                        yield row.block, self.reused(row, lines, seating)

    def firsts(self, task: Task) -> Iterator[int]:
        """Yield the first blocks of the shards here that have blocks of a task."""
        block = task.first
        while block <= task.last and (blocks := self.schedule.entry.shard(block)):
            yield blocks[0]
            block = blocks[-1] + 1

    def reused(self, row: BlockRecord, lines: Sequence[str], seating: Sequence[int]) -> Reused:
        """Return a block with these entrants at its places. LogError if its lines are not valid."""
        there, here, tally = self.schedule.entry, self.keys.entry, ShardTotals()
        labels = {there.labels[one]: here.labels[other] for one, other in zip(row.seats, seating, strict=True)}
        try:
            note_extremes(tally, there, lines)
            text = "".join(f"{line}\n" for line in relabelled(lines, labels))
        except (ValueError, KeyError) as error:
            words = f"the lines of block {row.block} are not those of a sitting ({str(error)[:200]})"
            raise LogError(f"{self.folder.path}: {there.name}: {words}") from None
        best, worst = ([kept.get(each) for each in row.seats] for kept in (tally.best, tally.worst))
        figures = row.deals, row.decisions, row.values, best, worst, row.ahead, row.from_dealer, row.squares
        return Reused(text, BlockResult(*figures))


def paired_off(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether each entrant here always corresponds to the same one there."""
    return len({*zip(one, other, strict=True)}) == len({*one}) == len({*other})


def relabelled(lines: Sequence[str], labels: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of a block with other labels. If two strategies are equal, their numbers may be swapped."""
    for line in lines:
        if line.startswith("= "):
            _, table, names = line.split(" ", 2)
            yield seats_line(table, [labels[each] for each in seated_in(names, labels)])
        else:
            yield line


def side_of(tournament: Tournament) -> DiffSide:
    """Return a tournament with what keys consist of, to find what differs."""
    data = [entry_identity(entry) for entry in tournament.entries]
    games = {
        entry.name: RunGame(entry, EntryTotals(), each) for entry, each in zip(tournament.entries, data, strict=True)
    }
    return DiffSide(Path(), {**tournament.frame(), "games": data}, games, 0)
