"""A run that stops when its rule is decided: the same verdict and the same bytes, whatever happened on the way."""

from __future__ import annotations

import itertools
import shutil
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import Shell, Write
from helpers.command import assert_same, begin, roundsim, seldom, shards, wait_for
from helpers.run_files import edit_run_file, run_data, standings_of

from roundsim.api import open_run
from roundsim.statistics.stopping import Decision, Mixture

pytestmark = pytest.mark.usefixtures("here")

RULE = "book - random > 0"
PLAY = ("play", "nap", "book", "random", "random", "random")
SLOWER = """
    class Careless:  # at fault now and then, the same each time
        def act(self, view):
            return "nothing" if view.chance.random() < 0.001 else view.legal[0]
    """


def until(folder: Path) -> dict[str, Any]:
    """Return the result of the rule, in `standings.json`."""
    found: dict[str, Any] = standings_of(folder)["games"][0]["until"]
    return found


def blocks(folder: Path) -> tuple[int, int]:
    """Return the number of blocks, and the most that could have been, as `run.toml` says."""
    game = run_data(folder)["games"][0]
    return game["blocks"], game["cap"]


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has stopped in the midst of a shard."""
    folder = tmp_path_factory.mktemp("stopped")
    roundsim(*PLAY, "--until", RULE, "--deals", 4000, "--jobs", 2, "--out", "run", cwd=folder)
    assert blocks(folder / "run") == (80, 250)  # a difference of six counters is decided at once
    return folder / "run"


def differences(log: str, one: str, other: str) -> dict[int, float]:
    """Return by how much one had more a deal than the other, for each block of a log."""
    nets, deals = dict[int, int](), dict[int, int]()
    for line in log.splitlines():
        if line.startswith("= "):
            _, table, who = line.split(" ", 2)
            seats, block = who.split(" | "), int(table.split("/")[1])
        elif not line.startswith("!"):
            net = dict(zip(seats, map(int, line.partition(" |")[0].split(" ")[2:]), strict=True))
            nets[block] = nets.get(block, 0) + net[one] - net[other]
            deals[block] = deals.get(block, 0) + 1
    return {block: nets[block] / deals[block] for block in nets}


@pytest.mark.parametrize("number", seldom(1.1, 1.2, 1.3, 1.4))
def test_it_stops_at_the_block_that_the_log_says(number: float, tmp_path: Path) -> None:
    """It takes more than a shard; the rule is asked again for each block of the log of a run that does not stop."""
    pair, deals = ("play", "straight-poker", "book", "random", "random"), ("--deals", 3600)
    roundsim(*pair, "--until", f"book - random > {number}", *deals, "--out", "run", cwd=tmp_path)
    roundsim(*pair, *deals, "--out", "all", cwd=tmp_path)
    log, mixture, end = roundsim("log", "all", cwd=tmp_path).stdout, Mixture(), 0
    found, (last, cap) = until(tmp_path / "run"), blocks(tmp_path / "run")
    for block, difference in differences(log, "book", "random").items():
        mixture.add(difference)
        if mixture.decision(number) is not Decision.UNDECIDED:
            end = block
            break
    assert found["block"] == last == (end or cap)
    assert found["decided"] == (None if not end else mixture.decision(number) is Decision.BETTER)
    assert (found["low"], found["high"]) == pytest.approx(mixture.interval(), rel=1e-5)


@pytest.mark.soak
def test_only_the_same_rule_goes_on_with_a_run_of_as_many_blocks(stopped: Path, tmp_path: Path, shell: Shell) -> None:
    """It has the same log, in smaller shards."""
    roundsim(*PLAY, "--deals", 80 * 16, "--out", "run", cwd=tmp_path)
    assert roundsim("log", stopped, cwd=tmp_path).stdout == roundsim("log", "run", cwd=tmp_path).stdout
    firsts = [1, 2, 3, 5, 7, 11, 15, 23, 31, 47, 63]
    assert [path.name for path in sorted(stopped.glob("log/nap/*.zst"))] == [f"{first:07}.zst" for first in firsts]
    assert roundsim("verify", stopped, cwd=tmp_path).stdout.startswith("1 280 deals verified\n")
    # The same command has nothing left to play, and a higher cap nothing to add.
    before = shards(stopped)
    for deals in 4000, 8000:
        words = *PLAY, "--until", RULE, "--deals", deals, "--out", stopped
        assert "nothing left to play" in roundsim(*words, cwd=tmp_path).stdout
    assert shards(stopped) == before and blocks(stopped) == (80, 250)
    for rule in (("--until", "separated"), ("--until", "book - random > 1"), ()):
        outcome = shell(*PLAY, *rule, "--deals", 8000, "--out", stopped)
        assert outcome.code == 73 and "holds a different run: stopping" in outcome.err


@pytest.mark.parametrize("jobs", seldom(3, 1))
def test_on_any_number_of_processes(stopped: Path, tmp_path: Path, jobs: int) -> None:
    roundsim(*PLAY, "--until", RULE, "--deals", 4000, "--jobs", jobs, "--out", "run", cwd=tmp_path, hash_seed=str(jobs))
    assert_same(stopped, tmp_path / "run")


@pytest.mark.soak
@pytest.mark.parametrize("after", [1, 2, 3])
def test_after_an_interruption(stopped: Path, tmp_path: Path, after: int) -> None:
    words = *PLAY, "--until", RULE, "--deals", 4000, "--jobs", 1, "--out", "run"
    playing = begin(*words, cwd=tmp_path)
    log = tmp_path / "run" / "log" / "nap"
    assert wait_for(lambda: playing.poll() is not None or len([*log.glob("*.zst")]) >= after)
    playing.send_signal(signal.SIGINT)
    playing.communicate()
    roundsim(*words, cwd=tmp_path)
    assert_same(stopped, tmp_path / "run")


@pytest.mark.soak
def test_an_interruption_between_cutting_and_writing_it_down(stopped: Path, tmp_path: Path) -> None:
    """The last shard is cut, and the run does not say so yet: it is played again, and cut again."""
    words = *PLAY, "--until", RULE, "--deals", 4000, "--out", "run"
    roundsim(*words, cwd=tmp_path)
    edit_run_file(tmp_path / "run", lambda data: data["games"][0].update(blocks=250))
    roundsim(*words, cwd=tmp_path)
    assert_same(stopped, tmp_path / "run")


def test_an_undecided_run_goes_on_to_the_cap_and_beyond_it_when_asked(tmp_path: Path) -> None:
    words = "play", "nap", "book", "other=book(bold=0)", "--until", "book - other > 0", "--out", "run", "--deals"
    said = " ".join(roundsim(*words, 320, cwd=tmp_path).stdout.split())
    assert "undecided" in said and "after 320 of 320 deals (block 80)" in said
    assert "0 of 80 blocks differ, 80 must" in said
    assert blocks(tmp_path / "run") == (80, 80)
    roundsim(*words, 400, cwd=tmp_path)
    assert blocks(tmp_path / "run") == (100, 100)


@pytest.mark.soak
def test_a_shard_with_faults_counts_as_a_whole(write: Write, shell: Shell, tmp_path: Path) -> None:
    """It is never cut, for a fault may decide who is asked in blocks before it, where rotations are played in turn."""
    write("careless.py", SLOWER)
    words = "nap", "careless.py", "random", "random", "random", "--deals", 4000
    outcome = shell("play", *words, "--until", "Careless - random < 0", "--out", "run")
    assert outcome.code == 2 and blocks(tmp_path / "run") == (94, 250)  # the eleventh shard has blocks 63 to 94
    assert shell("verify", "run").code == 0


@pytest.mark.soak
def test_several_games_each_stop_by_themselves(write: Write, shell: Shell, tmp_path: Path) -> None:
    games = '[[games]]\ngame = "nap"\n[[games]]\ngame = "loo"\nplayers = 4\ndeals = 1600\n'
    write("two.toml", f'[tournament]\nstrategies = ["book", "random"]\nuntil = "{RULE}"\n{games}')
    assert shell("run", "two.toml", "--out", "run", "--jobs", 2).code == 0
    nap, loo = run_data(tmp_path / "run")["games"]
    assert [nap["cap"], loo["cap"]] == [1000, -(-1600 // (loo["players"] * loo["sitting"]))]
    assert all(80 <= game["blocks"] < game["cap"] for game in (nap, loo))
    assert [game["until"]["decided"] for game in standings_of(tmp_path / "run")["games"]] == [True, True]
    shell("run", "two.toml", "--out", "again", "--jobs", 1)
    assert_same(tmp_path / "run", tmp_path / "again")


@pytest.mark.soak
def test_separated_and_widths_and_freeze_outs(shell: Shell, tmp_path: Path) -> None:
    assert shell("play", "nap", "book", "random", "--until", "separated", "--out", "a").code == 0
    assert until(tmp_path / "a")["decided"] is True and until(tmp_path / "a")["difference"] is None
    assert shell("play", "nap", "book", "random", "--until", "±0.4", "--out", "b").code == 0
    rows = standings_of(tmp_path / "b")["games"][0]["rows"]
    last, cap = blocks(tmp_path / "b")
    assert all(row["error"] <= 0.4 for row in rows) and 80 <= last < cap
    assert shell("play", "nap", "book", "random", "--until", "won: +-0.02", "--out", "c").code == 0
    rows = standings_of(tmp_path / "c")["games"][0]["rows"]
    assert all(row["won_error"] <= 0.02 for row in rows)
    words = "play", "draw-poker", "book", "random", "--option", "stakes=table", "--times", 100
    assert shell(*words, "--until", "book - random > 0", "--out", "run").code == 0
    found = until(tmp_path / "run")
    assert (found["decided"], found["block"], found["changed"]) == (True, 80, 80)  # one of two is always ahead
    assert found["gained"] + found["lost"] == 80
    assert found["difference"] > 0  # more is better, also where a low place is
    assert shell("verify", "run").code == 0


RULES = {
    "bok - random > 0": "no bok at the table (did you mean book?): book, random",
    "book - nobody > 0": "no nobody at the table",
    "book - book > 0": "book is compared with itself",
    "book > random": "is no rule to stop by: write 'mine - book > 0', 'separated' or '±0.05'",
    "book - random > many": "is no rule to stop by",
    "wn: book - random > 0": "a round-robin has no measure wn (did you mean won?): net, won",
    "place: ±0.1": "a round-robin has no measure place: net, won",
}


def test_a_rule_that_is_none_for_this_table_is_refused(shell: Shell, write: Write) -> None:
    def refuse(words: str, *command: object) -> None:
        outcome = shell(*command, "--out", "run")
        assert outcome.code == 64 and words in outcome.err, outcome

    play = "play", "nap", "book", "random", "--until"
    for rule, words in RULES.items():
        refuse(words, *play, rule)
    refuse("deals = 64 is too few to stop by: 320 are needed at least", *play, RULE, "--deals", 64)
    refuse("320 are needed", *play, "±0.1", "--deals", 99)
    refuse("one strategy alone is not to be compared", "play", "nap", "book", "--until", "separated")
    # two of 8 at 4 seats sit together in 12 of 56 blocks: 80 times in 374
    eight = "play", "nap", *["random"] * 8, "--seats", 4, "--deals", 1600, "--until", "separated"
    refuse(f"{374 * 16} are needed at least", *eight)
    write("t.toml", '[tournament]\nstrategies = ["random"]\nuntil = 7\n[[games]]\ngame = "nap"\n')
    refuse("t.toml:3: until must be a text, 'mine - book > 0'", "run", "t.toml")
    assert not Path("run").exists()


FORGED: dict[str, Callable[[dict[str, Any]], object]] = {
    "another number": lambda data: data["stopping"].update(until="book - random > 6.5"),
    "another level": lambda data: data["stopping"].update(level=0.9),
    "no stop": lambda data: data["games"][0].update(cap=80),
    "without the rule": lambda data: (data.pop("stopping"), data["games"][0].pop("cap")),
    "a rule that is none": lambda data: data["stopping"].update(until="now"),
    "a level that is none": lambda data: data["stopping"].update(level=1.5),
    "a level of worse that is none": lambda data: data["stopping"].update(level_worse=0.0),
    "a level of worse above the other": lambda data: data["stopping"].update(level_worse=0.2),
    "fewer blocks than there are": lambda data: data["games"][0].update(blocks=63),
    "a cap below": lambda data: data["games"][0].update(cap=79),
}


def test_a_forged_rule_is_found_and_an_earlier_one_refused(stopped: Path, tmp_path: Path, shell: Shell) -> None:
    run = Path(shutil.copytree(stopped, tmp_path / "run"))
    right = (run / "run.toml").read_bytes()
    for name, forge in FORGED.items():
        edit_run_file(run, forge)
        assert shell("verify", run).code == 1, name
        (run / "run.toml").write_bytes(right)
    # Before it counted the blocks that changed, run.toml had no version of the rule; 2 knew no "no difference".
    for version in {"version": 2}, {}:
        edit_run_file(run, partial(dict.update, stopping={"until": RULE, "level": 0.05, **version}))
        for command, code in ("verify", 1), ("standings", 65):
            done = shell(command, run)
            assert done.code == code
            assert f"run.toml: stopped by another version of roundsim (its rule {RULE!r}" in done.err


def test_a_run_from_python(stopped: Path) -> None:
    run = open_run(stopped)
    verdict = run.gate("book", "random")
    assert (verdict.word, verdict.code) == ("better", 0) and verdict.games["nap"] == until(stopped)
    assert run.gate("random", "book").code == 1 and run.gate("book", "random", margin=5).word == "better"
    same = run.gate("random", "random#2")
    assert (same.word, same.code, same.games["nap"]["block"]) == ("no difference", 4, 0)
    assert run.gate("random", "random#2", margin=5).code == 0
    pairs = [*itertools.combinations(["book", "random", "random#2", "random#3"], 2)]
    assert {frozenset((each["one"], each["other"])) for each in run.differences()} == {*map(frozenset, pairs)}
    assert [row["strategy"] for row in run.rows()] == [row["strategy"] for row in run.standings["games"][0]["rows"]]
