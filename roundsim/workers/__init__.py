"""What plays shards: processes of this machine, or whatever else answers the same call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from ..tournament.plan import Task, Tournament
from ..tournament.tally import Tally


class Workers(Protocol):
    """Plays the tasks of a tournament into its folder, in any order, so many at a time.

    It yields each task with its tally when its shard is written (see `RunFolder.write_shard`), and None now and then
    while it waits, so that the caller can tell how far it is.  Whatever cannot be got over is raised as a RoundsimError;
    however it ends, nothing of it is left running.  The bytes of a shard follow from its task alone."""

    def __call__(
        self, tournament: Tournament, folder: str, tasks: Iterator[Task], jobs: int
    ) -> Iterator[tuple[Task, Tally] | None]: ...
