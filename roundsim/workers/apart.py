"""A function called in a process of its own, which may die of it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from traceback import format_exc
from typing import Any

import multiprocess
from multiprocess.connection import wait

from ..errors import BugError, RoundsimError
from ..streams import standing, written
from .local import GLANCE, fresh_interpreter, no_interruptions, no_main_module
from .wire import Heard, error_of, send, told
from .worker import INTERRUPTIONS, end_with_parent

_context = multiprocess.get_context("spawn")


def in_process(function: Callable[..., int], *arguments: Any) -> tuple[int | None, int]:
    """Call a function in a fresh process: what it returned, None if it died before; and the exit code.

    What it raised of ours is raised here; it ends with us."""
    ours, theirs = _context.Pipe(duplex=False)
    process = _context.Process(target=send_result, args=(theirs, function, arguments), daemon=True)
    with fresh_interpreter(), no_main_module(), no_interruptions():
        process.start()
    theirs.close()
    try:
        with ours:
            said = said_by(process, ours)
        process.join()
    except KeyboardInterrupt:
        process.kill()
        raise
    if "error" in said:
        raise error_of(said)
    result = said.get("result")
    return result if isinstance(result, int) else None, int(process.exitcode)


def said_by(process: Any, pipe: Any) -> dict[str, Any]:
    """What a process says; {} if it ends before, or says what is nothing of ours.

    Whether it has ended is asked of the system: a process that it has left behind may hold the pipe open."""
    heard, said = Heard(pipe.fileno()), dict[str, Any]()
    while not said:
        alive = process.is_alive()
        if wait([pipe], GLANCE):
            if (news := heard.read()) is None:
                break
            said = news
        elif not alive:
            break
    return said


def send_result(pipe: Any, function: Callable[..., int], arguments: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interruption is the parent's
    signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTIONS)
    end_with_parent()
    try:
        with standing(), written():
            said: dict[str, Any] = {"result": function(*arguments)}
    except RoundsimError as error:
        said = told(error)
    except Exception:
        said = told(BugError(format_exc()))
    with suppress(OSError):  # our parent may be gone
        send(pipe.fileno(), said)
    os._exit(0)  # whatever threads a strategy has left
