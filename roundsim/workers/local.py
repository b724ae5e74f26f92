"""Workers on this machine: processes with a pipe each, watched through their sentinels.

A worker that is killed, dies, or is stuck is noticed and replaced, and its shard played again with the fault entered at
the question at which it was lost."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

import multiprocess
from multiprocess import resource_tracker, util
from multiprocess.connection import wait

from ..errors import BugError
from ..tournament.conduct import STRIKES
from ..tournament.plan import Task, Tournament
from .wire import Heard, error_of
from .worker import INTERRUPTIONS, LATE, work

GLANCE = 0.25  # seconds between two looks at the workers
LOSSES = 5  # of workers over one shard, ever at other questions
_context = multiprocess.get_context("spawn")


class Worker:
    """A process, its pipe and its board, and the task that it is playing."""

    def __init__(self, tournament: Tournament, folder: str) -> None:
        self.board = _context.RawArray("q", 4)
        self.pipe, other = _context.Pipe()
        self.process = _context.Process(target=begin, args=(other, self.board), daemon=True)
        with fresh_interpreter(), no_main_module(), no_interruptions(), no_words():
            self.process.start()
            other.close()
            self.send((tournament, folder))
        self.task: Task | None = None
        self.given = 0  # tasks, so far
        self.heard = Heard(self.pipe.fileno())
        self.seen = (0, 0.0, 0.0)

    def give(self, task: Task) -> None:
        self.task, self.given, self.seen = task, self.given + 1, (0, 0.0, 0.0)
        self.board[0] = self.board[1] = 0
        self.send(task)

    def send(self, thing: Any) -> None:
        with suppress(OSError):  # it may have died: its sentinel tells
            self.pipe.send(thing)

    def stuck(self, limit: float) -> bool:
        """Whether the same question has been before a strategy for far too long, and the worker's own clock has not
        ended it: it is in C code."""
        question, cpu, now = self.board[0], cpu_seconds(self.process.pid), time.monotonic()
        if not question or question != self.seen[0]:
            self.seen = question, cpu, now
            return False
        return cpu - self.seen[1] > 3 * limit + 1 or now - self.seen[2] > 12 * limit + 5

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def begin(pipe: Any, board: Any) -> None:
    """In the worker: what is played comes through the pipe too, for there we do not wait for one that has died."""
    work(pipe, board, *pipe.recv())


def cpu_seconds(pid: int) -> float:
    """The CPU time of another process, where the system tells; 0 elsewhere."""
    if sys.platform != "linux":
        return 0.0
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0


@contextmanager
def fresh_interpreter() -> Iterator[None]:
    """Workers walk through a set in the same order, whatever the seed of this process is, also where it heeds nothing of
    its surroundings (python -E, -I); and a file of the current folder, a strategy called random.py, does not hide a
    module of the same name from them."""
    before, flags = os.environ.copy(), util._args_from_interpreter_flags
    if sys.flags.ignore_environment:
        for name in [name for name in before if name.startswith("PYTHON")]:
            del os.environ[name]
    os.environ.update(PYTHONHASHSEED="0", PYTHONSAFEPATH="1")
    kept = [flag for flag in flags() if flag not in ("-E", "-I")] + ["-s"] * sys.flags.no_user_site
    util._args_from_interpreter_flags = lambda: kept
    try:
        yield
    finally:
        util._args_from_interpreter_flags = flags
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def no_interruptions() -> Iterator[None]:
    """A worker is started whole, and does not hear of Ctrl-C before it has left it to us (`worker.settle_in`)."""
    signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTIONS)
    try:
        with no_words():  # it would tell of what a strategy writes into its pipe
            resource_tracker.ensure_running()
            signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTIONS)  # again: to start it lifts our block
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTIONS)


@contextmanager
def no_words() -> Iterator[None]:
    """What a worker says goes nowhere from the first: if we are killed while it starts it would complain of that."""
    try:
        said, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    except OSError:  # nobody listens anyway
        yield
        return
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(said, 2)
        os.close(said)
        os.close(nowhere)


@contextmanager
def no_main_module() -> Iterator[None]:
    """A worker needs nothing of the program it was started from, which may have no `if __name__ == "__main__"`."""
    names: dict[str, Any] = vars(sys.modules["__main__"])
    kept = {name: names[name] for name in names.keys() & {"__file__", "__spec__"}}
    names.pop("__file__", None)
    names["__spec__"] = None
    try:
        yield
    finally:
        names.update(kept)


def play(tournament: Tournament, folder: str, tasks: Iterator[Task], jobs: int) -> Iterator[Task | None]:
    """Play all tasks on so many processes; each task as it is finished, None at every glance.

    A RoundsimError that a worker could not get over is raised here; however this ends, no worker is left."""
    again: deque[Task] = deque()
    workers: list[Worker] = []
    losses: dict[tuple[int, int], list[int]] = {}
    limit = tournament.limits.seconds

    def next_task() -> Task | None:
        return again.popleft() if again else next(tasks, None)

    try:
        while True:
            while len(workers) < jobs and (task := next_task()):
                workers.append(Worker(tournament, folder))
                workers[-1].give(task)
            if not workers:
                return
            ready = wait([each.pipe for each in workers] + [each.process.sentinel for each in workers], timeout=GLANCE)
            for worker in list(workers):
                task = worker.task
                assert task
                said = worker.heard.read() if worker.pipe in ready else {}
                if said and "error" in said:
                    raise error_of(said)
                if said and "done" in said:
                    yield task
                    if more := next_task():
                        worker.give(more)
                        continue
                elif said and (next_try := after_word(worker, task, said)):
                    again.append(next_try)
                elif said != {} or not worker.process.is_alive() or worker.stuck(limit):
                    lost = losses.setdefault((task.entry, task.first), [])
                    again.append(after_loss(worker, task, said == {}, lost))
                else:
                    continue
                worker.end()
                workers.remove(worker)
            yield None
    finally:
        for worker in workers:
            worker.end()


def seated(task: Task) -> set[int]:
    """The entrants who play in a shard."""
    return set().union(*task.seatings)


def after_word(worker: Worker, task: Task, said: dict[str, Any]) -> Task | None:
    """The task to be played again in a fresh process; None for what no worker of ours says.

    If memory was full it is first found out who keeps it; then it is played without him, so that nothing hangs on the
    moment at which memory ended.  The questions are numbered anew."""
    if "stale" in said and worker.given > 1:
        return task
    entrant = said.get("hoard")
    if type(entrant) is not int or entrant not in seated(task) - task.without:
        return None
    if not task.weighed:
        return replace(task, entered={}, weighed=True)
    return replace(task, entered={}, weighed=False, without=task.without | {entrant})


def after_loss(worker: Worker, task: Task, sane: bool, lost: list[int]) -> Task:
    """The task to be played again after its worker was lost: at a question, or at none, 0.  `lost`: where that was before.

    A worker may be killed from outside.  So the strategy that was asked has died, and that is entered, only when a worker
    is lost at the same question again; or, since it may die ever at another one, with the last of so many losses."""
    question, code = worker.board[0], worker.process.exitcode
    if question in task.entered or len(task.entered) > sum(STRIKES.values()) * len(seated(task)):
        question = 0  # the board lies: that is entered, or all are barred by now
    if question and (sane and worker.process.is_alive() or worker.board[1] == LATE):
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
