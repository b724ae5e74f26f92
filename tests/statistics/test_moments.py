"""Means and spreads against the standard library's."""

from __future__ import annotations

from statistics import mean, stdev, variance

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from roundsim.statistics.moments import Moments

NUMBERS = st.lists(st.integers(-1000, 1000).map(lambda n: n / 8), min_size=2, max_size=40)


@given(NUMBERS, st.floats(-100, 100))
def test_mean_spread_and_error(numbers: list[float], centre: float) -> None:
    found = Moments.of(numbers)
    assert found.n == len(numbers) and found.mean == pytest.approx(mean(numbers), abs=1e-9)
    assert found.squares == pytest.approx(variance(numbers) * (len(numbers) - 1), abs=1e-6)
    assert found.about(centre) == pytest.approx(sum((x - centre) ** 2 for x in numbers), abs=1e-6)
    assert found.standard == pytest.approx(stdev(numbers) / len(numbers) ** 0.5, abs=1e-7)


@given(NUMBERS, NUMBERS)
def test_a_part_is_taken_away_again(numbers: list[float], part: list[float]) -> None:
    found, truth = Moments.of(numbers + part).without(Moments.of(part)), Moments.of(numbers)
    assert found.n == truth.n and found.mean == pytest.approx(truth.mean, abs=1e-9)
    assert found.squares == pytest.approx(truth.squares, abs=1e-5)
    assert truth.without(truth) == Moments()


def test_an_error_wants_ten() -> None:
    numbers = [3.0, 1, 4, 1, 5, 9, 2, 6, 5, 3]
    assert Moments.of(numbers[:9]).error is None
    interval = stats.ttest_1samp(numbers, 0).confidence_interval()
    assert Moments.of(numbers).error == pytest.approx((interval.high - interval.low) / 2)
