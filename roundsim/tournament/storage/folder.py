"""A run folder, as everybody reads it and workers write shards into it."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...base.errors import FolderError, LogError
from ...base.files import TEXT
from ..planning.plan import Entry, Schedule, Tournament
from . import runfile
from .layout import is_aside, is_kept, is_thousand, shard_path, stem_of
from .shards import Shard, read_file, read_shard
from .writing import sync_folder, write_aside


class RunFolder:
    """A run on disk: `run.toml`, a folder of shards for each entry under `log/`, and the results.

    Only this class knows where a shard is. `RunWriter` writes the rest."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def read_run(self) -> dict[str, Any]:
        """Return the data of `run.toml`. LogError if it is not valid."""
        return runfile.read_run_file(self.path / "run.toml")

    def tournament(self) -> Tournament:
        """Return the tournament of this run as recorded, with strategies by name, not loaded. LogError."""
        return runfile.tournament(self.path / "run.toml", self.read_run())

    def timing(self) -> dict[str, Any]:
        """Return the data of `timing.json`, unchecked; {} if the file is missing or damaged."""
        return self.read_json("timing.json")

    def results(self) -> dict[str, Any]:
        """Return the data of `standings.json`, unchecked; {} if the file is missing or damaged."""
        return self.read_json("standings.json")

    def read_json(self, name: str) -> dict[str, Any]:
        """Return the data of a file, unchecked; {} if the file is missing or damaged."""
        with suppress(FileNotFoundError, LogError, ValueError, RecursionError):
            data = json.loads(read_file(self.path / name, TEXT))
            return data if isinstance(data, dict) else {}
        return {}

    def log(self, entry: Entry) -> Path:
        """Return the folder of its shards."""
        return self.path / "log" / entry.name

    def shard(self, entry: Entry, first: int) -> Path:
        """Path of the shard that begins with this block, whether it exists or not."""
        return self.log(entry) / shard_path(entry, first)

    def shard_to_be(self, entry: Entry, first: int) -> Path:
        """Path of the shard for writing; creates its folder. FolderError."""
        path = self.shard(entry, first)
        if path.parent != self.log(entry) and not path.parent.is_dir():
            try:
                path.parent.mkdir(exist_ok=True)
                sync_folder(path.parent.parent)
            except OSError as error:
                raise FolderError(f"cannot write {path.parent}: {error.strerror}") from None
        return path

    def write_shard(self, entry: Entry, first: int, data: Iterable[bytes]) -> None:
        """Write a shard. Its folder is not synced: see `RunWriter.keep`. FolderError."""
        write_aside(self.shard_to_be(entry, first), data, sync=False)

    def read_shard(self, schedule: Schedule, first: int) -> Shard | None:
        """Read the index of the shard that begins with this block; None if it is not there. LogError (see
        `shards.read_shard`)."""
        return read_shard(self.shard(schedule.entry, first), schedule.shard(first), schedule)

    def shards(self, schedule: Schedule) -> Iterator[Shard]:
        """Yield the shards of an entry that are there, in schedule order. LogError."""
        for first in self.firsts(schedule.entry):
            if shard := self.read_shard(schedule, first):
                yield shard

    def firsts(self, entry: Entry) -> list[int]:
        """Return the first blocks of the shards of an entry that are there."""
        return [*self.there(entry, {*self.names(entry)})]

    def there(self, entry: Entry, names: Collection[str]) -> dict[int, str]:
        """Return the shards of an entry among these names: name by first block, in rising order.

        The plan says which first blocks exist, so shards may be played in any order."""
        stems = filter(None, map(stem_of, names))
        firsts = sorted({int(stem) for stem in stems if stem.isascii() and stem.isdecimal()})
        planned = ((first, shard_path(entry, first)) for first in firsts if entry.begins(first))
        return {first: name for first, name in planned if name in names}

    def names(self, entry: Entry) -> Iterator[str]:
        """Yield the names in the folder of an entry, and in its folders of a thousand shards, relative to the entry's
        folder."""
        for name in self.listed(entry.name):
            if is_thousand(entry, name) and (self.log(entry) / name).is_dir():
                yield from (f"{name}/{inner}" for inner in self.listed(entry.name, name))
            else:
                yield name

    def listed(self, *inner: str) -> list[str]:
        """Return the names in a folder of the log; nothing if the folder does not exist."""
        try:
            return sorted(os.listdir(self.path.joinpath("log", *inner)))
        except OSError:
            return []

    def foreign_files(self, tournament: Tournament) -> list[Path]:
        """Return the files under `log/` that belong to none of the run's shards."""
        own = {self.log(entry): entry for entry in tournament.entries}
        listed = (self.path / "log" / name for name in self.listed())
        strangers = [path for path in listed if path not in own or not path.is_dir()]
        for folder, entry in own.items():
            names = dict.fromkeys(self.names(entry))
            shards = {*self.there(entry, names).values()}
            files = [folder / name for name in names if name not in shards]
            strangers += [path for path in files if not is_aside(path) and not is_kept(path)]
        return strangers
