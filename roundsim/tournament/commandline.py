"""The commands that play: what they are given, as words of a shell, as data in the run folder, and as a tournament."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self

from .. import games
from ..base.errors import InputError, RoundsimError, UnknownGameError, did_you_mean
from ..base.finding import is_path, split_attribute
from ..base.text import in_toml
from ..sources import plugins
from . import formats
from .formats import Format
from .growth import grown_tournament
from .merge import whole
from .planning.file import Amount, GateSettings, GivenSettings, games_in, gate_data, load_tournament, read_tournament
from .planning.key_lines import KeyLines
from .planning.parts import Part
from .planning.plan import Seed, Tournament
from .run import Workers
from .storage.folder import RunFolder

OF_ENTRIES = "--seats", "--sitting", "--focus"  # flags whose values are keys of [[games]]
NOT_IN_BRACKETS = re.compile(r",(?![^()]*\))")  # the commas between strategies
PLACEHOLDER = "FILE"  # stands for code that a page does not name
PROGRAM = re.compile(r"((?:^|,)(?:[^,=]*=)?)\s*cmd:.*", re.DOTALL)
FOLDERS = re.compile(r"((?:^|[,=:])\s*)[/~][^,=:()]*/")


@dataclass(kw_only=True)
class PlayingCommand:
    """The values given to a command that plays. Each that is not its default is an argument or a flag.

    `origin`: how errors name the command. It is no word of the command."""

    name: ClassVar[str]
    arguments: ClassVar[Sequence[str]] = ()  # fields that are no flags, in their order
    flags: ClassVar[Mapping[str, str]] = {  # of the fields that have another name
        "options": "--option",
        "format": "--as",
        "game_files": "--game",
        "format_files": "--as",
    }
    unrepeatable: ClassVar[str] = "no command: the file had other amounts when more was asked for"

    fresh_cards: bool = False
    game_files: Sequence[str] = ()
    format_files: Sequence[str] = ()
    seed: Seed | None = None
    deals: int | None = None
    times: int | None = None
    shard: str | None = None
    isolate: str | None = None
    out: str | None = None
    origin: str = field(default="command line", compare=False)
    loaded: dict[Amount | None, Tournament] = field(default_factory=dict, init=False, compare=False, repr=False)

    @property
    def amount(self) -> Amount | None:
        """How much is to be played, if the command says it."""
        amounts = {key: value for key in ("deals", "times") if (value := getattr(self, key)) is not None}
        return next(iter(amounts.items()), None)

    def given(self) -> dict[str, Any]:
        """Return the values that are not their defaults: first those of this command alone."""
        usual = type(self)()
        common = {field.name for field in fields(PlayingCommand)}
        named = sorted((field.name for field in fields(self) if field.compare), key=common.__contains__)
        return {name: getattr(self, name) for name in named if getattr(self, name) != getattr(usual, name)}

    def words(self) -> list[str]:
        """Return the words of the command line."""
        words = ["roundsim", self.name]
        for name in self.arguments:
            value = getattr(self, name)
            words += [f"-{game}" for game in value] if name == "without" else values_in(value)
        for name, value in self.given().items():
            flag = self.flags.get(name, f"--{name.replace('_', '-')}")
            if value is True:
                words.append(flag)
            elif name not in self.arguments:
                words += [word for text in values_in(value) for word in (flag, text)]
        return words

    def __str__(self) -> str:
        return shlex.join(self.words())

    def data(self) -> dict[str, Any]:
        """Return the command as a run folder keeps it."""
        given = {name: list(value) if isinstance(value, tuple) else value for name, value in self.given().items()}
        return {"command": self.name, **given}

    def for_page(self) -> Self:
        """Return the command as a page may show it to anybody, who may type it: a file of a game or a format, and a
        program, which would run outside the sandbox, is FILE. The folders of other files are private."""
        shown = {name: shown_value(name, value) for name, value in self.given().items()}
        return replace(self, **{**shown, "isolate": None if self.isolate == "off" else self.isolate})

    def read(self, amount: Amount | None) -> Tournament:
        """Return the tournament with an amount, None being its own."""
        raise NotImplementedError

    def load(self, amount: Amount | None) -> Tournament:
        """Return the tournament with an amount, which is read once.

        Raises InputError, PluginError or LogError if it cannot be played."""
        if amount not in self.loaded:
            self.loaded[amount] = self.read(amount)
        return self.loaded[amount]

    def read_data(
        self, data: dict[str, Any], name: str, amount: Amount | None, gate: GateSettings | None = None
    ) -> Tournament:
        """Return the tournament of the data of a file that this command stands for."""
        return read_tournament(data, KeyLines(self.origin), Path(), name, self.given_settings(amount, gate))

    def given_settings(self, amount: Amount | None, gate: GateSettings | None = None) -> GivenSettings:
        until = getattr(self, "until", None)
        return GivenSettings(self.seed, amount, until, self.fresh_cards, gate, self.isolate)

    def tournament(self) -> Tournament:
        """Return the tournament with the amount of the command, or the part of it that this command plays."""
        tournament = self.load(self.amount)
        if self.deals is not None and self.times is not None:
            raise InputError("give --deals or --times, whichever the format uses")
        return tournament.only(Part.parse(self.shard)) if self.shard else tournament

    def folder(self, tournament: Tournament) -> Path:
        """Return the run folder."""
        return Path(self.out) if self.out else Path("runs") / tournament.folder_name()

    def with_amount(self, amount: Amount | None, seed: Seed | None) -> Self:
        """Return the command with another amount, and the seed."""
        amounts = dict([amount] if amount else [])
        return replace(self, seed=seed, deals=amounts.get("deals"), times=amounts.get("times"))

    def repeating(self, shown: Tournament, before: Sequence[PlayingCommand]) -> list[PlayingCommand]:
        """Return the commands that play what is shown into an empty folder; [] if none are known.

        The folder may hold more than this command asks for, because of others `before`. If one fails because of faults,
        the next is still to be typed."""
        whole = (
            shown.entries[0].format.amount,
            min((entry.cap or entry.blocks) * entry.format.units(entry) for entry in shown.entries),
        )
        for amounts in [self.amount], [None], [whole], [None, self.amount], [None, whole]:
            with suppress(RoundsimError):  # the file may lack an amount of its own, or be another one by now
                played = [blocks_by_entry(self.load(amount)) for amount in amounts]
                if [max(entry) for entry in zip(*played, strict=True)] == blocks_by_entry(shown):
                    return [self.with_amount(amount, shown.seed) for amount in amounts]
        return []


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

    def data_of(self, games_played: Iterable[str], strategies: Callable[[str], Sequence[str]]) -> dict[str, Any]:
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
        data = self.data_of(played, lambda game: [*self.strategies] or plugins.field_of(game))
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
    worth: float | None = None
    seats: int | str | None = None
    sitting: int | None = None
    half: bool = False
    whole: bool = False
    over_all: bool = False
    among: Sequence[str] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_of_file(self) -> bool:
        return self.mine is None or self.baseline is None

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
class ContestCommand(TableCommand):
    """`playing`: the entries that play, as a tournament names them."""

    name: ClassVar[str] = "contest"
    arguments: ClassVar[Sequence[str]] = ("entries",)
    entries: Sequence[str] = ()
    format: str | None = formats.USUAL
    isolate: str | None = "on"
    playing: Sequence[str] = field(default=(), compare=False)

    @property
    def players(self) -> int:
        """The number of players at the table. Raises OptionError if the game does not accept it, or the options."""
        game = games.named(self.game)
        return game.rules_for(int(self.seats or max(game.seats[0], game.usual[0])), self.options).players

    def read(self, amount: Amount | None) -> Tournament:
        data = self.data_of([games.named(self.game).id], lambda game: self.playing)
        if seats := self.format_keys()[1].get("--seats"):
            data["games"][0].setdefault(seats, self.players)
        return self.read_data(data, "contest", amount)

    def folder(self, tournament: Tournament) -> Path:
        return Path(self.out or Path("runs") / f"contest-{games.named(self.game).id}")


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
        return [*before, *([] if self in before else [self])] if before else []


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


COMMANDS = {
    kind.name: kind for kind in (RunCommand, PlayCommand, GateCommand, ContestCommand, GrowCommand, MergeCommand)
}


def values_in(value: object) -> list[str]:
    """Return the texts by which a command line gives a value; none for None."""
    match value:
        case None:
            return []
        case Mapping():
            return [f"{key}={in_toml(own)}" for key, own in value.items()]
        case list() | tuple():
            return [str(item) for item in value]
        case float():
            return [f"{value:.15g}"]
        case _:
            return [str(value)]


def blocks_by_entry(tournament: Tournament) -> list[tuple[str, int]]:
    """Return each entry of the file, with its strategies, and the number of its blocks."""
    entries = [entry for entry in tournament.entries if not entry.format.before]
    return [(" ".join([entry.name, *entry.labels]), entry.cap or entry.blocks) for entry in entries]


def shown_value(name: str, value: Any) -> Any:
    """Return a value of a command as a page shows it."""
    if isinstance(value, list | tuple):
        return [shown_value(name, item) for item in value]
    if not isinstance(value, str):
        return value
    if name in ("game", "format", "game_files", "format_files"):
        return ",".join(PLACEHOLDER if is_path(split_attribute(part)[0]) else part for part in value.split(","))
    return FOLDERS.sub(r"\1", PROGRAM.sub(rf"\1{PLACEHOLDER}", value))


def read_command(data: object) -> PlayingCommand | None:
    """Return the command that a run folder keeps, which anybody may have written; None if it is none."""
    if not isinstance(data, dict) or not isinstance(data.get("command"), str) or data["command"] not in COMMANDS:
        return None
    kind: type[PlayingCommand] = COMMANDS[data["command"]]
    command, usual, values = kind(), kind(), {name: value for name, value in data.items() if name != "command"}
    known = {key.name for key in fields(kind) if key.compare}
    if not all(name in known and is_like(getattr(usual, name), value) for name, value in values.items()):
        return None
    for name, value in values.items():
        setattr(command, name, tuple(value) if isinstance(value, list) else value)
    arguments = [text for name in kind.arguments for text in values_in(getattr(command, name))]
    is_safe = " ".join(command.words()).isprintable() and not any(text.startswith("-") for text in arguments)
    return command if is_safe else None


def is_like(usual: object, value: object) -> bool:
    """Return whether a value may be in the place of a default."""
    if isinstance(usual, bool) or isinstance(value, bool):
        return isinstance(usual, bool) and isinstance(value, bool)
    if isinstance(usual, tuple):
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if isinstance(usual, dict):
        return isinstance(value, dict) and all(isinstance(item, str | int | float) for item in value.values())
    return isinstance(value, str | int | float)


def recorded_commands(folder: RunFolder) -> list[PlayingCommand]:
    """Return the commands that repeat a run, as far as its folder keeps them; [] if it does not."""
    records = folder.timing().get("commands")
    commands = [read_command(record) for record in records] if isinstance(records, list) else []
    return [command for command in commands if command] if all(commands) else []
