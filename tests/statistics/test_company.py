"""Planted gifts are found, and no entrant without them is accused."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations
from random import Random

import numpy as np
import pytest
from helpers.command import seldom, seldom_with
from scipy import stats

from roundsim.statistics.company import Company, Uniform, company, permutation_p, pooled_t
from roundsim.statistics.differences import fit
from roundsim.statistics.moments import Moments
from roundsim.statistics.rows import BlockRow, tables_of

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


Deal = Callable[[Random], list[float]]


def normal(chance: Random) -> list[float]:
    return [chance.gauss(0, 1) for _ in range(4)]


def one_winner(chance: Random) -> list[float]:
    return chance.sample([3.0, -1.0, -1.0, -1.0], 4)


def jackpot(chance: Random) -> list[float]:
    """One block in fifty is about a hundred times the stake."""
    stake = 100 if chance.random() < 0.02 else 1
    return [stake * x for x in one_winner(chance)]


def drawn(entrant: int, companion: int) -> Uniform:
    return Random(f"{entrant}/{companion}").random


def pairs_found(rows: list[BlockRow], entrants: int = 6) -> list[tuple[int, int]]:
    return [(each.entrant, each.beside) for each in company(tables_of(rows), fit(tables_of(rows), entrants), drawn)]


@cache
def with_gift() -> tuple[list[BlockRow], list[Company]]:
    rows = played(400, 1.0)
    return rows, company(tables_of(rows), fit(tables_of(rows), 6), drawn)


def test_a_planted_gift_is_found() -> None:
    """Each of 30 pairs is drawn 6000 times; a gift of a whole spread in 80 blocks of 200 is never reached."""
    _, found = with_gift()
    assert {(each.entrant, each.beside) for each in found[:2]} == {(2, 5), (5, 2)}
    assert {each.entrant: each.difference > 0 for each in found[:2]} == {2: True, 5: False}
    assert [each.p for each in found] == sorted(each.p for each in found) and found[0].p == 1 / 6001


@pytest.mark.parametrize("seed", [*range(2), *seldom(*range(2, 6))])
def test_a_good_entrant_is_not_accused(seed: int) -> None:
    assert pairs_found(played(300, 0.0, seed)) == []


def test_the_effect_is_a_permutation_of_the_residuals() -> None:
    """Two means of the residuals, without the library; how often they are so different, by scipy's own draws."""
    rows = played(60, 1.2)
    worth = fit(tables_of(rows), 6).fitted
    together, apart = list[float](), list[float]()
    for row in rows:
        if 2 in row.entrants:
            expected = [worth[i] - worth[2] for i in row.entrants]
            missed = row.values[row.entrants.index(2)] - (sum(row.values) - sum(expected)) / 3
            (together if 5 in row.entrants else apart).append(missed)
    oracle = stats.permutation_test(
        (together, apart),
        lambda one, other, axis: np.mean(one, axis) - np.mean(other, axis),
        vectorized=True,
        n_resamples=5_000,
        rng=np.random.default_rng(1),
    )
    assert permutation_p(together, apart, 0.02, Random(1).random) == pytest.approx(oracle.pvalue, abs=0.01)
    rows, all_found = with_gift()
    table, worth = [row for row in rows if 2 in row.entrants], fit(tables_of(rows), 6).fitted
    own = [row.values[row.entrants.index(2)] - sum(row.values) / 3 for row in table]
    due = [worth[2] - sum(worth[i] for i in row.entrants) / 3 for row in table]
    with_5 = [5 in row.entrants for row in table]
    means = [np.mean([x - y for x, y, sat in zip(own, due, with_5, strict=True) if sat is so]) for so in (True, False)]
    found = next(each for each in all_found if each[:2] == (2, 5))
    assert found.difference == pytest.approx(means[0] - means[1])


def test_ten_blocks_together_and_ten_apart() -> None:
    together = [row for row in played(2000, 3.0) if {2, 5} <= set(row.entrants)]
    rest = [row for row in played(200, 3.0) if not {2, 5} <= set(row.entrants)]
    assert {(2, 5), (5, 2)} <= set(pairs_found([*rest, *together[:10]]))
    assert not {(2, 5), (5, 2)} & set(pairs_found([*rest, *together[:9]]))
    always = [BlockRow(b, 4, [2, 5], [b % 3, -b % 5], [(4, 2.0)]) for b in range(50)]
    assert pairs_found(always) == []


def test_rounding_is_no_company() -> None:
    still = [BlockRow(b, 4, at, [0.1 * i for i in at], [(4, 2.0)] * 3) for b, at in enumerate(TABLES * 6)]
    assert pairs_found(still) == []


def test_pairs_are_screened_by_the_pooled_t() -> None:
    one, other = [3.0, 1, 4, 1, 5, 9], [2.0, 7, 1, 8, 2, 8, 1, 8, 28]
    assert pooled_t(Moments.of(one), Moments.of(other), 0) == pytest.approx(stats.ttest_ind(one, other).pvalue)
    assert pooled_t(Moments.of([1.0] * 9), Moments.of([1.0] * 7), 0) == 1
    assert pooled_t(Moments.of([1.0] * 9), Moments.of([2.0] * 7), 0) == 0


def test_draws_by_hand() -> None:
    """Ten numbers, the five largest against the others: of 252 ways to divide them, 2 are as far apart.  Two of 1000
    draws are a standard error of 0.0028.  At half that level the draws end without a result."""
    one, other = [16.0, 9, 8, 7, 6], [5.0, 3, 2, 1, 0]
    assert permutation_p(one, other, 0.01, Random(2).random) == pytest.approx(2 / 252, abs=0.006)
    assert permutation_p(one, other, 0.002, Random(2).random) == 1
    one, other = [1.0] * 20, [0.0] * 20
    assert permutation_p(one, other, 0.002, Random(1).random, slack=0.1) == 1 / 5_001
    assert permutation_p(one, other, 0.002, Random(1).random, slack=1.0) == 1  # the groups are 1 apart


def test_draws_end_when_the_result_cannot_pass() -> None:
    calls = 0

    def uniform() -> float:
        nonlocal calls
        calls += 1
        return 0.0

    assert permutation_p([9.0, 8.0], [1.0, 0.0], 0.001, uniform) == 1
    assert calls < 100


COPIES = 20
CELLS = {"normal": normal, "one winner": one_winner, "jackpot": jackpot}


def accused(kind: Deal, blocks: int, runs: int) -> int:
    """In how many tournaments of copies at four seats anybody is accused."""
    found = 0
    for run in range(runs):
        chance = Random(f"{kind.__name__}/{blocks}/{run}")
        rows = []
        for block in range(blocks):
            seats = chance.sample(range(COPIES), 4)
            rows.append(BlockRow(block, 4, seats, kind(chance), [(4, 2.0)] * 6))
        found += bool(pairs_found(rows, COPIES))
    return found


@pytest.mark.parametrize(("blocks", "runs", "most"), [(400, 2, 1), *seldom_with((400, 150, 15), (1600, 150, 15))])
@pytest.mark.parametrize("kind", CELLS.values(), ids=CELLS)
def test_few_copies_are_accused(kind: Deal, blocks: int, runs: int, most: int) -> None:
    """At most .05, and three standard errors: of 150 runs 0.103, fifteen runs."""
    assert accused(kind, blocks, runs) <= most
