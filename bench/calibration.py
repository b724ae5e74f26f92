"""The loop that speeds are compared with, in the same run: machines differ, ratios do not.

`python bench/calibration.py` repeats it until SIGTERM, and then prints the seconds of one iteration."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from time import process_time


class Calibration:
    __slots__ = ("table", "x")

    def __init__(self) -> None:
        self.table, self.x = list(range(64)), 1

    def step(self, k: int) -> int:
        self.x = (self.x * 1103515245 + k) & 0x7FFFFFFF
        return self.table[self.x & 63]


def iteration(times: int = 400_000) -> float:
    """Return the seconds of one calibration iteration, in CPU time."""
    step = Calibration().step
    start = process_time()
    for k in range(times):
        step(k)
    return (process_time() - start) / times


class Beside:
    """The loop in a separate process, on the same core as this one, while something is measured.

    Its seconds per `iteration` are from that very time, however busy the machine was."""

    iteration: float

    def __enter__(self) -> Beside:
        self.cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(self.cores)})
        self.loop = subprocess.Popen([sys.executable, __file__], stdout=subprocess.PIPE, text=True)
        assert self.loop.stdout
        self.loop.stdout.readline()
        return self

    def __exit__(self, *_: object) -> None:
        self.loop.terminate()
        self.iteration = float(self.loop.communicate()[0])
        os.sched_setaffinity(0, self.cores)


def until_told() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    iteration()  # warm up
    spent: list[float] = []
    print("ready", flush=True)
    try:
        while True:
            spent.append(iteration(20_000))
    finally:
        print(sum(spent) / len(spent))


if __name__ == "__main__":
    until_told()
