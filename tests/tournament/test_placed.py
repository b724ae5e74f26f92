"""Strategies that are at fault in too many deals are not placed: figures by hand, and runs of a game made for it."""

from __future__ import annotations

import json
import signal
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import tomli_w
from conftest import Shell, Write
from helpers.command import assert_same, begin, roundsim, shards, wait_for
from helpers.deals import BOAST
from helpers.schemas import Page
from tournament.test_verdicts import block_of, nap, tally_of

from roundsim import games
from roundsim.library import open_run, play_tournament
from roundsim.reports.data import as_data, in_format
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
from roundsim.tournament.results.record import FaultReport
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


def write_contest(folder: Path, strategies: Sequence[str], game: str, head: str = "", more: str = "") -> None:
    (folder / "boast.py").write_text(BOAST + STRATEGIES)
    games.allow(str(folder / "boast.py"))
    listed = [f"boast.py:{each}" for each in strategies]
    (folder / "t.toml").write_text(f"[tournament]\nstrategies = {listed}\n{head}\n{more}\n[[games]]\n{game}\n")


def edit(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    data = tomllib.loads((folder / "run.toml").read_text())
    change(data)
    (folder / "run.toml").write_bytes(tomli_w.dumps(data).encode())


def without_key(data: dict[str, Any]) -> None:
    del data["limits"]["placed_within"]


def standings_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "standings.json").read_text())
    return found


def ranks_of(rows: Sequence[dict[str, Any]]) -> list[tuple[str, int | None]]:
    return [(row["strategy"], row["rank"]) for row in rows]


# Counting


def report(entrant: int, kind: str, phase: str) -> FaultReport:
    return FaultReport(entrant, "nap/2/1/1", 0, phase, 1, kind, "", (), ())


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


@pytest.mark.parametrize(
    ("kind", "n", "phase", "counted"),
    [("late", 9, "play", 9), ("dead", 2, "play", 2), ("dead", 3, "play", 8), ("illegal", 3, "play", 3)]
    + [("memory", 1, "play", 2), ("memory", 1, "shard", 8), ("exception", 1, "begin", 2), ("dead", 3, "begin", 8)]
    + [("exception", 2, "constructor", 3)],
)
def test_who_is_not_asked_any_more_is_at_fault_in_all_deals(kind: str, n: int, phase: str, counted: int) -> None:
    """A sitting has two of four deals of a block, a shard eight. A second fault without a report counts as one."""
    tally = tally_of(nap("abc"), ROUND, {(2, kind): n}, [report(2, kind, phase)])
    assert tally.at_fault.share(2, 1, 2) == Fraction(counted, 8)


def test_tables_that_play_side_by_side_share_the_deals() -> None:
    """At four tables an entrant has a quarter of 16 deals: 2 faults are half of them."""
    fold = fold_with(nap("abc"), ROUND, {(0, "illegal"): 2, (1, "late"): 10})
    assert fold.at_fault.over(0.0, 4, 2) == {0: Fraction(1, 2), 1: Fraction(1, 2)}
    strategies = nap("abcdefghij").strategies
    ten = Entry("nap", "nap", FreezeOut(100, 4, 100, 0), {}, strategies, 1)
    assert ten.format.tables_at_once(ten) == 3  # of 4, 3 and 3
    assert Progressive(50, 100).tables_at_once(replace(ten, strategies=strategies[:8])) == 2  # of 4 and 4


def test_an_entrant_without_deals_in_a_damaged_record_is_no_error() -> None:
    assert fold_with(nap("abcd"), ROUND, {(3, "illegal"): 1}).at_fault.over(0.01, 1, 2) == {3: 1}


# Standings of three, of whom the first by net is at fault

NETS = [(1, -9, 8), (3, -11, 8), (2, -10, 8), (2, -8, 6)] * 5  # counters of a, b and c in blocks of four deals


def judged(out: bool, limit: float | None = 0.01) -> Standings:
    entry = nap("abc", players=3)
    rows = [block_of(at, (0, 1, 2), net) for at, net in enumerate(NETS, 1)]
    fold = fold_with(entry, rows, {(2, "illegal"): 5} if out else {})
    return compute_standings(Tournament("parlour", "round-robin", 7, Limits(placed_within=limit), (entry,)), [fold])


def test_who_is_not_placed_follows_without_a_rank() -> None:
    """a wins 2 in a block of four deals, b loses 9.5, c wins 7.5 and has 5 faults in 160 deals, which are 3.125 %."""
    (rows,) = judged(out=True).games
    assert [(row.strategy, row.rank, row.first.mean, row.out) for row in rows] == [
        ("a", 1, Fraction(1, 2), None),
        ("b", 2, Fraction(-19, 8), None),
        ("c", None, Fraction(15, 8), Fraction(1, 32)),
    ]
    for everybody in judged(out=False), judged(out=True, limit=None), judged(out=True, limit=0.03125):
        assert [(row.strategy, row.rank) for row in everybody.games[0]] == [("c", 1), ("a", 2), ("b", 3)]


def test_nothing_is_said_of_who_is_not_placed() -> None:
    (verdicts,), (everybody,) = judged(out=True).verdicts, judged(out=False).verdicts
    assert verdicts.likely == [(1, 1), (2, 2), None] and everybody.likely == [(2, 2), (3, 3), (1, 1)]
    assert verdicts.differences.keys() == {(0, 1)} and verdicts.apart == {(0, 1)}
    assert verdicts.differences[0, 1] == everybody.differences[0, 1]
    assert verdicts.ratings == [*everybody.ratings[:2], None]


def test_what_is_written_of_who_is_not_placed() -> None:
    reckoned = judged(out=True)
    data = as_data(reckoned)
    assert Page("standings").wrong(json.loads(json.dumps(data))) == []
    assert data["limits"]["placed_within"] == 0.01
    last = data["games"][0]["rows"][2]
    assert (last["rank"], last["tied"], last["out"], last["likely"], last["worth"]) == (
        None,
        False,
        "faults",
        None,
        None,
    )
    assert [row.get("out") for row in data["games"][0]["rows"][:2]] == [None, None]
    assert in_format(reckoned, "csv").splitlines()[3].startswith("nap,,-,c,1.875,")
    table = in_format(reckoned, "table").splitlines()[3:]
    assert table[3].split()[:4] == ["-", "-", "c", "+1.875"] and max(map(len, table)) <= 80
    assert table[4] == "Not placed: c, faults in 3.12 % of its deals (1 % is allowed)."
    (row,) = [line for line in in_format(reckoned, "md").splitlines() if "| c " in line]
    assert len(row.split("|")) == 12, "a cell for each of ten columns"
    assert "Not placed: c, faults in 3.12 % of its deals (1 % is allowed)." in in_format(reckoned, "md")
    assert "differences  1st - 2nd +2.875" in in_format(reckoned, "table"), "0.5 and 2.375"


def test_nothing_changes_without_faults() -> None:
    """Not even a key: a run without faults is written as before."""
    assert "placed_within" not in as_data(judged(out=False))["limits"]
    for form in "json", "csv", "table", "md":
        assert in_format(judged(out=False), form) == in_format(judged(out=False, limit=None), form)
        assert in_format(judged(out=True, limit=None), form).count("placed") == 0


def test_a_cycle_needs_three_that_are_placed() -> None:
    """a beats b, b beats c, c beats a, at tables of two."""
    entry, rows = nap("abc"), list[BlockRecord]()
    for at in range(60):
        seats = ((0, 1), (1, 2), (2, 0))[at % 3]
        rows.append(block_of(at + 1, seats, (8 + at // 3 % 2, -8 - at // 3 % 2)))
    tournament = Tournament("parlour", "round-robin", 7, Limits(), (entry,))
    found = [
        compute_standings(tournament, [fold_with(entry, rows, faults)]).verdicts[0].cycles
        for faults in ({}, {(1, "illegal"): 9})
    ]
    assert found == [[(0, 1, 2)], []]


# Runs


def contest(folder: Path, more: str = "") -> list[str]:
    """Sixteen at tables of four; claims 1 to 14 and 40. Who says nothing legal claims 30 all the same, and would be
    second."""
    claims = [*range(1, 15), 40]
    write_contest(
        folder, ["Bad", *[f"Steady(claim={n})" for n in claims]], 'game = "boast"\nplayers = 4\ndeals = 960', more=more
    )
    return [f"Steady(claim={claim})" for claim in sorted(claims, reverse=True)]


def test_who_always_answers_illegally_is_not_placed(tmp_path: Path, shell: Shell) -> None:
    order = contest(tmp_path)
    done = shell("run", "t.toml", "--jobs", 1, "--out", "run")
    assert done.code == 2
    data = standings_of(tmp_path / "run")
    rows, differences = data["games"][0]["rows"], data["games"][0]["differences"]
    assert ranks_of(rows) == [*zip(order, range(1, 16), strict=True), ("Bad", None)]
    assert rows[0]["net_per_deal"] > rows[15]["net_per_deal"] > rows[1]["net_per_deal"]
    assert rows[15]["faults"] == {"illegal": 240}, "in all deals of 60 blocks of 16 for 16 at tables of four"
    assert not any("Bad" in (each["one"], each["other"]) for each in differences) and len(differences) == 105
    assert "Not placed: Bad, faults in 100 % of its deals (1 % is allowed)." in done.out.splitlines()
    assert shell("verify", "run").code == 0
    assert shell("report", "run").code == 0
    html = (tmp_path / "run" / "report.html").read_text()
    assert "<b>Bad</b> was at fault too often and is not placed." in html
    assert shell("verify", "run").code == 0
    assert open_run(tmp_path / "run").rows()[15]["out"] == "faults"


def test_an_older_run_places_everybody(tmp_path: Path, shell: Shell) -> None:
    """It has no key, and gets none when its results are written again."""
    order = contest(tmp_path)
    shell("run", "t.toml", "--jobs", 1, "--out", "run")
    edit(tmp_path / "run", without_key)
    played = shards(tmp_path / "run")
    assert shell("verify", "run").code == 1, "its results are those of the newer rule"
    for again in range(2):
        assert "nothing left to play" in shell("run", "t.toml", "--jobs", 1, "--out", "run").out
        assert "placed_within" not in (tmp_path / "run" / "run.toml").read_text()
        assert ranks_of(standings_of(tmp_path / "run")["games"][0]["rows"])[:3] == [
            (order[0], 1),
            ("Bad", 2),
            (order[1], 3),
        ]
        assert shell("verify", "run").code == 0 and shards(tmp_path / "run") == played, again


def test_another_limit_is_the_same_run(tmp_path: Path, shell: Shell) -> None:
    contest(tmp_path)
    shell("run", "t.toml", "--jobs", 1, "--out", "run")
    contest(tmp_path, "[limits]\nplaced_within = 1")
    done = shell("run", "t.toml", "--jobs", 1, "--out", "run")
    assert "nothing left to play" in done.out and "Not placed" not in done.out
    assert ranks_of(standings_of(tmp_path / "run")["games"][0]["rows"])[1] == ("Bad", 2)
    assert shell("verify", "run").code == 0
    edit(tmp_path / "run", lambda data: data["limits"].update(placed_within=1.5))
    assert shell("standings", "run").code == 65


def test_an_accident_costs_no_place(tmp_path: Path, shell: Shell) -> None:
    """Some faults of the best, in less than 1 % of its deals."""
    strategies = ["Rare(often=0.002)", "Steady(claim=1)", "Steady(claim=2)", "Steady(claim=3)"]
    write_contest(tmp_path, strategies, 'game = "boast"\ndeals = 1600')
    assert shell("run", "t.toml", "--jobs", 1, "--out", "run").code == 2
    row = standings_of(tmp_path / "run")["games"][0]["rows"][0]
    assert row["strategy"] == "Rare(often=0.002)" and row["rank"] == 1 and 0 < row["faults"]["illegal"] <= 16


# Knock-outs: at tables of two, 5, 3 and 2 of them


KNOCK_OUT = 'game = "boast"\nplayers = 2\nsitting = 2\ndeals = 600'


@pytest.mark.parametrize(
    ("strategies", "going_on"),
    [
        # the bad ones would be the best two by net
        (["Steady(claim=1)", "Bad", "Steady(claim=3)", "Bad(own=1)", "Steady(claim=2)"], ["Steady"] * 3),
        # only two are placed, and the third is the first of equal ones
        (["Bad", "Steady(claim=3)", "Bad(own=1)", "Bad(own=2)", "Steady(claim=2)"], ["Bad", "Steady", "Steady"]),
    ],
)
def test_a_knock_out_takes_the_placed_first(
    strategies: list[str], going_on: list[str], tmp_path: Path, shell: Shell
) -> None:
    write_contest(tmp_path, strategies, KNOCK_OUT, 'format = "knock-out"')
    assert shell("run", "t.toml", "--jobs", 1, "--out", "run").code == 2
    rounds = tomllib.loads((tmp_path / "run" / "run.toml").read_text())["games"]
    assert [[each["name"] for each in game["strategies"]] for game in rounds[1:]] == [going_on, ["Steady", "Steady"]]
    (over,) = standings_of(tmp_path / "run")["rounds"]
    placed = [row for row in over["rows"] if row["rank"] is not None]
    assert [row["rank"] for row in placed] == [*range(1, len(placed) + 1)]
    assert {row["strategy"][:6] for row in placed} == {"Steady"} and placed == over["rows"][: len(placed)]
    assert all(row["out"] == "faults" and row["strategy"].startswith("Bad") for row in over["rows"][len(placed) :])
    assert Page("standings").wrong(standings_of(tmp_path / "run")) == []
    assert shell("verify", "run").code == 0
    assert shell("report", "run").code == 0
    edit(tmp_path / "run", without_key)
    assert "does not follow from the round before" in shell("verify", "run").err


def test_an_older_knock_out_takes_the_best_by_net(tmp_path: Path, shell: Shell) -> None:
    strategies = ["Steady(claim=1)", "Bad", "Steady(claim=3)", "Bad(own=1)", "Steady(claim=2)"]
    write_contest(tmp_path, strategies, KNOCK_OUT, 'format = "knock-out"')
    tournament = file.load_tournament(tmp_path / "t.toml")
    older = replace(tournament, limits=replace(tournament.limits, placed_within=None))
    play_tournament(older, tmp_path / "run", 1)
    rounds = tomllib.loads((tmp_path / "run" / "run.toml").read_text())["games"]
    assert [each["name"] for each in rounds[2]["strategies"]] == ["Bad", "Bad"]
    assert shell("verify", "run").code == 0
    assert "nothing left to play" in shell("run", "t.toml", "--jobs", 1, "--out", "run").out
    assert "placed_within" not in (tmp_path / "run" / "run.toml").read_text()


def test_a_knock_out_with_another_limit_is_another_run(tmp_path: Path, shell: Shell) -> None:
    strategies = ["Steady(claim=1)", "Steady(claim=3)", "Steady(claim=2)"]
    write_contest(tmp_path, strategies, KNOCK_OUT, 'format = "knock-out"')
    assert shell("run", "t.toml", "--jobs", 1, "--out", "run").code == 0
    write_contest(tmp_path, strategies, KNOCK_OUT, 'format = "knock-out"', "[limits]\nplaced_within = 0.5")
    done = shell("run", "t.toml", "--jobs", 1, "--out", "run")
    assert done.code == 73 and "limits.placed_within is 0.01 there, 0.5 here" in done.err


# Freeze-outs, and several games


def test_places_within_a_freeze_out_stay(tmp_path: Path, shell: Shell, write: Write) -> None:
    """The counters were won; the table's rank is none."""
    write("bad.py", 'class Bad:\n    def act(self, view):\n        return "nothing"\n')
    write(
        "t.toml",
        """
        [tournament]
        format = "freeze-out"
        strategies = ["book", "random", "bad.py"]
        [[games]]
        game = "draw-poker"
        times = 12
        options = { stakes = "table" }
        """,
    )
    assert shell("run", "t.toml", "--jobs", 1, "--out", "run").code == 2
    rows = standings_of(tmp_path / "run")["games"][0]["rows"]
    assert [row["rank"] for row in rows] == [1, 2, None] and rows[2]["strategy"] == "Bad"
    assert sum(row["mean_place"] for row in rows) == pytest.approx(6) and rows[2]["out"] == "faults"
    assert shell("verify", "run").code == 0 and shell("report", "run").code == 0


def test_who_never_begins_a_freeze_out_is_at_fault_in_all_of_it(tmp_path: Path, shell: Shell, write: Write) -> None:
    """One fault costs a freeze-out of some hundred deals."""
    begin = "def begin(self, sitting):\n        return 1 / 0"
    write("bad.py", f"class Bad:\n    {begin}\n    def act(self, view):\n        pass\n")
    words = (
        "play",
        "draw-poker",
        "book",
        "random",
        "bad.py",
        "--times",
        6,
        "--option",
        "stakes=table",
        "--as",
        "freeze-out",
    )
    done = shell(*words, "--jobs", 1, "--out", "run")
    (game,) = standings_of(tmp_path / "run")["games"]
    assert game["rows"][2]["out"] == "faults" and game["rows"][2]["faults"] == {"exception": 6}
    assert "Not placed: Bad, faults in 100 % of its deals (1 % is allowed)." in done.out and game["deals"] > 6 * 10


def test_out_in_one_game_is_out_over_all(tmp_path: Path, shell: Shell, write: Write) -> None:
    write(
        "bad.py", 'class Bad:\n    def act(self, view):\n        return "no" if view.game == "loo" else view.legal[0]\n'
    )
    write(
        "t.toml",
        """
        [tournament]
        strategies = ["book", "random", "random", "bad.py"]
        [[games]]
        game = "nap"
        deals = 160
        [[games]]
        game = "loo"
        deals = 160
        """,
    )
    done = shell("run", "t.toml", "--jobs", 1, "--out", "run")
    data = standings_of(tmp_path / "run")
    own = [next(row for row in game["rows"] if row["strategy"] == "Bad") for game in data["games"]]
    assert own[0]["rank"] is not None and own[1]["rank"] is None
    assert data["all"][3]["strategy"] == "Bad" and data["all"][3]["rank"] is None and data["all"][3]["out"] == "faults"
    assert "Not placed, because of faults in a game: Bad." in done.out.splitlines()
    assert shell("verify", "run").code == 0 and shell("report", "run").code == 0


def test_a_comparison_with_a_run_in_which_it_was_out_is_not_significant(tmp_path: Path, shell: Shell) -> None:
    """Without a fault it wins about a third more, in every block."""
    others = [f"boast.py:Steady(claim={n})" for n in (1, 2, 3)]
    for run, own in ("bad", "Bad"), ("good", "Wavers"):
        write_contest(tmp_path, [], 'game = "boast"\ndeals = 320\nplayers = 4')
        text = (tmp_path / "t.toml").read_text()
        listed = json.dumps(others)[1:-1]
        strategies = f'strategies = [{{ name = "mine", from = "boast.py:{own}" }}, {listed}]'
        (tmp_path / "t.toml").write_text(text.replace("strategies = []", strategies))
        shell("run", "t.toml", "--jobs", 1, "--out", run)
    said = shell("diff", "bad", "good").out
    assert "Not placed in one of the runs, because of faults: mine." in said.splitlines()
    rows = {
        row["strategy"]: row
        for row in json.loads(shell("diff", "bad", "good", "--format", "json").out)["games"][0]["rows"]
    }
    assert 27 < rows["mine"]["difference"] < 33 and rows["mine"]["p"] < 0.001 and rows["mine"]["apart"] is False
    assert -11 < rows["Steady(claim=1)"]["difference"] < -9 and rows["Steady(claim=1)"]["apart"] is True


# Rules to stop by

SHARD = 250  # blocks, of four deals


def watched(gain: int, faults: dict[int, int], limit: float | None) -> tuple[int, Decision]:
    """The block at which a rule for a and b ends, and its decision: a has so many counters a deal more than b, and b so
    many faults in the first shard of 250 blocks, or in the second of 50."""
    entry = replace(nap("ab"), blocks=300, cap=300)
    watch, fold = RuleWatch(entry, Stopping("a - b > 0"), limit), EntryTotals()
    for number, blocks in enumerate(entry.shards(), 1):
        rows = [block_of(at, (0, 1), (2 * gain + at % 3, -2 * gain - at % 3)) for at in blocks]
        fold.add(blocks[0], tally_of(entry, rows, {(1, "illegal"): faults[number]} if number in faults else {}))
    watch.follow(fold)
    return watch.block, watch.outcome().decision


@pytest.mark.parametrize(
    ("faults", "limit", "found"),
    [
        ({}, 0.0, (80, Decision.BETTER)),
        ({2: 1}, 0.0, (80, Decision.BETTER)),  # the first shard decides
        ({1: 1}, 0.0, (SHARD, Decision.VOID)),
        ({1: 1}, None, (SHARD, Decision.BETTER)),
        ({1: 10}, 0.01, (SHARD, Decision.BETTER)),  # of 1000 deals
        ({1: 11}, 0.01, (SHARD, Decision.VOID)),
    ],
)
def test_a_difference_from_who_is_not_placed_is_void(
    faults: dict[int, int], limit: float | None, found: tuple[int, Decision]
) -> None:
    assert watched(6, faults, limit) == found


@pytest.mark.parametrize(
    ("faults", "limit", "found"),
    [
        ({1: 1}, 0.0, (SHARD, Decision.VOID)),
        ({2: 1}, 0.0, (300, Decision.VOID)),
        ({1: 11}, 0.01, (SHARD, Decision.VOID)),
        ({1: 10, 2: 2}, 0.01, (300, Decision.UNDECIDED)),  # of 1200 deals
        ({1: 10, 2: 3}, 0.01, (300, Decision.VOID)),
    ],
)
def test_a_difference_that_is_not_clear_ends_as_void(
    faults: dict[int, int], limit: float, found: tuple[int, Decision], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Mixture, "decision", lambda self, delta=0.0: Decision.UNDECIDED)
    assert watched(0, faults, limit) == found


def test_a_share_that_is_too_large_before_80_blocks_may_be_an_accident() -> None:
    """Shards of one block each: 1 fault in the first, of 4 deals. After 80 blocks it is one in 320, after 100 in 400."""
    for faults, found in (({1: 1}, (100, False)), ({1: 1, 9: 3}, (80, True))):
        entry = replace(nap("ab"), blocks=100, cap=100, format=RoundRobin(2, 500))
        assert [len(blocks) for blocks in entry.shards()] == [1] * 100
        watch, fold = RuleWatch(entry, Stopping("a - b > 0"), 0.01), EntryTotals()
        for number in range(1, 101):
            rows = [block_of(number, (0, 1), (0, 0))]
            fold.add(number, tally_of(entry, rows, {(1, "illegal"): faults[number]} if number in faults else {}))
        assert (watch.follow(fold), watch.block) == found[::-1], faults


def test_only_those_that_are_placed_must_be_separated() -> None:
    """b and c have the same; a is far above both."""
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


def write_gate(folder: Path, new: str, more: str = "") -> None:
    (folder / "boast.py").write_text(BOAST + STRATEGIES)
    games.allow(str(folder / "boast.py"))
    strategies = f'{{ name = "new", from = "boast.py:{new}" }}, {{ name = "old", from = "boast.py:Steady(claim=1)" }}'
    (folder / "t.toml").write_text(
        f"[tournament]\nstrategies = [{strategies}]\n[limits]\n{more}\n"
        '[gate]\nmine = "new"\nbaseline = "old"\n[[games]]\ngame = "boast"\nplayers = 2\ndeals = 8000\n'
    )


@pytest.mark.parametrize("more", ["", "faults_allowed = 9999"])
def test_a_gate_with_faults_ends_at_once_and_is_void(more: str, tmp_path: Path, shell: Shell) -> None:
    """Its first shard has 250 blocks of 4 deals. Without faults it wins 29 a deal."""
    write_gate(tmp_path, "Bad", more)
    done = shell("gate", "t.toml", "--jobs", 1, "--out", "run", "--junit", "out.xml")
    assert done.code == 2
    assert done.out.splitlines()[:2] == ["new - old  after 1 000 of 8 000 deals (block 250)", "void"]
    (game,) = standings_of(tmp_path / "run")["games"]
    assert {key: value for key, value in game["until"].items() if value is not None} == {
        "verdict": "void",
        "block": 250,
    }
    assert Page("standings").wrong(standings_of(tmp_path / "run")) == []
    assert shell("verify", "run").code == 0 and shell("report", "run").code == 0
    assert "new against old: <b>void</b>" in (tmp_path / "run" / "report.html").read_text()
    assert '<failure message="after 1 000 of 8 000 deals (block 250)"' in (tmp_path / "out.xml").read_text()
    verdict = open_run(tmp_path / "run").gate("new", "old")
    assert (verdict.word, verdict.code, verdict.games["boast"]) == ("void", 2, game["until"])
    edit(tmp_path / "run", lambda data: data["limits"].update(placed_within=1.0))
    assert "standings.json: differs from what the log gives" in shell("verify", "run").err


def test_a_gate_may_allow_faults(tmp_path: Path, shell: Shell) -> None:
    write_gate(tmp_path, "Rare(often=0.002)", "placed_within = 0.01\nfaults_allowed = 100")
    done = shell("gate", "t.toml", "--jobs", 1, "--out", "run")
    assert done.code == 0 and "better" in done.out.splitlines()
    assert open_run(tmp_path / "run").gate("new", "old").code == 0
    write_gate(tmp_path, "Rare(often=0.002)", "placed_within = 0.02\nfaults_allowed = 100")
    assert "limits.placed_within is 0.01 there, 0.02 here" in shell("gate", "t.toml", "--out", "run").err


UNTIL = 'until = "separated"'


@pytest.fixture
def field(tmp_path: Path) -> Path:
    """Two that are equal but for the faults of one, who passes the limit more than once on the way."""
    strategies = ["Rare(often=0.01)", "Steady(claim=40)", "Steady(claim=20)"]
    write_contest(tmp_path, strategies, 'game = "boast"\nplayers = 3\ndeals = 12000', UNTIL)
    return tmp_path


def test_a_rule_for_those_that_are_placed_stops_where_verify_says(field: Path, shell: Shell) -> None:
    shell("run", "t.toml", "--jobs", 1, "--out", "run")
    assert shell("verify", "run").code == 0
    game = tomllib.loads((field / "run" / "run.toml").read_text())["games"][0]
    assert game["blocks"] < game["cap"]


@pytest.mark.soak
def test_processes_and_an_interruption_change_nothing(field: Path) -> None:
    words = "run", "t.toml", "--game", "boast.py"
    for jobs in 1, 7:
        roundsim(*words, "--jobs", jobs, "--out", f"on{jobs}", cwd=field, code=2, hash_seed=str(jobs))
        assert_same(field / "on1", field / f"on{jobs}")
    playing = begin(*words, "--jobs", 2, "--out", "cut", cwd=field)
    assert wait_for(lambda: playing.poll() is not None or [*(field / "cut").glob("log/*/*.zst")])
    playing.send_signal(signal.SIGINT)
    playing.communicate()
    roundsim(*words, "--jobs", 2, "--out", "cut", cwd=field, code=2, hash_seed="3")
    assert_same(field / "on1", field / "cut")


# Each kind of fault once


def test_each_kind_of_fault_is_counted_and_has_its_first_address() -> None:
    """Shards come in any order. Of a kind that no report is kept of, only the number is known."""
    entry, fold = nap("abc"), EntryTotals()
    late, first, later = (replace(report(0, "late", "play"), deal=f"nap/{at}/1/2") for at in (5, 2, 3))
    shards_of = {
        4: ({(0, "late"): 2, (1, "dead"): 1}, [late]),
        1: (
            {(0, "late"): 3, (0, "illegal"): 1},
            [first, replace(report(0, "illegal", "play"), deal="nap/2/2/1"), later],
        ),
    }
    for shard, (faults, reports) in shards_of.items():
        fold.add(shard, tally_of(entry, ROUND, faults, reports))
    assert [(each.entrant, each.words) for each in fold.fault_counts()] == [
        (0, "late 5 times, first in nap/2/1/2"),
        (0, "illegal in nap/2/2/1"),
        (1, "dead"),
    ]


def test_a_gate_reports_each_kind_of_fault_once(tmp_path: Path, shell: Shell) -> None:
    write_gate(tmp_path, "Bad")
    done = shell("gate", "t.toml", "--jobs", 1, "--out", "run", "--junit", "out.xml")
    counted = "illegal 1 000 times, first in boast/1/1/1"
    assert done.err.count("faults: ") == 1 and f"faults: new: {counted}: illegal " in done.err
    (failure, void) = ElementTree.parse(tmp_path / "out.xml").iter("failure")
    assert failure.attrib == {"type": "illegal", "message": counted}
    assert "roundsim replay run:boast/1/1/1 --game boast.py" in (failure.text or "")
    assert void.attrib == {"message": "after 1 000 of 8 000 deals (block 250)"}
    again = shell("gate", "t.toml", "--jobs", 1, "--out", "run", "--ci", "github", "--continue")
    notes = [line.partition("title=")[2].partition("::")[0] for line in again.err.splitlines() if line.startswith("::")]
    assert notes == ["gate: void".replace(":", "%3A"), f"new: {counted}".replace(":", "%3A").replace(",", "%2C")]
