"""Each check of `verify` finds by itself what it is there for: one place of a small run is forged, and all else agrees."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Shell
from helpers.forging import ROGUE, Shard

from roundsim import api
from roundsim.base.errors import DisagreesError
from roundsim.replaying.verify import verify_run
from roundsim.tournament.results.totals import BlockRecord
from roundsim.tournament.storage.folder import RunFolder
from roundsim.tournament.storage.layout import RESULTS

pytestmark = pytest.mark.usefixtures("here")

SMALL = """
[tournament]
strategies = ["book", "random", "rogue.py:Plain(often=0.1)", "rogue.py:Plain(where='settled', often=0.1)"]

[[games]]
game = "nap"
players = 3
deals = 120
"""
ROW = ("block", "seats", "deals", "decisions", "values", "ahead", "from_dealer", "squares")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of one shard.  Not to be changed: copy it."""
    folder = tmp_path_factory.mktemp("small")
    shutil.copy(ROGUE, folder)
    (folder / "tournament.toml").write_text(SMALL)
    return api.run(folder / "tournament.toml", out=folder / "run").folder


@pytest.fixture
def run(small: Path, tmp_path: Path) -> RunFolder:
    shutil.copytree(small.parent, tmp_path, dirs_exist_ok=True)
    return RunFolder(tmp_path / "run")


def shard_of(run: RunFolder) -> Shard:
    (path,) = run.path.glob("log/*/*.zst")
    return Shard(run.path, path)


def differences(run: RunFolder) -> list[str]:
    """The differences that verify names, without those of the results, which follow from the log."""
    with pytest.raises(DisagreesError) as stop:
        verify_run(run, 1)
    return [line for line in str(stop.value).splitlines() if not line.endswith("differs from what the log gives")]


def more(thing: Any) -> Any:
    """One more, of several numbers of the first."""
    return [more(thing[0]), *thing[1:]] if isinstance(thing, list) else thing + 1


def test_the_release_that_began_a_run_has_played_some_of_it(run: RunFolder) -> None:
    path = run.path / "run.toml"
    path.write_text(re.sub('roundsim = ".*"', 'roundsim = "0.0.1"', path.read_text()))
    assert differences(run) == [f"{path}: no shard was played by roundsim 0.0.1"]


def test_the_hash_of_the_lines(run: RunFolder) -> None:
    shard = shard_of(run)
    shard.lines[1] += ", pass"
    shard.write(rehashed=False)
    (found,) = differences(run)
    assert found.endswith("the lines of blocks 1 to 14 have changed since they were written")


@pytest.mark.parametrize("name", ROW[2:])
def test_each_figure_of_a_block(run: RunFolder, name: str) -> None:
    shard = shard_of(run)
    row = shard.rows[2]
    row[ROW.index(name)] = more(row[ROW.index(name)])
    shard.write()
    (found,) = differences(run)
    assert f"block 3: {name} " in found and "and its deals give" in found


def test_all_figures_of_a_block_are_looked_at() -> None:
    """The format shadow has `extra` too."""
    assert {*BlockRecord._fields} == {"block", *ROW[1:], "extra"}


@pytest.mark.parametrize("what", ["sums", "best", "worst", "at_fault", "faults"])
def test_each_sum_of_a_shard(run: RunFolder, what: str) -> None:
    shard = shard_of(run)
    shard.tail[what][0][{"faults": 2, "sums": 3}.get(what, 1)] += 1
    shard.write()
    (found,) = differences(run)
    assert re.search(rf": {what}: ", found)


MARKS: dict[str, tuple[str, str, str]] = {  # what is changed in the first line that has it, and what is said of that
    "a mark that is missing": (r", ! ", ", ", "has mark None, and must have '!'"),
    "a mark too many": (r"\| (?=\w)", "| !out ", "has mark '!out', and must have none"),
}


@pytest.mark.parametrize(("old", "new", "words"), MARKS.values(), ids=MARKS)
def test_the_marks_of_a_deal(run: RunFolder, old: str, new: str, words: str) -> None:
    shard = shard_of(run)
    at = next(at for at, line in enumerate(shard.lines) if line[0] not in "=!" and re.search(old, line))
    shard.lines[at] = re.sub(old, new, shard.lines[at], count=1)
    shard.write()
    assert any(words in found for found in differences(run))


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "phase": lambda told: told.update(phase="call" if told["phase"] == "play" else "play"),
    "action": lambda told: told.update(action=told["action"] + 1),
    "seat": lambda told: told.update(seat=(told["seat"] + 1) % 3),
    "entrant": lambda told: told.update(entrant=told["entrant"] ^ 1),
    "view": lambda told: told["view"].append("more"),
    "deal": lambda told: told.update(deal="nap/9/9/9"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_reported_fault(run: RunFolder, change: Callable[[dict[str, Any]], object]) -> None:
    shard = shard_of(run)
    change(shard.reported("call", "play")[0])
    shard.write()
    (found,) = differences(run)
    reported, _, logged = found.partition(" as reported: ")[2].partition(", and in the log: ")
    assert reported and logged and reported != logged.splitlines()[0]


def test_a_run_does_not_go_on_from_lines_that_have_changed(run: RunFolder, shell: Shell) -> None:
    shard = shard_of(run)
    at = shard.find("deal")[0]
    shard.lines[at] = shard.lines[at].replace("/1 ", "/2 ", 1)
    shard.write(rehashed=False)
    for name in RESULTS:
        (run.path / name).unlink()
    done = shell("run", run.path.parent / "tournament.toml", "--out", run.path)
    assert done.code == 65 and "damaged: the lines of blocks 1 to 14 have changed since they were written" in done.err
