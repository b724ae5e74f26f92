"""The privileges that a process gives up for good: its capabilities, and root's freedom to start any number of
threads."""

from __future__ import annotations

import ctypes
import os
import resource
import struct
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

TASKS = 1024  # threads that all guests of a launcher may have
USER = int.from_bytes(os.urandom(4)) >> 2 | 1 << 30  # the user of the guests of root's launcher, and of nobody else
KILL, SETUID, SETPCAP, SYS_ADMIN = 5, 7, 8, 21
PR_CAPBSET_DROP, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 24, 47, 4
CAPABILITIES = 64  # more than any kernel knows
VERSION = 0x20080522  # of the layout of capabilities
LAYOUT = struct.Struct("=6I")


def has(*capabilities: int) -> bool:
    """Return whether this process has these capabilities, of the first 32."""
    held = ctypes.create_string_buffer(LAYOUT.size)
    ctypes.CDLL(None).capget(struct.pack("=Ii", VERSION, 0), held)
    return all(LAYOUT.unpack(held.raw)[0] >> capability & 1 for capability in capabilities)


def most_tasks(alone: bool) -> int:
    """Return the RLIMIT_NPROC of guests. `alone`: only guests are counted. Root's guests are a user of their own. An
    ordinary user's are counted with everything that the user runs, which is at most what the machine runs."""
    if alone or os.geteuid() == 0:
        return TASKS
    return TASKS + int(Path("/proc/loadavg").read_text("ascii").split()[3].partition("/")[2])


def give_up(tasks: int, executed: Sequence[str] = ()) -> None:
    """Drop every capability, and limit the threads to `tasks`.

    The kernel does not count the threads of root, so root becomes another user here. Python continues to read files as
    root, by its effective user. A program that is executed is wholly that user. If that user cannot read `executed`,
    its files, it stays root, and its threads are not counted. OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    for number in range(CAPABILITIES):  # it fails where there is no such capability
        libc.prctl(PR_CAPBSET_DROP, *map(ctypes.c_ulong, (number, 0, 0, 0)))
    if os.geteuid() == 0 and has(SETUID, KILL):
        with suppress(OSError):  # in a container that has no other users
            os.setresuid(USER, -1, -1)
            if executed:
                user = USER if all(os.access(path, os.R_OK) for path in executed) else 0  # asked for the real user
                os.setresuid(user, user, user)
    set_hard_limit(resource.RLIMIT_NPROC, tasks)
    libc.prctl(PR_CAP_AMBIENT, *map(ctypes.c_ulong, (PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)))
    if libc.capset(struct.pack("=Ii", VERSION, 0), bytes(LAYOUT.size)):
        raise OSError(ctypes.get_errno(), "capabilities were not given up")


def set_hard_limit(what: int, most: int) -> None:
    """Set this limit from now on, with no way back."""
    hard = resource.getrlimit(what)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (most, most))
