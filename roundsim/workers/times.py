"""The watch on strategies: how much CPU time their decisions take."""

from __future__ import annotations

from time import process_time
from typing import Any

from ..refereeing.board import ASKED, NANOSECONDS, SLOWEST
from ..refereeing.referee import Answer
from ..refereeing.wrappers import Wrapper


class Times:
    """Seconds of CPU and number of decisions of each entrant; the board shows the slowest entrant."""

    def __init__(self, board: Any) -> None:
        self.board, self.taken = board, dict[int, tuple[float, int]]()
        self.means: dict[int, float] = {}

    def of(self, entrant: int) -> Wrapper:
        def wrapped(answer: Answer) -> Answer:
            def ask(*given: Any) -> Any:
                self.board[ASKED], start = entrant + 1, process_time()
                try:
                    return answer(*given)
                finally:
                    self.enter(entrant, process_time() - start)

            return ask

        return wrapped

    def enter(self, entrant: int, seconds: float) -> None:
        before, decisions = self.taken.get(entrant, (0.0, 0))
        self.taken[entrant] = total, decisions = before + seconds, decisions + 1
        self.means[entrant] = total / decisions
        slowest = max(self.means, key=self.means.__getitem__)
        self.board[ASKED], self.board[SLOWEST] = 0, slowest + 1
        self.board[NANOSECONDS] = int(1e9 * self.means[slowest])
