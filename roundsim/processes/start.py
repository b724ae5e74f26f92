"""The start of our processes: the same everywhere, uninterrupted, and such that they end with their parent."""

from __future__ import annotations

import ctypes
import math
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from glob import glob
from multiprocessing import current_process, get_context, heap, parent_process, resource_tracker, util
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from ..base.errors import shortage_of
from .signals import clear_inherited

ROOT = Path("/")
CPU_COUNT = "PYTHON_CPU_COUNT"  # of Python 3.13 and later
PROCESS_NAME = "roundsim"  # the name of a process that we have started
INTERRUPTIONS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}

context = get_context("spawn")
tracker: Any = resource_tracker._resource_tracker  # which ends with the last of us
_util: Any = util
_arena: Any = heap.Arena
if not os.access("/dev/shm", os.W_OK):  # the memory that processes share is in TMPDIR then
    _arena._dir_candidates = []


def start_process(function: Callable[..., object], *arguments: Any) -> BaseProcess:
    """Start a process that calls this function. It first calls `obey`. ResourceError."""
    process = context.Process(target=function, args=arguments, name=PROCESS_NAME, daemon=True)
    with fresh_interpreter(), no_main_module(), silenced(), no_interruptions(), children_allowed():
        start(process)
    return process


@shortage_of("a process")
def start(process: BaseProcess) -> None:
    process.start()


def obey() -> None:
    """Run in the process: interruptions are the parent's, it ends with the parent, and strategies may start others."""
    for number in signal.SIGINT, signal.SIGHUP:
        signal.signal(number, signal.SIG_IGN)
    clear_inherited()
    current_process().daemon = False
    end_with_parent()


def is_begun() -> bool:
    """Return whether this is such a process."""
    return current_process().name == PROCESS_NAME


@contextmanager
def children_allowed() -> Iterator[None]:
    """Allow children also if we run in a daemon, such as those of pools and of Dask."""
    process = current_process()
    before, process.daemon = process.daemon, False
    try:
        yield
    finally:
        process.daemon = before


@contextmanager
def fresh_interpreter() -> Iterator[None]:
    """Start interpreters that iterate over a set in the same order, whatever the seed of this process is, even if it
    ignores its environment (python -E, -I). A file of the current folder, a strategy called random.py, does not hide a
    module of the same name from them."""
    before, flags = os.environ.copy(), _util._args_from_interpreter_flags
    if sys.flags.ignore_environment:
        for name in [name for name in before if name.startswith("PYTHON")]:
            del os.environ[name]
    os.environ.update(PYTHONHASHSEED="0", PYTHONSAFEPATH="1")
    kept = [flag for flag in flags() if flag not in ("-E", "-I")] + ["-s"] * sys.flags.no_user_site
    _util._args_from_interpreter_flags = lambda: kept
    try:
        yield
    finally:
        _util._args_from_interpreter_flags = flags
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C until this is done."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTIONS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def no_interruptions() -> Iterator[None]:
    """Start a worker uninterrupted. It ignores Ctrl-C until it has left that to us."""
    with uninterrupted():
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTIONS)  # again: to start it lifts our block
        yield


@contextmanager
def silenced() -> Iterator[None]:
    """Discard what a worker and its tracker print from the first moment. The one complains if we are killed while it
    starts, the other about what a strategy writes into its pipe."""
    try:
        before, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    except OSError:  # nobody listens anyway
        yield
        return
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(before, 2)
        os.close(before)
        os.close(nowhere)


@contextmanager
def no_main_module() -> Iterator[None]:
    """Start a worker without the main module of the program, which may have no `if __name__ == "__main__"`."""
    names: dict[str, Any] = vars(sys.modules["__main__"])
    kept = {name: names[name] for name in names.keys() & {"__file__", "__spec__"}}
    names.pop("__file__", None)
    names["__spec__"] = None
    try:
        yield
    finally:
        names.update(kept)


def end_with_parent() -> None:
    """End this process with its parent, also when a strategy is stuck in C."""
    if sys.platform == "linux":
        set_signal_of_parents_death = 1  # PR_SET_PDEATHSIG
        ctypes.CDLL(None).prctl(set_signal_of_parents_death, signal.SIGKILL)
    if (parent := parent_process()) and os.getppid() != parent.pid:  # it died before we could ask for that
        os._exit(1)


def wait_in_turn() -> None:
    """When woken, do not preempt the running process: so guests and their workers switch less often. On systems that
    support it."""
    if hasattr(os, "SCHED_BATCH") and os.sched_getscheduler(0) == os.SCHED_OTHER:
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def fall_silent() -> None:
    """Discard from now on what this process prints, and let it read nothing."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in 0, 1, 2:
        os.dup2(nowhere, stream)
    os.close(nowhere)


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of another process; 0 if the system does not report it, and once it is gone."""
    try:
        return time.clock_gettime((~pid << 3) | 2) if sys.platform == "linux" else 0.0
    except OSError:
        return 0.0


def queued_seconds(pid: int) -> float:
    """Return how long the threads of another process have been ready to run while no processor was free; 0 if the
    system does not report it, and once it is gone."""
    total = 0
    for task in glob(f"/proc/{pid}/task/*/schedstat"):
        with suppress(OSError), open(task, encoding="ascii") as counts:  # the thread may have ended
            total += int(counts.read().split()[1])
    return total / 1e9


class Stopwatch:
    """The time that another process takes from now on."""

    def __init__(self, pid: int) -> None:
        self.pid, self.begun = pid, time.monotonic()
        self.cpu_before, self.queued_before = cpu_seconds(pid), queued_seconds(pid)

    def cpu(self) -> float:
        """Return the seconds of CPU time."""
        return cpu_seconds(self.pid) - self.cpu_before

    def wall(self) -> float:
        """Return the seconds that have passed, without those in which it waited for a processor: a busy machine is not
        its fault."""
        return time.monotonic() - self.begun - max(queued_seconds(self.pid) - self.queued_before, 0)


def cores() -> int:
    """Return how many processors this process may use: a part of one counts as one."""
    own = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, math.ceil(min([own, *quotas()])))


def quotas() -> Iterator[float]:
    """Yield the number of processors of each quota."""
    if hasattr(os, "process_cpu_count"):
        yield os.process_cpu_count() or 1
    count = "" if sys.flags.ignore_environment else os.environ.get(CPU_COUNT, "")
    if count.isdecimal():
        yield int(count)
    with suppress(OSError):  # it has no cgroups
        for line in (ROOT / "proc/self/cgroup").read_text("utf-8").splitlines():
            yield from cgroup_quotas(*line.split(":", 2)[1:])


def cgroup_quotas(controllers: str, place: str) -> Iterator[float]:
    """Yield the quotas of a cgroup and of those above it, of either version. In a container the cgroup may have another
    name, and is then the top of what is mounted."""
    for home in {ROOT / "sys/fs/cgroup", ROOT / "sys/fs/cgroup" / controllers}:
        folder = home / place.lstrip("/")
        for above in (folder, *folder.parents):
            if above.is_relative_to(home):
                yield from quota_in(above)


def quota_in(folder: Path) -> Iterator[float]:
    """Yield the quota that a folder of cgroups sets, if it sets one."""

    def numbers(name: str) -> list[str]:
        return (folder / name).read_text("utf-8").split()

    with suppress(OSError, ValueError):  # "max" is none
        quota, period = map(int, numbers("cpu.max"))
        yield quota / period
    with suppress(OSError, ValueError):
        (quota,), (period,) = (map(int, numbers(f"cpu.cfs_{what}_us")) for what in ("quota", "period"))
        if quota > 0:
            yield quota / period
