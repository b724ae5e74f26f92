"""The little of matrices that least squares need: as many rows as there are entrants."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from math import sqrt
from operator import mul

Matrix = list[list[float]]


def zeros(n: int) -> Matrix:
    return [[0.0] * n for _ in range(n)]


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    """The sum of the products of two vectors, as far as the shorter goes."""
    product: float = sum(map(mul, one, other))
    return product


def times(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    return [dot(row, vector) for row in matrix]


def root(matrix: Matrix) -> Matrix:
    """The lower triangle whose product with its transpose is this symmetric, positive definite matrix (Cholesky)."""
    lower: Matrix = []
    for i, row in enumerate(matrix):
        own: list[float] = []
        for x, other in zip(row, lower, strict=False):
            own.append((x - dot(own, other)) / other[-1])
        own.append(sqrt(row[i] - dot(own, own)))
        lower.append(own)
    return lower


def solved(lower: Matrix, right: Sequence[float]) -> list[float]:
    """The vector that the matrix of this root makes `right` of."""
    found: list[float] = []
    for row, x in zip(lower, right, strict=True):
        found.append((x - dot(row, found)) / row[-1])
    for i in reversed(range(len(found))):
        found[i] /= lower[i][i]
        found[:i] = [x - found[i] * y for x, y in zip(found[:i], lower[i], strict=False)]
    return found


def inverse(matrix: Matrix) -> Matrix:
    """The inverse of a symmetric matrix that is positive definite, where Gauss and Jordan need not look for pivots."""
    rows = [list(row) for row in matrix]
    for k in range(len(rows)):
        scale = 1 / rows[k][k]
        rows[k][k] = 1.0
        pivot = [scale * x for x in rows[k]]
        for i, row in enumerate(rows):
            factor, row[k] = row[k], 0.0
            rows[i] = [x - factor * y for x, y in zip(row, pivot, strict=True)]
        rows[k] = pivot
    return rows


def symmetric(lower: Matrix) -> Matrix:
    """The matrix of which this is the lower triangle."""
    return [[*row, *[below[i] for below in lower[i + 1 :]]] for i, row in enumerate(lower)]


def add_products(matrix: Matrix, at: Sequence[int], columns: Sequence[Sequence[float]]) -> None:
    """Add the products of columns, two by two, where they belong."""
    for (i, x), (j, y) in combinations_with_replacement(zip(at, columns, strict=True), 2):
        product = dot(x, y)
        matrix[i][j] += product
        if i != j:
            matrix[j][i] += product


def sandwich(bread: Matrix, meat: Matrix) -> Matrix:
    """Bread, meat and bread multiplied; both are symmetric."""
    half = [times(bread, row) for row in meat]  # meat times bread, as bread is its own transpose
    columns = [*zip(*half, strict=True)]
    return symmetric([[dot(row, column) for column in columns[: i + 1]] for i, row in enumerate(bread)])
