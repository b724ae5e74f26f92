"""Matrices against numpy's."""

from __future__ import annotations

import numpy as np
import pytest

from roundsim.statistics.matrices import cholesky_root, inverse, sandwich_root, solved


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_solutions_and_sandwich(n: int) -> None:
    chance = np.random.default_rng(n)
    shape, meat = chance.normal(size=(n, n + 3)), chance.normal(size=(n, n + 3))
    matrix, inner = shape @ shape.T, meat @ meat.T
    lower = cholesky_root(matrix.tolist())
    short = inner[0, n // 2 :]
    whole = np.concatenate([np.zeros(n // 2), short])
    found = solved(lower, [inner[0].tolist(), short.tolist()])
    assert np.allclose(found, np.linalg.solve(matrix, np.array([inner[0], whole]).T).T, rtol=1e-6)
    assert np.allclose(inverse(matrix.tolist()), np.linalg.inv(matrix), rtol=1e-7)
    rows = np.array(sandwich_root(lower, inner.tolist()))
    assert np.allclose(rows @ rows.T, np.linalg.inv(matrix) @ inner @ np.linalg.inv(matrix), rtol=1e-6)


@pytest.mark.parametrize("n", [2, 7, 40])
def test_a_root_of_fewer_blocks_than_entrants(n: int) -> None:
    """The residuals of each block sum to 0, and two entrants that are copies have the same."""
    missed = np.random.default_rng(n).normal(size=(n, n))
    missed[n // 2] = missed[0]
    missed -= missed.mean(axis=0)
    for blocks in 1, n // 2, n:
        meat = missed[:, :blocks] @ missed[:, :blocks].T
        lower = cholesky_root(meat.tolist())
        product = [[sum(a * b for a, b in zip(one, other, strict=False)) for other in lower] for one in lower]
        assert np.allclose(product, meat, atol=1e-9 * n)


def test_the_upper_triangle_is_not_read() -> None:
    assert cholesky_root([[4.0, 99.0], [6.0, 10.0]]) == [[2.0], [3.0, 1.0]]
    assert cholesky_root([[0.0, 99.0], [0.0, 9.0]]) == [[0.0], [0.0, 3.0]]
