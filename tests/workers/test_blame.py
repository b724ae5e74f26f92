"""Faults where time passes: the strategy that takes the time is at fault, and nobody else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from conftest import Write
from helpers.command import PATIENCE, WHOLE, assert_same, deals_of, drawn, environment, roundsim
from helpers.here import Here, met_here, played_by
from helpers.planned import planned
from helpers.sealed import any_in_force
from helpers.stages import break_off

from roundsim import api
from roundsim.base import importing
from roundsim.guests.losses import GuestLostError
from roundsim.guests.pool import Guests
from roundsim.guests.question import GuestQuestion
from roundsim.processes.start import Stopwatch
from roundsim.refereeing.board import CELLS, QUESTION
from roundsim.refereeing.referee import Clock, TimeUp
from roundsim.sandbox import kinds
from roundsim.sandbox.kinds import NO_SANDBOX, Sandbox
from roundsim.tournament.conduct import Conduct
from roundsim.tournament.planning.plan import Schedule
from roundsim.tournament.storage import unfinished
from roundsim.tournament.storage.folder import RunFolder
from roundsim.workers import worker
from roundsim.workers.shard import Playing, ShardPlayer
from roundsim.workers.stepped import Foresight, Strikes

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

    end = time.{clock}() + {pause}
    while time.{clock}() < end:
        time.sleep({pause} if "{clock}" == "monotonic" else 0)

    def act(view):
        return view.legal[0]
    """


def deals_of_a_run(
    room: Path, *strategies: str, seconds: float, deals: int, players: int = 2, code: int = 0, jobs: int = 1
) -> list[str]:
    """The deals of a sealed run."""
    listed = "[" + ", ".join(f'"{each}"' for each in strategies) + "]"
    (room / "run.toml").write_text(FILE.format(seconds=seconds, players=players, deals=deals, strategies=listed))
    roundsim("run", "run.toml", "--jobs", jobs, "--out", "run", cwd=room, code=code)
    return deals_of(room / "run")


@pytest.mark.soak
@pytest.mark.usefixtures("met")
@pytest.mark.parametrize("clock", ["monotonic", "process_time"])
def test_a_module_that_loads_slowly_makes_nobody_late(
    clock: str, write: Write, tmp_path: Path, seal: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not late itself.  While it is loaded, other tables wait for their guests, who have answered at once."""
    monkeypatch.setenv("ROUNDSIM_SEAL", seal.name)
    logs = []
    for pause in 0, 0.3:
        folder = write(f"{pause}/slow.py", LOADS.format(pause=pause, clock=clock)).parent
        write(f"{pause}/quick.py", LOADS.format(pause=0, clock=clock))
        logs.append(deals_of_a_run(folder, "quick.py", *["slow.py"] * 3, seconds=0.02, deals=48))
    assert logs[0] == logs[1]


def test_an_interruption_of_ours_is_a_bug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is reported with its traceback, and the board names no question for which a strategy could be blamed."""

    def interrupted(*_: Any) -> None:
        raise TimeUp("no answer within the limit")

    tournament = planned(tmp_path, "random", "random", deals=2)
    monkeypatch.setattr(Playing, "play", interrupted)
    clock = Clock(1, board := [7] * CELLS)
    task, guests = Schedule(tournament, 0).task(1), Guests(NO_SANDBOX, tournament.limits)
    said = worker.task_result(ShardPlayer(tournament, RunFolder(tmp_path), clock, guests), task)
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


@pytest.mark.soak
@pytest.mark.parametrize(("pause", "said"), [("pass", "answered"), ("time.sleep(0.01)", "late")])
def test_a_process_that_waits_for_a_processor_is_not_late(core: int, pause: str, said: str) -> None:
    """Its clock counts its own time, and so does a look from outside; one that sleeps is late all the same."""
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
    """Half a minute of sleep or of computing counts; an hour in the queue does not."""
    now = {"monotonic": 0.0, "process_time": 0.0, "sleeps": 0.0}
    for name in now:
        monkeypatch.setattr(importing, name, lambda name=name: now[name])
    awake = importing.Awake()
    for passed in ({"monotonic": 3600}, {"monotonic": 50, "process_time": 1}, {"monotonic": 2, "sleeps": 1}):
        for name, more in passed.items():
            now[name] += more
        seconds = awake.look()
    assert seconds == 1 + 2


def test_a_look_that_a_tick_interrupts_counts_no_time_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    now, ticks = {"monotonic": 0.0, "process_time": 0.0}, 0

    def sleeps() -> int:
        nonlocal ticks
        if ticks:
            ticks -= 1
            now.update(monotonic=11.0, process_time=11.0)
            assert awake.look() == 11
        return 0

    for name in now:
        monkeypatch.setattr(importing, name, lambda name=name: now[name])
    monkeypatch.setattr(importing, "sleeps", sleeps)
    awake = importing.Awake()
    now.update(monotonic=10.0, process_time=10.0)
    ticks = 1
    assert awake.look() == 10 and awake.look() == 11


@pytest.mark.usefixtures("met")
def test_no_strategy_plays_unsealed_on_a_busy_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A trial that does not end says nothing about the seal."""
    (tmp_path / "mine.py").write_text("def act(view):\n    return view.legal[0]\n")
    monkeypatch.setattr(kinds, "is_effective", kinds.is_effective.__wrapped__)
    for error in subprocess.TimeoutExpired("bwrap", 120), BlockingIOError(11, "no process now"):
        monkeypatch.setattr(subprocess, "run", Mock(side_effect=error))
        done = roundsim("play", "nap", "mine.py", "random", "--deals", 2, "--out", "run", cwd=tmp_path, code=78)
        assert "too busy to find out whether the sandbox" in done.stderr and not (tmp_path / "run").exists()


# One bad entrant

BAD = {
    "Loops": """
        while True:
            pass
        """,
    "Swallows": """
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass
        """,
    "Stops": """
        os.kill(os.getpid(), signal.SIGSTOP)
        """,
    "Deaf": """
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        time.sleep(60)
        """,
    "Slow": """
        signal.setitimer(signal.ITIMER_REAL, 0)
        end = time.process_time() + 2.7 * 0.2
        while time.process_time() < end:
            pass
        """,
}
PASSES = 4  # in which a guest is lost: once nobody knows at which question, then three times


def write_strategies(room: Path, name: str) -> None:
    body = textwrap.indent(textwrap.dedent(BAD[name]), 4 * " ")
    (room / "bad.py").write_text(f"import os, signal, time\n\ndef act(view):{body}    return view.legal[0]\n")
    (room / "good.py").write_text("def act(view):\n    return view.legal[0]\n")


@pytest.fixture
def guests_alone_here() -> Iterator[None]:
    """Guests are in separate processes, and the worker is here, where the test can look at it."""
    with played_by(Here, met_here):
        yield


@pytest.fixture
def lost(monkeypatch: pytest.MonkeyPatch) -> list[GuestLostError]:
    """The guests that are lost, but no more than may be."""
    found, usual = list[GuestLostError](), Foresight.lost

    def noted(self: Foresight, lost: GuestLostError) -> None:
        found.append(lost)
        assert len(found) <= PASSES
        usual(self, lost)

    monkeypatch.setattr(Foresight, "lost", noted)
    return found


@pytest.mark.soak
@pytest.mark.usefixtures("guests_alone_here")
@pytest.mark.parametrize(("name", "seconds"), [("Swallows", 0.05), ("Stops", 0.02), ("Deaf", 0.02), ("Slow", 0.2)])
def test_a_guest_that_is_ended_three_times_is_left_out(
    name: str,
    seconds: float,
    tmp_path: Path,
    seal: Sandbox,
    lost: list[GuestLostError],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is not asked in the shard at all, the fault says so, and the log verifies."""
    monkeypatch.setenv("ROUNDSIM_SEAL", seal.name)
    write_strategies(tmp_path, name)
    deals_of_a_run(tmp_path, "good.py", "bad.py", "book", seconds=seconds, deals=96, code=2)
    (fault,) = [json.loads(line) for line in (tmp_path / "run" / "faults.jsonl").read_text().splitlines()]
    assert (fault["strategy"], fault["kind"], fault["phase"]) == ("bad", "late", "shard")
    assert fault["words"] == "3 times it took so long that it had to be ended: it is not asked in this shard"
    assert len(lost) <= PASSES and sum(each.key is not None for each in lost) == 3
    assert api.verify(tmp_path / "run")


@pytest.mark.soak
def test_a_strategy_is_left_out_on_any_number_of_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two shards, natively or not."""
    write_strategies(tmp_path, "Swallows")
    for jobs, native in (1, ""), (2, "off"):
        monkeypatch.setenv("ROUNDSIM_NATIVE", native)
        deals_of_a_run(tmp_path, "good.py", "bad.py", seconds=0.05, deals=1100, code=2, jobs=jobs)
        (tmp_path / "run").rename(tmp_path / f"by {jobs}")
    assert_same(tmp_path / "by 1", tmp_path / "by 2")


@pytest.mark.soak
@pytest.mark.usefixtures("guests_alone_here")
def test_strikes_count_while_tables_are_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many tables in step make little more than ten strikes; the log bars where it would have in process."""
    asked, usual = list[str](), GuestQuestion.result

    def noted(question: GuestQuestion) -> Any:
        if question.fault_details:
            asked.append(question.fault_details[1])
        return usual(question)

    monkeypatch.setattr(GuestQuestion, "result", noted)
    write_strategies(tmp_path, "Loops")
    lines = deals_of_a_run(tmp_path, "good.py", "bad.py", seconds=0.02, deals=320, players=2, code=2)
    strikes = [line for line in lines if "!late " in line]
    assert len(strikes) == 10 and "!barred " in lines[-1]
    assert asked.count("no answer within the limit") <= 64 + 20
    assert api.verify(tmp_path / "run")


def test_a_resumed_shard_remembers_the_guests_that_were_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The result is the same whether a run is interrupted or not."""
    monkeypatch.setattr(unfinished, "LONG", 0)
    tournament = planned(tmp_path, "random", "random", deals=4)
    path, task = RunFolder(tmp_path).shard_to_be(tournament.entries[0], 1), Schedule(tournament, 0).task(1)
    path.parent.mkdir(parents=True)
    clock, foresight = Clock(1), Foresight(ended=Counter({1: 2}))
    break_off(Playing(tournament, task, clock, path, foresight=foresight))
    shard = Playing(tournament, task, clock, path)
    shard.take_up()
    assert shard.stage == 1 and shard.foresight.ended == {1: 2}


def test_a_strike_at_an_earlier_table_bars_earlier() -> None:
    strikes = Strikes(Conduct(), {})
    barred: list[dict[int, tuple[int, int, int]]] = []
    for at in (1, 1, 1), (1, 2, 1), (1, 5, 1), (1, 1, 2):
        strikes.note(0, "dead", "play", at)
        barred.append({**strikes.barred})
    assert barred == [{}, {}, {0: (1, 5, 1)}, {0: (1, 2, 1)}]


ENTRIES = {
    "first": "def act(view):\n    return view.legal[0]\n",
    "chance": "def act(view):\n    return view.chance.choice(view.legal)\n",
    "loads": "import time\ntime.sleep(0.3)\n\ndef act(view):\n    return view.legal[-1]\n",
    "thinks": """
        import time

        def act(view):
            end = time.process_time() + 0.03
            while time.process_time() < end:
                pass
            return view.legal[0]
        """,
    "imagines": """
        class Imagines:
            imagines = True

            def act(self, view):
                deal = view.imagine()
                return view.legal[0] if deal is None or len(str(deal.view)) % 2 else view.legal[-1]
        """,
    "hears": """
        class Hears:
            def __init__(self):
                self.heard = 0

            def begin(self, view):
                self.heard += 1

            def settled(self, view, net):
                self.heard += net

            def act(self, view):
                return view.legal[self.heard % len(view.legal)]
        """,
    "prints": "def act(view):\n    print(view)\n    return view.legal[0]\n",
    "fails": "def act(view):\n    raise KeyError(len(view.legal))\n",
    "lies": "def act(view):\n    return 'nothing of the kind'\n",
    "dies": "import os\n\ndef act(view):\n    os._exit(3)\n",
    "loops": "def act(view):\n    while True:\n        pass\n",
    "sleeps": "import time\n\ndef act(view):\n    time.sleep(60)\n",
    "stops": "import os, signal\n\ndef act(view):\n    os.kill(os.getpid(), signal.SIGSTOP)\n",
}
CLEAN = ("first", "chance", "loads", "thinks", "imagines", "hears", "prints", "book", "random")


@pytest.mark.soak
def test_a_busy_machine_plays_the_same_bytes(write: Write, tmp_path: Path) -> None:
    """A sealed contest of all kinds of entries, with four busy processes: no clean entry is at fault, nothing differs."""
    any_in_force()
    for name, code in ENTRIES.items():
        write(f"{name}.py", code)
    some = [*ENTRIES] if WHOLE else [name for name in ENTRIES if name not in ("sleeps", "stops")]
    entries = [*(f"{name}.py" for name in some), "book", "random"]
    with ExitStack() as burners:
        for kind in "quiet", "busy":
            if kind == "busy":
                for _ in range(4):
                    burner = burners.enter_context(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
                    burners.callback(burner.kill)
            deals_of_a_run(tmp_path, *entries, seconds=0.05, deals=drawn(24, 600), players=4, code=2)
            (tmp_path / "run").rename(tmp_path / kind)
    (game,) = json.loads((tmp_path / "busy" / "standings.json").read_text())["games"]
    faults = {row["strategy"].lower(): row["faults"] for row in game["rows"]}
    assert not any(faults[name] for name in CLEAN)
    assert_same(tmp_path / "quiet", tmp_path / "busy")
