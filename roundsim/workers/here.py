"""Shards played in this process: where a person is, and where starting others would take longer than the deals."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from ..guests.isolation import seal_for
from ..guests.pool import Guests
from ..refereeing.referee import Clock
from ..tournament.planning.plan import Task, Tournament
from ..tournament.storage.folder import RunFolder
from .shard import ShardPlayer
from .strategies import Listener
from .worker import third_party_sources


def play_here(
    tournament: Tournament, folder: str, tasks: Iterator[Task], jobs: int, listener: Listener | None = None
) -> Iterator[Task]:
    """Play tasks, and let somebody listen. Nobody's time is limited here; guests have limits of their own."""
    clock, hidden = Clock(tournament.limits.seconds), [folder, *third_party_sources(tournament)]
    with closing(Guests(seal_for(tournament), tournament.limits, hidden)) as guests:
        player = ShardPlayer(tournament, RunFolder(folder), clock, guests, listener, alone=True)
        for task in tasks:
            player.play(task)
            yield task
