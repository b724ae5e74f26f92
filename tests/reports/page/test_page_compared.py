"""The page over several runs: what differs, and the figures of both."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import roundsim
from roundsim.reports.page import diff as compared
from roundsim.tournament.judging.diff import diff
from roundsim.tournament.storage.folder import RunFolder

pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[roundsim.Run]:
    home = tmp_path_factory.mktemp("compared")
    given = {"first": "book", "second": "book(bold=1)", "third": "random"}
    return [
        roundsim.play("nap", [each, "random", "random"], deals=120, seed=4, jobs=1, out=home / name)
        for name, each in given.items()
    ]


def net(run: roundsim.Run, strategy: str) -> float:
    found: float = next(row["net_per_deal"] for row in run.rows() if row["strategy"] == strategy)
    return found


def view_of(one: roundsim.Run, other: roundsim.Run) -> compared.DiffView:
    return compared.diff_section(diff(RunFolder(one.folder), RunFolder(other.folder)))


def test_runs_compared_have_the_figures_of_both(runs: list[roundsim.Run]) -> None:
    first, second, third = runs
    (game,) = view_of(first, third).games
    row = game.rows[0]
    there, here = net(first, "book"), net(third, "random")
    assert (row.strategy, row.became) == ("book", "random")
    assert (row.there, row.here, row.difference) == (f"{there:+.3f}", f"{here:+.3f}", f"{here - there:+.3f}")
    assert row.significant
    assert game.sentence.startswith(f"random is {there - here:.3f} counters a deal behind")
    zero, dot = game.axis.at(0), float(row.interval.dot[1:].partition(" ")[0])
    assert dot < zero  # behind is to the left
    things = {thing.where: (thing.there, thing.here) for thing in view_of(first, second).things}
    assert things["nap: strategy book: parameters: bold"][1] == "1"


def test_the_page_over_several_runs_and_over_the_same_run_twice(runs: list[roundsim.Run]) -> None:
    view = view_of(runs[0], runs[0])
    assert view.sentence == "They are the same run." and not view.games
    folders = [RunFolder(run.folder) for run in runs]
    text = compared.diff_page([diff(folders[0], each) for each in folders[1:]])
    assert "<h1>Three runs compared</h1>" in text
    assert re.findall(r'<section id="(.*?)"><h2>(\w+)', text) == [("run-1", "second"), ("run-2", "third")]
    assert "http" not in text.partition("</style>")[2]
    assert text == compared.diff_page([diff(folders[0], each) for each in folders[1:]])
    assert str(Path(runs[0].folder).parent) not in text
