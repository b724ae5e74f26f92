"""The worth of places, by hand and by Student's t."""

from __future__ import annotations

from random import Random

import pytest
from scipy import stats

from roundsim.statistics.places import worth_of_places


def test_each_place_has_its_mean_and_error() -> None:
    chance = Random(7)
    blocks = [(chance.gauss(1, 2), chance.gauss(-1, 1), 0.25) for _ in range(31)]
    columns = [*zip(*blocks, strict=True)]
    first, second, third = worth_of_places([[column[:11] for column in columns], [column[11:] for column in columns]])
    for found, values in zip((first, second), columns, strict=False):
        interval = stats.ttest_1samp(values, 0).confidence_interval()
        assert found.error is not None
        assert (found.mean - found.error, found.mean + found.error) == pytest.approx((interval.low, interval.high))
    assert (third.mean, third.error) == (0.25, None)


def test_few_blocks_have_no_error_and_none_no_places() -> None:
    few = worth_of_places([[(1.0, 3.0), (-1.0, -3.0)]])
    assert [(found.mean, found.error) for found in few] == [(2, None), (-2, None)]
    assert worth_of_places([]) == []
