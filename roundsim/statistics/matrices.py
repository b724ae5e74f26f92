"""The little of matrices that least squares need: as many rows as there are entrants."""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

from ..native import native

Matrix = list[list[float]]


def zeros(n: int) -> Matrix:
    return [[0.0] * n for _ in range(n)]


@native
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


def times(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    return [sum(map(mul, row, vector)) for row in matrix]


def add_square(matrix: Matrix, at: Sequence[int], vector: Sequence[float]) -> None:
    """Add the products of a vector's numbers, two by two, where they belong."""
    for i, x in zip(at, vector, strict=True):
        row = matrix[i]
        for j, y in zip(at, vector, strict=True):
            row[j] += x * y


@native
def sandwich(bread: Matrix, meat: Matrix) -> Matrix:
    """Bread, meat and bread multiplied; both are symmetric."""
    half = [times(bread, row) for row in meat]  # meat times bread, as bread is its own transpose
    columns = list(zip(*half, strict=True))
    return [[sum(map(mul, row, column)) for column in columns] for row in bread]
