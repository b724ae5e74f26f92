"""Cycles that are planted are found, and no others."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from scipy import stats

from roundsim.statistics.cycles import cycles, mean_and_chance, paired_sums
from roundsim.statistics.differences import fit
from roundsim.statistics.rows import BlockRow, tables_of


def duels(
    blocks: int, gain: dict[tuple[int, int], float], n: int, spread: float = 1.0, seed: int = 1
) -> list[BlockRow]:
    """Two of n sit in each block; the first of a pair in `gain` has so much over the other."""
    chance, pairs = Random(seed), list(combinations(range(n), 2))
    rows = []
    for block in range(blocks):
        i, j = pairs[block % len(pairs)]
        x = (gain.get((i, j), 0.0) - gain.get((j, i), 0.0) + chance.gauss(0, spread)) / 2
        rows.append(BlockRow(block, 8, [j, i], [-x, x], [(8, 4.0)]))
    return rows


CYCLE = {(3, 1): 2.0, (1, 4): 2.0, (4, 3): 2.0}


def test_a_planted_cycle_is_found_once_from_its_lowest() -> None:
    rows = duels(300, CYCLE, 5)
    assert cycles(tables_of(rows), 5) == [(1, 4, 3)]
    assert cycles(tables_of(duels(300, {(j, i): gain for (i, j), gain in CYCLE.items()}, 5)), 5) == [(1, 3, 4)]


def test_all_three_differences_must_be_significant() -> None:
    assert cycles(tables_of(duels(300, CYCLE | {(4, 3): 0.1}, 5)), 5) == []
    assert cycles(tables_of(duels(90, CYCLE, 5)), 5) == []  # nine blocks a pair


def test_four_in_a_ring_hold_as_many_cycles_as_their_diagonals_make() -> None:
    ring = {(0, 1): 3.0, (1, 2): 3.0, (2, 3): 3.0, (3, 0): 3.0, (0, 2): 3.0, (1, 3): 3.0}
    assert cycles(tables_of(duels(200, ring, 4)), 4) == [(0, 1, 3), (0, 2, 3)]


@pytest.mark.parametrize("seed", range(2))
def test_an_order_has_none(seed: int) -> None:
    order = {(i, j): 0.6 * (j - i) for i, j in combinations(range(5), 2)}
    assert cycles(tables_of(duels(400, order, 5, seed=seed)), 5) == []


def test_a_pair_is_judged_by_the_blocks_where_both_sat() -> None:
    chance = Random(5)
    both = [BlockRow(b, 6, [2, 0], [chance.gauss(0, 1), chance.gauss(1, 2)], [(6, 3.0)]) for b in range(14)]
    others = [BlockRow(14 + b, 6, [0, 1], [99.0, b], [(6, 3.0)]) for b in range(20)]
    mean, p = mean_and_chance(paired_sums(tables_of(both + others))[0, 2])
    truth = stats.ttest_rel([row.values[1] for row in both], [row.values[0] for row in both])
    assert mean == pytest.approx(sum(row.values[1] - row.values[0] for row in both) / 14)
    assert p == pytest.approx(truth.pvalue)


def test_blocks_of_different_weights_count_as_in_the_model_of_two() -> None:
    chance = Random(6)
    rows = [BlockRow(b, 1 + b % 5, [0, 1], [chance.gauss(1, 3), chance.gauss(0, 1)], [(1, 0.5)]) for b in range(40)]
    mean, p = mean_and_chance(paired_sums(tables_of(rows))[0, 1])
    found = fit(tables_of(rows), 2).between(0, 1)
    assert found is not None and (mean, p) == pytest.approx((found.value, found.p))


def test_a_constant_difference_is_significant_and_copies_are_not() -> None:
    circle = [(0, 1), (1, 2), (2, 0)]
    still = [BlockRow(b, 3, list(circle[b % 3]), [0.1, 0.0], [(3, 3.0)]) for b in range(60)]
    assert cycles(tables_of(still), 3) == [(0, 1, 2)]
    assert cycles(tables_of([row._replace(values=[0.1, 0.1]) for row in still]), 3) == []
    assert cycles(tables_of([]), 3) == []
