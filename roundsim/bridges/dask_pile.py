"""The tasks that are not sent yet, in batches of a certain playing time."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from math import ceil

from ..base.errors import ClusterError
from ..tournament.planning.plan import Task
from .dask_client import RESUME

LONG, SHORT = 40.0, 5.0  # seconds of play in a batch (starting one costs half a second), and near the end
MOST = 1000  # shards in a batch
LOSSES = 5  # of one shard alone, each with its machine or the process that played it


class Pile:
    """The tasks that are not sent yet, taken in batches of a certain playing time.

    Batches are smaller near the end, so that all workers finish together. `left`: how many tasks there may be; `names`
    are those of the entries."""

    def __init__(self, tasks: Iterator[Task], left: int, names: Sequence[str]) -> None:
        self.tasks, self.left, self.names, self.held = tasks, left, names, list[Task]()
        self.again, self.losses = deque[Sequence[Task]](), Counter[tuple[int, int]]()
        self.seconds = dict[int, float]()  # of a shard, by entry

    def take(self) -> Task | None:
        return self.held.pop() if self.held else next(self.tasks, None)

    def more(self) -> bool:
        """Return whether anything is left."""
        if not self.again and not self.held and (task := self.take()):
            self.held.append(task)
        return bool(self.again or self.held)

    def batch(self, places: int) -> Sequence[Task]:
        """Return the next tasks, all of one entry; none if nothing is left.

        `places`: how many batches are played at once."""
        if self.again:
            self.left -= len(self.again[0])
            return self.again.popleft()
        batch: list[Task] = []
        while task := self.take():
            batch.append(task)
            if task.entry != batch[0].entry:
                self.held.append(batch.pop())
                break
            if len(batch) >= self.most(task.entry, places):
                break
        self.left -= len(batch)
        return batch

    def most(self, entry: int, places: int) -> int:
        """Return how many tasks to take: one until it is known how long that takes."""
        if not (seconds := self.seconds.get(entry)):
            return 1
        fair = max(ceil(self.left / (2 * places)), int(SHORT / seconds))
        return max(1, min(fair, int(LONG / seconds), MOST))

    def took(self, tasks: Sequence[Task], seconds: float) -> None:
        """Note how long a batch took."""
        self.seconds[tasks[0].entry] = max(seconds, 1e-3) / len(tasks)

    def put_back(self, tasks: Sequence[Task]) -> None:
        """Put back a batch that was not played."""
        if tasks:
            self.left += len(tasks)
            self.again.append(tasks)

    def put_back_lost(self, tasks: Sequence[Task], how: str, times: int = 1) -> None:
        """Put back a batch that was lost, in halves. `how` it was lost, and how many times.

        ClusterError: it is one shard, which was lost too often."""
        if len(tasks) == 1:
            task = tasks[0]
            self.losses[task.entry, task.first] += times
            if (count := self.losses[task.entry, task.first]) >= LOSSES:
                shard = f"blocks {task.first} to {task.last} of {self.names[task.entry]}"
                raise ClusterError(
                    f"{shard} were lost {count} times, each time with what played them; last: {how}{RESUME}"
                )
        half = len(tasks) // 2
        self.put_back(tasks[:half])
        self.put_back(tasks[half:])
