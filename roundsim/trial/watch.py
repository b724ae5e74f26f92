"""The accesses of plugins during a trial: clocks, files that are no part of their identity, and objects of the
engine."""

from __future__ import annotations

import datetime
import os
import re
import site
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.util import source_from_cache
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from ..base import finding, importing
from ..base.files import real
from ..sources import plugins
from ..sources.plugins import Strategy

CLOCKS = (
    "time",
    "time_ns",
    "perf_counter",
    "perf_counter_ns",
    "monotonic",
    "monotonic_ns",
    "process_time",
    "process_time_ns",
)
INSTALLED = (
    *map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib")),
    *site.getsitepackages(),
    site.getusersitepackages(),
    importing.PACKAGE_FOLDER,
)
OPENING = (plugins.installed.__code__, plugins.load_strategy.__code__)  # all that is installed, and what has been found


class Reached(NamedTuple):
    """An access by a module of a plugin: a clock or a function of `gc` by its name, a file by its path."""

    module: str
    what: str
    thing: str
    place: str


def watch() -> set[Reached]:
    """Note from now on, until this process ends, what plugins access."""
    seen: set[Reached] = set()
    watch_clocks(seen)
    watch_events(seen)
    return seen


def reached(strategy: Strategy, seen: set[Reached]) -> Iterator[tuple[str, list[str]]]:
    """Yield the accesses of a strategy, in words: clocks, objects through `gc`, and files that it does not name."""
    path = Path(strategy.path)
    folder, name = finding.folder_of(path), importing.module_prefixes(path)
    own = [access for access in sorted(seen) if access.module.startswith(name)]
    yield "clock", [f"reads {access.thing} at {access.place}" for access in own if access.what == "clock"]
    yield (
        "objects",
        [f"looks for objects by {access.thing} at {access.place}" for access in own if access.what == "objects"],
    )
    named = {real(file) for file in (Path(os.devnull), *finding.modules_of(path), *finding.files_of(path))}
    opened: dict[Path, str] = {}
    for file, access in [(Path(access.thing), access) for access in own if access.what == "files"]:
        if file not in named and not is_installed(file, path):
            shown = file.relative_to(folder) if file.is_relative_to(folder) else file
            opened.setdefault(file, f"opens {shown} at {access.place}, which files does not name")
    yield "files", [*opened.values()]


def is_installed(file: Path, path: Path) -> bool:
    """Return whether a file belongs to Python, roundsim or another package, and not to the source at this path."""
    prefixes = [prefix for prefix in (sys.prefix, sys.base_prefix) if not path.is_relative_to(os.path.realpath(prefix))]
    homes = map(os.path.realpath, (*INSTALLED, *prefixes))
    return not file.is_relative_to(path) and (
        file.parent.suffix in (".dist-info", ".egg-info") or any(map(file.is_relative_to, homes))
    )


def note(seen: set[Reached], what: str, thing: str, frames: list[FrameType]) -> None:
    place = f"{Path(frames[0].f_code.co_filename).name}:{frames[0].f_lineno}"
    seen.add(Reached(frames[-1].f_globals["__name__"], what, thing, place))


def note_own(seen: set[Reached], what: str, thing: str, frame: FrameType) -> None:
    """Note an access by this frame, if it is a plugin's. Work of other packages for a plugin does not count."""
    frames = at_work(frame)
    if frames and frames[0] is frame:
        note(seen, what, thing, frames)


def at_work(frame: FrameType | None) -> list[FrameType]:
    """Return the frames of plugins from this one outwards, up to where we open something ourselves."""
    frames = []
    while frame and frame.f_code not in OPENING:
        if str(frame.f_globals.get("__name__")).startswith(importing.PLUGIN):
            frames.append(frame)
        frame = frame.f_back
    return frames


def watch_events(seen: set[Reached]) -> None:
    searched = {*sys.path}  # by code that asks what is installed; an editable install adds names that are no files

    def hear(event: str, arguments: tuple[Any, ...]) -> None:
        if event.startswith("gc."):
            note_own(seen, "objects", event, sys._getframe(1))
            return
        if event != "open" or isinstance(arguments[0], int) or (path := os.fsdecode(arguments[0])) in searched:
            return
        if frames := at_work(sys._getframe(1)):
            note(seen, "files", os.path.realpath(source_at(path)), frames)

    sys.addaudithook(hear)


def source_at(path: str) -> str:
    """Return the module of a file of bytecode, also while it is being written; any other path itself."""
    with suppress(ValueError):
        return source_from_cache(re.sub(r"\.pyc\.\d+$", ".pyc", path))
    return path


def watch_clocks(seen: set[Reached]) -> None:
    def watched(name: str, clock: Callable[[], Any]) -> Callable[[], Any]:
        def read() -> Any:
            note_own(seen, "clock", f"time.{name}", sys._getframe(1))
            return clock()

        return read

    for name in CLOCKS:
        setattr(time, name, watched(name, getattr(time, name)))

    class Datetime(datetime.datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            note_own(seen, "clock", "datetime.now", sys._getframe(1))
            return super().now(tz)

    datetime.datetime = Datetime  # type: ignore[misc]
