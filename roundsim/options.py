"""The options of a game: declared once, and from that checked, explained and handed to the table."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .table import Deal


class OptionError(ValueError):
    """Options that this game refuses; `problems` holds one sentence for each mistake."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """' (did you mean nap?)', or nothing."""
    close = get_close_matches(str(name), list(known), n=1, cutoff=0.5)
    return f" (did you mean {close[0]}?)" if close else ""


@dataclass(frozen=True)
class Whole:
    """Whole numbers from `low` to `high` (no upper end if None); with `but` the only ones, 'a power of two'."""

    low: int
    high: int | None = None
    but: Callable[[int], bool] | None = None
    words: str = ""

    def __str__(self) -> str:
        return self.words or (
            f"a whole number from {self.low}" + (f" to {self.high}" if self.high is not None else " up")
        )

    def read(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < self.low:
            raise ValueError
        if self.high is not None and value > self.high or self.but and not self.but(value):
            raise ValueError
        return value


class Flag:
    """True or false."""

    def __str__(self) -> str:
        return "true or false"

    def read(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise ValueError
        return value


class OneOf:
    """One of a few words or numbers; `pack = 32` and `pack = "32"` are the same."""

    def __init__(self, *choices: str | int) -> None:
        self.choices = choices

    def __str__(self) -> str:
        return "one of " + ", ".join(map(str, self.choices))

    def read(self, value: Any) -> str | int:
        text = str(value).lower() if isinstance(value, bool) else str(value)
        return next(choice for choice in self.choices if str(choice) == text)


def at_least(low: int) -> Whole:
    return Whole(low)


def between(low: int, high: int) -> Whole:
    return Whole(low, high)


FLAG = Flag()


@dataclass(frozen=True)
class Option:
    """One option of a game: its key, default (or a function of the rules so far), values, help, and book and page.

    `usual` says in words what a default that depends on others is."""

    key: str
    default: Any
    values: Whole | Flag | OneOf | Any
    help: str
    source: str = ""
    usual: str = ""

    def read(self, value: Any) -> Any:
        try:
            return self.values.read(value)
        except (ValueError, StopIteration):
            close = did_you_mean(value, map(str, self.values.choices)) if isinstance(self.values, OneOf) else ""
            raise OptionError([f"{self.key} must be {self.values}, not {value!r}{close}"]) from None

    def default_in_words(self) -> str:
        default = "" if callable(self.default) else self.default
        return self.usual or (str(default).lower() if isinstance(default, bool) else str(default))


class Rules(SimpleNamespace):
    """The rules of a table: `players`, every option by its name, what the game derives from them, and `given`.

    `options` is the read-only tuple of the options, which strategies see."""


def rules_for(game: type[Deal], players: int, given: Mapping[str, Any] | None = None) -> Rules:
    """Check options and fill in their defaults.  OptionError lists everything that the game refuses."""
    given = dict(given or {})
    options = {option.key: option for option in game.options}
    problems = [f"{game.id} has no option {key}{did_you_mean(key, options)}" for key in given if key not in options]
    rules = Rules(players=players, given=frozenset(given))
    for option in game.options:
        try:
            value = option.read(given[option.key]) if option.key in given else option.default
        except OptionError as error:
            problems += error.problems
            value = option.default
        setattr(rules, option.key, value(rules) if callable(value) else value)
    low, high = game.seats
    if not low <= players <= high:
        problems.append(f"{players} player{'s' * (players != 1)}: {game.id} is for {low} to {high}")
    if not problems:
        problems = list(game.refusals(rules))
    if problems:
        raise OptionError(problems)
    rules.options = _options_tuple(game)(*[getattr(rules, option.key) for option in game.options])
    game.prepare(rules)
    return rules


def as_read(game: type[Deal], given: Mapping[str, Any]) -> dict[str, Any]:
    """The same options as the game reads them: `pack = 32` and `pack = "32"` are one."""
    options = {option.key: option for option in game.options}
    return {key: options[key].read(value) for key, value in given.items()}


def changed(game: type[Deal], rules: Rules) -> dict[str, Any]:
    """The options that were given and are not as they would be by themselves."""
    values = {option.key: (getattr(rules.options, option.key), option.default) for option in game.options}
    return {
        key: value
        for key, (value, default) in values.items()
        if key in rules.given and value != (default(rules) if callable(default) else default)
    }


def _options_tuple(game: type[Deal]) -> Callable[..., Any]:
    return namedtuple("Options", [option.key for option in game.options])
