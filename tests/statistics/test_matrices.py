"""Matrices against numpy's."""

from __future__ import annotations

import numpy as np
import pytest

from roundsim.statistics.matrices import add_square, inverse, sandwich, times, zeros


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_inverse_and_sandwich(n: int) -> None:
    chance = np.random.default_rng(n)
    shape, meat = chance.normal(size=(n, n + 3)), chance.normal(size=(n, n + 3))
    matrix, inner = shape @ shape.T, meat @ meat.T
    found = inverse(matrix.tolist())
    assert np.allclose(found, np.linalg.inv(matrix), rtol=1e-7)
    assert np.allclose(
        sandwich(found, inner.tolist()), np.linalg.inv(matrix) @ inner @ np.linalg.inv(matrix), rtol=1e-6
    )
    assert np.allclose(times(found, matrix[0].tolist()), np.eye(n)[0], atol=1e-7)


def test_squares_are_added_where_they_belong() -> None:
    matrix = zeros(4)
    add_square(matrix, [3, 1], [2.0, 5.0])
    add_square(matrix, [1], [1.0])
    assert matrix == [[0, 0, 0, 0], [0, 26, 0, 10], [0, 0, 0, 0], [0, 10, 0, 4]]
