"""A command that plays: its words in a shell, and its record in the run folder, which anybody may have written."""

from __future__ import annotations

import re
import shlex
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from ..base.errors import InputError, RoundsimError
from ..base.text import in_toml
from .planning.file import Amount, GateSettings, GivenSettings, read_tournament
from .planning.key_lines import KeyLines
from .planning.parts import Part
from .planning.plan import ISOLATE, Seed, Tournament
from .planning.record import is_seed
from .planning.stopping_rule import WORTH

FILLERS = {*"\u115f\u1160\u3164\uffa0"}  # letters that nobody sees
PLACEHOLDER = "FILE"  # stands for code that a page does not name
PROGRAM = re.compile(r"((?:^|,)(?:[^,=]*=)?)\s*cmd:.*", re.DOTALL)
FOLDERS = re.compile(r"((?:^|[,=:(\"'\s])\s*)(?:[/~][^,=:\"']*/|[/~]+)")
KNOWN = re.compile(r"[\w-]+|[\w./-]+\.toml")  # the name of a game or a format, or a tournament file: no code
LEFT_OUT = re.compile(r"[^\W\d_][\w-]+")  # a game after `all`
SIZES = re.compile(r"\d+-\d+")


@dataclass(kw_only=True)
class PlayingCommand(ABC):
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
        left_out = [f"-{game}" for game in getattr(self, "without", ())]
        arguments, flags = list[str](), list[str]()
        for name in self.arguments:
            arguments += left_out if name == "without" else values_in(getattr(self, name))
        for name, value in self.given().items():
            flag = self.flags.get(name, f"--{name.replace('_', '-')}")
            if value is True:
                flags.append(flag)
            elif name not in self.arguments:
                flags += [word for text in values_in(value) for word in (flag, text)]
        if any(text.startswith("-") for text in arguments if text not in left_out):
            return ["roundsim", self.name, *flags, "--", *arguments]
        return ["roundsim", self.name, *arguments, *flags]

    def __str__(self) -> str:
        return shlex.join(self.words())

    def data(self) -> dict[str, Any]:
        """Return the command as a run folder keeps it."""
        given = {name: list(value) if isinstance(value, tuple) else value for name, value in self.given().items()}
        return {"command": self.name, **given}

    def for_page(self) -> PlayingCommand | None:
        """Return the command as a page may show it to anybody, who may type it: a file of a game or a format, and a
        program, which would run outside the sandbox, is FILE. The folders of other files are private. None if it cannot
        be shown."""
        shown = {name: shown_value(name, value) for name, value in self.given().items()}
        if self.isolate == "off":
            shown["isolate"] = type(self)().isolate
        return read_command(replace(self, **shown).data())

    @abstractmethod
    def read(self, amount: Amount | None) -> Tournament:
        """Return the tournament with an amount, None being its own."""

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
        return tuple(shown_value(name, text) for text in value)
    if isinstance(value, Mapping):
        return {key: shown_value(name, own) for key, own in value.items()}
    if not isinstance(value, str):
        return value
    if name in ("game_files", "format_files"):
        return PLACEHOLDER
    text = FOLDERS.sub(r"\1", value)
    if name in ("game", "format"):
        parts = map(str.strip, text.split(","))
        return ",".join(part if KNOWN.fullmatch(part) and not part.startswith("-") else PLACEHOLDER for part in parts)
    return PROGRAM.sub(rf"\1{PLACEHOLDER}", text)


def read_command(data: object) -> PlayingCommand | None:
    """Return the command that a run folder keeps, which anybody may have written; None if it is none."""
    name = data.get("command") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(name, str) or not (kind := kinds().get(name)):
        return None
    command, usual, values = kind(), kind(), {name: value for name, value in data.items() if name != "command"}
    known = {key.name for key in fields(kind) if key.compare}
    if not all(name in known and is_like(name, getattr(usual, name), value) for name, value in values.items()):
        return None
    for name, value in values.items():
        setattr(command, name, tuple(value) if isinstance(value, list) else value)
    text = " ".join(command.words())
    return command if text.isprintable() and not FILLERS & {*text} else None


def kinds() -> dict[str, type[PlayingCommand]]:
    """Return the classes of the commands by their names."""
    below, named = PlayingCommand.__subclasses__(), dict[str, type[PlayingCommand]]()
    while below:
        kind = below.pop()
        below += kind.__subclasses__()
        if "name" in vars(kind):
            named[kind.name] = kind
    return named


def is_like(name: str, usual: object, value: object) -> bool:
    """Return whether a command may have this value, with this default, by that name."""
    match name:
        case "seed":
            return is_seed(value)
        case "deals" | "times" | "sitting":
            return type(value) is int and 0 < value <= 10**12
        case "margin":
            return type(value) in (int, float)
        case "worth":
            return WORTH.fits(value)
        case "seats":
            return type(value) is int or isinstance(value, str) and bool(SIZES.fullmatch(value))
        case "isolate":
            return value in ISOLATE
        case "options":
            return isinstance(value, dict) and all(
                key.isidentifier() and isinstance(own, str | int | float) for key, own in value.items()
            )
        case "without":
            return isinstance(value, list) and all(isinstance(game, str) and LEFT_OUT.fullmatch(game) for game in value)
    if isinstance(usual, bool):
        return isinstance(value, bool)
    texts = value if isinstance(usual, tuple) else [value]
    return isinstance(texts, list) and all(isinstance(text, str) and not text.startswith("-") for text in texts)
