"""Notes in reports about the strategies of the house, and what is loaded for them."""

from __future__ import annotations

import sys
from dataclasses import replace

from roundsim import games
from roundsim.base.importing import PACKAGE_FOLDER
from roundsim.reports.strength import guide_at
from roundsim.sources import plugins


def test_a_run_that_names_another_strategy_is_reported() -> None:
    """A run folder may name a house strategy of another game, or a module of the package that is no strategy."""
    (expert,) = plugins.find("expert", "loo")
    rules = games.find("loo").rules_for
    assert (guide_at(expert, lambda: rules(5, None)), guide_at(expert, lambda: rules(4, None))) == ("", "book")
    assert guide_at(expert, lambda: games.find("nap").rules_for(5, None)) == "book"
    forged = replace(expert, path=f"{PACKAGE_FOLDER}/seat/you.py", attribute="You")
    before = {*sys.modules}
    assert not guide_at(forged, lambda: rules(5, None)) and {*sys.modules} == before
