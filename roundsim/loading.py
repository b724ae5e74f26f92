"""Loading other people's modules by their path: strategies and games.  They are ordinary Python files, or packages."""

from __future__ import annotations

import ast
import hashlib
import io
import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout, suppress
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import extract_tb
from types import ModuleType

from .errors import DeclarationError, PluginError, StrategyError, did_you_mean, exception_words

LOADING = 30  # seconds for a module
PLUGIN = "roundsim_plugin_"  # begins the names of their modules
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
    """Of a file's bytes; of a package, of all its modules with their names; and of the `files` that it names."""
    path, whole = path.resolve(), hashlib.sha256()
    for file in modules_of(path):
        name = f"{file.relative_to(path).as_posix()}\0{file.stat().st_size}\0" if file != path else ""
        whole.update(name.encode() + file.read_bytes())
    for file in files_of(path):
        stat = file.stat()
        digest = digest_of(file, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino)
        whole.update(os.fsencode(f"{file.relative_to(folder_of(path)).as_posix()}\0{digest}\0"))
    return whole.hexdigest()


@cache
def digest_of(file: Path, *_stat: int) -> str:
    """The sha256 of a file, which is read once while its size, times and inode stay the same."""
    with file.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


def modules_of(path: Path) -> list[Path]:
    """The modules of a strategy source."""
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


def folder_of(path: Path) -> Path:
    """The folder in which the files of a strategy source are named."""
    return path if path.is_dir() else path.parent


def files_of(path: Path) -> list[Path]:
    """The files that a strategy source names, `files = ["policy.npz"]`, read without executing it.  PluginError."""
    module, found = path / "__init__.py" if path.is_dir() else path, set[Path]()
    try:
        source = module.read_bytes()
        body = ast.parse(source).body if b"files" in source else []
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):  # it will be told when it is loaded
        return []
    for node in body:
        match node:
            case (
                ast.Assign(targets=[ast.Name("files")], value=ast.expr() as value)
                | ast.AnnAssign(target=ast.Name("files"), value=ast.expr() as value)
                | ast.AugAssign(target=ast.Name("files"), value=ast.expr() as value)
            ):
                where = f"{shown(module)}:{node.lineno}: files"
                found.update(file for name in names_in(value, where) for file in files_at(folder_of(path), name, where))
    return sorted(found)


def names_in(value: ast.expr, where: str) -> Sequence[str]:
    """The texts of a list that is written out."""
    with suppress(ValueError, TypeError):
        names = ast.literal_eval(value)
        if isinstance(names, list | tuple) and all(isinstance(name, str) for name in names):
            return names
    raise PluginError(f'{where} must be a list of file names, written out: files = ["policy.npz"]')


def files_at(folder: Path, name: str, where: str) -> list[Path]:
    """The file of this name, or all in the folder of this name but bytecode, which comes and goes."""
    path, parts = folder / name, Path(name).parts
    if not parts or ".." in parts or Path(name).is_absolute():
        raise PluginError(f"{where} names {name!r}: it must lie in the folder of the module, and be named from there")
    if os.path.isdir(path):
        return [file for file in path.rglob("*") if file.is_file() and file.suffix != ".pyc"]
    if not os.path.isfile(path):
        there = [each.relative_to(folder).as_posix() for each in (*folder.glob("*"), *folder.glob("*/*"))]
        raise PluginError(f"{where} names {name!r}: no regular file beside the module{did_you_mean(name, there)}")
    return [path]


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


def module_name(path: Path) -> str:
    """The name of its own under which the module of a path is loaded."""
    return f"{PLUGIN}{hashlib.sha256(str(path).encode()).hexdigest()[:12]}_{path.stem}"


def module_at(path: Path, sha: str = "") -> ModuleType:
    """The module of a path, loaded under a name of its own; `sha` if that of its source is known."""
    path, sha = path.resolve(), sha or sha256(path)
    if path in _loaded and _loaded[path][0] == sha:
        return _loaded[path][1]
    name = module_name(path)
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
