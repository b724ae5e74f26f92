"""Company effects: who does better or worse when a certain other sits at the table.

They are observations, not verdicts.

To find them takes more entrants than seats, and many blocks: some 1 500 blocks of four seats find an effect of half a
block's spread."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import NamedTuple

from .differences import Worths, chance, residuals
from .distributions import LEAST_BLOCKS
from .groups import LEVEL, holm
from .moments import Moments
from .rows import BlockRow, Pair, batches_by_size


class Company(NamedTuple):
    """How much more than expected `entrant` has with `beside` at the table than without it; how often chance alone does
    that."""

    entrant: int
    beside: int
    difference: float
    p: float


def company(rows: Iterable[BlockRow], worths: Worths, out: Collection[int] = (), level: float = LEVEL) -> list[Company]:
    """Return the significant effects, the most significant first.

    They are tested over all ordered pairs (Holm 1979) that have ten blocks together and ten apart. Effects on entrants
    that are `out` are left out, those of their company are not."""
    alone = [Moments() for _ in worths.blocks]
    beside = defaultdict[Pair, Moments](Moments)
    for table in batches_by_size(rows):
        for entrants, missed in zip(table.entrants, residuals(table, worths.fitted), strict=True):
            for i, x in zip(entrants, missed, strict=True):
                alone[i].add(x)
            for others in table.entrants:
                if others is not entrants:
                    for pair, x in zip(zip(entrants, others, strict=True), missed, strict=True):
                        beside[pair].add(x)
    found = []
    for (i, j), with_j in beside.items():
        if i not in out and min(with_j.n, alone[i].n - with_j.n) >= LEAST_BLOCKS:
            without = alone[i].without(with_j)
            found.append(Company(i, j, with_j.mean - without.mean, welch(with_j, without, worths.grain)))
    significant = holm({each: each.p for each in found}, level)
    return sorted(significant, key=lambda each: (each.p, each))


def welch(one: Moments, other: Moments, grain: float) -> float:
    """Return how often chance alone makes two means so different, if their spreads may differ (Welch 1947)."""
    first, second = one.standard**2, other.standard**2
    both = first + second
    freedom = both * both / (first * first / (one.n - 1) + second * second / (other.n - 1)) if both else 1.0
    return chance(one.mean - other.mean, both**0.5, freedom, grain)
