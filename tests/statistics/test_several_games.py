"""The mean of differences in several games, and its degrees of freedom."""

from __future__ import annotations

import pytest

from roundsim.statistics.differences import Difference, mean_difference


def test_mean_of_two_games() -> None:
    """Standard errors of 3 and 4 are 5 for the sum, and half of that for the mean. The second game counts in units of 2.

    Satterthwaite: the square of 2.25 + 4, divided by 2.25² / 9 + 4² / 16."""
    found = mean_difference([Difference.of(1.0, 3.0, 9), Difference.of(6.0, 8.0, 16)], [1.0, 2.0])
    assert (found.value, found.standard, found.blocks) == (2.0, 2.5, 10)
    assert found.freedom == pytest.approx(39.0625 / (0.5625 + 1))


def test_games_without_spread_have_the_freedom_of_the_shortest() -> None:
    found = mean_difference([Difference.of(1.0, 0.0, 19), Difference.of(1.0, 0.0, 9)], [1.0, 0.0])
    assert (found.value, found.standard, found.freedom, found.blocks) == (0.5, 0.0, 9, 10)
