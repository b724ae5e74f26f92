"""Reaching out of the process: files, the network, programs, other processes, and calls of the system that few need."""

import ctypes
import errno
import mmap
import os
import platform
import resource
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from .plan import Attack

PLACE = {"x86_64": 0, "aarch64": 1}[platform.machine()]
LIBC = ctypes.CDLL(None, use_errno=True)
PTRACE_ATTACH, PTRACE_DETACH, IPC_RMID = 16, 17, 0


class At(Attack):
    """Something done to a place in the file system."""

    def __init__(self, place: str, when: str = "question") -> None:
        self.place = Path(place)
        super().__init__(when)


class Writes(At):
    def attempt(self) -> object:
        return self.place.write_text("written")


class Makes(At):
    """A name, of one kind or another, in a folder."""

    def __init__(self, place: str, what: str = "folder") -> None:
        self.what = what
        super().__init__(place)

    def attempt(self) -> object:
        name = self.place / self.what.replace(" ", "-")
        match "" if os.path.lexists(name) else self.what:
            case "folder":
                name.mkdir()
            case "link":
                name.symlink_to("/")
            case "hard link":
                os.link(__file__, name)
            case "fifo":
                os.mkfifo(name)
            case "socket":
                socket.socket(socket.AF_UNIX).bind(str(name))
        return os.path.lexists(name)


class Removes(At):
    """A file, or its name."""

    def __init__(self, place: str, how: str = "unlink") -> None:
        self.how = how
        super().__init__(place)

    def attempt(self) -> object:
        match self.how:
            case "unlink":
                self.place.unlink(missing_ok=True)
            case "rename":
                os.replace(self.place, f"{self.place}.gone")
            case "truncate":
                os.truncate(self.place, 0)
            case "lock out":
                self.place.chmod(0)
        return True


class Reads(At):
    def attempt(self) -> object:
        return self.place.read_bytes()


class Looks(At):
    """Which names are in a folder."""

    def attempt(self) -> object:
        return os.listdir(self.place)


class Connects(Attack):
    """To an address by the network, or by a socket of this machine (a name that begins with @ has no file)."""

    def __init__(self, to: Any, when: str = "question") -> None:
        self.to = to
        super().__init__(when)

    def attempt(self) -> object:
        if isinstance(self.to, str):
            here = socket.socket(socket.AF_UNIX)
            here.connect(self.to.replace("@", "\0"))
        else:
            here = socket.create_connection(("127.0.0.1", self.to), timeout=5)
        with here:
            here.sendall(b"a word")
        return True


class Sends(Attack):
    """A packet."""

    def __init__(self, to: int) -> None:
        self.to = to
        super().__init__()

    def attempt(self) -> object:
        return socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"a word", ("127.0.0.1", self.to))


class Listens(Attack):
    """Waits for others to come."""

    def attempt(self) -> object:
        with socket.create_server(("127.0.0.1", 0)) as here:
            return here.getsockname()


class Runs(Attack):
    """A program; `how` it is started."""

    def __init__(self, how: str = "subprocess", when: str = "question") -> None:
        self.how = how
        super().__init__(when)

    def attempt(self) -> object:
        import subprocess

        match self.how:
            case "subprocess":
                return subprocess.run(["/bin/sh", "-c", "exit 7"]).returncode == 7
            case "system":
                return os.waitstatus_to_exitcode(os.system("exit 7")) == 7
            case "spawn":
                pid = os.posix_spawn("/bin/sh", ["sh", "-c", "exit 7"], {})
                return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
            case _:
                return subprocess.run([sys.executable, "-c", "raise SystemExit(7)"]).returncode == 7


class Forks(Attack):
    """Becomes two."""

    def attempt(self) -> object:
        if not (pid := os.fork()):
            os._exit(7)
        return os.waitpid(pid, 0)[0] == pid


class Upon(Attack):
    """Something done to another process."""

    def __init__(self, pid: int = 0, when: str = "question") -> None:
        self.pid = pid
        super().__init__(when)


class Kills(Upon):
    """Its own parent where none is named."""

    def attempt(self) -> object:
        os.kill(self.pid or os.getppid(), signal.SIGKILL)
        return True


class Limits(Upon):
    """It may have less from now on."""

    def attempt(self) -> object:
        return resource.prlimit(self.pid, resource.RLIMIT_NOFILE, (7, 7))


class Schedules(Upon):
    """It comes last."""

    def attempt(self) -> object:
        os.setpriority(os.PRIO_PROCESS, self.pid, 19)
        return True


class Peeks(Upon):
    """Its memory is read."""

    def __init__(self, pid: int, address: int, secret: str) -> None:
        self.address, self.secret = address, secret
        super().__init__(pid)

    def attempt(self) -> object:
        size = len(self.secret)
        found = ctypes.create_string_buffer(size)
        pair = ctypes.c_size_t * 2
        ours, theirs = pair(ctypes.addressof(found), size), pair(self.address, size)
        LIBC.process_vm_readv(self.pid, ours, ctypes.c_ulong(1), theirs, ctypes.c_ulong(1), ctypes.c_ulong(0))
        return found.raw.decode() == self.secret


class Traces(Upon):
    """It is held, and let go."""

    def attempt(self) -> object:
        if LIBC.ptrace(PTRACE_ATTACH, self.pid, None, None):
            return False
        with suppress(OSError):
            os.waitpid(self.pid, 0)
        LIBC.ptrace(PTRACE_DETACH, self.pid, None, None)
        return True


class Parent(Attack):
    """Reads the command line of its parent."""

    def attempt(self) -> object:
        return Path(f"/proc/{os.getppid()}/cmdline").read_bytes()


class Environment(Attack):
    """Reads its environment."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__()

    def attempt(self) -> object:
        return os.environ[self.name]


class Raises(Attack):
    """Its own limit, and takes more than it was given."""

    def __init__(self, size: int) -> None:
        self.size = size
        super().__init__()

    def attempt(self) -> object:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        return mmap.mmap(-1, self.size)


CALLS: dict[str, tuple[tuple[int, int], tuple[Any, ...]]] = {  # numbers on x86-64 and arm64; what they are called with
    "socketpair": ((53, 199), (1, 1, 0, ctypes.create_string_buffer(8))),
    "memfd_create": ((319, 279), (b"x", 0)),
    "inotify_init1": ((294, 26), (0,)),
    "shmget": ((29, 194), (0, 4096, 0o600)),
    "pidfd_open": ((434, 434), (os.getpid(), 0)),
    "unshare": ((272, 97), (0,)),
    "personality": ((135, 92), (0xFFFFFFFF,)),
    "sched_setaffinity": ((203, 122), (0, 128, b"\xff" * 128)),
    "userfaultfd": ((323, 282), (1,)),
    "io_uring_setup": ((425, 425), (1, ctypes.create_string_buffer(120))),
    "bpf": ((321, 280), (0, ctypes.create_string_buffer(120), 120)),
    "perf_event_open": ((298, 241), (b"\1\0\0\0\x80\0\0\0" + bytes(120), 0, -1, -1, 0)),
    "mount": ((165, 40), (b"x", b"/nowhere", b"tmpfs", 0, None)),
    "setns": ((308, 268), (-1, 0)),
    "keyctl": ((250, 219), (0, -3, 0)),
    "chroot": ((161, 51), (b"/",)),
    "open_by_handle_at": ((304, 265), (-1, ctypes.create_string_buffer(16), 0)),
}


class Calls(Attack):
    """A call of the system, past Python: it has got through to the system unless that says it may not."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__()

    def attempt(self) -> object:
        numbers, words = CALLS[self.name]
        given = [ctypes.c_long(each) if isinstance(each, int) else each for each in words]
        got = int(LIBC.syscall(ctypes.c_long(numbers[PLACE]), *given))
        if got >= 0 and self.name == "shmget":  # nobody else would clear it away
            LIBC.shmctl(got, IPC_RMID, None)
        return got >= 0 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS)
