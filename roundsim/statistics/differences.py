"""Differences between entrants: what each is worth at one table, whoever sat there with whom, and how sure that is.

In a block each value is what its table gave, and what the entrant is worth, and chance: values[i] = table + worth[i] + error.
Least squares, weighted by the blocks (intra-block analysis: Yates 1936); errors from what whole blocks missed the model by,
so that nothing is assumed of those who sat together (Liang and Zeger 1986).  Where everybody sat in every block this is
the mean, and the paired t."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations
from math import dist, hypot, sqrt
from operator import mul, sub
from typing import NamedTuple

from .distributions import LEAST_BLOCKS, student, student_tail
from .matrices import Matrix, cholesky_root, dot, inverse, sandwich_root, zeros
from .rows import BlockColumns, BlockRow, Pair, add_products, batches_by_size, meetings

ROUNDING = 1e-12  # of the size of the values: what rounding may leave of nothing
COPIES = 3e-7  # of the errors of two entrants: what rounding may leave of the error between copies

BlockData = tuple[float, int]  # a weighted difference, and its block
NOTHING: BlockData = 0.0, 0


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
    """What each entrant is worth, and in how many blocks it sat; `fitted` is 0 for who sat in none.

    `_errors`: a row for each entrant, such that the distance of two rows is the standard error of the difference; none if
    nobody has ten blocks."""

    blocks: Sequence[int]
    grain: float
    fitted: Sequence[float]
    _errors: Matrix
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
        grain = self.grain + COPIES * hypot(self._standards[i], self._standards[j])
        standard = dist(self._errors[i], self._errors[j])
        return Difference.of(self.fitted[i] - self.fitted[j], standard, freedom, grain)

    @cached_property
    def _standards(self) -> list[float]:
        """The standard error of each worth."""
        return [hypot(*row) for row in self._errors]

    def pairs(self) -> dict[tuple[int, int], Difference]:
        """Between all who are to be compared, the lower number first."""
        both = combinations(range(len(self.blocks)), 2)
        return {(i, j): found for i, j in both if (found := self.between(i, j))}


def fit(rows: Iterable[BlockRow], n: int) -> Worths:
    """What n entrants are worth.  Two fields that few blocks join are told too surely: these have little left to miss."""
    normal, right, blocks = zeros(n), [0.0] * n, Counter[int]()
    weights, squares = 0, 0.0
    for table in batches_by_size(rows):
        blocks.update(chain(*table.entrants))
        weights += sum(table.weights) * len(table.entrants)
        squares += add_equations(normal, right, table)
    part = parts(normal)
    level = weights / n**2 or 1.0  # holds the worths of a part to a sum of 0; of any size
    matrix = [[x + level * (part[i] == part[j]) for j, x in enumerate(row)] for i, row in enumerate(normal)]
    worth = [dot(row, right) for row in inverse(matrix)]  # `root` is faster, but rounds otherwise: bytes would change
    errors = worth_residuals(rows, worth, matrix, part) if max(blocks.values(), default=0) >= LEAST_BLOCKS else []
    return Worths([blocks[i] for i in range(n)], ROUNDING * sqrt(squares / (weights or 1)), worth, errors, part)


def worth_residuals(rows: Iterable[BlockRow], worth: Sequence[float], bread: Matrix, part: Sequence[int]) -> Matrix:
    """From what whole blocks missed, a row for each entrant.  The product of two rows is the covariance of their worths."""
    meat, counts = zeros(len(worth)), Counter[int]()
    for table in batches_by_size(rows):
        missed = [list(map(mul, table.weights, column)) for column in residuals(table, worth)]
        add_products(meat, table, missed)
        counts.update(map(part.__getitem__, table.entrants[0]))
    scales = [sqrt(counts[p] / max(1, counts[p] - 1)) for p in part]
    errors = sandwich_root(cholesky_root(bread), meat)
    return [[scale * x for x in row] for row, scale in zip(errors, scales, strict=True)]


def add_equations(normal: Matrix, right: list[float], table: BlockColumns) -> float:
    """Add what blocks say of worths to the equations of least squares; the squares of their values about their means."""
    squares = 0.0
    for run in table.runs:
        weight, together = sum(table.weights[run]), [column[run.start] for column in table.entrants]
        for i in together:
            normal[i][i] += weight
            for j in together:
                normal[i][j] -= weight / len(together)
    for entrants, column in zip(table.entrants, centred(table, table.values), strict=True):
        weighted = list(map(mul, table.weights, column))
        squares += dot(weighted, column)
        for run in table.runs:
            right[entrants[run.start]] += sum(weighted[run])
    return squares


def chance(value: float, standard: float, freedom: float, grain: float = 0.0) -> float:
    """How often chance alone makes a difference so large (Student's t); sure where the error is rounding alone."""
    return student_tail(value / standard, freedom) if standard > grain else float(abs(value) <= grain)


def residuals(table: BlockColumns, worth: Sequence[float]) -> list[list[float]]:
    """By how much the values of blocks miss what the model expects there."""
    both = zip(table.entrants, table.values, strict=True)
    return centred(table, [list(map(sub, column, map(worth.__getitem__, entrants))) for entrants, column in both])


def centred(table: BlockColumns, columns: Sequence[Sequence[float]]) -> list[list[float]]:
    """What is left of each number when the mean of its block is taken off.  Sums go from the lowest entrant to the highest:
    so rounding does not depend on the places."""
    means: list[float] = []
    for run in table.runs:
        _, in_order = zip(
            *sorted([(who[run.start], column[run]) for who, column in zip(table.entrants, columns, strict=True)]),
            strict=True,
        )
        means += [sum(numbers) / len(numbers) for numbers in zip(*in_order, strict=True)]
    return [list(map(sub, column, means)) for column in columns]


def parts(met: Matrix) -> list[int]:
    """Which part of the field each entrant belongs to: parts hold those who can be reached from one another by
    meetings."""
    part = list(range(len(met)))
    for i, j in combinations(part, 2):
        if met[i][j] and part[i] != part[j]:
            part = [part[i] if each == part[j] else each for each in part]
    return part


def decisive_blocks(rows: Iterable[BlockRow]) -> dict[Pair, int]:
    """Of each two who sat together, the lower number first, the block without which their mean difference there loses its
    sign, if there is one."""
    total, most, least = defaultdict[Pair, float](float), dict[Pair, BlockData](), dict[Pair, BlockData]()
    for pair, block, _, given in meetings(rows):
        total[pair] += given
        if given > most.get(pair, NOTHING)[0]:
            most[pair] = given, block
        elif given < least.get(pair, NOTHING)[0]:
            least[pair] = given, block
    found = {}
    for pair, whole in total.items():
        largest, block = (most if whole > 0 else least).get(pair, NOTHING)
        if whole and abs(largest) >= abs(whole):
            found[pair] = block
    return found


def value_of(row: BlockRow, entrant: int) -> float:
    return row.values[row.entrants.index(entrant)]
