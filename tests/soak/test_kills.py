"""A run killed over and over, anywhere in it: what is finished stays, and nobody is blamed for it."""

from __future__ import annotations

import os
import shutil
import signal
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from helpers.command import BAD, PATIENCE, TESTS, assert_same, begin, drawn, living, roundsim, shards, wait_for

from roundsim import api
from roundsim.tournament.storage.layout import is_kept

pytestmark = pytest.mark.soak

KILLS = drawn(6, 30)  # with each seed
FAULTY = """
[tournament]
seed = 3
strategies = ["random", "habits.py:Keeps", "habits.py:Shared", "bad.py:Sometimes(often=0.001)",
              "bad.py:Killed(often=0.0004)"]

[limits]
seconds = 300

[[games]]
game = "nap"
players = 4
deals = 6000
"""
ENDS = [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)]


def lay_out(folder: Path) -> Path:
    for strategies in BAD, TESTS / "strategies" / "habits.py":
        shutil.copy(strategies, folder)
    (folder / "faulty.toml").write_text(FAULTY)
    return folder


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run without an interruption: one of its strategies fails now and then, one dies at the same questions always."""
    folder = lay_out(tmp_path_factory.mktemp("unbroken"))
    roundsim("run", "faulty.toml", "--jobs", 2, "--out", "whole", cwd=folder, code=2)
    faults = (folder / "whole" / "faults.jsonl").read_text()
    assert faults.count('"kind": "exception"') > 3 and faults.count('"kind": "dead"') > 1
    return folder / "whole"


def workers(run: int) -> list[int]:
    """The workers of a run: those of its children that are started to play."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(") ")[2].split()[1])
            if parent == run and "spawn_main" in (folder / "cmdline").read_text():
                found.append(int(folder.name))
    return sorted(found)


def kill_workers(run: int, chance: Random) -> int:
    """Kill some workers of a run at once; how many it was.

    Not one after another: whoever is asked when a worker is lost at the same question again is blamed for it."""
    there = workers(run)
    for worker in (struck := chance.sample(there, chance.randint(min(1, len(there)), len(there)))):
        with suppress(ProcessLookupError):
            os.kill(worker, chance.choice((signal.SIGKILL, signal.SIGTERM)))
    return len(struck)


def hidden_files(out: Path) -> set[Path]:
    """The files that a run which ends in order does not leave."""
    return {path for path in out.rglob(".*") if not is_kept(path)}


def left_by(run: int) -> list[str]:
    """Its processes.  Bubblewrap, killed in the milliseconds in which it starts, leaves its child asleep: no guest yet."""
    return [each for each in living(run) if not each.endswith("(bwrap")]


def play_and_kill(out: Path, chance: Random) -> tuple[int, bool]:
    """Begin a run or go on with it, and kill it, or workers of it, or both; how many kills, and whether it has finished."""
    before, hidden, kills, expected = shards(out), hidden_files(out), 0, 2
    process = begin("run", "faulty.toml", "--jobs", 2, "--out", out.name, cwd=out.parent)
    assert wait_for(lambda: workers(process.pid) or process.poll() is not None)
    time.sleep(chance.choice((0.1, 0.4, 1)) * chance.random())
    who = chance.choice(("workers", *("run", "group", "workers and run", "workers and group") * 2))
    if "workers" in who:
        kills += kill_workers(process.pid, chance)
        time.sleep(chance.choice((0.1, 0.4, 1)) * chance.random())
    if who != "workers" and process.poll() is None:
        number, expected = chance.choice(ENDS)
        (os.killpg if "group" in who else os.kill)(process.pid, number)
        kills += 1
    try:
        _, said = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert wait_for(lambda: not left_by(process.pid)), f"still there: {left_by(process.pid)}"
    assert "Traceback" not in said and "bug" not in said, said
    assert before.items() <= shards(out).items()
    finished, left = (
        (out / "timing.json").exists(),
        hidden_files(out) - hidden,
    )  # it may end before it reaches the folder
    assert process.returncode in (expected, 128 - expected) or finished and process.returncode == 2, said
    if not said.strip():  # the strategies were still being met
        return kills, False
    assert not left or process.returncode == -signal.SIGKILL, left
    if process.returncode > 2 and not finished:
        assert f"interrupted; what is finished is kept in {out.name}" in said
    return kills, process.returncode == 2


@pytest.mark.parametrize("seed", range(drawn(1, 6)))
def test_a_run_killed_over_and_over(tmp_path: Path, unbroken: Path, seed: int) -> None:
    """Until it has finished, and then from the beginning: it has the bytes of the run that was left alone."""
    chance, kills, out = Random(seed), 0, lay_out(tmp_path) / "killed"
    while kills < KILLS:
        finished = False
        while not finished:
            more, finished = play_and_kill(out, chance)
            kills += more
        assert_same(unbroken, out)
        assert api.verify(out)
        shutil.rmtree(out)
