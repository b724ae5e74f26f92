"""The files that sandboxed code may read: its own, the system's and ours, but not their neighbours."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from glob import glob
from importlib.util import find_spec
from pathlib import Path

from ..base.files import real
from ..base.finding import folder_of

PACKAGES = "roundsim", "roundsim_claims", "roundsim_strategies"


def folders_between(own: Sequence[Path]) -> set[Path]:
    """Return the folders from a source down to its data, which are listed when its files are hashed; its own if it
    names modules, which are looked up there."""
    top = folder_of(own[0]) if own else Path()
    imports = any(path.suffix == ".py" for path in own[1:])
    folders = {folder for path in own for folder in path.parents if folder.is_relative_to(top)}
    return folders if imports else folders - {top}


def shared_paths(hidden: Iterable[str | Path]) -> list[str]:
    """Return the files that all guests read: the system, ours, and the folders of modules, if they are the
    interpreter's or hide nothing."""
    secret = [real(folder) for folder in (".", *hidden)]
    modules = [Path(path).absolute() for path in sys.path if path]
    inner = [path for path in modules if any(path.is_relative_to(folder) for folder in (sys.prefix, sys.base_prefix))]
    outer = [path for path in modules if not any(folder.is_relative_to(real(path)) for folder in secret)]
    whole = [folder for path in (*map(Path, system_paths()), *inner) for folder in visible_parts(path, secret)]
    return [*map(str, whole), *packages(), *map(str, outer)]


def visible_parts(path: Path, secret: Sequence[Path], above: Sequence[Path] = ()) -> Iterator[Path]:
    """Yield a path, or those parts of it that do not lead to anything hidden.

    `above`: the real folders through which the path was reached; a link back to one, as /usr/bin/X11, shows nothing
    new."""
    place = real(path)
    if not any(hidden.is_relative_to(place) for hidden in secret):
        yield path
    elif place not in (*secret, *above) and os.path.isdir(place):
        for inner in path.iterdir():
            yield from visible_parts(inner, secret, [*above, place])


@cache
def packages() -> tuple[str, ...]:
    """Return the folders of our packages."""
    specs = [find_spec(name) for name in PACKAGES]
    return tuple(place for spec in specs if spec for place in spec.submodule_search_locations or ())


def outermost(paths: Iterable[str]) -> list[str]:
    """Return those paths that exist and do not lie in another."""
    kept = list[str]()
    for path in sorted({path for path in paths if os.path.exists(path)}, key=lambda path: path.split("/")):
        if not kept or not path.startswith(kept[-1].rstrip("/") + "/"):
            kept.append(path)
    return kept


@cache
def system_paths() -> tuple[str, ...]:
    """Return the files that every guest may read: the system's programs and libraries, and this interpreter."""
    paths = ["/usr", "/bin", *(f"/lib{bits}" for bits in ("", "32", "64", "x32"))]
    paths += ["/etc/ld.so.cache", "/etc/alternatives"]  # where libraries and programs lie
    paths += glob("/etc/java*")  # settings without which Java does not start
    paths += [sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix]
    paths += [os.path.join(sys.prefix, "pyvenv.cfg")]
    program = Path(sys.executable)
    while program.is_symlink():
        paths.append(str(program.parent))
        program = program.parent / program.readlink()
    return tuple(dict.fromkeys(os.path.abspath(path) for path in [*paths, str(program.parent)] if os.path.exists(path)))
