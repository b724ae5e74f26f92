"""A block as numbers: what everything here is a fold over, in the order of the blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from typing import NamedTuple

AT_ONCE = 1024  # rows that are held as columns


class Row(NamedTuple):
    """What a block came to: its number; its `weight` in means; the entrants who sat in it, each once; the value of each by
    unit of weight, more being better.

    `ahead`: of each two of them, (0, 1), (0, 2) ... (1, 2) ..., how often they were compared, and of these how often the
    first was ahead, halves for equals."""

    block: int
    weight: int
    entrants: Sequence[int]
    values: Sequence[float]
    ahead: Sequence[tuple[int, float]]


class Table(NamedTuple):
    """Some blocks in which the same entrants sat, in columns of a number for each block.

    `entrants`: the lowest number first; `values`: a column for each of them; `ahead`: for each two of them, the lower number
    first, how often they were compared, and how often the first was ahead."""

    entrants: Sequence[int]
    blocks: Sequence[int]
    weights: Sequence[int]
    values: Sequence[Sequence[float]]
    ahead: Sequence[tuple[Sequence[int], Sequence[float]]]


def tables(rows: Iterable[Row]) -> Iterator[Table]:
    """The rows by who sat in them, some at a time.  C adds up a column faster than Python goes through rows."""
    rows = iter(rows)
    while some := list(islice(rows, AT_ONCE)):
        by_order: dict[tuple[int, ...], list[Row]] = {}
        for row in some:
            by_order.setdefault(tuple(row.entrants), []).append(row)
        for order, those in by_order.items():
            yield table_of(order, those)


def table_of(order: Sequence[int], rows: Sequence[Row]) -> Table:
    blocks, weights, _, values, ahead = zip(*rows, strict=True)
    columns = dict(zip(order, zip(*values, strict=True), strict=True))
    pairs = {}
    for (i, j), pair in zip(combinations(order, 2), zip(*ahead, strict=True), strict=False):
        games, first = zip(*pair, strict=True)
        pairs[min(i, j), max(i, j)] = games, first if i < j else [n - x for n, x in zip(games, first, strict=True)]
    entrants = sorted(order)
    together = [pairs[both] for both in combinations(entrants, 2)] if pairs else []
    return Table(entrants, blocks, weights, [columns[i] for i in entrants], together)
