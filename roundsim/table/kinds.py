"""The kinds of the names in a view, derived from their types: for programs that encode views, for example as vectors of
numbers."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from inspect import get_annotations
from types import NoneType, UnionType
from typing import Any, Generic, Literal, NoReturn, TypeVar, Union, get_args, get_origin

from ..base.errors import DeclarationError, did_you_mean
from .cards import Card

T = TypeVar("T")
Seat = int  # a seat by its number; nobody is None, or -1 where the help says so
Each = tuple[T, ...]  # an item for each seat, or none at all yet


class _Seat(int):
    """The class that stands for `Seat` when kinds are derived; to everything else it is an int."""


class _Each(Generic[T]):
    """The class that stands for `Each` when kinds are derived; to everything else it is a tuple."""


MARKS = {"Seat": (Seat, _Seat), "Each": (Each, _Each)}
PLAIN = {_Seat: "seat", Card: "card", bool: "flag", str: "word", int: "number", float: "number"}  # the narrower first
WORDS = "Card, Seat, int, bool or str, or of Each, tuples and mappings of these"


@dataclass(frozen=True)
class Kind:
    """`card`, `seat`, `number`, `word`, `flag`; or of other kinds a `list`, `each` (a list by seat), `tuple` or `map`.

    Each of them may be None: nothing yet, or nobody."""

    what: str
    of: tuple[Kind, ...] = ()

    def __str__(self) -> str:
        inner = [str(kind) for kind in self.of]
        if self.what == "list":
            return f"list of {inner[0]}" if self.of[0].of else f"{inner[0]}s"
        if self.what == "map":
            return f"map of {inner[0]} to {inner[1]}"
        return f"({', '.join(inner)})" if self.what == "tuple" else " ".join([self.what, *inner])


class Kinds(Mapping[str, Kind]):
    """The kind of each name of a view, derived on first use; `places`: where names are declared.

    DeclarationError: its type has no kind."""

    def __init__(self, classes: Sequence[type], names: Sequence[str], places: Mapping[str, str]) -> None:
        self.classes, self.names, self.places = classes, names, places

    def __getitem__(self, name: str) -> Kind:
        if name not in self.names:
            raise KeyError(f"{name}: no name with a kind{did_you_mean(name, self.names)}")
        annotation, known = annotated(self.classes, name)
        try:
            return kind_of(annotation_type(annotation, known))
        except (NameError, AttributeError, TypeError, SyntaxError) as error:
            self.refuse(name, annotation, error)

    def refuse(self, name: str, annotation: Any, error: Exception) -> NoReturn:
        """Say why there is no kind, and which types have one."""
        where = self.places.get(name, self.classes[0].__qualname__)
        raise DeclarationError(
            f"{where}: the type of {name}, {annotation}, tells no kind ({error}): expected is one of {WORDS}"
        ) from error

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


def annotated(classes: Sequence[type], name: str) -> tuple[Any, Mapping[str, Any]]:
    """Return the annotation of a name from the first of these classes that has one, and the names known there; without
    one, Any."""
    for kind in classes:
        way = getattr(vars(kind).get(name), "fget", None)
        annotation = get_annotations(kind).get(name) or getattr(way, "__annotations__", {}).get("return", "Any")
        if annotation not in ("Any", Any):
            return annotation, vars(sys.modules[kind.__module__])
    return "Any", {"Any": Any}


def annotation_type(annotation: Any, known: Mapping[str, Any]) -> Any:
    """Return the type of an annotation; it knows seats and lists by seat by their names."""
    marks = {name: mark for name, (alias, mark) in MARKS.items() if known.get(name) is alias}
    text = getattr(annotation, "__forward_arg__", annotation)  # of a NamedTuple
    if isinstance(text, str):
        return eval(text, {**known, **marks})
    if marks:
        raise TypeError(f"{' and '.join(marks)} cannot be seen without `from __future__ import annotations`")
    return text


def kind_of(given: Any) -> Kind:
    """Return the kind of a type; TypeError if it has none."""
    if hasattr(given, "__supertype__"):  # a NewType
        return kind_of(given.__supertype__)
    if within := get_args(given):
        return kind_made_of(get_origin(given), within)
    if isinstance(given, type) and issubclass(given, tuple) and hasattr(given, "_fields"):
        return Kind("tuple", tuple([kind_of(annotation_type(*annotated([given], name))) for name in given._fields]))
    for base, what in PLAIN.items():
        if isinstance(given, type) and issubclass(given, base):
            return Kind(what)
    raise TypeError(f"{getattr(given, '__name__', given)} is of no kind")


def kind_made_of(origin: Any, within: Sequence[Any]) -> Kind:
    """Return the kind of a type that is made of others."""
    if origin is Literal:
        return the_one({kind_of(type(value)) for value in within if value is not None})
    if origin in (Union, UnionType):
        return the_one({kind_of(value) for value in within if value is not NoneType})
    if origin is _Each:
        return Kind("each", (kind_of(within[0]),))
    if issubclass(origin, Mapping):
        return Kind("map", tuple(map(kind_of, within)))
    if origin is tuple and within[1:] != (...,):
        return Kind("tuple", tuple(map(kind_of, within)))
    if issubclass(origin, Sequence | Set):
        return Kind("list", (kind_of(within[0]),))
    raise TypeError(f"{origin.__name__} is of no kind")


def the_one(kinds: Set[Kind]) -> Kind:
    """Return the kind that all parts of a union share."""
    if len(kinds) != 1:
        raise TypeError(f"it may be {' or '.join(sorted(map(str, kinds)))}" if kinds else "it is always None")
    return next(iter(kinds))
