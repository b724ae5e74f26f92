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

from ..base.errors import InputError, LogError
from ..base.text import number
from ..base.version import __version__
from .judging.diff import DiffSide, RunGame, run_differences
from .planning.plan import Reused, Schedule, ShardProgress, Task, Tournament, entry_identity
from .results.entry_totals import EntryTotals
from .results.record import seated_in, seats_line
from .results.totals import BlockRecord, BlockResult, ShardTotals
from .run import Workers
from .storage.folder import RunFolder
from .storage.shards import Shard, note_extremes
from .storage.totals import Found

ELSE = "its blocks of them had faults, depend on each other, or are of another version of roundsim"


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
        ) -> Iterator[Task | Found | Sequence[ShardProgress]]:
            with ExitStack() as stack:
                playing = workers(tournament, folder, map(self.looking(tournament), tasks), jobs)
                stack.callback(getattr(playing, "close", lambda: None))
                for step in playing:
                    if isinstance(step, Task):
                        self.blocks, self.taken = self.blocks + len(step.blocks), self.taken + len(step.reused)
                    yield step

        return play if self.runs else workers

    def looking(self, tournament: Tournament) -> Callable[[Task], Task]:
        """Return a function that adds to a task the blocks that the runs have; the first run has precedence."""
        every = [[*self.earlier(tournament, number)] for number in range(len(tournament.entries))]

        def look(task: Task) -> Task:
            there = {block: reused for earlier in reversed(every[task.entry]) for block, reused in earlier.blocks(task)}
            return replace(task, reused=dict(sorted(there.items())))

        return look

    def earlier(self, tournament: Tournament, number: int) -> Iterator[Earlier]:
        """Yield the earlier runs that have an entry, unless its blocks depend on each other."""
        name = tournament.entries[number].name
        for run, there in self.runs:
            for at, entry in enumerate(there.entries):
                if entry.name == name and entry.format.resumable:
                    yield Earlier(run, Schedule(there, at), Schedule(tournament, number))

    def describe(self, tournament: Tournament) -> list[str]:
        """Return lines such as "94 of 125 blocks of runs/parlour-8c1f04".

        If no block was reused, a further line says what first differs from each run."""
        lines = [f"{number(self.taken)} of {number(self.blocks)} blocks of {', '.join(map(str, self.paths))}"]
        if not self.taken:
            here = side_of(tournament)
            lines += [str(next(run_differences(side_of(there), here), ELSE)) for _, there in self.runs]
        return lines

    @property
    def paths(self) -> list[Path]:
        return [run.path for run, _ in self.runs]


class Earlier:
    """An entry of an earlier run.

    Ask it for the blocks of tasks in rising order. `there`: its schedule; `here`: that of the entry being played."""

    def __init__(self, folder: RunFolder, there: Schedule, here: Schedule) -> None:
        self.folder, self.there, self.here = folder, there, here
        # each may be needed again for the next task
        self.shard, self.rows = lru_cache(1)(self.read), lru_cache(1)(self.read_rows)
        self.lines = lru_cache(1)(self.read_lines)

    def read(self, first: int) -> Shard | None:
        """Return the shard that begins with a block, if it is there, and this version has played it. LogError."""
        shard = self.folder.read_shard(self.there, first)
        return shard if shard and shard.version == __version__ else None

    def read_rows(self, first: int) -> dict[int, BlockRecord]:
        """Return the rows of a shard by block."""
        shard = self.shard(first)
        return {row.block: row for row in shard.rows} if shard else {}

    def read_lines(self, first: int, piece: range) -> dict[int, list[str]]:
        """Return the lines of a piece by block. LogError."""
        if not (shard := self.shard(first)):
            return {}
        there = [own for own in shard.pieces if own.blocks.start == piece.start]
        return {block: lines for piece in there for block, lines in zip(piece.blocks, shard.lines(piece), strict=True)}

    def blocks(self, task: Task) -> Iterator[tuple[int, Reused]]:
        """Yield those blocks of a task that were played here and can be reused. LogError."""
        for first, piece in self.pieces(task):
            blocks = range(max(task.first, piece.start), min(task.last + 1, piece.stop))
            for block, there, here in zip(blocks, self.there.seatings(blocks), task.seatings(blocks), strict=True):
                equal = self.here.key(block, here) == self.there.key(block, there) and paired_off(there, here)
                shard = self.shard(first) if equal else None
                if shard and block in shard.blocks and not any(entrant in there for entrant, _ in shard.tally.faults):
                    row, lines = self.rows(first)[block]._replace(seats=there), self.lines(first, piece)[block]
                    yield block, self.reused(row, lines, here)

    def pieces(self, task: Task) -> Iterator[tuple[int, range]]:
        """Yield the blocks of the pieces here that have blocks of a task, each with the first block of its shard."""
        block = task.first
        while block <= task.last and (blocks := self.there.entry.shard(block)):
            for piece in self.there.entry.pieces(blocks):
                if piece.stop > task.first and piece.start <= task.last:
                    yield blocks.start, piece
            block = blocks.stop

    def reused(self, row: BlockRecord, lines: Sequence[str], seating: Sequence[int]) -> Reused:
        """Return a block with these entrants at its places. LogError if its lines are not valid."""
        there, here, tally = self.there.entry, self.here.entry, ShardTotals()
        labels = {there.labels[one]: here.labels[other] for one, other in zip(row.seats, seating, strict=True)}
        try:
            note_extremes(tally, there, lines)
            text = "".join(f"{line}\n" for line in relabelled(lines, labels))
        except (ValueError, KeyError) as error:
            problem = f"the lines of block {row.block} are not those of a sitting ({str(error)[:200]})"
            raise LogError(f"{self.folder.path}: {there.name}: {problem}") from None
        best, worst = ([kept.get(entrant) for entrant in row.seats] for kept in (tally.best, tally.worst))
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
            yield seats_line(table, [labels[label] for label in seated_in(names, labels)])
        else:
            yield line


def side_of(tournament: Tournament) -> DiffSide:
    """Return a tournament with what keys consist of, to find what differs."""
    data = [entry_identity(entry) for entry in tournament.entries]
    games = {
        entry.name: RunGame(entry, EntryTotals(), game) for entry, game in zip(tournament.entries, data, strict=True)
    }
    return DiffSide(Path(), {**tournament.frame(), "games": data}, games, 0)
