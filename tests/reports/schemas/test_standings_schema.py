"""The schema of standings.json describes it: of every format, and of what is not there yet."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Shell
from helpers.run_files import standings_of
from helpers.schemas import Page

import roundsim
from roundsim.running import Run

pytestmark = pytest.mark.usefixtures("here")

PAGE = Page("standings")


def test_every_property_is_described_and_no_other_is_allowed(season: Run, parlour: Run) -> None:
    PAGE.must_describe_every_key()
    assert PAGE.schema["properties"]["schema"]["const"] == season.standings["schema"] == 2
    tops: list[dict[str, Any]] = [{"schema": 1}, {"more": 1}, {"seed": "a word"}, {"games": []}, {"limits": {}}]
    for top in tops:
        assert PAGE.wrong({**season.standings, **top}), top
    places = {"mean_place": 1.5, "won_low": 0, "won_high": 1}
    rows: list[dict[str, Any]] = [{"rank": 0}, {"likely": [1]}, places, {"x": 1}]
    for row in rows:
        data = json.loads(json.dumps(parlour.standings))
        data["games"][0]["rows"][0] |= row
        assert PAGE.wrong(data), row


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., dict[str, Any]]:
    """Plays a tournament and gives its standings.json."""
    folder = tmp_path_factory.mktemp("runs")

    def play(tournament: str, game: str) -> dict[str, Any]:
        (folder / "t.toml").write_text(f"[tournament]\n{tournament}\n[[games]]\n{game}\n")
        run = roundsim.run(folder / "t.toml", jobs=1, out=folder / str(len(list(folder.iterdir()))))
        return standings_of(run.folder)

    return play


def test_runs_of_two_games_that_may_stop_or_are_unfinished(season: Run, tmp_path: Path, shell: Shell) -> None:
    data = standings_of(season.folder)
    assert PAGE.wrong(data) == [] and len(data["games"]) == 2 and len(data["all"]) == 2
    rule = "book - random > 0"
    run = roundsim.play("nap", ["book", "random"], deals=320, until=rule, jobs=1, out=tmp_path / "run", seats=2)
    data = standings_of(run.folder)
    assert PAGE.wrong(data) == [] and data["games"][0]["until"]["block"] == 80
    assert shell("play", "nap", "random", "random", "--deals", "2000", "--jobs", "1", "--out", "short").code == 0
    for _ in range(2):
        min(Path("short", "log", "nap").glob("*.zst")).unlink()
        data = json.loads(shell("standings", "short", "--format", "json").out)
        assert PAGE.wrong(data) == []
    assert data["games"][0]["deals"] == 0 and data["games"][0]["extremes"] == {}


FORMATS = {
    "freeze-out": (
        'format = "freeze-out"\nstrategies = ["book", "random", "random"]',
        'game = "draw-poker"\ntimes = 10\nstack = 20\noptions = { stakes = "table" }',
        {"mean_place", "won_low", "won_high"},
    ),
    "progressive": (
        f'format = "progressive"\nstrategies = {["book", *["random"] * 7]}',
        'game = "nap"\ntimes = 2\nrounds = 3',
        {"yellows", "head_low", "fresh_stakes"},
    ),
    "more entrants than seats": (
        'strategies = ["book", "random", "random"]',
        'game = "nap"\nplayers = 2\ndeals = 60\nsitting = 1',
        {"net_per_deal"},
    ),
}


@pytest.mark.parametrize("format", FORMATS)
def test_each_format(format: str, runs: Callable[..., dict[str, Any]]) -> None:
    tournament, game, keys = FORMATS[format]
    data = runs(tournament, game)
    assert PAGE.wrong(data) == []
    assert all(keys <= row.keys() for row in data["games"][0]["rows"])


def test_faults_and_a_strategy_with_parameters(runs: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("class Bad:\n    def __init__(self, least=1): pass\n    def act(self, view): return 'nothing'\n")
    data = runs(f"seed = '{'0af' * 10}00'\nstrategies = ['{bad}:Bad(least=2)', 'random']", 'game = "nap"\ndeals = 8')
    assert PAGE.wrong(data) == []
    assert {row["name"]: (row["parameters"], {*row["faults"]}) for row in data["games"][0]["rows"]} == {
        "Bad": ({"least": 2}, {"illegal"}),
        "random": ({}, set()),
    }
