"""The parent's share of a run: `python bench/parent.py RUN` hands over the ready shards of a run, and prints the CPU time
that checking and adding them up takes."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from tempfile import TemporaryDirectory
from time import process_time

from roundsim.processes.garbage import collect_seldom
from roundsim.tournament.planning.plan import Task, Tournament
from roundsim.tournament.run import run_tournament
from roundsim.tournament.storage.folder import RunFolder


class HandingOver:
    """Workers that copy shards from a finished run; `seconds`: the CPU time that this took."""

    def __init__(self, ready: RunFolder) -> None:
        self.ready, self.seconds = ready, 0.0

    def __call__(self, tournament: Tournament, folder: str, tasks: Iterator[Task], jobs: int) -> Iterator[Task]:
        run = RunFolder(folder)
        for task in tasks:
            start, entry = process_time(), tournament.entries[task.entry]
            shutil.copyfile(self.ready.shard(entry, task.first), run.shard_to_be(entry, task.first))
            self.seconds += process_time() - start
            yield task


def parent(ready: RunFolder) -> tuple[int, float]:
    """Return the number of deals of a run, and the CPU seconds that its parent spends on them."""
    tournament, workers = ready.tournament(), HandingOver(ready)
    entries = [replace(entry, asked=0) for entry in tournament.entries]
    with TemporaryDirectory() as place:
        run, start = RunFolder(f"{place}/run"), process_time()
        result = run_tournament(
            replace(tournament, entries=tuple(entries)), run, workers, 1, lambda _: None, lambda _: None
        )
        spent = process_time() - start - workers.seconds
    return sum(fold.tally.deals for fold in result.folds), spent


if __name__ == "__main__":
    collect_seldom()
    for _ in range(3):
        deals, seconds = parent(RunFolder(sys.argv[1]))
        print(f"{deals} deals: {1e6 * seconds / deals:.3f} ms of CPU for 1 000")
