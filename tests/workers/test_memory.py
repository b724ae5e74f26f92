"""A worker without free memory: its earlier shards do not matter, and a strategy that fills the memory ends the run."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from resource import RLIMIT_AS, setrlimit

import pytest
from conftest import Write
from helpers.command import BAD, TESTS, assert_same, roundsim, stamps
from helpers.planned import planned
from helpers.shard_text import text_of
from helpers.stages import break_off

from roundsim.base.errors import PluginError
from roundsim.guests.pool import Guests
from roundsim.refereeing.faults import Fault
from roundsim.refereeing.referee import Clock
from roundsim.sandbox.kinds import NO_SANDBOX
from roundsim.tournament.planning.plan import Schedule
from roundsim.tournament.storage import unfinished
from roundsim.tournament.storage.folder import RunFolder
from roundsim.workers import strategies
from roundsim.workers.shard import Playing, ShardPlayer, StaleError
from roundsim.workers.worker import task_result

FILLS = """
    kept = []


    class Tells:
        '''Fills the memory to the last byte, once.'''

        def act(self, view):
            if view.chance.below(500) == 0:
                while True:
                    kept.append(bytearray(100))
            return view.legal[0]


    class Swallows(Tells):
        '''And does not report it: the next allocation fails.'''

        def act(self, view):
            try:
                return super().act(view)
            except MemoryError:
                return view.legal[0]
    """
LEAVES = """
    import sys

    vars(sys).setdefault("left", []).append(bytes(40 << 20))  # where no module of ours is forgotten


    class Leaves:
        '''Has enough memory for one shard, which is two rotations.'''
        imagines = True  # so that shards are small

        def act(self, view):
            bytes(220 << 20)
            return view.legal[0]
    """
FILE = """
[tournament]
name = "filled"

[limits]
memory = {memory}

[[games]]
name = "before"
game = "nap"
players = 2
deals = 40
strategies = ["random", "random"]

[[games]]
game = "nap"
players = {players}
sitting = 1
deals = {deals}
strategies = [{strategies}]
"""

pytestmark = pytest.mark.usefixtures("in_process")


@pytest.fixture
def clock() -> Iterator[Clock]:
    with Clock(60) as ticking:
        yield ticking


@pytest.fixture
def room(write: Write, tmp_path: Path) -> Path:
    write("fills.py", FILLS)
    write("leaves.py", LEAVES)
    for file in BAD, TESTS / "strategies" / "rogue.py":
        shutil.copy(file, tmp_path)
    return tmp_path


def write_run_file(room: Path, *names: str, deals: int, players: int = 2, memory: int = 300) -> None:
    listed = ", ".join(json.dumps(each) for each in names)
    text = FILE.format(strategies=listed, deals=deals, players=players, memory=memory)
    (room / "filled.toml").write_text(text)


# Strategies that fill it


FULL = (
    "roundsim: the memory allowed, 300 MB, is full of what strategies keep: in nap, blocks 1 to {last}, sat {who}. "
    "With a sandbox, --isolate on plays each in a separate process and names the one at fault; memory in [limits] "
    "allows more\n"
)


FILLING = [
    ("bad.py:Hoard", "bad.py:Heavy", "bad.py:Crash"),
    ("fills.py:Swallows", "random"),
    ("bad.py:Hoard(size=1_000_000)", "bad.py:Heavy", "bad.py:Crash"),
    ("fills.py:Tells", "random"),
]


@pytest.mark.soak
@pytest.mark.parametrize("who", FILLING, ids=" ".join)
def test_a_strategy_that_fills_the_memory_ends_the_run(room: Path, who: tuple[str, ...]) -> None:
    """The words are the same wherever memory ran out, whether the process played something before or not, and at the second
    try.  Shards that are finished are kept."""
    write_run_file(room, *who, deals=600, players=len(who))
    names = ", ".join(each.rpartition(":")[2].replace("_", "") for each in who)
    kept = list[dict[str, tuple[int, int]]]()
    for jobs, out in (1, "one"), (1, "one"), (2, "two"):
        words = "run", "filled.toml", "--isolate", "off", "--jobs", jobs, "--out", out
        done = roundsim(*words, cwd=room, code=66)
        assert done.stderr.endswith(FULL.format(last=600 // len(who), who=names)) and not done.stdout
        kept.append(stamps(room / out))
    assert kept[0] == kept[1] and {*kept[0]} == {"run.toml", "log/before/0000001.zst"}
    assert "40 deals verified" in roundsim("verify", "one", cwd=room).stdout


def test_a_guest_fills_its_own_memory_only(room: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory of the worker may be full when that of the guest is."""
    monkeypatch.setattr(strategies, "filled_since", lambda before: True)
    tournament = planned(room, "random", "random", deals=2)
    shard = Playing(tournament, Schedule(tournament, 0).task(1), clock)
    shard.table.cast.strangers = frozenset([0])
    shard.table.record_fault(Fault(0, "nap/1/1/1", 0, kind="memory", words="no more"))
    assert shard.tally.faults == {(0, "memory"): 1}
    with pytest.raises(MemoryError):
        shard.table.record_fault(Fault(1, "nap/1/1/1", 1, kind="memory", words="no more"))


def test_only_some_of_many_strategies_are_named(room: Path, clock: Clock) -> None:
    tournament = planned(room, *["random"] * 30, players=3, deals=90)
    shard = Playing(tournament, Schedule(tournament, 0).task(1), clock)
    assert " sat random, random#2, random#3, " in str(shard.full())
    assert ", random#12, 18 more. With a sandbox, --isolate on " in str(shard.full())
    shard.strangers = frozenset(range(30))
    assert str(shard.full()) == "the memory allowed, 1024 MB, is full; memory in [limits] allows more"


@pytest.mark.soak
def test_a_shell_that_allows_little_memory_is_reported(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No strategy is blamed for it, isolated or not."""
    (room / "mine.py").write_text("def act(view):\n    return view.legal[0]\n")
    few = 300 << 20
    words = "play", "nap", "mine.py", "random", "--deals", 4, "--out"
    for seal in "none", "":
        monkeypatch.setenv("ROUNDSIM_SEAL", seal)
        done = roundsim(*words, f"by {seal}", cwd=room, before=lambda: setrlimit(RLIMIT_AS, (few, few)))
        assert "strategies have 300 MB: this shell allows no more (ulimit -v)" in done.stderr
    assert_same(room / "by none", room / "by ")


# Strategies that find none


@pytest.mark.soak
@pytest.mark.parametrize(
    ("who", "faults"), [("leaves.py:Leaves", 0), ("rogue.py:Rogue(how='memory', often=0.1)", 3)], ids=["left", "meek"]
)
def test_a_lack_of_memory_is_the_same_on_any_number_of_processes(room: Path, who: str, faults: int) -> None:
    """In the second shard of a process Leaves finds none: that shard is played again, and counts, in a fresh one."""
    write_run_file(room, who, "random", deals=120, memory=400)
    for jobs in 1, 3:
        words = "run", "filled.toml", "--isolate", "off", "--jobs", jobs, "--out", f"by {jobs}"
        roundsim(*words, cwd=room, code=2 if faults else 0)
        assert_same(room / "by 1", room / f"by {jobs}")
    logs = [text_of(file) for file in (room / "by 1" / "log" / "nap").iterdir()]
    assert [len(re.findall("!memory ", log)) for log in logs] == [faults] * 3


def test_full_memory_counts_in_a_fresh_process(room: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere it may be full because of other strategies."""
    monkeypatch.setattr(strategies, "filled_since", lambda before: True)
    tournament = planned(room, "rogue.py:Plain(how='memory')", "random", deals=4)
    for fresh, error in (False, StaleError), (True, PluginError):
        with pytest.raises(error):
            Playing(tournament, Schedule(tournament, 0).task(1), clock).play(fresh)


@pytest.mark.parametrize("often", [0.1, 0])
def test_a_stale_shard_is_played_whole(room: Path, clock: Clock, often: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of memory counts in a fresh process; the stages that another process has played are discarded."""
    monkeypatch.setattr(unfinished, "LONG", 0)
    who = f"rogue.py:Plain(where='settled', how='memory', often={often})"
    tournament, folder = planned(room, who, "random", deals=40), RunFolder(room / "run")
    log, task = room / "run" / "log" / "nap", Schedule(tournament, 0).task(1)
    log.mkdir(parents=True)
    guests = Guests(NO_SANDBOX, tournament.limits)

    def player(fresh: bool) -> ShardPlayer:
        return ShardPlayer(tournament, folder, clock, guests, fresh=fresh)

    stale = task_result(player(False), task)
    assert stale == ({"stale": True} if often else {"done": True})
    assert len([*log.iterdir()]) == (0 if often else 1)
    break_off(Playing(tournament, task, clock, folder.shard(tournament.entries[0], 1)))
    if often:  # a fresh one that goes on where another was is not to be believed either
        assert task_result(player(True), task) == {"stale": True}
    assert task_result(player(True), task) == {"done": True}
    assert [path.name for path in log.iterdir()] == ["0000001.zst"]
