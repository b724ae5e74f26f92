"""The tournament file: read, and checked whole before anything is played."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from .. import games, plugins
from ..errors import OptionError, PluginError, StrategyError, TournamentError, did_you_mean
from ..options import as_read, rules_for
from ..plugins import Strategy
from ..table import Deal
from .plan import Entry, Limits, Tournament

FORMATS = ("round-robin", "freeze-out")
TABLES = {
    "tournament": ("name", "format", "seed", "strategies"),
    "limits": ("seconds", "memory", "on_fault", "faults_allowed"),
}
GAME_KEYS = ("game", "name", "strategies", "options")
FORMAT_KEYS = {
    "round-robin": ("players", "deals", "sitting"),
    "freeze-out": ("times", "stack", "max_seats", "max_deals", "blinds_double_every"),
}
SET_BY_FREEZE_OUT = {"stack": None, "cave": None, "freeze_out": True, "rebuy": False}
NAME = re.compile(r"[^/\\\x00-\x1f]*[^/\\\x00-\x1f.][^/\\\x00-\x1f]*")


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
                belongs = [name for name, keys in FORMAT_KEYS.items() if key in keys and table == "games"]
                words = (
                    f"{key} belongs to format {belongs[0]}"
                    if belongs
                    else f"unknown key {key}{did_you_mean(key, known)}"
                )
                self.wrong(words, table, number, key)


def is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def load(path: str | Path, **overrides: Any) -> Tournament:
    """The tournament of a file.  Overrides: seed, deals, times.  TournamentError, plugins.PluginError."""
    try:
        text = Path(path).read_text("utf-8")
        data = tomllib.loads(text)
    except OSError as error:
        raise TournamentError([f"{path}: {error.strerror}"]) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        at = re.search(r"\(at line (\d+), column \d+\)", str(error))
        words = str(error).replace(f" {at[0]}", "") if at else str(error)
        raise TournamentError([f"{path}{f':{at[1]}' if at else ''}: no TOML: {words}"]) from None
    return read(data, Places(str(path), text), Path(path).parent, default_name=Path(path).stem, **overrides)


def read(
    data: dict[str, Any],
    places: Places,
    folder: Path,
    default_name: str,
    seed: int | None = None,
    deals: int | None = None,
    times: int | None = None,
) -> Tournament:
    """The tournament of a file's data, checked whole."""
    reader = Reader(places, folder)
    reader.keys(data, ("tournament", "limits", "games"), "")
    top = table_of(reader, data, "tournament")
    reader.keys(top, TABLES["tournament"], "tournament")
    name = reader.value(
        top,
        "name",
        default_name,
        lambda n: isinstance(n, str) and bool(NAME.fullmatch(n)),
        "a name for a folder, without slashes",
        "tournament",
    )
    format = reader.value(
        top, "format", "round-robin", lambda f: f in FORMATS, f"one of {', '.join(FORMATS)}", "tournament"
    )
    own_seed = reader.whole(top, "seed", 1, 0, 2**63 - 1, "tournament")
    limits = read_limits(reader, data)
    entries: list[Entry] = []
    listed = data.get("games", [])
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        reader.wrong("games must be written [[games]]", "games")
        listed = []
    elif not listed:
        reader.problems.append(f"{places.path}: no [[games]]: nothing to play")
    for number, each in enumerate(listed):
        changed = {**each}
        if deals is not None and format == "round-robin":
            changed["deals"] = deals
        if times is not None and format == "freeze-out":
            changed["times"] = times
        entry = read_entry(reader, changed, number, format, top.get("strategies"))
        if entry and entry.name in [other.name for other in entries]:
            reader.wrong(f"two entries are called {entry.name!r}: give one a name of its own", "games", number, "name")
        elif entry:
            entries.append(entry)
    if reader.problems:
        raise TournamentError([*reader.problems, *map(str, reader.broken)])
    if reader.broken:
        raise reader.broken[0]
    return Tournament(name, format, own_seed if seed is None else seed, limits, tuple(entries), places.path)


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
    on_fault = reader.value(
        table, "on_fault", "forfeit", lambda f: f in ("forfeit", "abort"), "forfeit or abort", "limits"
    )
    return Limits(
        float(seconds),
        reader.whole(table, "memory", 1024, 128, 1 << 20, "limits"),
        on_fault,
        reader.whole(table, "faults_allowed", 0, 0, 10**12, "limits"),
    )


def read_entry(reader: Reader, data: dict[str, Any], number: int, format: str, listed: Any) -> Entry | None:
    """One [[games]]; None if something in it is wrong."""
    before = len(reader.problems)
    reader.keys(data, (*GAME_KEYS, *FORMAT_KEYS.get(format, ())), "games", number)
    try:
        game = games.find(str(data.get("game", "")))
    except games.UnknownGameError as error:
        missing = "no key game: which one is played?"
        reader.wrong(str(error) if "game" in data else missing, "games", number, "game")
        return None
    name = reader.value(
        data,
        "name",
        game.id,
        lambda n: isinstance(n, str) and bool(NAME.fullmatch(n)),
        "a name for a folder, without slashes",
        "games",
        number,
    )
    options = reader.value(data, "options", {}, lambda o: isinstance(o, dict), "a table", "games", number)
    own = "strategies" in data
    strategies = read_strategies(reader, data["strategies"] if own else listed, game, number if own else None)

    def whole(key: str, default: int, low: int, high: int) -> int:
        return reader.whole(data, key, default, low, high, "games", number)

    if format == "freeze-out":
        times, stack = whole("times", 100, 1, 10**9), whole("stack", 100, 2, 10**6)
        max_seats, max_deals = whole("max_seats", game.usual[1], 2, 13), whole("max_deals", 10_000, 1, 10**6)
        double = whole("blinds_double_every", 0, 0, 10**6)
        if not game.seats[0] <= max_seats <= game.seats[1]:
            reader.wrong(
                f"max_seats = {max_seats}: {game.id} is for {game.seats[0]} to {game.seats[1]}",
                "games",
                number,
                "max_seats",
            )
        if strategies and len(strategies) < max(2, game.seats[0]):
            reader.wrong(
                f"a freeze-out needs {max(2, game.seats[0])} strategies at least", "games", number, "strategies"
            )
        least = max(2, game.seats[0])
        most = min(max_seats, len(strategies)) if len(reader.problems) == before else least
        options = check_freeze_out(reader, game, options, number, stack, range(least, most + 1))
        if len(reader.problems) > before:
            return None
        options = as_read(game, options)
        return Entry(
            name, game.id, format, 0, options, tuple(strategies), times, 0, stack, max_seats, max_deals, double
        )
    low, high = game.seats
    default = len(strategies) if low <= len(strategies) <= high else game.usual[0]
    players, deals = whole("players", default, 1, 99), whole("deals", 1000, 1, 10**12)
    try:
        rules = rules_for(game, players, options)
    except OptionError as error:
        reader.options_wrong(error, options, number)
        return None
    sitting = whole("sitting", rules.sitting, 1, 10**6)
    if len(reader.problems) > before:
        return None
    return Entry(
        name,
        game.id,
        format,
        players,
        as_read(game, options),
        tuple(strategies),
        -(-deals // (players * sitting)),
        sitting,
        asked=deals,
    )


def check_freeze_out(
    reader: Reader, game: type[Deal], options: dict[str, Any], number: int, stack: int, players: range
) -> dict[str, Any]:
    """The options with those that the format sets itself; refused among the options, and in a game without stacks."""
    for key in options:
        if key in SET_BY_FREEZE_OUT:
            reader.wrong(f"{key} is set by the format freeze-out itself", "games", number, "options", inner=key)
    known = [option.key for option in game.options]
    own = {key: stack if value is None else value for key, value in SET_BY_FREEZE_OUT.items() if key in known}
    try:
        rules = rules_for(
            game, players[0], {key: value for key, value in options.items() if key not in SET_BY_FREEZE_OUT}
        )
        if rules.first_stacks is None:
            stacks = "with these options " if "stakes" in known else ""
            reader.wrong(
                f"{game.id} has no stacks {stacks}and cannot be played as a freeze-out"
                + ('; give it stakes = "table"' if "stakes" in known else ""),
                "games",
                number,
                "game",
            )
            return options
        for size in players:  # every size that a table may have
            rules_for(game, size, {**options, **own})
    except OptionError as error:
        reader.options_wrong(
            error, {key: value for key, value in options.items() if key not in SET_BY_FREEZE_OUT}, number
        )
    return {**options, **own}


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
                        f"two strategies are called {strategy.name}: {plugins.shown(Path(twin.path))}"
                        f" and {plugins.shown(Path(strategy.path))}"
                    )
                found.append(strategy)
        except StrategyError as error:
            reader.wrong(str(error), *place, "strategies", inner=text.split(":")[-1].split("(")[0])
        except PluginError as error:
            if str(error) not in map(str, reader.broken):
                reader.broken.append(error)
    return found
