"""A gate over all its games: one test of the pooled score, which ends all of them at the same block."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from conftest import Shell, Write
from helpers.blocks import blocks_of_two, entry_of, in_shards
from helpers.command import assert_same, roundsim
from helpers.deals import own_games, write_boast

from roundsim import open_run
from roundsim.base.errors import OptionError
from roundsim.statistics.stopping import Decision
from roundsim.tournament.formats.round_robin import RoundRobin
from roundsim.tournament.judging.stopping import Outcomes, all_ended, outcomes, watches_of
from roundsim.tournament.planning.plan import Entry, Stopping
from roundsim.tournament.planning.stopping_rule import gate_rule
from roundsim.tournament.results.entry_totals import EntryTotals

pytestmark = pytest.mark.usefixtures("here")

RULE = Stopping("a - b > 0", over_all=True)


def game(length: int, blocks: int = 300) -> Entry:
    """A game with this many deals in a sitting: blocks of different sizes make shards of different sizes."""
    return replace(entry_of("ab", RoundRobin(2, length)), blocks=blocks, cap=blocks)


def filled(entry: Entry, net: Callable[[int], int], faulty: Sequence[int] = ()) -> EntryTotals:
    """The blocks of a game, in which a has this net; with a fault of b in the shards of these numbers."""
    return in_shards(entry, blocks_of_two(net(at) for at in range(1, entry.blocks + 1)), dict.fromkeys(faulty, 1))


def ahead(at: int) -> int:
    return 12 + 4 * (at % 3)


def judged(entries: Sequence[Entry], folds: Sequence[EntryTotals], within: float | None = None) -> Outcomes:
    found = outcomes(entries, RULE, folds, within)
    assert found.over_all
    assert {(each.decision, each.block) for each in found.games} == {(found.over_all.decision, found.over_all.block)}
    return found


def ended(found: Outcomes) -> tuple[str, int]:
    assert found.over_all
    return found.over_all.decision.value, found.over_all.block


def test_all_games_end_at_the_same_block_and_weigh_the_same() -> None:
    """In block 80, the first in which both scales are known; before it neither counts."""
    entries = [game(2), game(7)]
    assert ended(judged(entries, [filled(each, ahead) for each in entries])) == ("better", 80)
    opposed = [filled(entries[0], ahead), filled(entries[1], lambda at: -ahead(at))]
    assert ended(judged(entries, opposed)) == ("undecided", 300)
    # One loses 4 of its counters where the other wins 400 of its own: the score is about 0.
    entries = [game(2), game(2)]
    pairs = filled(entries[0], lambda at: -4 if at % 2 else -8), filled(entries[1], lambda at: 400 if at % 2 else 800)
    found = judged(entries, pairs)
    assert ended(found) == ("undecided", 300)
    assert found.over_all and found.over_all.rule and found.over_all.rule.mixture.mean == pytest.approx(0)
    # The other game changes in every third block, so for the 80th time in block 240; up to block 3 it is alike.
    entries = [game(2), game(2)]
    folds = filled(entries[0], ahead), filled(entries[1], lambda at: 0 if at % 3 else 8)
    assert ended(judged(entries, folds)) == ("better", 240)
    short = [replace(each, blocks=200, cap=200) for each in entries]
    found = judged(short, [filled(short[0], ahead), filled(short[1], lambda at: 0 if at % 3 else 8)])
    assert ended(found) == ("undecided", 200) and found.over_all and found.over_all.rule is None


def test_faults_and_the_order_of_games_and_what_is_refused() -> None:
    """The eleventh shard has blocks 63 to 94; all that an older run has placed stay so."""
    for faulty, block in [((), 80), ((11,), 94), ((12,), 80)]:
        entries = [game(2), game(7)]
        assert [*entries[0].shards()][10] == range(63, 95)
        folds = [filled(entries[0], ahead, faulty), filled(entries[1], ahead)]
        assert ended(judged(entries, folds)) == ("better", block)
    # None is allowed: at the end of the shard of the first one, which is block 62 of the second game.
    entries = [game(2), game(7)]
    assert [*entries[1].shards()][9][-1] == 62
    found = judged(entries, [filled(entries[0], ahead), filled(entries[1], ahead, [10])], 0.0)
    assert ended(found) == ("void", 62)
    # Shard after shard of one, and then of the other: a look needs a block of each.
    for order in [(0, 1), (1, 0)]:
        entries = [game(2), game(7)]
        whole, folds = [filled(each, ahead) for each in entries], [EntryTotals(), EntryTotals()]
        watched = watches_of(entries, RULE, None)
        for at in order:
            assert not all_ended(watched, folds)
            folds[at] = whole[at]
        assert all_ended(watched, folds) and [each.block for each in watched] == [80, 80]
    for margin, worth, count, words in (
        (0.5, None, 2, "neither a margin"),
        (0.0, 0.5, 2, "neither"),
        (0.0, None, 1, "one"),
    ):
        with pytest.raises(OptionError, match=words):
            gate_rule("a", "b", margin, worth, count, over_all=True)


# A run: boast, whose figures are exact, with sittings of two and of three deals

GATE = "gate", "gate.toml", "--jobs", 1, "--out", "run", "--junit", "out.xml"
STRATEGY = """
class Claims:
    games = ["boast"]
    def __init__(self, high=1):
        self.high = high
    def act(self, view):
        return view.chance.choice([f"claim {self.high}", "claim 0"])
"""


def write_gate(folder: Path) -> None:
    write_boast(folder, STRATEGY)
    head = '[gate]\nmine = "high"\nbaseline = "low"\nover_all = true\n[tournament]\nstrategies = [\n'
    strategies = "".join(f'  {{ name = "{name}", from = "boast.py:Claims(high={n})" }},\n' for name, n in NAMED)
    entry = '[[games]]\ngame = "boast"\nplayers = 2\nname = "{}"\nsitting = {}\ndeals = {}\n'
    text = f"{head}{strategies}]\n{entry.format('two', 2, 600)}{entry.format('three', 3, 720)}"
    (folder / "gate.toml").write_text(text)


NAMED = ("high", 20), ("low", 1)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, here: None) -> Path:
    """Not to be changed: copy it."""
    folder = tmp_path_factory.mktemp("over_all")
    with own_games():
        write_gate(folder)
        done = roundsim(*GATE, cwd=folder)
    assert done.stdout.startswith("over all games: high - low  +")
    return folder


@pytest.fixture
def run(played: Path, tmp_path: Path) -> Path:
    write_gate(tmp_path)
    shutil.copy(played / "out.xml", tmp_path)
    return Path(shutil.copytree(played / "run", tmp_path / "run"))


def test_a_run(run: Path, played: Path, shell: Shell, tmp_path: Path) -> None:
    """One game has 150 blocks of 4 deals in 600, the other 120 of 6 in 720: neither plays more than 120."""
    plan, data = tomllib.loads((run / "run.toml").read_text()), json.loads((run / "standings.json").read_text())
    assert plan["stopping"] == {"until": "high - low > 0", "level": 0.05, "version": Stopping.version, "over_all": True}
    blocks = {each["blocks"] for each in plan["games"]}
    assert [each["cap"] for each in plan["games"]] == [120, 120] and blocks == {data["over_all"]["block"]}
    assert (data["over_all"]["verdict"], data["over_all"]["decided"]) == ("better", True)
    assert data["over_all"]["changed"] <= 2 * blocks.pop() and data["over_all"]["low"] > 0
    assert [each["until"]["verdict"] for each in data["games"]] == ["better", "better"]
    suites = (tmp_path / "out.xml").read_text()
    assert suites.count("high - low &gt; 0") == 1 and '<testsuite name="over all games"' in suites
    verdict = open_run(run).gate("high", "low", over_all=True)
    assert (verdict.word, verdict.code, verdict.over_all) == ("better", 0, data["over_all"])
    for shard in (run / "log" / "three").glob("*.zst"):
        shard.unlink()
    assert shell(*GATE).code == 0
    assert_same(played / "run", run)
    assert shell("verify", run).code == shell("report", run).code == 0
    assert "Over all games high against low: <b>better</b>" in (run / "report.html").read_text()


FORGED: dict[str, Callable[[dict[str, Any]], object]] = {
    "each game by itself": lambda data: data["stopping"].pop("over_all"),
    "false": lambda data: data["stopping"].update(over_all=False),
    "a margin": lambda data: data["stopping"].update(until="high - low > -1"),
    "no gate": lambda data: data["stopping"].update(until="separated"),
    "an end of its own": lambda data: data["games"][0].update(blocks=data["games"][0]["blocks"] - 1),
}


def test_a_forged_rule_is_found(run: Path, shell: Shell) -> None:
    text = (run / "run.toml").read_text()
    for name, forge in FORGED.items():
        data = tomllib.loads(text)
        forge(data)
        (run / "run.toml").write_text(tomli_w.dumps(data))
        done = shell("verify", run)
        assert done.code == 1 and "Traceback" not in done.err, name


def test_a_file(write: Write, shell: Shell) -> None:
    head = '[tournament]\nstrategies = ["book", "random"]\n[gate]\nmine = "book"\nbaseline = "random"\n'
    entry = '[[games]]\ngame = "{}"\ndeals = 3000\n'
    two = entry.format("nap") + entry.format("loo")
    write("gate.toml", f"{head}over_all = true\n{two}")
    done = shell("gate", "gate.toml", "--dry-run")
    assert done.code == 0 and "until book - random > 0 over all games; at most" in done.out
    for keys, listed, words in (
        ("true\nworth = 1", two, "gate.toml:6: over all games a gate compares scores"),
        ("true", entry.format("nap"), "over all games: there is only one"),
        ("1", two, "over_all must be true or false"),
    ):
        write("gate.toml", f"{head}over_all = {keys}\n{listed}")
        done = shell("gate", "gate.toml")
        assert done.code == 64 and words in done.err


def test_the_command_line(shell: Shell) -> None:
    done = shell("gate", "nap", "book", "random", "--over-all")
    assert done.code == 64 and "over all games: there is only one" in done.err and "name them" not in done.err
    done = shell("gate", "nap,loo", "book", "random", "--over-all", "--margin", 1)
    assert done.code == 64 and "over all games a gate compares scores" in done.err
    done = shell("gate", "nap,loo", "book", "book", "--over-all", "--out", "same")
    assert done.code == 4 and "nothing is played" in done.out and done.out.count("no difference") == 1
    assert json.loads(Path("same/standings.json").read_text())["over_all"]["verdict"] == Decision.EQUAL.value
