"""The native module, where it could be built: what is defined in Python with `@native` is played by it.

The definitions in Python say what holds; the native ones do the same faster, and leave to them whatever is unusual. A wheel
also has compiled copies of the classes that deals are played with, made by tools/compile_deals.py.

ROUNDSIM_NATIVE=off does without both. A changed source plays in Python until they are built again: all of the native module
where C has changed, what a Python module defines where that has; and every deal where a class of deals has."""

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
DEALS = f"{__name__}.deals"


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
    named = cast(Any, thing)
    name: str = named.__qualname__
    instead: T | None = getattr(CORE, name, None)
    if CORE is None or instead is None or not is_built(sys.modules[named.__module__].__file__ or ""):
        return thing
    CORE.defined(name, thing)
    return instead


@cache
def is_built(file: str) -> bool:
    """Whether the native module was built of the definitions in this file, or there is no such file to have changed."""
    return digest_of_source(file) in (BUILT.get(Path(file).relative_to(PACKAGE).as_posix()), "")


@cache
def digest_of_source(file: str) -> str:
    """Return the sha256 of a source, "" if it is not there."""
    try:
        return sha256(Path(file).read_bytes()).hexdigest()
    except OSError:
        return ""


@cache
def deals_are_built() -> bool:
    """Whether compiled deals are there, made of the same sources: they come with a wheel, see tools/compile_deals.py."""
    try:
        digests: dict[str, str] = import_module(f"{DEALS}.sources").DIGESTS if CORE else {}
    except ImportError:
        return False
    return bool(digests) and all(
        digest_of_source(str(PACKAGE / file)) in (digest, "") for file, digest in digests.items()
    )


def compiled(deal: type[T]) -> type[T]:
    """Return the compiled copy of a class of deals; the class itself if there is none.

    Nobody can listen to a compiled deal, and nothing can be imagined of it."""
    try:
        copies = vars(import_module(copy_name(deal))) if deals_are_built() else {}
    except ImportError:
        return deal
    return cast(type[T], copies[deal.__name__]) if copies.get("Plain") is deal else deal


def copy_name(deal: type[object]) -> str:
    """Return the module of the compiled copy of a class."""
    return f"{DEALS}.{deal.__module__.replace('.', '_')}_{deal.__name__}"


def describe_build() -> str:
    """Return how this installation plays, in words."""
    if not CORE:
        return f"plain Python: {LACKING}"
    changed = [file for file in BUILT if not is_built(str(PACKAGE / file))]
    way = "native, with compiled deals" if deals_are_built() else "native"
    return f"{way}, except for files changed since it was built: {', '.join(changed)}" if changed else way
