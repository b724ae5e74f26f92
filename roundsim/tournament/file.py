"""The tournament file: read, and checked whole before anything is played."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from .. import games, loading
from ..contract import plugins
from ..contract.plugins import Strategy
from ..errors import OptionError, PluginError, StrategyError, TournamentError, UnknownGameError, did_you_mean
from ..table.deal import Deal
from ..table.options import as_read
from . import formats
from .formats import Format
from .plan import ON_FAULT, Entry, Limits, Tournament, is_name

TABLES = {
    "tournament": ("name", "format", "seed", "strategies"),
    "limits": ("seconds", "memory", "on_fault", "faults_allowed"),
}
GAME_KEYS = ("game", "name", "strategies", "options")
Amount = tuple[str, int]  # how much is played: the key of a format, and its value


class Places:
    """Where the keys of a TOML file stand: `line('games', 1, 'options')` is the line of the second game's options."""

    def __init__(self, path: str, text: str = "") -> None:
        self.path, self.lines = path, text.splitlines()

    def line(self, table: str, number: int = 0, key: str = "", inner: str = "") -> str:
        """'FILE:12', or the file alone where it cannot be said."""
        if not table:  # a table, or a key above all tables
            pattern = re.compile(rf"\s*\[*\s*\"?{re.escape(key)}\b")
            place = next((place for place, line in enumerate(self.lines, 1) if pattern.match(line)), 0)
            return f"{self.path}:{place}" if place else self.path
        at, seen, header, best = "", -1, "", 0
        for place, line in enumerate(self.lines, 1):
            if found := re.match(r"\s*\[+\s*([\w.\-\" ]+?)\s*\]+", line):
                header = found[1]
                if header == table and (table != "games" or line.lstrip().startswith("[[")):
                    seen += 1
                    best = best if best or seen != number else place
            inside = seen == number and (header == table or header == f"{table}.{key}")
            if inside and key and (re.match(rf"\s*\"?{re.escape(key)}\"?\s*=", line) or header == f"{table}.{key}"):
                at = at or str(place)
            if inside and inner and at and re.search(rf"\b{re.escape(inner)}\b", line):
                return f"{self.path}:{place}"
        return f"{self.path}:{at or best}" if at or best else self.path


class Reader:
    """Reads the values of a file's tables, gathering what is wrong."""

    def __init__(self, places: Places, folder: Path) -> None:
        self.places, self.folder = places, folder
        self.problems: list[str] = []
        self.broken: list[PluginError] = []

    def wrong(self, words: str, table: str, number: int = 0, key: str = "", inner: str = "") -> None:
        problem = f"{self.places.line(table, number, key, inner)}: {words}"
        if problem not in self.problems:  # what is wrong with the tournament's list is so for each game
            self.problems.append(problem)

    def options_wrong(self, error: OptionError, given: Iterable[str], number: int) -> None:
        """Each thing that a game refuses, at the line of an option that it names."""
        for problem in error.problems:
            named = [key for key in given if re.search(rf"\b{re.escape(key)}\b", problem)]
            key = "options" if named or not re.match(r"\d+ players?:", problem) else "players"
            self.wrong(problem, "games", number, key, inner=named[0] if named else "")

    def value(
        self,
        data: dict[str, Any],
        key: str,
        default: Any,
        fits: Callable[[Any], bool],
        expected: str,
        table: str,
        number: int = 0,
    ) -> Any:
        """A value that fits; else what was expected is noted, and the default goes on."""
        value = data.get(key, default)
        if key in data and not fits(value):
            self.wrong(f"{key} must be {expected}, not {value!r}", table, number, key)
            return default
        return value

    def whole(
        self, data: dict[str, Any], key: str, default: int, low: int, high: int, table: str, number: int = 0
    ) -> int:
        return int(
            self.value(
                data,
                key,
                default,
                lambda n: is_whole(n) and low <= n <= high,
                f"a whole number from {low} to {high}",
                table,
                number,
            )
        )

    def keys(self, data: Iterable[str], known: Iterable[str], table: str, number: int = 0) -> None:
        known = list(known)
        for key in data:
            if key not in known:
                self.wrong(f"unknown key {key}{did_you_mean(key, known)}", table, number, key)


class EntryReader:
    """Reads one [[games]] for the format that plays it."""

    def __init__(self, reader: Reader, data: dict[str, Any], number: int, format: type[Format], listed: Any) -> None:
        """UnknownGameError; all else that is wrong is noted."""
        self.reader, self.data, self.number = reader, data, number
        self.before = len(reader.problems), len(reader.broken)
        self.format, self.own_keys = format, format.entered_with()
        self.check_keys()
        self.game = games.find(str(data.get("game", "")), reader.folder)
        self.name = self.value("name", self.game.id, is_name, "a name for a folder, without slashes")
        self.options: dict[str, Any] = self.value("options", {}, lambda options: isinstance(options, dict), "a table")
        own = "strategies" in data
        self.strategies = read_strategies(
            reader, data["strategies"] if own else listed, self.game, number if own else None
        )

    def check_keys(self) -> None:
        known = [*GAME_KEYS, *self.own_keys]
        for key in self.data:
            homes = [name for name in formats.names() if key in formats.find(name).entered_with()]
            if key not in known:
                words = (
                    f"{key} belongs to format {' or '.join(homes)}"
                    if homes
                    else f"unknown key {key}{did_you_mean(key, known)}"
                )
                self.wrong(words, key)

    @property
    def failed(self) -> bool:
        """Whether something is wrong with it."""
        return (len(self.reader.problems), len(self.reader.broken)) != self.before

    def wrong(self, words: str, key: str, inner: str = "") -> None:
        self.reader.wrong(words, "games", self.number, key, inner)

    @contextmanager
    def noting_refusals(self, but: Collection[str] = ()) -> Iterator[None]:
        """What the game refuses is noted, each at the line of an option that it names; `but`: options not of the file."""
        try:
            yield
        except OptionError as error:
            self.reader.options_wrong(error, [key for key in self.options if key not in but], self.number)

    def options_for(self, sizes: Iterable[int], own: Mapping[str, Any]) -> dict[str, Any]:
        """The options with those that the format sets itself, which are refused among the file's; for tables of each of
        these sizes."""
        for key in own:
            if key in self.options:
                self.wrong(f"{key} is set by the format {self.format.name} itself", "options", inner=key)
        options = {**self.options, **own}
        with self.noting_refusals(but=own):
            for size in sizes:
                self.game.rules_for(size, options)
        return options

    def value(self, key: str, default: Any, fits: Callable[[Any], bool], expected: str) -> Any:
        return self.reader.value(self.data, key, default, fits, expected, "games", self.number)

    def whole(self, key: str, default: int | None = None) -> int:
        """A key of the format; `default` if it hangs on more than the game and the number of strategies."""
        known = self.own_keys[key]
        usual = known.default(self.game, len(self.strategies)) if default is None else default
        return self.reader.whole(self.data, key, usual, known.low, known.high, "games", self.number)

    def entry(self, format: Format, options: dict[str, Any], blocks: int, asked: int = 0) -> Entry | None:
        """The entry, if nothing is wrong with it."""
        if self.failed:
            return None
        read = as_read(self.game, options)
        origin = self.game.origin
        home = f"{origin.path}:{origin.attribute}" if origin else ""
        return Entry(self.name, self.game.id, format, read, tuple(self.strategies), blocks, asked, home)


def is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def load(path: str | Path, seed: int | None = None, amount: Amount | None = None) -> Tournament:
    """The tournament of a file, with another seed, or played so often.  TournamentError, PluginError."""
    try:
        text = Path(path).read_text("utf-8")
        data = tomllib.loads(text)
    except OSError as error:
        raise TournamentError([f"{path}: {error.strerror}"]) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        at = re.search(r"\(at line (\d+), column \d+\)", str(error))
        words = str(error).replace(f" {at[0]}", "") if at else str(error)
        raise TournamentError([f"{path}{f':{at[1]}' if at else ''}: no TOML: {words}"]) from None
    return read(data, Places(str(path), text), Path(path).parent, Path(path).stem, seed, amount)


def read(
    data: dict[str, Any],
    places: Places,
    folder: Path,
    default_name: str = "",
    seed: int | None = None,
    amount: Amount | None = None,
) -> Tournament:
    """The tournament of a file's data, checked whole; without any name it is called after its first game.

    `amount`: ("deals", 5000), instead of the file's."""
    reader = Reader(places, folder)
    reader.keys(data, ("tournament", "limits", "games"), "")
    top = table_of(reader, data, "tournament")
    reader.keys(top, TABLES["tournament"], "tournament")
    name = reader.value(top, "name", default_name, is_name, "a name for a folder, without slashes", "tournament")
    format = read_format(reader, top, amount)
    own_seed = reader.whole({**top, **({} if seed is None else {"seed": seed})}, "seed", 1, 0, 2**63 - 1, "tournament")
    limits = read_limits(reader, data)
    entries: list[Entry] = []
    listed = data.get("games", [])
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        reader.wrong("games must be written [[games]]", "games")
        listed = []
    elif not listed:
        reader.problems.append(f"{places.path}: no [[games]]: nothing to play")
    for each in listed:  # before any strategy, which may play a game that another entry brings
        with suppress(UnknownGameError):
            games.find(str(each.get("game", "")), folder)
    for number, each in enumerate(listed):
        changed = {**each, **dict([amount] if amount and amount[0] == format.amount else [])}
        entry = read_entry(reader, changed, number, format, top.get("strategies"))
        if entry and entry.name in [other.name for other in entries]:
            reader.wrong(f"two entries are called {entry.name!r}: give one a name of its own", "games", number, "name")
        elif entry:
            entries.append(entry)
    if reader.problems:
        raise TournamentError([*reader.problems, *map(str, reader.broken)])
    if reader.broken:
        raise reader.broken[0]
    return Tournament(name or entries[0].game, format.name, own_seed, limits, tuple(entries), places.path)


def read_format(reader: Reader, top: dict[str, Any], amount: Amount | None) -> type[Format]:
    name = top.get("format", formats.USUAL)
    if name not in formats.names():
        known = formats.names()
        reader.wrong(
            f"format must be one of {', '.join(known)}, not {name!r}{did_you_mean(name, known)}",
            "tournament",
            key="format",
        )
        return formats.find(formats.USUAL)
    format = formats.find(name)
    if amount and amount[0] != format.amount:
        words = f"--{amount[0]} is not of format {name}, which takes {format.amount_key.flag}"
        reader.problems.append(f"{reader.places.path}: {words}")
    return format


def table_of(reader: Reader, data: dict[str, Any], key: str) -> dict[str, Any]:
    value = data.get(key, {})
    if not isinstance(value, dict):
        reader.wrong(f"{key} must be a table, [{key}]", key)
        return {}
    return value


def read_limits(reader: Reader, data: dict[str, Any]) -> Limits:
    table = table_of(reader, data, "limits")
    reader.keys(table, TABLES["limits"], "limits")
    seconds = reader.value(
        table,
        "seconds",
        1.0,
        lambda s: isinstance(s, int | float) and not isinstance(s, bool) and 0.01 <= s <= 3600,
        "a number of seconds from 0.01 to 3600",
        "limits",
    )
    on_fault = reader.value(table, "on_fault", "forfeit", lambda f: f in ON_FAULT, " or ".join(ON_FAULT), "limits")
    return Limits(
        float(seconds),
        reader.whole(table, "memory", 1024, 128, 1 << 20, "limits"),
        on_fault,
        reader.whole(table, "faults_allowed", 0, 0, 10**12, "limits"),
    )


def read_entry(reader: Reader, data: dict[str, Any], number: int, format: type[Format], listed: Any) -> Entry | None:
    """One [[games]]; None if something in it is wrong."""
    try:
        return format.read(EntryReader(reader, data, number, format, listed))
    except UnknownGameError as error:
        missing = "no key game: which one is played?"
        reader.wrong(str(error) if "game" in data else missing, "games", number, "game")
        return None


def read_strategies(reader: Reader, listed: Any, game: type[Deal], number: int | None) -> list[Strategy]:
    """The strategies entered for a game.  `number`: of the [[games]] that lists them, None for the tournament's list."""
    place = ("tournament", 0) if number is None else ("games", number)
    if listed is None:
        reader.problems.append(f"{reader.places.path}: no strategies for {game.id}: list them under [tournament]")
        return []
    if not isinstance(listed, list) or not listed or not all(isinstance(text, str) for text in listed):
        reader.wrong(
            'strategies must be a list of texts, ["book", "random", "mine.py:Mine(risk=0.8)"]', *place, "strategies"
        )
        return []
    found: list[Strategy] = []
    for text in listed:
        try:
            for strategy in plugins.find(text, game.id, reader.folder):
                twin = next(
                    (each for each in found if each.name == strategy.name and each.sha256 != strategy.sha256), None
                )
                if twin:
                    raise StrategyError(
                        f"two strategies are called {strategy.name}: {loading.shown(Path(twin.path))}"
                        f" and {loading.shown(Path(strategy.path))}"
                    )
                found.append(strategy)
        except StrategyError as error:
            reader.wrong(str(error), *place, "strategies", inner=text.split(":")[-1].split("(")[0])
        except PluginError as error:
            if str(error) not in map(str, reader.broken):
                reader.broken.append(error)
    return found
