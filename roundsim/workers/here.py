"""Shards played in this process: where a person is, and where starting others would take longer than the deals."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from ..guests.isolation import seal_for
from ..guests.pool import Guests
from ..refereeing.referee import Clock
from ..tournament.planning.plan import Task, Tournament
from ..tournament.storage.folder import RunFolder
from .strategies import Listener
from .worker import play_shard, third_party_sources


def play_here(
    tournament: Tournament, folder: str, tasks: Iterator[Task], jobs: int, listener: Listener | None = None
) -> Iterator[Task]:
    """Play tasks, and let somebody listen. Nobody's time is limited here; guests have limits of their own."""
    run, clock = RunFolder(folder), Clock(tournament.limits.seconds)
    hidden = [folder, *third_party_sources(tournament)]
    with closing(Guests(seal_for(tournament), tournament.limits, hidden)) as guests:
        for task in tasks:
            path = run.shard_to_be(tournament.entries[task.entry], task.first)
            play_shard(tournament, task, clock, path, guests, True, listener).write(run)
            yield task
