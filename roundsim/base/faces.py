"""The modules whose names are promised, and what becomes of imports from anywhere else.

A face hands names of inner modules on. Most are lazy: its stub says where each name is, and a name loads its module when
it is first asked for. Imports from modules that have moved keep working for one version."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import ModuleType
from typing import Any, cast

MOVED = {  # modules that docs and examples named, with the face of their names; until the next minor version
    "roundsim.errors": ("roundsim.base.errors", "roundsim"),
    "roundsim.library": ("roundsim.api", "roundsim"),
    "roundsim.toolkit": ("roundsim.strategy", "roundsim.strategy"),
    "roundsim.toys": ("roundsim.bridges.toys", "roundsim.bridges.toys"),
    "roundsim.values": ("roundsim.base.values", "roundsim.game"),
    "roundsim.words": ("roundsim.base.text", "roundsim.game"),
}


def lazy(name: str, file: str) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Return the `__getattr__`, `__dir__` and `__all__` of a face, whose stub says where each name is.

    Arguments: `name` and `file` of the module, `__name__` and `__file__`. A line of the stub is `from .table.cards import
    PACK as PACK`. OSError if there is no stub."""
    face = sys.modules[name]
    package, loader = face.__spec__.parent if face.__spec__ else "", face.__loader__
    stub: bytes = cast(SourceFileLoader, loader).get_data(f"{file.rpartition('.')[0]}.pyi")  # in an archive, too
    places = places_in(stub.decode())

    def load(wanted: str) -> object:
        if f"{name}.{wanted}" in MOVED:
            return import_module(f"{name}.{wanted}")
        if wanted not in places:
            raise AttributeError(f"module {name!r} has no attribute {wanted!r}")
        module, inner = places[wanted]
        thing: object = getattr(import_module(module, package), inner)
        setattr(face, wanted, thing)
        return thing

    return load, lambda: sorted({*vars(face), *places}), sorted(places)


def places_in(stub: str) -> dict[str, tuple[str, str]]:
    """Return by name the module from which a face has it, ".table.cards", and its name there."""
    lines = [line.split() for line in stub.splitlines() if line.startswith("from .")]
    return {shown: (module, inner) for _, module, _, inner, _, shown in lines}


class Relocated:
    """Finds the module that has taken the place of one that docs and examples named, and warns."""

    def __init__(self, place: str) -> None:
        self.place = place

    @classmethod
    def find_spec(cls, name: str, path: object = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return how a module that has moved is imported; None for any other."""
        old = next((module for module in MOVED if f"{name}.".startswith(f"{module}.")), "")
        if not old:
            return None
        place, face = MOVED[old]
        warnings.warn(f"{name} has moved: import from {face}", DeprecationWarning, stacklevel=2)
        return ModuleSpec(name, cast(Any, cls(place + name[len(old) :])))

    def create_module(self, spec: ModuleSpec) -> None:
        """Python's own: it is replaced."""

    def exec_module(self, module: ModuleType) -> None:
        """Put the module at the new place under the old name."""
        sys.modules[module.__name__] = import_module(self.place)
