"""Shards of a game played in this process: `python bench/shards.py GAME STRATEGY`, under callgrind, counts one of
them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import NamedTuple

from roundsim import games
from roundsim.processes.memory import collect_seldom
from roundsim.refereeing.referee import Clock
from roundsim.sources import plugins
from roundsim.tournament.formats.round_robin import RoundRobin
from roundsim.tournament.planning.plan import Entry, Limits, Schedule, Tournament
from roundsim.tournament.storage.folder import RunFolder
from roundsim.workers.shard import Playing


class Spent(NamedTuple):
    players: int
    deals: int
    decisions: int
    cpu: float


class Shards:
    """Some deals of a game, the same each time: deal, chance, strategies, timed referee, log line, compression,
    writing.

    `limit`: the clock's limit; it ticks four times within it. `players`: of a table; without it four, if four may
    sit."""

    def __init__(self, name: str, strategy: str, deals: int, limit: float = 1.0, players: int = 0) -> None:
        game = games.find(name)
        self.players = players or (4 if game.seats[0] <= 4 <= game.seats[1] else game.usual[0])
        format = RoundRobin(self.players, game.rules_for(self.players).sitting)
        field = tuple(plugins.find(strategy, name) * self.players)
        self.entry = Entry(name, name, format, {}, field, -(-deals // (self.players * format.sitting)))
        self.tournament = Tournament("bench", "round-robin", 1, Limits(), (self.entry,))
        self.limit = limit

    def play(self) -> Spent:
        deals, decisions, spent = 0, 0, 0.0
        with tempfile.TemporaryDirectory() as folder, Clock(self.limit) as clock:
            run = RunFolder(folder)
            (Path(folder) / "log" / self.entry.name).mkdir(parents=True)
            schedule = Schedule(self.tournament, 0)
            for task in [schedule.task(blocks[0]) for blocks in self.entry.shards()]:
                start = process_time()
                shard = Playing(self.tournament, task, clock)
                shard.play()
                shard.write(run.shard_to_be(self.entry, task.first))
                spent += process_time() - start
                deals += sum(row.deals for row in shard.tally.rows)
                decisions += sum(row.decisions for row in shard.tally.rows)
        return Spent(self.players, deals, decisions, spent)


if __name__ == "__main__":
    _, name, strategy = sys.argv
    shards = Shards(name, strategy, deals=40, limit=86_400)  # a tick would be counted
    shards.play()
    collect_seldom()
    subprocess.run(["callgrind_control", "-i", "on", str(os.getpid())], check=True, stdout=subprocess.DEVNULL)
    print(shards.play().deals)
