"""A function called in a separate process, which may die of it."""

from __future__ import annotations

import math
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from multiprocessing.connection import Connection, wait
from time import monotonic, sleep
from traceback import format_exc
from typing import Any, Self

from ..base.errors import BugError, RoundsimError, printable
from ..base.streams import check_written, standard_streams
from .descendants import none_left
from .lines import LineReader, error_from_json, error_to_json, send
from .memory import all_memory
from .start import Stopwatch, context, obey, part_from_parent, start_process

GLANCE = 0.25  # seconds between two looks at a process
SHOWN = 1 << 18  # bytes that a process prints and that are shown


class ProcessLostError(Exception):
    """A process that was lost before it had sent everything: `code`, its exit code, -9 if killed; None if we ended it
    because it was silent for too long, or sent something that is not ours."""

    def __init__(self, code: int | None, silent: bool = False) -> None:
        super().__init__(code, silent)
        self.code, self.silent = code, silent


def each_said(
    function: Callable[..., Iterator[Any]],
    *arguments: Any,
    seconds: float = math.inf,
    silent: bool = False,
    around: Mapping[str, str] | None = None,
) -> Iterator[Any]:
    """Yield what a function yields in a fresh process, plain data, as it is sent. It must not pause for longer than
    `seconds`. `silent`, `around`: see `start_process`. Prints, unless it is silent, are shown (see `Prints`).
    ProcessLostError; our own exceptions are raised here again. The process ends with us, and its children end with
    it."""
    ours, theirs = context.Pipe()
    with none_left(), ours, Prints() as prints:
        with nullcontext() if silent else prints.taken():
            process = start_process(say_each, theirs, function, arguments, silent=silent, around=around)
        theirs.close()
        try:
            for said in lines_from_child(process, ours, seconds, prints):
                if "error" in said:
                    raise error_from_json(said)
                if "said" not in said:
                    return
                yield said["said"]
                if "waits" in said:
                    with suppress(OSError):
                        os.write(ours.fileno(), b".")
        finally:
            end(process)
            prints.show_rest()


class Prints:
    """The prints of a third-party process, on standard output and error: shown line by line, up to a limit."""

    def __init__(self) -> None:
        self.read, self.write = os.pipe()
        os.set_blocking(self.read, False)
        self.shown, self.count, self.tail = 0, 0, ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        for handle in {self.read, self.write} - {-1}:
            os.close(handle)

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Capture the prints of a process that starts here."""
        sys.stdout.flush()
        sys.stderr.flush()
        before = [os.dup(stream) for stream in (1, 2)]
        try:
            for stream in 1, 2:
                os.dup2(self.write, stream)
            yield
        finally:
            for stream, kept in enumerate(before, 1):
                os.dup2(kept, stream)
                os.close(kept)

    def show(self) -> bool:
        """Show what has arrived; return whether anything has."""
        try:
            came = os.read(self.read, 1 << 16)
        except BlockingIOError:
            return False
        room = max(0, SHOWN - self.count)
        self.count += len(came)
        *lines, self.tail = (self.tail + came[:room].decode(errors="replace")).split("\n")
        self.echo(lines)
        return True

    def show_rest(self) -> None:
        """Show what is left when the process has ended, and how much was not shown."""
        while self.show():
            pass
        self.echo([self.tail] * bool(self.tail))
        if self.count > SHOWN:
            self.echo([f"... and {self.count - SHOWN} more bytes"])

    def echo(self, lines: Sequence[str]) -> None:
        for line in lines:
            print(f"  | {printable(line)}", flush=True)


def not_in_child(said: Any) -> None:
    raise AssertionError("not in a separate process")


# In such a process: say something between the yields of its function, and wait until it is read, so that it is in its
# place among what is printed.
speak: Callable[[Any], None] = not_in_child


def lines_from_child(process: Any, pipe: Any, seconds: float, prints: Prints) -> Iterator[dict[str, Any]]:
    """Yield what a process sends. ProcessLostError when it ends, is silent, or sends something that is not ours.

    The system says whether it has ended: a process that it has left behind may hold the pipe open."""
    heard, since = LineReader(pipe.fileno()), None
    while True:
        alive = process.is_alive()
        ready = [] if heard.ready else wait([pipe, prints.read], GLANCE)
        if prints.read in ready:
            prints.show()
        if heard.ready or pipe in ready:
            said = heard.line() if heard.ready else heard.read()
            if said is None and not heard.ended:
                raise ProcessLostError(None)
            if said is None:
                break
            while prints.show():  # what it had printed before it said this
                pass
            if said:
                yield said
                since = Stopwatch(process.pid)
        elif not alive:
            break
        elif since and since.wall() > seconds:
            raise ProcessLostError(None, silent=True)
    end = monotonic() + 4 * GLANCE  # the pipe ends a moment before
    while process.is_alive() and monotonic() < end:  # `join` would ask a descriptor that the process has parted from
        sleep(GLANCE / 25)
    raise ProcessLostError(process.exitcode)


def end(process: Any) -> None:
    """End the process with its group, which is its own."""
    if process.exitcode is None:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()
    process.join()


def say_each(pipe: Any, function: Callable[..., Iterator[Any]], arguments: tuple[Any, ...]) -> None:
    os.setsid()
    obey()
    part_from_parent(*[each.fileno() for each in (pipe, *arguments) if isinstance(each, Connection)])
    said: dict[str, Any] = {"end": True}

    def say(each: Any, **more: bool) -> None:
        with all_memory():
            send(pipe.fileno(), {"said": each, **more})

    def say_and_wait(each: Any) -> None:
        say(each, waits=True)
        os.read(pipe.fileno(), 1)

    global speak
    speak = say_and_wait
    try:
        with standard_streams(), check_written():
            for each in function(*arguments):
                say(each)
    except RoundsimError as error:
        said = error_to_json(error)
    except Exception:
        said = error_to_json(BugError(format_exc()))
    with suppress(OSError), all_memory():  # our parent may be gone
        send(pipe.fileno(), said)
    os._exit(0)  # whatever threads a strategy has left
