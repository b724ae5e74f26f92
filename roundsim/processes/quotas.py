"""How many processors the quotas of this process leave it: those of containers, and of Python."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

ROOT = Path("/")
VARIABLE = "PYTHON_CPU_COUNT"  # of Python 3.13 and later


def quotas() -> Iterator[float]:
    """Yield the number of processors of each quota."""
    if hasattr(os, "process_cpu_count"):
        yield os.process_cpu_count() or 1
    count = "" if sys.flags.ignore_environment else os.environ.get(VARIABLE, "")
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
        for each in (folder, *folder.parents):
            if each.is_relative_to(home):
                yield from quota_in(each)


def quota_in(folder: Path) -> Iterator[float]:
    """Yield the quota that a folder of cgroups sets, if it sets one."""

    def words(name: str) -> list[str]:
        return (folder / name).read_text("utf-8").split()

    with suppress(OSError, ValueError):  # "max" is none
        quota, period = map(int, words("cpu.max"))
        yield quota / period
    with suppress(OSError, ValueError):
        (quota,), (period,) = (map(int, words(f"cpu.cfs_{what}_us")) for what in ("quota", "period"))
        if quota > 0:
            yield quota / period
