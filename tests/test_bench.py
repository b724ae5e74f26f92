"""The figures of the bench: turns, ratios, tables and pictures. No test measures how fast anything is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import curves
import drawing
import peers
import pytest
from drawing import Chart, Line, Point
from helpers.command import ROOT
from shards import Shards, Spent

PEERS = {"pyspiel": "open_spiel", "pokerkit": "pokerkit", "rlcard": "rlcard"}
SVG = "{http://www.w3.org/2000/svg}"


def test_a_missing_peer_is_left_out_by_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in PEERS:
        monkeypatch.setitem(sys.modules, module, None)
    assert {each.of for each in peers.contenders(0.001)} == {"roundsim"}
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 3
    for line, title, package in zip(said, ("OpenSpiel", "PokerKit", "RLCard"), PEERS.values(), strict=True):
        assert line.startswith(f"{title} is left out: ") and f"; pip install {package}, " in line
        assert line.endswith("pip install -e '.[bench]'")


class Spiel:
    """A game of OpenSpiel's shape: one card of three is drawn, seat 1 may say 4 or 5, seat 0 must say 6, one is drawn."""

    NODES: Sequence[tuple[int, Sequence[int]]] = ((-1, [7, 8, 9]), (1, [4, 5]), (0, [6]), (-1, [7, 8]), (-4, []))

    def __init__(self) -> None:
        self.said, self.seen = list[int](), list[int]()

    def new_initial_state(self) -> Spiel:
        return self

    def current_player(self) -> int:
        return self.NODES[len(self.said)][0]

    def legal_actions(self) -> Sequence[int]:
        return self.NODES[len(self.said)][1]

    def apply_action(self, action: int) -> None:
        assert action in self.legal_actions()
        self.said.append(action)

    def information_state_string(self) -> str:
        self.seen.append(self.current_player())
        return "a view"


def test_of_openspiel_answers_count_forced_ones_too_and_nodes_of_chance_do_not() -> None:
    """Without a view only the legal actions are read."""
    game = Spiel()
    assert peers.spiel_deal(game, Spiel.information_state_string, iter([0.99, 0.0, 0.5, 0.49]).__next__) == 2
    assert (game.said, game.seen) == ([9, 4, 6, 7], [1, 0])
    game = Spiel()
    assert peers.spiel_deal(game, None, lambda: 0.5) == 2
    assert (game.said, game.seen) == ([8, 5, 6, 8], [])


class Leduc:
    """A table of RLCard's shape, at which three answers are given."""

    def __init__(self) -> None:
        self.said, self.paid = list[int](), 0

    def reset(self) -> tuple[dict[str, dict[int, None]], int]:
        self.said = []
        return {"legal_actions": {0: None, 3: None}}, 0

    def is_over(self) -> bool:
        return len(self.said) == 3

    def step(self, action: int, raw: bool) -> tuple[dict[str, dict[int, None]], int]:
        assert not raw
        self.said.append(action)
        return {"legal_actions": {1: None, 2: None}}, 1

    def get_payoffs(self) -> None:
        self.paid += 1


def test_of_rlcard_the_answers_count() -> None:
    table = Leduc()
    assert peers.rlcard_deal(table, None, iter([0.6, 0.1, 0.9]).__next__) == 3
    assert (table.said, table.paid) == ([3, 1, 2], 1)


def contender(name: str, play: Callable[[], Spent]) -> peers.Contender:
    return peers.Contender("roundsim", name, peers.TRICKS, play)


def test_each_has_its_turn_in_each_round(monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[str] = []

    def playing(name: str, decisions: int) -> Callable[[], Spent]:
        def play() -> Spent:
            turns.append(name)
            return Spent(4, 10, decisions, cpu=2.0)

        return play

    monkeypatch.setattr(peers, "Beside", lambda: nullcontext(SimpleNamespace(iteration=0.5)))
    monkeypatch.setattr("gc.freeze", lambda: None)
    contenders = [contender(name, playing(name, n)) for name, n in (("one", 40), ("two", 8))]
    first, second = peers.in_turns(contenders, rounds=2)
    assert turns == ["one", "two"] * 3  # the first round warms up
    assert (first.rates, second.rates) == ([10, 10], [2, 2])  # 40 decisions in 2 s; an iteration takes 0.5 s
    assert (first.deals, first.decisions) == (10, 40)


def measured(name: str, decisions: int, *rates: float) -> peers.Measured:
    return peers.Measured(contender(name, lambda: pytest.fail()), 10, decisions, rates)


def test_ratios_are_of_the_same_round_and_conditions_name_what_was_measured() -> None:
    # The machine was half as fast in the second: the ratios of the rounds are 2, 2 and 4, and their median is 2.
    rows = peers.table("tricks", [measured("ours", 115, 0.04, 0.02, 0.06), measured("theirs", 60, 0.02, 0.01, 0.015)])
    assert rows.splitlines() == [
        "| tricks | a deal | an iteration | spread | ours to it |",
        "| ------ | -----: | -----------: | -----: | ---------: |",
        "| ours   |   11.5 |       0.0400 | ± 50 % |            |",
        "| theirs |    6.0 |       0.0150 | ± 33 % |       2.00 |",
    ]
    text = peers.conditions([measured("ours", 115, 0.04)], rounds=1)
    assert "1 round;" in text and "deals a turn: roundsim 10." in " ".join(text.split())
    assert not any(peer in text.split("\n\n")[1] for peer in peers.PEERS)
    assert max(map(len, text.splitlines())) <= 80


def test_a_name_of_every_contender_leaves_the_table_in_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in PEERS:
        monkeypatch.setitem(sys.modules, module, None)
    longest = max((each.name for each in peers.contenders(0.001)), key=len)
    rows = [measured(longest, 1150, 0.04, 0.01), measured("OpenSpiel oh_hell, legal only", 1, 0.01, 0.1)]
    assert max(map(len, peers.table("tricks", rows).splitlines())) <= 80


@pytest.mark.parametrize(("game", "given", "players"), [("nap", 0, 4), ("nap", 6, 6), ("cassino", 2, 2), ("loo", 0, 4)])
def test_shards_have_the_given_number_of_players(game: str, given: int, players: int) -> None:
    spent = Shards(game, "random", 24, players=given).play()
    assert (spent.players, spent.deals % players, spent.deals >= 24) == (players, 0, True)


def test_rounds_become_points_with_their_median() -> None:
    assert curves.lines({("played", 100): [3, 9, 4], ("verified", 10): [5], ("played", 10): [1, 2]}) == [
        Line("played", [Point(10, 1.5, 1, 2), Point(100, 4, 3, 9)]),
        Line("verified", [Point(10, 5, 5, 5)]),
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["entrant"], "no curve entrant (did you mean entrants?): deals, "),
        (["deals", "--size", "0"], "0: a number above 0 was expected"),
        (["deals", "--size", "nan"], "nan: a number above 0 was expected"),
        (["deals", "--rounds", "two"], "two: a number above 0 was expected"),
    ],
)
def test_wrong_curves_are_refused(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        curves.curves(words)
    assert ended.value.code == 2 and said in capsys.readouterr().err


def test_curves_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(curves, "CURVES", {"deals": lambda size, rounds: COSTS._replace(note=f"{size}, {rounds}")})
    assert curves.curves(["--out", str(tmp_path / "new"), "--size", "0.5", "--rounds", "1"]) == 0
    assert (tmp_path / "new/deals.svg").read_text() == drawing.svg(COSTS)
    assert f"{COSTS.table()}\n0.5, 1\n" in capsys.readouterr().out


COSTS = Chart(
    "Deals & costs",
    "deals",
    "iterations a deal",
    [
        Line("played", [Point(10, 400, 300, 500), Point(1000, 40, 40, 40), Point(100_000, 4, 4, 4)]),
        Line("verified", [Point(10, 300, 300, 300), Point(1000, 30, 30, 30), Point(100_000, 4, 3, 4)]),
        Line("in proportion", [Point(10, 400, 400, 400), Point(100_000, 400, 400, 400)], dashed=True),
    ],
    log_x=True,
    log_y=True,
)


def places(picture: ElementTree.Element) -> list[list[tuple[float, float]]]:
    return [
        [(float(x), float(y)) for x, y in (point.split(",") for point in line.attrib["points"].split())]
        for line in picture.iter(f"{SVG}polyline")
    ]


def words(picture: ElementTree.Element, kind: str) -> list[tuple[str, float, float]]:
    """The text of a kind, and where it stands."""
    return [
        (str(each.text), float(each.attrib["x"]), float(each.attrib["y"]))
        for each in picture.iter(f"{SVG}text")
        if kind in each.attrib["class"].split()
    ]


def test_points_lie_where_the_figures_say_on_log_and_even_axes() -> None:
    picture = ElementTree.fromstring(drawing.svg(COSTS))
    (a, b, c), verified, _ = places(picture)
    (low, *_, bottom), *_, (high, *_, top) = words(picture, "up")
    assert (low, high) == ("1", "1 000")  # 3 to 500 is over a hundredfold
    assert a[0] < b[0] < c[0] and b[0] - a[0] == pytest.approx(c[0] - b[0], abs=0.2)  # twice a hundredfold
    assert b[1] - a[1] == pytest.approx(c[1] - b[1], abs=0.2)  # twice a tenth
    assert b[1] - a[1] == pytest.approx((bottom - top) / 3, abs=0.2)  # a tenth is one of three steps of the axis
    assert verified[2] == c
    assert [text for text, *_ in words(picture, "across")] == ["10", "1 000", "100 000"]
    assert [x for _, x, _ in words(picture, "across")] == [a[0], b[0], c[0]]
    points = [Point(1, 1, 1, 1), Point(2, 1.5, 1.5, 1.5), Point(4, 4, 4, 4)]
    picture = ElementTree.fromstring(drawing.svg(Chart("Speed", "processes", "times", [Line("played", points)])))
    ((a, b, c),) = places(picture)
    assert [text for text, *_ in words(picture, "up")] == ["0", "1", "2", "3", "4"]
    at = {text: y - 4 for text, _, y in words(picture, "up")}
    assert (a[1], c[1]) == (at["1"], at["4"])
    assert b[1] == pytest.approx((at["1"] + at["2"]) / 2, abs=0.2)
    assert c[0] - b[0] == pytest.approx(2 * (b[0] - a[0]), abs=0.2)


def test_a_picture_and_a_table_have_all_that_was_measured() -> None:
    text = drawing.svg(COSTS)
    picture = ElementTree.fromstring(text)
    assert picture.findtext(f"{SVG}title") == "Deals & costs"
    assert [said for said, *_ in words(picture, "axis")] == ["iterations a deal", "deals"]
    assert [said for said, *_ in words(picture, "name")] == ["played", "verified", "in proportion"]
    assert "prefers-color-scheme: dark" in text and COSTS.table().splitlines() == [
        "| deals   | played | verified |",
        "| ------- | -----: | -------: |",
        "| 10      |    400 |      300 |",
        "| 1 000   |     40 |       30 |",
        "| 100 000 |      4 |        4 |",
    ]
    assert len([*picture.iter(f"{SVG}circle")]) == 6  # what is in proportion was not measured
    spreads = [each for each in picture.iter(f"{SVG}line") if each.attrib["class"] == "spread"]
    assert float(spreads[0].attrib["y1"]) > places(picture)[0][0][1] > float(spreads[0].attrib["y2"])
    _, _, wide, high = map(float, picture.attrib["viewBox"].split())
    assert all(0 < x < wide and 0 < y < high for line in places(picture) for x, y in line)
    for name, x, y in words(picture, "name"):
        assert x + 8 * len(name) < wide and 0 < y < high


def test_names_do_not_stand_on_each_other() -> None:
    assert drawing.beside([100, 300, 101]) == [100, 300, 117]
    assert drawing.beside([105, 100, 101]) == [134, 100, 117]


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (3, 500, [1, 10, 100, 1000]),
        (260, 2600, [200, 500, 1000, 2000, 5000]),
        (1, 2, [1, 2]),
        (0.3, 7, [0.2, 0.5, 1, 2, 5, 10]),
        (100, 100_000, [100, 1000, 10_000, 100_000]),
    ],
)
def test_ticks_by_ratios_hold_all_and_no_more(low: float, high: float, ticks: list[float]) -> None:
    assert drawing.ratios(low, high) == ticks


@pytest.mark.parametrize(
    ("high", "ticks"), [(2, [0, 0.5, 1, 1.5, 2]), (1.9, [0, 0.2, 0.4]), (4000, [0, 1000]), (9, [0, 2, 4, 6, 8, 10])]
)
def test_even_ticks_begin_at_0_and_reach_the_most(high: float, ticks: list[float]) -> None:
    found = drawing.steps(high)
    assert found[: len(ticks)] == pytest.approx(ticks)
    assert found[-2] < high <= found[-1] + 1e-9 and 4 <= len(found) - 1 <= 10
    assert len({round(b - a, 9) for a, b in pairwise(found)}) == 1


def test_the_pictures_that_the_bench_shows_are_there() -> None:
    for name in curves.CURVES:
        assert f"curves/{name}.svg" in (ROOT / "bench/README.md").read_text("utf-8")
        assert places(ElementTree.parse(curves.FOLDER / f"{name}.svg").getroot())
