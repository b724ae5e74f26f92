"""Functions of ours that run third-party code, called in a guest: it may die of that, and its answers are plain data."""

from __future__ import annotations

import math
import os
import pickle
import select
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from ..base.errors import printable
from ..processes.descendants import none_left
from ..processes.lines import LineReader, error_from_json
from ..processes.start import Stopwatch
from .kinds import Sandbox
from .launchers import GuestLauncher, GuestProcess, modules

GLANCE = 0.25  # seconds between two looks at a guest
SHOWN = 1 << 18  # bytes that a guest prints and that are shown
SERVES = "roundsim.sandbox.called"


class GuestEndedError(Exception):
    """A guest that was lost before it had sent everything: `code`, its exit code, -9 if killed; None if we ended it
    because it was silent for too long, or sent something that is not ours."""

    def __init__(self, code: int | None, silent: bool = False) -> None:
        super().__init__(code, silent)
        self.code, self.silent = code, silent


class Prints:
    """The prints of a guest, on standard output and error: shown line by line, up to a limit."""

    def __init__(self) -> None:
        self.read, self.write = os.pipe()
        os.set_blocking(self.read, False)
        self.count, self.tail = 0, ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        """Show what is left when the guest has ended, and how much was not shown."""
        self.show()
        self.echo([self.tail] if self.tail else [])
        if self.count > SHOWN:
            self.echo([f"... and {self.count - SHOWN} more bytes"])
        for handle in self.read, self.write:
            os.close(handle)

    def show(self) -> None:
        """Show what has arrived."""
        with suppress(BlockingIOError):
            while True:
                came = os.read(self.read, 1 << 16)
                room = max(0, SHOWN - self.count)
                self.count += len(came)
                *lines, self.tail = (self.tail + came[:room].decode(errors="replace")).split("\n")
                self.echo(lines)

    def echo(self, lines: Sequence[str]) -> None:
        for line in lines:
            print(f"  | {printable(line)}", flush=True)


class CallLauncher(GuestLauncher):
    """A launcher whose guests call functions of ours, in our current folder. Without a sandbox they have our environment,
    and only their memory is limited."""

    def environment(self, programs: Sequence[str]) -> dict[str, str]:
        return super().environment(programs) if self.sealed else {**os.environ, **modules()}

    def call(
        self,
        function: Callable[..., object],
        *arguments: Any,
        memory: int,
        threads: bool = False,
        seconds: float = math.inf,
        prints: Prints | None = None,
        more: Sequence[int] = (),
    ) -> Iterator[Any]:
        """Start a guest, and return an iterator over what the function yields in it, plain data, as it is sent.

        `memory`: its limit in MB; `threads`: it may start them. It must not pause for longer than `seconds`. `prints`: they
        are shown; otherwise they are discarded. `more`: descriptors that it gets, after GUEST_SOCKET. The iterator raises
        GuestEndedError, and our own exceptions that the function raises. PluginError, ResourceError, BugError."""
        request = {"memory": memory, "threads": threads, "folder": self.folder, "module": function.__module__}
        request["call"] = pickle.dumps((function, arguments)).decode("latin-1")
        handles = [prints.write, *more] if prints else [*more]
        guest = self.begin({**request, "prints": prints is not None}, *handles)
        return self.answers(guest, seconds, prints)

    def answers(self, guest: GuestProcess, seconds: float, prints: Prints | None) -> Iterator[Any]:
        try:
            for line in self.lines(guest, seconds, prints):
                if "error" in line:
                    raise error_from_json(line)
                if "said" not in line:
                    return
                yield line["said"]
                if "waits" in line:
                    with suppress(OSError):
                        guest.sock.send(b".")
        finally:
            guest.end()

    def lines(self, guest: GuestProcess, seconds: float, prints: Prints | None) -> Iterator[dict[str, Any]]:
        """Yield the lines of a guest. GuestEndedError when it ends, is silent, or sends something that is not ours.

        The launcher says whether it has ended: a process that it has left behind may hold the socket open."""
        sock = guest.sock.fileno()
        reader, since, watched = LineReader(sock), Stopwatch(guest.pid), [sock, *([prints.read] if prints else [])]
        over = False
        while True:
            ready = [] if reader.ready else select.select(watched, [], [], 0 if over else GLANCE)[0]
            if prints and prints.read in ready:
                prints.show()
            if reader.ready or sock in ready:
                line = reader.line() if reader.ready else reader.read()
                if line is None and not reader.ended:
                    raise GuestEndedError(None)
                if line is None:
                    break
                if prints:
                    prints.show()  # what it had printed before it sent this
                if line:
                    yield line
                    since = Stopwatch(guest.pid)
            elif over and not ready:
                break
            elif not ready and (guest.exit_code(0) is not None or self.process.poll() is not None):
                over = True  # what it sent last may have arrived since we looked
            elif since.wall() > seconds:
                raise GuestEndedError(None, silent=True)
        raise GuestEndedError(guest.exit_code(4 * GLANCE))


@contextmanager
def launcher_of_calls(seal: Sandbox, own: Sequence[Sequence[Path]]) -> Iterator[CallLauncher]:
    """Provide a launcher for functions that run these sources, each with its data. At the end, nothing that its guests
    have started is left. ResourceError."""
    with none_left(), CallLauncher(seal, own, SERVES, folder=current_folder()) as launcher:
        yield launcher


def current_folder() -> str:
    """Return our current folder; "/" if it is not there any more."""
    with suppress(FileNotFoundError):
        return os.getcwd()
    return "/"
