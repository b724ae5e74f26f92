"""Company effects: who does better or worse when a certain other sits at the table.

They are observations, not verdicts.

To find them takes more entrants than seats, and many blocks: some 1 500 blocks of four seats find an effect of half a
block's spread."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from math import ceil, sqrt
from statistics import fmean
from typing import NamedTuple

from .differences import Worths, residuals
from .distributions import LEAST_BLOCKS, student_tail
from .groups import LEVEL
from .moments import Moments
from .rows import Pair, Tables

SCREEN = 8  # times the level: a pair with a larger p of the pooled t is not permuted
DRAWS = 10  # for each draw that may reach the effect by chance
MOST_DRAWS = 10**6
SLACK = 2  # standard errors of the other's worth, which shifts all blocks with it

Uniform = Callable[[], float]  # returns a random number from 0 to 1


class Company(NamedTuple):
    """How much more than expected `entrant` has with `beside` at the table than without it; how often chance alone does
    that."""

    entrant: int
    beside: int
    difference: float
    p: float


def company(
    tables: Tables,
    worths: Worths,
    chance_of: Callable[[int, int], Uniform],
    out: Collection[int] = (),
    level: float = LEVEL,
) -> list[Company]:
    """Return the significant effects, the most significant first.

    Every ordered pair that has ten blocks together and ten apart is tested, at the level divided by their number
    (Bonferroni). Where a t test does not rule it out, it is drawn at random which of the entrant's blocks are those
    with the other (a permutation test). `chance_of`: the random numbers for an entrant and another one. Effects on
    entrants that are `out` are left out, those of their company are not."""
    alone, beside = [Moments() for _ in worths.blocks], defaultdict[Pair, Moments](Moments)
    for i, others, x in missed_values(tables, worths):
        alone[i].add(x)
        for j in others:
            if j != i:
                beside[i, j].add(x)
    tested = {
        (i, j): (joint, alone[i].without(joint))
        for (i, j), joint in beside.items()
        if i not in out and min(joint.n, alone[i].n - joint.n) >= LEAST_BLOCKS
    }
    level /= max(1, len(tested))
    screened = {pair: p for pair, both in tested.items() if (p := pooled_t(*both, worths.grain)) < SCREEN * level}
    smallest, found = min([len(table.entrants) for table in tables], default=1), []
    for (i, j), (joint, apart) in values_of(tables, worths, screened).items():
        p = permutation_p(joint, apart, level, chance_of(i, j), SLACK * worths.standards[j] / smallest)
        if p <= level:
            with_j, without = tested[i, j]
            found.append(Company(i, j, with_j.mean - without.mean, p))
    return sorted(found, key=lambda each: (each.p, screened[each[:2]], each))


def missed_values(tables: Tables, worths: Worths) -> Iterator[tuple[int, tuple[int, ...], float]]:
    """Yield each entrant of each block, with the entrants of the block and the residual."""
    for table in tables:
        seatings = [*zip(*table.entrants, strict=True)]
        for entrants, missed in zip(table.entrants, residuals(table, worths.fitted), strict=True):
            yield from zip(entrants, seatings, missed, strict=True)


def values_of(tables: Tables, worths: Worths, pairs: Collection[Pair]) -> dict[Pair, tuple[list[float], list[float]]]:
    """Return the residuals of the first of each of these pairs, in its blocks with the other and without."""
    sides: dict[Pair, tuple[list[float], list[float]]] = {pair: ([], []) for pair in pairs}
    wanted = defaultdict[int, list[Pair]](list)
    for pair in pairs:
        wanted[pair[0]].append(pair)
    for i, others, x in missed_values(tables, worths) if wanted else ():
        for pair in wanted.get(i, ()):
            sides[pair][pair[1] not in others].append(x)
    return sides


def pooled_t(one: Moments, other: Moments, grain: float) -> float:
    """Return how often chance alone makes two means so different, if their spreads are the same (Student's t).

    It is 1 for a difference that is only rounding, and 0 if there is no spread at all."""
    difference, freedom = abs(one.mean - other.mean), one.n + other.n - 2
    standard = sqrt((one.squares + other.squares) / freedom * (1 / one.n + 1 / other.n))
    return 1.0 if difference <= grain else student_tail(difference / standard, freedom) if standard > grain else 0.0


def permutation_p(
    joint: Sequence[float], apart: Sequence[float], level: float, uniform: Uniform, slack: float = 0.0
) -> float:
    """Return how often two random groups of these sizes have means at least as different, less the slack.

    The draws end as soon as the result cannot be at most the level; it is then 1."""
    draws = min(MOST_DRAWS, ceil(DRAWS / level))
    most = int((draws + 1) * level) - 1  # draws that may reach the effect
    few, mean = min(len(joint), len(apart)), fmean([*joint, *apart])
    values = [x - mean for x in (*joint, *apart)]
    share = len(joint) * len(apart) / len(values)  # a sum of centred values is this share of the difference of means
    reached = abs(sum(values[: len(joint)])) * (1 - 1e-9) - slack * share  # rounding depends on the order
    hits = 0
    for _ in range(draws):
        total, left = 0.0, len(values)
        for at in range(few):  # the first steps of a shuffle; the order before it does not matter
            other = at + int(uniform() * left)
            values[at], values[other] = values[other], values[at]
            total += values[at]
            left -= 1
        hits += abs(total) >= reached
        if hits > most:
            return 1.0
    return (hits + 1) / (draws + 1)
