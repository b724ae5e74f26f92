"""`roundsim verify` passes honest runs, and reports the differences of others."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from conftest import Shell
from helpers.command import BAD, deals_of, seldom
from helpers.forging import ROGUE, Shard
from helpers.sealed import any_in_force
from helpers.shard_text import text_of

from roundsim import api
from roundsim.base.errors import DisagreesError
from roundsim.replaying import verify as visit
from roundsim.replaying.verify import verify_run
from roundsim.tournament.results.record import BARRED, KINDS, OUT, PHASES_OUTSIDE_DEALS
from roundsim.tournament.storage.folder import RunFolder
from roundsim.tournament.storage.layout import RESULTS

pytestmark = pytest.mark.usefixtures("here")

FAULTY = """
[tournament]
name = "faulty"

[limits]
seconds = 0.02
memory = 300

[[games]]
game = "nap"
players = 3
deals = 90
strategies = [
    "book", "bad.py:Crash", "bad.py:Nonsense", "bad.py:Hang", "rogue.py:Plain(how='dead', often=0.05)",
    "rogue.py:Plain(how='memory')", "bad.py:Constructor", "bad.py:Begin", "bad.py:Settled",
    "rogue.py:Plain(where='__del__')",
]

[[games]]
name = "hoard"
game = "nap"
players = 2
deals = 60
strategies = ["bad.py:Hoard(size=33554432)", "bad.py:First"]
"""
MANY = """
[tournament]
format = "freeze-out"
strategies = ["random", "book", "rogue.py:Rogue(often=0.2)", "rogue.py:Rogue(where='settled', often=0.1)"]

[[games]]
game = "draw-poker"
times = 20
stack = 10
max_deals = 10
options = { stakes = "table" }
"""


def play(folder: Path, text: str) -> Path:
    for strategies in BAD, ROGUE:
        shutil.copy(strategies, folder)
    (folder / "tournament.toml").write_text(text)
    return api.run(folder / "tournament.toml", out=folder / "run").folder


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of twenty shards.  Not to be changed: copy it."""
    return play(tmp_path_factory.mktemp("many"), MANY)


@pytest.fixture
def run(many: Path, tmp_path: Path) -> RunFolder:
    """A copy of it."""
    return RunFolder(shutil.copytree(many, tmp_path / "run"))


def shards(run: RunFolder) -> list[Shard]:
    return [Shard(run.path, path) for path in sorted(run.path.glob("log/*/*.zst"))]


def refused(run: RunFolder, jobs: int) -> DisagreesError:
    with pytest.raises(DisagreesError) as stop:
        verify_run(run, jobs)
    return stop.value


@pytest.mark.soak
def test_an_honest_run_with_faults_of_every_kind_passes(tmp_path: Path) -> None:
    any_in_force()
    run = RunFolder(play(tmp_path, FAULTY))
    log = "\n".join(text_of(path) for path in run.path.glob("log/*/*.zst"))
    assert {*re.findall(r"!(\w+) ", log)} == {*KINDS, OUT, BARRED}
    assert {*re.findall(r"^! \S+ \d+ (\w+) ", log, re.M)} == {*PHASES_OUTSIDE_DEALS}
    assert verify_run(run, 1)[:2] == (len(deals_of(run.path)), 0)


def test_a_run_passes_whose_table_says_how_its_expert_plays(shell: Shell) -> None:
    """`run.toml` has no places of strategies, so `standings.md` cannot say it."""
    played = shell("play", "ambigu", "expert", "random", "--deals", 40, "--out", "run", "--jobs", 1)
    assert played.code == 0 and "expert answers as book does" in played.out
    assert "expert answers as book does" in shell("standings", "run").out
    assert shell("verify", "run", "--jobs", 1).code == 0


@pytest.mark.soak
def test_an_honest_run_that_is_unfinished_passes(run: RunFolder, shell: Shell) -> None:
    """Whichever of its shards are missing."""
    whole = len(deals_of(run.path))
    assert verify_run(run, 1)[:2] == (whole, 0)
    for name in RESULTS:
        (run.path / name).unlink()
    for at in 19, 0, 7:
        shards(run)[at].path.unlink()
    left = len(deals_of(run.path))
    assert verify_run(run, 1)[:2] == (left, 3) and left < whole
    assert shell("verify", run.path).out.startswith(f"{left} deals verified; 3 shards are not played yet\n")
    shutil.rmtree(run.path / "log")
    assert verify_run(run, 1)[:2] == (0, 20)


def damage(run: RunFolder) -> None:
    """A number in each shard, and two in every fifth; the results are put aside, which follow from them."""
    for at, shard in enumerate(shards(run)):
        row = shard.rows[0]
        row[3] += 1
        row[4][0][0] -= at % 5 == 0
        shard.write()


@pytest.mark.soak
def test_twenty_differences_are_named_and_all_are_there(run: RunFolder, shell: Shell) -> None:
    damage(run)
    error = refused(run, 1)
    assert len(error.differences) == 20 + 4 + 3  # and three of the results, in which no faults have changed
    named = str(error).splitlines()
    assert named[:20] == error.differences[:20] and named[20:] == ["... and 7 more"]
    done = shell("verify", run.path)
    assert done.code == 1 and not done.out
    assert [line[10:] for line in done.err.splitlines()] == named


def test_as_many_as_are_named_are_no_more(run: RunFolder) -> None:
    for shard in shards(run):
        shard.rows[0][3] += 1
        shard.write()
    error = refused(run, 1)
    assert len(error.differences) == 20  # the results follow from the sums
    assert "more" not in str(error).splitlines()[-1]


@pytest.mark.parametrize("jobs", [1, *seldom(2)])
def test_progress_is_reported(run: RunFolder, jobs: int) -> None:
    reports = list[tuple[int, int]]()
    verify_run(run, jobs, lambda done, total: reports.append((done, total)))
    assert reports == [(done, 20) for done in range(1, 21)]


@pytest.mark.soak
def test_processes_find_the_same(run: RunFolder) -> None:
    """In the same order: that of the schedule."""
    assert len(shards(run)) >= 2 * visit.SHARDS  # or one would do all
    damage(run)
    shards(run)[9].path.write_bytes(b"")
    one, two = (refused(run, jobs).differences for jobs in (1, 2))
    assert one == two
    files = re.findall(r"(\d+)\.zst", "\n".join(one))
    assert files == sorted(files) and len({*files}) == 20
