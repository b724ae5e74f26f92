"""`round.toml`: who plays in a round and what, fixed and hashed before its cards can be known."""

from __future__ import annotations

import json
import re
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import tomli_w

from ..base.errors import LogError
from ..base.files import TEXT
from ..base.toml import toml_of
from ..tournament.planning.file import GivenSettings, read_tournament
from ..tournament.planning.key_lines import KeyLines
from ..tournament.planning.plan import Entry, Tournament
from ..tournament.planning.record import is_seed
from ..tournament.storage.folder import RunFolder
from ..tournament.storage.shards import read_file
from ..tournament.storage.writing import make_folders, write_aside

Data = Mapping[str, Any]  # of a TOML table
RECORD = "round.toml"
NAMED = re.compile(r"\d{4,12}-[0-9a-f]{6}", re.ASCII)  # the folder of a round
TIME = "%Y-%m-%dT%H:%M:%SZ"
VERSION_DIGITS = 16  # of a sha256 in the name of a version's folder
KEPT = "players", "sitting", "duplicate"  # settings of a round-robin, each recorded unless it is true


class Entered(NamedTuple):
    """An entry in the field of a round: its name, the sha256 of all that it plays by, its source in the folder of this
    version, and its author, "" if nobody says."""

    name: str
    sha256: str
    source: str
    author: str = ""

    @property
    def version(self) -> str:
        """The folder of this version, and the source in it."""
        return f"versions/{self.sha256[:VERSION_DIGITS]}/{self.source}"


class LeftOutEntry(NamedTuple):
    """An entry that does not play in a round, and why."""

    name: str
    sha256: str
    reason: str


@dataclass(frozen=True)
class RoundRecord:
    """The record of a round.

    `after`: the seeds of the newest rounds that were there. `rules`: the version of the rules of each
    game. `games`: as in a tournament file, with entries and strategies of the house by name. `focus`: who plays more,
    because they have played less. `drawn`: when the seed was drawn, in UTC; `salt`, `seed`: "" before
    that."""

    number: int
    after: tuple[str, ...]
    roundsim: str
    rules: Mapping[str, int]
    limits: Data
    games: tuple[Data, ...]
    field: tuple[Entered, ...]
    left_out: tuple[LeftOutEntry, ...] = ()
    focus: tuple[str, ...] = ()
    drawn: str = ""
    salt: str = ""
    seed: str = ""

    def fixed(self) -> dict[str, object]:
        """Return the data that are fixed before the draw."""
        return {
            "number": self.number,
            "after": [*self.after],
            "roundsim": self.roundsim,
            "focus": [*self.focus],
            "rules": {**self.rules},
            "limits": {**self.limits},
            "games": [{**game} for game in self.games],
            "field": [given(entry) for entry in self.field],
            "left_out": [given(entry) for entry in self.left_out],
        }

    @cached_property
    def field_sha256(self) -> str:
        """The sha256 of what is fixed, as JSON with sorted keys and no blanks."""
        return sha256(json.dumps(self.fixed(), sort_keys=True, separators=(",", ":")).encode()).hexdigest()

    @property
    def seed_drawn(self) -> str:
        """The seed that follows from the field and the salt: of a sha256 the first 32 digits."""
        return sha256(f"{self.field_sha256} {self.salt}\n".encode()).hexdigest()[:32]

    @property
    def folder_name(self) -> str:
        return f"{self.number:04d}-{self.seed[:6]}"

    def draw(self, salt: str = "") -> RoundRecord:
        """Return the round with its seed; `salt`: a public value in the place of one that is drawn here."""
        salted = replace(self, salt=salt or secrets.token_hex(16), drawn=time.strftime(TIME, time.gmtime()))
        return replace(salted, seed=salted.seed_drawn)

    def write(self, league: Path) -> RoundFolder:
        """Write the record into a folder of its own. FolderError."""
        folder = league / "rounds" / self.folder_name
        drawn = {key: getattr(self, key) for key in ("drawn", "field_sha256", "salt", "seed")}
        make_folders(folder)
        write_aside(folder / RECORD, tomli_w.dumps({**drawn, **self.fixed()}).encode())
        return RoundFolder(folder, self)

    def tournament(self, league: Path) -> Tournament:
        """Return what is played, with the strategies of `versions/`. TournamentError, PluginError."""
        sources = {
            entry.name: {"name": entry.name, "from": str((league / entry.version).absolute())} for entry in self.field
        }
        games = [
            {**game, "strategies": [sources.get(name, name) for name in game["strategies"]]} for game in self.games
        ]
        record = KeyLines(str(league / "rounds" / self.folder_name / RECORD))
        data = {"limits": {**self.limits}, "games": games}
        return read_tournament(data, record, league, f"round-{self.number}", GivenSettings(seed=self.seed))


class RoundFolder(NamedTuple):
    """A round on disk: its folder, and its record."""

    path: Path
    record: RoundRecord

    @property
    def run(self) -> RunFolder:
        return RunFolder(self.path / "run")


def given(entry: Entered | LeftOutEntry) -> dict[str, str]:
    return {key: value for key, value in entry._asdict().items() if value}


def rounds_of(league: Path, last: int = 0, unfinished: bool = False) -> list[RoundFolder]:
    """Return the rounds of a league, or the last ones, in their order; or those that are not finished. LogError if a
    record is damaged."""
    paths = [path for path in league.glob("rounds/*") if NAMED.fullmatch(path.name) and (path / RECORD).exists()]
    paths.sort(key=lambda path: (int(path.name.partition("-")[0]), path.name))
    there = [path for path in paths[-last:] if not unfinished or not is_finished(path)]
    return [RoundFolder(path, read_round(path / RECORD)) for path in there]


def is_finished(folder: Path) -> bool:
    """Whether a round was played to its end: the standings are written last."""
    return (folder / "run" / "standings.json").exists()


def read_round(path: Path) -> RoundRecord:
    """Return the record of a round. LogError if it is damaged."""
    try:
        return round_of(toml_of(read_file(path, TEXT).decode()))
    except (FileNotFoundError, TypeError, ValueError, AttributeError, RecursionError) as error:
        if isinstance(error, LogError):
            raise
        raise LogError(f"{path}: damaged: {str(error)[:200]}") from None


def round_of(data: Data) -> RoundRecord:
    """Return the round of such a file's data. TypeError or ValueError if it is none."""
    kept: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in data.items()}
    field_sha256 = kept.pop("field_sha256")
    kept["field"] = tuple([Entered(**entry) for entry in data["field"]])
    kept["left_out"] = tuple([LeftOutEntry(**{"sha256": "", **entry}) for entry in data["left_out"]])
    record = RoundRecord(**kept)
    texts = [record.roundsim, record.drawn, record.salt, record.seed, *record.after, *record.focus]
    if not all(isinstance(text, str) for text in [*texts, *all_texts(record.field), *all_texts(record.left_out)]):
        raise TypeError("a text is missing, or is none")
    if type(record.number) is not int or record.number < 1 or not is_seed(record.seed):
        raise ValueError(f"number = {str(record.number)[:60]}, seed = {record.seed[:60]!r}")
    tables = [record.rules, record.limits, *record.games]
    if not all(isinstance(table, Mapping) for table in tables):
        raise TypeError("a table is missing, or is none")
    if not all(is_game(game, record.rules) for game in record.games):
        raise TypeError("a game without its rules, its deals or its strategies")
    for entry in record.field:
        if not is_file_name(entry.source) or len(entry.sha256) != 64 or not is_file_name(entry.sha256):
            raise ValueError(f"{entry.name[:60]!r}: its version is none")
    if record.field_sha256 != field_sha256:
        raise ValueError("its field has another sha256")
    if record.seed_drawn != record.seed:
        raise ValueError("its seed does not follow from field_sha256 and salt")
    return record


def is_game(game: Data, rules: Data) -> bool:
    """Return whether a table has what is read of it: its game, how many deals, and who plays."""
    names, deals = game.get("strategies"), game.get("deals")
    return (
        type(rules.get(str(game.get("game")))) is int
        and type(deals) is int
        and isinstance(names, list)
        and all(isinstance(name, str) for name in names)
    )


def all_texts(entries: Sequence[Sequence[str]]) -> Iterator[str]:
    return (text for entry in entries for text in entry)


def is_file_name(name: str) -> bool:
    """Return whether this is the name of a file, and no path."""
    return name not in ("", ".", "..") and "/" not in name and name.isprintable()


def newest(rounds: Sequence[RoundFolder]) -> tuple[str, ...]:
    """Return the seeds of the rounds that no other one follows."""
    followed = {seed for folder in rounds for seed in folder.record.after}
    return tuple(sorted(folder.record.seed for folder in rounds if folder.record.seed not in followed))


def table_key(game: Data, version: int) -> str:
    """Return what makes results comparable: the game, the version of its rules, its options and the size of its table."""
    own = {key: value for key, value in game.items() if key not in ("name", "strategies", "deals", "focus")}
    return json.dumps([own, version], sort_keys=True)


def game_table(entry: Entry) -> Data:
    """Return the [[games]] table of an entry of the league, without who plays it and how much."""
    settings = {key: value for key in KEPT if (value := getattr(entry.format, key)) is not True}
    return {"game": entry.game, "name": entry.name, **settings, **({"options": entry.options} if entry.options else {})}
