"""The games, a file each.  A game's id is its file's name with hyphens: `draw-poker` is draw_poker.py."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ..errors import UnknownGameError, did_you_mean
from ..table import Deal


def names() -> list[str]:
    """The ids of all games."""
    return sorted(module.name.replace("_", "-") for module in iter_modules(__path__))


@cache
def find(name: str) -> type[Deal]:
    """The game of this id; UnknownGameError if there is none."""
    if name not in names():
        raise UnknownGameError(f"no game {name!r}{did_you_mean(name, names())}; `roundsim games` lists them")
    module = import_module(f"{__name__}.{name.replace('-', '_')}")
    return next(
        thing
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, Deal) and vars(thing).get("id") == name
    )
