"""A check of a strategy's methods against the contract: their arguments, and their names."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from ..sources.describing import takes
from ..table.deal import Deal

ALIKE = 0.75  # of two names that may be one misspelt
CALLBACKS = {"begin": ("view",), "settled": ("view", "net")}
WORDS = {("view",): "one argument, view", ("view", "net"): "two arguments, view and net"}


def phases_of(game: type[Deal]) -> dict[str, str]:
    """Return a game's phases by the methods that answer them."""
    return {phase.replace("-", "_"): phase for phase in game.phases}


def misfits(thing: Callable[..., Any], games: Sequence[type[Deal]]) -> Iterator[str]:
    """Yield the methods that cannot be called as they will be: 'act takes one argument, view: ...'."""
    if isinstance(thing, FunctionType):
        yield from misfit("act", thing, ("view",), ())
        return
    answers = dict.fromkeys([*(method for game in games for method in phases_of(game)), "act"], ("view",))
    for name, given in {**answers, **CALLBACKS}.items():
        yield from misfit(name, inspect.getattr_static(thing, name, None), given, ("self",))


def misfit(name: str, method: Any, given: tuple[str, ...], own: tuple[str, ...]) -> Iterator[str]:
    """Yield what is wrong with a plain function that does not take these arguments; other callables are tested in
    play."""
    if isinstance(method, FunctionType) and not takes(method, *own, *given):
        there = f"{method.__name__}({', '.join(inspect.signature(method).parameters)})"
        place = f"{Path(method.__code__.co_filename).name}:{method.__code__.co_firstlineno}"
        yield f"{name} takes {WORDS[given]}: def {name}({', '.join((*own, *given))}), not def {there}, at {place}"


def misspelt_phases(thing: Callable[..., Any], game: type[Deal], known: Sequence[type[Deal]]) -> Iterator[str]:
    """Yield what may be wrong with the phases of a game that a class has no method for. `known`: all games that it
    plays."""
    if not isinstance(thing, type):
        return
    missing = {method: phase for method, phase in phases_of(game).items() if not hasattr(thing, method)}
    if missing and not hasattr(thing, "act"):
        yield f"played at random: {', '.join(missing.values())}"
    taken = {"act", *CALLBACKS, *(method for other in known for method in phases_of(other))}
    own = {
        name: made for parent in thing.__mro__ for name, made in vars(parent).items() if isinstance(made, FunctionType)
    }
    taken |= {name for made in own.values() for name in names_used(made.__code__)}  # what it calls itself is no phase
    asked = {name for name, made in own.items() if name[0] != "_" and takes(made, "self", "view")} - taken
    lower = {name.lower(): name for name in sorted(asked)}
    for method, phase in missing.items():
        for close in get_close_matches(method, lower, n=1, cutoff=ALIKE):
            yield f"phase `{phase}` is the method `{method}`; there is `{lower[close]}`"


def names_used(code: CodeType) -> Iterator[str]:
    """Yield the names in a function, including those in its inner functions."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from names_used(inner)
