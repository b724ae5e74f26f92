"""The memory that strategies may have in a worker: its limit, and how much of it is taken."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager

MEASURED = sys.platform == "linux"  # elsewhere no limit is set, and nothing is measured
_pages = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC) if MEASURED else -1
_all = (resource.getrlimit(resource.RLIMIT_AS)[1],) * 2


def memory_used() -> int:
    """The bytes that this process has taken, as the limit counts them.  It works where hardly any are left."""
    return int(os.pread(_pages, 64, 0).split(b" ", 1)[0]) * resource.getpagesize() if MEASURED else 0


def limit_memory(limit: int) -> None:
    """No more than so many bytes for this process, from now on."""
    if MEASURED and memory_used() < (limit := allowed(limit)):
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))


def allowed(limit: int) -> int:
    """So many bytes, or what the system allows a process of ours (`ulimit -v`) if that is less."""
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    return limit if hard == resource.RLIM_INFINITY else min(limit, hard)


def filled_since(before: int) -> bool:
    """Whether half of what was free then is taken, and not for a moment only: somebody keeps it."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return limit != resource.RLIM_INFINITY and 2 * (memory_used() - before) > limit - before


def lift() -> None:
    """No limit any more, for a process that is over but for its last words.  It works where no memory is left at all."""
    resource.setrlimit(resource.RLIMIT_AS, _all)


@contextmanager
def all_memory() -> Iterator[None]:
    """Without the limit that strategies have to keep."""
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
