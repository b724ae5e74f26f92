"""The native module, where it could be built: what is defined in Python with `@native` is played by it.

The definitions in Python say what holds; the native ones do the same sooner, and hand back to them whatever is not usual.
ROUNDSIM_NATIVE=off does without.  A module that was built of other sources than lie beside it is not used."""

from __future__ import annotations

import os
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

T = TypeVar("T")
VARIABLE = "ROUNDSIM_NATIVE"


def found() -> ModuleType | None:
    """The native module, if it is there and of these sources."""
    if os.environ.get(VARIABLE) == "off":
        return None
    try:
        core = import_module("roundsim.native._core")
    except ImportError:
        return None
    sources = sorted(Path(__file__).parent.glob("*.c"))
    digest = sha256(b"".join(each.read_bytes() for each in sources)).hexdigest()
    return core if not sources or digest == core.SOURCE else None


CORE = found()


def native(thing: T) -> T:
    """What stands for a function, a method or a class: the native one of the same name, if there is any."""
    name = cast(Any, thing).__qualname__
    instead: T | None = getattr(CORE, name, None)
    if CORE is None or instead is None:
        return thing
    CORE.defined(name, thing)
    return instead
