"""Worker processes that start before it is known what they play, so that they load in the meantime."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from ..base.errors import ResourceError
from ..processes import start
from ..refereeing.board import CELLS


class WorkerProcess:
    """A process, its pipe and its board."""

    def __init__(self) -> None:
        try:
            self.board = start.context.RawArray("q", CELLS)
        except OSError as error:  # it has no name while its size is set
            error.filename = error.filename or "shared memory in /dev/shm or TMPDIR"
            raise
        self.pipe, other = start.context.Pipe()
        self.process: Any = start.start_process(start_worker, other, self.board)
        other.close()

    def send(self, thing: Any) -> None:
        with suppress(OSError):  # it may have died: its sentinel tells
            self.pipe.send_bytes(pickle.dumps(thing))

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def start_worker(pipe: Any, board: Any) -> None:
    """Run in the worker. The task comes through the pipe too, because there we do not wait for a worker that has
    died."""
    from .worker import worker_loop

    worker_loop(pipe, board, *pickle.loads(pipe.recv_bytes()))


@contextmanager
def start_spare_workers(many: int) -> Iterator[list[WorkerProcess]]:
    """Provide `many` workers that wait. At the end, those that are still in the list are ended."""
    spares = list[WorkerProcess]()
    try:
        with suppress(OSError, ResourceError):  # then it starts when it is needed, and the error is shown there
            for _ in range(many):
                spares.append(WorkerProcess())
        yield spares
    finally:
        for spare in spares:
            spare.end()
