"""Views in a guest: the same names with the same values as in play in process, as far as the engine has sent them.

What was not sent with a question is asked for while that is open.  What is shown is read by the type that the game
declares for it: so a card is a card here too."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence, Set
from functools import cache, lru_cache
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from ..native import native
from ..table.actions import Action, say
from ..table.cards import CARD, Card
from ..table.deal import Deal
from ..table.imagined import Tale
from ..table.legal import Amounts, AnyOrder, Arrangements, Discards, Either, Lazy, Multisets, Subsets
from ..table.options import Rules
from ..table.view import Imagined, Said, TableView, ViewType, inside, names_of

Reader = Callable[[Any], Any]
See = Callable[..., Any]


@native
class Shown:
    """What was sent with a question, read when it is looked at; what was not is asked for while the question is open."""

    __slots__ = ("rules", "readers", "sent", "known", "ask", "number")

    def __init__(
        self, rules: Rules, readers: Mapping[str, Reader], sent: dict[str, Any], ask: See, number: int
    ) -> None:
        self.rules, self.readers, self.sent, self.ask, self.number = rules, readers, sent, ask, number
        self.known: dict[str, Any] = {}

    def see(self, name: str, *more: str) -> Any:
        raise NotImplementedError

    def look(self, name: str) -> Any:
        try:
            return self.known[name]
        except KeyError:
            given = self.sent[name] if name in self.sent else self.see(name)
            self.known[name] = value = None if given is None else self.readers[name](given)
            return value


class Table(Shown):
    """What stands in a view here in the place of the deal: a question's names, sent, or asked for while it is open.

    `number`: of the question, 0 once it is answered."""

    __slots__ = ()

    def see(self, name: str, *more: str) -> Any:
        if not self.number:
            raise RuntimeError(f"view.{name}: the question is answered, and nothing is shown any more")
        return self.ask(self.number, name, *more)

    @property
    def game(self) -> type[Deal]:
        return self.rules.played_by

    def __getattr__(self, name: str) -> Any:
        """What a view says in words it asks of its deal: of the game itself, or of what is shown."""
        return self.look(name) if name in self.readers else getattr(self.game, name)


def shown_by(game: type[Deal]) -> dict[str, Reader]:
    """How each name of a game's view is read."""
    view = game.View
    every = names_of(view)
    readers: dict[str, Reader] = {}
    for parent in reversed(view.__mro__):
        hints = vars(parent).get("__annotations__", {})
        if any(name in every for name in hints):
            known = vars(sys.modules[parent.__module__])
            readers |= {name: reader(typed(kind, known)) for name, kind in hints.items() if name in every}
    for name in every:
        if name not in readers:
            way = getattr(view, name).fget
            readers[name] = reader(typed(way.__annotations__.get("return", Any), way.__globals__))
    return readers


def typed(kind: Any, known: Mapping[str, Any]) -> Any:
    """A type that is annotated as text."""
    return eval(kind, dict(known)) if isinstance(kind, str) else kind


def options_of(rules: Rules) -> Reader:
    """The options of a table, by their names."""
    made = rules.tuple_of_options
    return lambda given: made(**{key: plain(value) for key, value in given.items()})


def view_of(game: type[Deal]) -> tuple[type[TableView], dict[str, Reader]]:
    """The view of a game as a guest has it: each name is looked up in its `Table`; and how they are read."""
    if game not in _views:
        readers = shown_by(game)
        names = {name: property(looking(name), doc=getattr(game.View, name).__doc__) for name in readers}
        own = {**names, "imagine": imagine, "__module__": game.View.__module__}
        made: Any = ViewType(game.View.__name__, (game.View,), own)
        _views[game] = made, readers
    return _views[game]


_views: dict[type[Deal], tuple[type[TableView], dict[str, Reader]]] = {}  # made once for all guests of a nursery


def imagine(view: TableView) -> Imagined | None:
    """The deal as it may be: the engine finds it, and what is told of it is told again here."""
    table: Any = inside(view)
    tale = table.see("imagine", f"{view.chance.getrandbits(64):016x}")
    return None if tale is None else Tale.from_json(table.rules.of, tale).told()


@native
def looking(name: str) -> Callable[[TableView], Any]:
    return lambda view: inside(view).look(name)


@cache
def reader(kind: Any) -> Reader:
    """How a value of this type is read from what JSON has of it."""
    origin, within = get_origin(kind), get_args(kind)
    if kind is Card:
        return reads("card")
    if kind is Action:
        return reads("action")
    if kind is Said:
        return lambda given: Said(given[0], given[1], action(given[2]))
    if kind in (int, str, bool, float, NoneType):
        return reads("same")
    if origin in (Union, UnionType):
        left = [each for each in within if each is not NoneType]
        if len(left) == 1:
            return reads("wanting", reader(left[0]))
        return plain
    if origin is tuple and len(within) == 2 and within[1] is Ellipsis:
        return reads("row", reader(within[0]))
    if origin is tuple and within:
        each_by = [reader(each) for each in within]
        return lambda given: tuple([read(each) for read, each in zip(each_by, given, strict=True)])
    if isinstance(origin, type) and issubclass(origin, Mapping):
        of_key, of_value = key_reader(within[0]), reader(within[1])
        return lambda given: MappingProxyType({of_key(key): of_value(value) for key, value in given.items()})
    if isinstance(origin, type) and issubclass(origin, Set):
        inner = reader(within[0])
        return lambda given: frozenset([inner(each) for each in given])
    return plain


@native
def reads(kind: str, inner: Reader = tuple) -> Reader:
    """A reader of a `card`, an `action`, what is the `same` here, a `row` of what `inner` reads, or what may be `wanting`."""
    ways: dict[str, Reader] = {
        "card": card_of,
        "action": action,
        "same": lambda given: given,
        "row": lambda given: tuple([inner(each) for each in given]),
        "wanting": lambda given: None if given is None else inner(given),
    }
    return ways[kind]


@native
def card_of(text: str) -> Card:
    return CARD[text]


def key_reader(kind: Any) -> Reader:
    """Keys are texts in JSON, whatever they are."""
    return int if kind is int else reader(kind)


def plain(given: Any) -> Any:
    """What is declared as anything: a text that is a card is one."""
    if isinstance(given, str):
        return CARD.get(given, given)
    if isinstance(given, list):
        return tuple([plain(each) for each in given])
    if isinstance(given, dict):
        return MappingProxyType(
            {(int(key) if key.isdecimal() else plain(key)): plain(each) for key, each in given.items()}
        )
    return given


@native
@lru_cache(1 << 13)
def action(text: str) -> Action:
    """The action of a text."""
    return say(text) if text[:5] != "play " or text[5:] not in CARD else CARD[text[5:]].play


@lru_cache(1 << 12)
def few(*texts: str) -> tuple[Action, ...]:
    return tuple([action(text) for text in texts])


def legal_of(given: Any) -> Sequence[Action]:
    """The legal actions of a question: a list of them, or what a lazy sequence is made of."""
    if type(given) is list:
        return few(*given)
    kind = given["kind"]
    if kind == "either":
        one, other = map(legal_of, given["of"])
        assert isinstance(one, Lazy) and isinstance(other, Lazy)
        return Either(one, other)
    if kind == "any-order":
        return AnyOrder([action(text) for text in given["actions"]], given["fixed"])
    if kind == "multisets":
        return Multisets(given["verb"], given["names"], given["k"], given["bare"], given["cover"])
    beside, verb, low, high = few(*given["plain"]), given["verb"], given["low"], given["high"]
    if kind == "amounts":
        return Amounts(beside, verb, low, high)
    if kind == "arrangements":
        return Arrangements(verb, given["named"], low, high, beside)
    hand = [CARD[text] for text in given["hand"]]
    return (Discards if kind == "discards" else Subsets)(verb, hand, low, high, beside)
