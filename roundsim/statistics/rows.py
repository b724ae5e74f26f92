"""A block as numbers. All statistics here are folds over such rows, in the order of the blocks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, combinations, combinations_with_replacement, groupby, islice, pairwise
from operator import mul
from typing import NamedTuple

from .matrices import Matrix

AT_ONCE = 1024  # rows that are held as columns

Pair = tuple[int, int]


class BlockRow(NamedTuple):
    """The result of a block: its number, its `weight` in means, its entrants (each once), and their values.

    A value is per unit of weight; more is better. `ahead` has for each two of them, (0, 1), (0, 2) ... (1, 2) ..., how
    often they were compared, and how often the first was ahead, with halves for equal ones."""

    block: int
    weight: int
    entrants: Sequence[int]
    values: Sequence[float]
    ahead: Sequence[tuple[int, float]]


class BlockColumns(NamedTuple):
    """Blocks with equally many entrants, in columns with a number for each block.

    `entrants` and `values` have a column for each place of a row, `ahead` two for each pair of places: how often they
    were compared, and how often the first was ahead. `runs`: the slices in which the same entrants have the same
    places."""

    blocks: Sequence[int]
    weights: Sequence[int]
    entrants: Sequence[Sequence[int]]
    values: Sequence[Sequence[float]]
    ahead: Sequence[Sequence[Sequence[float]]]
    runs: Sequence[slice]


def batches_by_size(rows: Iterable[BlockRow]) -> Iterator[BlockColumns]:
    """Yield the rows in batches, those with the same entrants together.

    `map` and `sum` go through columns faster than Python goes through rows."""
    for _, alike in groupby(rows, key=lambda row: len(row.entrants)):
        while some := list(islice(alike, AT_ONCE)):
            by_seating = defaultdict[tuple[int, ...], list[BlockRow]](list)
            for row in some:
                by_seating[tuple(row.entrants)].append(row)
            ends = accumulate(map(len, by_seating.values()), initial=0)
            blocks, weights, *wide = zip(*chain(*by_seating.values()), strict=True)
            entrants, values, ahead = ([*zip(*column, strict=True)] for column in wide)
            together = [[*zip(*pair, strict=True)] for pair in ahead]
            yield BlockColumns(blocks, weights, entrants, values, together, [slice(*both) for both in pairwise(ends)])


def add_products(matrix: Matrix, table: BlockColumns, columns: Sequence[Sequence[float]]) -> None:
    """Add the products of the numbers of each block, for each two places, to the lower triangle of a symmetric
    matrix."""
    both = zip(table.entrants, columns, strict=True)
    for (mine, x), (others, y) in combinations_with_replacement(both, 2):
        products = list(map(mul, x, y))
        for run in table.runs:
            i, j = mine[run.start], others[run.start]
            matrix[max(i, j)][min(i, j)] += sum(products[run])


def meetings(rows: Iterable[BlockRow]) -> Iterator[tuple[Pair, int, int, float]]:
    """Yield each two entrants of each row, the lower number first.

    With them come the block, its weight, and how far the first is above the second, times the weight."""
    for block, weight, entrants, values, _ in rows:
        for (i, x), (j, y) in combinations(sorted(zip(entrants, values, strict=True)), 2):
            yield (i, j), block, weight, weight * (x - y)
