"""The strategies of an entry in a process, and the players for whom they answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from pathlib import Path
from typing import Any, Protocol

from ..base import importing
from ..processes.memory import memory_used
from ..refereeing.board import ASKED, LOADING, STATE
from ..refereeing.faults import FaultDetails
from ..refereeing.referee import Answer, Player
from ..sources import plugins
from ..sources.strategy import Seated, uses_random
from ..table.chance import Chance
from ..table.deal import Deal
from ..tournament.planning.plan import Entry, Tournament
from ..tournament.results.totals import ShardTotals
from .times import Times

NOBODY: Set[int] = frozenset()
NO_ANSWERS: dict[str, Answer] = {}
NO_PROBLEMS: Mapping[int, FaultDetails] = {}


class Sitter(Player):
    """A player for a sitting: `out`, OUT or BARRED, if it is not asked again in it; `at`: the table and the seat where
    it sat down, and its entrant, None for one who is in its chair; `seat`: where it sits now. `move` and `leave`, of a
    guest, tell its process that it has changed its seat, or has left."""

    __slots__ = ("at", "out", "begun", "move", "leave")

    def __init__(self, chance: Chance, at: tuple[str, int, int] | None, out: str = "") -> None:
        super().__init__(NO_ANSWERS, chance, out, at[1] if at else 0)
        self.at, self.out, self.begun = at, out, False
        self.move: Callable[[int], object] | None = None
        self.leave: Callable[[bool], object] | None = None

    def move_to(self, seat: int) -> None:
        """Go on at this seat, of the same table or of another one."""
        if self.move and self.seat != seat:
            self.move(seat)
        self.seat = seat

    def let_go(self, asked: bool = False) -> None:
        """Release the player. `asked`: whether to raise what its cleanup raises."""
        self.answers, self.begin, self.settled = NO_ANSWERS, None, None
        if self.leave:
            leave, self.move, self.leave = self.leave, None, None
            leave(asked)


class Listener(Protocol):
    """Hears the deals of a table, and knows which were practised."""

    def practised(self, place: str, deal: Deal) -> Sequence[str]:
        """The lines of the deals that were practised in the place of this one, which has not started."""

    def begins(self, place: str, deal: Deal, who: Sequence[str]) -> None:
        """A deal begins; `who`: the labels of the entrants by seat."""

    def ends(self, place: str, deal: Deal) -> None:
        """A deal is over."""


class Cast:
    """The strategies of an entry in one process, shared by its tables.

    `without`: entrants that are not asked, each with its fault. `strangers`: entrants that play in guests. `listener`: it
    hears each deal."""

    def __init__(
        self,
        tournament: Tournament,
        entry: Entry,
        board: Any,
        tally: ShardTotals,
        without: Mapping[int, FaultDetails] = NO_PROBLEMS,
        strangers: Set[int] = NOBODY,
        listener: Listener | None = None,
    ) -> None:
        self.listener = listener
        self.limits, self.entry, self.tally, self.without = tournament.limits, entry, tally, without
        self.board, self.times, self.strangers = board, Times(board), strangers
        self.drawing: dict[str, bool] = {}  # by source: whether it draws from `random`
        self.imagining = any(each.imagines for each in entry.strategies)
        self.begin_stage()

    def begin_stage(self) -> None:
        """Forget the modules of the strategies, so that they are loaded again."""
        importing.reload_next_time({each.path for each in self.entry.strategies})
        self.seated: dict[tuple[int, int], Seated] = {}  # by entrant, and the number of its seat at a table
        self.modules: Counter[str] = Counter()
        self.taken_before = memory_used()
        self.ends = self.hearing = False  # whether any has `__del__`, and whether any has `begin` or `settled`

    def seat_of(self, entrant: int, number: int) -> Seated:
        """Return an entrant's strategy. Each seat of an entrant has its own module, loaded once a stage."""
        return self.seated.get((entrant, number)) or self.load(entrant, number)

    def load(self, entrant: int, number: int) -> Seated:
        strategy = self.entry.strategies[entrant]
        self.modules[strategy.path] += 1
        self.board[ASKED], self.board[STATE] = entrant + 1, LOADING
        loaded = plugins.load_strategy(strategy, self.modules[strategy.path], strategy.path in self.drawing)
        self.board[ASKED], self.board[STATE] = 0, 0
        if strategy.path not in self.drawing:
            self.drawing[strategy.path] = uses_random(Path(strategy.path))
        seated = Seated(loaded, dict(strategy.parameters), self.entry.deal, self.drawing[strategy.path])
        self.seated[entrant, number] = seated
        self.ends = self.ends or seated.ends
        self.hearing = self.hearing or seated.hears
        return seated
