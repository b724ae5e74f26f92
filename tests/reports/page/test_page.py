"""The page of a run: its figures are those of standings.json, nothing breaks out of it, and it asks for nothing."""

from __future__ import annotations

import json
import re
import tomllib
from base64 import b64encode
from collections import Counter
from fnmatch import fnmatch
from hashlib import sha256
from math import sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any

import pytest
from helpers.command import ROOT
from helpers.pages import ABOUT, DEALS, EVIL, Read, by_hand
from scipy import stats

import roundsim
from roundsim.reports.page import curves, page_of_deal, report_page
from roundsim.reports.page.extras import About, EntryExtras, Link
from roundsim.reports.page.geometry import axis_of, interval, off_scale, ticks_of
from roundsim.reports.page.packing import ShownDeals
from roundsim.reports.page.render import data_text, fig
from roundsim.reports.page.verdict import rounded_down
from roundsim.running import Run
from roundsim.sources.plugins import Strategy
from roundsim.statistics.stopping import Mixture
from roundsim.tournament.formats.round_robin import RoundRobin
from roundsim.tournament.judging.standings import compute_standings
from roundsim.tournament.planning.plan import Entry, Limits, Stopping, Tournament
from roundsim.tournament.results.entry_totals import EntryTotals

pytestmark = pytest.mark.usefixtures("here")


def standings_of(run: Run) -> Any:
    return json.loads((run.folder / "standings.json").read_text())


def page_of(run: Run) -> str:
    looks = [EntryExtras() for _ in run.tournament.entries]
    return report_page(compute_standings(run.tournament, run.folds), looks, ABOUT)


@pytest.mark.parametrize("which", ["parlour", "season"])
def test_the_table_has_the_figures_of_standings_json(which: str, request: pytest.FixtureRequest) -> None:
    run: Run = request.getfixturevalue(which)
    read, data = Read(page_of(run)), standings_of(run)
    assert [game["name"] for game in data["games"]] == [entry.name for entry in run.tournament.entries]
    for game in data["games"]:
        rows = [row for row in read.body(f"{game['name']}/std") if row[1:2] and row[1]]
        assert len(rows) >= len(game["rows"])
        for row, data_row in zip(rows, game["rows"], strict=False):
            assert row[0] == f"{data_row['rank']}{'=' if data_row['tied'] else ''}"
            assert row[1] == data_row["strategy"]
            assert row[2] == "-".join(map(str, dict.fromkeys(data_row["likely"])))
            assert float(row[4]) == pytest.approx(data_row["net_per_deal"], abs=0.0006)
            error = data_row["error"]
            assert row[5] == "-" if error is None else float(row[5].strip("±~")) == pytest.approx(error, abs=0.0006)
            assert float(row[6].split()[0]) == pytest.approx(100 * data_row["ahead"], abs=0.06)
            assert float(row[8].split()[0]) == pytest.approx(100 * data_row["won"], abs=0.06)
            assert int(row[10]) == sum(data_row["faults"].values())


def test_the_cross_table_has_the_differences_of_standings_json(parlour: Run) -> None:
    read = Read(page_of(parlour))
    (game,) = standings_of(parlour)["games"]
    names = [row["strategy"] for row in game["rows"]]
    rows = read.body("nap/cross")
    assert [re.sub(r"^\d", "", row[0]) for row in rows] == names
    assert len(game["differences"]) == 3
    for each in game["differences"]:
        one, other = names.index(each["one"]), names.index(each["other"])
        [(value, error)] = re.findall(r"^([+-][\d.]+)±([\d.]+)$", rows[one][1 + other])
        assert float(value) == pytest.approx(each["difference"], abs=0.0006)
        assert float(error) == pytest.approx(each["error"], abs=0.0006)
        assert rows[other][1 + one].startswith("+" if value[0] == "-" else "-")


def test_cells_that_are_not_significant_are_hatched(parlour: Run) -> None:
    (game,) = standings_of(parlour)["games"]
    classes = [given.get("class") or "" for tag, given in Read(page_of(parlour)).tags if tag == "td"]
    apart = sum(each["apart"] for each in game["differences"])
    assert 0 < apart < len(game["differences"])
    assert classes.count("eq") == 2 * (len(game["differences"]) - apart)
    assert sum(each[:1] == "b" and each[1:].isdigit() for each in classes) == apart
    assert sum(each[:1] == "o" and each[1:].isdigit() for each in classes) == apart


def test_the_joint_score_is_the_mean_of_the_games(season: Run) -> None:
    read, rows = Read(page_of(season)), standings_of(season)["all"]
    assert [row[1] for row in read.body("overall/std")[: len(rows)]] == [each["strategy"] for each in rows]
    lines = {
        row[0]: [float(cell.split("±")[0]) for cell in row[1:]]
        for row in read.body("overall/many")
        if row[0] in ("Nap", "Pope Joan (pope)", "all games")
    }
    joint = lines["all games"]
    assert joint == [pytest.approx(each["score"], abs=0.006) for each in rows]
    games = lines["Nap"], lines["Pope Joan (pope)"]
    assert [sum(column) / 2 for column in zip(*games, strict=True)] == pytest.approx(joint, abs=0.011)


def test_the_verdict_of_a_significant_pair_and_its_intervals() -> None:
    """Each deal a has 2 more and b 2 less in odd blocks, 1 in even ones: 3 between them, and an error of 1/7 times t."""
    read = by_hand(["a", "b"], [[8, -8] if block % 2 else [4, -4] for block in range(50)])
    least = 3 - stats.t.ppf(0.975, 49) / 7
    assert f"{least:.4f}"[:4] == "2.71"
    assert "a is ahead of b by at least 2.71 counters a deal." in read.text
    # The ends of the outermost interval leave a 27th part of the axis free: 4 of 108.
    lines = [given["d"] or "" for _, given in read.tags if given.get("class") == "w"]
    ends = [float(x) for line in lines[:2] for x in re.findall(r"M([\d.]+) 11v8", line)]
    assert len(ends) == 4 and (min(ends), max(ends)) == (3.7, 96.3)


def test_a_run_with_a_rule_has_the_limits_of_the_rule() -> None:
    """a is ahead by 3 or 4 counters a deal, then by 2 or behind by 2."""
    for differences in [3 + block % 2 for block in range(83)], [2 * (-1) ** block for block in range(83)]:
        mixture = Mixture()
        for each in differences:
            mixture.add(each)
        low, high = mixture.interval() or (0, 0)
        nets = [[DEALS * each // 2, -DEALS * each // 2] for each in differences]
        read = by_hand(["a", "b"], nets, stopping=Stopping("±0.001"))
        assert f"({low:+.3f} to {high:+.3f}, at any look)" in read.text and "look once" not in read.text
        assert f"{low:+.3f} to {high:+.3f}" in read.body("nap/cross")[0][2]
        assert ("a is ahead of b by at least" in read.text) == (low > 0)
        assert "± if fixed" in read.text and "± 95 %" not in read.text


def test_the_verdict_of_a_pair_that_is_not_significant() -> None:
    """26 blocks to one, 24 to the other, 2 a deal: the difference is below its error, which is then taken for as much."""
    read = by_hand(["a", "b"], [[8, -8] if block < 26 else [-8, 8] for block in range(50)])
    standard = sqrt((16 - 0.16**2) / 49)
    assert abs(0.16) < standard
    more = DEALS * 50 * ((NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)) ** 2 - 1)
    assert 1350 < more < 1450
    share = stats.binomtest(26, 50).proportion_ci(method="exact")
    error = 8 * (26 / 50 - share.low)
    assert share.high - 26 / 50 < 26 / 50 - share.low
    figures = f"+0.160 ± {error:.3f}; more than 1 400 more deals would be needed."
    assert f"The difference between a and b is not significant: {figures}" in read.text


def test_the_verdict_goes_on_with_those_behind() -> None:
    """Two are alike, two are behind them, one behind the other: each is named as beaten once, by the least sure lead."""
    noise = [1, -1]
    nets = [[8 + noise[at % 2], 8 - noise[at % 2], -6 + at % 5, -10 - at % 5] for at in range(60)]
    said = by_hand(["a", "b", "c", "d"], nets).text
    level = r"The difference between a and b is not significant: \+0\.000 ± 0\.\d+; "
    assert re.search(level + r".* Both are ahead of c and d by at least 2\.\d+ ", said)
    error = stats.t.ppf(1 - 0.05 / 2 / 2, 59) * sqrt(0.5 / 59)  # the fifth of six pairs; 1, 1.5, 2, 2.5, 3 apart
    assert 1.78 < 2 - error < 1.79
    assert "c is ahead of d by at least 1.78 counters a deal." in said


def test_too_few_blocks_and_one_strategy_have_no_verdict() -> None:
    said = by_hand(["a", "b"], [[4, -4]] * 9).text
    assert "Nothing can be said yet: two are compared when each has played 10 blocks." in said
    assert "Under 10 blocks there is no error" in said
    assert "One strategy alone: there is nothing to compare." in by_hand(["a"], [[0]] * 12).text


def test_a_band_is_drawn_from_block_80_on() -> None:
    nets = [[8, -8] if block % 2 else [4, -4] for block in range(120)]

    def bands(read: Read) -> int:
        return sum(given.get("class") == "band" for _, given in read.tags)

    assert bands(by_hand(["a", "b"], nets[:79])) == 0
    assert bands(by_hand(["a", "b"], nets)) == 2


def test_the_geometry_of_curves_and_far_intervals_and_the_signs_of_figures() -> None:
    spans = [(2.0, 3.0), (1.0, 2.0), (0.0, 1.5), (-9.0, -8.0)]
    assert off_scale(spans) == 1  # 3 long in place of 12
    assert off_scale([(2.0, 3.0), (1.0, 2.0), (0.0, 1.5), (-2.0, -1.0)]) == 0  # 3 in place of 5
    assert off_scale([(2.0, 3.0), (-9.0, -8.0)]) == 0  # two are always drawn
    axis = axis_of(spans[:3])
    assert interval(axis, -8.5, 0.5).off == "left"
    drawn = interval(axis, 1.5, 0.5)
    assert drawn.dot == "M50 15h0"  # the middle of 0 to 3, whatever is left free at the ends
    edge = 3 * 0.04
    low, high = (100 * (each + edge) / (3 + 2 * edge) for each in (1, 2))
    assert drawn.line == f"M{low:.1f} 15H{high:.1f}M{low:.1f} 11v8M{high:.1f} 11v8"
    assert curves.steps([(0, 8), (10, 8), (20, 30.55), (40, 30.55)]) == "M0 8H20V30.6H40"
    assert curves.steps([(0, 8)]) == "M0 8"
    assert curves.apart([50, 20, 21], 0, 100, gap=10) == [50, 20, 30]
    assert curves.apart([100, 100, 40], 0, 100, gap=10) == [90, 100, 40]
    assert curves.apart([0, 0, 0], 8, 100, gap=10) == [8, 18, 28]
    assert curves.clipped("a_name_of_20_letters") == "a_name_of_20_letters"
    assert curves.clipped("entrant_with_a_long_name_72") == "entrant_wi…g_name_72"  # 20 letters
    assert [*curves.AxisScale(0, 10_000, 0, 1000).marks(4)] == [(0, "0"), (500, "5 000"), (1000, "10 000")]
    assert curves.AxisScale(-0.3, 0.3, 100, 0).marks(4, sign=True) == [(83.3, "-0.2"), (50, "0.0"), (16.7, "+0.2")]
    assert [text for _, text in ticks_of(-0.43, 0.5, sign=True)] == ["-0.4", "-0.2", "0.0", "+0.2", "+0.4"]
    assert [text for _, text in ticks_of(1, 8, sign=False)] == ["2", "4", "6", "8"]
    assert [text for _, text in ticks_of(-1200, 2100, sign=True)] == ["-1000", "0", "+1000", "+2000"]

    figures = {1.079: "1.07", 0.1999: "0.19", 0.0567: "0.056", 0.00123: "0.0012", 12.0: "12.00", 0.0: "0"}
    assert {each: rounded_down(each) for each in figures} == figures

    assert fig("-6.530") == "\u22126.530"
    assert fig("8.1-17.4") == "8.1\u201317.4"
    assert fig("39 000 more") == "39\u202f000 more"
    read = by_hand(["book(bold=-1)", "b"], [[8, -8], [4, -4]] * 20)
    assert "book(bold=-1)" in "".join(read.words)


def test_every_deal_of_a_strategy_can_be_opened() -> None:
    there, lacking = Link(30, "nap/44/3/4", 1), Link(-15, "nap/2/1/1", 0, there=False)
    links = {"a": {"best": there, "worst": lacking}}
    look = EntryExtras(links=links, pairs={("a", "b"): there}, spread={"a": Counter({3: 5})})
    read = by_hand(["a", "b"], [[8, -8], [4, -4]] * 20, [look])
    hrefs = [given["href"] for tag, given in read.tags if tag == "a" and "data-deal" in given]
    assert hrefs == ["#deal=nap/44/3/4&seat=1"] * len(hrefs) and len(hrefs) >= 3  # table, pair, list
    titles = [given.get("title") for tag, given in read.tags if tag == "span"]
    assert "nap/2/1/1, not in this file" in titles


def evil_page() -> str:
    strategies = tuple(Strategy(name, (), "", "", "") for name in (EVIL, "b"))
    entry = Entry("a <b> \"'", "nap", RoundRobin(2, 2), {}, strategies, 12)
    deal = {"game": "nap", "title": EVIL, "entry": entry.name, "addr": f"{entry.name}/1/1/1", "seats": [EVIL, "b"]}
    look = EntryExtras(links={EVIL: {"best": Link(1, f"{entry.name}/1/1/1", 0)}}, deals=ShownDeals([deal]))
    tournament = Tournament(EVIL, "round-robin", 1, Limits(), (entry,))
    about = About(EVIL, EVIL, EVIL, EVIL, EVIL)
    return report_page(compute_standings(tournament, [EntryTotals()]), [look], about)


def test_markup_stays_text_and_the_policy_allows_what_is_there_and_nothing_else() -> None:
    read = Read(evil_page())
    assert not [tag for tag, _ in read.tags if tag in ("img", "iframe", "object", "link", "base", "form")]
    assert not [name for _, given in read.tags for name in given if name.startswith("on")]
    assert EVIL in "".join(read.words)
    assert len(read.raw["script"]) == 3  # data, the page's, the player's
    text = data_text({EVIL: ["<!--", "\u2028"]})
    assert "<" not in text and "\u2028" not in text
    assert json.loads(text) == {EVIL: ["<!--", "\u2028"]}
    read = Read(evil_page())
    policy = next(given["content"] for tag, given in read.tags if given.get("http-equiv") == "Content-Security-Policy")
    kinds = [given.get("type") for tag, given in read.tags if tag == "script"]
    scripts = [text for text, kind in zip(read.raw["script"], kinds, strict=True) if kind is None]

    def source(text: str) -> str:
        return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"

    style, script = source(read.raw["style"][0]), " ".join(map(source, scripts))
    own = f"default-src 'none'; style-src {style}; script-src {script}; base-uri 'none'; form-action 'none'"
    assert policy == own
    assert len(read.raw["style"]) == 1 and len(scripts) == 2


def test_the_page_asks_for_nothing(season: Run) -> None:
    for text in page_of(season), evil_page():
        read = Read(text)
        assert not [tag for tag, given in read.tags if "src" in given or "style" in given or "srcset" in given]
        assert {(given.get("href") or "")[:1] for _, given in read.tags if "href" in given} == {"#"}
        without = text.replace("http://www.w3.org/2000/svg", "")  # a name that no browser fetches
        assert not re.search(r"https?://|\burl\(|@import|\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon", without)


def test_the_page_is_reproducible_and_its_links_lead_to_single_ids(season: Run) -> None:
    text = page_of(season)
    assert text == page_of(season)
    tags = Read(text).tags
    ids = [given["id"] for _, given in tags if "id" in given]
    assert len(ids) == len({*ids})
    assert {(given["href"] or "")[1:] for _, given in tags if "href" in given} <= {*ids}


def test_the_page_of_a_deal_has_its_seats_and_words() -> None:
    deal = {"game": "nap", "title": "Nap", "entry": "nap", "addr": "nap/1/1/1", "dealer": 1}
    deal |= {"seats": ["book", EVIL], "net": [-3, 3], "steps": [{"s": 0, "t": "leads Kd"}]}
    read = Read(page_of_deal(deal, ABOUT))
    assert read.body("deals/std") == [["0", "book", "-3"], ["1 dealer", EVIL, "+3"]]
    assert "seat 0 leads Kd" in read.text
    assert not [tag for tag, _ in read.tags if tag == "img"]


def test_the_parts_of_the_page_are_packaged() -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())
    globs = data["tool"]["setuptools"]["package-data"]["roundsim"]
    parts = [path for path in (ROOT / "roundsim/reports/page").rglob("*") if path.suffix in (".css", ".js", ".j2")]
    assert len(parts) > 20
    for path in parts:
        name = path.relative_to(ROOT / "roundsim").as_posix()
        assert any(fnmatch(name, glob.replace("**/", "*")) for glob in globs), name


def test_a_knock_out_names_the_strategy_that_came_furthest(tmp_path: Path) -> None:
    """Three of six go on: the verdict is that of the last round in standings.json, and each round has its section."""
    file = tmp_path / "cup.toml"
    file.write_text(
        '[tournament]\nformat = "knock-out"\nstrategies = ["book", "random", "book", "random", "book", "random"]\n'
        '[[games]]\ngame = "nap"\nplayers = 3\ndeals = 240\n'
    )
    run = roundsim.run(file, jobs=1, out=tmp_path / "run")
    first = standings_of(run)["rounds"][0]["rows"][0]
    assert first["round"] == 2
    read = Read(page_of(run))
    assert f"Nap · round 2: of 6 strategies {first['strategy']} is first in the last round." in read.text
    assert {"nap.1", "nap.2"} <= {given.get("id") for tag, given in read.tags if tag == "section"}
