"""Where the counters came from: the section of the page has the figures of `deals --why`, and says what it has read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import GAMES, Shell
from helpers.command import one_in
from helpers.pages import EVIL, Read, by_hand

from roundsim.replaying import selection
from roundsim.reports.page.extras import EntryExtras, GameReasons, ReasonFigure, ReasonLine

pytestmark = pytest.mark.usefixtures("here")


def report(shell: Shell, run: str = "run") -> Read:
    assert shell("report", run).code == 0
    return Read(Path(run, "report.html").read_text("utf-8"))


def reasons(shell: Shell, mine: str, against: str) -> dict[str, Any]:
    found = json.loads(shell("deals", "run", "--why", mine, "--against", against, "--format", "json").out)
    return {"in all": found["in_all"], **{each["why"]: each for each in found["reasons"]}}


def cell(figures: dict[str, Any]) -> str:
    return f"{figures['strategy']:+.3f} {figures['difference']:+.3f}"


@pytest.mark.parametrize("game", one_in(12, GAMES))
def test_the_figures_are_those_of_deals_why(game: str, shell: Shell) -> None:
    """A column for each of the others, and the reason in which they differ most first."""
    shell("play", game, "book", "random", "--deals", 32, "--out", "run")
    rows = report(shell).body(f"{game}/many")
    leader, other = (row["strategy"] for row in json.loads(Path("run/standings.json").read_text())["games"][0]["rows"])
    found = reasons(shell, other, leader)
    assert {row[0]: row[2] for row in rows} == {name: cell(figures) for name, figures in found.items()}
    assert [row[1] for row in rows] == [f"{found[row[0]]['against']:+.3f}" for row in rows]
    spreads = [abs(found[row[0]]["difference"]) for row in rows[:-1]]
    assert rows[-1][0] == "in all" and spreads == pytest.approx(sorted(spreads, reverse=True), abs=2e-6)


@pytest.mark.soak
def test_the_leader_and_five_more(shell: Shell) -> None:
    shell("play", "nap", "book", *["random"] * 7, "--deals", 600, "--seats", 4, "--out", "run")
    read = report(shell)
    names = [row["strategy"] for row in json.loads(Path("run/standings.json").read_text())["games"][0]["rows"]]
    assert [text.strip() for text in read.rows["nap/many"][0]] == ["for", *names[:6]] and len(names) == 8
    found = reasons(shell, names[3], names[0])
    assert {row[0]: row[4] for row in read.body("nap/many")} == {name: cell(each) for name, each in found.items()}


def test_only_the_first_deals_are_read(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """In whole blocks: here 16 deals, of four seats."""
    shell("play", "nap", "book", "random", "random", "random", "--deals", 64, "--out", "run")
    monkeypatch.setattr(selection, "READ", 64)
    assert "moved, in the 64 deals in which book sat with one of the others" in report(shell).text
    monkeypatch.setattr(selection, "READ", 20)
    assert "moved, in the first 32 deals in which" in report(shell).text
    monkeypatch.setattr(selection, "READ_IN_ALL", 16)
    assert "moved, in the first 16 deals in which" in report(shell).text


def test_where_there_is_nothing_to_compare(shell: Shell) -> None:
    shell("play", "nap", "book", "random", "--as", "shadow", "--deals", 16, "--out", "shadow")
    shell("play", "nap", "book", "--seats", 2, "--deals", 16, "--out", "alone")
    for run in "shadow", "alone":
        assert "Where the counters came from" not in report(shell, run).text


def test_a_difference_that_may_be_0_is_soft_and_a_reason_breaks_out_of_nothing() -> None:
    # And so is one without an error.
    figures = [(0.3, 0.29), (0.3, 0.31), (-0.3, 0.29), (0.3, None)]
    lines = [ReasonLine(f"{at}", [ReasonFigure(1.0), ReasonFigure(2.0, *each)]) for at, each in enumerate(figures)]
    lines.append(ReasonLine("in all", [ReasonFigure(1.0), None]))
    found = GameReasons(["a", "b"], 200, False, lines)
    read = by_hand(["a", "b"], [[4, -4]] * 12, [EntryExtras(reasons=found)])
    tints = [given.get("class") for tag, given in read.tags if tag == "td" and given.get("data-k") == "b"]
    assert tints == ["up", None, "down", None, None]
    assert read.body("nap/many")[-1] == ["in all", "+1.000", "-"]
    assert "Counters a deal, by the reason for which they moved, in the first 200 deals" in read.text
    line = ReasonLine(EVIL, [ReasonFigure(0.0), ReasonFigure(0.0, 0.0, 1.0)])
    read = by_hand([EVIL, "b"], [[4, -4]] * 12, [EntryExtras(reasons=GameReasons([EVIL, "b"], 8, True, [line, line]))])
    assert not any(tag == "img" for tag, _ in read.tags) and read.body("nap/many")[0][0] == EVIL
