"""Views in a guest: the same names with the same values as in play in process.

A value that was not sent with a question is requested while the question is open. Values are read by the type that the
game declares, so a card is a card here too."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence, Set
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin

from ...table.actions import Action, say
from ...table.cards import CARD, Card
from ...table.deal import Deal
from ...table.imagined import ImaginedRecord
from ...table.kinds import Kinds
from ...table.legal import Amounts, AnyOrder, Either, Lazy
from ...table.options import Rules
from ...table.selections import Arrangements, Discards, Multisets, Subsets
from ...table.view import Imagined, Said, TableView, ViewType, inside, view_names

JsonReader = Callable[[Any], Any]
See = Callable[..., Any]


class GuestDeal:
    """The replacement of the deal in a guest's view. `number`: of the question, 0 once it is answered. `ask`: asks the
    engine for a name that was not sent."""

    __slots__ = ("number",)
    rules: Rules
    ask: See
    number: int

    def see(self, name: str, *more: str) -> Any:
        if not self.number:
            raise RuntimeError(f"view.{name}: the question is answered, and nothing is shown any more")
        return self.ask(self.number, name, *more)

    @property
    def game(self) -> type[Deal]:
        return self.rules.played_by

    def __getattr__(self, name: str) -> Any:
        """Return a fact of the game, which `str(view)` reads from its deal."""
        return getattr(self.game, name)


def table_type(rules: Rules, ask: See) -> type[GuestDeal]:
    """Return the type of a guest's tables, one table for each question."""
    return type("Table", (GuestDeal,), {"__slots__": (), "rules": rules, "ask": staticmethod(ask)})


class Keeping:
    """A base that gives views a `__dict__`, which holds what they show."""


class GuestView(ViewType):
    """The type of a game's view in a guest, with the same names."""

    @property
    def kinds(self) -> Kinds:
        own: Any = self.__mro__[1]
        return cast(Kinds, own.kinds)


class Sight:
    """A name of a guest's view, which is requested if it was not sent with the question."""

    def __init__(self, name: str, read: JsonReader, doc: str | None) -> None:
        self.name, self.read, self.__doc__ = name, read, doc

    def __get__(self, view: TableView | None, owner: type) -> Any:
        if view is None:
            return self
        show(view, {self.name: inside(view).see(self.name)})
        return vars(view)[self.name]


def show(view: TableView, sent: Mapping[str, Any]) -> None:
    """Let a view show what was sent, by its names."""
    shown, readers = vars(view), type(view)._readers  # type: ignore[attr-defined]
    for name, given in sent.items():
        shown[name] = None if given is None else readers[name](given)


def shown_by(game: type[Deal]) -> dict[str, JsonReader]:
    """Return how each name of a game's view is read."""
    view = game.View
    every = view_names(view)
    readers: dict[str, JsonReader] = {}
    for parent in reversed(view.__mro__):
        hints = vars(parent).get("__annotations__", {})
        if any(name in every for name in hints):
            known = vars(sys.modules[parent.__module__])
            readers |= {name: reader(evaluated(kind, known)) for name, kind in hints.items() if name in every}
    for name in every:
        if name not in readers:
            way = getattr(view, name).fget
            readers[name] = reader(evaluated(way.__annotations__.get("return", Any), way.__globals__))
    return readers


def evaluated(kind: Any, known: Mapping[str, Any]) -> Any:
    """Return a type that is annotated as text."""
    return eval(kind, dict(known)) if isinstance(kind, str) else kind


class OptionsReader:
    """Reads the options of a table, which are the same as before at most questions."""

    def __init__(self, make: Callable[..., Any]) -> None:
        self.make, self.given, self.options = make, None, None

    def __call__(self, given: Any) -> Any:
        if given != self.given:
            self.given, self.options = given, self.make(**{key: as_cards(value) for key, value in given.items()})
        return self.options


def guest_view(rules: Rules) -> type[TableView]:
    """Return the view at a table with these rules, in a guest; made once for all guests of a launcher."""
    game, options = rules.played_by, rules.tuple_of_options
    if (game, options) not in _views:
        readers: dict[str, JsonReader] = {**shown_by(game), "options": OptionsReader(options)}
        sights = {name: Sight(name, read, getattr(game.View, name).__doc__) for name, read in readers.items()}
        own = {**sights, "_readers": readers, "imagine": imagine, "__module__": game.View.__module__}
        _views[game, options] = cast(Any, GuestView(game.View.__name__, (game.View, Keeping), own))
    return _views[game, options]


_views: dict[tuple[type[Deal], Any], type[TableView]] = {}


def imagine(view: TableView) -> Imagined | None:
    """Return an imagined deal: the engine finds it and sends its record, which is replayed here."""
    table: Any = inside(view)
    tale = table.see("imagine", f"{view.chance.getrandbits(64):016x}")
    return None if tale is None else ImaginedRecord.from_json(table.rules.of, tale).replay()


@cache
def reader(kind: Any) -> JsonReader:
    """Return a function that reads a value of this type from its JSON."""
    origin, within = get_origin(kind), get_args(kind)
    if kind is Card:
        return CARD.__getitem__
    if kind is Action:
        return action
    if kind is Said:
        return lambda given: Said(given[0], given[1], action(given[2]))
    if kind in (int, str, bool, float, NoneType):
        return identity
    if origin in (Union, UnionType):
        left = [part for part in within if part is not NoneType]
        if len(left) == 1:
            one = reader(left[0])
            return lambda given: None if given is None else one(given)
        return as_cards
    if origin is tuple and len(within) == 2 and within[1] is Ellipsis:
        item = reader(within[0])
        return tuple if item is identity else lambda given: tuple(map(item, given))
    if origin is tuple and within:
        readers = [reader(part) for part in within]
        return lambda given: tuple([read(part) for read, part in zip(readers, given, strict=True)])
    if isinstance(origin, type) and issubclass(origin, Mapping):
        of_key, of_value = key_reader(within[0]), reader(within[1])
        return lambda given: MappingProxyType({of_key(key): of_value(value) for key, value in given.items()})
    if isinstance(origin, type) and issubclass(origin, Set):
        inner = reader(within[0])
        return lambda given: frozenset([inner(part) for part in given])
    return as_cards


def identity(given: Any) -> Any:
    return given


def key_reader(kind: Any) -> JsonReader:
    """Return a function that reads keys, which are texts in JSON, whatever they are."""
    return int if kind is int else reader(kind)


def as_cards(given: Any) -> Any:
    """Return a value that is declared as anything: a text that is a card is one."""
    if isinstance(given, str):
        return CARD.get(given, given)
    if isinstance(given, list):
        return tuple([as_cards(item) for item in given])
    if isinstance(given, dict):
        return MappingProxyType(
            {(int(key) if key.isdecimal() else as_cards(key)): as_cards(item) for key, item in given.items()}
        )
    return given


class Actions(dict[str, Action]):
    """Actions by their texts, each made when it is looked up first."""

    MOST = 1 << 13

    def __missing__(self, text: str) -> Action:
        if len(self) >= self.MOST:
            self.clear()
        card = CARD.get(text.removeprefix("play "))
        made = self[text] = card.play if card and text == card.play else say(text)
        return made


action = Actions().__getitem__


def legal_of(given: Any) -> Sequence[Action]:
    """Return the legal actions of a question, from a list of them, or from the parts of a lazy sequence."""
    if type(given) is list:
        return tuple(map(action, given))
    kind = given["kind"]
    if kind == "either":
        one, other = map(legal_of, given["of"])
        assert isinstance(one, Lazy) and isinstance(other, Lazy)
        return Either(one, other)
    if kind == "any-order":
        return AnyOrder([action(text) for text in given["actions"]], given["fixed"])
    if kind == "multisets":
        return Multisets(given["verb"], given["names"], given["k"], given["bare"], given["cover"])
    plain, verb, low, high = tuple(map(action, given["plain"])), given["verb"], given["low"], given["high"]
    if kind == "amounts":
        return Amounts(plain, verb, low, high)
    if kind == "arrangements":
        return Arrangements(verb, given["named"], low, high, plain)
    hand = [CARD[text] for text in given["hand"]]
    return (Discards if kind == "discards" else Subsets)(verb, hand, low, high, plain)
