"""Merge the parts of a run: check each, and copy its shards as they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import tomli_w

from ..base.errors import FolderError, LogError
from ..base.text import so_many
from .planning.parts import Part, which
from .planning.plan import Schedule, Task, Tournament
from .results.packing import chunks_of
from .run import Workers
from .storage.folder import RunFolder
from .storage.runfile import first_difference
from .storage.totals import Found, in_batches
from .storage.writing import write_aside

NAMED = 10  # missing parts that a message names


@dataclass(frozen=True)
class PartFolder:
    """A part on disk: its folder, its `run.toml`, its tournament, and which part it is."""

    folder: RunFolder
    data: dict[str, Any]
    tournament: Tournament
    part: Part

    @classmethod
    def read(cls, folder: RunFolder) -> PartFolder:
        """Read a part. LogError if it is not one."""
        tournament = folder.tournament()
        if not tournament.part:
            raise LogError(f"{folder.path} is a whole run, no part of one")
        return cls(folder, folder.read_run(), tournament, tournament.part)

    @property
    def path(self) -> Path:
        return self.folder.path

    def check(self) -> None:
        """Check that all its shards are there, and nothing else. LogError names the first that is missing."""
        there = [{*self.folder.firsts(entry)} for entry in self.tournament.entries]
        lacking = [
            f"{entry.name}/{blocks[0]}"
            for entry, firsts in zip(self.tournament.entries, there, strict=True)
            for blocks in entry.shards()
            if blocks[0] not in firsts
        ]
        if lacking:
            problem = f"it lacks {so_many(len(lacking), 'shard')}, from {lacking[0]} on"
            raise LogError(f"{self.path} is unfinished: {problem}; the command that began it goes on")
        for foreign in self.folder.foreign_files(self.tournament):
            raise LogError(f"{foreign}: nothing of {self.part.words}")

    def batch(self, out: Path, number: int, firsts: Sequence[int]) -> Found | LogError | FolderError:
        """Check some shards, copy them into another folder, and return their totals."""
        to, schedule, found = RunFolder(out), Schedule(self.tournament, number), Found.none(number)
        try:
            for first in firsts:
                shard = self.folder.read_shard(schedule, first)
                if not shard or not shard.whole:
                    raise LogError(f"{self.folder.shard(schedule.entry, first)} has been taken away, or is not whole")
                with shard.opened() as file:
                    to.write_shard(schedule.entry, first, chunks_of(file, shard.size))
                found.add(shard)
        except (FolderError, LogError) as error:
            return error
        return found


def whole(folders: Sequence[str | Path]) -> tuple[Tournament, Workers]:
    """Return the run whose parts these are, and workers that copy its shards from them.

    LogError if they are not all its parts, each once and whole."""
    parts = [PartFolder.read(RunFolder(folder)) for folder in folders]
    if not parts:
        raise LogError("no parts to be merged")
    check_together(parts)
    for part in parts:
        part.check()
    return parts[0].tournament.only(None), bringing(parts)


def check_together(parts: Sequence[PartFolder]) -> None:
    """Check that these are the parts of one run. LogError says which is foreign, doubled or missing."""
    first, seen = parts[0], dict[int, PartFolder]()
    for one in parts:
        if one.part.of != first.part.of:
            raise LogError(f"{one.path} is {one.part.words}, {first.path} is {first.part.words}")
        difference = first_difference({**first.data, "part": ""}, {**one.data, "part": ""})
        if difference:
            raise LogError(f"{one.path} is of another run than {first.path}: {difference}")
        if other := seen.get(one.part.number):
            raise LogError(f"{one.part.words} is given twice: {other.path} and {one.path}")
        seen[one.part.number] = one
    lost = [number for number in range(1, first.part.of + 1) if number not in seen]
    if lost:
        named = ", ".join(map(str, lost[:NAMED])) + (f" and {len(lost) - NAMED} more" if len(lost) > NAMED else "")
        hint = f"the command that began the others plays it with --shard {lost[0]}/{first.part.of}"
        raise LogError(f"missing: part{'s' * (len(lost) != 1)} {named} of {first.part.of}; {hint}")


def bringing(parts: Sequence[PartFolder]) -> Workers:
    """Return workers that copy the shards of a run from its parts, on several processes."""
    by_number = {one.part.number: one for one in parts}

    def bring(tournament: Tournament, folder: str, tasks: Iterator[Task], jobs: int) -> Iterator[Found]:
        run, own = RunFolder(folder), defaultdict[tuple[int, int], list[int]](list)
        for entry, part in zip(tournament.entries, parts[0].tournament.entries, strict=True):
            if entry.blocks > part.blocks:
                raise FolderError(f"{folder} holds {entry.blocks} blocks of {entry.name}, the parts {part.blocks}")
        if not any(map(run.firsts, tournament.entries)):  # record the version that started the parts
            data = {**run.read_run(), "roundsim": parts[0].data["roundsim"]}
            write_aside(run.path / "run.toml", tomli_w.dumps(data).encode())
        for task in tasks:
            stretch = tournament.entries[task.entry].stretch_of(task.first)
            assert stretch
            own[which(task.entry, stretch.number(task.first), len(parts)), task.entry].append(task.first)
        for (number, entry_number), firsts in own.items():
            yield from in_batches(partial(by_number[number].batch, run.path, entry_number), firsts, jobs)

    return bring
