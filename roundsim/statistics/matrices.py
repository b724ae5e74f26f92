"""Linear algebra for least squares: dense symmetric matrices with a row for each entrant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from math import sqrt
from operator import mul, sub

Matrix = list[list[float]]
NOISE = 1e-14  # relative to a number on the diagonal: rounding may leave this much instead of 0


def zeros(n: int) -> Matrix:
    return [[0.0] * n for _ in range(n)]


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the sum of the products of two vectors, up to the end of the shorter."""
    product: float = sum(map(mul, one, other))
    return product


def cholesky_root(matrix: Matrix) -> Matrix:
    """Return the lower triangle whose product with its transpose is this symmetric matrix (Cholesky).

    Only the lower triangle of the matrix is read. It may be singular, but has no negative eigenvalues: a column of the
    root that would be only rounding is 0."""
    lower: Matrix = []
    for i, row in enumerate(matrix):
        own: list[float] = []
        for x, other in zip(row, lower, strict=False):
            own.append((x - dot(own, other)) / other[-1] if other[-1] else 0.0)
        left = row[i] - dot(own, own)
        own.append(sqrt(left) if left > NOISE * row[i] else 0.0)
        lower.append(own)
    return lower


def solved(lower: Matrix, columns: Iterable[Sequence[float]]) -> list[list[float]]:
    """Return for each column the vector that the matrix with this root turns into it.

    A column that is shorter than the matrix starts with zeros, which are left out."""
    n, solutions = len(lower), []
    below = [[row[j] for row in lower[:j:-1]] for j in range(n)]  # the last row first
    for column in columns:
        first = n - len(column)
        forward: list[float] = []
        for row, x in zip(lower[first:], column, strict=True):
            forward.append((x - dot(row[first:], forward)) / row[-1])
        backward: list[float] = []  # the last number first
        for i, x in zip(reversed(range(n)), [*reversed(forward), *[0.0] * first], strict=True):
            backward.append((x - dot(below[i], backward)) / lower[i][-1])
        solutions.append(backward[::-1])
    return solutions


def inverse(matrix: Matrix) -> Matrix:
    """Return the inverse of a positive definite symmetric matrix, for which Gauss and Jordan need no pivots."""
    rows = [list(row) for row in matrix]
    for k in range(len(rows)):
        scale = 1 / rows[k][k]
        rows[k][k] = 1.0
        pivot = [scale * x for x in rows[k]]
        for i, row in enumerate(rows):
            factor, row[k] = row[k], 0.0
            if factor:
                rows[i] = list(map(sub, row, map(mul, repeat(factor), pivot)))
        rows[k] = pivot
    return rows


def sandwich_root(bread: Matrix, meat: Matrix) -> Matrix:
    """Return a root of the sandwich estimator, inverse times `meat` times inverse of the matrix with the root `bread`.

    The product of two of its rows is a covariance, and their distance the standard error of a difference."""
    inner = cholesky_root(meat)
    columns = solved(bread, [[row[j] for row in inner[j:]] for j in range(len(inner))])
    return [list(row) for row in zip(*columns, strict=True)]
