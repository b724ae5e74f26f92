"""Differences between entrants: what each is worth at one table, whoever sat there with whom, and how sure that is.

In a block each value is what its table gave, and what the entrant is worth, and chance: values[i] = table + worth[i] + error.
Least squares, weighted by the blocks (intra-block analysis: Yates 1936); errors from what whole blocks missed the model by,
so that nothing is assumed of those who sat together (Liang and Zeger 1986).  Where everybody sat in every block this is
the mean, and the paired t."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from operator import mul, sub
from typing import NamedTuple

from .distributions import LEAST_BLOCKS, student, student_tail
from .matrices import Matrix, add_products, dot, inverse, sandwich, times, zeros
from .rows import Row, Table, tables

ALIKE = 1e-12  # of the size of the values: what rounding may leave of nothing
COPIES = 3e-7  # of the errors of two entrants: what rounding may leave of the error between copies


class Difference(NamedTuple):
    """A difference, half the width of its 95 % interval, its standard error, how many degrees of freedom that has, and how
    often chance alone makes a difference so large."""

    value: float
    error: float
    standard: float
    freedom: float
    p: float

    @classmethod
    def of(cls, value: float, standard: float, freedom: float, grain: float = 0.0) -> Difference:
        """By Student's t; what is no more than the grain is rounding."""
        standard = standard if standard > grain else 0.0
        return cls(value, student(freedom) * standard, standard, freedom, chance(value, standard, freedom, grain))


@dataclass(frozen=True)
class Worths:
    """What each entrant is worth, and in how many blocks it sat; `fitted` is 0 for who sat in none."""

    blocks: Sequence[int]
    grain: float
    fitted: Sequence[float]
    _covariance: Matrix
    _part: Sequence[int]

    @property
    def worth(self) -> list[float | None]:
        """None for who has not played; the others sum to 0, in each part of the field that met no other part."""
        return [worth if blocks else None for worth, blocks in zip(self.fitted, self.blocks, strict=True)]

    def between(self, i: int, j: int) -> Difference | None:
        """How far i is above j; None where they are not to be compared: under ten blocks of either, or no way from one to
        the other by those who met."""
        freedom = min(self.blocks[i], self.blocks[j]) - 1
        if freedom < LEAST_BLOCKS - 1 or self._part[i] != self._part[j]:
            return None
        apart = self._covariance[i][i] + self._covariance[j][j]
        standard = sqrt(max(0.0, apart - 2 * self._covariance[i][j]))
        return Difference.of(self.fitted[i] - self.fitted[j], standard, freedom, self.grain + COPIES * sqrt(apart))

    def pairs(self) -> dict[tuple[int, int], Difference]:
        """Between all who are to be compared, the lower number first."""
        both = combinations(range(len(self.blocks)), 2)
        return {(i, j): found for i, j in both if (found := self.between(i, j))}


def fit(rows: Iterable[Row], n: int) -> Worths:
    """What n entrants are worth.  Two fields that few blocks join are told too surely: these have little left to miss."""
    normal, right, blocks = zeros(n), [0.0] * n, [0] * n
    weights, squares = 0, 0.0
    for table in tables(rows):
        for i in table.entrants:
            blocks[i] += len(table.blocks)
        weights += sum(table.weights) * len(table.entrants)
        squares += add_equations(normal, right, table)
    part = parts(normal)
    level = weights / n**2 or 1.0  # holds the worths of a part to a sum of 0; of any size
    bread = inverse([[x + level * (part[i] == part[j]) for j, x in enumerate(row)] for i, row in enumerate(normal)])
    worth = times(bread, right)
    meat, counts = zeros(n), Counter[int]()
    for table in tables(rows):
        missed = [list(map(mul, table.weights, column)) for column in residuals(table, worth)]
        add_products(meat, table.entrants, missed)
        counts[part[table.entrants[0]]] += len(table.blocks)
    scales = [counts[p] / max(1, counts[p] - 1) for p in part]
    covariance = [[x * scale for x in row] for row, scale in zip(sandwich(bread, meat), scales, strict=True)]
    return Worths(blocks, ALIKE * sqrt(squares / (weights or 1)), worth, covariance, part)


def add_equations(normal: Matrix, right: list[float], table: Table) -> float:
    """Add what blocks say of worths to the equations of least squares; the squares of their values about their means."""
    weight, squares = sum(table.weights), 0.0
    for i, column in zip(table.entrants, centred(table.values), strict=True):
        weighted = list(map(mul, table.weights, column))
        right[i] += sum(weighted)
        squares += dot(weighted, column)
        normal[i][i] += weight
        for j in table.entrants:
            normal[i][j] -= weight / len(table.entrants)
    return squares


def chance(value: float, standard: float, freedom: float, grain: float = 0.0) -> float:
    """How often chance alone makes a difference so large (Student's t); sure where the error is rounding alone."""
    return student_tail(value / standard, freedom) if standard > grain else float(abs(value) <= grain)


def residuals(table: Table, worth: Sequence[float]) -> list[list[float]]:
    """By how much the values of blocks miss what the model expects there."""
    both = zip(table.entrants, table.values, strict=True)
    return centred([[value - worth[i] for value in column] for i, column in both])


def centred(columns: Sequence[Sequence[float]]) -> list[list[float]]:
    """What is left of each value when the mean of its block is taken off."""
    means = [sum(values) / len(values) for values in zip(*columns, strict=True)]
    return [list(map(sub, column, means)) for column in columns]


def parts(met: Matrix) -> list[int]:
    """Of which part of the field each entrant is: parts are those who can be reached from one another by meetings."""
    part = list(range(len(met)))
    for i, j in combinations(part, 2):
        if met[i][j] and part[i] != part[j]:
            part = [part[i] if each == part[j] else each for each in part]
    return part


def hanging(rows: Iterable[Row]) -> dict[tuple[int, int], int]:
    """Of each two who sat together, the lower number first, the block without which their mean difference there loses its
    sign, if there is one."""
    total: dict[tuple[int, int], float] = {}
    most: dict[tuple[int, int, int], tuple[float, int]] = {}
    for table in tables(rows):
        for (i, x), (j, y) in combinations(zip(table.entrants, table.values, strict=True), 2):
            given = list(map(mul, table.weights, map(sub, x, y)))
            total[i, j] = total.get((i, j), 0.0) + sum(given)
            for sign, largest in (1, max(given)), (-1, min(given)):
                if abs(largest) > most.get((i, j, sign), (0.0, 0))[0] and sign * largest > 0:
                    most[i, j, sign] = abs(largest), table.blocks[given.index(largest)]
    found = {}
    for (i, j), whole in total.items():
        largest, block = most.get((i, j, 1 if whole > 0 else -1), (0.0, 0))
        if whole and largest >= abs(whole):
            found[i, j] = block
    return found


def value_of(row: Row, entrant: int) -> float:
    return row.values[row.entrants.index(entrant)]
