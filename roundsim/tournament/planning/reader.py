"""Read the values of a tournament file's tables one by one, and collect what is wrong with them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar

from ... import games
from ...base.errors import (
    OptionError,
    PluginError,
    RoundsimError,
    StrategyError,
    TournamentError,
    UnknownGameError,
    did_you_mean,
)
from ...base.text import number
from ...base.values import Values
from ...sources import plugins
from ...sources.plugins import Strategy
from ...sources.specs import Spec, read_spec
from ...statistics.distributions import FEW_BLOCKS
from ...table.deal import Deal
from ...table.options import as_read
from .. import formats
from ..formats import Format
from . import keys
from .entrants import STRATEGIES, Twins, strategy_spec
from .key_lines import WORD, KeyLines, shorten, shorten_value
from .plan import Entry
from .record import is_name

MAX_PROBLEMS = 50  # mistakes that are listed; of the others only the number
NAME = re.compile(r"[\w-]+")  # of an installed strategy
SIZES = re.compile(r"(\d{1,3})-(\d{1,3})", re.ASCII)  # of tables, the smallest and the largest
T = TypeVar("T")


class Reader:
    """Reads the values of a file's tables, and collects the problems."""

    def __init__(self, places: KeyLines, folder: Path) -> None:
        self.places, self.folder = places, folder
        self.problems: dict[str, int] = {}  # with their lines
        self.broken: dict[str, PluginError] = {}
        self.passed_over = False  # whether the games' own checks were skipped because of too many mistakes
        self.game, self.strategies = cached_result(games.find), cached_result(self.find_strategies)
        self.held = cached_result(self.look_for)

    def wrong(self, problem: str, table: str, number: int = 0, key: str = "", inner: str = "") -> None:
        """Note a problem. A problem in the tournament's list concerns each game, but is noted once."""
        line = self.places.line(table, number, key, inner)
        self.problems.setdefault(f"{self.places.place(line)}: {shorten(problem)}", line)

    def refuse(self) -> None:
        """Raise TournamentError if there are problems, else PluginError if something cannot be loaded."""
        if not self.problems and self.broken:
            raise next(iter(self.broken.values()))
        if self.problems:
            shown = [*sorted(self.problems, key=self.problems.__getitem__), *self.broken]
            least = "at least " * self.passed_over
            more = [f"and {least}{number(len(shown) - MAX_PROBLEMS)} more"] * (len(shown) > MAX_PROBLEMS)
            raise TournamentError(shown[:MAX_PROBLEMS] + more)

    def meant(self, name: str, known: Iterable[str]) -> str:
        """Return a hint at the known names that were perhaps meant; "" if too many mistakes are noted already."""
        return did_you_mean(name, known) if len(self.problems) < MAX_PROBLEMS else ""

    def find_strategies(self, text: str, game: str) -> list[Strategy]:
        if len(self.problems) >= MAX_PROBLEMS and NAME.fullmatch(text) and text not in self.names:
            raise StrategyError(f"no strategy {text!r}")
        return plugins.strategies_for(*self.held(text), game)

    def look_for(self, text: str) -> tuple[Spec, list[Strategy] | None]:
        """Return what a text names; looked up once for all games."""
        spec = read_spec(text, self.folder)
        return spec, plugins.strategies_named(spec, self.folder)

    @cached_property
    def names(self) -> set[str]:
        """The names of the installed strategies."""
        return {strategy.name for strategy in plugins.installed()}

    def value(self, data: dict[str, Any], key: str, values: Values, default: Any, table: str, number: int = 0) -> Any:
        """Return the value of a key; if it is not there, or not one of these values, which is noted, the default."""
        if key not in data:
            return default
        try:
            return values.read(data[key])
        except ValueError:
            self.wrong(f"{key} must be {values}, not {shorten_value(data[key])}", table, number, key)
            return default

    def keys(self, data: Iterable[str], known: Iterable[str], table: str, number: int = 0) -> None:
        known = list(known)
        for key in data:
            if key not in known:
                self.wrong(f"unknown key {key}{self.meant(key, known)}", table, number, key)


class EntryReader:
    """Reads one [[games]] table for the format that plays it, and notes everything that is wrong with it."""

    def __init__(self, reader: Reader, data: dict[str, Any], number: int, format: type[Format], listed: Any) -> None:
        """Read the keys that every format has. Raises UnknownGameError if there is no such game; other problems are
        noted."""
        self.reader, self.data, self.number = reader, data, number
        self.before = len(reader.problems), len(reader.broken)
        self.format, self.own_keys = format, format.entered_with()
        self.check_keys()
        self.game = reader.game(game_in(data))
        self.name = self.value("name", keys.GAME["name"].values, self.game.id)
        self.options: dict[str, Any] = self.value("options", keys.GAME["options"].values, {})
        own = "strategies" in data
        self.strategies = read_strategies(
            reader, data["strategies"] if own else listed, self.game, number if own else None
        )
        self.amount = self.whole(format.amount)

    def check_keys(self) -> None:
        known = [*keys.GAME, *self.own_keys]
        for key in self.data:
            if key not in known:
                homes = homes_of_keys().get(key)
                problem = f"{key} belongs to format {' or '.join(homes)}" if homes else ""
                problem = problem or f"unknown key {key}{self.reader.meant(key, known)}"
                self.reader.wrong(problem, "games", self.number, key)

    @property
    def failed(self) -> bool:
        """Whether there is a problem in it."""
        return (len(self.reader.problems), len(self.reader.broken)) != self.before

    def wrong(self, problem: str, key: str, inner: str = "") -> None:
        """Note a problem in it. A command line has no lines, so the message gets the game's name."""
        of = "" if self.reader.places.lines or self.game.id in problem else f"{self.game.id}: "
        self.reader.wrong(of + problem, "games", self.number, key, inner)

    @contextmanager
    def noting_refusals(self, but: Collection[str] = ()) -> Iterator[None]:
        """Note what the game refuses, each at the line of the option that it names.

        `but`: options that are not from the file."""
        try:
            yield
        except OptionError as error:
            given = {key for key in self.options if key not in but}
            for problem in error.problems:
                named = [word for word in WORD.findall(problem) if word in given]
                key = "options" if named or not re.match(r"\d+ players?:", problem) else "players"
                self.wrong(problem, key, inner=named[0] if named else "")

    def options_for(self, sizes: Iterable[int], own: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options, with those that the format sets itself, for tables of each of these sizes.

        The file must not set the format's own options."""
        for key in own:
            if key in self.options:
                self.wrong(f"{key} is set by the format {self.format.name} itself", "options", inner=key)
        options = {**self.options, **own}
        with self.noting_refusals(but=own):
            for size in sizes:
                self.game.rules_for(size, options)
        return options

    def value(self, key: str, values: Values, default: Any) -> Any:
        return self.reader.value(self.data, key, values, default, "games", self.number)

    def whole(self, key: str, default: int | None = None) -> int:
        """Return a number for a field; `default` if that depends on more than the game and the number of strategies."""
        return int(self.field(key, default))

    def fields(self, **usual: int) -> dict[str, Any]:
        """Return the values of the format's fields.

        `usual`: defaults of numbers that depend on more than the game and the number of strategies."""
        keys = [key for key in self.own_keys if key != self.format.amount]
        return {key: self.field(key, usual.get(key)) for key in keys}

    def field(self, key: str, usual: int | None) -> Any:
        known = self.own_keys[key]
        default = known.default(self.game, len(self.strategies)) if usual is None else usual
        return self.value(key, known.values, default)

    def entry(self, format: Format, options: dict[str, Any]) -> Entry | None:
        """Return the entry, with enough blocks to play the amount; None if there is a problem in it."""
        if self.failed:
            return None
        read, home = as_read(self.game, options), self.game.origin.place if self.game.origin else ""
        one = Entry(self.name, self.game.id, format, read, tuple(self.strategies), 1, home=home)
        amount = self.amount
        if format.amount not in self.data:
            entrants = len(self.strategies)
            blocks = -(-FEW_BLOCKS * entrants // min(entrants, format.seats or entrants))  # so many for each entrant
            amount = max(amount, blocks * format.last_round * format.units(one))
        return replace(one, blocks=format.blocks_for(one, amount), asked=amount)


@cache
def homes_of_keys() -> dict[str, list[str]]:
    """Return our formats that take each key."""
    homes = defaultdict[str, list[str]](list)
    for name in formats.ours():
        for key in formats.find(name).entered_with():
            homes[key].append(name)
    return homes


def cached_result(find: Callable[..., T]) -> Callable[..., T]:
    """Cache a function's results, and also the errors that it raises."""
    results: dict[tuple[Any, ...], T | RoundsimError] = {}

    def look(*asked: Any) -> T:
        if asked not in results:
            try:
                results[asked] = find(*asked)
            except RoundsimError as error:
                results[asked] = error
        there = results[asked]
        if isinstance(there, RoundsimError):
            raise there.with_traceback(None)
        return there

    return look


def game_in(data: Mapping[str, Any]) -> str:
    game = data.get("game", "")
    return game if isinstance(game, str) else shorten_value(game)


def tables_in(reader: Reader, data: dict[str, Any], number: int, format: type[Format]) -> Iterator[dict[str, Any]]:
    """Yield the tables that a [[games]] table means: itself, or with `players = "3-6"` one for each size, nap.3 to
    nap.6."""
    sizes = data.get("players")
    if not isinstance(sizes, str) or "players" not in format.entered_with():
        yield data
        return
    with suppress(UnknownGameError):  # it is reported later
        game = reader.game(game_in(data))
        (low, high), name, match = game.seats, data.get("name", game.id), SIZES.fullmatch(sizes)
        fewest, most = map(int, match.groups()) if match else (0, 0)
        if low <= fewest < most <= high:
            for size in range(fewest, most + 1):
                yield {**data, "players": size, "name": f"{name}.{size}" if is_name(name) else name}
            return
        expected = 'a whole number, or "3-6" for a table of each size'
        problem = f"players must be {expected}, not {shorten_value(sizes)}: {game.id} is for {low} to {high}"
        reader.wrong(problem, "games", number, "players")
    yield {key: value for key, value in data.items() if key != "players"}


def read_strategies(reader: Reader, listed: Any, game: type[Deal], number: int | None) -> list[Strategy]:
    """Return the strategies entered for a game.

    `number`: of the [[games]] that lists them; None for the tournament's list."""
    place = ("tournament", 0) if number is None else ("games", number)
    if listed is None:
        reader.wrong(f"no strategies for {game.id}: list them under [tournament]", "")
        return []
    if not STRATEGIES.fits(listed):
        reader.wrong(f"strategies must be {STRATEGIES}", *place, "strategies")
        return []
    strategies, twins = list[Strategy](), Twins(reader.folder)
    for item in listed:
        try:
            text = strategy_spec(item)
            for strategy in reader.strategies(text, game.id):
                twins.add(strategy, text)
                strategies.append(strategy)
        except StrategyError as error:
            spec = item if isinstance(item, str) else str(item.get("from"))
            reader.wrong(str(error), *place, "strategies", inner=spec.split(":")[-1].split("(")[0])
        except PluginError as error:
            reader.broken.setdefault(str(error), error)
    return strategies
