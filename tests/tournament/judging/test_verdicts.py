"""Statistics of blocks other than the means: from rows made by hand, with scipy as the oracle, and once from a log."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path
from random import Random

import pytest
from conftest import Shell
from helpers.blocks import DEALS, block_of, blocks_of_two, entry_of, fold_of, nap, tally_of
from helpers.command import drawn, seldom_with
from scipy import stats

import roundsim
from roundsim.reports.data import in_format
from roundsim.running import Run
from roundsim.statistics.rows import BlockRow, Tables
from roundsim.tournament.formats.freeze_out import FreezeOut
from roundsim.tournament.formats.knock_out import KnockOut
from roundsim.tournament.formats.progressive import Progressive
from roundsim.tournament.judging.blocks import Blocks
from roundsim.tournament.judging.standings import Standings, compute_standings
from roundsim.tournament.judging.verdicts import Verdicts
from roundsim.tournament.planning.plan import Entry, Limits, Tournament
from roundsim.tournament.results.entry_totals import EntryTotals
from roundsim.tournament.results.totals import BlockRecord, Extreme, ShardTotals

pytestmark = pytest.mark.usefixtures("here")


def verdicts_of(entry: Entry, nets: Sequence[Sequence[int]]) -> Verdicts:
    """Blocks in which all sit in their order."""
    return Verdicts(entry, fold_of(entry, [block_of(at, range(len(net)), net) for at, net in enumerate(nets, 1)]), 7)


def between_two(*differences: int) -> Verdicts:
    """Two that are this even number of counters a deal apart in each block."""
    return Verdicts(nap("ab"), fold_of(nap("ab"), apart_by(differences)), 7)


def apart_by(differences: Sequence[int]) -> list[BlockRecord]:
    return blocks_of_two(DEALS * each // 2 for each in differences)


def tournament_of(entry: Entry) -> Tournament:
    return Tournament("parlour", entry.format.name, 7, Limits(), (entry,))


def shown(entry: Entry, fold: EntryTotals, form: str = "table", crossed: bool = False) -> str:
    return in_format(compute_standings(tournament_of(entry), [fold]), form, crossed)


def lines_of(entry: Entry, rows: Sequence[BlockRecord]) -> dict[str, str]:
    """The lines under a table, by their first words."""
    under = shown(entry, fold_of(entry, rows), "md").splitlines()
    return dict(line[2:].split(": ", 1) for line in under if line.startswith("* "))


def rows_of(tables: Tables) -> list[BlockRow]:
    return [row for table in tables for row in table.rows()]


def test_a_block_as_statistics_read_it() -> None:
    """Three seats; of four deals the first was ahead of the second in three, of the third in two and equal in one, the
    second of the third in one."""
    entry = nap("abc", 3)
    blocks = Blocks(entry, fold_of(entry, [block_of(1, (2, 0, 1), (12, -4, -8), (6, 5, 2))]).blocks)
    for _ in range(2):  # more than once
        (row,) = rows_of(blocks.compared)
        assert (row.block, row.weight, row.entrants, row.values) == (1, 4, (2, 0, 1), [3, -1, -2])
        assert row.ahead == [(4, 3), (4, 2.5), (4, 1)]
        assert list(blocks.from_dealer) == [[[3], [-1], [-2]]]
    # a sits first and third, and is ahead of b in 1.5 of four deals with the one, with the other in 3.
    entry = nap("ab", 3)
    fold = fold_of(entry, [block_of(1, (0, 1, 0), (6, -4, -2), (3, 8, 2))])
    (read,) = rows_of(Blocks(entry, fold.blocks).compared)
    assert (read.entrants, read.values) == ((0, 1), [(6 - 2) / 2 / 4, -4 / 4])
    assert read.ahead == [(8, 1.5 + 3)]
    (won,) = Blocks(entry, fold.blocks, entry.format.measures[1])
    assert won.values == pytest.approx([2 / 3, 1 / 3])  # by any of his places


def test_freeze_outs_and_evenings_as_statistics_read_them() -> None:
    """Places 2, 1, and twice 3.5; they weigh the same, and have no dealer."""
    entry = entry_of("abcd", FreezeOut(100, 5, 10_000, 0), "draw-poker")
    row = BlockRecord(1, (3, 0, 1, 2), 60, 9, [[4, 2, 7, 7], [0, 12, 0, 0]], [], [], 0)
    blocks = Blocks(entry, fold_of(entry, [row]).blocks)
    (read,) = rows_of(blocks.compared)
    assert (read.weight, read.entrants, read.values) == (1, (3, 0, 1, 2), [-2, -1, -3.5, -3.5])
    assert read.ahead == [(1, 0), (1, 1), (1, 1), (1, 1), (1, 1), (1, 0.5)]
    assert list(blocks.from_dealer) == []
    entry = entry_of("abcd", Progressive(50, 10))
    yellows, counters, fresh = [2, 2, 2, 1], [70, 60, 60, 90], [5, 1, 0, 0]
    row = BlockRecord(1, (0, 1, 2, 3), 60, 9, [yellows, counters, fresh, *[[3] * 4] * 3], [], [], 0)
    (read,) = rows_of(Blocks(entry, fold_of(entry, [row]).blocks).compared)
    assert read.values == yellows
    assert read.ahead == [(1, 1), (1, 1), (1, 1), (1, 0), (1, 1), (1, 1)]


NETS = [(20, 1, -21), (24, -2, -22), (16, 3, -19), (22, 0, -22), (18, -1, -17), (21, 2, -23)] * 2


def test_differences_are_the_paired_t_where_all_sit_in_every_block() -> None:
    verdicts = verdicts_of(nap("abc", 3), NETS)
    means = [[net / DEALS for net in column] for column in zip(*NETS, strict=True)]
    pairs = [*permutations(range(3), 2)]
    found_once = [pair for pair in pairs if pair[0] < pair[1]]
    by_p = sorted(found_once, key=lambda pair: stats.ttest_rel(*map(means.__getitem__, pair)).pvalue)
    for one, other in pairs:
        found, oracle = verdicts.between(one, other), stats.ttest_rel(means[one], means[other])
        level = 0.05 / (3 - by_p.index((min(one, other), max(one, other))))
        interval = oracle.confidence_interval(1 - level)
        assert found and found.value == pytest.approx((interval.low + interval.high) / 2)
        assert found.error == pytest.approx((interval.high - interval.low) / 2)
        assert found.p == pytest.approx(oracle.pvalue)
        assert found.value * (other - one) > 0
    assert verdicts.likely == [(1, 1), (2, 2), (3, 3)]


def disagreements(seed: str, tables: int) -> int:
    """In how many random tables an interval does not say the same as Holm's method, which is written out here."""
    found = 0
    for table in range(tables):
        chance = Random(f"{seed}/{table}")
        entrants, blocks = chance.randint(2, 6), chance.randint(10, 50)
        better = [chance.choice((0, 2, 4)) for _ in range(entrants)]
        wide = chance.choice((1, 3, 9))  # with 1 there are few different values
        rows = [[worth + chance.randint(-wide, wide) for worth in better] for _ in range(blocks)]
        verdicts = verdicts_of(nap("abcdef"[:entrants], entrants), rows)
        order = sorted(verdicts.differences.items(), key=lambda each: each[1].p)
        passed = [each.p <= 0.05 / (len(order) - at) for at, (_, each) in enumerate(order)]
        for at, (pair, each) in enumerate(order):
            beyond = each.error is not None and abs(each.value) > each.error
            found += not (beyond == all(passed[: at + 1]) == verdicts.are_apart(*pair))
    return found


@pytest.mark.parametrize(("seed", "tables"), [("quick", 20), *seldom_with(("many", drawn(500, 2000)))])
def test_two_are_separated_where_the_interval_does_not_reach_0(seed: str, tables: int) -> None:
    assert disagreements(seed, tables) == 0


def test_ranks_that_are_likely() -> None:
    """b and c are as good as each other; a is better, and d worse."""
    nets = [(40 + y, x, -x, -40 - y) for y, x in enumerate((5, -4, 3, -5, 4, -3, 2, -1, -2, 1))]
    verdicts = verdicts_of(nap("abcd", 4), nets)
    assert verdicts.likely == [(1, 1), (2, 3), (2, 3), (4, 4)]
    assert verdicts.are_apart(3, 0) and not verdicts.are_apart(2, 1)
    entry = nap("abcd")
    rows = [block_of(at, (0, 1) if at % 2 else (2, 3), (at, -at)) for at in range(1, 25)]
    verdicts = Verdicts(entry, fold_of(entry, rows), 7)
    assert verdicts.between(0, 2) is None and verdicts.between(0, 1)
    assert verdicts.likely == [(1, 3), (2, 4), (1, 3), (2, 4)]
    assert shown(entry, fold_of(entry, rows), crossed=True).count(" -  ") > 0


def test_more_deals_that_are_needed() -> None:
    """6 and -2 in turn: mean 2, deviation 4 root (10/9), standard error 4/3: 1.5 of it. A pair alone needs (1.95996 +
    0.84162) / 1.5 = 1.86772, squared 3.48838: 24.88 more blocks than the ten, of four deals. 8 and -6, less than its
    error: 2.80159 squared is 7.84888, so 68.49 more blocks, of four deals: 273.96."""
    verdicts = between_two(*[6, -2] * 5)
    assert verdicts.more_deals(0, 1) == verdicts.more_deals(1, 0) == ("about", 100)
    assert between_two(*[8, -6] * 5).more_deals(0, 1) == ("more than", 270)
    alike = between_two(*[0] * 10)
    assert alike.more_deals(0, 1) is None
    assert not verdicts.are_apart(0, 1) and not alike.are_apart(0, 1)
    # a and b as above, c between them: 2.39398, the bound of the most significant of three pairs, takes the place of
    # 1.95996: (2.39398 + 0.84162) / 1.5 = 2.15707, squared 4.65294: 36.53 more blocks of four deals.
    nets = [(DEALS * each // 2, 0, -DEALS * each // 2) for each in [6, -2] * 5]
    assert stats.norm.ppf(1 - 0.05 / 6) == pytest.approx(2.39398, abs=1e-5)
    assert verdicts_of(nap("acb", 3), nets).more_deals(0, 2) == ("about", 150)
    # Without the seventh, -6 in eleven blocks.
    verdicts = between_two(*[-2, 0, -2, 0, 0, -2, 20, 0, 0, 0, 0, 0])
    assert verdicts.hanging == {(0, 1): 7} and between_two(*[4, 2] * 6).hanging == {}


def test_few_blocks_and_one_strategy_alone_are_not_compared() -> None:
    for blocks in [9, 10]:
        entry = nap("ab")
        rows = blocks_of_two(40 + at for at in range(1, blocks + 1))
        some = blocks == 10
        assert Verdicts(entry, fold_of(entry, rows), 7).likely == ([(1, 1), (2, 2)] if some else [(1, 2)] * 2)
        said = shown(entry, fold_of(entry, rows), crossed=True)
        assert ("Under 10 blocks there is no error: play more deals." in said) != some
        assert (len(re.findall(r" -(?= |$)", said, re.M)) == 2) != some
        assert len(json.loads(shown(entry, fold_of(entry, rows), "json"))["games"][0]["differences"]) == some
        assert ("differences" in lines_of(entry, rows)) == some
    for crossed in [False, True]:
        entry = nap(["alone"])
        fold = fold_of(entry, [block_of(at, (0, 0), (at, -at)) for at in range(1, 13)])
        for form in "table", "md":
            said = shown(entry, fold, form, crossed)
            assert "One strategy alone: there is nothing to compare." in said and "likely" not in said
            assert form == "table" or "\n\nOne strategy alone" in said  # else it were a row of the table
            assert "differences" not in said and "1st" not in said
        game = json.loads(shown(entry, fold, "json", crossed))["games"][0]
        assert game["differences"] == [] and game["rows"][0]["likely"] is None and game["rows"][0]["ahead"] is None
        assert len(shown(entry, fold, "csv", crossed).splitlines()) == (1 if crossed else 2)


def test_extremes_and_the_order_of_blocks_do_not_depend_on_the_order_of_shards() -> None:
    """Block 10 comes after block 2, and the entrant does not matter."""
    entry, tally = nap("ab"), ShardTotals()
    tally.best = {0: Extreme(30, "10/1/1"), 1: Extreme(30, "2/2/1")}
    tally.worst = {0: Extreme(-30, "3/1/1"), 1: Extreme(-30, "3/2/1")}
    fold = EntryTotals()
    fold.add(0, tally)
    assert Verdicts(entry, fold, 7).extremes == [("best", 1, 30, "nap/2/2/1"), ("worst", 0, -30, "nap/3/1/1")]
    said = json.loads(shown(entry, fold, "json"))["games"][0]["extremes"]
    assert said["best"] == {"strategy": "b", "net": 30, "deal": "nap/2/2/1"}
    assert "extremes     best +30 b nap/2/2/1, worst -30 a nap/3/1/1" in shown(entry, fold)
    for first in 0, 1:  # two that win the same deal, found in either order
        tally, fold = ShardTotals(), EntryTotals()
        for entrant in first, 1 - first:
            tally.best[entrant], tally.worst[entrant] = Extreme(30, "2/2/1"), Extreme(-30, "3/1/1")
        fold.add(0, tally)
        assert Verdicts(entry, fold, 7).extremes == [("best", 0, 30, "nap/2/2/1"), ("worst", 0, -30, "nap/3/1/1")]
    shards = [[block_of(1 + 2 * at, (0, 1), (at, -at)), block_of(2 + 2 * at, (1, 0), (9, -9))] for at in range(3)]
    for order in permutations(range(3)):
        fold = EntryTotals()
        for shard in order:
            fold.add(shard, tally_of(entry, shards[shard]))
        rows = list(Blocks(entry, fold.blocks))
        assert [row.block for row in rows] == [1, 2, 3, 4, 5, 6]
        assert [row.entrants for row in rows] == [(0, 1), (1, 0)] * 3
        assert [row.values[0] for row in rows] == [0, 9 / 4, 1 / 4, 9 / 4, 2 / 4, 9 / 4]
    assert [row.block for row in Blocks(entry, fold.blocks.only(1))] == [3, 4]


def test_the_line_of_differences_and_that_of_places() -> None:
    """The dealer has 3 and -1 in turn: mean 1, each 2 off, t of nine 2.262157 x 2 root (10/9) / root 10.  The two are 6
    and -2 apart, and 5 of 10 is a share of 0.5 ± 0.3129 (Clopper and Pearson), 8 times."""
    said = lines_of(nap("ab"), apart_by([6, -2] * 5))
    assert said["differences"] == "1st - 2nd +2.000 ± ~2.503: not significant, needs about 100 more deals"
    once = "once, when the deals that are needed are played"
    assert said["look"] == f"{once}; --until 'a - b > 0' may be looked at at any time"
    assert said["places"] == "eldest -1.000 ± ~1.508, dealer +1.000 ± ~1.508"
    rows = blocks_of_two(20 + at % 2 for at in range(1, 13))
    said = lines_of(nap("ab"), rows)
    assert re.fullmatch(r"1st - 2nd \+10\.250 ± ~0\.\d{3}", said["differences"]) and "ahead" not in said
    (difference,) = json.loads(shown(nap("ab"), fold_of(nap("ab"), rows), "json"))["games"][0]["differences"]
    assert difference["apart"] is True and difference["more"] is None
    entry = nap(["with as long a name", "as goes into a line"])
    rows = blocks_of_two(9000 * (-1) ** at + 1 for at in range(1, 2001))
    table = shown(entry, fold_of(entry, rows))
    assert re.search(r"more than\s+55 000 more\s+deals", table)
    assert all(len(line) <= 80 for line in table.splitlines())


def test_one_hint_is_enough_for_all_pairs() -> None:
    """It names the first pair that needs more deals, and only a run that may stop at any look has a rule."""
    chance = Random(6)
    nets = [[round(chance.gauss(each, 9)) for each in (40, 5, 4, 3)] for _ in range(50)]
    rows = [block_of(at, range(4), net) for at, net in enumerate(nets, 1)]
    entry = nap("abcd", 4)
    game = json.loads(shown(entry, fold_of(entry, rows), "json"))["games"][0]
    labels, once = [row["strategy"] for row in game["rows"]], "once, when the deals that are needed are played"
    rule = f"--until '{labels[1]} - {labels[2]} > 0' may be looked at at any time"
    assert lines_of(entry, rows)["look"] == f"{once}; {rule}"
    knock_out = entry_of("abcd", KnockOut(players=4, sitting=2, entrants=4, round=1))
    assert lines_of(knock_out, rows)["look"] == once
    assert [each["looks_once"] for each in game["differences"]] == [not each["apart"] for each in game["differences"]]


def test_the_lines_of_orders_that_differ_and_of_a_cycle() -> None:
    """a wins more, in one deal of four; b is ahead in the others.  Then b is ahead in nine deals of sixteen, which is no
    more than chance."""
    rows = [block_of(at, (0, 1), (20 + at % 3, -20 - at % 3), (2 + at % 2,)) for at in range(1, 41)]
    assert lines_of(nap("ab"), rows)["ahead"] == "b is more often ahead than a, which wins more"
    shares = [7 * (at % 2) for at in range(1, 41)]
    rows = [row._replace(ahead=(share,)) for row, share in zip(rows, shares, strict=True)]
    assert stats.ttest_1samp(shares, DEALS).pvalue > 0.3
    assert "ahead" not in lines_of(nap("ab"), rows)
    rows = [
        block_of(at, [(0, 1), (1, 2), (2, 0)][at % 3], (20 + at % 5, -20 - at % 5), (2 * DEALS,)) for at in range(1, 61)
    ]
    assert lines_of(nap("abc"), rows)["cycle"] == "a over b over c over a"
    (cycle,) = json.loads(shown(nap("abc"), fold_of(nap("abc"), rows), "json"))["games"][0]["cycles"]
    assert cycle == ["a", "b", "c"]


@pytest.mark.parametrize(("blocks", "pairs"), [(60, 2), *seldom_with((200, 19))])
def test_the_line_of_company(blocks: int, pairs: int) -> None:
    """Where a and b sit together both win what the third loses.  The table has three lines at most."""
    entry, groups = nap("abcde", 3), [*combinations(range(5), 3)]
    rows = []
    for at in range(1, blocks + 1):
        seats = groups[at % 10]
        gift, one, other = 12 * (seats[:2] == (0, 1)), at // 10 % 5 - 2, at // 10 % 3 - 1
        rows.append(block_of(at, seats, (gift + one, gift + other, -2 * gift - one - other)))
    standings = compute_standings(tournament_of(entry), [fold_of(entry, rows)])
    company = json.loads(in_format(standings, "json"))["games"][0]["company"]
    most = sorted(company, key=lambda each: -each["difference"])[:2]
    assert {(each["strategy"], each["beside"]) for each in most} == {("a", "b"), ("b", "a")}
    lines = [line for line in in_format(standings, "table").splitlines() if line.startswith(" company ")]
    words = [
        f"{each['strategy']} has {abs(each['difference']):.3f} {more} where {each['beside']} sits too"
        for each, more in zip(company, ["more", "more", "less"], strict=False)
    ]
    assert lines == [f" company      {each}" for each in words] and len(company) == pairs


def season(*nets: Sequence[Sequence[int]]) -> Standings:
    """Games of two, with these nets in each block."""
    entries = tuple(replace(nap("ab"), name=f"game{at}") for at in range(len(nets)))
    folds = [
        fold_of(entry, [block_of(at, (0, 1), net) for at, net in enumerate(own, 1)])
        for entry, own in zip(entries, nets, strict=True)
    ]
    return compute_standings(Tournament("parlour", "round-robin", 7, Limits(), entries), folds)


def spread_of_blocks(nets: Sequence[Sequence[int]]) -> float:
    """The deviation within entrants, in the deals of `block_of`: its squares are those of one deal, and 4 deals."""
    squares = sum(x * x for net in nets for x in net)
    means = [sum(column) / (DEALS * len(nets)) for column in zip(*nets, strict=True)]
    whole = sum(DEALS * len(nets) * mean**2 for mean in means)
    return float(((squares - whole) / (2 * DEALS * len(nets) - 2)) ** 0.5)


def test_differences_and_the_table_over_all_games() -> None:
    """By Welch's t for the sum of two independent means, each in standard deviations of one deal there."""
    chance = Random(4)
    games = [[(x := 4 + round(chance.gauss(0, 30)), -x) for _ in range(60 + 20 * at)] for at in range(2)]
    standings = season(*games)
    (found,) = standings.overall_verdicts.differences.values()
    units = [[(a - b) / DEALS / spread_of_blocks(nets) for a, b in nets] for nets in games]
    oracle = stats.ttest_ind(units[0], [-x for x in units[1]], equal_var=False)
    interval = oracle.confidence_interval()
    assert found.value == pytest.approx((interval.low + interval.high) / 4)
    assert found.error == pytest.approx((interval.high - interval.low) / 4)
    assert found.p == pytest.approx(oracle.pvalue)
    scores = [row.first.value or 0 for row in standings.overall]
    assert found.blocks == 60 and found.value == pytest.approx(scores[0] - scores[1])
    # In each of three games the difference is not significant, but over all of them it is.
    chance = Random(18)
    games = [[(x := 8 + round(chance.gauss(0, 40)), -x) for _ in range(60)] for _ in range(3)]
    standings = season(*games)
    assert not any(verdicts.apart for verdicts in standings.verdicts)
    table = in_format(standings, "table").partition("All games")[2]
    assert re.search(r"^ 1     1       a  ", table, re.M) and re.search(r"^ 2     2       b  ", table, re.M)
    assert re.search(r"^ differences  1st - 2nd \+0\.\d{3} ± 0\.\d{3}$", table, re.M)
    data = json.loads(in_format(standings, "json"))
    (difference,) = data["all_differences"]
    assert (difference["one"], difference["other"], difference["apart"]) == ("a", "b", True)
    assert [row["likely"] for row in data["all"]] == [[1, 1], [2, 2]]
    assert [line.split(",")[2] for line in in_format(standings, "csv").splitlines() if "(all)" in line] == ["1", "2"]
    chance = Random(5)
    games = [[(x := round(chance.gauss(0, 40)), -x) for _ in range(60)] for _ in range(2)]
    table = in_format(season(*games), "table").partition("All games")[2]
    assert len(re.findall(r"^ \d     1-2     ", table, re.M)) == 2
    (said,) = re.findall(r"^ differences (.*(?:\n {14}.*)*)\n look         once,", table, re.M)
    assert "not significant, needs" in said and said.endswith("more deals")
    alike = [[(4, -4)] * 12, [(x, -x) for x in range(12)]]
    assert season(*alike).overall_verdicts.differences == {}
    few = [[(x, -x) for x in range(9)], [(x, -x) for x in range(12)]]
    assert season(*few).overall_verdicts.differences == {}


@pytest.mark.soak
def test_over_300_strategies_there_are_means_and_their_errors_only() -> None:
    names = [f"s{number}" for number in range(301)]
    rows = [block_of(at, (at - 1, at % 301), (at, -at)) for at in range(1, 302)]
    many, fewer = nap(names), nap(names[:300])
    note = "Over 300 strategies: means and their errors only."
    for crossed in False, True:
        assert note in shown(many, fold_of(many, rows), crossed=crossed)
        assert "1st" not in shown(many, fold_of(many, rows), crossed=crossed)
    game = json.loads(shown(many, fold_of(many, rows), "json"))["games"][0]
    assert game["differences"] == [] and all(
        row["likely"] is row["ahead"] is row["worth"] is None for row in game["rows"]
    )
    assert Verdicts(many, fold_of(many, rows), 7).some is False
    assert Verdicts(fewer, fold_of(fewer, rows[:299]), 7).some is True


def test_a_run_without_deals() -> None:
    said = {
        (form, crossed): shown(nap("ab"), EntryTotals(), form, crossed) for form in FORMS for crossed in (False, True)
    }
    assert not re.search(r"\b(nan|inf|None)\b", "".join(said.values()))
    assert all(json.loads(said["json", crossed])["games"][0]["extremes"] == {} for crossed in (False, True))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The house's field at Nap, 12 blocks of 16 deals."""
    folder = tmp_path_factory.mktemp("house") / "run"
    return roundsim.play("nap", ["book", "book", "random", "random"], deals=192, jobs=1, out=folder)


def nets_of(run: Run, shell: Shell) -> Mapping[str, list[float]]:
    """From the log alone: of each entrant the mean net of each block."""
    seats: list[str] = []
    nets: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for line in shell("log", run.folder).out.splitlines():
        start, _, rest = line.partition(" ")
        if start == "=":
            seats = rest.split(" ", 1)[1].split(" | ")
        else:
            block, (_, *net) = start.split("/")[1], rest.partition(" | ")[0].split()
            for who, counters in zip(seats, net, strict=True):
                nets[who][block].append(int(counters))
    return {who: [sum(each) / len(each) for each in of.values()] for who, of in nets.items()}


def test_the_standings_say_of_two_what_the_log_does_and_verify_compares_them(house: Run, shell: Shell) -> None:
    nets, game = nets_of(house, shell), json.loads((house.folder / "standings.json").read_text())["games"][0]
    assert all(len(each) == 12 for each in nets.values()) and len(nets) == 4
    order = [row["strategy"] for row in game["rows"]]
    assert [(each["one"], each["other"]) for each in game["differences"]] == [*combinations(order, 2)]
    for left, each in zip(range(6, 0, -1), sorted(game["differences"], key=lambda each: each["p"]), strict=True):
        oracle = stats.ttest_rel(nets[each["one"]], nets[each["other"]])
        tested = left if each["apart"] else 6 - sum(other["apart"] for other in game["differences"])
        interval = oracle.confidence_interval(1 - 0.05 / tested)
        assert each["difference"] == pytest.approx((interval.low + interval.high) / 2, rel=1e-5)
        assert each["error"] == pytest.approx((interval.high - interval.low) / 2, rel=1e-5)
        assert each["p"] == pytest.approx(oracle.pvalue, rel=1e-5)
    level = 0.05 / len(game["differences"])
    assert all(each["apart"] for each in game["differences"] if each["p"] < level)
    assert not any(each["apart"] for each in game["differences"] if each["p"] > 0.05)
    # The files are made again from the log, with the figures of blocks.
    assert shell("verify", house.folder).out.startswith("192 deals verified\n")
    written = Path(house.folder, "standings.json")
    shown, text = shell("standings", house.folder, "--format", "json").out, written.read_text()
    assert shown == text
    try:
        written.write_text(text.replace('"apart": true', '"apart": false', 1))
        assert shell("verify", house.folder).code == 1
    finally:
        written.write_text(text)


def test_the_tables_of_the_house_fit_and_each_format_crosses_all_pairs(house: Run, shell: Shell) -> None:
    for words in (), ("--cross",):
        said = shell("standings", house.folder, *words).out
        assert max(map(len, said.splitlines())) <= 80, said
    table, page = (shell("standings", house.folder, "--format", form).out for form in ("table", "md"))
    assert "ahead" not in table.splitlines()[2] and "   ahead |   ± 95 % |" in page
    apart = [each["apart"] for each in house.standings["games"][0]["differences"]]
    assert 0 < sum(apart) < len(apart)
    assert shell("standings", house.folder, "--cross").out.count("*") == 2 * sum(apart)
    nets = nets_of(house, shell)
    for form, read in FORMS.items():
        done = shell("standings", house.folder, "--cross", "--format", form)
        assert done.code == 0 and not done.err
        found = read(done.out)
        assert found.keys() == {*permutations(nets, 2)}
        for (one, other), value in found.items():
            assert value == pytest.approx((sum(nets[one]) - sum(nets[other])) / 12, abs=0.00051)


def in_table(said: str) -> dict[tuple[str, str], float]:
    """The pairs of a cross table, in plain text or markdown, with their differences."""
    rows = [re.split(r"\s*\|\s*|\s{2,}", line.strip(" |")) for line in said.splitlines() if " ± " in line]
    names, found = [row[0] for row in rows], dict[tuple[str, str], float]()
    for row, one in zip(rows, names, strict=True):
        cells = iter([cell for cell in row[1:] if " ± " in cell])
        found |= {(one, other): float(next(cells).split()[0]) for other in names if other != one}
    return found


def in_rows(said: str) -> dict[tuple[str, str], float]:
    rows = list(csv.DictReader(io.StringIO(said)))
    there = {(row["one"], row["other"]): float(row["difference"]) for row in rows}
    return there | {(other, one): -value for (one, other), value in there.items()}


def in_json(said: str) -> dict[tuple[str, str], float]:
    there = {(each["one"], each["other"]): each["difference"] for each in json.loads(said)["games"][0]["differences"]}
    return there | {(other, one): -value for (one, other), value in there.items()}


FORMS: dict[str, Callable[[str], dict[tuple[str, str], float]]]
FORMS = {"table": in_table, "md": in_table, "csv": in_rows, "json": in_json}
