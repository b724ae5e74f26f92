"""Shards of a game, played in this process by what plays them in a worker: `python bench/shards.py GAME STRATEGY`,
under callgrind, counts one of them."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from ctypes import c_longlong
from math import inf
from time import process_time
from typing import NamedTuple

from roundsim import games
from roundsim.guests.isolation import seal_for
from roundsim.guests.pool import Guests
from roundsim.processes.memory import collect_seldom
from roundsim.refereeing.board import CELLS
from roundsim.refereeing.referee import Clock
from roundsim.sources import plugins
from roundsim.tournament.formats.round_robin import RoundRobin
from roundsim.tournament.planning.plan import Entry, Limits, Schedule, Tournament
from roundsim.tournament.storage import unfinished
from roundsim.tournament.storage.folder import RunFolder
from roundsim.workers.shard import ShardPlayer
from roundsim.workers.worker import third_party_sources


class Spent(NamedTuple):
    players: int
    deals: int
    decisions: int
    cpu: float


class Shards:
    """Some deals of a game, the same each time: deal, chance, strategies, timed referee, log line, compression,
    writing. They are the shards of `roundsim play GAME STRATEGY ... --seed 1`, and a `ShardPlayer` plays them.

    `limit`: the clock's limit; it ticks four times within it. `players`: of a table; without it four, if four may
    sit. `isolate`: who runs in the sandbox."""

    def __init__(
        self, name: str, strategy: str, deals: int, limit: float = 1.0, players: int = 0, isolate: str = "auto"
    ) -> None:
        game = games.find(name)
        self.players = players or (4 if game.seats[0] <= 4 <= game.seats[1] else game.usual[0])
        format = RoundRobin(self.players, game.rules_for(self.players).sitting)
        field = tuple(plugins.find(strategy, name) * self.players)
        self.entry = Entry(name, name, format, {}, field, -(-deals // (self.players * format.sitting)))
        self.tournament = Tournament("bench", "round-robin", 1, Limits(isolate=isolate), (self.entry,))
        self.limit = limit

    def play(self) -> Spent:
        """Play them into a temporary folder."""
        with tempfile.TemporaryDirectory() as folder:
            return self.spent(folder, self.play_into(folder))

    def play_into(self, folder: str, seconds: Callable[[], float] | None = None) -> float:
        """Play them as `worker_loop` does; return the seconds of the `ShardPlayer`, by default those of CPU time."""
        seconds = seconds or process_time
        run, tournament, spent = RunFolder(folder), self.tournament, 0.0
        run.log(self.entry).mkdir(parents=True)  # the parent of a run does this
        guests = Guests(seal_for(tournament), tournament.limits, [folder, *third_party_sources(tournament)])
        cells = memoryview((c_longlong * CELLS)()).cast("B").cast("q")
        with closing(guests), Clock(self.limit, cells) as clock:
            player, schedule = ShardPlayer(tournament, run, clock, guests), Schedule(tournament, 0)
            for task in [schedule.task(blocks[0]) for blocks in self.entry.shards()]:
                start = seconds()
                player.play(task)
                spent += seconds() - start
                player.fresh = False
        return spent

    def spent(self, folder: str, cpu: float) -> Spent:
        """Return what was played into a folder, with its CPU seconds."""
        rows = [row for shard in RunFolder(folder).shards(Schedule(self.tournament, 0)) for row in shard.rows]
        return Spent(self.players, sum(row.deals for row in rows), sum(row.decisions for row in rows), cpu)


def main(name: str, strategy: str) -> None:
    """Play shards twice, the second time counted by callgrind; print the deals of each time."""
    unfinished.LONG = inf  # a shard that takes long is saved: under callgrind all take long
    shards = Shards(name, strategy, deals=40, limit=86_400)  # a tick would be counted
    deals = shards.play().deals
    gc.collect()  # or it depends on what was loaded when garbage is collected next
    collect_seldom()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["callgrind_control", "-i", "on", str(os.getpid())], check=True, stdout=subprocess.DEVNULL)
        shards.play_into(folder)
    print(deals, flush=True)
    os._exit(0)  # the end of the interpreter would be counted


if __name__ == "__main__":
    main(*sys.argv[1:])
