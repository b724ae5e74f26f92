"""The loop that speeds are measured against, in the same run: machines differ, ratios do not."""

from time import process_time


class Calibration:
    __slots__ = ("table", "x")

    def __init__(self) -> None:
        self.table, self.x = list(range(64)), 1

    def step(self, k: int) -> int:
        self.x = (self.x * 1103515245 + k) & 0x7FFFFFFF
        return self.table[self.x & 63]


def iteration(times: int = 400_000) -> float:
    """Seconds of one calibration iteration, CPU time."""
    step = Calibration().step
    start = process_time()
    for k in range(times):
        step(k)
    return (process_time() - start) / times
