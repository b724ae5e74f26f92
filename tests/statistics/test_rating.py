"""Ratings against scipy's optimum of the likelihood, and a sandwich written out in numpy."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import optimize, special, stats

from roundsim.statistics.rating import Rating, rate
from roundsim.statistics.rows import BlockRow, tables_of

TABLES = [[0, 1, 2], [2, 3, 4, 0], [4, 1], [3, 0, 1]]


def row(block: int, entrants: list[int], ahead: list[tuple[int, float]]) -> BlockRow:
    return BlockRow(block, 1, entrants, [0.0] * len(entrants), ahead)


def played(blocks: int) -> list[BlockRow]:
    """Blocks of 6 to 9 deals, in which the higher number is ahead more often, and every third pair equal."""
    chance, rows = Random(4), []
    for block in range(blocks):
        at, deals = TABLES[block % len(TABLES)], 6 + block % 4
        ahead = [sum(0.5 if chance.random() < 1 / 3 else chance.random() * (i + 1) > chance.random() * (j + 1)
                     for _ in range(deals)) for i, j in combinations(at, 2)]  # fmt: skip
        rows.append(row(block, at, [(deals, each) for each in ahead]))
    return rows


def test_ratings_are_the_likeliest_and_errors_a_sandwich() -> None:
    rows, n = played(60), 5
    pairs = [
        (b, pair, each.ahead[k]) for b, each in enumerate(rows) for k, pair in enumerate(combinations(each.entrants, 2))
    ]
    games = [(b, *pair, *ahead) for b, pair, ahead in pairs]
    block, first, second, met, won = (np.array(column) for column in zip(*games, strict=True))

    def unlikely(strength: NDArray[np.float64]) -> float:
        gap = strength[first] - strength[second]
        drawn = np.log(special.expit(strength)) / 2 + np.log(special.expit(-strength)) / 2
        return float(
            -np.sum(won * np.log(special.expit(gap)) + (met - won) * np.log(special.expit(-gap))) - drawn.sum()
        )

    signs = np.eye(n)[first] - np.eye(n)[second]

    def slope(strength: NDArray[np.float64]) -> NDArray[np.float64]:  # its differences are too coarse for a millionth
        more: NDArray[np.float64] = won - met * special.expit(signs @ strength)
        return np.asarray(special.expit(strength) - 0.5 - signs.T @ more)

    strength = optimize.minimize(unlikely, np.zeros(n), jac=slope, tol=1e-8).x
    chance = special.expit(signs @ strength)
    own = special.expit(strength)
    bread = np.linalg.inv(signs.T @ (signs * (met * chance * (1 - chance))[:, None]) + np.diag(own * (1 - own)))
    scores = np.array([((won - met * chance)[:, None] * signs)[block == b].sum(axis=0) for b in range(60)])
    standard = np.sqrt(np.diag(bread @ scores.T @ scores @ bread) * 60 / 59)
    sat = [sum(i in each.entrants for each in rows) for i in range(n)]
    found = rate(tables_of(rows), n)
    for i, each in enumerate(found):
        assert each is not None
        assert each.chance == pytest.approx(own[i], abs=1e-6)
        far = standard[i] * stats.t.ppf(0.975, sat[i] - 1)
        limits = special.expit([strength[i] - far, strength[i] + far])
        assert each.error == pytest.approx(abs(limits - own[i]).max(), rel=1e-4)


def test_one_pair_by_hand() -> None:
    """Won 3 of 4, and each a drawn game: with strength s against -s, 3 + 1/2 = 4 / (1 + exp(-2s)) + 1 / (1 + exp(-s))."""
    found, other = rate(tables_of([row(0, [0, 1], [(4, 3.0)])]), 2)
    assert found is not None and other is not None
    chance = found.chance
    assert 4 * chance**2 / (chance**2 + (1 - chance) ** 2) + chance == pytest.approx(3.5, abs=1e-12)
    assert found.error is None and other.chance == pytest.approx(1 - chance, abs=1e-12)


def test_equals_are_average_without_error() -> None:
    rows = [row(b, [0, 1, 2], [(8, 4.0)] * 3) for b in range(12)]
    assert rate(tables_of(rows), 3) == [Rating(0.5, 0.0)] * 3


@pytest.mark.parametrize("deals", [1, 4, 1_000_000])
def test_an_entrant_that_is_always_ahead_has_a_finite_strength(deals: int) -> None:
    """A whole field in one order, whatever was played."""
    rows = [row(b, list(range(12)), [(deals, float(deals))] * 66) for b in range(10)]
    chances = [each.chance for each in rate(tables_of(rows), 12) if each]
    assert len(chances) == 12 and chances == sorted(chances, reverse=True)
    assert chances[0] <= 1 and chances[5] > 0.5 and chances[5] == pytest.approx(1 - chances[6])


def test_full_steps_would_fail_where_few_games_connect_many() -> None:
    games = {(0, 1): (100, 50.0), (0, 2): (100, 0.0), (0, 3): (1, 1.0), (0, 4): (100_000, 100_000.0),
             (1, 3): (10_000, 10_000.0), (2, 3): (1_000_000, 1_000_000.0), (2, 4): (1_000_000, 500_000.0)}  # fmt: skip
    found = rate(tables_of([row(b, list(pair), [won]) for b, (pair, won) in enumerate(games.items())]), 5)
    strength = [special.logit(each.chance) for each in found if each]
    missed = [0.5 - each.chance for each in found if each]
    for (i, j), (met, won) in games.items():
        more = won - met * special.expit(strength[i] - strength[j])
        missed[i] += more
        missed[j] -= more
    assert missed == pytest.approx([0] * 5, abs=1e-4)  # each has won as much as is expected


def test_the_order_of_the_blocks_and_of_a_table_does_not_matter() -> None:
    rows, turned = played(40), []
    for each in rows[::-1]:
        met = dict(zip(combinations(each.entrants, 2), each.ahead, strict=True))
        others = combinations(each.entrants[::-1], 2)
        ahead = [(games, games - won) for games, won in (met[j, i] for i, j in others)]
        turned.append(each._replace(entrants=each.entrants[::-1], ahead=ahead))
    for one, other in zip(rate(tables_of(rows), 5), rate(tables_of(turned), 5), strict=True):
        assert one is not None and other is not None and tuple(one) == pytest.approx(tuple(other), abs=1e-9)


def test_an_entrant_without_comparisons_has_no_rating() -> None:
    rows = [row(b, [0, 2], [(4, 2.0)]) for b in range(9)] + [row(9, [1], []), row(10, [3, 2], [(0, 0.0)])]
    assert rate(tables_of(rows), 5) == [Rating(0.5, None), None, Rating(0.5, 0.0), None, None]
    assert rate(tables_of([]), 2) == [None, None]


def test_an_entrant_that_is_always_second_of_three_has_no_error() -> None:
    """All blocks say the same of it, and rounding may leave a variance just below 0."""
    for blocks in range(10, 40):
        rows = [row(block, [0, 1, 2], [(1, 1.0), (1, 1.0), (1, 1.0)]) for block in range(blocks)]
        second = rate(tables_of(rows), 3)[1]
        assert second and second.error is not None and second.error < 1e-6
