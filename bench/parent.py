"""The parent's share of a run: ready shards are handed over to it, and it checks and adds them up."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from tempfile import TemporaryDirectory
from time import process_time

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


def spent_by_parent(ready: RunFolder) -> tuple[int, float]:
    """Return the number of deals of a finished run, and the CPU seconds that a parent spends on them."""
    tournament, workers = ready.tournament(), HandingOver(ready)
    with TemporaryDirectory() as place:
        run, start = RunFolder(f"{place}/run"), process_time()
        result = run_tournament(tournament, run, workers, 1, lambda _: None, lambda _: None)
        spent = process_time() - start - workers.seconds
    return sum(fold.tally.deals for fold in result.folds), spent
