"""Protection against a strategy on trial that hangs or dies: the clock that ends it, and the traces that it leaves."""

from __future__ import annotations

import faulthandler
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import dropwhile, takewhile
from time import process_time
from typing import Any, Self

from ..base.importing import PACKAGE_FOLDER, sleeps
from ..base.text import exit_words
from ..refereeing.board import QUESTION
from ..refereeing.referee import ENTERED, Clock

LOST = 75  # the exit code of a process whose strategy has swallowed the interruption
LEFT = 1 << 16  # bytes of what Python says of its end
WAITING = 5  # ticks of the clock in which nothing is done
FRAME = re.compile(r'  File "(.*)", line (\d+) in (.*)')


@dataclass
class TrialProgress:
    """The progress of a trial: the current strategy and game, the current step, the problems until then, and how often
    this strategy has failed in each way. `what`: "" if the end of the process was reported already."""

    strategy: int = 0
    game: int = 0
    what: str = "import"
    problems: int = 0
    kinds: dict[str, int] = field(default_factory=dict)

    def failed(self, kind: str) -> None:
        self.problems += 1
        self.kinds[kind] = self.kinds.get(kind, 0) + 1


class CrashPipe:
    """The pipe to which Python writes where it was when its process died; `theirs` is that process's end. It is read
    when the process is over, and a process that floods it does not wait."""

    def __init__(self) -> None:
        self.ours, self.theirs = os.pipe()
        for end in self.ours, self.theirs:
            os.set_blocking(end, False)

    def read(self) -> str:
        try:
            return os.read(self.ours, LEFT).decode("utf-8", "replace")
        except OSError:
            return ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        os.close(self.ours)
        os.close(self.theirs)


class CrashLog:
    """In the guest of a trial: the descriptor to which Python writes where it was when this process died."""

    def __init__(self, file: int) -> None:
        self.file = file
        faulthandler.enable(self.file, all_threads=False)

    def end_after(self, seconds: float) -> None:
        """End the process then, wherever it is, in C too, unless this is called again."""
        faulthandler.dump_traceback_later(seconds, exit=True, file=self.file)

    @contextmanager
    def no_longer_than(self, seconds: float) -> Iterator[None]:
        self.end_after(seconds)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()

    def end_lost(self) -> None:
        faulthandler.dump_traceback(self.file, all_threads=False)
        os._exit(LOST)


def ending_lines(left: str, code: int | None) -> list[str]:
    """Return words for the end of a process with this exit code, None if it has meddled; `left`: what Python has
    written of it."""
    if code is None:
        return ["it has meddled with the process in which it was tried"]
    if code == LOST or left.startswith("Timeout"):
        return [f"late: {ENTERED['late']}", *strategy_frames(left)]
    return [f"{ENTERED['dead']}: {exit_words(code)}", *strategy_frames(left)]


def strategy_frames(text: str) -> list[str]:
    """Return the strategy's own lines of Python's report on its main thread: 'mine.py:8 in call', innermost last."""
    frames = FRAME.findall(text.rpartition("most recent call first")[2])

    def ours(frame: tuple[str, ...]) -> bool:
        return frame[0].startswith(PACKAGE_FOLDER + os.sep)

    own = takewhile(lambda frame: not ours(frame), dropwhile(ours, frames))
    lines = [f"{os.path.basename(path)}:{line} in {name}" for path, line, name in own if path[0] != "<"]
    return lines[4::-1]


class TrialClock(Clock):
    """The clock of a run, except that a strategy that only waits, in sleep or for the network, is late as soon as one
    that computes."""

    def __init__(self, limit: float, log: CrashLog) -> None:
        super().__init__(limit, lost=log.end_lost)
        self.log, self.patience = log, 10 * limit + 5
        self.at, self.spent, self.slept, self.idle = 0, 0.0, 0, 0

    def __enter__(self) -> TrialClock:
        self.log.end_after(self.patience)
        super().__enter__()
        return self

    def __exit__(self, *given: object) -> None:
        super().__exit__(*given)
        faulthandler.cancel_dump_traceback_later()

    def _look(self, *given: Any) -> None:
        self.log.end_after(self.patience)
        question, spent = self.board[QUESTION], process_time()
        slept = sleeps()
        waits = question and question == self.at and slept != self.slept and spent - self.spent < self.tick / 50
        self.at, self.spent, self.slept, self.idle = question, spent, slept, self.idle + 1 if waits else 0
        if self.idle > 2 * WAITING:
            self.lost()
        if self.idle == WAITING:
            raise self.time_up("no answer within the limit, in which it only waited")
        super()._look(*given)
