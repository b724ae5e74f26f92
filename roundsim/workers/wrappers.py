"""What the answers of a strategy go through on their way: its own `random`, its bank of time, the watch."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any

from ..refereeing.board import ASKED, NANOSECONDS, SLOWEST
from ..refereeing.referee import Answer, Clock
from ..table.chance import Chance

Wrapper = Callable[[Answer], Answer]


def drawing_alone(shared: Chance, own: Chance) -> Wrapper:
    """What the module `random` draws is a player's own while he is asked."""

    def wrapped(answer: Answer) -> Answer:
        def ask(*given: Any) -> Any:
            shared.go_on_as(own)
            try:
                return answer(*given)
            finally:
                own.go_on_as(shared)

        return ask

    return wrapped


def banked(bank: float, clock: Clock) -> Wrapper:
    """A player has so many seconds of CPU for a sitting, of all that he is asked; then he is late."""
    left = bank

    def wrapped(answer: Answer) -> Answer:
        def ask(*given: Any) -> Any:
            nonlocal left
            begun, clock.limit = process_time(), min(clock.usual, left)
            try:
                if left > 0:
                    return answer(*given)
            finally:
                left -= process_time() - begun
                clock.limit = clock.usual
                if left <= 0:
                    raise clock.time_up("its bank for the sitting is used up")

        return ask

    return wrapped


class Times:
    """How long decisions take: of each entrant seconds and how many they were; who is slowest stands on the board."""

    def __init__(self, board: Any) -> None:
        self.board, self.taken = board, dict[int, tuple[float, int]]()

    def of(self, entrant: int) -> Wrapper:
        def wrapped(answer: Answer) -> Answer:
            def ask(*given: Any) -> Any:
                self.board[ASKED], begun = entrant + 1, perf_counter()
                try:
                    return answer(*given)
                finally:
                    self.enter(entrant, perf_counter() - begun)

            return ask

        return wrapped

    def enter(self, entrant: int, seconds: float) -> None:
        before, decisions = self.taken.get(entrant, (0.0, 0))
        self.taken[entrant] = before + seconds, decisions + 1
        slowest = max(self.taken, key=self.mean)
        self.board[ASKED], self.board[SLOWEST] = 0, slowest + 1
        self.board[NANOSECONDS] = int(1e9 * self.mean(slowest))

    def mean(self, entrant: int) -> float:
        """Seconds of a decision."""
        seconds, decisions = self.taken[entrant]
        return seconds / decisions
