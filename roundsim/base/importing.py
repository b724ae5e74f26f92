"""Importing third-party modules by their path, each copy under a name of its own and within a time limit."""

from __future__ import annotations

import hashlib
import io
import math
import os
import resource
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from time import monotonic, process_time
from traceback import extract_tb
from types import CodeType, ModuleType
from typing import Any

from .errors import DeclarationError, GivenUpError, PluginError, exception_words
from .files import real
from .finding import display_path, folder_of, sha256
from .promised import warn_of_inner_imports

LOAD_SECONDS: float = 30  # seconds for a module
TICKS = 30  # looks at the clock in that time
PLUGIN = "roundsim_plugin_"  # begins the names of their modules
PACKAGE_FOLDER = str(Path(__file__).parent.parent)
prints = False  # whether what strategies print is shown
_loaded: dict[tuple[Path, int], tuple[str, ModuleType]] = {}  # by path and seat
_codes: dict[str, tuple[str, bytes | None, CodeType | None]] = {}  # of files: the sha256 of the source, bytes, code


class LateError(Exception):
    """A module is not loaded in time."""

    def __init__(self) -> None:
        super().__init__(f"not loaded within {LOAD_SECONDS:g} s")


class Awake:
    """The wall clock of this thread, which stops while the thread waits for a processor on a busy machine.

    It is read a few times a second. Between two readings the whole time counts if the thread has gone to sleep by
    itself; otherwise only its CPU time."""

    def __init__(self) -> None:
        self.state = 0.0, monotonic(), process_time(), sleeps()

    def look(self) -> float:
        """Return the seconds so far. A tick may interrupt it to read too, so the state is read and written as a
        whole."""
        seconds, seen_before, cpu_before, slept_before = self.state
        seen, cpu, slept = monotonic(), process_time(), sleeps()
        passed = seen - seen_before
        seconds += passed if slept != slept_before else min(passed, max(cpu - cpu_before, 0))
        self.state = seconds, seen, cpu, slept
        return seconds


def sleeps() -> int:
    """Return how often this thread has gone to sleep by itself."""
    return resource.getrusage(getattr(resource, "RUSAGE_THREAD", resource.RUSAGE_SELF)).ru_nvcsw


waking_clock = Awake()
due: float | None = None  # when the module that is being loaded is late
ticking = False  # a clock calls `look` all the while


def check_load_time(*_: object) -> None:
    """Raise LateError if a module has not been loaded in time."""
    if due is not None and waking_clock.look() >= due:
        raise LateError


@contextmanager
def not_for_ever() -> Iterator[None]:
    """Allow a module half a minute to load, where a clock ticks."""
    global due
    with nullcontext() if ticking else looking():
        before, due = due, waking_clock.look() + LOAD_SECONDS
        try:
            yield
        finally:
            due = before


@contextmanager
def looking() -> Iterator[None]:
    """Check every second; another clock, if there is one, ticks on."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGALRM)

    ours, (next_tick, tick) = LOAD_SECONDS / TICKS, signal.getitimer(signal.ITIMER_REAL)
    theirs = monotonic() + next_tick if next_tick else math.inf

    def look_too(*given: Any) -> None:
        nonlocal theirs
        check_load_time()
        if callable(before) and monotonic() > theirs - ours / 2:
            theirs = monotonic() + tick if tick else math.inf
            before(*given)

    signal.signal(signal.SIGALRM, look_too)
    signal.setitimer(signal.ITIMER_REAL, min(next_tick or ours, ours), min(tick or ours, ours))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, next_tick, tick)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def showing_prints() -> Iterator[None]:
    """Show what a strategy prints while it is loaded."""
    global prints
    before, prints = prints, True
    try:
        yield
    finally:
        prints = before


def reload_next_time(paths: Iterable[str]) -> None:
    """Load these absolute paths again for every seat that needs them next, with nothing left of what they remember."""
    gone = {*paths}
    for key in [(path, seat) for path, seat in _loaded if seat and str(path) in gone]:
        del _loaded[key]


class OnceCompiled(SourceFileLoader):
    """Executes a module again without compiling it again. It is not read either, if the code of its source is known."""

    sha = ""

    def get_code(self, fullname: str) -> CodeType | None:
        sha, data, code = _codes.get(self.path, ("", None, None))
        if not sha or sha != self.sha:
            before, data = data, self.get_data(self.path)
            if data != before:
                if not self.path.startswith(PACKAGE_FOLDER + os.sep):
                    warn_of_inner_imports(self.path, data)
                code = super().get_code(fullname)
            _codes[self.path] = self.sha, data, code
        return code


class OfPackages:
    """Finds the inner modules of plugins that are packages, so that they are also compiled once."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path) if name.startswith(PLUGIN) else None
        if spec and type(spec.loader) is SourceFileLoader:
            spec.loader = OnceCompiled(name, spec.loader.path)
        return spec


sys.meta_path.insert(0, OfPackages)


def module_name(path: Path, seat: int = 0) -> str:
    """Return the name under which the module of a path is loaded for a seat.

    While code of a copy runs, Python must find that copy by its name, for pickle, dataclasses and type hints. So copies
    that live at the same time have different seats: 0 is the module as it was found, of a game for example; players at
    a table have 1 and more; RIVAL_SEAT and GUIDE_SEAT begin those of others who answer at the same time."""
    return f"{module_prefixes(path)}{seat:03x}_{path.stem.replace('.', '_')}"  # a dot would make it a submodule


@cache
def module_prefixes(path: Path) -> str:
    """Return how the names begin under which the module of a path is loaded."""
    return f"{PLUGIN}{hashlib.sha256(os.fsencode(path)).hexdigest()[:9]}"


@cache
def module_spec(path: Path, seat: int) -> ModuleSpec:
    """Return the spec of the module of a path, for a seat."""
    name = module_name(path, seat)
    file, folder = (path, None) if os.path.isfile(path) else (path / "__init__.py", [str(path)])
    loader = OnceCompiled(name, str(file))
    spec = spec_from_file_location(name, file, loader=loader, submodule_search_locations=folder)
    assert spec
    return spec


def module_at(path: Path, sha: str = "", seat: int = 0) -> ModuleType:
    """Load the module of a path for a seat, under its name; `sha` if that of its source is known."""
    path, sha = path if path.is_absolute() else real(path), sha or sha256(path)
    if (known := _loaded.get((path, seat))) and known[0] == sha:
        return known[1]
    spec = module_spec(path, seat)
    name, loader = spec.name, spec.loader
    assert isinstance(loader, OnceCompiled)
    loader.sha = sha
    if spec.submodule_search_locations:
        for inner in [known for known in sys.modules if known.startswith(name + ".")]:
            del sys.modules[inner]
    module = sys.modules[name] = module_from_spec(spec)
    try:
        with nullcontext() if prints else redirect_stdout(io.StringIO()), not_for_ever():
            loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt | GivenUpError):
            raise
        if isinstance(error, DeclarationError):  # it says its own line
            raise DeclarationError(str(error).replace(str(path), display_path(path))) from None
        raise PluginError(f"{display_path(path)} cannot be loaded: {own_lines(error, path)}") from None
    _loaded[path, seat] = sha, module
    return module


def loaded_in(message: str) -> str:
    """Return the last third-party file in a traceback; "" if there is none."""
    paths = {message.rfind(f'"{path}'): path for path, _ in _loaded if f'"{path}' in message}
    return display_path(paths[max(paths)]) if paths else ""


def own_lines(error: BaseException, path: Path) -> str:
    """Return the exception of a plugin in words, with those lines of the traceback that are its own."""
    root = str(folder_of(path))
    lines = [
        f"\n  {display_path(Path(frame.filename))}:{frame.lineno} in {frame.name}: {frame.line}"
        for frame in extract_tb(error.__traceback__)
        if frame.filename.startswith(root + os.sep) and not frame.filename.startswith(PACKAGE_FOLDER + os.sep)
    ]
    if isinstance(error, SyntaxError) and error.lineno:
        lines.append(f"\n  {display_path(Path(error.filename or path))}:{error.lineno}: {(error.text or '').strip()}")
    return loading_words(error) + "".join(lines[-10:])


def loading_words(error: BaseException) -> str:
    """Return why a module cannot be loaded."""
    if isinstance(error, MemoryError):
        allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
        of = f" of the {allowed >> 20} MB allowed" if allowed != resource.RLIM_INFINITY else ""
        return f"no memory was left{of}"
    return str(error) if isinstance(error, LateError) else exception_words(error)
