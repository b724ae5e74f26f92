"""Children that our processes leave behind."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Iterator, Set
from contextlib import contextmanager, suppress
from multiprocessing import active_children
from pathlib import Path
from threading import current_thread, main_thread

from .signals import children_reported
from .start import tracker

SET_CHILD_SUBREAPER, GET_CHILD_SUBREAPER = 36, 37


@contextmanager
def none_left() -> Iterator[None]:
    """End the processes that ours leave behind in the meantime. On Linux they become our children while we ask for
    that.

    Children from before, or of another thread, are not touched; outside the main thread nothing is."""
    with children_reported():
        if sys.platform != "linux" or current_thread() is not main_thread():
            yield
            return
        prctl, asked = ctypes.CDLL(None).prctl, ctypes.c_int()
        prctl(GET_CHILD_SUBREAPER, ctypes.byref(asked))
        prctl(SET_CHILD_SUBREAPER, 1)
        before = children()
        try:
            yield
        finally:
            end_all_but(before | {process.pid for process in active_children() if process.pid})
            prctl(SET_CHILD_SUBREAPER, asked)


def children() -> Set[int]:
    """Return the children of the main thread, which adopts those that were left behind; none if the system does not
    report them."""
    try:
        return {*map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text("ascii").split())}
    except OSError:
        return set()


def end_all_but(known: Set[int]) -> None:
    """End all other children, and their children, which thereby become ours; except those that we may not end."""
    known = {*known, tracker._pid}
    while strays := children() - known:
        for pid in strays:
            try:
                os.kill(pid, signal.SIGKILL)
            except PermissionError:
                known.add(pid)
        for pid in strays - known:
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)
