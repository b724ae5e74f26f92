"""Worths against least squares and sandwiches written out in numpy, and the paired t."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

import numpy as np
import pytest
from scipy import stats

from roundsim.statistics.differences import Difference, decisive_blocks, fit
from roundsim.statistics.rows import BlockRow, tables_of

TABLES = [[0, 1, 2], [2, 3, 4], [4, 5, 0], [1, 3, 5], [0, 2], [5, 1, 4, 3]]


def row(block: int, seats: dict[int, float], weight: int = 16) -> BlockRow:
    pairs = len(seats) * (len(seats) - 1) // 2
    return BlockRow(block, weight, list(seats), list(seats.values()), [(weight, weight / 2)] * pairs)


def played(
    blocks: int, tables: list[list[int]] = TABLES, seed: int = 1, weights: Sequence[int] = (16, 16, 9, 4)
) -> list[BlockRow]:
    """Those at the tables in turn, each a tenth better than the one before; one table gives more than another."""
    chance, rows = Random(seed), []
    for block in range(blocks):
        table, at = chance.gauss(0, 5), tables[block % len(tables)]
        seats = {i: table + i / 10 + chance.gauss(0, 1 + i) for i in at}
        rows.append(row(block, seats, weights[block % len(weights)]))
    return rows


def known(found: Difference | None) -> Difference:
    assert found is not None
    return found


def test_worths_are_those_of_weighted_least_squares_with_a_dummy_for_each_table() -> None:
    rows, n = played(120), 6
    design, values, weights, blocks = [], [], [], []
    for each in rows:
        for i, value in zip(each.entrants, each.values, strict=True):
            design.append([float(i == j) for j in range(n)] + [float(each.block == b) for b in range(len(rows))])
            values.append(value)
            weights.append(each.weight)
            blocks.append(each.block)
    x, y, w, block = np.array(design), np.array(values), np.array(weights), np.array(blocks)
    root = np.sqrt(w)
    truth = np.linalg.lstsq(x * root[:, None], y * root)[0]
    worths = fit(tables_of(rows), n)
    assert worths.worth == pytest.approx((truth[:n] - truth[:n].mean()).tolist())
    assert worths.blocks == [sum(i in each.entrants for each in rows) for i in range(n)]

    missed, bread = y - x @ truth, np.linalg.pinv(x.T @ (x * w[:, None]), rcond=1e-10, hermitian=True)
    scores = np.array([(x * (w * missed)[:, None])[block == b].sum(axis=0) for b in range(len(rows))])
    covariance = bread @ scores.T @ scores @ bread * len(rows) / (len(rows) - 1)
    for i, j in combinations(range(n), 2):
        contrast = np.eye(len(truth))[i] - np.eye(len(truth))[j]
        found, freedom = known(worths.between(i, j)), min(worths.blocks[i], worths.blocks[j]) - 1
        standard = float(np.sqrt(contrast @ covariance @ contrast))
        assert (found.value, found.standard) == pytest.approx((contrast @ truth, standard))
        assert found.freedom == freedom
        assert found.error == pytest.approx(standard * stats.t.ppf(0.975, freedom))
        assert found.p == pytest.approx(2 * stats.t.sf(abs(found.value) / standard, freedom))
        assert worths.pairs()[i, j] == found


def test_with_everybody_in_every_block_it_is_the_mean_and_the_paired_t() -> None:
    rows = played(25, [[0, 1, 2, 3]], weights=(16,))
    worths = fit(tables_of(rows), 4)
    columns = list(zip(*(each.values for each in rows), strict=True))
    for i, j in combinations(range(4), 2):
        truth, found = stats.ttest_rel(columns[i], columns[j]), known(worths.between(i, j))
        interval = truth.confidence_interval()
        assert found.value == pytest.approx(np.mean(columns[i]) - np.mean(columns[j]))
        assert found.p == pytest.approx(truth.pvalue) and found.freedom == 24
        assert found.error == pytest.approx((interval.high - interval.low) / 2)
        assert known(worths.between(j, i)) == pytest.approx(found._replace(value=-found.value))


def test_differences_allow_for_the_company() -> None:
    """2 sat with the strong one only, 3 with the weak one: without chance, the worths are the true ones."""
    true = [3.0, -3.0, 0.5, -0.5]
    rows = [row(b, {i: 7.0 * b + true[i] for i in ((0, 2), (1, 3), (0, 1))[b % 3]}) for b in range(60)]
    worths = fit(tables_of(rows), 4)
    assert worths.worth == pytest.approx(true)
    found = known(worths.between(2, 3))
    assert (found.value, found.standard) == pytest.approx((1, 0))
    assert (found.error, found.p) == (None, 1), "all blocks are alike, so nobody knows how far it may be off"


def test_some_entrants_cannot_be_compared() -> None:
    two_fields = [row(b, {0: b, 1: 2.0 * b % 7} if b % 2 else {2: b, 3: 3.0 * b % 5, 6: 1.0}) for b in range(40)]
    worths = fit(tables_of([*two_fields, row(40, {4: 3.0}), *[row(41 + b, {0: b, 5: 1.0}) for b in range(9)]]), 8)
    assert set(worths.pairs()) == {(0, 1), (2, 3), (2, 6), (3, 6)}  # 4 sat alone, 5 too seldom, 7 never
    assert worths.worth[4] == 0 and worths.worth[7] is None
    assert sum(worths.fitted[i] for i in (0, 1, 5)) == pytest.approx(0)
    assert sum(worths.fitted[i] for i in (2, 3, 6)) == pytest.approx(0)


def test_a_field_is_judged_without_another_that_it_never_met() -> None:
    here, there = played(30, [[0, 1, 2]]), played(47, [[3, 4]], seed=2)
    both, alone = fit(tables_of([*here, *there]), 5), fit(tables_of(here), 3)
    assert both.pairs()[0, 2] == pytest.approx(alone.pairs()[0, 2])


def test_ten_blocks_and_no_fewer() -> None:
    assert fit(tables_of(played(9, [[0, 1]])), 2).between(0, 1) is None
    assert known(fit(tables_of(played(10, [[0, 1]])), 2).between(0, 1)).freedom == 9
    assert fit(tables_of(played(1, [[0, 1]])), 2).between(0, 1) is None
    assert fit(tables_of([]), 2).worth == [None, None]


@pytest.mark.parametrize("step", [1 / 3, 0.1, 12345.678])
def test_a_constant_difference_has_no_error_and_is_not_significant(step: float) -> None:
    """1 and 2 are copies; rounding leaves no error to divide by, whatever the table gives and whoever else is there."""
    chance = Random(3)
    still = [row(b, {0: 1.1, 1: 1.1 - step, 2: 1.1 - step}) for b in range(33)]
    lively = [row(b, {0: (x := chance.gauss(0, 1)), 1: x + 3 * step, 2: x + 3 * step, 3: -x}) for b in range(33)]
    for rows in still, lively:
        pairs = fit(tables_of(rows), 4).pairs()
        assert [pairs[1, 2].value, pairs[0, 1].standard, pairs[1, 2].standard] == pytest.approx([0, 0, 0], abs=1e-9)
        assert {(each.error, each.p) for each in (pairs[0, 1], pairs[1, 2])} == {(None, 1)}
    assert 0 < fit(tables_of(lively), 4).pairs()[1, 3].p < 1


def test_copies_that_differ_now_and_then_have_an_error() -> None:
    rows = [row(b, {0: b % 3 + 0.01 * (b == 5), 1: b % 3, 2: -(b % 3)}) for b in range(50)]
    found = known(fit(tables_of(rows), 3).between(0, 1))
    assert (found.value, found.standard) == pytest.approx((0.0002, 0.0002))
    most = stats.binomtest(1, 50).proportion_ci(method="exact").high
    assert found.error == pytest.approx(0.01 * (most - 1 / 50)) and found.p > 0.05


def test_a_difference_that_depends_on_one_block() -> None:
    rows = [row(b, {4: 0.0, 7: 0.5}) for b in range(10)] + [row(77, {7: 0.0, 2: 0.0, 4: 6.0})]
    assert decisive_blocks(tables_of(rows)) == {(4, 7): 77, (2, 4): 77}
    assert decisive_blocks(tables_of(rows[:-1])) == {}
    assert decisive_blocks(tables_of([*rows, row(78, {4: 6.0, 7: 0.0})])) == {(2, 4): 77}
    assert decisive_blocks(tables_of([row(0, {0: 1.0, 1: 0.0}), row(1, {0: 0.0, 1: 1.0})])) == {}


def test_a_long_block_weighs_more_when_one_is_left_out() -> None:
    rows = [row(0, {0: 1.0, 1: 0.0}, 5), row(1, {0: 0.0, 1: 1.0}, 2), row(2, {0: 0.0, 1: 1.0}, 2)]
    assert decisive_blocks(tables_of(rows)) == {(0, 1): 0}
    assert decisive_blocks(tables_of([rows[0]._replace(weight=1), *rows[1:]])) == {}
