"""The example of a game: each rule is at the step where it first applies."""

from __future__ import annotations

from roundsim import games
from roundsim.replaying.example import explained, explained_data


def test_rules_of_an_example() -> None:
    """Four make their calls at Nap; then the senior hand leads."""
    nap = games.named("nap").rules_for(4)
    data = explained_data(nap)
    calls, tricks = "Once round: pass, or call higher", "The senior hand leads; the winner"
    assert {step: rule[: len(calls)] for step, rule in data["rules"].items()} == {0: calls, 4: tricks[: len(calls)]}
    assert data["watch"] and data["game"] == "nap" and data["seats"] == [f"seat {seat}" for seat in range(4)]
    lines = [line for line in explained(nap) if line.startswith((calls, tricks, "   1 ", "   4 ", "   5 "))]
    assert [line[:4] for line in lines] == ["Once", "   1", "   4", "The ", "   5"]
