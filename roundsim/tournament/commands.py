"""The commands that play, each with what it is given and the tournament that it plays."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from .. import games
from ..base.errors import InputError, UnknownGameError, did_you_mean
from ..base.finding import is_path, split_attribute
from ..sources import plugins
from . import formats
from .commandline import PlayingCommand, read_command
from .formats import Format
from .growth import grown_tournament
from .merge import whole
from .planning.file import Amount, GateSettings, games_in, gate_data, load_tournament
from .planning.plan import Tournament
from .run import Workers
from .storage.folder import RunFolder

OF_ENTRIES = "--seats", "--sitting", "--focus"  # flags whose values are keys of [[games]]
NOT_IN_BRACKETS = re.compile(r",(?![^()]*\))")  # the commas between strategies


@dataclass(kw_only=True)
class RunCommand(PlayingCommand):
    name: ClassVar[str] = "run"
    arguments: ClassVar[Sequence[str]] = ("file",)
    file: str = ""
    until: str | None = None

    def read(self, amount: Amount | None) -> Tournament:
        return load_tournament(self.file, self.given_settings(amount))


@dataclass(kw_only=True)
class TableCommand(PlayingCommand):
    """A command that says itself who plays what."""

    game: str = ""
    format: str | None = None
    seats: int | str | None = None
    sitting: int | None = None
    focus: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def as_file(self, games_played: Iterable[str], strategies: Callable[[str], Sequence[str]]) -> dict[str, Any]:
        """Return the data of a tournament file. Unknown games are reported when it is read."""
        format, keys = self.format_keys()
        settings = {keys[flag]: value for flag, value in self.format_flags().items() if flag in OF_ENTRIES}
        tables = list[dict[str, Any]]()
        for game in games_played:
            tables.append({"game": game, "options": self.options, **settings})
            with suppress(UnknownGameError):
                tables[-1]["strategies"] = strategies(games.find(game).id)
        return {"tournament": {"format": format.name}, "games": tables}

    def format_flags(self) -> dict[str, Any]:
        """Return the flags that are given and that a format must take, with their values."""
        flags = {flag: getattr(self, flag[2:]) for flag in (*OF_ENTRIES, "--deals", "--times")}
        flags["--fresh-cards"] = self.fresh_cards or None
        return {flag: value for flag, value in flags.items() if value is not None}

    def format_keys(self) -> tuple[type[Format], dict[str, str]]:
        """Return the format, by default one that takes the flags that are given, and its keys by their flags.

        Raises InputError if there is no such format, or if it does not take a flag."""
        given = self.format_flags()
        name = self.format or formats.format_for_flags(given)
        if not is_path(split_attribute(name)[0]) and name not in (known := formats.names()):
            raise InputError(f"--as must be one of {', '.join(known)}, not {name!r}{did_you_mean(name, known)}")
        format = formats.named(name)
        keys = {key.flag: name for name, key in format.entered_with().items() if key.flag}
        if strays := given.keys() - keys.keys():
            raise InputError(f"{min(strays)} is not of a {format.name}, which takes {', '.join(keys)}")
        return format, keys


@dataclass(kw_only=True)
class PlayCommand(TableCommand):
    name: ClassVar[str] = "play"
    arguments: ClassVar[Sequence[str]] = "game", "without", "strategies"
    without: Sequence[str] = ()
    strategies: Sequence[str] = ()
    until: str | None = None

    def read(self, amount: Amount | None) -> Tournament:
        played, name = games_in(self.game, self.without)
        data = self.as_file(played, lambda game: [*self.strategies] or plugins.field_of(game))
        return self.read_data(data, name, amount)


@dataclass(kw_only=True)
class GateCommand(PlayingCommand):
    """Without strategies, `game` is a tournament file."""

    name: ClassVar[str] = "gate"
    arguments: ClassVar[Sequence[str]] = "game", "without", "mine", "baseline"
    game: str = ""
    without: Sequence[str] = ()
    mine: str | None = None
    baseline: str | None = None
    margin: float = 0.0
    worth: float | str | None = None
    seats: int | str | None = None
    sitting: int | None = None
    half: bool = False
    whole: bool = False
    over_all: bool = False
    among: Sequence[str] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    def read(self, amount: Amount | None) -> Tournament:
        if self.mine is None or self.baseline is None:
            return load_tournament(self.game, self.given_settings(amount))
        played, name = games_in(self.game, self.without)
        others = [other.strip() for text in self.among for other in NOT_IN_BRACKETS.split(text)]
        strategies = [self.mine, self.baseline, *others]
        alone = self.half or self.fresh_cards
        data = gate_data(played, strategies, self.options, self.seats, self.sitting, alone, self.whole)
        settings = GateSettings(self.margin, self.worth, self.over_all, len(others))
        return self.read_data(data, name, amount, settings)


@dataclass(kw_only=True)
class GrowCommand(PlayingCommand):
    name: ClassVar[str] = "grow"
    arguments: ClassVar[Sequence[str]] = ("run",)
    flags: ClassVar[Mapping[str, str]] = {**PlayingCommand.flags, "strategies": "--strategy", "entries": "--entry"}
    unrepeatable: ClassVar[str] = "the command that began this run, then each by which it grew"
    run: str = ""
    strategies: Sequence[str] = ()
    entries: Sequence[str] = ()

    def read(self, amount: Amount | None) -> Tournament:
        return grown_tournament(RunFolder(self.run), self.strategies, amount, self.entries, self.isolate)

    def folder(self, tournament: Tournament) -> Path:
        return Path(self.run)

    def repeating(self, shown: Tournament, before: Sequence[PlayingCommand]) -> list[PlayingCommand]:
        commands = [self if command == self else command.for_page() for command in before]
        if not commands or not all(commands):
            return []
        return [command for command in commands if command] + ([] if self in commands else [self])


@dataclass(kw_only=True)
class MergeCommand(PlayingCommand):
    name: ClassVar[str] = "merge"
    arguments: ClassVar[Sequence[str]] = ("folders",)
    folders: Sequence[str] = ()

    @cached_property
    def merged(self) -> tuple[Tournament, Workers]:
        """The whole run, and the workers that copy its shards from the parts."""
        return whole(self.folders)

    def read(self, amount: Amount | None) -> Tournament:
        return self.merged[0]

    def repeating(self, shown: Tournament, before: Sequence[PlayingCommand]) -> list[PlayingCommand]:
        return [self]


def recorded_commands(folder: RunFolder) -> list[PlayingCommand]:
    """Return the commands that repeat a run, as far as its folder keeps them; [] if it does not."""
    records = folder.timing().get("commands")
    commands = [read_command(record) for record in records] if isinstance(records, list) else []
    return [command for command in commands if command] if all(commands) else []
