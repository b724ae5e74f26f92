"""Signals as a parent or a calling program may have set them: ignored, or blocked."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

DEFAULT, IGNORED = 0, 1  # SIG_DFL and SIG_IGN in C
_lock, _users = Lock(), 0  # of `children_reported`, in all threads


def clear_inherited() -> None:
    """In a process of our own: block no signal, and notice the end of children, whatever its parent has set.

    Interruptions that the parent ignores stay ignored, as `nohup` demands."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


@contextmanager
def children_reported() -> Iterator[None]:
    """Notice the end of children meanwhile, also in a program that ignores it (SIGCHLD): their exit codes would be lost,
    and bubblewrap, which inherits the setting, would never end."""
    users(1, DEFAULT)
    try:
        yield
    finally:
        users(-1, IGNORED)


def users(more: int, disposition: int) -> None:
    """Count those who need the setting of the process: the first changes it, the last restores it. The C library does
    this in any thread, Python only in the main thread."""
    global _users
    with _lock:
        _users += more
        if _users == max(more, 0) and signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN:
            import ctypes  # rarely needed, and slow to load

            ctypes.CDLL(None).signal(signal.SIGCHLD, ctypes.c_void_p(disposition))
