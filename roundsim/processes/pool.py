"""Our own work on several processes, without strategies in them."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from multiprocessing.connection import Connection, wait
from traceback import format_exc
from typing import Any, TypeVar, cast

from ..base.errors import BugError
from .memory import collect_seldom
from .start import context, obey, start_process

Item = TypeVar("Item")
Made = TypeVar("Made")


class ProcessPool:
    """Processes that work for us until the end of a `with`, `jobs` of them; with one job, this process alone works.

    Exceptions arrive as BugError. This process does the work of a process that has died."""

    def __init__(self, jobs: int) -> None:
        self.jobs, self.pipes, self.stack = jobs, list[Connection](), ExitStack()

    def __enter__(self) -> ProcessPool:
        for _ in range(self.jobs if self.jobs > 1 else 0):
            pipe, other = context.Pipe()
            process = start_process(pool_main, other)
            other.close()
            self.stack.callback(process.join)
            self.stack.callback(process.kill)
            self.pipes.append(pipe)
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()

    def as_ready(self, function: Callable[[Item], Made], items: Iterable[Item]) -> Iterator[Made]:
        """Yield the result of a function for each of these, as it is ready. Exhaust it before the next call."""
        if not self.pipes:
            yield from map(function, items)
            return
        left, busy = iter(items), dict[Connection, Item]()
        for pipe in self.pipes:
            send_next(pipe, left, busy, function)
        while busy:
            for ready in cast(list[Connection], wait([*busy])):
                item = busy.pop(ready)
                try:
                    made = ready.recv()
                except (EOFError, OSError):
                    made = function(item)
                if isinstance(made, BugError):
                    raise made
                send_next(ready, left, busy)
                yield made

    def in_order(self, function: Callable[[Item], Made], items: Iterable[Item]) -> Iterator[Made]:
        """Yield the same in the order of the items; what is ready too early is kept."""
        early, turn = dict[int, Made](), 0
        for at, made in self.as_ready(partial(with_number, function), enumerate(items)):
            early[at] = made
            while turn in early:
                yield early.pop(turn)
                turn += 1


def each(function: Callable[[Item], Made], items: Iterable[Item], jobs: int) -> Iterator[Made]:
    """Yield the result of a function for each of these, on `jobs` processes, as it is ready."""
    with ProcessPool(jobs) as pool:
        yield from pool.as_ready(function, items)


def run_in_order(function: Callable[[Item], Made], items: Iterable[Item], jobs: int) -> Iterator[Made]:
    """Yield the same in the order of the items."""
    with ProcessPool(jobs) as pool:
        yield from pool.in_order(function, items)


def with_number(function: Callable[[Item], Made], item: tuple[int, Item]) -> tuple[int, Made]:
    return item[0], function(item[1])


def send_next(pipe: Connection, left: Iterator[Item], busy: dict[Connection, Item], function: object = None) -> None:
    """Send the next item, if there is one, and another function before it. A process that has died shows by the end of
    its pipe."""
    for item in left:
        busy[pipe] = item
        with suppress(OSError):
            pipe.send((function, item))
        return


def pool_main(pipe: Connection) -> None:
    """Run in the process: receive a function, or None for the one before, and its argument, until the pipe ends."""
    obey()
    collect_seldom()
    function: Any = None
    with suppress(EOFError, OSError):
        while True:
            other, item = pipe.recv()
            function = other or function
            try:
                made = pickle.dumps(function(item))
            except Exception:
                made = pickle.dumps(BugError(format_exc()))
            pipe.send_bytes(made)
    os._exit(0)
