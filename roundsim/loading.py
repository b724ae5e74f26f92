"""Loading other people's modules by their path: strategies and games.  They are ordinary Python files, or packages."""

from __future__ import annotations

import ast
import hashlib
import io
import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import extract_tb
from types import ModuleType

from .errors import DeclarationError, PluginError, StrategyError, exception_words

LOADING = 30  # seconds for a module
OURS = str(Path(__file__).parent)


def is_path(text: str) -> bool:
    """Whether this names a file or a folder, and no installed module: it has a slash, or ends in .py."""
    return text.endswith(".py") or "/" in text or text in (".", "..")


def module_file(module: str) -> Path:
    """The file of an installed module, or its folder."""
    try:
        spec = find_spec(module)
    except (ImportError, ValueError) as error:
        raise StrategyError(f"{module}: {error}") from None
    if spec is None or not spec.origin or not spec.has_location:
        raise StrategyError(f"no strategy and no module {module!r}; paths are written with a slash or end in .py")
    return Path(spec.origin).parent if Path(spec.origin).name == "__init__.py" else Path(spec.origin)


def sources_in(path: Path) -> Iterator[Path]:
    """The strategy sources at a path: a file, a package with code of its own, or each of these in a folder."""
    if path.is_file() or is_package(path):
        yield path
    elif path.is_dir():
        for inner in sorted(path.iterdir()):
            if inner.name[0] not in "._" and (
                inner.suffix == ".py" and not inner.name.startswith("test_") or is_package(inner)
            ):
                yield inner


def is_package(path: Path) -> bool:
    """A folder whose `__init__.py` has code is one strategy source of several files."""
    start = path / "__init__.py"
    if not path.is_dir() or not start.is_file():
        return False
    try:
        return any(not isinstance(node, ast.Expr) for node in ast.parse(start.read_bytes()).body)
    except (SyntaxError, ValueError):  # it will be told when it is loaded
        return True


def sha256(path: Path) -> str:
    """Of a file's bytes; of a package, of all its modules with their names."""
    if path.is_file():
        return hashlib.sha256(path.read_bytes()).hexdigest()
    whole = hashlib.sha256()
    for file in sorted(path.rglob("*.py")):
        whole.update(f"{file.relative_to(path).as_posix()}\0{file.stat().st_size}\0".encode() + file.read_bytes())
    return whole.hexdigest()


prints = False  # whether what strategies print is shown
_loaded: dict[Path, tuple[str, ModuleType]] = {}


@contextmanager
def not_for_ever() -> Iterator[None]:
    """A module has half a minute to be loaded; in a worker, where the clock ticks already, it has been loaded before."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"not loaded within {LOADING} s")

    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGALRM) != signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGALRM, stop)
    signal.alarm(LOADING)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


@contextmanager
def showing_prints() -> Iterator[None]:
    """What a strategy prints while it is loaded is shown."""
    global prints
    before, prints = prints, True
    try:
        yield
    finally:
        prints = before


def forget(paths: Iterable[str]) -> None:
    """Load these anew when they are wanted next, with nothing left of what they remember."""
    for path in paths:
        _loaded.pop(Path(path).resolve(), None)


def module_at(path: Path, sha: str = "") -> ModuleType:
    """The module of a path, loaded under a name of its own; `sha` if that of its source is known."""
    path, sha = path.resolve(), sha or sha256(path)
    if path in _loaded and _loaded[path][0] == sha:
        return _loaded[path][1]
    name = f"roundsim_plugin_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}_{path.stem}"
    for inner in [known for known in sys.modules if known == name or known.startswith(name + ".")]:
        del sys.modules[inner]
    file, folder = (path, None) if path.is_file() else (path / "__init__.py", [str(path)])
    spec = spec_from_file_location(name, file, submodule_search_locations=folder)
    assert isinstance(spec, ModuleSpec) and spec.loader
    module = sys.modules[name] = module_from_spec(spec)
    try:
        with nullcontext() if prints else redirect_stdout(io.StringIO()), not_for_ever():
            spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        if isinstance(error, DeclarationError):  # it says its own line
            raise DeclarationError(str(error).replace(str(path), shown(path))) from None
        raise PluginError(f"{shown(path)} cannot be loaded: {own_lines(error, path)}") from None
    _loaded[path] = sha, module
    return module


def loaded_in(words: str) -> str:
    """The file of somebody else that stands last in a traceback; "" if there is none."""
    found = {words.rfind(f'"{path}'): path for path in _loaded if f'"{path}' in words}
    return shown(found[max(found)]) if found else ""


def own_lines(error: BaseException, path: Path) -> str:
    """What a plugin raised, with those lines of the traceback that are its own."""
    root = str(path if path.is_dir() else path.parent)
    lines = [
        f"\n  {shown(Path(frame.filename))}:{frame.lineno} in {frame.name}: {frame.line}"
        for frame in extract_tb(error.__traceback__)
        if frame.filename.startswith(root + os.sep) and not frame.filename.startswith(OURS + os.sep)
    ]
    if isinstance(error, SyntaxError) and error.lineno:
        lines.append(f"\n  {shown(Path(error.filename or path))}:{error.lineno}: {(error.text or '').strip()}")
    return exception_words(error) + "".join(lines[-10:])


def shown(path: Path) -> str:
    """A path as its reader would write it."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)
