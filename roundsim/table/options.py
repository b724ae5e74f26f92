"""The options of a game: each declared once, typed, in the class of its rules, which checks and explains them.

class NapRules(Rules, of=Nap):
    stake: int = option(1, "value of one trick, in counters", "p. 8")
    pack: Literal["52", "32"] = option("52", "with 32: seven to ace, for at most four players", "p. 14")
    misery: bool = option(False, "a call of no trick, between two and three", "p. 12")
    misery_trumps: bool = option(True, "whether a misery has trumps", "p. 12", misery=True)"""

from __future__ import annotations

import sys
from collections import namedtuple
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal, NoReturn, get_args, get_origin

from ..base.errors import DeclarationError, OptionError, did_you_mean
from ..base.text import in_toml
from ..base.values import Flag, OneOf, Values, Whole
from ..native import compiled
from .cards import PACK, PACK_32, Card

MAX_OPTION = 1_000_000  # an option's upper end: nets of it, squared and summed up, are still what a log can hold


@dataclass(frozen=True)
class Option:
    """One option of a game: its key, default (or a function of the rules so far), values, help, and book and page.

    `usual` says in words what a default that depends on others is. `belongs`: the values of another option with which
    it is played; with any other it is refused. `role`: what a format has to know of it, "stack", "freeze-out", "rebuy",
    or "doubles" for what grows with the blinds. `place`: file and line of its declaration."""

    key: str
    default: Any
    values: Values
    help: str
    page: str = ""
    usual: str = ""
    role: str = ""
    belongs: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    place: str = ""

    def read(self, value: Any) -> Any:
        try:
            return self.values.read(value)
        except ValueError:
            close = did_you_mean(value, map(in_toml, self.values.choices)) if isinstance(self.values, OneOf) else ""
            raise OptionError([f"{self.key} must be {self.values}, not {value!r}{close}"]) from None

    def forms(self) -> str:
        """The forms of the game that have it, 'variant = pool, old'; "" if every form has it."""
        return "; ".join(f"{key} = {', '.join(map(in_toml, values))}" for key, values in self.belongs.items())

    def default_text(self) -> str:
        default = "" if callable(self.default) else self.default
        return self.usual or (str(default).lower() if isinstance(default, bool) else str(default))


class _Declared:
    """The right side of a declaration, until its class is complete."""

    def __init__(self, place: str, **fields: Any) -> None:
        self.place, self.fields = place, fields


def place_of(depth: int) -> str:
    """Return the line `depth` calls above the caller's, '/.../nap.py:210'."""
    frame = sys._getframe(depth + 1)
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def line_of_story(story: Any) -> str:
    """Return the line where a story waits: 'mine.py:42'."""
    from ..base.finding import display_path

    while hasattr(inner := getattr(story, "gi_yieldfrom", None), "gi_frame"):
        story = inner
    return f"{display_path(Path(story.gi_frame.f_code.co_filename))}:{story.gi_frame.f_lineno}"


def option(
    default: Any,
    help: str,
    page: str,
    *,
    low: int = 1,
    high: int = MAX_OPTION,
    values: Values | None = None,
    usual: str = "",
    role: str = "",
    **belongs: Any,
) -> Any:
    """Declare an option in a class of `Rules`: its name and type are the annotation, int, bool or Literal.

    `default` may be a function of the rules; `usual` then says it in words. `help`: what it is; `page`: its place in
    the book, or "ours". `low`, `high`: the range of a whole number, up to a million if it says no other end; `values`:
    another kind of values. `variant="pool"`, `variant=("pool", "old")`: to which form it belongs. The class raises
    DeclarationError if an option contradicts itself."""
    belongs = {key: value if isinstance(value, tuple) else (value,) for key, value in belongs.items()}
    fields = {"default": default, "help": help, "page": page, "usual": usual, "role": role, "belongs": belongs}
    return _Declared(place_of(1), low=low, high=high, values=values, **fields)


def otherwise(default: Any, usual: str = "") -> Any:
    """Declare an option of a parent again, with another default. `usual`: the default in words, if it is a function.

    The class raises DeclarationError if no parent has the option, or if it does not take the default."""
    return _Declared(place_of(1), default=default, usual=usual)


def options_again(game: Any, values: Sequence[Any]) -> Any:
    """Return the options of a game that were pickled."""
    return game.rules_type.tuple_of_options(*values)


class Rules:
    """The rules of a table: `players`, every option by its name, and what follows from them; `given`: the keys that
    were.

    `options` is the read-only tuple of the options, which strategies see. A game declares its own as a subclass,
    `class NapRules(Rules, of=Nap)`; what follows from the options is a `cached_property` of it. Raises OptionError if
    the game refuses the options or the number of players; it lists everything that is wrong."""

    of: ClassVar[type[Any]]  # the game, a subclass of Deal
    declared: ClassVar[tuple[Option, ...]] = ()
    tuple_of_options: ClassVar[Any] = None

    players: int
    given: frozenset[str]
    options: Any

    def __init_subclass__(cls, of: type[Any] | None = None, without: Collection[str] = ()) -> None:
        """Declare the options of a game; `without`: options of a parent that this game does not have."""
        own, inherited = dict[str, Option](), dict[str, Option]()
        for parent in cls.__mro__[1:]:
            for option in vars(parent).get("declared", ()):
                inherited.setdefault(option.key, option)
        declared = {key: value for key, value in vars(cls).items() if isinstance(value, _Declared)}
        for key, value in declared.items():
            own[key] = _checked(cls, key, value, inherited.get(key))
            delattr(cls, key)
        known = own | {key: option for key, option in inherited.items() if key not in own and key not in without}
        for option in known.values():
            if stray := next((other for other in option.belongs if other not in known), None):
                _wrong(option.place, f"{option.key} belongs to {stray}, which is no option{did_you_mean(stray, known)}")
        cls.declared = tuple(known.values())
        names = namedtuple("Options", list(known))  # type: ignore[misc]  # known now only
        cls.tuple_of_options = type(
            "Options", (names,), {"__slots__": (), "__reduce__": lambda self: (options_again, (cls.of, tuple(self)))}
        )
        if of is not None:
            cls.of, of.rules_type, of.options = of, cls, cls.declared

    def __init__(self, players: int, given: Mapping[str, Any] | None = None) -> None:
        """Check options and fill in their defaults. Raises OptionError if the game refuses something, and lists
        everything."""
        given, game = given or {}, self.of
        self.players, self.given = players, frozenset(given)
        problems = self._fill_in(given, f"{game.id} has no option")
        low, high = game.seats
        if not low <= players <= high:
            problems.append(f"{players} player{'s' * (players != 1)}: {game.id} is for {low} to {high}")
        problems = problems or [*self._strays(), *self.refusals()]
        if problems:
            raise OptionError(problems)
        self.options = self.tuple_of_options(*[getattr(self, option.key) for option in self.declared])

    def _fill_in(self, given: Mapping[str, Any], no_option: str) -> list[str]:
        """Give every option its value; return what is wrong with those that are given."""
        known = [option.key for option in self.declared]
        problems = [f"{no_option} {key}{did_you_mean(key, known)}" for key in given if key not in known]
        values: dict[str, Any] = {}
        for option in self.declared:
            values[option.key] = option.default
            if option.key in given:
                try:
                    values[option.key] = option.read(given[option.key])
                except OptionError as error:
                    problems += error.problems
        vars(self).update({key: value for key, value in values.items() if not callable(value)})
        for key, value in values.items():
            if callable(value):
                setattr(self, key, value(self))
        return problems

    def _strays(self) -> Iterator[str]:
        """Yield one sentence for each option that is given and belongs to another form; a flag that is off does not
        count."""
        for option in self.declared:
            off = option.default is False and getattr(self, option.key) is False
            if option.key in self.given and not off:
                for other, values in option.belongs.items():
                    value = getattr(self, other)
                    if value not in values:
                        yield f"{option.key} with {other} = {option_text(value)}: it belongs to {_listed(other, values)}"

    # Declarations about a game's options and sittings. Most games need only a few of these.

    def refusals(self) -> Iterator[str]:
        """Yield one sentence for each combination of options that contradicts itself."""
        return iter(())

    def script_refusals(self, carry: Mapping[str, Any], deals: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        """Yield one sentence for each value of a script, carried or in a deal, that is impossible: "carry.used:
        ..."."""
        return iter(())

    @property
    def played_by(self) -> type[Any]:
        """The class that plays this form of the game: the game itself, if it has only one."""
        return self.of

    @cached_property
    def played_quickly_by(self) -> type[Any]:
        """The same class, compiled if it was. Nobody can listen to its deals, and nothing can be imagined of them."""
        return compiled(self.played_by)

    @property
    def sitting(self) -> int:
        """The usual number of deals in a sitting: each seat deals once."""
        return self.players

    @property
    def sides(self) -> list[int] | None:
        """By seat, the sides that hold for a whole sitting; None: there are none, or they form in mid-deal."""
        return None

    @property
    def first_stacks(self) -> list[int] | None:
        """The counters that each seat begins with, in a game with stacks."""
        return None

    @property
    def minimum_stake(self) -> int:
        """The counters without which a player cannot come in, in a game with stacks."""
        return 1

    @property
    def first_dealer(self) -> int:
        """The last seat, so that seat 0 is eldest."""
        return self.players - 1

    @property
    def pool_names(self) -> tuple[str, ...]:
        """The pools of this table."""
        names: tuple[str, ...] = self.of.pool_names
        return names

    # Questions from other modules.

    @cached_property
    def all_cards(self) -> tuple[Card, ...]:
        """The cards of the pack: fifty-two, or thirty-two, from seven to ace, where the game's option `pack` says so."""
        return PACK_32 if str(getattr(self, "pack", 52)) == "32" else PACK

    def changed(self) -> dict[str, Any]:
        """Return the options that were given and differ from their defaults."""
        values = {option.key: (getattr(self, option.key), option.default) for option in self.declared}
        return {
            key: value
            for key, (value, default) in values.items()
            if key in self.given and value != (default(self) if callable(default) else default)
        }


def as_read(game: type[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options as the game reads them: `pack = 32` and `pack = "32"` are one."""
    options = {option.key: option for option in game.options}
    return {key: options[key].read(value) for key, value in given.items()}


def option_text(value: Any) -> str:
    """Return the value of an option as it is written in a tournament file."""
    return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)


def _listed(key: str, values: Iterable[Any]) -> str:
    """Return 'pool, old'; for values that are not words, 'misery = true'."""
    return ", ".join(value if isinstance(value, str) else f"{key} = {option_text(value)}" for value in values)


def _checked(rules: type[Rules], key: str, declared: _Declared, parent: Option | None) -> Option:
    """Return the option that was declared; DeclarationError, with file and line, if it contradicts itself."""
    fields = dict(declared.fields)
    if hasattr(Rules, key) or key in Rules.__annotations__:
        _wrong(declared.place, f"{key} cannot be an option: every table's rules have that name already")
    if "help" not in fields:
        if parent is None:
            _wrong(declared.place, f"{key} is no option of a parent of {rules.__name__}")
        made = replace(parent, place=declared.place, **fields)
    else:
        values, low, high = fields.pop("values"), fields.pop("low"), fields.pop("high")
        values = values or _values_of(_kind_of(rules, key, declared.place), key, low, high, declared.place)
        made = Option(key, values=values, **fields, place=declared.place)
    if not callable(made.default):
        try:
            made.read(made.default)
        except OptionError as error:
            _wrong(declared.place, f"the default of an option: {error}")
    elif not made.usual:
        _wrong(declared.place, f"{key}: its default depends on others; `usual` says in words what it is")
    return made


def _kind_of(rules: type[Rules], key: str, place: str) -> Any:
    """Return the type that an option is annotated with."""
    kind = rules.__annotations__.get(key)
    try:
        return eval(kind, vars(sys.modules[rules.__module__])) if isinstance(kind, str) else kind
    except Exception as error:
        _wrong(place, f"{key} is annotated as {kind}: {error}")


def _values_of(kind: Any, key: str, low: int, high: int | None, place: str) -> Values:
    if get_origin(kind) is Literal:
        return OneOf(*get_args(kind))
    if kind is bool:
        return Flag()
    if kind is int:
        return Whole(low, high)
    _wrong(place, f"{key} must be annotated as int, bool or Literal[...], or be given `values`")


def _wrong(place: str, problem: str) -> NoReturn:
    raise DeclarationError(f"{place}: {problem}")
