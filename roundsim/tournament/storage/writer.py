"""Writing a run: the lock of its folder, `run.toml`, and the removal of what no longer holds."""

from __future__ import annotations

import fcntl
import os
import shlex
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import tomli_w

from ...base.errors import FolderError, LogError, clean
from ...base.files import TEXT, as_size
from ...processes.start import uninterrupted
from ..planning.plan import Entry, Schedule, Tournament
from . import runfile
from .folder import RunFolder
from .layout import PAGE, RESULTS, is_aside, is_folder, is_kept
from .shards import read_file, shard_until
from .writing import clear_left, make_folders, sync_folder, write_aside

SYNC = 2  # seconds between two syncs of the folders of shards


class RunWriter(RunFolder):
    """A run folder that a run plays into: all changes but the shards that workers write."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(path)
        self.unsynced, self.synced = set[Path](), time.monotonic()

    @contextmanager
    def locked(self) -> Iterator[RunWriter]:
        """Lock the folder against other runs. The lock ends with the process that holds it."""
        lock = self.path / ".lock"
        try:
            make_folders(self.path)
            while True:
                handle = os.open(lock, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    os.close(handle)
                    raise FolderError(f"{self.path} is in use by another run") from None
                if lock.exists() and os.stat(lock).st_ino == os.fstat(handle).st_ino:
                    break
                os.close(handle)  # its last holder has just removed it
        except OSError as error:
            raise FolderError(f"cannot write {self.path}: {error.strerror}") from None
        try:
            yield self
        finally:
            with uninterrupted():
                self.clear_asides()  # of workers that were ended while they wrote
                lock.unlink(missing_ok=True)
                os.close(handle)
                self.sync()

    def open(self, tournament: Tournament, version: str) -> Tournament:
        """Prepare the folder for a run of this tournament, and return what is to be played in it.

        If more was requested before, that amount stays. FolderError if the folder holds another run."""
        self.clear_asides()
        path, old = self.path / "run.toml", None
        if path.exists():
            old = runfile.file_data(self.read_run(), self.path / "run.toml")
            if "placed_within" not in old["limits"]:  # an older run keeps its rule: all are placed
                tournament = replace(tournament, limits=replace(tournament.limits, placed_within=None))
            if difference := runfile.first_difference(as_before(tournament, old).identity(), old):
                joined = any("joined" in strategy for game in old["games"] for strategy in game["strategies"])
                again = f"\nIt has grown: roundsim grow {shlex.quote(str(self.path))} goes on with it"
                hint = again * (joined and "strateg" in difference)
                raise FolderError(f"{self.path} holds a different run: {difference}{hint}")
            there = {game["name"]: game for game in old["games"]}
            entries = tuple(grown(entry, **there[entry.name]) for entry in tournament.entries)
            tournament = replace(tournament, entries=entries)
            # the run records the version that started it; each shard records the version that played it
            version = old["roundsim"] if any(map(self.firsts, entries)) else version
        else:
            self.refuse_others()
        data = runfile.data_of(tournament, version)
        try:
            if old != data:
                self.clear_results()
                self.write_run(data)
            self.make_room(tournament)
        except OSError as error:
            raise FolderError(f"cannot write {self.path}: {error.strerror}") from None
        return tournament

    def refuse_others(self) -> None:
        """FolderError if the folder holds anything else than a run that is about to begin."""
        if not all(map(self.is_bare, self.path.rglob("*"))):
            raise FolderError(f"{self.path} is not empty and holds no run")

    def is_bare(self, path: Path) -> bool:
        """Whether a path in the folder is the lock, or an empty folder for shards, as is left of a deleted run."""
        inner = path.relative_to(self.path).parts
        return inner == (".lock",) or inner[0] == "log" and is_folder(path)

    def make_room(self, tournament: Tournament) -> None:
        """Make the folders of shards. FolderError if one is a link: nothing is written outside the run's folder."""
        logs = [self.path / "log", *map(self.log, tournament.entries)]
        for path in logs:
            if path.is_symlink():
                raise FolderError(f"{path} is a link: a run writes into its own folders only")
        make_folders(*logs)

    def go_on(self, tournament: Tournament) -> None:
        """Prepare the folder for the rounds that follow from those before. LogError if it holds others."""
        path, old = self.path / "run.toml", self.read_run()
        there = {game["name"]: game for game in old["games"]}
        for game in map(runfile.entry_data, tournament.entries):
            if difference := runfile.first_difference(game, there.get(game["name"], game), game["name"]):
                raise LogError(f"{path}: damaged: does not follow from the round before: {difference}")
        try:
            if any(entry.name not in there for entry in tournament.entries):
                self.write_run(runfile.data_of(tournament, old["roundsim"]))
            self.make_room(tournament)
        except OSError as error:
            raise FolderError(f"cannot write {self.path}: {error.strerror}") from None

    def stop(self, tournament: Tournament, lasts: Mapping[int, int]) -> Tournament:
        """Remove shards after the blocks with which some entries end, and record these ends."""
        entries = list(tournament.entries)
        for number, last in lasts.items():
            schedule = Schedule(tournament, number)
            for first in self.firsts(schedule.entry):
                if first > last:
                    self.take_away(schedule.entry, first)
                elif schedule.shard(first).last > last:
                    shard = self.read_shard(schedule, first)
                    if shard and shard.whole:
                        self.write_shard(schedule.entry, first, shard_until(shard, schedule, last))
                        self.keep([shard.path])
            entries[number] = replace(entries[number], blocks=last)
        stopped = replace(tournament, entries=tuple(entries))
        self.sync()
        data = runfile.data_of(stopped, self.read_run()["roundsim"])
        self.write_run(data)
        return stopped

    def keep(self, shards: Iterable[Path]) -> None:
        """Note that shards are written: their folders are synced within two seconds, or when the lock is given up."""
        self.unsynced.update(shard.parent for shard in shards)
        if time.monotonic() - self.synced > SYNC:
            self.sync()

    def sync(self) -> None:
        """Sync the folders of the shards that were written, so that these are there after a power cut. FolderError."""
        try:
            while self.unsynced:
                folder = self.unsynced.pop()
                if folder.is_dir():
                    sync_folder(folder)
        except OSError as error:
            raise FolderError(f"cannot write {folder}: {error.strerror}") from None
        self.synced = time.monotonic()

    def take_away(self, entry: Entry, first: int) -> None:
        """Remove a shard, and the folder of its thousand if this was the last in it."""
        path = self.shard(entry, first)
        path.unlink()
        if path.parent != self.log(entry):
            with suppress(OSError):
                path.parent.rmdir()

    def write_run(self, data: Mapping[str, Any]) -> None:
        """Write `run.toml`. FolderError if it cannot be written, or is too large to be read again."""
        path, text = self.path / "run.toml", tomli_w.dumps(data).encode()
        if len(text) > TEXT:
            raise FolderError(f"cannot write {path}: so many strategies take more than {as_size(TEXT)}")
        write_aside(path, text)

    def keep_sources(self, tournament: Tournament) -> None:
        """Write down the source of strategies that have no file. It is for people; no program reads it. FolderError."""
        kept = self.path / "strategies"
        sessions = {
            strategy
            for entry in tournament.entries
            for strategy in entry.strategies
            if strategy.source and strategy.path
        }
        if sessions and (kept.is_symlink() or kept.exists() and not kept.is_dir()):
            raise FolderError(f"cannot write {kept}: it is no folder")
        for strategy in sessions:
            make_folders(kept)
            clear_left(kept, [f"{strategy.name}.txt"])
            text = read_file(Path(strategy.path).with_suffix(".txt"), TEXT).decode(errors="replace")
            write_aside(kept / f"{strategy.name}.txt", f"{clean(text)}\n".encode())

    def clear_results(self) -> None:
        """Remove the results, because they no longer match the log."""
        for name in (*RESULTS, PAGE):
            (self.path / name).unlink(missing_ok=True)

    def clear_kept(self) -> None:
        """Remove what was kept of unfinished shards, because all shards are there."""
        for kept in filter(is_kept, self.hidden()):
            kept.unlink(missing_ok=True)

    def clear_asides(self) -> None:
        """Remove what an interrupted write of ours has left."""
        for aside in filter(is_aside, chain(self.path.glob(".*.*"), self.hidden())):
            aside.unlink(missing_ok=True)

    def hidden(self) -> Iterator[Path]:
        """Yield the hidden files in the folders of shards, and in folders with such names."""
        return chain(self.path.glob("log/*/.*.*"), self.path.glob("log/*/*/.*.*"))


def grown(entry: Entry, blocks: int, cap: int = 0, **more: Any) -> Entry:
    """Return an entry for which this number of blocks was requested before.

    One that stopped before its cap stays unchanged."""
    if blocks < cap:
        return replace(entry, blocks=blocks, cap=cap)
    most = max(entry.blocks, blocks)
    return replace(entry, blocks=most, cap=cap and most)


def as_before(tournament: Tournament, old: dict[str, Any]) -> Tournament:
    """Return the tournament without the strategies that join now, after all blocks that its record asks for."""
    there = {game["name"]: game for game in old["games"]}
    entries = [without_newcomers(entry, there.get(entry.name, {})) for entry in tournament.entries]
    return replace(tournament, entries=tuple(entries))


def without_newcomers(entry: Entry, old: Mapping[str, Any]) -> Entry:
    there = len(old.get("strategies", entry.strategies))
    if not entry.joined or {*entry.joined[there:]} != {old.get("blocks")}:
        return entry
    joined = entry.joined[:there]
    return replace(entry, strategies=entry.strategies[:there], joined=joined if any(joined) else ())
