"""The rows that `check` reports, the messages that it receives from the process of a trial, and its scripts."""

from __future__ import annotations

import shlex
import sys
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..base.errors import RoundsimError, RulesError, printable
from ..base.finding import is_path, split_attribute
from ..base.text import so_many
from ..base.toml import toml_of
from ..refereeing.script import read_script
from ..sources.plugins import Strategy
from ..tournament.storage.writing import write_named
from .clock import TrialProgress
from .trial import TrialOptions

MAX_SAME_FAILURES = 3  # failures of one kind, after which the other games are not tried


class CheckRow(NamedTuple):
    """A thing that was tried, its verdict, "ok", "FAILED", "note" or "-", and more about it, a line each."""

    what: str
    verdict: str
    lines: tuple[str, ...] = ()

    def __str__(self) -> str:
        """`  import              ok      3 ms`, further lines below the first."""
        first = f"  {self.what:<22}  {self.verdict:<8}{self.lines[0] if self.lines else ''}".rstrip()
        return "\n".join([first, *[f"{'':<34}{more}" for more in self.lines[1:]]])


RowSink = Callable[[CheckRow | str], object]  # called with each row; a text is a heading


def print_row(row: CheckRow | str) -> None:
    """Print a row at once."""
    print(row)
    sys.stdout.flush()


def not_tried(games: int) -> CheckRow:
    """Return the row for games that are left, and would fail like those before them."""
    return CheckRow(
        so_many(games, "more game"), "-", (f"not tried, after {MAX_SAME_FAILURES} failures in the same way",)
    )


def import_failed(what: str, error: Exception | str, report: RowSink) -> int:
    """Report a failed import. Returns the number of problems, 1."""
    report(what)
    report(CheckRow("import", "FAILED", tuple(str(error).splitlines())))
    return 1


DIGEST = 64  # hexadecimal digits of the lines of a game that was played the same twice
MOST_DEALS = 10**12
LINES = 10_000  # lines that are printed at most; 25 games need some hundreds
MAX_STATE_TEXT = 200  # characters of what it is at


class Scripts:
    """The messages of a trial process, checked because third-party code may send them, and the scripts in them.

    The process gives the contents of a script, not its name. One is written for a strategy's failure in a game, and one
    for a difference.

    `steady`: by strategy and game, the result of a few deals that were played the same twice."""

    def __init__(self, how: TrialOptions, tried: Sequence[tuple[Strategy, list[str]]], report: RowSink) -> None:
        self.how, self.tried, self.report = how, tried, report
        self.written, self.lines = set[tuple[int, str, bool]](), 0
        self.steady: dict[tuple[int, str], str] = {}

    def receive(self, message: Any, before: TrialProgress) -> TrialProgress:
        """Return the progress that a message reports; a script is written. ValueError for anything else. OSError."""
        match message:
            case {"strategy": int(), "game": int(), "what": str(), "problems": int(), "kinds": dict() as kinds}:
                if message.keys() != vars(before).keys():
                    raise ValueError("no progress")
                now = TrialProgress(**message)
                last = len(self.tried[now.strategy][1]) if 0 <= now.strategy < len(self.tried) else -1
                onwards = (before.strategy, before.game) <= (now.strategy, now.game) and now.game <= last
                if onwards and before.problems <= now.problems and all(type(n) is int for n in kinds.values()):
                    now.what = printable(now.what)[:MAX_STATE_TEXT]
                    return now
            case [int(number), str(name), int(deal), bool(differs), str(text)] if 0 <= number < len(self.tried):
                strategy, names = self.tried[number]
                if name in names and 0 < deal <= MOST_DEALS and (number, name, differs) not in self.written:
                    toml_of(text)
                    self.written.add((number, name, differs))
                    write_script_file(script_path(self.how.scripts, strategy, name, deal), text)
                    return before
            case ["row", str(what), *more] if row := row_of(printable(what), more):
                self.lines += 1
                if self.lines <= LINES:
                    self.report(row)
                    return before
            case [int(number), str(name), str(lines)] if 0 <= number < len(self.tried) and len(lines) == DIGEST:
                if name in self.tried[number][1]:
                    self.steady[number, name] = lines
                    return before
        raise ValueError(f"said {message!r:.60}")


def row_of(what: str, more: Sequence[object]) -> CheckRow | str:
    """Return a row from a message; "" if it is none."""
    match more:
        case []:
            return what
        case [str(verdict), list(lines)] if all(isinstance(line, str) for line in lines):
            return CheckRow(what, printable(verdict), tuple(map(printable, lines)))
    return ""


def is_clean(text: str, name: str) -> bool:
    """Return whether the game of this name replays a script from the process without an error of its own."""
    if not text:
        return False
    try:
        script = read_script({**toml_of(text), "game": name}, "script")
    except ValueError:  # ScriptError too: a deal that nobody has changed can be written down
        return True
    try:
        deque(script.play(), maxlen=0)
    except RulesError:
        return False
    except RoundsimError:  # other actions are legal there, or other nets come out
        return True
    except Exception:
        return False
    return True


def script_path(folder: Path, strategy: Strategy, name: str, deal: int) -> Path:
    """Return the path for a script of a deal that a strategy has played in a game."""
    stem, own = Path(strategy.path).stem, strategy.attribute
    parts = [stem, *[own] * (own.lower() not in (stem, "act", "")), *[name] * (len(strategy.games) != 1)]
    return folder / f"{'-'.join(parts)}-{deal}.toml"


def write_script_file(path: Path, script: str) -> None:
    """Write a script. FolderError, OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_named(path, script.encode())


def replay_command(path: Path, seat: int, strategy: str, game: str | None) -> str:
    """Return the command that puts a script to a strategy; `game`: the one that `check` was given, an id or a file."""
    flag = f" --game {shlex.quote(game)}" if game and is_path(split_attribute(game)[0]) else ""
    return f"again: roundsim replay {shlex.quote(str(path))} --seat {seat} --strategy {shlex.quote(strategy)}{flag}"
