"""Guests, launchers and workers are killed from outside: no strategy is blamed, and a run has the same bytes."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

import pytest
from helpers.command import PATIENCE, assert_same, begin, living, roundsim, seldom, shards, wait_for

MINE = """
import time
from pathlib import Path

games = ["nap"]


class Waits:
    def __init__(self):
        self.asked = 0

    def begin(self, view):
        time.sleep({pause})

    def act(self, view):
        self.asked += 1
        return view.legal[self.asked % len(view.legal)]
"""
PAUSE = 0.003  # seconds in each sitting, so that there is time to kill
DEALS = 1100  # three shards of it
WORDS = ["play", "nap", "mine.py:Waits", "mine.py:Waits", "random", "--deals", DEALS, "--isolate", "on"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run that is left alone."""
    room = tmp_path_factory.mktemp("losses")
    (room / "mine.py").write_text(MINE.format(pause=PAUSE))
    roundsim(*WORDS, "--jobs", 1, "--out", "whole", cwd=room)
    return room / "whole"


def read(pid: int, name: str) -> str:
    """Return a file of a process in /proc; nothing if it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/{name}").read_text()
    return ""


def below(pid: int) -> Iterator[int]:
    """All processes that descend from one, nearest first."""
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            children = [int(each) for each in (task / "children").read_text().split()]
            yield from children
            for child in children:
                yield from below(child)


def workers(run: int) -> list[int]:
    return [pid for pid in below(run) if "spawn_main" in read(pid, "cmdline")]


def leaves(run: int) -> list[int]:
    """Guests: processes that have a launcher above, and nothing below."""
    within = [pid for worker in workers(run) for pid in below(worker)]
    return [pid for pid in within if not [*below(pid)] and parent(pid) in within]


def launchers(run: int) -> list[int]:
    """The processes above guests."""
    return sorted({parent(pid) for pid in leaves(run)})


def parent(pid: int) -> int:
    stat = read(pid, "stat")
    return int(stat.rpartition(") ")[2].split()[1]) if stat else 0


KINDS = {"guest": leaves, "launcher": launchers, "worker": workers}


@contextmanager
def underway(room: Path, jobs: int = 1, finished: int = 1) -> Iterator[int]:
    """Start the run or go on with it, until it has guests; at the end none of its processes may be left."""
    process = begin(*WORDS, "--jobs", jobs, "--out", "killed", cwd=room)
    try:
        assert wait_for(
            lambda: process.poll() is not None or leaves(process.pid) and len(shards(room / "killed")) >= finished
        )
        assert process.poll() is None, process.communicate()
        yield process.pid
        out, said = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert wait_for(lambda: not living(process.pid)), f"still there: {living(process.pid)}"
    assert "Traceback" not in out + said, said


def kill(found: list[int], number: int = signal.SIGKILL) -> None:
    for pid in found:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


@pytest.fixture
def room(whole: Path) -> Iterator[Path]:
    yield whole.parent
    shutil.rmtree(whole.parent / "killed", ignore_errors=True)


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_a_process_that_is_killed_once_is_not_blamed(room: Path, kind: str) -> None:
    """Another is started in its place, and gets the same questions again."""
    with underway(room) as run:
        assert wait_for(lambda: KINDS[kind](run))
        kill(KINDS[kind](run)[-1:])
    assert (room / "killed" / "faults.jsonl").read_text() == ""
    assert_same(room / "whole", room / "killed")


@pytest.mark.parametrize("number", seldom(signal.SIGINT, signal.SIGKILL), ids=["Ctrl-C", "SIGKILL"])
def test_a_killed_run_goes_on(room: Path, number: int) -> None:
    """Finished shards stay, and no process is left."""
    with underway(room) as run:
        (os.killpg if number == signal.SIGINT else os.kill)(run, number)
    before = shards(room / "killed")
    assert 1 <= len(before) < len(shards(room / "whole"))
    roundsim(*WORDS, "--jobs", 1, "--out", "killed", cwd=room)
    assert before.items() <= shards(room / "killed").items()
    assert_same(room / "whole", room / "killed")


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(6))
def test_killed_over_and_over(room: Path, seed: int) -> None:
    """Guests, launchers and workers, some at once; never so many of a shard's that somebody must be blamed."""
    chance = Random(seed)
    with underway(room, jobs=2, finished=0) as run:
        for _ in range(3):
            there = KINDS[chance.choice(list(KINDS))](run)
            kill(chance.sample(there, min(len(there), chance.randint(1, 2))), chance.choice([9, 15]))
            time.sleep(chance.random())
    assert_same(room / "whole", room / "killed")
