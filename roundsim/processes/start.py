"""How a process of ours begins: the same everywhere, whole, and to end with its parent."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from multiprocess import resource_tracker, util

INTERRUPTIONS = {signal.SIGINT, signal.SIGTERM}


@contextmanager
def fresh_interpreter() -> Iterator[None]:
    """Workers walk through a set in the same order, whatever the seed of this process is, also where it heeds nothing of
    its surroundings (python -E, -I); and a file of the current folder, a strategy called random.py, does not hide a
    module of the same name from them."""
    before, flags = os.environ.copy(), util._args_from_interpreter_flags
    if sys.flags.ignore_environment:
        for name in [name for name in before if name.startswith("PYTHON")]:
            del os.environ[name]
    os.environ.update(PYTHONHASHSEED="0", PYTHONSAFEPATH="1")
    kept = [flag for flag in flags() if flag not in ("-E", "-I")] + ["-s"] * sys.flags.no_user_site
    util._args_from_interpreter_flags = lambda: kept
    try:
        yield
    finally:
        util._args_from_interpreter_flags = flags
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def no_interruptions() -> Iterator[None]:
    """A worker is started whole, and does not hear of Ctrl-C before it has left it to us."""
    signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTIONS)
    try:
        with no_words():  # it would tell of what a strategy writes into its pipe
            resource_tracker.ensure_running()
            signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTIONS)  # again: to start it lifts our block
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTIONS)


@contextmanager
def no_words() -> Iterator[None]:
    """What a worker says goes nowhere from the first: if we are killed while it starts it would complain of that."""
    try:
        said, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    except OSError:  # nobody listens anyway
        yield
        return
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(said, 2)
        os.close(said)
        os.close(nowhere)


@contextmanager
def no_main_module() -> Iterator[None]:
    """A worker needs nothing of the program it was started from, which may have no `if __name__ == "__main__"`."""
    names: dict[str, Any] = vars(sys.modules["__main__"])
    kept = {name: names[name] for name in names.keys() & {"__file__", "__spec__"}}
    names.pop("__file__", None)
    names["__spec__"] = None
    try:
        yield
    finally:
        names.update(kept)


def end_with_parent() -> None:
    """Also when a strategy is stuck in C."""
    if sys.platform == "linux":
        set_signal_of_parents_death = 1  # PR_SET_PDEATHSIG
        ctypes.CDLL(None).prctl(set_signal_of_parents_death, signal.SIGKILL)


def fall_silent() -> None:
    """From now on what this process says goes nowhere, and it hears nothing."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in 0, 1, 2:
        os.dup2(nowhere, stream)
