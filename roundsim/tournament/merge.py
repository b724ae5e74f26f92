"""Merge the parts of a run: check each, and copy its shards as they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomli_w

from ..errors import FolderError, LogError
from ..words import so_many
from .planning.parts import Part, which
from .planning.plan import ShardProgress, Task, Tournament
from .run import Workers
from .storage.folder import RunFolder, finished_totals
from .storage.runfile import first_difference
from .storage.shards import read_file
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
        """Check that all its shards are there, each as it was written, and nothing else. LogError."""
        _, missing = finished_totals(self.tournament, self.folder)
        if missing:
            lacking = f"it lacks {so_many(missing, 'shard')}"
            raise LogError(f"{self.path} is unfinished: {lacking}; the command that began it goes on")
        for foreign in self.folder.foreign_files(self.tournament):
            raise LogError(f"{foreign}: nothing of {self.part.words}")


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
    for each in parts:
        if each.part.of != first.part.of:
            raise LogError(f"{each.path} is {each.part.words}, {first.path} is {first.part.words}")
        difference = first_difference({**first.data, "part": ""}, {**each.data, "part": ""})
        if difference:
            raise LogError(f"{each.path} is of another run than {first.path}: {difference}")
        if other := seen.get(each.part.number):
            raise LogError(f"{each.part.words} is given twice: {other.path} and {each.path}")
        seen[each.part.number] = each
    missing = [str(number) for number in range(1, first.part.of + 1) if number not in seen]
    if missing:
        named = ", ".join(missing[:NAMED]) + (f" and {len(missing) - NAMED} more" if len(missing) > NAMED else "")
        raise LogError(f"missing: part{'s' * (len(missing) != 1)} {named} of {first.part.of}")


def bringing(parts: Sequence[PartFolder]) -> Workers:
    """Return workers that copy the shards of a run from its parts."""
    by_number = {each.part.number: each for each in parts}

    def shard_of(task: Task) -> Path:
        entry = parts[0].tournament.entries[task.entry]
        stretch = next(each for each in entry.stretches if task.first in each)
        part = by_number[which(task.entry, stretch.index(task.first), len(parts))]
        return part.folder.shard(entry, task.first)

    def bring(
        tournament: Tournament, folder: str, tasks: Iterator[Task], jobs: int
    ) -> Iterator[Task | Sequence[ShardProgress]]:
        run = RunFolder(folder)
        for entry, part in zip(tournament.entries, parts[0].tournament.entries, strict=True):
            if entry.blocks > part.blocks:
                raise FolderError(f"{folder} holds {entry.blocks} blocks of {entry.name}, the parts {part.blocks}")
        if not any(map(run.firsts, tournament.entries)):  # record the version that started the parts
            data = {**run.read_run(), "roundsim": parts[0].data["roundsim"]}
            write_aside(run.path / "run.toml", tomli_w.dumps(data).encode())
        for task in tasks:
            shard = shard_of(task)
            try:
                run.write_shard(tournament.entries[task.entry], task.first, [read_file(shard)])
            except FileNotFoundError:
                raise LogError(f"{shard} has been taken away") from None
            yield task
            yield ()

    return bring
