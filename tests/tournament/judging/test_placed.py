"""Strategies with faults in too many deals are not placed: figures by hand, and runs of a game made for it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from conftest import Shell, Write
from helpers.blocks import block_of, blocks_of_two, in_shards, nap, tally_of
from helpers.command import assert_same, roundsim, seldom_with, shards
from helpers.deals import own_games, write_boast
from helpers.run_files import edit_run_file, run_data, standings_of
from helpers.schemas import Page

from roundsim.api import open_run
from roundsim.refereeing.faults import Fault
from roundsim.reports.data import as_data, in_format
from roundsim.running import Means, play_tournament
from roundsim.statistics.rows import BlockRow
from roundsim.statistics.stopping import Decision, Mixture
from roundsim.tournament.formats.freeze_out import FreezeOut
from roundsim.tournament.formats.progressive import Progressive
from roundsim.tournament.formats.round_robin import RoundRobin
from roundsim.tournament.judging.standings import Standings, compute_standings
from roundsim.tournament.judging.stopping import RuleWatch
from roundsim.tournament.planning import file
from roundsim.tournament.planning.plan import Entry, Limits, Stopping, Tournament
from roundsim.tournament.planning.stopping_rule import Separated, Width
from roundsim.tournament.results.entry_totals import EntryTotals
from roundsim.tournament.results.totals import BlockRecord

pytestmark = pytest.mark.usefixtures("here")

STRATEGIES = """
class Steady:
    games = ["boast"]
    def __init__(self, claim=0):
        self.said = f"claim {claim}"
    def act(self, view):
        return self.said

class Bad:
    games = ["boast"]
    def __init__(self, own=0):
        pass
    def act(self, view):
        return "nothing"

class Wavers:
    games = ["boast"]
    def act(self, view):
        return view.chance.choice(["claim 39", "claim 40", "claim 41"])

class Rare:
    games = ["boast"]
    def __init__(self, often=0.0):
        self.often = often
    def act(self, view):
        return "nothing" if view.chance.random() < self.often else "claim 40"
"""
RUN = "run", "t.toml", "--jobs", 1, "--out", "run"


def write_contest(folder: Path, strategies: Sequence[str], game: str, head: str = "", more: str = "") -> None:
    write_boast(folder, STRATEGIES)
    listed = [f"boast.py:{each}" for each in strategies]
    (folder / "t.toml").write_text(f"[tournament]\nstrategies = {listed}\n{head}\n{more}\n[[games]]\n{game}\n")


def without_key(data: dict[str, Any]) -> None:
    del data["limits"]["placed_within"]


def ranks_of(rows: Sequence[dict[str, Any]]) -> list[tuple[str, int | None]]:
    return [(row["strategy"], row["rank"]) for row in rows]


def report(entrant: int, kind: str, phase: str) -> Fault:
    return Fault(entrant, "nap/2/1/1", 0, phase, 1, kind, "", (), ())


ROUND = [block_of(1, (0, 1), (0, 0)), block_of(2, (0, 2), (0, 0)), block_of(3, (1, 2), (0, 0))]  # of four deals each


def fold_with(entry: Entry, rows: Sequence[BlockRecord], faults: dict[tuple[int, str], int]) -> EntryTotals:
    """A shard with these faults, and the same blocks in another shard without any."""
    fold = EntryTotals()
    fold.add(1, tally_of(entry, rows, faults))
    later = [row._replace(block=row.block + len(rows)) for row in rows]
    fold.add(1 + len(rows), tally_of(entry, later))
    return fold


def test_the_share_of_deals_with_faults() -> None:
    """Each has 8 deals in a shard, 16 in both. 0 has 2 faults; 1 was late ten times and is barred, so all 8 count."""
    fold = fold_with(nap("abc"), ROUND, {(0, "illegal"): 2, (1, "late"): 10})
    assert fold.at_fault.over(0.0, 1, 2) == {0: Fraction(2, 16), 1: Fraction(8, 16)}
    assert fold.at_fault.over(0.125, 1, 2) == {1: Fraction(1, 2)}, "2 of 16 is not more than 12.5 %"
    assert fold.at_fault.over(0.5, 1, 2) == fold.at_fault.over(None, 1, 2) == {}
    damaged = fold_with(nap("abcd"), ROUND, {(3, "illegal"): 1})
    assert damaged.at_fault.over(0.01, 1, 2) == {3: 1}, "an entrant without deals is no error"
    # At four tables an entrant has a quarter of 16 deals: 2 faults are half of them.
    fold = fold_with(nap("abc"), ROUND, {(0, "illegal"): 2, (1, "late"): 10})
    assert fold.at_fault.over(0.0, 4, 2) == {0: Fraction(1, 2), 1: Fraction(1, 2)}
    strategies = nap("abcdefghij").strategies
    ten = Entry("nap", "nap", FreezeOut(100, 4, 100, 0), {}, strategies, 1)
    assert ten.format.tables_at_once(ten) == 3  # of 4, 3 and 3
    assert Progressive(50, 100).tables_at_once(replace(ten, strategies=strategies[:8])) == 2  # of 4 and 4
    # Shards come in any order. If no report of a kind is kept, only its number is known.
    entry, fold = nap("abc"), EntryTotals()
    late, first, later = (replace(report(0, "late", "play"), deal=f"nap/{at}/1/2") for at in (5, 2, 3))
    illegal = replace(report(0, "illegal", "play"), deal="nap/2/2/1")
    fold.add(4, tally_of(entry, ROUND, {(0, "late"): 2, (1, "dead"): 1}, [late]))
    fold.add(1, tally_of(entry, ROUND, {(0, "late"): 3, (0, "illegal"): 1}, [first, illegal, later]))
    assert [(each.entrant, each.words) for each in fold.fault_counts()] == [
        (0, "late 5 times, first in nap/2/1/2"),
        (0, "illegal in nap/2/2/1"),
        (1, "dead"),
    ]


@pytest.mark.parametrize(
    ("kind", "n", "phase", "counted"),
    [("late", 9, "play", 9), ("dead", 2, "play", 2), ("dead", 3, "play", 8), ("illegal", 3, "play", 3)]
    + [("memory", 1, "play", 2), ("memory", 1, "shard", 8), ("exception", 1, "begin", 2), ("dead", 3, "begin", 8)]
    + [("exception", 2, "constructor", 3)],
)
def test_all_deals_without_questions_count(kind: str, n: int, phase: str, counted: int) -> None:
    """A sitting has two of four deals of a block, a shard eight. A second fault without a report counts as one."""
    tally = tally_of(nap("abc"), ROUND, {(2, kind): n}, [report(2, kind, phase)])
    assert tally.at_fault.share(2, 1, 2) == Fraction(counted, 8)


# Standings of three: the first by net has faults

NETS = [(1, -9, 8), (3, -11, 8), (2, -10, 8), (2, -8, 6)] * 5  # counters of a, b and c in blocks of four deals


def judged(out: bool, limit: float | None = 0.01) -> Standings:
    entry = nap("abc", players=3)
    rows = [block_of(at, (0, 1, 2), net) for at, net in enumerate(NETS, 1)]
    fold = fold_with(entry, rows, {(2, "illegal"): 5} if out else {})
    return compute_standings(Tournament("parlour", "round-robin", 7, Limits(placed_within=limit), (entry,)), [fold])


def test_a_strategy_with_faults_follows_without_a_rank_or_a_verdict() -> None:
    """a wins 2 in a block of four deals, b loses 9.5, c wins 7.5 and has 5 faults in 160 deals, which are 3.125 %."""
    (rows,) = judged(out=True).games
    assert [(row.strategy, row.rank, row.first.mean, row.out) for row in rows] == [
        ("a", 1, Fraction(1, 2), None),
        ("b", 2, Fraction(-19, 8), None),
        ("c", None, Fraction(15, 8), Fraction(1, 32)),
    ]
    for everybody in judged(out=False), judged(out=True, limit=None), judged(out=True, limit=0.03125):
        assert [(row.strategy, row.rank) for row in everybody.games[0]] == [("c", 1), ("a", 2), ("b", 3)]
    (verdicts,), (whole,) = judged(out=True).verdicts, judged(out=False).verdicts
    assert verdicts.likely == [(1, 1), (2, 2), None] and whole.likely == [(2, 2), (3, 3), (1, 1)]
    assert verdicts.differences.keys() == {(0, 1)} and verdicts.apart == {(0, 1)}
    assert verdicts.differences[0, 1] == whole.differences[0, 1]
    assert verdicts.ratings == [*whole.ratings[:2], None]
    # a beats b, b beats c, c beats a, at tables of two.
    entry, seats = nap("abc"), ((0, 1), (1, 2), (2, 0))
    blocks = [block_of(at + 1, seats[at % 3], (8 + at // 3 % 2, -8 - at // 3 % 2)) for at in range(60)]
    tournament = Tournament("parlour", "round-robin", 7, Limits(), (entry,))
    for faults, cycles in ({}, [(0, 1, 2)]), ({(1, "illegal"): 9}, []):
        assert compute_standings(tournament, [fold_with(entry, blocks, faults)]).verdicts[0].cycles == cycles


def test_each_format_shows_a_strategy_that_is_not_placed() -> None:
    standings = judged(out=True)
    data = as_data(standings)
    assert Page("standings").wrong(json.loads(json.dumps(data))) == []
    assert data["limits"]["placed_within"] == 0.01
    rows = data["games"][0]["rows"]
    expected = {"rank": None, "tied": False, "out": "faults", "likely": None, "worth": None}
    assert {key: rows[2][key] for key in expected} == expected
    assert [row.get("out") for row in rows[:2]] == [None, None]
    assert in_format(standings, "csv").splitlines()[3].startswith("nap,,-,c,1.875,")
    text = in_format(standings, "table")
    table = text.splitlines()[3:]
    assert table[3].split()[:4] == ["-", "-", "c", "+1.875"] and max(map(len, table)) <= 80
    assert table[4] == "Not placed: c, faults in 3.12 % of its deals (1 % is allowed)."
    assert "differences  1st - 2nd +2.875" in text, "0.5 and 2.375"
    page = in_format(standings, "md")
    (row,) = [line for line in page.splitlines() if "| c " in line]
    assert len(row.split("|")) == 12, "a cell for each of ten columns"
    assert table[4] in page
    clean, without_limit, unlimited = judged(out=False), judged(out=False, limit=None), judged(out=True, limit=None)
    assert "placed_within" not in as_data(clean)["limits"]
    for form in "json", "csv", "table", "md":
        assert in_format(clean, form) == in_format(without_limit, form)
        assert "placed" not in in_format(unlimited, form)


STEADY = [f"Steady(claim={claim})" for claim in (40, 3, 2, 1)]


def write_field(folder: Path, more: str = "") -> None:
    """Five at tables of four. The first legal claim is 30, which is made for `Bad`: it would be second."""
    write_contest(folder, ["Bad", *STEADY[::-1]], 'game = "boast"\nplayers = 4\nsitting = 1\ndeals = 160', more=more)


@pytest.fixture(scope="module")
def contest(tmp_path_factory: pytest.TempPathFactory, here: None) -> tuple[Path, str]:
    """The folder of a run with a strategy that only answers illegally, and the output. Not to be changed: copy it."""
    folder = tmp_path_factory.mktemp("contest")
    with own_games():
        write_field(folder)
        return folder / "run", roundsim(*RUN, cwd=folder, code=2).stdout


@pytest.fixture
def copy(contest: tuple[Path, str], tmp_path: Path) -> Path:
    write_field(tmp_path)
    return Path(shutil.copytree(contest[0], tmp_path / "run"))


def test_a_strategy_with_faults_is_not_placed(contest: tuple[Path, str], copy: Path, shell: Shell) -> None:
    game = standings_of(copy)["games"][0]
    rows, differences = game["rows"], game["differences"]
    assert ranks_of(rows) == [*zip(STEADY, range(1, 5), strict=True), ("Bad", None)]
    assert rows[0]["net_per_deal"] > rows[4]["net_per_deal"] > rows[1]["net_per_deal"]
    assert rows[4]["faults"] == {"illegal": 128}, "in all deals of 40 blocks of 4, for 5 at tables of four"
    assert not any("Bad" in (each["one"], each["other"]) for each in differences) and len(differences) == 6
    assert "Not placed: Bad, faults in 100 % of its deals (1 % is allowed)." in contest[1].splitlines()
    assert shell("report", "run").code == shell("verify", "run").code == 0
    assert "<b>Bad</b> was at fault too often and is not placed." in (copy / "report.html").read_text()
    assert open_run(copy).rows()[4]["out"] == "faults"


def test_an_older_run_places_all_strategies(copy: Path, shell: Shell) -> None:
    """It has no key, and gets none when its results are written again."""
    edit_run_file(copy, without_key)
    before = shards(copy)
    assert shell("verify", "run").code == 1, "its results are those of the newer rule"
    for again in range(2):
        assert "nothing left to play" in shell(*RUN).out
        assert "placed_within" not in (copy / "run.toml").read_text()
        ranks = ranks_of(standings_of(copy)["games"][0]["rows"])
        assert ranks[:3] == [(STEADY[0], 1), ("Bad", 2), (STEADY[1], 3)]
        assert shell("verify", "run").code == 0 and shards(copy) == before, again


def test_another_limit_is_the_same_run(copy: Path, tmp_path: Path, shell: Shell) -> None:
    write_field(tmp_path, "[limits]\nplaced_within = 1")
    done = shell(*RUN)
    assert "nothing left to play" in done.out and "Not placed" not in done.out
    assert ranks_of(standings_of(copy)["games"][0]["rows"])[1] == ("Bad", 2)
    assert shell("verify", "run").code == 0
    edit_run_file(copy, lambda data: data["limits"].update(placed_within=1.5))
    assert shell("standings", "run").code == 65


def test_an_accident_costs_no_place(tmp_path: Path, shell: Shell) -> None:
    """The best has some faults, in less than 1 % of its deals."""
    write_contest(tmp_path, ["Rare(often=0.005)", *STEADY[1:]], 'game = "boast"\ndeals = 640')
    assert shell(*RUN).code == 2
    row = standings_of(tmp_path / "run")["games"][0]["rows"][0]
    assert row["strategy"] == "Rare(often=0.005)" and row["rank"] == 1 and 0 < row["faults"]["illegal"] <= 6


# Knock-outs: at tables of two, 5, 3 and 2 of them


KNOCK_OUT = 'game = "boast"\nplayers = 2\nsitting = 2\ndeals = 40'
FIVE = ["Steady(claim=1)", "Bad", "Steady(claim=3)", "Bad(own=1)", "Steady(claim=2)"]


@pytest.mark.parametrize(
    ("strategies", "going_on"),
    [
        # the bad ones would be the best two by net
        (FIVE, ["Steady"] * 3),
        # only two are placed, and the third is the first of equal ones
        (["Bad", "Steady(claim=3)", "Bad(own=1)", "Bad(own=2)", "Steady(claim=2)"], ["Bad", "Steady", "Steady"]),
    ],
)
def test_the_placed_go_on_first(strategies: list[str], going_on: list[str], tmp_path: Path, shell: Shell) -> None:
    write_contest(tmp_path, strategies, KNOCK_OUT, 'format = "knock-out"')
    assert shell(*RUN).code == 2
    rounds = run_data(tmp_path / "run")["games"]
    assert [[each["name"] for each in game["strategies"]] for game in rounds[1:]] == [going_on, ["Steady", "Steady"]]
    (over,) = standings_of(tmp_path / "run")["rounds"]
    placed = [row for row in over["rows"] if row["rank"] is not None]
    assert [row["rank"] for row in placed] == [*range(1, len(placed) + 1)]
    assert {row["strategy"][:6] for row in placed} == {"Steady"} and placed == over["rows"][: len(placed)]
    assert all(row["out"] == "faults" and row["strategy"].startswith("Bad") for row in over["rows"][len(placed) :])
    assert Page("standings").wrong(standings_of(tmp_path / "run")) == []
    assert shell("verify", "run").code == shell("report", "run").code == 0
    edit_run_file(tmp_path / "run", without_key)
    assert "does not follow from the round before" in shell("verify", "run").err


def test_an_older_knock_out_takes_the_best_by_net(tmp_path: Path, shell: Shell) -> None:
    write_contest(tmp_path, FIVE, KNOCK_OUT, 'format = "knock-out"')
    tournament = file.load_tournament(tmp_path / "t.toml")
    older = replace(tournament, limits=replace(tournament.limits, placed_within=None))
    play_tournament(older, tmp_path / "run", means=Means(1))
    rounds = run_data(tmp_path / "run")["games"]
    assert [each["name"] for each in rounds[2]["strategies"]] == ["Bad", "Bad"]
    assert shell("verify", "run").code == 0
    assert "nothing left to play" in shell(*RUN).out
    assert "placed_within" not in (tmp_path / "run" / "run.toml").read_text()


def test_a_knock_out_with_another_limit_is_another_run(tmp_path: Path, shell: Shell) -> None:
    write_contest(tmp_path, STEADY[1:], KNOCK_OUT, 'format = "knock-out"')
    assert shell(*RUN).code == 0
    write_contest(tmp_path, STEADY[1:], KNOCK_OUT, 'format = "knock-out"', "[limits]\nplaced_within = 0.5")
    done = shell(*RUN)
    assert done.code == 73 and "limits.placed_within is 0.01 there, 0.5 here" in done.err


def test_faults_in_a_freeze_out_count_in_its_deals_and_places_stay(tmp_path: Path, shell: Shell, write: Write) -> None:
    """The counters were won; the table's rank is none."""
    write("bad.py", 'class Bad:\n    def act(self, view):\n        return "nothing"\n')
    words = "book", "random", "bad.py", "--option", "stakes=table", "--as", "freeze-out"
    assert shell("play", "draw-poker", *words, "--times", 2, "--jobs", 1, "--out", "run").code == 2
    rows = standings_of(tmp_path / "run")["games"][0]["rows"]
    assert [row["rank"] for row in rows] == [1, 2, None] and rows[2]["strategy"] == "Bad"
    assert sum(row["mean_place"] for row in rows) == pytest.approx(6) and rows[2]["out"] == "faults"
    assert shell("verify", "run").code == shell("report", "run").code == 0
    # One fault costs a freeze-out of some hundred deals.
    begin = "def begin(self, sitting):\n        return 1 / 0"
    write("bad.py", f"class Bad:\n    {begin}\n    def act(self, view):\n        pass\n")
    done = shell("play", "draw-poker", *words, "--times", 3, "--jobs", 1, "--out", "other")
    (game,) = standings_of(tmp_path / "other")["games"]
    assert game["rows"][2]["out"] == "faults" and game["rows"][2]["faults"] == {"exception": 3}
    assert "Not placed: Bad, faults in 100 % of its deals (1 % is allowed)." in done.out and game["deals"] > 3 * 10


def test_out_in_one_game_is_out_over_all(tmp_path: Path, shell: Shell, write: Write) -> None:
    legal = '"no" if view.game == "loo" else view.legal[0]'
    write("bad.py", f"class Bad:\n    def act(self, view):\n        return {legal}\n")
    listed = '"book", "random", "random", "bad.py"'
    each = '[[games]]\ngame = "{}"\ndeals = 48\n'
    write("t.toml", f"[tournament]\nstrategies = [{listed}]\n{each.format('nap')}{each.format('loo')}")
    done = shell(*RUN)
    data = standings_of(tmp_path / "run")
    own = [next(row for row in game["rows"] if row["strategy"] == "Bad") for game in data["games"]]
    assert own[0]["rank"] is not None and own[1]["rank"] is None
    assert data["all"][3]["strategy"] == "Bad" and data["all"][3]["rank"] is None and data["all"][3]["out"] == "faults"
    assert "Not placed, because of faults in a game: Bad." in done.out.splitlines()
    assert shell("verify", "run").code == shell("report", "run").code == 0


def test_a_comparison_with_a_run_in_which_it_was_out_is_not_significant(tmp_path: Path, shell: Shell) -> None:
    """Without a fault it wins about a third more, in every block."""
    write_contest(tmp_path, ["MINE", *STEADY[1:]], 'game = "boast"\ndeals = 320\nplayers = 4')
    text = (tmp_path / "t.toml").read_text()
    for run, own in ("bad", "Bad"), ("good", "Wavers"):
        mine = f'{{ name = "mine", from = "boast.py:{own}" }}'
        (tmp_path / "t.toml").write_text(text.replace("'boast.py:MINE'", mine))
        shell("run", "t.toml", "--jobs", 1, "--out", run)
    assert "Not placed in one of the runs, because of faults: mine." in shell("diff", "bad", "good").out.splitlines()
    game = json.loads(shell("diff", "bad", "good", "--format", "json").out)["games"][0]
    rows = {row["strategy"]: row for row in game["rows"]}
    assert 27 < rows["mine"]["difference"] < 33 and rows["mine"]["p"] < 0.001 and rows["mine"]["apart"] is False
    assert -11 < rows["Steady(claim=1)"]["difference"] < -9 and rows["Steady(claim=1)"]["apart"] is True


SHARD = (
    94  # blocks, of four deals, up to the end of the eleventh shard, which has the block in which all may be decided
)


def watched(gain: int, faults: dict[int, int], limit: float | None) -> tuple[int, Decision]:
    """The block at which a rule for a and b ends, and its decision: a has so many counters a deal more than b, and b so
    many faults in the shards of these numbers; the fifteenth is the last."""
    entry = replace(nap("ab"), blocks=300, cap=300)
    watch = RuleWatch(entry, Stopping("a - b > 0"), limit)
    watch.follow(in_shards(entry, blocks_of_two(2 * gain + at % 3 for at in range(1, 301)), faults))
    return watch.block, watch.outcome().decision


def test_shares_that_are_too_large_make_a_difference_void() -> None:
    for faults, limit, found in [
        ({}, 0.0, (80, Decision.BETTER)),
        ({12: 1}, 0.0, (80, Decision.BETTER)),  # the eleventh shard decides
        ({1: 1}, 0.0, (1, Decision.VOID)),
        ({11: 1}, 0.0, (SHARD, Decision.VOID)),
        ({11: 1}, None, (SHARD, Decision.BETTER)),
        ({11: 3}, 0.01, (SHARD, Decision.BETTER)),  # of 376 deals
        ({11: 4}, 0.01, (SHARD, Decision.VOID)),
    ]:
        assert watched(6, faults, limit) == found
    # Shards of one block each: 1 fault in the first, of 4 deals. After 80 blocks it is one in 320, after 100 in 400.
    for faults, block, ends in ({1: 1}, 100, False), ({1: 1, 9: 3}, 80, True):
        entry = replace(nap("ab"), blocks=100, cap=100, format=RoundRobin(2, 500))
        assert [len(blocks) for blocks in entry.shards()] == [1] * 100
        watch = RuleWatch(entry, Stopping("a - b > 0"), 0.01)
        assert watch.follow(in_shards(entry, blocks_of_two([0] * 100), faults)) == ends and watch.block == block, faults
    # b and c have the same; a is far above both.
    rule, width = Separated(3, 0.05), Width(3, 0.5)
    for at in range(200):
        wild = 50 * (-1) ** at
        rule.add(BlockRow(at + 1, 4, (0, 1, 2), (10.0 + at % 2, 1.0, 1.0), ()))
        width.add(BlockRow(at + 1, 4, (0, 1, 2), (10.0 + at % 4, 1.0 + at % 4, 1.0 + wild), ()))
    assert rule.decision() is width.decision() is Decision.UNDECIDED
    for each in rule, width:
        each.leave_out({2})
        assert each.decision() is Decision.BETTER
        each.leave_out({0, 1, 2})
        assert each.decision() is Decision.UNDECIDED, "nobody is placed"
    rule.leave_out({1, 2})
    assert rule.decision() is Decision.UNDECIDED, "one alone is separated from nobody"
    width.leave_out({2})
    assert width.decision() is Decision.BETTER, "it is placed again when its share is smaller"


@pytest.mark.parametrize(
    ("faults", "limit", "found"),
    [
        ({11: 1}, 0.0, (SHARD, Decision.VOID)),
        ({15: 1}, 0.0, (300, Decision.VOID)),
        ({11: 4}, 0.01, (SHARD, Decision.VOID)),
        ({11: 3, 15: 9}, 0.01, (300, Decision.UNDECIDED)),  # of 1200 deals
        ({11: 3, 15: 10}, 0.01, (300, Decision.VOID)),
    ],
)
def test_a_difference_that_is_not_clear_ends_as_void(
    faults: dict[int, int], limit: float, found: tuple[int, Decision], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Mixture, "decision", lambda self, delta=0.0: Decision.UNDECIDED)
    monkeypatch.setattr(Mixture, "is_hopeless", lambda self, cap: False)
    assert watched(0, faults, limit) == found


VOID = "after 4 of 8 000 deals (block 1)"
GATE = "gate", "t.toml", "--jobs", 1, "--out", "run"


def write_gate(folder: Path, new: str, more: str = "") -> None:
    write_boast(folder, STRATEGIES)
    strategies = f'{{ name = "new", from = "boast.py:{new}" }}, {{ name = "old", from = "boast.py:Steady(claim=1)" }}'
    (folder / "t.toml").write_text(
        f"[tournament]\nstrategies = [{strategies}]\n[limits]\n{more}\n"
        '[gate]\nmine = "new"\nbaseline = "old"\n[[games]]\ngame = "boast"\nplayers = 2\ndeals = 8000\n'
    )


@pytest.mark.parametrize("more", ["", "faults_allowed = 9999"])
def test_a_gate_with_faults_ends_at_once_and_is_void(more: str, tmp_path: Path, shell: Shell) -> None:
    """The first shard has a block of four deals. Without faults it wins 29 a deal. Each kind of fault is reported once."""
    write_gate(tmp_path, "Bad", more)
    done = shell(*GATE, "--junit", "out.xml")
    assert done.code == 2
    first, why, *last = done.out.splitlines()[:3]
    assert (first, last) == (f"new - old  {VOID}", ["void"]) and why.endswith("  because of faults: new")
    data = standings_of(tmp_path / "run")
    (game,) = data["games"]
    there = {key: value for key, value in game["until"].items() if value is not None}
    assert there == {"verdict": "void", "block": 1} and Page("standings").wrong(data) == []
    verdict = open_run(tmp_path / "run").gate("new", "old")
    assert (verdict.word, verdict.code, verdict.games["boast"]) == ("void", 2, game["until"])
    counted = "illegal 4 times, first in boast/1/1/1"
    *faults, void = ElementTree.parse(tmp_path / "out.xml").iter("failure")
    assert void.attrib == {"message": VOID}
    if more:
        assert not faults
        return
    assert shell("verify", "run").code == shell("report", "run").code == 0
    assert "new against old: <b>void</b>" in (tmp_path / "run" / "report.html").read_text()
    assert done.err.count("faults: ") == 1 and f"faults: new: {counted}: illegal " in done.err
    (failure,) = faults
    assert failure.attrib == {"type": "illegal", "message": counted}
    assert "roundsim replay run:boast/1/1/1 --game boast.py" in (failure.text or "")
    again = shell(*GATE, "--ci", "github", "--continue")
    notes = [line.partition("title=")[2].partition("::")[0] for line in again.err.splitlines() if line.startswith("::")]
    assert notes == ["gate: void".replace(":", "%3A"), f"new: {counted}".replace(":", "%3A").replace(",", "%2C")]
    edit_run_file(tmp_path / "run", lambda data: data["limits"].update(placed_within=1.0))
    assert "standings.json: differs from what the log gives" in shell("verify", "run").err


def test_a_gate_may_allow_faults(tmp_path: Path, shell: Shell) -> None:
    write_gate(tmp_path, "Rare(often=0.002)", "placed_within = 0.01\nfaults_allowed = 100")
    done = shell(*GATE)
    assert done.code == 0 and "better" in done.out.splitlines()
    assert open_run(tmp_path / "run").gate("new", "old").code == 0
    write_gate(tmp_path, "Rare(often=0.002)", "placed_within = 0.02\nfaults_allowed = 100")
    assert "limits.placed_within is 0.01 there, 0.02 here" in shell(*GATE).err


def write_until(folder: Path, often: float, deals: int) -> None:
    """Two that are equal except for the faults of one."""
    strategies = [f"Rare(often={often})", "Steady(claim=40)", "Steady(claim=20)"]
    write_contest(folder, strategies, f'game = "boast"\nplayers = 3\ndeals = {deals}', 'until = "separated"')


@pytest.mark.parametrize(
    ("often", "deals"),
    [(0.02, 2000), *seldom_with((0.01, 12_000))],  # which passes the limit more than once on the way
)
def test_a_rule_for_the_placed_stops_where_verify_says(often: float, deals: int, tmp_path: Path, shell: Shell) -> None:
    write_until(tmp_path, often, deals)
    shell(*RUN)
    assert shell("verify", "run").code == 0
    game = run_data(tmp_path / "run")["games"][0]
    assert game["blocks"] < game["cap"]


@pytest.mark.soak
def test_processes_and_shards_that_are_there_change_nothing(tmp_path: Path) -> None:
    write_until(tmp_path, 0.01, 12_000)
    words = "run", "t.toml", "--game", "boast.py"
    for jobs, run in (1, "one"), (3, "many"), (2, "many"):
        for shard in sorted((tmp_path / run).glob("log/*/*.zst"))[1:]:
            shard.unlink()
        roundsim(*words, "--jobs", jobs, "--out", run, cwd=tmp_path, code=2, hash_seed=str(jobs))
        assert_same(tmp_path / "one", tmp_path / run)
