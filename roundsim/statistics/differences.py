"""Differences between entrants: what each is worth at one table, whoever sat there, with confidence intervals.

In a block each value is the sum of its table's effect, the entrant's worth, and chance: values[i] = table + worth[i] +
error. The worths are fitted by least squares, weighted by the blocks (intra-block analysis: Yates 1936). Errors come
from the residuals of whole blocks, so nothing is assumed about those who sat together (Liang and Zeger 1986). If
everybody sat in every block, this is the mean and the paired t."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations
from math import dist, hypot, sqrt
from operator import mul, sub
from typing import NamedTuple

from .distributions import LEAST_BLOCKS, student, student_tail
from .few_values import FEW, Counts, half_width, p_of_mean, with_bounds
from .groups import LEVEL
from .matrices import Matrix, cholesky_root, dot, inverse, sandwich_root, zeros
from .rows import BlockRow, BlockTable, Pair, Tables, add_products
from .stopping import Mixture

ROUNDING = 1e-12  # relative to the size of the values: rounding may leave this much instead of 0
COPIES = 3e-7  # relative to the errors of two entrants: rounding may leave this much between copies

Limits = tuple[float, float]


class Difference(NamedTuple):
    """A difference, its standard error, and the degrees of freedom of that.

    `p`: how often chance alone makes a difference so large; 1 if all blocks are alike, for then nobody knows. `level`:
    how often its interval may miss the truth. `counts`: how many blocks have each difference, if they are few. `least`:
    the blocks of the entrant that has fewer, in the game that has fewest, if the degrees of freedom do not say it.
    `any_look`: whether its p and its limits are valid at whatever block play stops. `sequence`: these limits, if there
    are any yet."""

    value: float
    standard: float
    freedom: float
    p: float
    level: float = LEVEL
    counts: Counts | None = None
    least: int | None = None
    any_look: bool = False
    sequence: Limits | None = None

    @classmethod
    def at_any_look(cls, mixture: Mixture) -> Difference:
        """Return the mean of a mixture of at least two blocks, with its limits, at the level of the mixture."""
        return cls(
            mixture.mean or 0.0,
            mixture.standard,
            mixture.blocks - 1,
            mixture.p,
            mixture.alpha,
            any_look=True,
            sequence=mixture.interval(),
        )

    @classmethod
    def of(
        cls, value: float, standard: float, freedom: float, grain: float = 0.0, counts: Counts | None = None
    ) -> Difference:
        """Compute a difference by Student's t, or from few counts. Up to the grain, a value is only rounding."""
        standard = standard if standard > grain else 0.0
        p = p_of_mean(counts) if counts else chance(value, standard, freedom)
        return cls(value, standard, freedom, p, counts=counts)

    @property
    def error(self) -> float | None:
        """Half the width of its interval at the level; None if all blocks are alike, or for limits at any look."""
        if self.any_look:
            return None
        if self.counts:
            return half_width(self.counts, 1 - self.level)
        return student(self.freedom, 1 - self.level) * self.standard or None

    @property
    def limits(self) -> Limits | None:
        """The ends of its interval."""
        error = self.error
        return self.sequence if error is None else (self.value - error, self.value + error)

    @property
    def blocks(self) -> int:
        """The blocks of the entrant that has fewer."""
        return self.least or int(self.freedom) + 1

    def reversed(self) -> Difference:
        """Return how far the second is above the first."""
        counts = self.counts and {-value: n for value, n in self.counts.items()}
        sequence = self.sequence and (-self.sequence[1], -self.sequence[0])
        return self._replace(value=-self.value, counts=counts, sequence=sequence)


def mean_difference(differences: Sequence[Difference], units: Sequence[float]) -> Difference:
    """Return the mean of independent differences, each in units of its own; what has the unit 0 counts as 0.

    Its degrees of freedom are those of Satterthwaite (1946)."""
    shares = [1 / (unit * len(differences)) if unit else 0.0 for unit in units]
    scaled = [*zip(differences, shares, strict=True)]
    squares = [(difference.standard * share) ** 2 for difference, share in scaled]
    whole = sum(squares)
    parts = sum(square**2 / difference.freedom for square, difference in zip(squares, differences, strict=True))
    freedom = whole**2 / parts if parts else min(difference.freedom for difference in differences)
    mean = Difference.of(sum(difference.value * share for difference, share in scaled), sqrt(whole), freedom)
    return mean._replace(least=min(difference.blocks for difference in differences))


@dataclass(frozen=True)
class Worths:
    """The worth of each entrant, and the number of blocks it sat in; `fitted` is 0 for an entrant that sat in none.

    `_errors`: a row for each entrant, such that the distance of two rows is the standard error of the difference; none
    if nobody has ten blocks. `_counts`: the differences of blocks, where they are few."""

    blocks: Sequence[int]
    grain: float
    fitted: Sequence[float]
    _errors: Matrix
    _part: Sequence[int]
    _counts: Mapping[Pair, Counts]

    @property
    def worth(self) -> list[float | None]:
        """The worths; None for an entrant that has not played.

        They sum to 0 in each part of the field that met no other part."""
        return [worth if blocks else None for worth, blocks in zip(self.fitted, self.blocks, strict=True)]

    def between(self, i: int, j: int) -> Difference | None:
        """Return how far i is above j; None if they cannot be compared.

        That is so if either has under ten blocks, or if no chain of meetings connects them."""
        freedom = min(self.blocks[i], self.blocks[j]) - 1
        if freedom < LEAST_BLOCKS - 1 or self._part[i] != self._part[j]:
            return None
        grain = self.grain + COPIES * hypot(self.standards[i], self.standards[j])
        standard, low, high = dist(self._errors[i], self._errors[j]), min(i, j), max(i, j)
        difference = Difference.of(
            self.fitted[low] - self.fitted[high], standard, freedom, grain, self._counts.get((low, high))
        )
        return difference if i == low else difference.reversed()

    @cached_property
    def standards(self) -> list[float]:
        """The standard error of each worth."""
        return [hypot(*row) for row in self._errors]

    def pairs(self) -> dict[tuple[int, int], Difference]:
        """Return the differences of all pairs that can be compared, the lower number first."""
        both = combinations(range(len(self.blocks)), 2)
        return {(i, j): difference for i, j in both if (difference := self.between(i, j))}


def fit(tables: Tables, n: int, span: float | None = None, equations: Equations | None = None) -> Worths:
    """Fit the worths of n entrants.

    `span`: the largest possible difference of two values of a block, if it is known; `equations`: those of all these
    blocks, if they are there already. If only few blocks join two fields, the errors between them are too small, because
    these blocks have few residuals left."""
    if equations is None:
        equations = Equations(n)
        for table in tables:
            equations.add(table)
    blocks = equations.blocks
    worth, matrix, part = equations.solve()
    errors = worth_residuals(tables, worth, matrix, part) if max(blocks.values(), default=0) >= LEAST_BLOCKS else []
    grain = ROUNDING * sqrt(equations.squares / (equations.weights or 1))
    counts = few_differences(tables, n, grain, () if span is None else (-span, span))
    return Worths([blocks[i] for i in range(n)], grain, worth, errors, part, counts)


class Equations:
    """The equations of least squares for the worths of n entrants, to which blocks are added.

    `squares`: of the values about the means of their blocks; `weights`: of all values; `blocks`: of each entrant."""

    def __init__(self, n: int) -> None:
        self.blocks = Counter[int]()
        self.normal, self.right, self.weights, self.squares = zeros(n), [0.0] * n, 0, 0.0

    def add(self, table: BlockTable) -> None:
        self.blocks.update(chain(*table.entrants))
        self.weights += sum(table.weights) * len(table.entrants)
        self.squares += add_equations(self.normal, self.right, table)

    def solve(self) -> tuple[list[float], Matrix, list[int]]:
        """Return the worths, the matrix of the equations, and the part of the field of each entrant."""
        part = parts(self.normal)
        level = self.weights / len(part) ** 2 or 1.0  # makes the worths of a part sum to 0; any size does
        both = enumerate(self.normal)
        matrix = [[x + level * (part[i] == part[j]) for j, x in enumerate(row)] for i, row in both]
        worth = [dot(row, self.right) for row in inverse(matrix)]  # `root` is faster, but rounds differently
        return worth, matrix, part


def few_differences(tables: Tables, n: int, grain: float, bounds: Collection[float]) -> dict[Pair, Counts]:
    """Return how many blocks have each difference, for the pairs that have few different ones (see `few_values`).

    There are none if not all n sat in every block, or if blocks differ in weight: the difference of the worths is then
    not the mean of these."""
    counts_of, many = defaultdict[Pair, Counter[float]](Counter), set[Pair]()
    weights = set[int]()
    for table in tables:
        weights.update(table.weights)
        if len(weights) > 1 or len(table.entrants) != n or len(many) == n * (n - 1) // 2:
            return {}
        for pair, _, differences in table.meetings():
            if pair not in many:
                rounded = (float(f"{value:.9g}") for value in differences)  # equal ones may differ by rounding
                counts_of[pair].update(value if abs(value) > grain else 0.0 for value in rounded)
                if len(counts_of[pair]) > FEW:
                    many.add(pair)
    return {pair: with_bounds(counts, bounds) for pair, counts in counts_of.items() if pair not in many}


def worth_residuals(tables: Tables, worth: Sequence[float], bread: Matrix, part: Sequence[int]) -> Matrix:
    """Return a row for each entrant from the residuals of whole blocks.

    The product of two rows is the covariance of their worths."""
    meat, counts = zeros(len(worth)), Counter[int]()
    for table in tables:
        missed = [list(map(mul, table.weights, column)) for column in residuals(table, worth)]
        add_products(meat, table, missed)
        counts.update(map(part.__getitem__, table.entrants[0]))
    scales = [sqrt(counts[p] / max(1, counts[p] - 1)) for p in part]
    errors = sandwich_root(cholesky_root(bread), meat)
    return [[scale * x for x in row] for row, scale in zip(errors, scales, strict=True)]


def add_equations(normal: Matrix, right: list[float], table: BlockTable) -> float:
    """Add blocks to the equations of least squares; return the squares of their values about their means."""
    squares = 0.0
    for run in table.runs:
        weight, together = sum(table.weights[run]), [column[run.start] for column in table.entrants]
        share = weight / len(together)
        for row, i in [(normal[i], i) for i in together]:
            row[i] += weight
            for j in together:
                row[j] -= share
    for entrants, column in zip(table.entrants, centred(table, table.values), strict=True):
        weighted = list(map(mul, table.weights, column))
        squares += dot(weighted, column)
        for run in table.runs:
            right[entrants[run.start]] += sum(weighted[run])
    return squares


def chance(value: float, standard: float, freedom: float, grain: float = 0.0) -> float:
    """Return how often chance alone makes a difference so large (Student's t); 1 if the error is only rounding."""
    return student_tail(value / standard, freedom) if standard > grain else 1.0


def residuals(table: BlockTable, worth: Sequence[float]) -> list[list[float]]:
    """Return the residuals: values of blocks minus what the model expects there."""
    both = zip(table.entrants, table.values, strict=True)
    return centred(table, [list(map(sub, column, map(worth.__getitem__, entrants))) for entrants, column in both])


def centred(table: BlockTable, columns: Sequence[Sequence[float]]) -> list[list[float]]:
    """Subtract the mean of its block from each number.

    Sums run from the lowest entrant to the highest, so rounding does not depend on the places."""
    means, both = list[float](), [*zip(table.entrants, columns, strict=True)]
    for run in table.runs:
        in_order = [column[run] for _, column in sorted([(who[run.start], column) for who, column in both])]
        means += [sum(numbers) / len(both) for numbers in zip(*in_order, strict=True)]
    return [list(map(sub, column, means)) for column in columns]


def parts(met: Matrix) -> list[int]:
    """Return which part of the field each entrant belongs to. The entrants of a part are connected by meetings."""
    part = list(range(len(met)))
    for i, j in combinations(part, 2):
        if met[i][j] and part[i] != part[j]:
            part = [part[i] if number == part[j] else number for number in part]
    return part


def decisive_blocks(tables: Tables) -> dict[Pair, int]:
    """Return for each two who sat together the block that decides the sign of their difference.

    The lower number is first. Without that block their mean difference would lose its sign. Pairs without such a block
    are left out."""
    total, largest = defaultdict[Pair, float](float), defaultdict[tuple[Pair, int], tuple[float, int]](lambda: (0.0, 0))
    for table in tables:
        for pair, run, differences in table.meetings():
            given = list(map(mul, table.weights[run], differences))
            total[pair] += sum(given)
            for sign, extreme in (1, max(given)), (-1, min(given)):
                candidate = sign * extreme, -table.blocks[run.start + given.index(extreme)]
                largest[pair, sign] = max(largest[pair, sign], candidate)
    signs = {pair: 1 if whole > 0 else -1 for pair, whole in total.items() if whole}
    ends = {pair: largest[pair, sign] for pair, sign in signs.items()}
    return {pair: -block for pair, (size, block) in ends.items() if size >= abs(total[pair])}


def value_of(row: BlockRow, entrant: int) -> float:
    return row.values[row.entrants.index(entrant)]
