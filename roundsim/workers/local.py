"""Workers on this machine: processes with a pipe each, watched through their sentinels.

A worker that is killed, dies, or is stuck is noticed and replaced. Its shard is played again with the fault entered at
the question at which it was lost."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from ..base.errors import BugError, PluginError
from ..base.finding import display_path
from ..base.importing import LOAD_SECONDS as LOADING_SECONDS
from ..guests.isolation import seal_for
from ..processes.descendants import none_left
from ..processes.lines import LineReader, error_from_json
from ..processes.start import Stopwatch
from ..refereeing.board import (
    AGAIN,
    ASKED,
    BEFORE,
    BLOCKS,
    CELLS,
    DEALS,
    DIED,
    LATE,
    LOADING,
    NANOSECONDS,
    QUESTION,
    REASONS,
    SLOWEST,
    STATE,
    WHY,
    piece_of,
)
from ..sandbox.kinds import Sandbox
from ..tournament.planning.plan import Entry, ShardProgress, Task, Tournament
from ..tournament.results.record import STRIKES
from .spares import WorkerProcess

GLANCE = 0.25  # seconds between two looks at the workers
SLACK = 5  # seconds more than a module has to be loaded, in which its worker says itself that they are over
LOSSES = 5  # of workers over one shard, at a new question each time


class Worker:
    """A process with its pipe and its board, and the task that it is playing."""

    def __init__(self, begun: WorkerProcess, tournament: Tournament, folder: str, seal: Sandbox) -> None:
        self.begun, self.process, self.pipe, self.board = begun, begun.process, begun.pipe, begun.board
        self.begun.send((tournament, folder, seal))
        self.task: Task | None = None
        self.given = 0  # tasks, so far
        self.heard = LineReader(self.pipe.fileno())
        self.question = 0  # that was answered when we looked last

    def give(self, task: Task, again: bool = False) -> None:
        """Give it a task; `again`: a worker was lost over it."""
        self.task, self.given, self.question = task, self.given + 1, 0
        self.board[:] = [0] * CELLS
        self.board[WHY] = DIED * again
        self.begun.send(task)

    def stuck(self, limit: float) -> bool:
        """Return whether the same question or load of a module has taken far too long, and the worker's own clock has
        not ended it: it is in C code."""
        question, thinking, waiting = self.board[QUESTION], 3 * limit + 1, 12 * limit + 5
        if self.board[STATE] == LOADING:
            question, thinking, waiting = -self.board[ASKED], LOADING_SECONDS + SLACK, LOADING_SECONDS + SLACK
        if not question or question != self.question:
            self.question, self.since = question, Stopwatch(self.process.pid)
            return False
        return self.since.cpu() > thinking or self.since.wall() > waiting

    def underway(self, tournament: Tournament) -> ShardProgress:
        """Return how far it is; its board may say anything, if a strategy has written there."""
        assert self.task
        entry, board = tournament.entries[self.task.entry], [*self.board]
        blocks = min(max(board[BLOCKS], 0), self.task.last - self.task.first)
        deals = max(board[DEALS], 0)
        units = min(deals, entry.format.units(entry) * len(self.task.blocks)) if entry.format.by_deals else blocks
        every, cells = range(1, len(entry.strategies) + 1), (board[cell] for cell in (SLOWEST, ASKED, AGAIN))
        slowest, asked, who = (entry.strategies[each - 1].name if each in every else "" for each in cells)
        again = f"{who or 'a worker'} {REASONS[board[WHY]]}" if board[WHY] in range(1, len(REASONS)) else ""
        before, of = min(max(board[BEFORE], 0), units), entry.format.deals_in_block(entry) * len(self.task.blocks)
        return ShardProgress(units, before, deals, slowest, board[NANOSECONDS] / 1e9, asked, again, of)


def play_tasks(
    tournament: Tournament, folder: str, tasks: Iterator[Task], jobs: int, begun: list[WorkerProcess] | None = None
) -> Iterator[Task | Sequence[ShardProgress]]:
    """Play all tasks on `jobs` processes, first on those that have started. Yield each task as it is finished, and
    in between the shards under way.

    A RoundsimError that a worker could not recover from is raised here. However this ends, none of our processes is
    left."""
    again: deque[Task] = deque()
    workers: list[Worker] = []
    losses: dict[tuple[int, int], defaultdict[int, list[int]]] = {}  # the questions of each piece of a shard
    stale = Counter[tuple[int, int]]()
    limit, seal = tournament.limits.seconds, seal_for(tournament)

    def next_task() -> Task | None:
        return again.popleft() if again else next(tasks, None)

    with none_left(), ExitStack() as to_do:
        to_do.callback(end_all, workers)
        while True:
            while len(workers) < jobs and (task := next_task()):
                workers.append(Worker(begun.pop() if begun else WorkerProcess(), tournament, folder, seal))
                workers[-1].give(task, (task.entry, task.first) in losses)
            if not workers:
                return
            ready = wait(
                [worker.pipe for worker in workers] + [worker.process.sentinel for worker in workers], timeout=GLANCE
            )
            for worker in list(workers):
                task = worker.task
                assert task
                shard, entry = (task.entry, task.first), tournament.entries[task.entry]
                reply = worker.heard.read() if worker.pipe in ready else {}
                ended = worker.process.sentinel in ready  # not later: its last reply would be lost
                if reply and "error" in reply:
                    raise error_from_json(reply)
                if reply and "done" in reply:
                    yield task
                    if more := next_task():
                        worker.give(more)
                        continue
                elif reply and (next_try := after_word(worker, task, reply, entry, stale[shard])):
                    stale[shard] += worker.given == 1
                    again.append(next_try)
                elif reply != {} or ended or worker.stuck(limit):
                    lost = losses.setdefault(shard, defaultdict(list))[piece_of(worker.board[QUESTION])]
                    stuck = reply == {} and not ended  # a pipe ends before its process does
                    if worker.board[STATE] == LOADING:
                        not_loaded(entry, worker, stuck, lost)
                    again.append(after_loss(worker, task, stuck, lost, len(entry.strategies)))
                else:
                    continue
                worker.begun.end()
                workers.remove(worker)
            yield [worker.underway(tournament) for worker in workers]


def not_loaded(entry: Entry, worker: Worker, stuck: bool, lost: list[int]) -> None:
    """Handle a worker that was lost over a module. PluginError if it is stuck, or lost for the second time: the first
    time it may have been killed from outside."""
    entrant = worker.board[ASKED]
    if entrant not in range(1, len(entry.strategies) + 1):
        return
    if stuck or -entrant in lost:
        where = display_path(Path(entry.strategies[entrant - 1].path))
        words = f"not loaded within {LOADING_SECONDS:g} s" if stuck else "the process died"
        raise PluginError(f"{where} cannot be loaded in a worker: {words}")
    worker.board[QUESTION] = -entrant


def end_all(workers: list[Worker]) -> None:
    for worker in workers:
        worker.begun.end()


def after_word(worker: Worker, task: Task, reply: dict[str, Any], entry: Entry, stale: int) -> Task | None:
    """Return the task to be played again by a fresh process, with all its blocks, if its result is stale. None for a
    result that counts as a loss: a fresh process reports "stale" at most once, for a shard that another one had
    started, and once for each further piece. `stale`: how often fresh processes have reported it."""
    if "stale" not in reply or worker.given == 1 and not task.reused and stale >= len(task.pieces(entry)) - 1:
        return None
    return replace(task, reused={})


def after_loss(worker: Worker, task: Task, stuck: bool, lost: list[int], entrants: int) -> Task:
    """Return the task to be played again after its worker was lost: at a question, or at none, 0. `lost`: the earlier
    losses in this piece.

    A worker may be killed from outside. So a fault "dead" of the asked strategy is entered only when a worker is lost
    at the same question again; or, since it may die at another one each time, with the last of the allowed losses. With
    reused blocks nothing is entered, because the questions of the whole shard have other numbers."""
    if task.reused:
        return replace(task, reused={})
    question, code = worker.board[QUESTION], worker.process.exitcode
    in_piece = [each for each in task.entered if piece_of(each) == piece_of(question)]
    if question in in_piece or len(in_piece) > sum(STRIKES.values()) * entrants:
        question = 0  # the board lies: that is entered, or all are barred by now
    if question and (stuck or worker.board[STATE] == LATE):
        return replace(task, entered={**task.entered, question: "late"})
    if (not question or question not in lost) and len(lost) + 1 < LOSSES:
        lost.append(question)
        return task
    if not question:
        raise BugError(
            f"a worker died {LOSSES} times in the same shard, last while nobody was asked (exit code {code})"
        )
    lost.clear()
    return replace(task, entered={**task.entered, question: "dead"})
