"""Matrices against numpy's."""

from __future__ import annotations

import numpy as np
import pytest

from roundsim.statistics.matrices import add_products, inverse, root, sandwich, solved, times, zeros


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_inverse_and_sandwich(n: int) -> None:
    chance = np.random.default_rng(n)
    shape, meat = chance.normal(size=(n, n + 3)), chance.normal(size=(n, n + 3))
    matrix, inner = shape @ shape.T, meat @ meat.T
    assert np.allclose(solved(root(matrix.tolist()), inner[0].tolist()), np.linalg.solve(matrix, inner[0]), rtol=1e-6)
    found = inverse(matrix.tolist())
    assert np.allclose(found, np.linalg.inv(matrix), rtol=1e-7)
    assert np.allclose(
        sandwich(found, inner.tolist()), np.linalg.inv(matrix) @ inner @ np.linalg.inv(matrix), rtol=1e-6
    )
    assert np.allclose(times(found, matrix[0].tolist()), np.eye(n)[0], atol=1e-7)


def test_products_are_added_where_they_belong() -> None:
    matrix = zeros(4)
    add_products(matrix, [3, 1], [[2.0, 1.0], [5.0, 3.0]])
    add_products(matrix, [1], [[1.0]])
    assert matrix == [[0, 0, 0, 0], [0, 35, 0, 13], [0, 0, 0, 0], [0, 13, 0, 5]]
