"""Points and tails against scipy's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from roundsim.statistics.distributions import beta_share, clopper_pearson, crossing, normal_point, student, student_tail


@given(st.floats(0.01, 60), st.floats(1, 200_000))
def test_the_tail_of_student(t: float, freedom: float) -> None:
    truth = 2 * stats.t.sf(t, freedom)
    assert student_tail(t, freedom) == student_tail(-t, freedom) == pytest.approx(truth, rel=1e-8, abs=1e-300)
    assert student_tail(0, freedom) == 1


@pytest.mark.parametrize(("t", "freedom"), [(8.0, 40), (60.0, 9), (7.2, 100_000), (12.5, 1500.25)])
def test_the_far_tail_keeps_its_digits(t: float, freedom: float) -> None:
    assert 0 < student_tail(t, freedom) < 1e-9
    assert student_tail(t, freedom) == pytest.approx(2 * stats.t.sf(t, freedom), rel=1e-9)


@given(st.one_of(st.integers(1, 400), st.floats(1, 100_000)), st.sampled_from([0.5, 0.9, 0.95, 0.99, 0.99999]))
def test_the_point_of_student(freedom: float, level: float) -> None:
    assert student(freedom, level) == pytest.approx(stats.t.ppf((1 + level) / 2, freedom), rel=1e-8)


def test_points_of_printed_tables() -> None:
    assert [round(student(n), 3) for n in (1, 2, 9, 30, 120)] == [12.706, 4.303, 2.262, 2.042, 1.980]
    points = {0.025: -1.96, 0.5: 0, 0.8: 0.842, 0.975: 1.96, 0.995: 2.576}
    assert {share: round(normal_point(share), 3) for share in points} == points


@given(st.floats(1e-9, 1 - 1e-9), st.floats(0.01, 3000), st.floats(0.01, 3000))
def test_the_beta_distribution(x: float, a: float, b: float) -> None:
    assert beta_share(x, a, b) == pytest.approx(special.betainc(a, b, x), rel=1e-7, abs=1e-12)
    assert [beta_share(end, a, b) for end in (-0.5, 0, 1, 1.5)] == [0, 0, 1, 1]


@given(st.data(), st.integers(1, 3000), st.sampled_from([0.8, 0.95, 0.999]))
def test_limits_of_a_share(data: st.DataObject, n: int, level: float) -> None:
    won = data.draw(st.integers(0, n))
    truth = stats.binomtest(won, n).proportion_ci(level, "exact")
    assert clopper_pearson(won, n, level) == pytest.approx((truth.low, truth.high), abs=1e-9)


def test_limits_of_a_share_by_hand() -> None:
    low, high = clopper_pearson(0, 20)
    assert low == 0 and (1 - high) ** 20 == pytest.approx(0.025)
    low, high = clopper_pearson(20, 20)
    assert low**20 == pytest.approx(0.025) and high == 1
    assert clopper_pearson(0, 0) == (0, 1)


@given(st.integers(1, 50), st.data())
def test_shared_wins_lie_between_whole_ones(n: int, data: st.DataObject) -> None:
    won = data.draw(st.integers(0, n - 1))
    limits = [clopper_pearson(won + part / 3, n) for part in range(4)]
    assert sorted(limits) == limits and sorted(high for _, high in limits) == [high for _, high in limits]
    assert all(low <= (won + part / 3) / n <= high for part, (low, high) in enumerate(limits))


def test_a_crossing_is_found_by_halving() -> None:
    assert crossing(lambda x: x * x > 2, 0, 8) == pytest.approx(2**0.5, abs=1e-15)
