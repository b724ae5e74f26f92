"""Reaching out of the process: files, the network, programs, and other processes."""

import ctypes
import mmap
import os
import resource
import signal
import socket
from pathlib import Path
from typing import Any

from .plan import Attack

LIBC = ctypes.CDLL(None, use_errno=True)


class At(Attack):
    """Something done to a place in the file system."""

    def __init__(self, place: str, when: str = "question") -> None:
        self.place = Path(place)
        super().__init__(when)


class Writes(At):
    def attempt(self) -> object:
        return self.place.write_text("written")


class Removes(At):
    def attempt(self) -> object:
        self.place.unlink()
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
            case _:
                pid = os.posix_spawn("/bin/sh", ["sh", "-c", "exit 7"], {})
                return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7


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
