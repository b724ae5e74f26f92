"""The spread of the nets of a strategy, computed by hand."""

from __future__ import annotations

from roundsim.reports.page.convergence import SpreadScale


def test_the_spread_in_words() -> None:
    """The mean of -1, -1, -1 and 3 is 0; their squares have the mean 3."""
    label = SpreadScale(-1, 1, 5, 0.75, tails=False).spread("ann", {-1: 3, 3: 1}).label
    assert label == "nets of ann in 4 deals: above 0 in 25.0 %, standard deviation 1.73"
