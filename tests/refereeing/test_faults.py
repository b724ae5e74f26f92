"""Strategies that misbehave: it costs them the deal, never the others, and never the run."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from helpers.command import (
    BAD,
    PATIENCE,
    assert_same,
    begin,
    contents,
    deals_of,
    drawn,
    roundsim,
    seldom,
    seldom_with,
    shards,
    stamps,
)
from helpers.sealed import any_in_force
from helpers.shard_text import text_of

from roundsim import api

pytestmark = pytest.mark.usefixtures("guests_alone")

FILE = """
[tournament]
strategies = [{strategies}]

[limits]
seconds = {seconds}
memory = {memory}
{more}

[[games]]
game = "nap"
players = {players}
sitting = 1
deals = {deals}
"""
WHERE = re.compile(r"bad\.py:\d+ in [\w<>]+")


def lay_out(
    folder: Path,
    *strategies: str,
    deals: int,
    players: int = 2,
    seconds: float = 0.2,
    memory: int = 600,
    more: str = "",
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(BAD, folder)
    listed = ", ".join(f'"{each}"' if each in ("random", "book") else f'"bad.py:{each}"' for each in strategies)
    text = FILE.format(strategies=listed, deals=deals, players=players, seconds=seconds, memory=memory, more=more)
    (folder / "faulty.toml").write_text(text)


def play(
    folder: Path, *strategies: str, code: int = 2, out: str = "run", jobs: int = 1, **settings: Any
) -> dict[str, dict[str, int]]:
    """Play such a tournament; the faults of each by kind.  Whatever they did, the folder must agree with itself."""
    lay_out(folder, *strategies, **settings)
    done = roundsim("run", "faulty.toml", "--jobs", jobs, "--out", out, cwd=folder, code=code)
    assert "Traceback" not in done.stderr and "a word" not in done.stdout + done.stderr
    api.verify(folder / out)
    return faults_in(folder / out)


def faults_in(run: Path) -> dict[str, dict[str, int]]:
    (game,) = json.loads((run / "standings.json").read_text())["games"]
    return {row["strategy"]: row["faults"] for row in game["rows"]}


def reports_in(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "faults.jsonl").read_text().splitlines()]


def actions_at(run: Path, address: str) -> list[str]:
    """The actions of a deal, with their marks; none if it is not there."""
    place = address.partition("/")[2]
    return next(line.partition(" | ")[2].split(", ") for line in deals_of(run) if line.startswith(f"{place} "))


LATE, DEAD = "no answer within the limit", "the process died"
DEAF = f"{LATE}, and the interruption was of no use"
ALONE = {  # deals, kind, words, and whether they have a place
    "Crash": (20, "exception", "KeyError: 'nothing there'", True),
    "Endless": (20, "exception", "RecursionError: maximum recursion depth exceeded", True),
    "Quit": (20, "exception", "SystemExit: 3", True),
    "Interrupt": (20, "exception", "KeyboardInterrupt", True),
    "Hang": (4, "late", LATE, False),
    "Sleep": (2, "late", LATE, False),
    "Swallow": (2, "late", DEAF, False),
    "Deaf": (2, "late", DEAF, False),
    "Grind(often=0.2)": (8, "late", DEAF, False),
    "Stuck(often=0.4)": (4, "late", LATE, False),
    "Segfault(often=0.2)": (20, "dead", DEAD, False),
    "Killed(often=0.2)": (20, "dead", DEAD, False),
    "Exits": (20, "dead", DEAD, False),
    "Memory": (20, "memory", "MemoryError", True),
    "Hoard": (200, "memory", "", False),
    "Constructor": (20, "exception", "ValueError: not today", True),
    "Begin": (20, "exception", "ValueError: not at the beginning", True),
    "Settled": (20, "exception", "ValueError: not at the end", True),
    "Mock": (20, "illegal", "answered with Disguised, which is no action", False),
    "Shy": (20, "illegal", "answered with Touchy, which is no action", False),
    "Anonymous": (20, "illegal", "answered with ", False),
    "Mumble": (20, "exception", "UnprintableError", True),
    "Mutter": (4, "", "", False),  # late, or an exception without its text
}


@pytest.mark.soak
@pytest.mark.parametrize("strategy", ALONE)
def test_a_fault_is_reported(tmp_path: Path, strategy: str) -> None:
    """Its kind, its words and where it happened; the deal can be seen again; nobody else is blamed."""
    deals, kind, words, has_place = ALONE[strategy]
    if strategy == "Hoard":
        any_in_force()
    faults = play(tmp_path, strategy, "random", deals=deals)
    assert not faults["random"]
    mine = next(faults[label] for label in faults if label != "random")
    assert mine and (not kind or list(mine) == [kind])
    run = tmp_path / "run"
    assert len(deals_of(run)) == deals
    reports = reports_in(run)
    assert len(reports) == min(sum(mine.values()), 20)
    name = strategy.partition("(")[0]
    for fault in reports:
        assert fault["strategy"].startswith(name)
        assert fault["kind"] == kind or not kind
        assert fault["words"].startswith(words)
        assert all(WHERE.fullmatch(line) for line in fault["where"] if line != "...")
        assert (fault["where"] != []) == has_place or kind in ("memory", "")
    first = reports[0]
    assert re.fullmatch(r"nap/\d+/\d+/\d+", first["deal"])
    assert first["again"] == f"roundsim replay .:{first['deal']}"
    if first["phase"] in ("call", "play"):
        assert actions_at(run, first["deal"])[first["action"] - 1].startswith(f"!{first['kind']} ")
    assert "net " in api.replay_deal(run, first["deal"])


@pytest.mark.soak
def test_a_strategy_may_go_to_another_folder(tmp_path: Path) -> None:
    play(tmp_path, "Wander", "random", deals=1100, code=0)


@pytest.mark.soak
def test_a_strategy_that_ends_badly(tmp_path: Path) -> None:
    """Its code that runs when nobody asks it is watched too."""
    lay_out(tmp_path, "Linger", "random", deals=4)
    process = begin("run", "faulty.toml", "--out", "run", cwd=tmp_path)
    try:
        process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 2


NO_ACTION = re.compile(
    r'answered with \w+, which is no action(?: \(.+\))?|illegal "(call 99|play Zz|call nothing|)" \(.+\)'
)
MIXED = ["Crash", "Hang", "Swallow", "Nonsense", "Segfault(often=0.3)", "Memory", "Print", "Mutate", "Constructor",
         "Begin", "Settled", "Quit", "Sometimes(often=0.5)", "Lone"]  # fmt: skip
QUICKLY = ["Crash", "Nonsense", "Memory", "Print", "Mutate", "Constructor", "Settled", "Lone"]


@pytest.mark.parametrize(("mixed", "deals"), [(QUICKLY, 12), *seldom_with((MIXED, 32))], ids=["quick", "all"])
def test_one_of_each_kind_at_one_table(tmp_path: Path, mixed: list[str], deals: int) -> None:
    faults = play(tmp_path, *mixed, "random", "book", "First", deals=deals, players=4, seconds=0.05)
    good = ("Print", "Mutate", "random", "book", "First")
    assert not any(faults[label] for label in good)
    assert all(faults[label] for label in faults if label not in good), faults
    lines = deals_of(tmp_path / "run")
    assert len(lines) == deals
    assert all(sum(map(int, line.partition(" | ")[0].split()[2:])) == 0 for line in lines)
    (game,) = json.loads((tmp_path / "run" / "standings.json").read_text())["games"]
    assert sum(row["blocks"] for row in game["rows"]) == deals
    reports = reports_in(tmp_path / "run")
    assert [fault["strategy"] for fault in reports if fault["strategy"] in good] == []
    assert {*faults["Nonsense"]} == {"illegal"} <= {*faults["Lone"]}
    words = {fault["words"] for fault in reports if fault["strategy"] == "Nonsense"}
    assert len(words) > 3 and all(NO_ACTION.fullmatch(each) for each in words)


@pytest.mark.soak
@pytest.mark.usefixtures("processes")
def test_faults_are_the_same_on_any_number_of_processes(tmp_path: Path) -> None:
    """Late ones excepted."""
    mixed = "Crash", "Nonsense", "Killed(often=0.002)", "Memory", "Begin", "Settled", "Sometimes"
    for jobs in 1, 2:
        play(tmp_path, *mixed, "random", deals=1100, players=3, jobs=jobs, out=f"by {jobs}")
    assert_same(tmp_path / "by 1", tmp_path / "by 2")


@pytest.mark.soak
def test_memory_is_the_same_on_any_number_of_processes(tmp_path: Path) -> None:
    any_in_force()
    for jobs in 1, 2:
        play(tmp_path, "Hoard", "random", deals=2100, memory=300, jobs=jobs, out=f"by {jobs}")
    assert_same(tmp_path / "by 1", tmp_path / "by 2")


@pytest.mark.soak
def test_a_bot_that_asks_too_much_at_once_is_at_fault_with_its_place(tmp_path: Path) -> None:
    """It keeps nothing of it, and so it loses a sitting only, also next to one who carries much."""
    faults = play(tmp_path, "Memory", "Heavy", deals=40)
    assert not faults["Heavy"] and faults["Memory"] == {"memory": 3}
    for fault in reports_in(tmp_path / "run"):
        assert fault["words"] == "MemoryError" and fault["where"][0].endswith(" in call")


@pytest.mark.soak
def test_faults_are_the_same_in_any_folder(tmp_path: Path) -> None:
    """No report names a place in memory or on the disk."""
    for name in "one", "two":
        faults = play(tmp_path / name / "deeper", "Addresses", "Crash", "random", "First", deals=60, players=4)
        assert faults["Addresses"]
    one, two = (tmp_path / name / "deeper" / "run" for name in ("one", "two"))
    text = (one / "faults.jsonl").read_text()
    assert not re.search(r"0x[0-9a-f]+", text)
    for place in (str(tmp_path), "/usr", "/tmp", "/root", "/work"):
        assert place not in text
    assert_same(one, two)


@pytest.mark.soak
def test_at_most_twenty_are_reported(tmp_path: Path) -> None:
    """The first in schedule order, whatever the order in which the shards were finished."""
    faults = play(tmp_path, "Sometimes(often=0.01)", "Crash", "random", deals=2600, players=3)
    reports = reports_in(tmp_path / "run")
    for label in "Sometimes(often=0.01)", "Crash":
        assert sum(faults[label].values()) > 20
        mine = [tuple(map(int, fault["deal"].split("/")[1:])) for fault in reports if fault["strategy"] == label]
        assert len(mine) == 20 and mine == sorted(mine)
    marked = [line.split()[0] for line in deals_of(tmp_path / "run") if "!exception" in line]
    first = [fault["deal"].partition("/")[2] for fault in reports if fault["strategy"] == "Crash"]
    assert first == [address for address in marked if address in first]


@pytest.mark.soak
@pytest.mark.parametrize(("strategy", "kind", "most"), [("Hang", "late", 10), ("Exits", "dead", 3)])
def test_a_strategy_that_strikes_out_is_not_asked_again_in_the_shard(
    tmp_path: Path, strategy: str, kind: str, most: int
) -> None:
    seconds = 0.05 if kind == "late" else 0.2
    faults = play(tmp_path, strategy, "random", deals=40, seconds=seconds)
    assert faults[strategy] == {kind: most}
    log = "\n".join(deals_of(tmp_path / "run"))
    assert log.count(f"!{kind} ") == most
    assert "!barred" in log.splitlines()[-1]


@pytest.mark.soak
def test_the_next_shard_asks_again(tmp_path: Path) -> None:
    faults = play(tmp_path, "Exits", "random", deals=1100)
    assert faults["Exits"] == {"dead": 6}
    files = sorted((tmp_path / "run" / "log" / "nap").iterdir())
    assert [text_of(file).count("!dead ") for file in files] == [3, 3]


@pytest.mark.soak
def test_with_the_next_deal_a_strategy_is_asked_again(tmp_path: Path) -> None:
    """From the faulty answer to the end of the deal it plays the first legal action; the fault is marked once."""
    play(tmp_path, "Sometimes(often=0.2)", "First", deals=200)
    deals = deals_of(tmp_path / "run")
    marks = [re.findall(r"!(\w*) ", line) for line in deals]
    assert any(marks) and not all(marks)
    assert all(mark[0] == "exception" and not any(mark[1:]) for mark in marks if mark)


@pytest.mark.parametrize(("allowed", "code"), [(4, 0), *seldom_with((3, 2), (5, 0))])
def test_faults_may_be_allowed(tmp_path: Path, allowed: int, code: int) -> None:
    """As a setting of the command, not of the run."""
    faults = play(tmp_path, "Settled", "random", deals=4, more=f"faults_allowed = {allowed}", code=code)
    assert faults["Settled"] == {"exception": 4}
    before = shards(tmp_path / "run")
    play(tmp_path, "Settled", "random", deals=4, more="faults_allowed = 9", code=0)
    assert shards(tmp_path / "run") == before


ABORT = 'on_fault = "abort"'


@pytest.mark.soak
@pytest.mark.usefixtures("processes")
def test_abort(tmp_path: Path) -> None:
    """The strategy and the deal are named, what was finished stays, there are no standings; also at the second try."""
    lay_out(tmp_path, "Crash", "random", deals=10, more=ABORT)
    with open(tmp_path / "faulty.toml", "a") as file:
        file.write('strategies = ["random"]\nname = "first"\n[[games]]\ngame = "nap"\nplayers = 2\n')
    kept: dict[str, tuple[int, int]] = {}
    for _ in range(2):
        done = roundsim("run", "faulty.toml", "--deals", 2000, "--jobs", 1, "--out", "run", cwd=tmp_path, code=2)
        assert re.search(r"roundsim: Crash in nap/1/[12]/[12]: KeyError: 'nothing there'", done.stderr)
        assert not [name for name in contents(tmp_path / "run") if name.startswith(("standings", "faults"))]
        assert len(shards(tmp_path / "run")) == 2
        kept = kept or stamps(tmp_path / "run")
    assert stamps(tmp_path / "run") == kept
    assert "2 000 deals verified" in roundsim("verify", "run", cwd=tmp_path).stdout


@pytest.mark.usefixtures("in_process")  # it looks into its folder
def test_abort_of_a_run_that_grows(tmp_path: Path) -> None:
    """The standings of what it was before it grew are gone too: they are not what is there now."""
    lay_out(tmp_path, "Trip", "random", deals=1000, more=ABORT)
    roundsim("run", "faulty.toml", "--jobs", 1, "--out", "run", cwd=tmp_path)
    (tmp_path / "wire").touch()
    roundsim("run", "faulty.toml", "--jobs", 1, "--deals", 3000, "--out", "run", cwd=tmp_path, code=2)
    assert len(shards(tmp_path / "run")) == 1
    assert not [name for name in contents(tmp_path / "run") if name.startswith("standings")]


@pytest.mark.parametrize("strategy", ["Constructor", *seldom("Exits", "Begin", "Hang", "Memory", "Settled")])
def test_any_fault_aborts(tmp_path: Path, strategy: str) -> None:
    lay_out(tmp_path, strategy, "random", deals=20, more=ABORT)
    done = roundsim("run", "faulty.toml", "--out", "run", cwd=tmp_path, code=2)
    assert f"{strategy} in nap/1/1/1: " in done.stderr
    assert set(contents(tmp_path / "run")) == {"run.toml"}


def test_prints_while_loading_go_nowhere(tmp_path: Path) -> None:
    (tmp_path / "loud.py").write_text("print('a word on loading')\n\ndef act(view):\n    return view.legal[0]\n")
    done = roundsim("play", "nap", "loud.py", "random", "--deals", 4, "--format", "json", cwd=tmp_path)
    assert json.loads(done.stdout)["games"]
    assert "a word" not in done.stdout + done.stderr


@pytest.mark.soak
def test_a_strategy_can_change_none_of_its_objects(tmp_path: Path) -> None:
    """A strategy that tries to change them plays like one that does not."""
    for name in "Mutate", "First":
        faults = play(tmp_path, name, "random", "book", name, deals=drawn(40, 120), players=4, code=0, out=name)
        assert not any(faults.values())
    assert deals_of(tmp_path / "Mutate") == deals_of(tmp_path / "First")


@pytest.mark.soak
def test_names_that_would_break_the_log(tmp_path: Path) -> None:
    for number, name in enumerate((r"a\nb", "a | b", r"a\u2028b", "")):
        (tmp_path / f"named{number}.py").write_text(
            f'class Named:\n    name = "{name}"\n    games = ["nap"]\n    def act(self, view): return view.legal[0]\n'
        )
        words = ("play", "nap", f"named{number}.py", "random", "--deals", 8, "--out", f"run{number}")
        assert "cannot be the name of a strategy" in roundsim(*words, cwd=tmp_path, code=64).stderr


@pytest.mark.soak
def test_faults_do_not_fill_the_memory(tmp_path: Path) -> None:
    """Ten times as many faults take the parent no more memory."""
    peaks, few = [], drawn(400, 5000)
    for deals in few, 10 * few:
        lay_out(tmp_path, "Crash", "Nonsense", "Settled", deals=deals, players=3)
        process = begin("run", "faulty.toml", "--out", deals, cwd=tmp_path)
        peak, status = 0, Path(f"/proc/{process.pid}/status")
        while process.poll() is None:
            found = re.search(r"VmHWM:\s+(\d+)", status.read_text())
            peak = max(peak, int(found[1]) if found else 0)
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 2
        peaks.append(peak)
    assert peaks[1] < peaks[0] + 4096, peaks
