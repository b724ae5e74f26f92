"""Children that a process of ours leaves behind."""

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

from .start import tracker

SET_CHILD_SUBREAPER, GET_CHILD_SUBREAPER = 36, 37


@contextmanager
def none_left() -> Iterator[None]:
    """What our processes leave behind meanwhile ends with them: on Linux it becomes our child, as long as we ask for that.

    What was our child before, or is another thread's, is not touched; in another thread than the main one nothing is."""
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
        end_all_but(before | {each.pid for each in active_children() if each.pid})
        prctl(SET_CHILD_SUBREAPER, asked)


def children() -> Set[int]:
    """Those of the main thread, to which what was left behind comes too; none where the system does not tell."""
    try:
        return {*map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())}
    except OSError:
        return set()


def end_all_but(known: Set[int]) -> None:
    """End all other children, and theirs, which become ours by it; but for what we may not end."""
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
