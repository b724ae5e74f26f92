"""Thinking for longer than is allowed, once, and being heard all the same."""

import os
import signal
import sys
from contextlib import suppress
from threading import Thread
from time import process_time
from typing import Any

from .plan import Meek, all_of


def think(seconds: float) -> None:
    """Use this much time of the processor."""
    end = process_time() + seconds
    while process_time() < end:
        pass


class Slow(Meek):
    """It thinks for a number of seconds at one question, and then it calls."""

    thought = False

    def __init__(self, seconds: float = 1.0) -> None:
        self.seconds = seconds

    def call(self, view: Any) -> Any:
        if view.seat or type(self).thought:
            return super().call(view)
        type(self).thought = True
        with suppress(Exception):
            self.meddle()
        self.think()
        return view.legal[1]

    def meddle(self) -> None:
        """With the clock."""

    def think(self) -> None:
        think(self.seconds)


class Unarm(Slow):
    """The clock does not tick."""

    def meddle(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)


class Deafen(Slow):
    """Nobody hears it."""

    def meddle(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})


class Distract(Slow):
    """Every time it looks there is another question."""

    def think(self) -> None:
        clocks = all_of("Clock")
        for _ in range(100):
            for clock in clocks:
                clock.board[0] += 1
            think(self.seconds / 100)


class Rewind(Slow):
    """It reads no time."""

    def meddle(self) -> None:
        for name in "refereeing.referee", "base.importing":
            clock: Any = sys.modules[f"roundsim.{name}"]
            clock.process_time = clock.monotonic = float


class Blunt(Slow):
    """The strategy goes on whatever the clock does."""

    def meddle(self) -> None:
        for clock in all_of("Clock"):
            clock.lost = int

    def think(self) -> None:
        end = process_time() + self.seconds
        while process_time() < end:
            with suppress(BaseException):
                think(end - process_time())


class Ponders(Meek):
    """Another thread of it thinks on while nobody asks."""

    threads: list[Thread] = []

    def __init__(self, seconds: float = 1.0) -> None:
        self.seconds = seconds

    def call(self, view: Any) -> Any:
        if not self.threads:
            self.threads.append(Thread(target=think, args=(self.seconds,), daemon=True))
            self.threads[0].start()
            os.sched_yield()
        return super().call(view)
