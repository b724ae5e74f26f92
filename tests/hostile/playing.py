"""Hostile strategies at a table, isolated or not, and the results of the run."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from helpers.command import called, command, environment, living, wait_for
from helpers.here import AllHere, met_here, played_by
from helpers.shard_text import text_of

from roundsim import api

HERE = Path(__file__).parent
LONG = 180  # seconds: a run takes two; one that takes so long has no end
OFF = "off"  # not isolated; else the name of a seal
FILE = """
[tournament]
name = "hostile"
seed = {seed}
strategies = {strategies}

[limits]
seconds = {seconds}
memory = {memory}
on_fault = "forfeit"

[[games]]
game = "nap"
players = {players}
sitting = {sitting}
deals = {deals}
duplicate = {duplicate}
"""


class Played(NamedTuple):
    """A run that has ended: its exit code, what it said, and its folder."""

    code: int
    err: str
    folder: Path

    @property
    def lines(self) -> list[str]:
        """The log without the tails of its shards: the seats, the deals, and the faults in them."""
        files = sorted((self.folder / "log").rglob("*.zst"))
        return [line for file in files for line in text_of(file).splitlines() if line[0] != "#"]

    @property
    def rows(self) -> dict[str, dict[str, Any]]:
        """The standings by label."""
        (game,) = json.loads((self.folder / "standings.json").read_text())["games"]
        return {row["strategy"]: row for row in game["rows"]}

    @property
    def faults(self) -> dict[str, dict[str, int]]:
        return {label: row["faults"] for label, row in self.rows.items()}

    @property
    def reported(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.folder / "faults.jsonl").read_text().splitlines()]

    @property
    def seen(self) -> object:
        """All results of a run that do not depend on the sandbox."""
        if self.code not in (0, 2):
            return self.code
        return self.lines, {label: {**row, "sha256": "", "parameters": {}} for label, row in self.rows.items()}


MEEK: dict[str, Played] = {}  # runs without an attack, which are the same for each seal


def isolation(how: str) -> tuple[list[str], dict[str, str]]:
    """The options and the environment of a run that is isolated in this way."""
    return (["--isolate", OFF], {}) if how == OFF else (["--isolate", "auto"], {"ROUNDSIM_SEAL": how})


def play(
    room: Path,
    how: str,
    entrants: Mapping[str, str],
    *,
    deals: int = 32,
    players: int = 4,
    sitting: int = 4,
    seconds: float = 1.0,
    memory: int = 1024,
    seed: str = "1",
    duplicate: bool = True,
    here: bool = False,
    **around: str,
) -> Played:
    """Play such a tournament in a separate session; nothing of it is left.  `here`: in this process, without attacks."""
    options, seal = isolation(how)
    lay_out(room)
    file = room / f"{how}.toml"
    listed = json.dumps([f"{name}={place}" for name, place in entrants.items()])
    settings: dict[str, Any] = {"deals": deals, "players": players, "sitting": sitting, "seconds": seconds}
    settings |= {"memory": memory, "duplicate": json.dumps(duplicate)}
    file.write_text(FILE.format(strategies=listed, seed=json.dumps(seed) if len(seed) > 9 else seed, **settings))
    out = next(room / f"{how}-{n}" for n in range(99) if not (room / f"{how}-{n}").exists())
    call = "run", file.name, "--jobs", 1, *options, "--out", out.name
    if here:
        with played_by(AllHere, met_here):
            done = called(*call, cwd=room)
        return Played(done.returncode, done.stderr, out)
    run = subprocess.Popen(
        command(*call),
        cwd=room,
        env={**environment(), **seal, **around},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        _, said = run.communicate(timeout=LONG)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGKILL)
    assert wait_for(lambda: not living(run.pid)), f"still there: {living(run.pid)}"
    return Played(run.returncode, said, out)


def lay_out(room: Path) -> None:
    """Write each file of attacks as a package, whatever an attack has changed in it."""
    for file in (HERE / "attacks").glob("[!_]*.py"):
        package = room / file.stem
        package.mkdir(exist_ok=True)
        for each in "plan.py", file.name:
            shutil.copy(HERE / "attacks" / each, package)
        (package / "__init__.py").write_text(f"threads = True\nfrom .plan import Meek\nfrom .{file.stem} import *\n")
    shutil.copy(HERE / "victim.py", room)


def meek(room: Path, entrants: Mapping[str, str], **settings: Any) -> Played:
    """The same run with strategies in the attackers' places that play as they do when they have failed."""
    places = {name: re.sub(r"^(\./\w+):.*", r"\1:Meek", place) for name, place in entrants.items()}
    what = repr((places, settings))
    if what not in MEEK:
        MEEK[what] = play(room, OFF, places, here=True, **settings)
        assert MEEK[what].code == 0, MEEK[what].err
    return MEEK[what]


def got_through(run: Played) -> set[str]:
    """The entrants that have called."""
    found, seats = set[str](), list[str]()
    for line in run.lines:
        if line.startswith("= "):
            seats = line.split(" ", 2)[2].split(" | ")
        elif line[0] != "!" and "/end" not in line:
            head, _, said = line.partition(" | ")
            dealer = int(head.split()[1])
            for place, call in enumerate(said.split(", ")[: len(seats)]):
                if call.startswith("call"):
                    found.add(seats[(dealer + 1 + place) % len(seats)])
    return found


def must_stand(run: Played, *attackers: str) -> None:
    """Check that a run went to its end, and that nobody else is blamed for anything."""
    assert run.code in (0, 2), run.err
    assert not [label for label, faults in run.faults.items() if faults and label not in attackers], run.faults
    assert {fault["strategy"] for fault in run.reported} <= {*attackers}
    assert api.verify(run.folder)
