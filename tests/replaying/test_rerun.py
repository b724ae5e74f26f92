"""`roundsim verify --strategies`: a run played again by its strategies finds what no rule can tell."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from conftest import Shell, Write
from helpers.command import BAD, assert_same, called, one_in
from helpers.forging import FILES, ROGUE, Forged

import roundsim
from roundsim.base.errors import DisagreesError, StrategyError

pytestmark = pytest.mark.usefixtures("here")

MINE = """
import os

class Mine:
    def __init__(self, risk=0.5): ...
    def act(self, view):
        if os.path.exists("moment"):
            raise MemoryError
        return view.legal[-1]
"""
SAME = "verified, and played again: the same"
Data = dict[str, Any]


def to_be_forged() -> Forged:
    return Forged(Path("run"), Random(1), lambda other: Path(other))


@pytest.fixture(scope="module")
def honest(here: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run among the house's strategies and one of its own."""
    folder = tmp_path_factory.mktemp("honest")
    (folder / "mine.py").write_text(MINE)
    words = "nap", "book", "random", "mine.py:Mine(risk=0.8)", "--deals", 36, "--isolate", "off", "--out", "run"
    assert called("play", *words, cwd=folder).returncode == 0
    return folder


@pytest.fixture
def run(honest: Path, shell: Shell) -> Forged:
    """A copy of it in the test's folder."""
    shutil.copytree(honest, Path(), dirs_exist_ok=True)
    return to_be_forged()


AGAIN = "verify", "run", "--strategies", "--isolate", "off", "--jobs", 1


def exchange_names(run: Forged, one: int, other: int) -> None:
    """Two strategies have each other's answers, wherever that shows."""

    def exchange(data: Data) -> None:
        for game in data["games"]:
            listed = game["strategies"]
            listed[one], listed[other] = listed[other], listed[one]

    names = [str(each) for each in roundsim.open_run(run.run).tournament.entries[0].strategies]
    to = {names[one]: names[other], names[other]: names[one]}
    run.edit_run(exchange)
    for shard in run.shards():
        for at, line in enumerate(shard.lines):
            if line.startswith("= "):
                head, table, seats = line.split(" ", 2)
                shard.lines[at] = " ".join([head, table, " | ".join(to.get(each, each) for each in seats.split(" | "))])
        shard.write()
    run.rekey()


def test_an_honest_run_is_the_same(run: Forged, shell: Shell) -> None:
    done = shell(*AGAIN, "--strategy", "Mine=mine.py")
    assert (done.code, done.err) == (0, "") and f"36 deals {SAME}\n" in done.out
    assert re.search(r"^ guests +not isolated$", done.out, re.M) and "same as mine.py" in done.out


def test_exchanged_names_are_found_by_playing_alone(run: Forged, shell: Shell) -> None:
    exchange_names(run, 0, 1)
    assert shell("verify", "run").code == 0
    done = shell(*AGAIN, "--strategy", "mine.py")
    assert done.code == 1 and not done.out
    lines = done.err.removeprefix("roundsim: ").splitlines()
    pattern = r" *nap/\d+/\d/\d: (book|random): .+ in the log, .+ played again$"
    assert len(lines) == 20 and all(re.match(pattern, each) for each in lines)


def test_a_strategy_that_is_not_here(run: Forged, shell: Shell) -> None:
    """The place that timing.json gives is shown, and nothing there is imported."""
    planted = Path("planted.py")
    planted.write_text("open('imported', 'w')\n" + MINE)
    timing = Path("run/timing.json")
    data = json.loads(timing.read_text())
    data["sources"]["nap"]["Mine(risk=0.8)"] = f"{planted.resolve()}:Mine\x1b[2J"
    timing.write_text(json.dumps(data))
    done = shell(*AGAIN)
    assert done.code == 64 and not done.out and "\x1b" not in done.err
    assert f"timing.json says that it was {planted.resolve()}:Mine" in done.err and "--strategy Mine=PATH" in done.err
    done = shell(*AGAIN, "--strategy", "Mine=planted.py")
    assert done.code == 64 and "planted.py has sha256" in done.err
    assert not Path("imported").exists()


def test_all_that_are_not_here_are_named(shell: Shell, write: Write) -> None:
    write("mine.py", MINE)
    shell("play", "nap,loo", "one=mine.py", "two=mine.py", "--deals", 2, "--isolate", "off", "--out", "run")
    done = shell(*AGAIN)
    assert done.code == 64 and len(done.err.splitlines()) == 2
    assert "--strategy one=PATH" in done.err and "--strategy two=PATH" in done.err
    assert shell(*AGAIN, "--strategy", "one=mine.py", "--strategy", "two=mine.py").code == 0
    assert shell(*AGAIN, "--strategy", "mine.py").code == 0


def test_a_source_without_the_strategy(run: Forged, shell: Shell) -> None:
    done = shell(*AGAIN, "--strategy", "Mine=mine.py:Yours")
    assert done.code == 64 and "mine.py:Yours: no strategy in it is Mine(risk=0.8) as the run records it" in done.err


def test_a_verdict_of_the_moment_is_called_that(run: Forged, shell: Shell) -> None:
    Path("moment").touch()
    done = shell(*AGAIN, "--strategy", "mine.py")
    assert done.code == 1
    first = done.err.splitlines()[0]
    assert re.search(r"Mine\(risk=0\.8\): .+ in the log, !memory .+ played again \(it depends on the machine", first)


def test_other_words_of_a_fault_are_found(shell: Shell, write: Write) -> None:
    write("crash.py", "class Crash:\n    def act(self, view):\n        raise ValueError('too high')\n")
    assert shell("play", "nap", "crash.py", "random", "--deals", 8, "--isolate", "off", "--out", "run").code == 2
    run = to_be_forged()
    for shard in run.shards():
        for report in shard.tail["fault_reports"]:
            report["words"] = "ValueError: too low"
        shard.write()
    run.rewrite_results()
    assert shell("verify", "run").code == 0
    done = shell(*AGAIN, "--strategy", "crash.py")
    assert done.code == 1
    assert (
        "nap/1/1/1: the words of a fault are 'ValueError: too low' in the log, 'ValueError: too high' again" in done.err
    )


def test_isolate_is_for_playing(run: Forged, shell: Shell) -> None:
    done = shell("verify", "run", "--isolate", "on")
    assert done.code == 64 and "--isolate goes with --strategies" in done.err


def test_from_python(run: Forged) -> None:
    assert roundsim.verify("run") == 36
    assert roundsim.verify("run", strategies=["mine.py"], isolate="off", jobs=1) == 36
    with pytest.raises(StrategyError, match="--strategy Mine=PATH"):
        roundsim.verify("run", strategies=[])
    with pytest.raises(TypeError, match="give strategies"):
        roundsim.verify("run", isolate="off")
    exchange_names(run, 0, 1)
    with pytest.raises(DisagreesError) as stop:
        roundsim.verify("run", strategies=["mine.py"], isolate="off", jobs=1)
    assert len(stop.value.differences) == 20


def knock_out(shell: Shell) -> None:
    shell("play", "nap", *["book", "random"] * 2, "--as", "knock-out", "--seats", 2, "--deals", 40, "--out", "run")


def several_tables(shell: Shell) -> None:
    shell("play", "loo", *["book", "random"] * 5, "--as", "progressive", "--times", 2, "--out", "run")


def frozen_out(shell: Shell) -> None:
    shell("play", "draw-poker", "book", "random", "random", "--times", 3, "--option", "stakes=table", "--out", "run")


def stopped(shell: Shell) -> None:
    shell("play", "nap", "book", "random", "--until", "book - random > 0", "--deals", 4000, "--out", "run")
    assert roundsim.open_run("run").tournament.entries[0].blocks < 1000


def grown(shell: Shell) -> None:
    shell("play", "nap", "book", "random", "--deals", 40, "--out", "run")
    assert shell("grow", "run", "--strategy", "book(bold=1)").code == 0


def part(shell: Shell) -> None:
    shell("play", "nap,loo", "book", "random", "--deals", 1000, "--shard", "2/2", "--out", "run")


def unfinished(shell: Shell) -> None:
    shell("play", "nap,loo", "book", "random", "--deals", 600, "--out", "run")
    for path in [*Path("run").glob("standings.*"), Path("run/faults.jsonl"), min(Path("run/log/nap").glob("*.zst"))]:
        path.unlink()


@pytest.mark.parametrize("play", one_in(4, [knock_out, several_tables, frozen_out, stopped, grown, part, unfinished]))
def test_a_run_of_any_kind_is_the_same(play: Callable[[Shell], None], shell: Shell) -> None:
    play(shell)
    done = shell("verify", "run", "--strategies", "--jobs", 1)
    assert done.code == 0 and SAME in done.out, done


@pytest.mark.soak
@pytest.mark.parametrize("name", ["evening", "frozen"])
def test_a_run_with_faults_is_the_same(name: str, shell: Shell, tmp_path: Path) -> None:
    for strategies in ROGUE, BAD:
        shutil.copy(strategies, tmp_path)
    (tmp_path / f"{name}.toml").write_text(FILES[name])
    assert shell("run", f"{name}.toml", "--out", "run").code == 2
    shutil.copytree("run", "before")
    done = shell(
        "verify", "run", "--strategies", "--strategy", "rogue.py", *["--strategy", "bad.py"] * ("bad.py" in FILES[name])
    )
    assert done.code == 0 and SAME in done.out, done
    assert_same(Path("before"), Path("run"))
