"""The native module, where it could be built: what is defined in Python with `@native` is played by it.

The definitions in Python say what holds; the native ones do the same faster, and leave to them whatever is unusual.
ROUNDSIM_NATIVE=off does without. A changed source plays in Python until the module is built again: all of it where C has
changed, what a Python module defines where that has."""

from __future__ import annotations

import os
import sys
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

T = TypeVar("T")
VARIABLE = "ROUNDSIM_NATIVE"
PACKAGE = Path(__file__).parents[1]


def load_core() -> tuple[ModuleType | None, str]:
    """Return the native module, if it is to play; or why there is none."""
    if os.environ.get(VARIABLE) == "off":
        return None, f"{VARIABLE}=off"
    try:
        core = import_module("roundsim.native._core")
    except ImportError:
        return None, "no native module was built, for which a C compiler is needed"
    sources = sorted(Path(__file__).parent.glob("*.c"))
    digest = sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
    if sources and digest != core.SOURCE:
        return None, "its C sources have changed since the native module was built"
    return core, ""


CORE, LACKING = load_core()
BUILT: dict[str, str] = dict(pair.split("=") for pair in CORE.DEFINITIONS.split()) if CORE else {}  # file -> digest


def native(thing: T) -> T:
    """Replace a function, a method or a class by the native version of the same name, if it was built."""
    name, module = cast(Any, thing).__qualname__, cast(Any, thing).__module__
    instead: T | None = getattr(CORE, name, None)
    if CORE is None or instead is None or not is_built(sys.modules[module].__file__ or ""):
        return thing
    CORE.defined(name, thing)
    return instead


@cache
def is_built(file: str) -> bool:
    """Whether the native module was built of the definitions in this file, or there is no such file to have changed."""
    try:
        source = Path(file).read_bytes()
    except OSError:
        return True
    return BUILT.get(Path(file).relative_to(PACKAGE).as_posix()) == sha256(source).hexdigest()


def describe_build() -> str:
    """Return how this installation plays, in words."""
    if not CORE:
        return f"plain Python: {LACKING}"
    changed = [file for file in BUILT if not is_built(str(PACKAGE / file))]
    return f"native, except for files changed since it was built: {', '.join(changed)}" if changed else "native"
