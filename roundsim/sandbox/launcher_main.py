"""The guest launcher: our process inside the sandbox that starts guests.

It has loaded our modules once. Each guest is a fork of it that gives up everything, locks itself, and only then reads
third-party files. Its standard input is a Unix socket on which the worker speaks, a line of JSON each:

    {"seal": "landlock", "paths": ["/usr", ...],       first of all: the seal, what guests may read,
     "listed": ["/home/ann/data"]}                     folders that they may list
    {"game": "nap", "memory": 1024, "shown": false,    start a guest; its own socket comes with the request,
     "threads": false, "handles": 0,                   and as many other descriptors
     "command": ["./bot", "--depth", "3"], "folder": "/home/ann/bot", ...}
    {"ended": 7, "within": 13.0}                       how did guest 7 end?

The answer to the last is `{"ended": 7, "code": 3, "prints": ""}` on the same socket: the exit code, -11 if signal 11 has
killed it, null if it has not ended within these seconds; and the end of what it printed, if its prints are shown.

Guests that are programs have `command` and `folder`, and may always start threads. Those that call a function of ours
(`called.py`) have `call` and `folder`, and print to the first of the other descriptors if they have `prints`. The
other keys of a request are for the module that serves. The guest sends `GREETING` on its socket when it is locked: "+"
and the number of its process inside the sandbox. If no guest starts, it sends why, up to the end: after "!" if the
system has no process, memory or descriptor to spare, else after "-". The launcher ends with its socket, and its guests
end with it."""

from __future__ import annotations

import ctypes
import errno
import gc
import json
import os
import resource
import select
import signal
import socket
import struct
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn

from ..base.errors import clean, is_shortage
from ..processes.lines import send
from ..processes.memory import limit_memory
from ..processes.signals import clear_inherited
from . import landlock, privileges, probe, seccomp
from .privileges import set_hard_limit

GREETING = struct.Struct("=cI")
GUEST_SOCKET = 3  # the descriptor on which a guest speaks, until its program starts
MOST_HANDLES = 3  # that come with a request
OPEN = 256  # descriptors of a guest launcher
SHOWN = 1 << 16  # bytes that guests print and that are shown
LAST = 1 << 12  # bytes that a guest has printed last
TICK = 0.02  # seconds between two looks at a guest that is about to end
RESERVED = 1 << 30  # bytes that the runtimes of other languages keep free in their space, and do not use
SIGNALS = 256  # that may wait for a guest
PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4
NOT_STARTED = {  # why a program is not executed, where the system's words say too little
    errno.ENOEXEC: "it is no program of this system, and its first line does not name an interpreter after #!",
    errno.ENOENT: "the interpreter in its first line, or the loader of its libraries, is not there",
}


def main() -> None:
    clear_inherited()
    launcher = Launcher(socket.socket(fileno=os.dup(0)))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in 0, 1:
        os.dup2(nowhere, stream)
    launcher.serve()
    os._exit(0)


class Launcher:
    """The guests that were started here. Their prints pass through this process."""

    def __init__(self, control: socket.socket) -> None:
        die_with_parent(os.getppid())
        set_hard_limit(resource.RLIMIT_NOFILE, OPEN)
        self.pid, self.control, self.come, self.handles = os.getpid(), control, b"", list[int]()
        self.guests, self.codes = set[int](), dict[int, int]()  # those that live; the exit codes of the others
        self.prints, self.last = dict[int, int](), dict[int, bytes]()  # whose pipe it is; what each has printed last
        self.seal, self.rules, self.tasks, self.printed = "", -1, 0, 0
        self.path = os.environ.get("PATH", os.defpath)

    def serve(self) -> None:
        """Start guests as they are requested, until the socket ends."""
        if (settings := self.line()) is None:
            return
        self.seal = settings["seal"]
        self.rules = probe.rules_for(self.seal, settings["paths"], settings["listed"])
        if self.seal:
            self.tasks = privileges.most_tasks(alone=self.seal == "bubblewrap")
        self.shim = import_module(settings["serves"])  # most of what a guest needs, before there is one
        while (request := self.line()) is not None:
            self.reap()
            if "ended" in request:
                self.report_end(request["ended"], request["within"])
            else:
                self.begin(request, [self.handles.pop(0) for _ in range(1 + request["handles"])])
        for pid in self.guests:
            os.kill(pid, signal.SIGKILL)
        while self.prints:
            self.relay()

    def line(self) -> dict[str, Any] | None:
        """Return the next request of the worker; None if the worker is gone."""
        while b"\n" not in self.come:
            if self.control not in self.relay(self.control):
                continue
            came, handles, _, _ = socket.recv_fds(self.control, 1 << 16, MOST_HANDLES)
            if not came:
                return None
            self.come, self.handles = self.come + came, self.handles + handles
        line, _, self.come = self.come.partition(b"\n")
        request: dict[str, Any] = json.loads(line)
        return request

    def relay(self, *others: socket.socket, seconds: float | None = None) -> list[Any]:
        """Wait until there is something to read, at most these seconds; pass on what guests print."""
        watched: list[Any] = [*others, *self.prints]
        ready = select.select(watched, [], [], seconds)[0]
        for pipe in self.prints.keys() & {*ready}:
            if printed := os.read(pipe, 1 << 16):
                self.show(printed)
                self.last[self.prints[pipe]] = (self.last.get(self.prints[pipe], b"") + printed)[-LAST:]
            else:
                del self.prints[pipe]
                os.close(pipe)
        return ready

    def show(self, printed: bytes) -> None:
        """Show what a guest prints, cleaned, up to a limit."""
        room, self.printed = max(0, SHOWN - self.printed), self.printed + len(printed)
        for line in clean(printed[:room].decode(errors="replace")).splitlines():
            send_report(f"  | {line}")
        if room and len(printed) > room:
            send_report("  | ... and more, which is not shown")

    def reap(self) -> None:
        """Reap the guests that have ended."""
        while self.guests and (ended := os.waitpid(-1, os.WNOHANG))[0]:
            self.guests.discard(ended[0])
            self.codes[ended[0]] = os.waitstatus_to_exitcode(ended[1])

    def report_end(self, pid: int, seconds: float) -> None:
        """Say how a guest has ended, once it has and everything that it printed has come."""
        end = time.monotonic() + seconds
        while (pid in self.guests or pid in self.prints.values()) and time.monotonic() < end:
            self.relay(seconds=TICK)
            self.reap()
        prints = self.last.get(pid, b"").decode(errors="replace")
        line = json.dumps({"ended": pid, "code": self.codes.get(pid), "prints": prints})
        with suppress(OSError):  # the worker may be gone
            self.control.sendall(line.encode() + b"\n")

    def begin(self, request: Mapping[str, Any], handles: list[int]) -> None:
        command = [*request.get("command", ())]
        try:
            program = find_program(command[0], request["folder"], self.path) if command else ""
            if "call" in request:
                import_module(request["module"])
            elif not command:
                self.shim.prepare(request)
            ours, theirs = os.pipe() if request.get("shown") else (-1, -1)
            gc.freeze()  # what is ours is not looked through again
            pid = os.fork()
        except Exception as error:
            report_failure(handles[0], error)
            for handle in handles:
                os.close(handle)
            return
        if not pid:
            self.be_guest(request, handles, theirs, program)
        self.guests.add(pid)
        for of_another in self.codes, self.last:  # that had the same number
            of_another.pop(pid, None)
        for handle in handles:
            os.close(handle)
        if request.get("shown"):
            os.close(theirs)
            self.prints[ours] = pid

    def be_guest(self, request: Mapping[str, Any], handles: list[int], prints: int, program: str) -> NoReturn:
        """Run in the child: never return."""
        try:
            try:
                self.give_up(request, handles, prints, program)
                os.write(GUEST_SOCKET, GREETING.pack(b"+", os.getpid()))
            except Exception as error:
                report_failure(handles[0], error)
                os._exit(1)
            if program:
                exec_program(program, request["command"])
            if "call" in request:
                self.shim.run_call(request)
            self.shim.serve_engine(socket.socket(fileno=GUEST_SOCKET), request)
        except Exception as error:
            send_report(f"{type(error).__name__}: {error}")
        finally:
            os._exit(1)

    def give_up(self, request: Mapping[str, Any], handles: list[int], prints: int, program: str) -> None:
        """Give up everything: descriptors, memory, privileges, the way back."""
        executes, folder = bool(program), request.get("folder", "/")
        self.control.detach()
        os.chdir(folder if os.path.isdir(folder) else "/")
        if self.rules >= 0:
            landlock.restrict_self(self.rules)
        own, *others = handles
        nowhere = os.open(os.devnull, os.O_RDWR)
        out, err = nowhere, nowhere if prints < 0 else prints
        if request.get("prints"):
            out = err = others.pop(0)
        for place, kept in enumerate([nowhere, out, err, own, *others]):
            os.dup2(kept, place)
        os.closerange(GUEST_SOCKET + 1 + len(others), OPEN)
        if self.seal or "call" not in request:
            limit_guest(request["memory"] << 20, executes)
        else:
            limit_memory(request["memory"] << 20)
        if self.seal:
            executed = [program, *filter(os.path.isfile, request["command"])] if executes else []
            privileges.give_up(self.tasks, executed)
        die_with_parent(self.pid)  # to become another user ends that
        if self.seal:
            seccomp.install_filter(executes, probe.left_to_filter(self.seal), executes or request.get("threads", False))


def find_program(program: str, folder: str, path: str) -> str:
    """Return the file of a command. OSError."""
    places = [folder] if "/" in program else path.split(os.pathsep)
    for place in places:
        whole = os.path.normpath(os.path.join(place, program))
        if os.path.isfile(whole) and os.access(whole, os.X_OK):
            return whole
    raise OSError(f"{program} is no program that can be executed")


def exec_program(program: str, command: list[str]) -> NoReturn:
    """Replace this process by a command: the wire is its standard input and output."""
    os.dup2(GUEST_SOCKET, 0)
    os.dup2(GUEST_SOCKET, 1)
    os.close(GUEST_SOCKET)
    for ignored in signal.SIGPIPE, signal.SIGXFSZ:  # by Python; a program takes that over
        signal.signal(ignored, signal.SIG_DFL)
    ours = "PYTHONPATH", "PYTHONSAFEPATH"
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    environment["OPENSSL_CONF"] = os.devnull  # node ends where the system's is there and may not be read
    try:
        os.execve(program, command, environment)
    except OSError as error:
        why = NOT_STARTED.get(error.errno or 0, str(error.strerror))
        send(1, {"roundsim": 1, "error": f"{command[0]} cannot be started: {why}", "path": command[0]})
    os._exit(1)


def limit_guest(memory: int, executes: bool) -> None:
    """Limit a guest. Memory is its address space; for a program, what it can write to, because other runtimes reserve
    far more space than they use."""
    if sys.platform == "linux":
        set_hard_limit(resource.RLIMIT_AS, memory + RESERVED * executes)
        set_hard_limit(resource.RLIMIT_DATA, memory)
        set_hard_limit(resource.RLIMIT_SIGPENDING, SIGNALS)
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0)
    set_hard_limit(resource.RLIMIT_CORE, 0)
    set_hard_limit(resource.RLIMIT_FSIZE, 0)
    set_hard_limit(resource.RLIMIT_NOFILE, 64)


def die_with_parent(parent: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it was faster
        os._exit(1)


def report_failure(handle: int, error: Exception) -> None:
    word = b"!" if is_shortage(error) else b"-"
    with suppress(OSError):  # the worker may be gone
        os.write(handle, GREETING.pack(word, 0) + f"{type(error).__name__}: {error}".encode(errors="replace")[:4000])


def send_report(line: str) -> None:
    with suppress(OSError):
        os.write(2, f"{line}\n".encode(errors="replace"))
