"""Descriptions of the strategies in a source. A third-party source is described in a separate process, because
importing it may do anything."""

from __future__ import annotations

import inspect
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import games
from ..base import importing
from ..base.errors import GivenUpError, PluginError, RoundsimError, StrategyError, did_you_mean, printable
from ..base.files import real
from ..base.finding import display_path, files_of, sha256, threads_in
from ..base.importing import module_at, own_lines
from .bots import is_bot
from .homes import in_house

if TYPE_CHECKING:
    from ..sandbox.calls import CallLauncher, GuestEndedError

MOST = 10_000  # strategies of a source, and characters of a text
MEMORY = 1024  # MB for third-party code that is described
REFUSALS = "FileNotFoundError", "PermissionError", "Read-only file system"
MISSING = re.compile(r"ModuleNotFoundError: No module named '(\w+)'")
SEALED = (
    "\n  it plays in a sandbox: it reads its own file and those that it names, files = [...], and writes nothing;"
    " Path(__file__).with_name(...) finds them"
)
THREADS = "\n  it plays in a sandbox: it starts threads only if threads = True is next to files in its module"
MOST_TEXT = 4_000_000  # characters of all that a source says of itself
LONGEST = 4  # times the seconds of a module, for all that it says
SLACK = 2  # seconds more than a module has, so that its process can report that they are over


class DescribedStrategy(NamedTuple):
    """A strategy as its source describes it: a class, or a function. `games`: None if they are no list of texts.

    `takes`: the keywords it may be entered with, None for any. `base`: whether it answers nothing, and others of its
    source derive from it."""

    attribute: str
    name: str
    is_class: bool
    games: list[str] | None
    imagines: bool
    help: str
    takes: list[str] | None
    base: bool = False


class StruckError(PluginError):
    """A signal has ended the process in which a module was imported. It may have come from outside."""


SourceAnswer = list[DescribedStrategy] | PluginError
_answers: dict[tuple[Path, str], SourceAnswer] = {}  # of third-party sources, by path and sha256


def strategies_in(path: Path, sha: str) -> list[DescribedStrategy]:
    """Return the strategies in a source, in its order. PluginError."""
    threads_in(path)  # it may be set wrongly
    if is_ours(path):
        return [*strategies_in_module(path, sha)]
    ask([path])
    answer = _answers[real(path), sha]
    if isinstance(answer, PluginError):
        raise answer
    return answer


def is_ours(path: Path) -> bool:
    """Return whether a source may be imported here: it is the house's, or this process runs strategies anyway and
    cannot start another."""
    if in_house(path):
        return True
    from ..processes.start import is_begun

    return is_begun()


def strategies_in_module(path: Path, sha: str = "") -> Iterator[DescribedStrategy]:
    """Yield the strategies from the module itself: its classes that have `games` or `act`, except abstract ones, and
    its functions. PluginError."""
    module = module_at(path, sha)
    try:
        members, classes = list[tuple[str, Any, bool]](), list[Any]()
        for key, thing in [*vars(module).items()]:
            is_class, is_function = issubclass(type(thing), type), type(thing) is FunctionType
            if key.startswith("_") or not (is_class or is_function) or not is_defined_in(thing, module.__name__):
                continue
            if is_function or (hasattr(thing, "games") or hasattr(thing, "act")) and not is_abstract(thing):
                members.append((key, thing, is_class))
                classes += [thing] * is_class
        for key, thing, is_class in members:
            base = is_class and is_base(thing, classes) and not may_answer(thing)
            yield describe(key, thing, is_class, module, path)._replace(base=base)
    except BaseException as error:  # whatever a third-party class raises
        if isinstance(error, KeyboardInterrupt | GivenUpError | GeneratorExit):
            raise
        raise PluginError(f"{display_path(path)} cannot be loaded: {own_lines(error, path)}") from None


def is_defined_in(thing: Any, module: str) -> bool:
    """Return whether a class or function is defined in this module, or in one within it."""
    home = type.__dict__["__module__"].__get__(thing) if isinstance(thing, type) else thing.__module__
    return f"{home}.".startswith(f"{module}.")


def is_abstract(thing: type) -> bool:
    """Return whether no object of a class can be made."""
    return inspect.isabstract(thing) or bool(vars(thing).get("_is_protocol"))


def is_base(thing: type, classes: Iterable[type]) -> bool:
    """Return whether one of these classes derives from this one."""
    return any(thing in other.__mro__[1:] for other in classes)


def may_answer(thing: type) -> bool:
    """Return whether a class may answer a question of any game: it has a public method that takes a view, and does more
    than raise NotImplementedError."""
    parents = reversed(thing.__mro__[:-1])  # without `object`
    members = {name: member for parent in parents for name, member in vars(parent).items()}
    return any(
        takes(member, "self", "view") and member.__code__.co_names != ("NotImplementedError",)
        if type(member) is FunctionType
        else callable(member) and not isinstance(member, type)
        for name, member in members.items()
        if name[0] != "_" and name not in ("begin", "settled")
    )


def takes(function: FunctionType, *given: str) -> bool:
    """Return whether a function can be called with these positional arguments."""
    try:
        inspect.signature(function).bind(*given)
    except TypeError:
        return False
    return True


def describe(key: str, thing: Any, is_class: bool, module: Any, path: Path) -> DescribedStrategy:
    name = getattr(thing, "name", key) if is_class else name_of_file(path) if key == "act" else key
    games = getattr(thing if is_class else module, "games", ())
    fits = isinstance(games, list | tuple | set) and all(isinstance(game, str) for game in games)
    help = inspect.getdoc(thing) or ""
    imagines = bool(getattr(thing, "imagines", False))
    takes = keywords(thing) if is_class else []
    return DescribedStrategy(key, str(name), is_class, list(games) if fits else None, imagines, help[:MOST], takes)


def name_of_file(path: Path) -> str:
    """Return the name of the function `act` in a file: ann-1 for `ann (1).py`."""
    return re.sub(r"[^\w.-]+", "-", path.stem).strip("-")


def keywords(thing: Any) -> list[str] | None:
    """Return the keywords that a class takes; None for any, and if Python does not know."""
    try:
        takes = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in takes):
        return None
    return [
        parameter.name
        for parameter in takes
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    ]


def ask(paths: Iterable[Path], memory: int = MEMORY, again: bool = False, sealed: bool = True) -> None:
    """Describe the third-party sources among these, where it is not known yet; `again`: also where something was wrong;
    `sealed`: in a sandbox, if one works.

    Each is described in a guest of its own."""
    shas = dict[Path, str]()
    for path in {real(path): None for path in paths if not is_ours(path) and not is_bot(path)}:
        with suppress(PluginError):  # its files are missing, for example: the error is shown when it is found
            threads_in(path)
            shas[path] = sha256(path)
    known = {path: _answers.get((path, sha)) for path, sha in shas.items()}
    left = [path for path, answer in known.items() if answer is None or again and isinstance(answer, PluginError)]
    for path, answer in zip(left, answers_of(left, memory, sealed) if left else (), strict=True):
        _answers[path, shas[path]] = answer


def answers_of(paths: Sequence[Path], memory: int, sealed: bool) -> list[SourceAnswer]:
    """Return the descriptions of these sources. ResourceError, BugError."""
    from ..sandbox.calls import launcher_of_calls
    from ..sandbox.kinds import NO_SANDBOX, best

    with launcher_of_calls(best() if sealed else NO_SANDBOX, [[path, *files_of(path)] for path in paths]) as launcher:
        answers = list[SourceAnswer]()
        for path in paths:
            answer = answer_of_guest(launcher, path, memory)
            answers.append(answer_of_guest(launcher, path, memory) if isinstance(answer, StruckError) else answer)
    return answers


def answer_of_guest(launcher: CallLauncher, path: Path, memory: int) -> SourceAnswer:
    """Return the description of a source from a guest of its own. ResourceError, BugError."""
    from ..sandbox.calls import GuestEndedError

    described, kind, size = list[DescribedStrategy](), PluginError, 0
    problem = "it has meddled with the process in which it was imported"
    threads, seconds, began = threads_in(path), importing.LOAD_SECONDS, time.monotonic()
    arguments = str(path), memory, seconds
    sent = launcher.call(describe_source, *arguments, memory=memory, threads=threads, seconds=seconds + SLACK)
    try:
        for answer in sent:
            size += len(str(answer))
            match answer:
                case None:
                    return described
                case str():
                    hint = why_sealed(answer, path) if launcher.sealed else ""
                    return PluginError(printable(answer) + hint)
                case _ if len(described) < MOST and size < MOST_TEXT:
                    described.append(strategy_from_json(answer))
                case _:
                    raise ValueError
            if time.monotonic() - began > LONGEST * seconds:
                raise GuestEndedError(None, silent=True)
    except GuestEndedError as lost:
        problem = how_lost(lost) or problem
        kind = StruckError if (lost.code or 0) < 0 else PluginError
    except (RoundsimError, ValueError):  # it speaks for us
        pass
    return kind(f"{display_path(path)} cannot be loaded: {problem}")


def how_lost(lost: GuestEndedError) -> str:
    """Return how a module has ended its guest."""
    from signal import Signals

    if lost.silent:
        return str(importing.LateError())
    if lost.code is None:
        return ""
    who, code = (Signals(-lost.code).name, "") if lost.code < 0 else ("it", f" with code {lost.code}")
    return f"{who} ended the process{code} while it was imported"


def describe_source(path: str, memory: int, seconds: float) -> Iterator[Any]:
    """Run in a guest: yield the strategies of a source, one at a time; then None, or what is wrong."""
    importing.LOAD_SECONDS = seconds
    try:
        yield from strategies_in_module(Path(path))
        end = None
    except PluginError as error:
        end = str(error)
    except MemoryError:
        end = f"{display_path(Path(path))} cannot be loaded: no memory was left of the {memory} MB allowed"
    yield end


def why_sealed(message: str, path: Path) -> str:
    """Return a sentence on the sandbox if a source may have failed because of it: over a thread, a file, or a module
    next to it."""
    if "can't start new thread" in message:
        return "" if threads_in(path) else THREADS
    unread = any(refusal in message for refusal in REFUSALS)
    if missing := MISSING.search(message):
        unread = path.with_name(f"{missing[1]}.py").exists() or path.with_name(missing[1]).exists()
    return SEALED * unread


def strategy_from_json(values: Any) -> DescribedStrategy:
    """Return a strategy as third-party code describes it; ValueError if it does not."""
    match values:
        case [str(), str(), bool(), list() | None, bool(), str(), list() | None, bool()]:
            held = DescribedStrategy(*values)
            texts = [held.attribute, held.name, *(held.games or ()), *(held.takes or ())]
            if all(isinstance(text, str) and len(text) <= MOST for text in texts) and len(texts) <= MOST:
                return held._replace(help=printable(held.help))
    raise ValueError


def check_games(plays: list[str] | None, name: str, path: Path) -> tuple[str, ...]:
    """Return the games a strategy says it plays; `["*"]`, or nothing said, is every game."""
    if plays is None:
        raise StrategyError(f"{display_path(path)}: games of {name} must be a list of game ids")
    if "*" in plays:
        return ()
    for game in plays:
        if game not in games.names():
            raise StrategyError(
                f"{display_path(path)}: {name} plays {game!r}, which is no game{did_you_mean(game, games.names())}"
            )
    return tuple(plays)
