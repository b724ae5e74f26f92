"""Runs played in this process without a command line, which may reuse the blocks of others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from roundsim.refereeing.referee import Clock
from roundsim.running import Means, play_tournament
from roundsim.tournament.planning.file import read_tournament
from roundsim.tournament.planning.key_lines import KeyLines
from roundsim.tournament.planning.plan import Task, Tournament
from roundsim.tournament.reuse import Reuse
from roundsim.tournament.storage.folder import RunFolder
from roundsim.workers.shard import Playing


def tournament_of(
    strategies: Sequence[object],
    format: str = "round-robin",
    game: str = "nap",
    *,
    seed: int = 1,
    until: str = "",
    **entry: Any,
) -> Tournament:
    top = {"format": format, "strategies": [*map(str, strategies)], "seed": seed, **({"until": until} if until else {})}
    return read_tournament({"tournament": top, "games": [{"game": game, **entry}]}, KeyLines("here"), Path())


def shards_here(tournament: Tournament, folder: str, tasks: Iterator[Task], jobs: int) -> Iterator[Task]:
    """The workers of a run: shards are played in this process, without retries after faults."""
    with Clock(60) as clock:
        for task in tasks:
            shard = Playing(tournament, task, clock)
            shard.play()
            shard.write(RunFolder(folder).shard_to_be(tournament.entries[task.entry], task.first))
            yield task


def play_reusing(tournament: Tournament, out: Path, *runs: Path) -> tuple[int, int]:
    """Play it, and reuse blocks of these runs: the number of blocks reused, and of all that were needed."""
    reuse = Reuse(runs)
    play_tournament(tournament, out, means=Means(1, shards_here, reuse))
    return reuse.taken, reuse.blocks
