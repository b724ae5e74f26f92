"""Guest launchers seen from the worker: processes in a sandbox that start guests (`launcher_main.py`).

Each source of strategies has its own, so that no guest reads another's files."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self

from ..base.errors import SPARE, BugError, PluginError, ResourceError, shortage_of
from ..native import VARIABLE
from ..processes.lines import LineReader
from ..processes.signals import children_reported
from ..processes.start import cpu_seconds
from . import launcher_main
from .kinds import Sandbox
from .paths import folders_between, outermost, shared_paths

STARTED = 600  # seconds for a guest to start: only our own code runs, and a busy machine may take its time
GLANCE = 0.25  # seconds between two looks at the guest launcher while its guest is silent
SILENT = "a guest was not started: its launcher is lost, or silent"
ENDED = 5  # seconds for a guest launcher to end by itself
SYSTEM = "/usr/local/bin", "/usr/bin", "/bin"
ALONE = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB_MAXIMUM", "RAYON")  # a guest counts on one thread
KEPT = VARIABLE, "LD_LIBRARY_PATH", "PYTHONHOME"  # by which the interpreter is found and configured
COMMAND = ("-P", "-s", "-c", f"from {launcher_main.__name__} import main; main()")


@dataclass
class GuestProcess:
    """A guest: the socket to speak to it, and its process, as we number it; `pidfd` -1 if there is none.

    `launcher`: the launcher that has started it and calls it `number`. `prints`: the last that it printed, once it has
    ended, if that is shown."""

    sock: socket.socket
    pid: int
    pidfd: int
    launcher: GuestLauncher | None = None
    number: int = 0
    prints: str = ""

    def cpu(self) -> float:
        """Return the seconds of CPU that it has used."""
        return cpu_seconds(self.pid)

    def peak(self) -> int | None:
        """Return the most bytes that its memory has ever had; None if the system does not report it, and once it is
        gone."""
        with suppress(OSError, ValueError, IndexError):
            status = Path(f"/proc/{self.pid}/status").read_bytes()
            return int(status.split(b"VmPeak:")[1].split()[0]) << 10
        return None

    def exit_code(self, seconds: float) -> int | None:
        """Wait until it has ended, at most these seconds. Returns its exit code, -11 if signal 11 has killed it; None if
        it lives, or its launcher is lost."""
        if self.launcher is None:
            return None
        code, self.prints = self.launcher.how_ended(self.number, seconds)
        return code

    def kill(self) -> None:
        """Kill it, whatever it does. If it is gone already, no other process is hit."""
        with suppress(OSError):
            if self.pidfd >= 0:
                signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
            else:
                os.kill(self.pid, signal.SIGKILL)

    def end(self) -> None:
        self.kill()
        self.sock.close()
        if self.pidfd >= 0:
            os.close(self.pidfd)
            self.pidfd = -1


class GuestLauncher:
    """A guest launcher in a sandbox.

    Its guests read their `own`, sources each with its data, the system and ours; nothing else in the folders that we
    play from and that are `hidden`. `serves`: the module that asks them; `programs`: where other programs lie;
    `executed`: the file of the program that they become, if they do. `folder`: the one in which they are, by default the
    root."""

    def __init__(
        self,
        seal: Sandbox,
        own: Sequence[Sequence[Path]],
        serves: str,
        hidden: Iterable[str | Path] = (),
        programs: Sequence[str] = SYSTEM,
        executed: str = "",
        folder: str = "",
    ) -> None:
        self.folder, self.sealed = folder, bool(seal.name)
        paths = outermost([*shared_paths(hidden), *(os.path.abspath(path) for source in own for path in source)])
        listed = sorted(str(folder) for source in own for folder in folders_between(source))
        self.sock, other = socket.socketpair()
        with other, shortage_of("a guest launcher"), children_reported():
            self.process = subprocess.Popen(
                seal.words([sys.executable, *COMMAND], paths, executed, folder),
                env=self.environment(programs),
                stdin=other.fileno(),
                stdout=subprocess.DEVNULL,
                cwd="/",
                start_new_session=True,
            )
        self.say({"seal": seal.name, "paths": paths, "listed": listed, "serves": serves})

    def environment(self, programs: Sequence[str]) -> dict[str, str]:
        return {**surroundings(), "PATH": os.pathsep.join(programs)}

    def say(self, line: Mapping[str, Any], *handles: int) -> None:
        data = json.dumps(line).encode() + b"\n"
        with suppress(OSError):  # it may have died: its guest will not come
            sent = socket.send_fds(self.sock, [data], [*handles]) if handles else 0
            self.sock.sendall(data[sent:])

    def begin(self, request: Mapping[str, Any], *handles: int) -> GuestProcess:
        """Start a guest, locked in. It gets these descriptors, too.

        PluginError if its files are not available, ResourceError if no process is; BugError if the guest launcher is
        lost."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                if sys.platform == "linux":
                    ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
                self.say({**request, "handles": len(handles)}, theirs.fileno(), *handles)
            self.wait_for(ours)
            ours.settimeout(STARTED)
            pid, number = peer_pid(ours)
            if sys.platform == "linux":
                ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
            ours.settimeout(None)
            pidfd = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else -1
            return GuestProcess(ours, pid, pidfd, self, number)
        except BaseException:
            ours.close()
            raise

    def wait_for(self, guest: socket.socket) -> None:
        """Wait until it greets; not for long if the launcher has ended and left a sleeping process that holds its
        socket."""
        end = time.monotonic() + STARTED
        while not select.select([guest], [], [], GLANCE)[0]:
            if self.process.poll() is not None or time.monotonic() > end:
                raise BugError(SILENT)

    def how_ended(self, number: int, seconds: float) -> tuple[int | None, str]:
        """Return the exit code of a guest, and the last that it printed, as the launcher reports them; None and nothing if
        it has ended."""
        if self.sock.fileno() < 0:
            return None, ""
        self.say({"ended": number, "within": seconds})
        reader, end = LineReader(self.sock.fileno()), time.monotonic() + seconds + STARTED
        while select.select([self.sock], [], [], max(end - time.monotonic(), 0))[0]:
            if (report := reader.read()) is None:
                break
            if report:
                return report["code"], report["prints"]
        return None, ""

    def end(self) -> None:
        """End the launcher with all its guests."""
        self.sock.close()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(ENDED)
        self.process.kill()
        self.process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.end()


def peer_pid(sock: socket.socket) -> tuple[int, int]:
    """Return the number of the process at the other end, the one that the system reports, if it does; and its number in
    there."""
    size, room = launcher_main.GREETING.size, socket.CMSG_SPACE(12)
    try:
        greeting, ancillary, _, _ = sock.recvmsg(size, room, socket.MSG_WAITALL)
        word, number = launcher_main.GREETING.unpack(greeting)
    except (OSError, ValueError, struct.error):
        raise BugError(SILENT) from None
    if word != b"+":
        why = sock.makefile(errors="replace").read()
        if word == b"!":
            raise ResourceError(f"a guest cannot be started: {why}; {SPARE}")
        raise PluginError(f"a guest was not started: {why}")
    pid = number
    for _, _, credentials in ancillary:
        pid = int.from_bytes(credentials[:4], sys.byteorder)
    return int(pid), int(number)


@cache
def surroundings() -> dict[str, str]:
    """Return the environment of sandboxed processes: nothing of ours except where modules lie."""
    fixed = {"PATH": os.pathsep.join(SYSTEM), "PYTHONDONTWRITEBYTECODE": "1", "LANG": "C.UTF-8"}
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return {**modules(), **fixed, **kept, **{f"{library}_NUM_THREADS": "1" for library in ALONE}}


def modules() -> dict[str, str]:
    """Return the variables by which an interpreter finds the modules that we find, and orders sets as all ours do."""
    places = [os.path.abspath(path) for path in sys.path if path]
    return {"PYTHONPATH": os.pathsep.join(places), "PYTHONHASHSEED": "0", "PYTHONSAFEPATH": "1"}
