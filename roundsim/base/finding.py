"""Finding third-party sources by their path: strategies, games and formats. Nothing of them is executed.

They are ordinary Python files, or packages."""

from __future__ import annotations

import ast
import hashlib
import io
import os
import sys
import tokenize
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from . import files
from .errors import PluginError, StrategyError, did_you_mean
from .faces import MOVED
from .files import irregularity, real

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

NO_CODE = {tokenize.ENCODING, tokenize.COMMENT, tokenize.NL, tokenize.STRING, tokenize.NEWLINE, tokenize.ENDMARKER}
SESSION = ".session"  # ends the names of sources that hold a class or function of a session
sealed = set[Path]()  # those of this process


def is_path(text: str) -> bool:
    """Return whether this names a file or a folder, and no installed module: it has a slash, or ends in .py."""
    return text.endswith(".py") or "/" in text or text in (".", "..")


def path_in(text: str, folder: Path) -> str:
    """Return the longest start of a text that is an existing path; "" if there is none. It ends with the text, or before
    a colon or a bracket, because the name of a file may have these too."""
    ends = [at for at, character in enumerate(text) if character in ":("]
    for start in (text[:end] for end in (len(text), *reversed(ends))):
        if is_path(start) and os.path.lexists(folder / os.path.expanduser(start)):
            return start
    return ""


def split_attribute(text: str) -> tuple[str, str]:
    """Return the path or the module of `old_maid.py:OldMaid`, and the class, "" if none is named."""
    place = path_in(text, Path()) or text.partition(":")[0]
    return place, text[len(place) + 1 :]


def entry_points(group: str) -> list[tuple[str, str]]:
    """Return the entry points of installed packages in a group, by name: their names, and what they refer to."""
    places = [place for place in map(os.path.abspath, sys.path) if os.path.exists(place)]
    points = entry_points_at(*[(place, os.stat(place).st_mtime_ns) for place in places])(group=group)
    return sorted([(point.name, point.value) for point in points], key=lambda point: point[0])


@cache
def entry_points_at(*places: tuple[str, int]) -> Callable[..., Iterable[EntryPoint]]:
    """Return what selects entry points where Python looks for modules, as long as nothing else is installed."""
    from importlib import metadata  # half of what a guest would have to load

    return metadata.entry_points().select


def module_file(module: str) -> Path:
    """Return the file of an installed module, or its folder. Neither the module nor its packages are executed."""
    top, *inner = MOVED.get(module, (module,))[0].split(".")
    try:
        spec = find_spec(top)
    except (ImportError, ValueError) as error:
        raise StrategyError(f"{module}: {error}") from None
    places = [Path(place).joinpath(*inner) for place in spec.submodule_search_locations or ()] if spec else []
    if spec and spec.has_location and not inner and not places:
        places = [Path(spec.origin or "")]
    for path in [candidate for place in places for candidate in (place, place.with_name(f"{place.name}.py"))]:
        if path.suffix == ".py" and path.is_file() or (path / "__init__.py").is_file():
            return path
    raise StrategyError(f"no strategy and no module {module!r}; paths are written with a slash or end in .py")


def sources_in(path: Path) -> Iterator[Path]:
    """Yield the strategy sources at a path: a file, a package with its own code, or each of these in a folder.
    PluginError for a folder that cannot be read."""
    if path.suffix == ".py" and not os.path.isdir(path) or is_package(path) or path in sealed:
        yield path
    elif os.path.isdir(path):
        for inner in list_folder(path):
            if is_package(inner) or is_module(inner) and not inner.name.startswith("test_"):
                yield inner


def list_folder(folder: Path) -> list[Path]:
    """Return the paths in a folder of strategies, without hidden or private ones. PluginError if it cannot be read."""
    try:
        return sorted(entry for entry in folder.iterdir() if entry.name[0] not in "._")
    except OSError as error:
        raise unread(folder, error) from None


def is_module(path: Path) -> bool:
    """Return whether this is named as a module is, and no folder."""
    return path.name.endswith(".py") and not os.path.isdir(path)


def unread(path: Path, error: OSError) -> PluginError:
    """Return the error for a source that cannot be read: the source itself, or a file in it."""
    file = Path(error.filename or path)
    return PluginError(f"{display_path(path if file == real(path) else file)} cannot be loaded: {error.strerror}")


def is_package(path: Path) -> bool:
    """Return whether a folder is one strategy source of several files: its `__init__.py` has code."""
    start = path / "__init__.py"
    if not os.path.isfile(start):
        return False
    try:
        source = files.read_regular_file(start, files.MODULE)
        return any(token.type not in NO_CODE for token in tokenize.tokenize(io.BytesIO(source).readline))
    except (OSError, SyntaxError, tokenize.TokenError):  # the error is shown when it is loaded
        return True


def sha256(path: Path) -> str:
    """Return the sha256 of a file's bytes, with the `files` that it names; for a package, of all its modules with their
    names. A strategy of a session contains its own.

    PluginError if one cannot be read, or is not the source's own (see `modules_of`, `files_of`)."""
    called, path, whole = path, real(path), hashlib.sha256()
    try:
        if path.suffix == SESSION and os.path.isfile(path):
            return source_text(path, *stamp(path)).split(None, 4)[3].decode()
        for file in modules_of(path):
            source = source_text(file, *stamp(file))
            name = f"{file.relative_to(path).as_posix()}\0{len(source)}\0" if file != path else ""
            whole.update(name.encode(errors="surrogateescape") + source)
        for file in files_of(path):
            digest = digest_of(file, *stamp(file))
            whole.update(os.fsencode(f"{file.relative_to(folder_of(path)).as_posix()}\0{digest}\0"))
    except OSError as error:
        raise unread(called, error) from None
    return whole.hexdigest()


def stamp(file: Path) -> tuple[int, ...]:
    """Return the size, times and inode of a file, which show whether it is the same."""
    stat = file.stat()
    return stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino


@cache
def source_text(module: Path, *_stamp: int) -> bytes:
    """Return the source of a module, which is read once while it is the same."""
    return files.read_regular_file(module, files.MODULE)


@cache
def digest_of(file: Path, *_stamp: int) -> str:
    """Return the sha256 of a file, which is read once while it is the same."""
    with files.opened(file, files.DATA) as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


def modules_of(path: Path) -> list[Path]:
    """Return the modules of a strategy source: itself, or those of a package. PluginError if one of a package is not a
    regular file within it, or if they are too many or too large."""
    if not os.path.isdir(path):
        return [path]
    try:
        modules, home = sorted(islice(filter(is_module, files.below(path)), files.MANY + 1)), real(path)
        for module in modules:
            if wrong := irregularity(module, home):
                raise PluginError(f"{display_path(module)} cannot be loaded: {wrong}")
        files.check_totals(modules, files.MODULES, path, "its modules")
    except OSError as error:
        raise unread(path, error) from None
    return modules


def folder_of(path: Path) -> Path:
    """Return the folder in which the files of a strategy source are named."""
    return path if os.path.isdir(path) else path.parent


def files_of(path: Path) -> list[Path]:
    """Return the files that a strategy source names, `files = ["policy.npz"]`, read without executing it. PluginError
    if one is not a regular file within the source's folder, or if they are too many or too large."""
    module, modules = path / "__init__.py" if os.path.isdir(path) else path, set[Path]()
    try:
        source = source_text(module, *stamp(module))
    except OSError:  # the error is shown when it is loaded
        return []
    for name, where in named_in(source, display_path(module)):
        modules.update(files_at(folder_of(path), name, where))
    within_limit(modules, path)
    return sorted(modules)


def within_limit(paths: Iterable[Path], path: Path) -> None:
    """Raise PluginError if the files that a source or a bot names are too many, or too large."""
    try:
        files.check_totals(paths, files.DATA, path, "the files that it names")
    except OSError as error:
        raise unread(path, error) from None


def named_in(source: bytes, module: str) -> Iterator[tuple[str, str]]:
    """Yield the files that a module's source names, each with the place where it does. PluginError."""
    for value, line in set_in(source, "files"):
        where = f"{module}:{line}: files"
        yield from [(name, where) for name in texts_in_list(value, where)]


def threads_in(path: Path) -> bool:
    """Return whether a strategy source declares that it starts threads, `threads = True`, read without executing it.
    PluginError if it sets `threads` to anything else."""
    module = path / "__init__.py" if os.path.isdir(path) else path
    try:
        values = list(set_in(source_text(module, *stamp(module)), "threads"))
    except OSError:  # the error is shown when it is loaded
        return False
    for value, line in values:
        if not isinstance(value, ast.Constant) or value.value is not True:
            raise PluginError(f"{display_path(module)}:{line}: threads must be True, written out: threads = True")
    return bool(values)


def set_in(source: bytes, name: str) -> Iterator[tuple[ast.expr, int]]:
    """Yield the values that a module's source assigns to a name at its top level, each with the line."""
    try:
        body = ast.parse(source).body if name.encode() in source else []
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # shown when it is loaded
        return
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id)], value=ast.expr() as value) | (
                ast.AnnAssign(target=ast.Name(id), value=ast.expr() as value)
                | ast.AugAssign(target=ast.Name(id), value=ast.expr() as value)
            ) if id == name:
                yield value, node.lineno


def texts_in_list(value: ast.expr, where: str) -> Sequence[str]:
    """Return the texts of a list that is written out."""
    with suppress(ValueError, TypeError):
        names = ast.literal_eval(value)
        if isinstance(names, list | tuple) and all(isinstance(name, str) for name in names):
            return names
    raise PluginError(f'{where} must be a list of file names, written out: files = ["policy.npz"]')


def files_at(folder: Path, name: str, where: str, near_what: str = "the module") -> list[Path]:
    """Return the file of this name, or all in the folder of this name except bytecode, which comes and goes.
    PluginError, which begins with `where`, if one is not a regular file within the folder."""
    path, parts, home = folder / name, Path(name).parts, real(folder)
    if not parts or ".." in parts or Path(name).is_absolute():
        raise PluginError(f"{where} names {name!r}: it must lie in the folder of {near_what}, and be named from there")
    if not os.path.lexists(path):
        near = [other for other in (*folder.glob("*"), *folder.glob("*/*")) if not irregularity(other, home)]
        close = did_you_mean(name, [other.relative_to(folder).as_posix() for other in near])
        raise PluginError(f"{where} names {name!r}: no regular file next to {near_what}{close}")
    paths = [path]
    if os.path.isdir(path) and real(path).is_relative_to(home):
        try:
            paths = [*islice(filter(is_data, files.below(path)), files.MANY + 1)]
        except OSError as error:
            raise PluginError(
                f"{where} names {name!r}: {display_path(Path(error.filename))}: {error.strerror}"
            ) from None
    for file in paths:
        if wrong := irregularity(file, home):
            raise PluginError(f"{where} names {file.relative_to(folder).as_posix()!r}: {wrong}")
    return paths


def is_data(path: Path) -> bool:
    """Return whether a path in a folder among `files` is one of them: no bytecode, no link to a folder."""
    return path.suffix != ".pyc" and not os.path.isdir(path)


def display_path(path: Path) -> str:
    """Return a path as its reader would write it: without links in its folder, it itself as it is called."""
    try:
        whole = Path(os.path.abspath(path))
        return str((real(whole.parent) / whole.name).relative_to(Path.cwd()))
    except (ValueError, FileNotFoundError):  # the current folder may be gone
        return str(path)
