"""Gifts that are planted are found, and who gives none is not accused."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from scipy import stats

from roundsim.statistics.company import company, welch
from roundsim.statistics.differences import fit
from roundsim.statistics.moments import Moments
from roundsim.statistics.rows import BlockRow

TABLES = list(combinations(range(6), 3))


def played(blocks: int, gift: float, seed: int = 1, spread: float = 1.0) -> list[BlockRow]:
    """Three of six sit in each block; 5 gives to 2 whenever both are there, and both are good."""
    chance, rows = Random(seed), []
    for block in range(blocks):
        at = TABLES[block % len(TABLES)]
        values = {i: chance.gauss(i % 3, spread) for i in at}
        if {2, 5} <= values.keys():
            values[2] += gift
            values[5] -= gift
        rows.append(BlockRow(block, 4, at, list(values.values()), [(4, 2.0)] * 3))
    return rows


def told(rows: list[BlockRow]) -> list[tuple[int, int]]:
    return [(each.entrant, each.beside) for each in company(rows, fit(rows, 6))]


def test_a_planted_gift_is_found() -> None:
    rows = played(800, 1.0)
    found = company(rows, fit(rows, 6))
    assert {(each.entrant, each.beside) for each in found[:2]} == {(2, 5), (5, 2)}
    assert {each.entrant: each.difference > 0 for each in found[:2]} == {2: True, 5: False}
    assert [each.p for each in found] == sorted(each.p for each in found) and found[0].p < 1e-6


@pytest.mark.parametrize("seed", range(6))
def test_nobody_is_accused_of_being_good(seed: int) -> None:
    assert told(played(300, 0.0, seed)) == []


def test_the_effect_is_welch_on_what_the_model_misses() -> None:
    rows = played(400, 2.0)
    worth = fit(rows, 6).fitted
    beside, without = list[float](), list[float]()
    for row in rows:
        if 2 in row.entrants:
            expected = [worth[i] - worth[2] for i in row.entrants]
            missed = row.values[row.entrants.index(2)] - (sum(row.values) - sum(expected)) / 3
            (beside if 5 in row.entrants else without).append(missed)
    found = next(each for each in company(rows, fit(rows, 6)) if each[:2] == (2, 5))
    assert found.p == pytest.approx(stats.ttest_ind(beside, without, equal_var=False).pvalue, rel=1e-6)
    assert found.difference == pytest.approx(sum(beside) / len(beside) - sum(without) / len(without))


def test_ten_blocks_together_and_ten_apart() -> None:
    together = [row for row in played(2000, 3.0) if {2, 5} <= set(row.entrants)]
    rest = [row for row in played(200, 3.0) if not {2, 5} <= set(row.entrants)]
    assert {(2, 5), (5, 2)} <= set(told([*rest, *together[:10]]))
    assert not {(2, 5), (5, 2)} & set(told([*rest, *together[:9]]))
    always = [BlockRow(b, 4, [2, 5], [b % 3, -b % 5], [(4, 2.0)]) for b in range(50)]
    assert told(always) == []


def test_rounding_is_no_company() -> None:
    still = [BlockRow(b, 4, at, [0.1 * i for i in at], [(4, 2.0)] * 3) for b, at in enumerate(TABLES * 6)]
    assert told(still) == []


def test_welch() -> None:
    one, other = [3.0, 1, 4, 1, 5, 9], [2.0, 7, 1, 8, 2, 8, 1, 8, 28]
    truth = stats.ttest_ind(one, other, equal_var=False)
    assert welch(Moments.of(one), Moments.of(other), 0) == pytest.approx(truth.pvalue)
    assert welch(Moments.of([1.0] * 9), Moments.of([1.0] * 7), 0) == 1
    assert welch(Moments.of([1.0] * 9), Moments.of([2.0] * 7), 0) == 0
