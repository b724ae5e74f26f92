"""The run folder: written aside, synced and renamed, so that what is there is whole."""

from __future__ import annotations

import fcntl
import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import tomli_w
import zstandard

from .. import games
from ..contract.plugins import Strategy
from ..errors import FolderError, LogError, OptionError, UnknownGameError
from . import formats
from .plan import Entry, Limits, Tournament, entry_identity
from .tally import Tally

SCHEMA = 1
RESULTS = ("standings.json", "standings.csv", "standings.md", "faults.jsonl")
Task = TypeVar("Task")


def write_aside(path: Path, data: bytes) -> None:
    """Write a file such that it is either whole or not there, whatever happens.  FolderError if it cannot be."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(aside, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
        sync_folder(path.parent)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise FolderError(f"cannot write {path}: {error.strerror}") from None


def sync_folder(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class RunFolder:
    """A run on disk: `run.toml`, a folder of shards for each game under `log/`, and what is made of them at the end."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def shard(self, entry: Entry, first: int) -> Path:
        """The file of the shard that begins with this block."""
        return self.path / "log" / entry.name / f"{first:07d}.zst"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder against other runs; the lock dies with its holder."""
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
                os.close(handle)  # its last holder has just cleared it away
        except OSError as error:
            raise FolderError(f"cannot write {self.path}: {error.strerror}") from None
        try:
            yield
        finally:
            self.clear_asides()  # of workers that were ended while they wrote
            lock.unlink(missing_ok=True)
            os.close(handle)

    def clear_asides(self) -> None:
        """Take away what an interrupted write has left behind."""
        for aside in self.path.rglob(".*.*"):
            if aside.suffix[1:].isdecimal():
                aside.unlink(missing_ok=True)

    def open(self, tournament: Tournament, version: str) -> Tournament:
        """Make the folder ready for a run of this tournament, and say what is to be played in it: what was asked for
        before and is more stays.  FolderError if it holds another run."""
        self.clear_asides()
        if (self.path / "run.toml").exists():
            old = self.read_run()
            if difference := first_difference(tournament.identity(), old):
                raise FolderError(f"{self.path} holds a different run: {difference}")
            blocks = {each["name"]: each["blocks"] for each in old["games"]}
            entries = tuple(
                replace(entry, blocks=max(entry.blocks, blocks[entry.name])) for entry in tournament.entries
            )
            tournament = replace(tournament, entries=entries)
        elif self.path.exists() and any(each.name != ".lock" for each in self.path.iterdir()):
            raise FolderError(f"{self.path} is not empty and holds no run")
        data = self.run_data(tournament, version)
        path = self.path / "run.toml"
        try:
            if not path.exists() or self.read_run() != data:
                write_aside(path, tomli_w.dumps(data).encode())
            for entry in tournament.entries:
                (self.path / "log" / entry.name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FolderError(f"cannot write {self.path}: {error.strerror}") from None
        return tournament

    def run_data(self, tournament: Tournament, version: str) -> dict[str, Any]:
        """What `run.toml` holds: everything needed to run it again."""
        limits = tournament.limits
        return {
            "schema": SCHEMA,
            "roundsim": version,
            "name": tournament.name,
            "format": tournament.format,
            "seed": tournament.seed,
            "limits": {
                "seconds": limits.seconds,
                "memory": limits.memory,
                "on_fault": limits.on_fault,
                "faults_allowed": limits.faults_allowed,
            },
            "games": [{**entry_identity(entry), "blocks": entry.blocks} for entry in tournament.entries],
        }

    def read_run(self) -> dict[str, Any]:
        """The data of `run.toml`; LogError if it is none."""
        path = self.path / "run.toml"
        try:
            data = tomllib.loads(path.read_text("utf-8"))
        except OSError as error:
            raise LogError(f"{path}: {error.strerror}: this is no run folder") from None
        except ValueError as error:
            raise LogError(f"{path}: no TOML: {error}") from None
        if data.get("schema") != SCHEMA or not isinstance(data.get("games"), list):
            raise LogError(
                f"{path}: written by another version of roundsim (schema {data.get('schema')!r}, expected {SCHEMA})"
            )
        try:
            check_record(data)
        except (KeyError, TypeError, ValueError) as error:
            raise LogError(f"{path}: damaged: {type(error).__name__}: {error}") from None
        return data

    def tournament(self) -> Tournament:
        """The tournament that was played here, as far as its record goes: strategies by name, not loaded."""
        data = self.read_run()
        try:
            entries = tuple(read_entry(each, data["format"], self.path) for each in data["games"])
            return Tournament(data["name"], data["format"], data["seed"], Limits(**data["limits"]), entries)
        except LogError:
            raise
        except OptionError as error:
            words = f"its options are refused by this version of roundsim: {error}"
            raise LogError(f"{self.path / 'run.toml'}: {words}") from None
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise LogError(f"{self.path / 'run.toml'}: damaged: {type(error).__name__}: {error}") from None

    def without_results(self, tasks: Iterator[Task]) -> Iterator[Task]:
        """The same tasks; with the first of them what an earlier, shorter run came to is no longer true."""
        for task in tasks:
            for name in RESULTS:
                (self.path / name).unlink(missing_ok=True)
            yield task

    def write_shard(self, entry: Entry, first: int, text: bytes) -> None:
        compressor = zstandard.ZstdCompressor(level=3, write_checksum=True)
        write_aside(self.shard(entry, first), compressor.compress(text))

    def read_shard(self, entry: Entry, first: int) -> tuple[list[str], Tally] | None:
        """The lines of a shard and its tally; None if it is not there.  LogError if it is damaged."""
        path = self.shard(entry, first)
        try:
            frame = zstandard.ZstdDecompressor().decompressobj()
            text = frame.decompress(path.read_bytes()).decode()
        except FileNotFoundError:
            return None
        except (zstandard.ZstdError, UnicodeDecodeError, OSError) as error:
            raise LogError(f"{path}: damaged: {error}") from None
        if not frame.eof or frame.unused_data:
            raise LogError(f"{path}: damaged: {'more than' if frame.eof else 'not'} a whole shard")
        *lines, last = text.splitlines() or [""]
        try:
            return lines, Tally.from_json(json.loads(last.removeprefix("# ")))
        except (ValueError, KeyError, TypeError) as error:
            raise LogError(f"{path}:{len(lines) + 1}: the tally at its end is damaged ({error})") from None


def read_entry(data: dict[str, Any], format_name: str, run: Path) -> Entry:
    """An entry as `run.toml` has it; any of several errors if it is damaged."""
    strategies = tuple(
        Strategy(
            str(each["name"]),
            (),
            "",
            "",
            each["sha256"],
            tuple(sorted(each["parameters"].items())),
            bool(each.get("imagines")),
        )
        for each in data["strategies"]
    )
    format = formats.find(format_name).from_settings(data)
    home = home_of(data, run) if "source" in data else ""
    entry = Entry(data["name"], data["game"], format, data["options"], strategies, data["blocks"], home=home)
    if data["rules"] != entry.deal.version:
        played, now = data["rules"], entry.deal.version
        raise LogError(f"{run}: {entry.name} was played by version {played} of the rules, this roundsim has {now}")
    assert entry.rules  # whatever these options are, the game must have them
    return entry


def check_record(data: dict[str, Any]) -> None:
    """KeyError or ValueError where something in `run.toml` is lacking, or of another kind."""
    check_kinds(data, {"name": str, "format": str, "seed": int, "limits": dict}, "")
    check_kinds(data["limits"], {key: type(value) for key, value in vars(Limits()).items()}, "limits.")
    for each in data["games"]:
        check_kinds(each, {"name": str, "game": str, "blocks": int, "rules": int, "options": dict}, "")
        if each["blocks"] < 1:
            raise ValueError(f"blocks = {each['blocks']}")


def check_kinds(data: dict[str, Any], kinds: Mapping[str, type], where: str) -> None:
    """ValueError where a value is of another kind."""
    for key, kind in kinds.items():
        if type(data[key]) is not kind:
            raise ValueError(f"{where}{key} = {data[key]!r}")


def home_of(data: dict[str, Any], run: Path) -> str:
    """Where a game from outside is found again: "" if it is installed, else path:Class, in the current folder or in those
    above the run.  LogError if it is not, or is another one now."""
    module, sha = data["source"]["module"], data["source"]["sha256"]
    if data["game"] in games.installed():
        places = [""]
    else:
        places = [str(folder / module) for folder in (Path(), *run.resolve().parents)]
    changed = False
    for place in places:
        with suppress(UnknownGameError):
            origin = games.find(place or data["game"]).origin
            if not origin or origin.sha256 == sha:
                return place and str(Path(place).resolve())
            changed = True
    if changed:
        raise LogError(f"{module}: {data['game']} has changed since the run (sha256 {sha[:8]})")
    raise LogError(f"{run / 'run.toml'}: {data['game']} is a game of {module}, which is not here: call from its folder")


def first_difference(wanted: Any, found: Any, where: str = "") -> str:
    """Where two records differ, in words; '' if all that is wanted is found."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        parts = [(wanted[key], found.get(key), f"{where}.{key}" if where else key) for key in wanted]
    elif isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        parts = [(*pair, f"{where}[{at}]") for at, pair in enumerate(zip(wanted, found, strict=True), 1)]
    elif isinstance(wanted, list) and isinstance(found, list):
        return f"{where}: {len(found)} there, {len(wanted)} here"
    else:
        return "" if wanted == found else f"{where} is {found!r} there, {wanted!r} here"
    return next((words for part in parts if (words := first_difference(*part))), "")
