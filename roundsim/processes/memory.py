"""The memory of a worker: the limit for strategies, how much of it is taken, and how often garbage is collected."""

from __future__ import annotations

import gc
import mmap
import os
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ..base.errors import ResourceError

MEASURED = sys.platform == "linux"  # elsewhere no limit is set, and nothing is measured
_pages, _why = -1, ""
try:
    _pages = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC) if MEASURED else -1
except OSError as error:  # in some sandboxes
    _why = str(error.strerror)


def forget_pages() -> None:
    """Do not read the file of another process, the one that has forked this one."""
    global _pages
    _pages = -1


os.register_at_fork(after_in_child=forget_pages)
_all = (resource.getrlimit(resource.RLIMIT_AS)[1],) * 2


def memory_used() -> int:
    """Return the bytes that this process uses, as the limit counts them. It works when hardly any are left."""
    if _pages >= 0:
        return int(os.pread(_pages, 64, 0).split(b" ", 1)[0]) * resource.getpagesize()
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return limit - free(limit) if MEASURED and limit != resource.RLIM_INFINITY else 0


def is_free(memory: int) -> bool:
    """Return whether this many bytes are available."""
    try:
        mmap.mmap(-1, memory, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
        return True
    except OSError:
        return False


def free(most: int) -> int:
    """Return how many bytes are available, to a sixteenth of the most."""
    return next((part for part in range(most, 0, -most // 16) if is_free(part)), 1)


def limit_memory(limit: int) -> None:
    """Limit this process to `limit` bytes from now on."""
    if MEASURED and memory_used() < (limit := allowed(limit)):
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))


def allowed(limit: int) -> int:
    """Return this limit in bytes, or what the system allows our processes (`ulimit -v`) if that is less. ResourceError
    if the system does not show how much is used."""
    if _why:
        problem = f"/proc cannot be read ({_why}), and shows how much memory is used: mount -t proc proc /proc"
        raise ResourceError(problem)
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    return limit if hard == resource.RLIM_INFINITY else min(limit, hard)


def filled_since(before: int) -> bool:
    """Return whether half of what was free then is used, and not for a moment only: a strategy keeps it."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return limit != resource.RLIM_INFINITY and 2 * (memory_used() - before) > limit - before


def lift() -> None:
    """Lift the limit, in a process that is over except for its last messages. It works when no memory is left at
    all."""
    resource.setrlimit(resource.RLIMIT_AS, _all)


@contextmanager
def all_memory() -> Iterator[None]:
    """Lift the limit of strategies meanwhile."""
    limit = resource.getrlimit(resource.RLIMIT_AS)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (limit[1], limit[1]))
    except (OSError, ValueError):  # within a seal no limit is changed
        yield
        return
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limit)


def collect_seldom() -> None:
    """Collect garbage rarely. A deal leaves no cycles; those of strategies are still cleared."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
