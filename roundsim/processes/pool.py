"""Our own work on several processes, without strategies in them."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from multiprocessing.connection import wait
from traceback import format_exc
from typing import Any, TypeVar, cast

from ..base.errors import BugError
from .memory import collect_seldom
from .start import context, obey, start_process

Item = TypeVar("Item")
Made = TypeVar("Made")


def each(function: Callable[[Item], Made], items: Iterable[Item], jobs: int) -> Iterator[Made]:
    """Yield the result of a function for each of these, on `jobs` processes, as it is ready; with one job, in this
    process.

    Exceptions arrive as BugError. This process does the work of a process that has died."""
    if jobs < 2:
        yield from map(function, items)
        return
    left, busy = iter(items), dict[Any, Item]()
    with ExitStack() as stack:
        for _ in range(jobs):
            pipe, other = context.Pipe()
            process = start_process(pool_main, other)
            other.close()
            stack.callback(process.join)
            stack.callback(process.kill)
            with suppress(OSError):
                pipe.send(function)
            send_next(pipe, left, busy)
        while busy:
            for ready in wait([*busy]):
                item = busy.pop(ready)
                try:
                    made = cast(Any, ready).recv()
                except (EOFError, OSError):
                    made = function(item)
                if isinstance(made, BugError):
                    raise made
                send_next(ready, left, busy)
                yield made


def run_in_order(function: Callable[[Item], Made], items: Iterable[Item], jobs: int) -> Iterator[Made]:
    """Yield the same in the order of the items; what is ready too early is kept."""
    early, turn = dict[int, Made](), 0
    for at, made in each(partial(with_number, function), enumerate(items), jobs):
        early[at] = made
        while turn in early:
            yield early.pop(turn)
            turn += 1


def with_number(function: Callable[[Item], Made], item: tuple[int, Item]) -> tuple[int, Made]:
    return item[0], function(item[1])


def send_next(pipe: Any, left: Iterator[Item], busy: dict[Any, Item]) -> None:
    """Send the next item, if there is one. A process that has died shows by the end of its pipe."""
    for item in left:
        busy[pipe] = item
        with suppress(OSError):
            pipe.send(item)
        return


def pool_main(pipe: Any) -> None:
    """Run in the process: receive a function, then its arguments one by one, until the pipe ends."""
    obey()
    collect_seldom()
    with suppress(EOFError, OSError):
        function = pipe.recv()
        while True:
            item = pipe.recv()
            try:
                made = pickle.dumps(function(item))
            except Exception:
                made = pickle.dumps(BugError(format_exc()))
            pipe.send_bytes(made)
    os._exit(0)
