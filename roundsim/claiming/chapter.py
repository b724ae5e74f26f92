"""A chapter: the claims of one book about one game, in a TOML file, and the functions that only they need, in Python."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, NamedTuple

from .. import games
from ..base.errors import (
    ClaimError,
    InputError,
    OptionError,
    PluginError,
    StrategyError,
    UnknownGameError,
    did_you_mean,
    printable,
)
from ..base.files import TEXT, read_regular_file, real
from ..base.finding import display_path
from ..base.importing import module_at
from ..base.toml import text_of, toml_of
from ..base.values import Either, Listed, Number, Table, Text, Values, Whole
from ..sources import plugins
from ..sources.homes import claims_folder
from ..sources.specs import is_name, read_spec
from ..table.deal import Deal
from ..tournament.planning.key_lines import KeyLines, shorten, shorten_value
from . import measures
from .verdict import Condition, name_of

SUFFIX = ".toml"
TOP: dict[str, Values] = {"book": Text(), "author": Text(), "game": Text()}
KEYS: dict[str, Values] = {
    "no": Whole(1, 10**6),
    "says": Text(),
    "page": Text(),
    "tests": Text(),
    "exact": Text(),
    "printed": Either(Text(), Table(), words="a number as it is printed, or a table of them"),
    "measure": Text(),
    "true_if": Text(),
    "tables": Listed(Table(), "a list of tables, [{ players = 4 }]"),
    "among": Listed(Text(), 'a list of strategies, ["book"]'),
    "versus": Table(),
    "options": Table(),
    "force": Table(),
    "format": Table(),
    "sitting": Whole(1, 10**6),
    "matters": Number(0, 10**9, "a number, 0 or more"),
    "unit": Text(),
    "untestable": Text(),
}
FORCE = {"phase": Text(), "where": Text(), "say": Listed(Text(), 'a list of answers, ["stand", "fold"]')}
WAYS = "exact", "versus", "options", "force"  # at most one of them is given; or a measure alone
UNIT = "counters a deal"
OURS = "roundsim"
BOOK = "book"
LABEL = re.compile(r"[^\W\d]\w*")
NOWHERE: Mapping[str, str] = {}


class Call(NamedTuple):
    """A function that a claim names, with its parameters: `said(phase='call')`."""

    name: str
    parameters: tuple[tuple[str, Any], ...] = ()


class Seating(NamedTuple):
    """A table at which a claim is tested: its players, and the options of the game."""

    players: int
    options: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        return ", ".join([f"{self.players} seats", *(f"{key}={value}" for key, value in self.options)])


@dataclass(frozen=True)
class Claim:
    """A sentence of a book, and how it is tested. `line`: where it is in its file."""

    chapter: Chapter = field(repr=False, compare=False)
    line: int = field(repr=False)
    no: int
    says: str
    page: str
    tests: str
    exact: str
    printed: str | Mapping[str, str]
    untestable: str
    true_if: str
    measure: Call | None
    condition: Condition | None
    tables: tuple[Seating, ...]
    among: tuple[str, ...]
    versus: Mapping[str, str]
    options: Mapping[str, Mapping[str, Any]]
    force: Mapping[str, Any]
    format: Mapping[str, Any]
    sitting: int | None
    matters: float | None
    unit: str

    @property
    def id(self) -> str:
        return f"{self.chapter.name}/{self.no}"

    @property
    def author(self) -> str:
        """The author of the book; of a claim without a page it is us, who found it in the rules."""
        return self.chapter.author if self.page else OURS

    @property
    def labels(self) -> Sequence[str]:
        """The names of the runs that are compared; one without a name if nothing is."""
        if self.force:
            return [measures.name_of_answer(answer) for answer in self.force["say"]]
        return [*(self.versus or self.options or [""])]


@dataclass(frozen=True)
class Chapter:
    """The claims of a book about one game. `functions`: the file of the functions that they name, if there is one.
    `strategies`: by name the places of those that are not installed."""

    path: Path
    book: str
    author: str
    game: type[Deal]
    functions: Path | None
    strategies: Mapping[str, str]
    claims: list[Claim] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def is_ours(self) -> bool:
        """Whether it came with roundsim, and so may name whatever came with it."""
        return real(self.path).parent == claims_folder()

    @cached_property
    def module(self) -> Any:
        return module_at(self.functions) if self.functions else None

    def function(self, name: str) -> Callable[..., Any] | None:
        """Return a function of this chapter, or a general measure; None if there is none of this name."""
        own = vars(self.module).get(name) if self.module else None
        return own if callable(own) else measures.GENERAL.get(name)

    def placed(self, text: str) -> str:
        """Return a strategy of a claim as a command line names it: with its place, if it is not installed."""
        spec = read_spec(text)
        if spec.what not in self.strategies:
            return text
        given = ", ".join(f"{key}={value!r}" for key, value in spec.parameters.items())
        return f"{spec.name or spec.what}={self.strategies[spec.what]}{f'({given})' if given else ''}"

    def claim(self, number: str) -> Claim:
        """Return a claim by its number. Raises InputError if there is none."""
        known = {str(claim.no): claim for claim in self.claims}
        if number not in known:
            raise InputError(f"no claim {number} in {self.name}{did_you_mean(number, known)}: {', '.join(known)}")
        return known[number]


def chapter_names() -> list[str]:
    """Return the names of the chapters that come with roundsim."""
    return sorted(path.stem for path in claims_folder().glob(f"*{SUFFIX}"))


def find_chapter(name: str, functions: Path | None = None, strategies: Mapping[str, str] = NOWHERE) -> Chapter:
    """Return a chapter that came with roundsim by its name, or that of a file. `functions`: the Python file of a user's
    chapter; others have one of the same name. `strategies`: by name the places of those that are not installed.

    Raises ClaimError, InputError or PluginError."""
    if name.endswith(SUFFIX):
        return read_chapter(Path(name), functions, strategies)
    if name not in (known := chapter_names()):
        raise InputError(f"no chapter {name!r}{did_you_mean(name, known)}: {', '.join(known)}, or a file, mine.toml")
    own = claims_folder() / f"{name}.py"
    return read_chapter(claims_folder() / f"{name}{SUFFIX}", own if own.exists() else None)


def read_chapter(path: Path, functions: Path | None, strategies: Mapping[str, str] = NOWHERE) -> Chapter:
    """Read a chapter, and check all of it. Raises ClaimError with all that is wrong, each with its line."""
    try:
        text = text_of(read_regular_file(path, TEXT))
        data = toml_of(text)
    except OSError as error:
        raise ClaimError([f"{display_path(path)}: {error.strerror}"]) from None
    except ValueError as error:
        raise ClaimError([f"{display_path(path)}: no TOML: {shorten(str(error))}"]) from None
    return ChapterReader(KeyLines(display_path(path), text, "claim"), path, functions, strategies).read(data)


class ChapterReader:
    """Reads the tables of a chapter, and collects what is wrong with them."""

    def __init__(self, places: KeyLines, path: Path, functions: Path | None, strategies: Mapping[str, str]) -> None:
        self.places, self.path, self.functions, self.strategies = places, path, functions, strategies
        self.problems: list[str] = []

    def wrong(self, problem: str, number: int | None = None, key: str = "") -> None:
        line = self.places.line("claim", number, key) if number is not None else self.places.line("", key=key)
        self.problems.append(f"{self.places.place(line)}: {problem}")

    def read(self, data: dict[str, Any]) -> Chapter:
        tables = data.pop("claim", [])
        top = self.values(data, TOP, None, (*TOP,))
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            self.wrong("claims must be written [[claim]]")
        try:
            game = games.find(top.get("game", ""))
        except UnknownGameError as error:
            self.wrong(str(error), key="game")
        if self.problems:
            raise ClaimError(self.problems)
        chapter = Chapter(self.path, top["book"], top["author"], game, self.functions, self.strategies)
        chapter.claims.extend(self.claim(chapter, number, table) for number, table in enumerate(tables))
        for no, n in Counter(claim.no for claim in chapter.claims).items():
            if n > 1:
                self.problems.append(f"{self.places.path}: {n} claims have no = {no}")
        if self.problems:
            raise ClaimError(self.problems)
        return chapter

    def values(
        self, data: Mapping[str, Any], keys: Mapping[str, Values], number: int | None, needed: Sequence[str] = ()
    ) -> dict[str, Any]:
        """Return the values of known keys; what is wrong is noted."""
        values = dict[str, Any]()
        for key, value in data.items():
            if key not in keys:
                self.wrong(f"no key {key!r}{suggested(key, keys)}", number, key)
                continue
            try:
                values[key] = keys[key].read(value)
            except ValueError:
                self.wrong(f"{key} must be {keys[key]}, not {shorten_value(value)}", number, key)
        for key in needed:
            if key not in data:
                self.wrong(f"no key {key}", number)
        return values

    def claim(self, chapter: Chapter, number: int, table: Mapping[str, Any]) -> Claim:
        values = self.values(table, KEYS, number, ("no", "says"))
        texts = ("says", "page", "tests", "exact", "printed", "untestable", "true_if")
        claim = Claim(
            chapter=chapter,
            line=self.places.line("claim", number),
            no=values.get("no", 0),
            **{key: values.get(key, "") for key in texts},
            measure=self.call(values.get("measure", measures.usual(values)), number),
            condition=self.condition(values, number),
            tables=tuple(
                [self.table(chapter, given, "format" in values, number) for given in values.get("tables", [{}])]
            ),
            among=tuple(values.get("among", (BOOK,))),
            versus=values.get("versus", {}),
            options=values.get("options", {}),
            force=self.values(values["force"], FORCE, number, (*FORCE,)) if "force" in values else {},
            format=values.get("format", {}),
            sitting=values.get("sitting"),
            matters=values.get("matters"),
            unit=values.get("unit", UNIT),
        )
        if not claim.untestable:
            self.check(claim, values, number)
        return claim

    def check(self, claim: Claim, values: Mapping[str, Any], number: int) -> None:
        """Note what does not fit together."""
        ways = [way for way in WAYS if way in values]
        if len(ways) > 1:
            self.wrong(f"{ways[0]} and {ways[1]} together: a claim is tested in one way", number, ways[1])
        if not ways and "measure" not in values:
            self.wrong(f"nothing says how it is tested: give measure, {', '.join(WAYS)} or untestable", number)
        for way in "versus", "options":
            for label in values.get(way, ()):
                if not LABEL.fullmatch(label):
                    self.wrong(f"{label!r} names a side of {way}: it must be letters, digits and _", number, way)
        for label, text in [*claim.versus.items(), *(("", company) for company in claim.among)]:
            self.check_strategy(claim, text, label, number)
        if claim.exact:
            self.known_function(claim, claim.exact, number, "exact")
            if not claim.printed and not claim.condition:
                self.wrong("exact goes with printed, a number as in the book, or with true_if", number, "exact")
            return
        if "true_if" not in values:
            self.wrong("no key true_if", number)
        function = claim.measure and self.known_function(claim, claim.measure.name, number, "measure")
        if claim.measure and function:
            self.check_call(claim, claim.measure, function, number)
        if function and claim.condition and (given := getattr(function, "gives", ())):
            known = [name_of(label, name) for label in claim.labels for name in given]
            known += [label for label in claim.labels if label and "net" in given]
            if problem := claim.condition.unknown(known):
                self.wrong(problem, number, "true_if")
        if claim.force:
            self.known_function(claim, claim.force["where"], number, "force")
            phase, phases = claim.force["phase"], claim.chapter.game.phases
            if phase not in phases:
                self.wrong(f"no phase {phase!r}{suggested(phase, phases)}", number, "force")

    def check_call(self, claim: Claim, call: Call, function: Callable[..., Any], number: int) -> None:
        """Note parameters that a measure does not take, or lacks."""
        takes = dict(list(signature(function).parameters.items())[1:])
        given, known = dict(call.parameters), [key for key in takes if key != "names"]
        for key in given:
            if key not in known:
                close = suggested(key, known) if known else ": it takes none"
                self.wrong(f"{call.name} has no parameter {key}{close}", number, "measure")
        for key in known:
            if takes[key].default is Parameter.empty and key not in {**given, **claim.force}:
                self.wrong(f"{call.name} needs its parameter {key}: {call.name}({key}=...)", number, "measure")
        if "where" in given:
            self.known_function(claim, str(given["where"]), number, "measure")

    def check_strategy(self, claim: Claim, text: Any, label: str, number: int) -> None:
        """Note a strategy that is not one strategy of the game, or that is neither installed nor named by the user: a
        file may come from anybody. `label`: the side of `versus` that it is."""
        chapter, key = claim.chapter, "versus" if label else "among"
        if chapter.is_ours:
            return
        try:
            if not isinstance(text, str):
                raise StrategyError(f"a strategy is a text, not {shorten_value(text)}")
            spec, called = read_spec(text), label or "mine"
            what = spec.what
            if what in self.strategies:
                strategies = plugins.find(chapter.placed(text), chapter.game.id)
            elif not is_name(spec):
                place = shlex.quote(f"{called}={what}")
                raise StrategyError(
                    f"{what!r} is not installed: write a name, {called!r}, and say where it is, --strategy {place}"
                )
            elif what not in [strategy.name for strategy in plugins.installed(names=[what])]:
                close = did_you_mean(what, [*self.strategies, *(strategy.name for strategy in plugins.installed())])
                place = shlex.quote(f"{what}=PATH")
                raise StrategyError(f"no strategy {what!r}{close} is installed: say where it is, --strategy {place}")
            else:
                strategies = plugins.find_installed(text, chapter.game.id)
            if len(strategies) > 1:
                raise StrategyError(f"{text}: name one of {', '.join(one.attribute for one in strategies)}")
        except (StrategyError, PluginError) as error:
            self.wrong(printable(error), number, key)

    def known_function(self, claim: Claim, name: str, number: int, key: str) -> Callable[..., Any] | None:
        function = claim.chapter.function(name)
        if not function:
            functions = claim.chapter.functions
            own = vars(claim.chapter.module) if functions else ()
            where = f" in {display_path(functions)}" if functions else "; --measures FILE gives your own"
            self.wrong(f"no function {name!r}{did_you_mean(name, (*measures.GENERAL, *own))}{where}", number, key)
        return function

    def call(self, text: str, number: int) -> Call | None:
        """Return a function's name and its parameters."""
        try:
            spec = read_spec(text) if text else None
            return Call(spec.place, tuple(spec.parameters.items())) if spec else None
        except StrategyError:
            self.wrong(f"{text!r} is no measure: a name, with parameters in brackets", number, "measure")
            return None

    def condition(self, values: Mapping[str, Any], number: int) -> Condition | None:
        try:
            return Condition.parse(values["true_if"]) if "true_if" in values else None
        except ValueError as error:
            self.wrong(str(error), number, "true_if")
            return None

    def table(self, chapter: Chapter, given: Mapping[str, Any], formatted: bool, number: int) -> Seating:
        """Return a table, whose options the game accepts. `formatted`: the players may sit at several, of any size."""
        usual, options = chapter.game.usual[0], {**given}
        players = options.pop("players", usual)
        try:
            chapter.game.rules_for(usual if formatted else players, options)
        except (OptionError, TypeError) as error:
            self.wrong(str(error), number, "tables")
        return Seating(players, tuple(sorted(options.items())))


def suggested(name: str, known: Iterable[str]) -> str:
    """Return ' (did you mean nap?)', or all that is known."""
    return did_you_mean(name, known) or f": there are {', '.join(known)}"
