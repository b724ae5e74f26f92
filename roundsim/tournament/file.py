"""The tournament file: read, and checked whole before anything is played."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from .. import games, loading, words
from ..contract import plugins
from ..contract.plugins import Strategy
from ..errors import (
    OptionError,
    PluginError,
    RoundsimError,
    StrategyError,
    TournamentError,
    UnknownGameError,
    did_you_mean,
)
from ..table.deal import Deal
from ..table.options import as_read
from . import formats
from .formats import Format
from .plan import ON_FAULT, Entry, Limits, Seed, Tournament, is_name, is_seed
from .runfile import toml_of

TABLES = {
    "tournament": ("name", "format", "seed", "strategies"),
    "limits": tuple(vars(Limits())),
}
TOLD = 50  # mistakes; of more their number
MANY = 5000  # after which no game is asked whether it refuses anything
HEADER = re.compile(r"\s*\[+\s*([\w.\-\" ]+?)\s*\]+")
KEY = re.compile(r"\s*\"?([\w\-]+)\"?\s*[=.]")
WORD = re.compile(r"[^\s\"'=,:()\[\]{}]+")
NAME = re.compile(r"[\w-]+")  # of a strategy that is installed
GAME_KEYS = ("game", "name", "strategies", "options")
T = TypeVar("T")
Amount = tuple[str, int]  # how much is played: the key of a format, and its value


class Places:
    """Where the keys of a TOML file stand: `line('games', 1, 'options')` is the line of the second game's options."""

    def __init__(self, path: str, text: str = "") -> None:
        self.path, self.lines = path, text.splitlines()
        self.index = cache(self.index_of)

    def place(self, line: int) -> str:
        """'FILE:12', or the file alone where it cannot be said."""
        return f"{self.path}:{line}" if line else self.path

    def line(self, table: str, number: int = 0, key: str = "", inner: str = "") -> int:
        """Of a key, or of a word in its value; else of the table; 0 where it cannot be said."""
        keys, words = self.index(table, number)
        if not table:  # a table, or a key above all tables
            return keys.get(key) or next((span.start + 1 for _, span in self.tables.get((key, 0), ())), 0)
        if at := keys.get(key, 0):
            places = words[WORD.findall(inner)[-1]] if WORD.search(inner) else []
            return next(iter(places[bisect_left(places, at) :]), at)
        return next((span.start + 1 for _, span in self.tables.get((table, number), ())), 0)

    @cached_property
    def tables(self) -> dict[tuple[str, int], list[tuple[str, range]]]:
        """The lines of each table, and of those in it, under their headers."""
        found = [(at, HEADER.match(line)) for at, line in enumerate(self.lines)]
        headers = [(0, ""), *[(at, header[1]) for at, header in found if header], (len(self.lines), "")]
        tables, number = defaultdict[tuple[str, int], list[tuple[str, range]]](list), -1
        for (start, header), (end, _) in pairwise(headers):
            root = header.partition(".")[0]
            number += header == "games"
            tables[root, number if root == "games" else 0].append((header, range(start, end)))
        return tables

    def index_of(self, table: str, number: int) -> tuple[dict[str, int], dict[str, list[int]]]:
        """The line of each key of a table, and the lines of each word in it."""
        keys, words = dict[str, int](), defaultdict[str, list[int]](list)
        for header, span in self.tables.get((table, number), ()):
            if header != table:
                keys.setdefault(header.removeprefix(f"{table}."), span.start + 1)
            for at in span:
                if header == table and (key := KEY.match(self.lines[at])):
                    keys.setdefault(key[1], at + 1)
                for word in WORD.findall(self.lines[at]):
                    words[word].append(at + 1)
        return keys, words


class Reader:
    """Reads the values of a file's tables, gathering what is wrong."""

    def __init__(self, places: Places, folder: Path) -> None:
        self.places, self.folder = places, folder
        self.problems: dict[str, int] = {}  # with their lines
        self.broken: dict[str, PluginError] = {}
        self.passed_over = False  # what the games refuse, of so many mistakes
        self.game, self.strategies = kept(partial(games.find, folder=folder)), kept(self.find_strategies)

    def wrong(self, words: str, table: str, number: int = 0, key: str = "", inner: str = "") -> None:
        """What is wrong with the tournament's list is so for each game, and told once."""
        line = self.places.line(table, number, key, inner)
        self.problems.setdefault(f"{self.places.place(line)}: {cut(words)}", line)

    def refuse(self) -> None:
        """TournamentError if anything is wrong, else PluginError if something cannot be loaded."""
        if not self.problems and self.broken:
            raise next(iter(self.broken.values()))
        if self.problems:
            told = [*sorted(self.problems, key=self.problems.__getitem__), *self.broken]
            least = "at least " * self.passed_over
            more = [f"and {least}{words.number(len(told) - TOLD)} more"] * (len(told) > TOLD)
            raise TournamentError(told[:TOLD] + more)

    def meant(self, name: str, known: Iterable[str]) -> str:
        """What may have been meant by a name; of too many mistakes, in which nobody will read it, no more."""
        return did_you_mean(name, known) if len(self.problems) < TOLD else ""

    def find_strategies(self, text: str, game: str) -> list[Strategy]:
        if len(self.problems) >= TOLD and NAME.fullmatch(text) and text not in self.names:
            raise StrategyError(f"no strategy {text!r}")
        return plugins.find(text, game, self.folder)

    @cached_property
    def names(self) -> set[str]:
        """Of the strategies that are installed."""
        return {each.name for each in plugins.installed()}

    def options_wrong(self, error: OptionError, given: Iterable[str], number: int) -> None:
        """Each thing that a game refuses, at the line of an option that it names."""
        given = {*given}
        for problem in error.problems:
            named = [word for word in WORD.findall(problem) if word in given]
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
            self.wrong(f"{key} must be {expected}, not {shown(value)}", table, number, key)
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
                self.wrong(f"unknown key {key}{self.meant(key, known)}", table, number, key)


class EntryReader:
    """Reads one [[games]] for the format that plays it."""

    def __init__(self, reader: Reader, data: dict[str, Any], number: int, format: type[Format], listed: Any) -> None:
        """UnknownGameError; all else that is wrong is noted."""
        self.reader, self.data, self.number = reader, data, number
        self.before = len(reader.problems), len(reader.broken)
        self.format, self.own_keys = format, format.entered_with()
        self.check_keys()
        self.game = reader.game(game_in(data))
        self.name = self.value("name", self.game.id, is_name, "a name for a folder, without slashes")
        self.options: dict[str, Any] = self.value("options", {}, lambda options: isinstance(options, dict), "a table")
        own = "strategies" in data
        self.strategies = read_strategies(
            reader, data["strategies"] if own else listed, self.game, number if own else None
        )

    def check_keys(self) -> None:
        known = [*GAME_KEYS, *self.own_keys]
        for key in self.data:
            if key not in known:
                homes = homes_of_keys().get(key)
                words = f"{key} belongs to format {' or '.join(homes)}" if homes else ""
                self.wrong(words or f"unknown key {key}{self.reader.meant(key, known)}", key)

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


@cache
def homes_of_keys() -> dict[str, list[str]]:
    """The formats that take each key."""
    homes = defaultdict[str, list[str]](list)
    for name in formats.names():
        for key in formats.find(name).entered_with():
            homes[key].append(name)
    return homes


def kept(find: Callable[..., T]) -> Callable[..., T]:
    """The same, which looks but once: for what it finds, or what it raises."""
    found: dict[tuple[Any, ...], T | RoundsimError] = {}

    def look(*asked: Any) -> T:
        if asked not in found:
            try:
                found[asked] = find(*asked)
            except RoundsimError as error:
                found[asked] = error
        there = found[asked]
        if isinstance(there, RoundsimError):
            raise there.with_traceback(None)
        return there

    return look


def game_in(data: Mapping[str, Any]) -> str:
    game = data.get("game", "")
    return game if isinstance(game, str) else shown(game)


def shown(value: Any) -> str:
    """A value as Python writes it, or its ends."""
    try:
        return cut(repr(value), 80)
    except ValueError:
        return "a number of thousands of digits"


def cut(text: str, most: int = 400) -> str:
    """A text, or its ends."""
    return text if len(text) <= most else f"{text[: most // 2]}...{text[-most // 2 :]}"


def is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def load(path: str | Path, seed: Seed | None = None, amount: Amount | None = None) -> Tournament:
    """The tournament of a file, with another seed, or played so often.  TournamentError, PluginError."""
    try:
        text = Path(path).read_text("utf-8")
        data = toml_of(text)
    except OSError as error:
        raise TournamentError([f"{path}: {error.strerror}"]) from None
    except ValueError as error:
        at = re.search(r" \(at line (\d+), column \d+\)", str(error))
        words = str(error).replace(at[0], "") if at else str(error)
        raise TournamentError([f"{path}{f':{at[1]}' if at else ''}: no TOML: {cut(words)}"]) from None
    return read(data, Places(str(path), text), Path(path).parent, Path(path).stem, seed, amount)


def read(
    data: dict[str, Any],
    places: Places,
    folder: Path,
    default_name: str = "",
    seed: Seed | None = None,
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
    given = top if seed is None else {**top, "seed": seed}
    own_seed = reader.value(given, "seed", 1, is_seed, "a whole number below 2**63, or 32 digits 0-9a-f", "tournament")
    limits = read_limits(reader, data)
    entries: dict[str, Entry] = {}
    listed = data.get("games", [])
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        reader.wrong("games must be written [[games]]", "games")
        listed = []
    elif not listed:
        reader.wrong("no [[games]]: nothing to play", "")
    played = dict.fromkeys(map(game_in, listed))
    for game in played:  # before any strategy, which may play a game that another entry brings
        with suppress(UnknownGameError):
            games.find(game, folder)
    lists = [table.get("strategies") for table in (top, *listed)]
    texts = [text for texts in lists if isinstance(texts, list) for text in texts if isinstance(text, str)]
    plugins.meet(dict.fromkeys(texts), folder, limits.memory)
    for number, each in enumerate(listed):
        changed = {**each, **dict([amount] if amount and amount[0] == format.amount else [])}
        entry = read_entry(reader, changed, number, format, top.get("strategies"))
        if entry and entry.name in entries:
            reader.wrong(f"two entries are called {entry.name!r}: give one a name of its own", "games", number, "name")
        elif entry:
            entries[entry.name] = entry
    reader.refuse()
    every = tuple(entries.values())
    return Tournament(name or every[0].game, format.name, own_seed, limits, every, places.path)


def read_format(reader: Reader, top: dict[str, Any], amount: Amount | None) -> type[Format]:
    name = top.get("format", formats.USUAL)
    if name not in formats.names():
        known = formats.names()
        reader.wrong(
            f"format must be one of {', '.join(known)}, not {shown(name)}{did_you_mean(name, known)}",
            "tournament",
            key="format",
        )
        return formats.find(formats.USUAL)
    format = formats.find(name)
    if amount and amount[0] != format.amount:
        reader.wrong(f"--{amount[0]} is not of format {name}, which takes {format.amount_key.flag}", "")
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

    def seconds(key: str, usual: float, low: float, high: int, more: str = "") -> float:
        def fits(value: Any) -> bool:
            return type(value) in (int, float) and (low <= value <= high or bool(more) and value == 0)

        return float(reader.value(table, key, usual, fits, f"a number of seconds from {low} to {high}{more}", "limits"))

    on_fault = reader.value(table, "on_fault", "forfeit", lambda f: f in ON_FAULT, " or ".join(ON_FAULT), "limits")
    return Limits(
        seconds("seconds", 1.0, 0.01, 3600),
        reader.whole(table, "memory", 1024, 128, 1 << 20, "limits"),
        seconds("bank", 0.0, 0.01, 10**6, ", or 0 for no bank"),
        on_fault,
        reader.whole(table, "faults_allowed", 0, 0, 10**12, "limits"),
    )


def read_entry(reader: Reader, data: dict[str, Any], number: int, format: type[Format], listed: Any) -> Entry | None:
    """One [[games]]; None if something in it is wrong."""
    try:
        entry = EntryReader(reader, data, number, format, listed)
        reader.passed_over = len(reader.problems) > MANY
        return None if reader.passed_over else format.read(entry)
    except UnknownGameError as error:
        missing = "no key game: which one is played?"
        reader.wrong(str(error) if "game" in data else missing, "games", number, "game")
        return None


def read_strategies(reader: Reader, listed: Any, game: type[Deal], number: int | None) -> list[Strategy]:
    """The strategies entered for a game.  `number`: of the [[games]] that lists them, None for the tournament's list."""
    place = ("tournament", 0) if number is None else ("games", number)
    if listed is None:
        reader.wrong(f"no strategies for {game.id}: list them under [tournament]", "")
        return []
    if not isinstance(listed, list) or not listed or not all(isinstance(text, str) for text in listed):
        reader.wrong(
            'strategies must be a list of texts, ["book", "random", "mine.py:Mine(risk=0.8)"]', *place, "strategies"
        )
        return []
    found, sources = list[Strategy](), dict[str, Strategy]()
    for text in listed:
        try:
            for strategy in reader.strategies(text, game.id):
                twin = sources.setdefault(strategy.name, strategy)
                if twin.sha256 != strategy.sha256:
                    raise StrategyError(
                        f"two strategies are called {strategy.name}: {loading.shown(Path(twin.path))}"
                        f" and {loading.shown(Path(strategy.path))}"
                    )
                found.append(strategy)
        except StrategyError as error:
            reader.wrong(str(error), *place, "strategies", inner=text.split(":")[-1].split("(")[0])
        except PluginError as error:
            reader.broken.setdefault(str(error), error)
    return found
