"""Cycles: a is better than b, b than c, and c than a, where they sat together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from math import sqrt
from operator import add, mul

from .differences import chance
from .distributions import LEAST_BLOCKS
from .groups import LEVEL, holm
from .matrices import dot
from .rows import Pair, Tables


def cycles(tables: Tables, n: int, out: Collection[int] = (), level: float = LEVEL) -> list[tuple[int, int, int]]:
    """Return the cycles of n entrants whose three differences are all significant, over all pairs (Holm 1979).

    Each cycle begins with its lowest number. Entrants that are `out` are in none."""
    met = {pair: sums for pair, sums in paired_sums(tables).items() if not any(entrant in out for entrant in pair)}
    paired = {pair: mean_and_chance(sums) for pair, sums in met.items() if sums[0] >= LEAST_BLOCKS}
    significant = holm({pair: p for pair, (_, p) in paired.items()}, level)
    return cycles_of([(i, j) if paired[i, j][0] > 0 else (j, i) for i, j in significant], n)


def cycles_of(above: Iterable[Pair], n: int) -> list[tuple[int, int, int]]:
    """Return the cycles of n entrants among pairs, the better entrant first. Each begins with its lowest number."""
    beaten: list[list[int]] = [[] for _ in range(n)]
    for better, worse in sorted(above):
        beaten[better].append(worse)
    return [(a, b, c) for a in range(n) for b in beaten[a] if b > a for c in beaten[b] if c > a and a in beaten[c]]


def paired_sums(tables: Tables) -> dict[Pair, list[float]]:
    """Return the sums over the blocks in which two entrants met, for each such pair.

    They are: the number of blocks, and the sums of weight, of its square, of weight times difference, of the square of
    that, and of the square of the weight times difference."""
    sums = defaultdict[Pair, list[float]](lambda: [0.0] * 6)
    for table in tables:
        for pair, run, differences in table.meetings():
            weights = table.weights[run]
            given = list(map(mul, weights, differences))
            more = len(given), sum(weights), dot(weights, weights), sum(given), dot(given, given), dot(weights, given)
            sums[pair] = list(map(add, sums[pair], more))
    return sums


def mean_and_chance(sums: list[float]) -> tuple[float, float]:
    """Return the mean difference of two, and how often chance alone makes one so large (Student's t of the pairs).

    A difference that is the same in all blocks is no chance, unless it is 0."""
    n, weight, squared, given, spread, crossed = sums
    mean = given / weight
    missed = max(0.0, spread - 2 * mean * crossed + mean * mean * squared)
    return mean, chance(mean, sqrt(missed * n / (n - 1)) / weight, n - 1) if missed else float(not mean)
