"""Means of few values against linear programming, exact tests, and every outcome of some freeze-outs."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from helpers.command import seldom
from scipy import stats
from scipy.optimize import linprog

from roundsim.statistics.differences import fit
from roundsim.statistics.few_values import count_few, half_width, mean_of, p_of_mean, with_bounds
from roundsim.statistics.rows import BlockRow, tables_of


@pytest.mark.parametrize("seed", [*range(3), *seldom(*range(3, 40))])
def test_three_values_are_as_bad_as_the_limits_of_their_shares_allow(seed: int) -> None:
    chance, level = Random(seed), (0.9, 0.95, 0.999)[seed % 3]
    values = [float(value) for value in chance.sample(range(-9, 10), 3)]
    counts = {value: chance.randint(1, 60) for value in values}
    blocks = sum(counts.values())
    own = 1 - (1 - level) / 3
    limits = [tuple(stats.binomtest(n, blocks).proportion_ci(own, "exact")) for n in counts.values()]
    whole = {"A_eq": [[1, 1, 1]], "b_eq": [1], "bounds": limits}
    low, high = linprog(values, **whole).fun, -linprog([-value for value in values], **whole).fun
    mean = mean_of(counts)
    assert half_width(counts, level) == pytest.approx(max(mean - low, high - mean), abs=1e-7)


def test_each_of_two_values_has_the_whole_level() -> None:
    """One more than 4 in 15 blocks of 20: a share of .75, and the farther limit of it, 3 times."""
    share = stats.binomtest(15, 20).proportion_ci(method="exact")
    assert half_width({4.0: 15, 1.0: 5}) == pytest.approx(3 * (0.75 - share.low))


def test_blocks_that_are_all_alike() -> None:
    """When all twenty are first, at most a share of 1 - .025^(1/20) is last of three, two places behind."""
    assert half_width({1.0: 20}) is None and p_of_mean({1.0: 20}) == 1
    first = with_bounds({1.0: 20}, (1, 3))
    assert half_width(first) == pytest.approx(2 * (1 - 0.025 ** (1 / 20)))
    assert with_bounds({1.0: 20, 1.5: 1}, (1, 3)) == {1.0: 20, 1.5: 1}


@pytest.mark.parametrize(("won", "of"), [(40, 40), (39, 40), (30, 40), (20, 40), (12, 40), (0, 11)])
def test_the_p_of_wins_and_losses_is_exact(won: int, of: int) -> None:
    found = p_of_mean({1.0: won, -1.0: of - won})
    assert found == pytest.approx(stats.binomtest(won, of).pvalue, rel=1e-4) and found > 0


COUNTS = [
    *[{3.0: 9, -1.0: 12}, {0.0: 96, 5.0: 4}, {-2.0: 30, 1.0: 8}, {2.0: 20, 1.0: 20, -1.0: 1}],
    *seldom({1.0: 30, 0.0: 190, -2.0: 2}),
]


@pytest.mark.parametrize("counts", COUNTS)
def test_the_interval_at_the_level_of_p_reaches_0(counts: dict[float, int]) -> None:
    p = p_of_mean(counts)
    assert 0 < p < 1
    assert half_width(counts, 1 - p) == pytest.approx(abs(mean_of(counts)), rel=1e-5)


def test_a_mean_of_0_and_values_of_one_sign() -> None:
    assert p_of_mean({1.0: 5, -1.0: 5}) == p_of_mean({2.0: 5, -1.0: 10, 0.0: 3}) == 1
    assert 0 < p_of_mean({1.0: 5, 2.0: 5}) < 1e-15


@pytest.mark.parametrize("blocks", [10, *seldom(20, 40, 80)])
@pytest.mark.parametrize("share", [0.9, 0.95, 0.98])
def test_limits_of_a_difference_hold_its_true_value(share: float, blocks: int) -> None:
    """One of two wins this share of the blocks: the probability of all outcomes whose interval holds the truth."""
    covered = 0.0
    for won in range(blocks + 1):
        rows = [BlockRow(at, 1, (0, 1), (-1.0, -2.0) if at < won else (-2.0, -1.0), ()) for at in range(blocks)]
        found = fit(tables_of(rows), 2, span=1).between(0, 1)
        assert found and found.error is not None
        covered += stats.binom.pmf(won, blocks, share) * (abs(found.value - (2 * share - 1)) <= found.error)
    assert covered >= 0.95


def test_differences_are_counted_where_everybody_sat_in_blocks_of_one_weight() -> None:
    """A third of 1, as rounding leaves it in different blocks, is one value."""
    rows = [BlockRow(at, 1, (0, 1), (at + 1 / 3 * (at % 2), float(at)), ()) for at in range(20)]
    found = fit(tables_of(rows), 2).between(0, 1)
    share = stats.binomtest(10, 20).proportion_ci(method="exact")
    assert found and found.error == pytest.approx((0.5 - share.low) / 3)
    for others in [rows[0]._replace(weight=2)], [BlockRow(20, 1, (0, 2), (1.0, 0.0), ())] * 10:
        other = fit(tables_of([*rows, *others]), 3).between(0, 1)
        assert other and other.counts is None and other.error != found.error


def test_four_values_are_not_few() -> None:
    few = count_few(Counter("aab"), Counter("c"))
    assert few == {"a": 2, "b": 1, "c": 1}
    assert count_few(few, Counter("d")) is None and count_few(None, Counter("a")) is None


def test_p_of_two_values_keeps_its_digits_where_it_is_small() -> None:
    """One of two equals wins all 40: twice the power of a half."""
    assert p_of_mean({1.0: 40, -1.0: 0}) == pytest.approx(2 * 0.5**40, rel=1e-9, abs=0)
