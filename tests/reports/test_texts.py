"""Texts that the terminal and the page share: rules, and the faults of a run."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from roundsim import games
from roundsim.base.importing import PACKAGE_FOLDER
from roundsim.games.nap import Nap
from roundsim.reports import diff
from roundsim.reports.explain import rule_lines
from roundsim.reports.page.convergence import SpreadScale
from roundsim.reports.page.verdict import faults_text
from roundsim.reports.strength import guide_at
from roundsim.sources import plugins
from roundsim.table.citations import rules_of_game

THREE = {("a", "late"): 1, ("b", "late"): 2, ("c", "illegal"): 3}


def test_rules_have_their_place_in_the_code_on_request_only() -> None:
    rules = rules_of_game(Nap)[:1]
    assert ".py:" not in "".join(rule_lines(Nap.rules_for(4), rules))
    assert ".py:" in "".join(rule_lines(Nap.rules_for(4), rules, code=True))


@pytest.mark.parametrize(
    ("faults", "text"),
    [
        ({}, "none"),
        (THREE, "c: 3 illegal; b: 2 late; a: 1 late"),
        (THREE | {("d", "late"): 4}, "d: 4 late; c: 3 illegal; b: 2 late; 1 fault of others"),
    ],
)
def test_three_strategies_with_most_faults_are_named(faults: dict[tuple[str, str], int], text: str) -> None:
    game: Any = SimpleNamespace(fold=SimpleNamespace(tally=SimpleNamespace(faults=faults)), label=str)
    assert faults_text([game]) == text


def test_a_difference_of_one_row_in_csv(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diff, "rows", lambda game: [{"strategy": "book", "blocks": 3}])
    one: Any = SimpleNamespace(games=[SimpleNamespace(here=SimpleNamespace(name="nap"))])
    assert diff.diff_csv(one).split() == ["game,strategy,blocks", "nap,book,3"]


def test_the_spread_in_words() -> None:
    """The mean of -1, -1, -1 and 3 is 0; their squares have the mean 3."""
    label = SpreadScale(-1, 1, 5, 0.75, tails=False).spread("ann", {-1: 3, 3: 1}).label
    assert label == "nets of ann in 4 deals: above 0 in 25.0 %, standard deviation 1.73"


def test_no_expert_is_the_book_at_the_usual_table() -> None:
    experts = [each for each in plugins.installed() if each.name == "expert"]
    at = [(each, games.named(game)) for each in experts for game in each.games]
    guides = [guide_at(each, partial(game.rules_for, game.usual[0], None)) for each, game in at]
    assert len(guides) == 20 and not any(guides)


def test_a_run_that_names_another_strategy_is_reported() -> None:
    """A run folder may name a house strategy of another game, or a module of the package that is no strategy."""
    (expert,) = plugins.find("expert", "loo")
    rules = games.find("loo").rules_for
    assert (guide_at(expert, lambda: rules(5, None)), guide_at(expert, lambda: rules(9, None))) == ("", "book")
    assert guide_at(expert, lambda: Nap.rules_for(5, None)) == "book"
    forged = replace(expert, path=f"{PACKAGE_FOLDER}/seat/you.py", attribute="You")
    before = {*sys.modules}
    assert not guide_at(forged, lambda: rules(5, None)) and {*sys.modules} == before
