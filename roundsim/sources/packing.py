"""Classes and functions of a session as bytes: pickled by value, by the pickler of `multiprocess`, with cloudpickle's
reducers for classes and functions.

The bytes are unpickled only where a strategy plays. Two copies in one process share nothing."""

from __future__ import annotations

import pickle
import random
import tempfile
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache, cached_property, lru_cache
from io import BytesIO
from types import CellType, CodeType, FunctionType
from typing import Any

from .identity import is_importable, is_of_random

CLASS = "_make_skeleton_"  # begins the names of the functions of cloudpickle that make a class


def pickled(thing: Any, file_name: Callable[[str], str]) -> bytes:
    """Return the pickled bytes; `file_name` returns the name of the file of a code. Raises what pickle raises."""
    file = BytesIO()
    packer()(file, file_name).dump(thing)
    return file.getvalue()


@cache
def packer() -> Any:
    """Return the pickler of `multiprocess`, dill's, which is written in Python, so that sets can be written in one order,
    whatever the seed of hashes is. cloudpickle reduces what dill cannot: Enums, recursive functions."""
    from cloudpickle import Pickler
    from multiprocess.reduction import ForkingPickler

    class Packer(ForkingPickler):  # type: ignore[misc]
        def __init__(self, file: BytesIO, file_name: Callable[[str], str]) -> None:
            super().__init__(file)
            self.dispatch_table = Pickler.dispatch_table
            self.file_name, self.globals_ref = file_name, dict[int, Any]()

        def __getattr__(self, name: str) -> Any:
            return getattr(Pickler, name).__get__(self)

        def reducer_override(self, value: Any) -> Any:
            if type(value) in (set, frozenset):
                return type(value), (sorted(value, key=lambda each: (type(each).__name__, repr(each))),)
            if is_of_random(value):
                return getattr, (random, value.__name__)
            if isinstance(value, CodeType):
                return code_of_file, (self.file_name(value.co_filename), *self.dispatch_table[CodeType](value)[1])
            if isinstance(value, cached_property):  # which may hold a lock
                return cached_property, (value.func,), {"attrname": value.attrname}
            if hasattr(value, "cache_parameters") and not is_importable(value):
                return cached, (value.cache_parameters(), value.__wrapped__)
            if isinstance(value, CellType):
                return CellType, (), content_of(value), None, None, fill_cell
            reduced = Pickler.reducer_override(self, value)
            if isinstance(value, FunctionType) and reduced is not NotImplemented:
                make, (*given, _), *state = reduced
                return make, (*given, value.__closure__), *state  # cells that it shares with other functions
            return without_number(value, reduced) if isinstance(value, type) and is_made(reduced) else reduced

    return Packer


def is_made(reduced: Any) -> bool:
    """Return whether a class is reduced to what it is made of, and not to its name."""
    return isinstance(reduced, tuple) and reduced[0].__name__.startswith(CLASS)


def without_number(value: type, reduced: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return how a class is made, without the number by which cloudpickle would find it again in the same process."""
    make, (*given, _, more), state, items, entries, fill = reduced
    if issubclass(value, Enum):
        state, fill = (fill, state, {name: vars(member) for name, member in value.__members__.items()}), fill_enum
    return make, (*given, None, more), state, items, entries, fill


def fill_enum(made: Any, state: tuple[Callable[..., Any], Any, Mapping[str, Mapping[str, Any]]]) -> None:
    """Fill an Enum, with its aliases, and its members, which may have attributes of their own."""
    fill, of_class, of_members = state
    fill(made, of_class)
    for name, members in of_members.items():
        vars(made._member_map_.setdefault(name, getattr(made, name))).update(members)


def content_of(cell: CellType) -> tuple[Any, ...]:
    """Return the content of a cell; nothing if it is empty."""
    try:
        return (cell.cell_contents,)
    except ValueError:
        return ()


def fill_cell(cell: CellType, content: tuple[Any, ...]) -> None:
    for value in content:
        cell.cell_contents = value


def code_of_file(file: str, *parts: Any) -> CodeType:
    """Return a code made of its parts, with the name of its file."""
    return CodeType(*parts).replace(co_filename=file)


def cached(parameters: Mapping[str, Any], function: Callable[..., Any]) -> Any:
    """Return a function with a cache of its own."""
    return lru_cache(**parameters)(function)


def unpickled(data: bytes, module: dict[str, Any]) -> Any:
    """Return what was pickled, in its module: there its classes and functions are found by their names, so that a
    strategy can pickle its objects."""
    made = list[Any]()

    class Unpacker(pickle.Unpickler):
        def find_class(self, name: str, attribute: str) -> Any:
            loaded = super().find_class(name, attribute)
            if not attribute.startswith((CLASS, "_make_function")):
                return loaded

            def make(*given: Any) -> Any:
                made.append(loaded(*given))
                return made[-1]

            return make

    kept, tempfile.tempdir = tempfile.tempdir, "/"  # dill asks for it when it loads, and a sandbox has none
    try:
        thing = Unpacker(BytesIO(data)).load()
    finally:
        tempfile.tempdir = kept
    known = {item.__qualname__: item for item in made if item.__module__ == "__main__"}
    for item in known.values():
        item.__module__ = module["__name__"]

    def find(name: str) -> Any:
        if name not in known:
            raise AttributeError(f"module {module['__name__']!r} has no attribute {name!r}")
        return known[name]

    module["__getattr__"] = find
    return thing
