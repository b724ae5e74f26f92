"""The bench: what its harness plays; turns, ratios, tables and pictures. No test measures how fast anything is."""

from __future__ import annotations

import pickle
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from ctypes import c_longlong
from functools import partial
from math import inf
from pathlib import Path
from types import FrameType, SimpleNamespace
from xml.etree import ElementTree

import conditions
import count
import curves
import drawing
import peers
import pytest
import shards
from drawing import Chart, Line, Point
from helpers.command import ROOT, called, contents, deals_of
from shards import Shards, Spent

from roundsim.refereeing.board import CELLS
from roundsim.sandbox.kinds import NO_SANDBOX
from roundsim.tournament.planning.plan import Task, Tournament
from roundsim.tournament.storage import unfinished
from roundsim.workers import local, worker

PEERS = {"pyspiel": "open_spiel", "pokerkit": "pokerkit", "rlcard": "rlcard", "axelrod": "axelrod"}
SVG = "{http://www.w3.org/2000/svg}"


def test_a_missing_peer_is_left_out(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for module in PEERS:
        monkeypatch.setitem(sys.modules, module, None)
    ours = [*peers.contenders(0.001)]
    assert {each.of for each in ours} == {"roundsim"} and max(len(each.name) for each in ours) < 30  # of 80 columns
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 4
    for line, title, package in zip(said, ("OpenSpiel", "PokerKit", "RLCard", "Axelrod"), PEERS.values(), strict=True):
        assert line.startswith(f"{title} is left out: ") and f"; pip install {package}, " in line
        assert line.endswith("pip install -e '.[bench]'")


def spiel(said: list[int]) -> SimpleNamespace:
    """A game of OpenSpiel's shape: one card of three is drawn, seat 1 may say 4 or 5, seat 0 must say 6, one is drawn."""
    nodes: Sequence[tuple[int, Sequence[int]]] = ((-1, [7, 8, 9]), (1, [4, 5]), (0, [6]), (-1, [7, 8]), (-4, []))
    state = SimpleNamespace(apply_action=said.append, current_player=lambda: nodes[len(said)][0])
    state.new_initial_state = lambda: state
    state.legal_actions = lambda: nodes[len(said)][1]
    return state


def test_of_openspiel_answers_count_forced_ones_too_and_nodes_of_chance_do_not() -> None:
    """Without a view only the legal actions are read."""
    said, seen = list[int](), list[int]()

    def view(state: SimpleNamespace) -> str:
        seen.append(state.current_player())
        return "a view"

    assert peers.spiel_deal(spiel(said), view, iter([0.99, 0.0, 0.5, 0.49]).__next__) == 2
    assert (said, seen) == ([9, 4, 6, 7], [1, 0])
    assert peers.spiel_deal(spiel(said := list[int]()), None, lambda: 0.5) == 2
    assert said == [8, 5, 6, 8]


def test_of_rlcard_the_answers_count() -> None:
    """At a table of its shape: three answers are given."""
    said = list[int]()

    def step(action: int, raw: bool) -> tuple[dict[str, dict[int, None]], int]:
        said.append(action)
        return {"legal_actions": {1: None, 2: None}}, raw

    first = {"legal_actions": {0: None, 3: None}}, 0
    over = SimpleNamespace(reset=lambda: first, is_over=lambda: len(said) == 3, step=step, get_payoffs=list)
    assert peers.rlcard_deal(over, None, iter([0.6, 0.1, 0.9]).__next__) == 3
    assert said == [3, 1, 2]


def test_of_axelrod_both_moves_of_a_turn_count() -> None:
    player = SimpleNamespace()
    match = SimpleNamespace(players=[player, player], play=lambda: [("C", "D")] * 7)
    assert peers.axelrod_match(match, lambda: 0.5) == 14 and player.draw() == 0.5


def contender(name: str, play: Callable[[], Spent]) -> peers.Contender:
    return peers.Contender("roundsim", name, peers.TRICKS, play)


def test_each_has_its_turn_in_each_round(monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[str] = []

    def playing(name: str, decisions: int) -> Spent:
        turns.append(name)
        return Spent(4, 10, decisions, cpu=2.0)

    monkeypatch.setattr(peers, "Beside", lambda: nullcontext(SimpleNamespace(iteration=0.5)))
    monkeypatch.setattr(peers, "collect_seldom", lambda: None)
    contenders = [contender(name, partial(playing, name, n)) for name, n in (("one", 40), ("two", 8))]
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
    text = peers.described([measured("ours", 115, 0.04)], rounds=1)
    assert "1 round;" in text and "deals a turn: roundsim 10." in " ".join(text.split())
    assert not any(peer in text.split("\n\n")[1] for peer in peers.PEERS)
    assert max(map(len, text.splitlines())) <= 80


class Calls:
    """Counts calls of functions, in Python and in C. It is also the pipe of a worker, whose loop it counts during play."""

    def __init__(self) -> None:
        self.made, self.tasks = 0, iter(list[Task]())

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        self.made += event in ("call", "c_call")

    def switch(self, on: bool) -> float:
        sys.setprofile(self if on else None)
        return 0.0

    def recv_bytes(self) -> bytes:
        task = next(self.tasks, None)
        self.switch(task is not None)
        return pickle.dumps(task)

    def fileno(self) -> float:  # of the pipe that a worker replies to
        return self.switch(False)

    def play(self, tournament: Tournament, folder: str, tasks: Iterable[Task], *_: object, begun: object) -> list[Task]:
        every = [*tasks]
        self.made, self.tasks = 0, iter(every)
        worker.worker_loop(self, (c_longlong * CELLS)(), tournament, folder, NO_SANDBOX)
        return every


def test_the_harness_plays_what_users_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It writes the same bytes, with as many calls as the loop of a worker that plays `roundsim play`."""
    users, harness, replies = Calls(), Calls(), list[object]()
    monkeypatch.setattr(signal, "setitimer", lambda *_: None)  # how often the clock ticks depends on the load,
    monkeypatch.setattr(unfinished, "LONG", inf)  # and so does what is saved
    monkeypatch.setattr(worker, "settle_in", lambda memory: None)
    monkeypatch.setattr(worker, "send", lambda pipe, reply: replies.append(reply))
    monkeypatch.setattr(local, "play_tasks", users.play)
    options = ["--seed", "1", "--deals", "3000", "--jobs", "1", "--out"]
    for out in "warm-up", "users":
        called("play", "nap", *["random"] * 4, *options, out, cwd=tmp_path)
    monkeypatch.setattr(shards, "process_time", lambda: harness.switch(sys.getprofile() is not harness))
    nap = Shards("nap", "random", 3000)
    spent = nap.spent(str(tmp_path / "harness"), nap.play_into(str(tmp_path / "harness")))
    assert replies == [{"done": True}] * 6 and harness.made == pytest.approx(users.made, rel=0.005)
    logs = [contents(tmp_path / out / "log") for out in ("users", "harness")]
    assert len(logs[0]) == 3 and logs[0] == logs[1]
    assert spent.deals == len(deals_of(tmp_path / "harness")) < spent.decisions / 4


@pytest.mark.parametrize("slow", [0, 1])
def test_more_instructions_natively_or_in_plain_python_are_an_error(slow: int) -> None:
    every = [count.Deals(way, "nap", "random") for way in (count.PLAIN, count.NATIVE)]
    for ratio, code in (1.0299, 0), (1.0301, 1):
        now = [1000.0, 1000.0 * ratio][:: 1 - 2 * slow]
        assert count.print_counts(every, [now, [1000.0, 1000.0]]) == code


def test_pgo_is_recognized(monkeypatch: pytest.MonkeyPatch) -> None:
    debian = "/usr/share/python-wheels/"
    builds = ("--enable-optimizations", "", ""), ("-fprofile-use", "", ""), ("-O3", "", "out"), ("-O2", debian, "")
    for flag, folder, how in builds:
        monkeypatch.setattr(conditions, "get_config_vars", lambda *_, flag=flag: [None, f"-g '{flag}'"])
        monkeypatch.setattr(conditions, "get_config_var", lambda _, folder=folder: folder)
        assert f", built with{how} PGO" in conditions.python_build()


@pytest.mark.parametrize(("game", "given", "players"), [("nap", 0, 4), ("nap", 6, 6), ("cassino", 2, 2), ("loo", 0, 4)])
def test_shards_have_the_given_number_of_players(game: str, given: int, players: int) -> None:
    spent = Shards(game, "random", 24, players=given).play()
    assert (spent.players, spent.deals % players, spent.deals >= 24) == (players, 0, True)


def test_rounds_become_points_with_their_median() -> None:
    assert curves.lines({("played", 100): [3, 9, 4], ("verified", 10): [5], ("played", 10): [1, 2]}) == [
        Line("played", [Point(10, 1.5, 1, 2), Point(100, 4, 3, 9)]),
        Line("verified", [Point(10, 5, 5, 5)]),
    ]


@pytest.mark.parametrize("words", ["deals --size nan", "deals --size 0", "deals --rounds two", "entrant"])
def test_wrong_curves_are_refused(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        curves.curves(words.split())
    said = "no curve entrant (did you mean entrants?)" if words == "entrant" else ": a number above 0 was expected"
    assert said in capsys.readouterr().err


def test_curves_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(curves, "CURVES", {"deals": lambda size, rounds: CHART._replace(title=f"{size}, {rounds}")})
    assert curves.curves(["--out", str(tmp_path / "new"), "--size", "0.5", "--rounds", "1"]) == 0
    assert (tmp_path / "new/deals.svg").read_text() == drawing.svg(CHART._replace(title="0.5, 1"))


COSTS = [
    Line("played", [Point(10, 400, 300, 500), Point(1000, 40, 40, 40), Point(100_000, 4, 4, 4)]),
    Line("verified", [Point(10, 300, 300, 300), Point(1000, 30, 30, 30), Point(100_000, 4, 3, 4)]),
    Line("in proportion", [Point(10, 400, 400, 400), Point(100_000, 400, 400, 400)], dashed=True),
]
CHART = Chart("Deals & costs", "deals", "iterations a deal", COSTS, log_x=True, log_y=True)


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


def test_points_lie_where_the_figures_say_on_log_axes() -> None:
    picture = ElementTree.fromstring(drawing.svg(CHART))
    (a, b, c), verified, _ = places(picture)
    (*_, bottom), *_, (*_, top) = words(picture, "up")
    assert a[0] < b[0] < c[0] and b[0] - a[0] == pytest.approx(c[0] - b[0], abs=0.2)  # twice a hundredfold
    assert b[1] - a[1] == pytest.approx(c[1] - b[1], abs=0.2)  # twice a tenth
    assert b[1] - a[1] == pytest.approx((bottom - top) / 3, abs=0.2)  # a tenth is one of three steps of the axis
    assert verified[2] == c
    assert [text for text, *_ in words(picture, "across")] == ["10", "1 000", "100 000"]
    assert [x for _, x, _ in words(picture, "across")] == [a[0], b[0], c[0]]


def test_a_picture_and_a_table_have_all_that_was_measured() -> None:
    text = drawing.svg(CHART)
    picture = ElementTree.fromstring(text)
    assert picture.findtext(f"{SVG}title") == "Deals & costs"
    assert [said for said, *_ in words(picture, "axis")] == ["iterations a deal", "deals"]
    assert [said for said, *_ in words(picture, "name")] == ["played", "verified", "in proportion"]
    assert "prefers-color-scheme: dark" in text and CHART.table().splitlines() == [
        "| deals   | played | verified |",
        "| ------- | -----: | -------: |",
        "| 10      |    400 |      300 |",
        "| 1 000   |     40 |       30 |",
        "| 100 000 |      4 |        4 |",
    ]
    assert drawing.beside([105, 100, 101]) == [134, 100, 117]  # names do not stand on each other
    assert len([*picture.iter(f"{SVG}circle")]) == 6  # what is in proportion was not measured
    spreads = [each for each in picture.iter(f"{SVG}line") if each.attrib["class"] == "spread"]
    assert float(spreads[0].attrib["y1"]) > places(picture)[0][0][1] > float(spreads[0].attrib["y2"])


def test_ticks_hold_all_and_no_more() -> None:
    assert [drawing.ratios(*ends) for ends in ((3, 500), (0.3, 3))] == [[1, 10, 100, 1000], [0.2, 0.5, 1, 2, 5]]
    assert [drawing.steps(high) for high in (2, 9)] == [[0, 0.5, 1, 1.5, 2], [0, 2, 4, 6, 8, 10]]


def test_the_pictures_that_the_bench_shows_are_there() -> None:
    for name in curves.CURVES:
        assert f"curves/{name}.svg" in (ROOT / "bench/README.md").read_text("utf-8")
        assert places(ElementTree.parse(curves.FOLDER / f"{name}.svg").getroot())
