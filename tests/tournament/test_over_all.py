"""A gate over all its games: one test of the pooled score, which ends all of them at the same block."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from conftest import Shell, Write
from helpers.command import contents
from tournament.test_verdicts import block_of, entry_of, tally_of

from roundsim import open_run
from roundsim.errors import OptionError
from roundsim.statistics.stopping import Decision
from roundsim.tournament.formats.round_robin import RoundRobin
from roundsim.tournament.judging.stopping import Outcomes, all_ended, outcomes, watches_of
from roundsim.tournament.planning.plan import Entry, Stopping
from roundsim.tournament.planning.stopping_rule import gate_rule
from roundsim.tournament.results.entry_totals import EntryTotals

pytestmark = pytest.mark.usefixtures("here")

RULE = Stopping("a - b > 0", over_all=True)
GATE = "gate", "nap,loo", "book", "random", "--over-all", "--half", "--deals", 3000, "--jobs", 1


def game(length: int, blocks: int = 300) -> Entry:
    """A game with so many deals in a sitting: blocks of different sizes make shards of different sizes."""
    return replace(entry_of("ab", RoundRobin(2, length)), blocks=blocks, cap=blocks)


def filled(entry: Entry, net: Callable[[int], int], faulty: Sequence[int] = (), last: int | None = None) -> EntryTotals:
    """The blocks of a game, in which a has this net; with a fault of b in the shards of these numbers."""
    fold = EntryTotals()
    for number, blocks in enumerate(replace(entry, blocks=last or entry.blocks).shards(), 1):
        rows = [block_of(at, (0, 1), (net(at), -net(at))) for at in blocks]
        fold.add(blocks[0], tally_of(entry, rows, {(1, "illegal"): 1} if number in faulty else {}))
    return fold


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


def test_all_games_end_at_the_same_block() -> None:
    """In block 80, the first in which both scales are known; before it neither counts."""
    entries = [game(2), game(7)]
    assert ended(judged(entries, [filled(each, ahead) for each in entries])) == ("better", 80)
    assert ended(judged(entries, [filled(entries[0], ahead), filled(entries[1], lambda at: -ahead(at))])) == (
        "undecided",
        300,
    )


def test_a_game_counts_as_much_as_another_whatever_its_counters_are() -> None:
    """One loses 4 of its counters where the other wins 400 of its own: the score is about 0."""
    entries = [game(2), game(2)]
    pairs = filled(entries[0], lambda at: -4 if at % 2 else -8), filled(entries[1], lambda at: 400 if at % 2 else 800)
    found = judged(entries, pairs)
    assert ended(found) == ("undecided", 300)
    assert found.over_all and found.over_all.rule and found.over_all.rule.mixture.mean == pytest.approx(0)


def test_nothing_is_decided_while_a_scale_is_unknown() -> None:
    """The other game changes in every third block, so for the 80th time in block 240; up to block 3 it is alike."""
    entries = [game(2), game(2)]
    folds = filled(entries[0], ahead), filled(entries[1], lambda at: 0 if at % 3 else 8)
    assert ended(judged(entries, folds)) == ("better", 240)
    short = [replace(each, blocks=200, cap=200) for each in entries]
    found = judged(short, [filled(short[0], ahead), filled(short[1], lambda at: 0 if at % 3 else 8)])
    assert ended(found) == ("undecided", 200) and found.over_all and found.over_all.rule is None


@pytest.mark.parametrize(("faulty", "block"), [((), 80), ((1,), 250), ((2,), 80)])
def test_it_does_not_stop_inside_a_shard_with_faults(faulty: Sequence[int], block: int) -> None:
    """A shard of the first game is 250 blocks of 4 deals; all that an older run has placed stay so."""
    entries = [game(2), game(7)]
    assert [*entries[0].shards()][0][-1] == 250
    folds = [filled(entries[0], ahead, faulty), filled(entries[1], ahead)]
    assert ended(judged(entries, folds)) == ("better", block)


def test_a_fault_in_one_game_makes_it_void() -> None:
    """None is allowed: at the end of the shard of the first one, which is block 72 of the second game."""
    entries = [game(2), game(7)]
    assert [*entries[1].shards()][0][-1] == 72
    found = judged(entries, [filled(entries[0], ahead), filled(entries[1], ahead, [1])], 0.0)
    assert ended(found) == ("void", 72)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_it_does_not_depend_on_which_game_comes_first(order: Sequence[int]) -> None:
    """Shard after shard of one, and then of the other: a look needs a block of each."""
    entries = [game(2), game(7)]
    whole, folds = [filled(each, ahead) for each in entries], [EntryTotals(), EntryTotals()]
    watched = watches_of(entries, RULE, None)
    for at in order:
        assert not all_ended(watched, folds)
        folds[at] = whole[at]
    assert all_ended(watched, folds) and [each.block for each in watched] == [80, 80]


def test_what_it_is_not_for() -> None:
    for margin, worth, games, words in (
        (0.5, None, 2, "neither a margin"),
        (0.0, 0.5, 2, "neither"),
        (0.0, None, 1, "one"),
    ):
        with pytest.raises(OptionError, match=words):
            gate_rule("a", "b", margin, worth, games, over_all=True)


@pytest.fixture
def run(shell: Shell, tmp_path: Path) -> Path:
    done = shell(*GATE, "--out", "run", "--junit", "out.xml")
    assert done.code == 0 and done.out.startswith("over all games: book - random  +")
    return tmp_path / "run"


def test_a_run(run: Path, shell: Shell, tmp_path: Path) -> None:
    """Loo has 120 blocks of 25 deals in 3 000, Nap would have 188 of 16: neither plays more than 120."""
    plan, data = tomllib.loads((run / "run.toml").read_text()), json.loads((run / "standings.json").read_text())
    assert plan["stopping"] == {"until": "book - random > 0", "level": 0.05, "version": 4, "over_all": True}
    blocks = {each["blocks"] for each in plan["games"]}
    assert [each["cap"] for each in plan["games"]] == [120, 120] and blocks == {data["over_all"]["block"]}
    assert (data["over_all"]["verdict"], data["over_all"]["decided"]) == ("better", True)
    assert data["over_all"]["changed"] <= 2 * blocks.pop() and data["over_all"]["low"] > 0
    assert [each["until"]["verdict"] for each in data["games"]] == ["better", "better"]
    assert data["games"][0]["until"]["difference"] > 5 > data["games"][1]["until"]["difference"] > 0
    suites = (tmp_path / "out.xml").read_text()
    assert suites.count("book - random &gt; 0") == 1 and '<testsuite name="over all games"' in suites
    assert shell("verify", run).code == 0
    verdict = open_run(run).gate("book", "random", over_all=True)
    assert (verdict.word, verdict.code, verdict.over_all) == ("better", 0, data["over_all"])
    before = contents(run)
    for shard in (run / "log" / "loo").glob("*.zst"):
        shard.unlink()
    assert shell(*GATE, "--out", "run").code == 0
    assert {name: data for name, data in contents(run).items() if name != "timing.json"} == {
        name: data for name, data in before.items() if name != "timing.json"
    }


FORGED: dict[str, Callable[[dict[str, Any]], object]] = {
    "each game by itself": lambda data: data["stopping"].pop("over_all"),
    "false": lambda data: data["stopping"].update(over_all=False),
    "a margin": lambda data: data["stopping"].update(until="book - random > -1"),
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


def test_a_page_has_the_verdict_over_all(run: Path, shell: Shell) -> None:
    assert shell("report", run).code == 0
    assert "Over all games book against random: <b>better</b>" in (run / "report.html").read_text()


def test_a_file(write: Write, shell: Shell) -> None:
    text = (
        '[tournament]\nstrategies = ["book", "random"]\n[gate]\nmine = "book"\nbaseline = "random"\nover_all = {}\n{}'
    )
    games = '[[games]]\ngame = "nap"\ndeals = 3000\n[[games]]\ngame = "loo"\ndeals = 3000\n'
    write("gate.toml", text.format("true", games))
    done = shell("gate", "gate.toml", "--dry-run")
    assert done.code == 0 and "until book - random > 0 over all games; at most" in done.out
    write("gate.toml", text.format("true\nworth = 1", games))
    done = shell("gate", "gate.toml")
    assert done.code == 64 and "gate.toml:6: over all games a gate compares scores" in done.err
    write("gate.toml", text.format("true", games.partition("\n[[")[0]))
    done = shell("gate", "gate.toml")
    assert done.code == 64 and "over all games: there is only one" in done.err
    write("gate.toml", text.format("1", games))
    done = shell("gate", "gate.toml")
    assert done.code == 64 and "over_all must be true or false" in done.err


def test_the_command_line(shell: Shell) -> None:
    done = shell("gate", "nap", "book", "random", "--over-all")
    assert done.code == 64 and "over all games: there is only one" in done.err and "name them" not in done.err
    done = shell("gate", "nap,loo", "book", "random", "--over-all", "--margin", 1)
    assert done.code == 64 and "over all games a gate compares scores" in done.err
    done = shell("gate", "nap,loo", "book", "book", "--over-all", "--out", "same")
    assert done.code == 4 and "nothing is played" in done.out and done.out.count("no difference") == 1
    assert json.loads(Path("same/standings.json").read_text())["over_all"]["verdict"] == Decision.EQUAL.value
