"""Strategies that exist only in a session, of a notebook, a REPL or a script: classes and functions, isolated as files
are.

Each becomes a source in a temporary folder: a short module next to a file of pickled bytes, which are unpickled only
where the module is imported. So the engine never reads them, and they are treated like files: sandbox, limits, transfer
to other machines."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

from ..base import finding
from ..base.errors import RoundsimError, StrategyError, exception_words
from .identity import Identity, is_importable
from .packing import pickled, unpickled
from .specs import check_name

StrategyList = Sequence[str | Callable[..., Any]] | Mapping[str, str | Callable[..., Any]]
PREFIX = "roundsim-session-"  # of its folder, among temporary files
MODULE = """\
# roundsim session {sha256}
from roundsim.sources.session import unpack
files = ["{name}.pickle"]
{draws}
unpack(globals())
"""


@cache
def folder() -> tempfile.TemporaryDirectory[str]:
    """Return the folder of this session, which is removed at its end. Folders of sessions that were killed are removed
    here.

    A session locks its folder before it writes anything there; the lock ends with the process, however that ends."""
    for other in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            handle = lock(other)
            try:
                if any(other.iterdir()):  # an empty one may belong to a session that is about to lock it
                    shutil.rmtree(other)
            finally:
                os.close(handle)
    made = tempfile.TemporaryDirectory(prefix=PREFIX)
    with suppress(OSError):  # some file systems have no locks
        lock(Path(made.name))
    return made


def lock(path: Path) -> int:
    """Lock a folder as long as the descriptor is open. OSError if another process holds the lock."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise
    return handle


def texts_of(strategies: StrategyList) -> list[str]:
    """Strategies as a command line names them; a mapping gives them names. StrategyError."""
    if isinstance(strategies, str):
        raise TypeError("strategies is a list, or a mapping by names, not a text")
    given = strategies.items() if isinstance(strategies, Mapping) else [("", strategy) for strategy in strategies]
    digests, texts = dict[str, str](), []
    for name, strategy in given:
        if isinstance(strategy, str):
            texts.append(f"{name}={strategy}" if name not in ("", strategy) else strategy)
            continue
        text, sha = entered(strategy, name)
        called = text.partition("=")[0]
        if sha and digests.setdefault(called, sha) != sha:
            raise StrategyError(f'two strategies are called {called}: give them names, {{"new": ..., "old": ...}}')
        texts.append(text)
    return texts


def entered(thing: Any, name: str) -> tuple[str, str]:
    """Return a class or function as a command line names it, and its digest; "" for one of a file, which is named by
    that."""
    if not isinstance(thing, type | FunctionType):
        raise StrategyError(f"{thing!r:.80} is no strategy: it is a text, a class or a function")
    file = getattr(sys.modules.get(thing.__module__), "__file__", None)
    if is_importable(thing) and "." not in thing.__qualname__ and str(file).endswith(".py"):
        return f"{name}={file}:{thing.__name__}" if name else f"{file}:{thing.__name__}", ""
    if not name and thing.__name__ == "<lambda>":
        raise StrategyError('a lambda has no name: give it one, {"mine": lambda view: ...}')
    name = check_name(name or str(getattr(thing, "name", thing.__name__)))
    attribute = re.sub(r"\W", "_", name if thing.__name__ in ("<lambda>", "act") else thing.__name__).lstrip("_")
    identity = Identity(thing, name)
    path = Path(folder().name).resolve() / identity.sha256[:16] / f"{name}{finding.SESSION}"
    if path not in finding.sealed:
        write_session_source(path, packed((thing, attribute), name), identity)
    return f"{name}={path}:{attribute}", identity.sha256


def write_session_source(path: Path, packed: bytes, identity: Identity) -> None:
    path.parent.mkdir(exist_ok=True)
    draws = "import random" if identity.draws else ""
    path.with_name(f"{path.stem}.pickle").write_bytes(packed)
    path.with_name(f"{path.stem}.txt").write_text(identity.source, "utf-8", "replace")
    path.write_text(MODULE.format(sha256=identity.sha256, name=path.stem, draws=draws), "utf-8")
    finding.sealed.add(path)


@contextmanager
def session_names_in_errors() -> Iterator[None]:
    """Name strategies of the session in errors as such, and not by the files that they are in."""
    try:
        yield
    except RoundsimError as error:
        places = {str(path): f"{path.stem} of this session" for path in finding.sealed}
        places |= {finding.display_path(Path(path)): message for path, message in places.items()}

        def named(message: Any) -> Any:
            for path, called in places.items() if isinstance(message, str) else ():
                message = re.sub(rf"(?:[\w.-]+=)?{re.escape(path)}(?::[^\W\d]\w*)?", called, message)
            return message

        error.args = tuple(map(named, error.args))
        if problems := vars(error).get("problems"):
            vars(error)["problems"] = [*map(named, problems)]
        raise


def packed(thing: Any, name: str) -> bytes:
    """Return the pickled bytes. StrategyError with pickle's words, if it cannot be packed."""
    try:
        return pickled(thing, cell_name)
    except ImportError as error:
        problem = f"{error.name} is not installed: pip install {error.name}"
        raise StrategyError(f"{name} has no file of its own, and {problem}; or keep it in a file: {name}.py") from None
    except Exception as error:
        raise StrategyError(
            f"{name} cannot be sent to where it plays: {exception_words(error)}; keep it in a file: {name}.py"
        ) from None


def cell_name(file: str) -> str:
    """Return the file of a code as an error names it: in a notebook its cell, Cell In[3]."""
    try:
        compiler = sys.modules["IPython"].get_ipython().compile
        return " ".join(compiler.format_code_name(file))
    except Exception:  # no IPython, no cell
        return file


def unpack(module: dict[str, Any]) -> None:
    """Run where a strategy plays, in the sandbox: unpack the bytes into the strategy's module."""
    thing, attribute = unpickled(Path(module["__file__"]).with_suffix(".pickle").read_bytes(), module)
    thing.__module__ = module["__name__"]
    module[attribute] = thing
