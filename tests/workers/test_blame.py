"""Who is at fault where time passes: the strategy that takes it, and nobody else."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command import PATIENCE, deals_of, environment, roundsim
from conftest import Write

from roundsim import loading
from roundsim.processes.start import Stopwatch
from roundsim.refereeing.board import CELLS, QUESTION
from roundsim.refereeing.referee import Clock, TimeUp
from roundsim.seals import kinds
from roundsim.seals.kinds import NONE, Seal
from roundsim.tournament.file import read
from roundsim.tournament.folder import RunFolder
from roundsim.tournament.places import Places
from roundsim.tournament.plan import Schedule
from roundsim.workers import worker
from roundsim.workers.guests import Guests

FILE = """
[limits]
isolate = "on"
seconds = {seconds}

[[games]]
game = "nap"
players = {players}
deals = {deals}
strategies = {strategies}
"""
LOADS = """
    import time
    time.sleep({pause})

    def act(view):
        return view.legal[0]
    """


def played(room: Path, *strategies: str, seconds: float, deals: int, players: int = 2, code: int = 0) -> list[str]:
    """The deals of a sealed run on one process."""
    listed = "[" + ", ".join(f'"{each}"' for each in strategies) + "]"
    (room / "run.toml").write_text(FILE.format(seconds=seconds, players=players, deals=deals, strategies=listed))
    roundsim("run", "run.toml", "--jobs", 1, "--out", "run", cwd=room, code=code)
    return deals_of(room / "run")


@pytest.mark.usefixtures("met")
def test_who_is_slowly_loaded_makes_nobody_late(
    write: Write, tmp_path: Path, seal: Seal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it is loaded, other tables wait for their guests: these have answered at once."""
    monkeypatch.setenv("ROUNDSIM_SEAL", seal.name)
    logs = []
    for pause in 0, 0.3:
        folder = write(f"{pause}/slow.py", LOADS.format(pause=pause)).parent
        write(f"{pause}/quick.py", LOADS.format(pause=0))
        logs.append(played(folder, "quick.py", *["slow.py"] * 3, seconds=0.02, deals=48))
    assert logs[0] == logs[1]


def test_an_interruption_of_ours_is_a_bug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told with its traceback, and the board names no question for which somebody could be blamed."""

    def interrupted(*_: Any) -> None:
        raise TimeUp("no answer within the limit")

    data = {"tournament": {"strategies": ["random", "random"]}, "games": [{"game": "nap", "deals": 2}]}
    tournament = read(data, Places("here"), tmp_path, "here")
    monkeypatch.setattr(worker.Playing, "play", interrupted)
    clock = Clock(1, board := [7] * CELLS)
    task, guests = Schedule(tournament, 0).task(1), Guests(NONE, tournament.limits)
    said = worker.answer(tournament, task, clock, RunFolder(tmp_path), True, guests)
    assert said["error"] == "BugError" and "in interrupted" in said["words"]
    assert board[QUESTION] == 0


# A busy machine

STARVED = """
import os, sys, time
from roundsim.refereeing.referee import Clock, TimeUp

os.sched_setaffinity(0, {core})
with Clock(0.02) as clock:
    print("ready", flush=True)
    sys.stdin.readline()
    os.nice(19)
    clock.board[0] = 1
    try:
        end = time.process_time() + 0.015
        while time.process_time() < end:
            {pause}
        said = "answered"
    except TimeUp:
        said = "late"
    clock.board[0] = 0
print(said, flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def core() -> Iterator[int]:
    """A processor that is busy with something else."""
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("processes cannot be held to a processor here")
    core = min(os.sched_getaffinity(0))
    code = f"import os; os.sched_setaffinity(0, {{{core}}}); print(flush=True)\nwhile True: pass"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as burner:
        assert burner.stdout and burner.stdout.readline()
        yield core
        burner.kill()


@pytest.mark.parametrize(("pause", "said"), [("pass", "answered"), ("time.sleep(0.01)", "late")])
def test_who_waits_for_a_processor_is_not_late(core: int, pause: str, said: str) -> None:
    """Its time is its own, by its clock and from outside; who sleeps is late all the same."""
    code = STARVED.format(core={core}, pause=pause)
    pipe = subprocess.PIPE
    words = [sys.executable, "-c", code]
    with subprocess.Popen(words, env=environment(), stdin=pipe, stdout=pipe, text=True, bufsize=1) as starved:
        assert starved.stdin and starved.stdout and starved.stdout.readline() == "ready\n"
        since = Stopwatch(starved.pid)
        starved.stdin.write("go\n")
        assert starved.stdout.readline().strip() == said
        assert since.wall() < 0.2 or said == "late"
        starved.communicate("end\n", timeout=PATIENCE)


def test_a_module_that_waits_for_a_processor_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a minute counts for who sleeps, or computes, for so long; an hour in the queue is nobody's."""
    now = {"monotonic": 0.0, "process_time": 0.0, "sleeps": 0.0}
    for name in now:
        monkeypatch.setattr(loading, name, lambda name=name: now[name])
    awake = loading.Awake()
    for passed in ({"monotonic": 3600}, {"monotonic": 50, "process_time": 1}, {"monotonic": 2, "sleeps": 1}):
        for name, more in passed.items():
            now[name] += more
        seconds = awake.look()
    assert seconds == 1 + 2


@pytest.mark.parametrize(
    "error", [subprocess.TimeoutExpired("bwrap", 120), BlockingIOError(11, "no process now")], ids=type
)
def test_nobody_plays_unsealed_on_a_busy_machine(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A trial that does not end says nothing about the seal."""

    def tried(*_: Any, **more: Any) -> Any:
        raise error

    monkeypatch.setattr(kinds, "holds", kinds.holds.__wrapped__)
    monkeypatch.setattr(kinds.subprocess, "run", tried)
    (tmp_path / "mine.py").write_text("def act(view):\n    return view.legal[0]\n")
    done = roundsim("play", "nap", "mine.py", "random", "--deals", 2, "--out", "run", cwd=tmp_path, code=78)
    assert "nobody knows whether the seal" in done.stderr and not (tmp_path / "run").exists()
