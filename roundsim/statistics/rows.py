"""Blocks as numbers. All statistics here are folds over tables of blocks, which have a column for each number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, combinations, combinations_with_replacement, groupby, pairwise, repeat
from operator import attrgetter, mul, sub
from typing import NamedTuple

from .matrices import Matrix

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


class BlockTable(NamedTuple):
    """Blocks with equally many entrants, in columns with a number for each block.

    `entrants` and `values` have a column for each place of a row, `ahead` two for each pair of places: how often they
    were compared, and how often the first was ahead. `runs`: the slices in which the same entrants have the same
    places.

    `map` and `sum` go through columns faster than Python goes through rows."""

    blocks: Sequence[int]
    weights: Sequence[int]
    entrants: Sequence[Sequence[int]]
    values: Sequence[Sequence[float]]
    ahead: Sequence[Sequence[Sequence[float]]]
    runs: Sequence[slice]

    def rows(self) -> Iterator[BlockRow]:
        """Return its blocks one by one."""
        entrants, values = (zip(*columns, strict=True) for columns in (self.entrants, self.values))
        ahead = zip(*[zip(*pair, strict=True) for pair in self.ahead], strict=True) if self.ahead else repeat(())
        return map(BlockRow, self.blocks, self.weights, entrants, map(list, values), map(list, ahead))

    def meetings(self) -> Iterator[tuple[Pair, slice, list[float]]]:
        """Yield each two entrants of each run, the lower number first, with how far the first is above the second in
        each block."""
        for (mine, x), (others, y) in combinations(zip(self.entrants, self.values, strict=True), 2):
            for run in self.runs:
                i, j = mine[run.start], others[run.start]
                if i < j:
                    yield (i, j), run, list(map(sub, x[run], y[run]))
                else:
                    yield (j, i), run, list(map(sub, y[run], x[run]))


Tables = Iterable[BlockTable]


def tables_of(rows: Iterable[BlockRow]) -> list[BlockTable]:
    """Return some rows as tables."""
    by_size = defaultdict[int, list[BlockRow]](list)
    for row in rows:
        by_size[len(row.entrants)].append(row)
    return [table_of(sorted(alike, key=attrgetter("entrants"))) for alike in by_size.values()]


def table_of(rows: Sequence[BlockRow]) -> BlockTable:
    blocks, weights, *wide = zip(*rows, strict=True)
    entrants, values, ahead = ([*zip(*column, strict=True)] for column in wide)
    together = [[*zip(*pair, strict=True)] for pair in ahead]
    return BlockTable(blocks, weights, entrants, values, together, runs_of(row.entrants for row in rows))


def runs_of(seatings: Iterable[Sequence[int]]) -> list[slice]:
    """Return the slices in which a seating stays the same."""
    lengths = [len([*same]) for _, same in groupby(seatings)]
    return [slice(*both) for both in pairwise(accumulate(lengths, initial=0))]


def add_products(matrix: Matrix, table: BlockTable, columns: Sequence[Sequence[float]]) -> None:
    """Add the products of the numbers of each block, for each two places, to the lower triangle of a symmetric
    matrix."""
    seated = [[column[run.start] for run in table.runs] for column in table.entrants]
    for (mine, x), (others, y) in combinations_with_replacement(zip(seated, columns, strict=True), 2):
        products = list(map(mul, x, y))
        for i, j, run in zip(mine, others, table.runs, strict=True):
            matrix[max(i, j)][min(i, j)] += sum(products[run])
