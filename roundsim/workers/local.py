"""Workers on this machine: processes with a pipe each, watched through their sentinels.

A worker that is killed, dies, or is stuck is noticed and replaced, and its shard played again with the fault entered at
the question at which it was lost."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from traceback import format_exc
from typing import Any

import multiprocess
from multiprocess import resource_tracker
from multiprocess.connection import wait

from ..errors import BugError, RoundsimError
from ..tournament.plan import Task, Tournament
from ..tournament.tally import Tally
from .worker import INTERRUPTIONS, LATE, work

GLANCE = 0.25  # seconds between two looks at the workers
_context = multiprocess.get_context("spawn")


class Worker:
    """A process, its pipe and its board, and the task that it is playing."""

    def __init__(self, tournament: Tournament, folder: str) -> None:
        self.board = _context.RawArray("q", 4)
        self.pipe, other = _context.Pipe()
        self.process = _context.Process(target=work, args=(other, self.board, tournament, folder), daemon=True)
        with fresh_interpreter(), no_main_module(), no_interruptions(), no_words():
            self.process.start()
        other.close()
        self.task: Task | None = None
        self.seen = (0, 0.0, 0.0)

    def give(self, task: Task) -> None:
        self.task, self.seen = task, (0, 0.0, 0.0)
        self.board[0] = self.board[1] = 0
        with suppress(OSError):  # it may have died: its sentinel tells
            self.pipe.send(task)

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
    """Workers walk through a set in the same order, whatever the seed of this process is; and a file of the current
    folder, a strategy called random.py, does not hide a module of the same name from them."""
    before = os.environ.copy()
    os.environ.update(PYTHONHASHSEED="0", PYTHONSAFEPATH="1")
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def no_interruptions() -> Iterator[None]:
    """A worker is started whole, and does not hear of Ctrl-C before it has left it to us (`worker.settle_in`)."""
    resource_tracker.ensure_running()  # it would lift our block when it is started with the first worker
    signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTIONS)
    try:
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


def in_process(function: Callable[..., int], *arguments: Any) -> tuple[int | None, int]:
    """Call a function in a fresh process: what it returned, None if it died before; and the exit code.

    What it raised of ours is raised here; it ends with us."""
    pipe, other = _context.Pipe()
    process = _context.Process(target=send_result, args=(other, function, arguments))
    with fresh_interpreter(), no_main_module():
        process.start()
    other.close()
    result = None
    try:
        with suppress(EOFError):
            result = pipe.recv()
    except KeyboardInterrupt:
        process.kill()
        raise
    except OSError:
        pass
    process.join()
    if isinstance(result, Exception):
        raise result
    return result, int(process.exitcode)


def send_result(pipe: Any, function: Callable[..., int], arguments: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interruption is the parent's
    try:
        try:
            pipe.send(function(*arguments))
        except (RoundsimError, OSError) as error:
            pipe.send(error)
        except Exception:
            pipe.send(BugError(format_exc()))
    except BrokenPipeError:  # the reader of what it prints has had enough, as our parent finds, too
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def play(tournament: Tournament, folder: str, tasks: Iterator[Task], jobs: int) -> Iterator[tuple[Task, Tally] | None]:
    """Play all tasks on so many processes; each task with its tally as it is finished, None at every glance.

    A RoundsimError that a worker could not get over is raised here; however this ends, no worker is left."""
    again: deque[Task] = deque()
    workers: list[Worker] = []
    lost_idle: set[tuple[int, int]] = set()
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
                reply = None
                if worker.pipe in ready:
                    with suppress(EOFError, OSError):
                        reply = worker.pipe.recv()
                if reply and reply[0] == "done":
                    yield task, Tally.from_json(reply[1])
                    if more := next_task():
                        worker.give(more)
                    else:
                        worker.end()
                        workers.remove(worker)
                elif reply and reply[0] == "failed":
                    raise reply[1]
                elif reply or not worker.process.is_alive() or worker.stuck(limit):
                    again.append(after_reply(task, *reply) if reply else after_loss(worker, task, lost_idle))
                    worker.end()
                    workers.remove(worker)
            yield None
    finally:
        for worker in workers:
            worker.end()


def after_reply(task: Task, what: str, entrant: int = 0) -> Task:
    """The task to be played again in a fresh process.  If memory was full it is first found out who keeps it; then it is
    played without him, so that nothing hangs on the moment at which memory ended.  The questions are numbered anew."""
    if what == "stale":
        return task
    if not task.weighed:
        return replace(task, entered={}, weighed=True)
    return replace(task, entered={}, weighed=False, without=task.without | {entrant})


def after_loss(worker: Worker, task: Task, lost_idle: set[tuple[int, int]]) -> Task:
    """The task to be played again after its worker was lost, with the fault entered where it happened."""
    question = worker.board[0]
    if question:
        late = worker.process.is_alive() or worker.board[1] == LATE
        return replace(task, entered={**task.entered, question: "late" if late else "dead"})
    if (task.entry, task.first) in lost_idle:
        raise BugError(
            f"a worker died twice in the same shard while no strategy was asked (exit code {worker.process.exitcode})",
        )
    lost_idle.add((task.entry, task.first))
    return task
