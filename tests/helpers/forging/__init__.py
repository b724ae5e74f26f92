"""Finished runs, with faults of every kind, the hand that forges them, and the ways in which it does."""

from __future__ import annotations

import json
import os
import re
import shutil
import tomllib
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeVar

import tomli_w
from helpers.command import BAD, TESTS
from helpers.shard_text import compact, parts_of, write_parts

from roundsim import api
from roundsim.replaying.log_driver import LogDriver
from roundsim.replaying.logged import replay_to
from roundsim.reports.data import results
from roundsim.table.deal import Ask
from roundsim.tournament.judging.standings import compute_standings
from roundsim.tournament.planning.plan import Schedule
from roundsim.tournament.results.at_fault import LOSES_SITTING
from roundsim.tournament.storage.folder import RunFolder
from roundsim.tournament.storage.shards import block_bounds
from roundsim.tournament.storage.totals import finished_totals

T = TypeVar("T")
ROGUE = TESTS / "strategies" / "rogue.py"
EVENING = """
[tournament]
name = "evening"
strategies = [
    "book", "random", "rogue.py:Rogue(often=0.1)", "rogue.py:Rogue(how='illegal')", "rogue.py:Rogue(where='settled')",
    "rogue.py:Rogue(how='memory', often=0.3)", "rogue.py:Rogue(where='constructor')",
    "rogue.py:Rogue(where='begin', how='memory')", "rogue.py:Rogue(where='__del__')",
]
[[games]]
game = "nap"
players = 3
sitting = 2
deals = 102
options = { misery = true }
strategies = [
    "book", "bad.py:Crash", "bad.py:Nonsense", "rogue.py:Rogue(how='dead', often=0.02)", "bad.py:Constructor",
    "bad.py:Begin", "bad.py:Settled", "rogue.py:Rogue(how='memory', often=0.3)", "rogue.py:Rogue(where='__del__')",
]
[[games]]
game = "loo"
players = 4
sitting = 3
deals = 108
options = { miss_leads = true }
"""
FROZEN = """
[tournament]
name = "frozen"
format = "freeze-out"
strategies = [
    "random", "book", "rogue.py:Rogue(often=0.2)", "rogue.py:Rogue(how='memory', often=0.2)",
    "rogue.py:Rogue(where='begin')", "rogue.py:Rogue(where='settled', often=0.3)",
]
[[games]]
game = "draw-poker"
times = 3
stack = 10
max_seats = 4
max_deals = 30
options = { stakes = "table" }
"""
MOVING = """
[tournament]
name = "moving"
format = "progressive"
strategies = [
    "random", "book", "random", "random", "rogue.py:Rogue(often=0.2)", "rogue.py:Rogue(how='memory', often=0.2)",
    "rogue.py:Rogue(where='begin')", "rogue.py:Rogue(where='settled', often=0.3)", "rogue.py:Rogue(where='__del__')",
]
[[games]]
game = "loo"
times = 3
rounds = 12
stake = 20
"""
SHADOW = """
[tournament]
name = "shadow"
format = "shadow"
strategies = ["random", "book"]
[gate]
[[games]]
game = "nap"
players = 3
deals = 320
[[games]]
game = "loo"
players = 3
deals = 320
"""
CUP = """
[tournament]
name = "cup"
format = "knock-out"
strategies = ["random", "book", "random"]
[[games]]
game = "nap"
deals = 400
"""
RUNS = ("moving", "evening", "frozen")  # with faults of every kind
FILES = {**dict(zip(RUNS, (MOVING, EVENING, FROZEN), strict=True)), "shadow": SHADOW, "cup": CUP}
OTHERS = {  # a run that is not this one: what is changed of its file
    "seed": ('format = "progressive"', 'format = "progressive"\nseed = 2'),
    "limits": ("[[games]]", "[limits]\nseconds = 2.0\n\n[[games]]"),
    "options": ("rounds = 12", "rounds = 12\noptions = { deal_stake = 5 }"),
    "settings": ("stake = 20", "stake = 21"),
    "strategies": ("often=0.3", "often=0.4"),
}
LINES = {  # the beginnings of lines of a shard
    "deal": r"\d+/\d+/\d+ .*(\||,) \w",
    "seats": r"= ",
    "end": r"\S+/end ",
    "outside": r"! ",
    "played": r"\d.*\| .*play \w\w.*play \w\w",
    "discard": r"\d.*discard \w\w \w\w",
    "raise": r"\d.*raise \d",
    "fault": r"\d.*!(exception|illegal|memory|dead) ",
    "memory": r"\d.*!memory ",
    "bare": r"\d.*[|,] ! ",
    "out": r"\d.*!out ",
    "barred": r"\d.*!barred ",
    "unmarked": r"\d+/\d+/\d+ [^!]*\| [^!]+$",
}


def always(thing: T) -> Callable[..., T]:
    """A change into this, whatever was there."""
    return lambda *_: thing


def play(folder: Path, name: str, change: tuple[str, str] = ("", "")) -> Path:
    """Play one of the runs in a folder that also has its strategies."""
    folder.mkdir(parents=True, exist_ok=True)
    for strategies in ROGUE, BAD:
        shutil.copy(strategies, folder)
    assert change[0] in FILES[name]
    (folder / f"{name}.toml").write_text(FILES[name].replace(*change) if change[0] else FILES[name])
    return api.run(folder / f"{name}.toml", jobs=2, out=folder / "run").folder


class Shard:
    """A shard of a run: its lines, and its tail: the head of its index; and its rows."""

    def __init__(self, run: Path, path: Path) -> None:
        self.path, self.name, self.entry = path, str(path.relative_to(run.parent)), path.parent.name
        head, self.rows, lines = parts_of(path)
        self.before = head, deepcopy(self.rows), lines.decode()
        self.lines, self.tail = lines.decode().removesuffix("\n").split("\n"), json.loads(head)

    def find(self, kind: str) -> list[int]:
        """The places of the lines of a kind."""
        return [at for at, line in enumerate(self.lines) if re.match(LINES[kind], line)]

    def blocks(self) -> list[list[str]]:
        """The lines of each block."""
        text = "".join(f"{line}\n" for line in self.lines).encode()
        blocks = range(self.rows[0][0], self.rows[-1][0] + 1)
        return [text[begin:end].decode().split("\n")[:-1] for begin, end in block_bounds(text, blocks)]

    def write(self, tail: str | None = None, rehashed: bool = True) -> None:
        """Write the shard, with the text of another tail if one is given; all hashes are right, if wanted."""
        head = compact(self.tail) if tail is None else tail
        text = "".join(f"{line}\n" for line in self.lines)
        assert (head, self.rows, text) != self.before, "nothing is forged"
        write_parts(self.path, head, self.rows, text.encode(), rehashed)

    def deal_at(self, at: int) -> str:
        """The address of the deal at a line, or next to it."""
        deals = [n for n, line in enumerate(self.lines) if line[0] not in "=!"]
        nearest = min(deals, key=lambda n: (abs(n - at), n))
        return f"{self.entry}/{self.lines[nearest].split(' ')[0]}"

    def reported(self, *phases: str) -> list[dict[str, Any]]:
        """Its reported faults of some phases."""
        return [each for each in self.tail["fault_reports"] if each["phase"] in phases]

    def count_fault(self, entrant: int, kind: str, more: int) -> None:
        """Add faults to the tail, or (a negative number) remove some."""
        counts = {(who, what): n for who, what, n in self.tail["faults"]}
        counts[entrant, kind] = counts.get((entrant, kind), 0) + more
        self.tail["faults"] = [[*key, n] for key, n in sorted(counts.items()) if n]
        for row in self.tail["at_fault"]:
            row[2] += more * (row[0] == entrant and not row[4])

    def forget(self, fault: dict[str, Any]) -> None:
        """A fault leaves the tail."""
        self.tail["fault_reports"].remove(fault)
        self.count_fault(fault["entrant"], fault["kind"], -1)
        if fault["phase"] in LOSES_SITTING or fault["kind"] == "memory":  # it counts as all deals of its block instead
            deals = {row[0]: row[2] for row in self.rows}[int(fault["deal"].split("/")[1])]
            for row in self.tail["at_fault"]:
                if row[0] == fault["entrant"] and not row[4]:
                    row[2:4] = row[2] + 1, row[3] - deals


class Forged:
    """A copy of a finished run, to forge by chance; `deal`: the damaged place, `other`: plays another run."""

    def __init__(self, run: Path, chance: Random, other: Callable[[str], Path]) -> None:
        self.run, self.chance, self.other, self.deal = run, chance, other, ""

    def shards(self) -> list[Shard]:
        return [Shard(self.run, path) for path in sorted(self.run.glob("log/*/*.zst"))]

    def shard(self, fits: Callable[[Shard], object] = lambda shard: True) -> Shard:
        """One of the shards."""
        shard = self.chance.choice([each for each in self.shards() if fits(each)])
        self.deal = shard.deal_at(0)
        return shard

    def line(self, kind: str) -> tuple[Shard, int]:
        """A line of a kind: its shard, and its place there."""
        shard, at = self.chance.choice([(shard, at) for shard in self.shards() for at in shard.find(kind)])
        self.deal = shard.deal_at(at)
        return shard, at

    def asks(self) -> list[Ask]:
        """The questions of the deal at hand."""
        found: list[Ask] = []

        def look(driver: LogDriver, *_: object) -> None:
            driver.replay()
            found[:] = driver.deal.asked

        replay_to(RunFolder(self.run), self.deal, look, lambda driver: None)
        return found

    def rewrite_results(self) -> None:
        """Standings and faults as they follow from the shards."""
        tournament = RunFolder(self.run).tournament()
        folds, _ = finished_totals(tournament, RunFolder(self.run))
        for name, data in results(compute_standings(tournament, folds)).items():
            (self.run / name).write_bytes(data)

    def rekey(self) -> None:
        """The keys of all blocks, and the results, as they follow from run.toml."""
        tournament = RunFolder(self.run).tournament()
        schedules = {entry.name: Schedule(tournament, number) for number, entry in enumerate(tournament.entries)}
        for shard in self.shards():
            first, last = shard.tail["blocks"]
            shard.tail["key"] = schedules[shard.entry].shard_key(range(first, last + 1))
            shard.write()
        self.rewrite_results()

    def edit_run(self, change: Callable[[dict[str, Any]], object]) -> None:
        """Change the data of run.toml."""
        path = self.run / "run.toml"
        before = path.read_bytes()
        change(data := tomllib.loads(before.decode()))
        path.write_text(tomli_w.dumps(data))
        assert path.read_bytes() != before, "nothing is forged"

    def put(self, path: Path, what: str) -> None:
        """Something else in the place of a file."""
        aside = self.run.parent / "aside"
        shutil.move(path, aside)
        if what == "fifo":
            os.mkfifo(path)
        elif what == "folder":
            path.mkdir()
        else:
            path.symlink_to({"link": str(aside), "device": "/dev/zero", "nowhere": "nowhere"}[what])


class Seen(NamedTuple):
    """Other commands that notice a forgery: the exit codes of `standings` and `log`, those of `replay`, and the result of
    going on with the run, "" where that is not tried."""

    reading: tuple[int, ...]
    replay: tuple[int, ...]
    going_on: str


READING = Seen((65,), (65,), "refused")  # whoever reads the place sees it
VERIFY = Seen(
    (0, 65), (0, 65), "found"
)  # only a command that plays the deals again must see it; and still after going on
FOREIGN = Seen((0,), (0,), "found")  # nobody else reads it
RESULT = Seen((0,), (0,), "repaired")
MISSING = Seen((0,), (65,), "repaired")
Forge = Callable[[Forged], str]


class Way(NamedTuple):
    """A way to forge a run.  `forge` returns the words with which verify must name the place; `apart`: in separate
    processes, since a command that meets it may hang or take all memory."""

    forge: Forge
    seen: Seen
    runs: tuple[str, ...]
    apart: bool


class Ways(dict[str, Way]):
    """Ways by name."""

    def put(self, name: str, forge: Forge, seen: Seen, runs: tuple[str, ...] = RUNS, apart: bool = False) -> None:
        assert name not in self
        self[name] = Way(forge, seen, runs, apart)

    def way(self, seen: Seen, runs: tuple[str, ...] = RUNS, apart: bool = False) -> Callable[[Forge], Forge]:
        """Registers a way by the name of its function."""

        def register(forge: Forge) -> Forge:
            self.put(forge.__name__.replace("_", " "), forge, seen, runs, apart)
            return forge

        return register
