"""The run folder. Files are written under another name, synced and renamed, so a file that exists is whole."""

from __future__ import annotations

import fcntl
import json
import os
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import tomli_w

from ..errors import FolderError, LogError, clean
from ..files import TEXT, as_size
from ..processes.start import uninterrupted
from . import runfile
from .plan import Entry, Keys, Schedule, Task, Tournament
from .shards import Shard, read_file, read_shard, shard_bytes, shard_until
from .unfinished import KEPT

RESULTS = ("standings.json", "standings.csv", "standings.md", "faults.jsonl")
PAGE = "report.html"
MANY = 1000  # shards of an entry in one folder
DIGITS = 20  # no block number has more
FILES = ("run.toml", "timing.json", PAGE, *RESULTS)


def write_named(path: Path, data: bytes) -> None:
    """Write a file that the user has named. Follow links, and write to devices and pipes as they are. FolderError."""
    path = Path(os.path.realpath(path)) if path.is_symlink() else path
    if path.is_file() or not path.exists():
        clear_left(path.parent, [path.name])
        write_aside(path, data)
        return
    try:
        with open(path, "wb") as there:
            there.write(data)
    except OSError as error:
        raise FolderError(f"cannot write {path}: {error.strerror}") from None


def write_aside(path: Path, data: bytes | Iterable[bytes]) -> None:
    """Write a file such that it is either whole or absent, whatever happens. FolderError if it cannot be written."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(aside, "wb") as file:
            with suppress(OSError):  # some file systems have no locks
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            file.writelines([data] if isinstance(data, bytes) else data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
        sync_folder(path.parent)
    except OSError as error:
        raise FolderError(f"cannot write {path}: {error.strerror}") from None
    finally:
        aside.unlink(missing_ok=True)


def clear_left(folder: Path, names: Collection[str]) -> None:
    """Remove what killed commands have left of files of these names.

    A file that is being written is locked, and stays."""
    for aside in folder.glob(".*.*"):
        name, _, pid = aside.name[1:].rpartition(".")
        if name in names and pid.isdecimal():
            with suppress(OSError):
                handle = os.open(aside, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
                with open(handle, "rb") as file:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    aside.unlink()


def has_bytes(path: Path, data: bytes) -> bool:
    """Whether this is a file with exactly these bytes."""
    try:
        return read_file(path, len(data)) == data
    except (FileNotFoundError, LogError):
        return False


def sync_folder(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_aside(path: Path) -> bool:
    """Whether this is a temporary file of ours."""
    name, _, pid = path.name[1:].rpartition(".")
    ours = name in FILES or name.removesuffix(".zst").isdecimal()
    return path.name[0] == "." and pid.isdecimal() and ours and not is_folder(path)


def is_kept(path: Path) -> bool:
    """Whether this is a file kept of an unfinished shard (see `unfinished`)."""
    return path.name[0] == "." and path.suffix in KEPT and path.stem[1:].isdecimal() and not is_folder(path)


def is_folder(path: Path) -> bool:
    """Whether this is a folder, and not a link to one."""
    return path.is_dir() and not path.is_symlink()


def shard_path(entry: Entry, first: int) -> str:
    """Path of the shard that begins with this block, in the folder of its entry.

    The first thousand shards are in that folder itself, each next thousand in a folder named after its first shard. The
    path depends on nothing that grows."""
    within = thousand(entry, first)
    return f"{within:07d}/{first:07d}.zst" if within else lying_flat(first)


def lying_flat(first: int) -> str:
    """Path of the shard in older runs, which keep all shards in one folder."""
    return f"{first:07d}.zst"


def thousand(entry: Entry, first: int) -> int:
    """Return the first block of the thousand shards around this one; 0 for the first thousand, or if there is none."""
    number = entry.number(first) or 0
    return entry.first_block(number - number % MANY) if number >= MANY else 0


def grown(entry: Entry, blocks: int, cap: int = 0, **more: Any) -> Entry:
    """Return an entry for which this number of blocks was requested before.

    One that stopped before its cap stays unchanged."""
    if blocks < cap:
        return replace(entry, blocks=blocks, cap=cap)
    most = max(entry.blocks, blocks)
    return replace(entry, blocks=most, cap=cap and most)


def as_before(tournament: Tournament, old: dict[str, Any]) -> Tournament:
    """Return the tournament without the strategies that join now, after all blocks that its record asks for."""
    there = {each["name"]: each for each in old["games"]}
    entries = [without_newcomers(entry, there.get(entry.name, {})) for entry in tournament.entries]
    return replace(tournament, entries=tuple(entries))


def without_newcomers(entry: Entry, old: Mapping[str, Any]) -> Entry:
    there = len(old.get("strategies", entry.strategies))
    if not entry.joined or {*entry.joined[there:]} != {old.get("blocks")}:
        return entry
    joined = entry.joined[:there]
    return replace(entry, strategies=entry.strategies[:there], joined=joined if any(joined) else ())


def is_thousand(entry: Entry, name: str) -> bool:
    """Whether a folder with some thousand shards of an entry has this name."""
    if not name.isascii() or not name.isdecimal() or len(name) > DIGITS:
        return False
    first = int(name)
    return name == f"{first:07d}" and 0 < first == thousand(entry, first)


def stem_of(name: str) -> str:
    """Return 0063064 for 0063001/0063064.zst; "" if the ending is another."""
    name = name.rpartition("/")[2]
    return name.removesuffix(".zst") if name.endswith(".zst") else ""


class RunFolder:
    """A run on disk: `run.toml`, a folder of shards for each entry under `log/`, and the results.

    Only this class knows where a shard is."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def shard(self, entry: Entry, first: int) -> Path:
        """Path of the shard that begins with this block, whether it exists or not."""
        path, flat = (self.log(entry) / name for name in (shard_path(entry, first), lying_flat(first)))
        return flat if path != flat and not path.exists() and flat.exists() else path

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

    def log(self, entry: Entry) -> Path:
        """Return the folder of its shards."""
        return self.path / "log" / entry.name

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder against other runs. The lock ends with the process that holds it."""
        lock = self.path / ".lock"
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            while True:
                handle = os.open(lock, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o644)
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
            yield
        finally:
            with uninterrupted():
                self.clear_asides()  # of workers that were ended while they wrote
                lock.unlink(missing_ok=True)
                os.close(handle)

    def clear_asides(self) -> None:
        """Remove what an interrupted write of ours has left."""
        for aside in filter(is_aside, chain(self.path.glob(".*.*"), self.hidden())):
            aside.unlink(missing_ok=True)

    def clear_kept(self) -> None:
        """Remove what was kept of unfinished shards, because all shards are there."""
        for kept in filter(is_kept, self.hidden()):
            kept.unlink(missing_ok=True)

    def hidden(self) -> Iterator[Path]:
        """Yield the hidden files in the folders of shards, and in folders with such names."""
        return chain(self.path.glob("log/*/.*.*"), self.path.glob("log/*/*/.*.*"))

    def clear_results(self) -> None:
        """Remove the results, because they no longer match the log."""
        for name in (*RESULTS, PAGE):
            (self.path / name).unlink(missing_ok=True)

    def open(self, tournament: Tournament, version: str) -> Tournament:
        """Prepare the folder for a run of this tournament, and return what is to be played in it.

        If more was requested before, that amount stays. FolderError if the folder holds another run."""
        self.clear_asides()
        path, old = self.path / "run.toml", None
        if path.exists():
            old = runfile.file_data(self.read_run(), self.path / "run.toml")
            if difference := runfile.first_difference(as_before(tournament, old).identity(), old):
                joined = any("joined" in each for game in old["games"] for each in game["strategies"])
                again = f"\nIt has grown: roundsim grow {shlex.quote(str(self.path))} goes on with it"
                hint = again * (joined and "strateg" in difference)
                raise FolderError(f"{self.path} holds a different run: {difference}{hint}")
            there = {each["name"]: each for each in old["games"]}
            entries = tuple(grown(entry, **there[entry.name]) for entry in tournament.entries)
            tournament = replace(tournament, entries=entries)
            # the run records the version that started it; each shard records the version that played it
            version = old["roundsim"] if any(map(self.firsts, entries)) else version
        elif not all(map(self.is_bare, self.path.rglob("*"))):
            raise FolderError(f"{self.path} is not empty and holds no run")
        data = runfile.data_of(tournament, version)
        try:
            if old != data:
                self.clear_results()
                self.write_run(data)
            self.make_room(tournament)
        except OSError as error:
            raise FolderError(f"cannot write {self.path}: {error.strerror}") from None
        return tournament

    def is_bare(self, path: Path) -> bool:
        """Whether a path in the folder is the lock, or an empty folder for shards, as is left of a deleted run."""
        inner = path.relative_to(self.path).parts
        return inner == (".lock",) or inner[0] == "log" and is_folder(path)

    def make_room(self, tournament: Tournament) -> None:
        for entry in tournament.entries:
            self.log(entry).mkdir(parents=True, exist_ok=True)

    def go_on(self, tournament: Tournament) -> None:
        """Prepare the folder for the rounds that follow from those before. LogError if it holds others."""
        path, old = self.path / "run.toml", self.read_run()
        there = {each["name"]: each for each in old["games"]}
        for game in map(runfile.entry_data, tournament.entries):
            if difference := runfile.first_difference(game, there.get(game["name"], game), game["name"]):
                raise LogError(f"{path}: damaged: not what the round before has come to: {difference}")
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
                elif (task := schedule.task(first)).last > last:
                    shard = self.read_shard(task, schedule.keys)
                    if shard and shard.whole:
                        lines, tally = shard_until(shard, schedule.keys, last)
                        self.write_shard(schedule.entry, first, shard_bytes(lines, sum(map(len, lines)), tally))
            entries[number] = replace(entries[number], blocks=last)
        stopped = replace(tournament, entries=tuple(entries))
        data = runfile.data_of(stopped, self.read_run()["roundsim"])
        self.write_run(data)
        return stopped

    def take_away(self, entry: Entry, first: int) -> None:
        """Remove a shard, and the folder of its thousand if this was the last in it."""
        path = self.shard(entry, first)
        path.unlink()
        if path.parent != self.log(entry):
            with suppress(OSError):
                path.parent.rmdir()

    def read_run(self) -> dict[str, Any]:
        """Return the data of `run.toml`. LogError if it is not valid."""
        return runfile.read_run_file(self.path / "run.toml")

    def write_run(self, data: Mapping[str, Any]) -> None:
        """Write `run.toml`. FolderError if it cannot be written, or is too large to be read again."""
        path, text = self.path / "run.toml", tomli_w.dumps(data).encode()
        if len(text) > TEXT:
            raise FolderError(f"cannot write {path}: so many strategies take more than {as_size(TEXT)}")
        write_aside(path, text)

    def keep_sources(self, tournament: Tournament) -> None:
        """Write down the source of strategies that have no file. It is for people; no program reads it. FolderError."""
        kept = self.path / "strategies"
        found = {each for entry in tournament.entries for each in entry.strategies if each.source and each.path}
        if found and (kept.is_symlink() or kept.exists() and not kept.is_dir()):
            raise FolderError(f"cannot write {kept}: it is no folder")
        for each in found:
            kept.mkdir(exist_ok=True)
            clear_left(kept, [f"{each.name}.txt"])
            text = read_file(Path(each.path).with_suffix(".txt"), TEXT).decode(errors="replace")
            write_aside(kept / f"{each.name}.txt", f"{clean(text)}\n".encode())

    def timing(self) -> dict[str, Any]:
        """Return the data of `timing.json`, unchecked; {} if the file is missing or damaged."""
        with suppress(FileNotFoundError, LogError, ValueError, RecursionError):
            data = json.loads(read_file(self.path / "timing.json", TEXT))
            return data if isinstance(data, dict) else {}
        return {}

    def tournament(self) -> Tournament:
        """Return the tournament of this run as recorded, with strategies by name, not loaded. LogError."""
        return runfile.tournament(self.path / "run.toml", self.read_run())

    def write_shard(self, entry: Entry, first: int, data: Iterable[bytes]) -> None:
        write_aside(self.shard_to_be(entry, first), data)

    def read_shard(self, task: Task, keys: Keys, strict: bool = True, lines: bool = True) -> Shard | None:
        """Read the shard of a task; None if it is not there. LogError (see `shards.read_shard`)."""
        return read_shard(self.shard(keys.entry, task.first), task, keys, strict, lines)

    def shards(self, schedule: Schedule, lines: bool = True) -> Iterator[Shard]:
        """Yield the shards of an entry that are there, in schedule order. LogError."""
        for first in self.firsts(schedule.entry):
            if shard := self.read_shard(schedule.task(first), schedule.keys, lines=lines):
                yield shard

    def firsts(self, entry: Entry) -> list[int]:
        """Return the first blocks of the shards of an entry that are there."""
        return [*self.there(entry, {*self.names(entry)})]

    def there(self, entry: Entry, names: Collection[str]) -> dict[int, str]:
        """Return the shards of an entry among these names: name by first block, in rising order.

        The plan says which first blocks exist, so shards may be played in any order."""
        firsts = sorted({int(stem) for name in names if (stem := stem_of(name)).isascii() and stem.isdecimal()})
        planned, found = [stretch[entry.own] for stretch in entry.stretches], dict[int, str]()
        for first in firsts:
            if any(first in stretch for stretch in planned):
                where = shard_path(entry, first), lying_flat(first)
                if name := next(filter(names.__contains__, where), ""):
                    found[first] = name
        return found

    def names(self, entry: Entry) -> Iterator[str]:
        """Yield the names in the folder of an entry, and in its folders of a thousand shards, relative to the entry's
        folder."""
        for each in self.listed("log", entry.name):
            if is_thousand(entry, each.name) and each.is_dir():
                yield from (f"{each.name}/{inner.name}" for inner in self.listed("log", entry.name, each.name))
            else:
                yield each.name

    def listed(self, *inner: str) -> list[Path]:
        """Return the files in a folder of the run; nothing if the folder does not exist."""
        try:
            return sorted(self.path.joinpath(*inner).iterdir())
        except OSError:
            return []

    def foreign_files(self, tournament: Tournament) -> list[Path]:
        """Return the files under `log/` that belong to none of the run's shards."""
        own = {self.log(entry): entry for entry in tournament.entries}
        found = [each for each in self.listed("log") if each not in own or not each.is_dir()]
        for folder, entry in own.items():
            names = dict.fromkeys(self.names(entry))
            shards = {*self.there(entry, names).values()}
            files = [folder / name for name in names if name not in shards]
            found += [each for each in files if not is_aside(each) and not is_kept(each)]
        return found
