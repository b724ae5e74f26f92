"""Means of blocks that have at most three different values, such as the places of a freeze-out of two.

Student's t is wrong there, and is 0 wide if all blocks are alike. The share of each value has limits instead (Clopper
and Pearson 1934), and the mean is as low, or as high, as these allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import TypeVar

from .distributions import beta_share, clopper_pearson, crossing

FEW = 3
LEAST = -18.0  # the power of ten below which no p is computed

T = TypeVar("T")
Counts = Mapping[float, int]  # how many blocks have each value


def with_bounds(counts: Counts, bounds: Collection[float]) -> Counts:
    """Return the counts of at most three values. If all blocks are alike, the bounds are added as possible values.

    `bounds`: the least and the largest value that a block may have, if they are known."""
    return {**dict.fromkeys(bounds, 0), **counts} if len(counts) == 1 else counts


def mean_of(counts: Counts) -> float:
    return sum(value * n for value, n in counts.items()) / sum(counts.values())


def half_width(counts: Counts, level: float = 0.95) -> float | None:
    """Return the distance from the mean to the farther end of its interval; None if only one value is known.

    Two shares have the same interval; of three, each is at a third of the level (Bonferroni)."""
    if len(counts) < 2:
        return None
    blocks, own = sum(counts.values()), 1 - (1 - level) / len(counts) if len(counts) > 2 else level
    shares = {value: clopper_pearson(n, blocks, own) for value, n in counts.items()}
    mean = mean_of(counts)
    return max(mean - extreme(shares, sorted(shares)), extreme(shares, sorted(shares, reverse=True)) - mean)


def extreme(shares: Mapping[float, tuple[float, float]], preferred: Collection[float]) -> float:
    """Return the mean if the preferred values have the largest shares that the limits of all allow."""
    mean, left = 0.0, 1 - sum(low for low, _ in shares.values())
    for value in preferred:
        low, high = shares[value]
        more = min(left, high - low)
        mean, left = mean + value * (low + more), left - more
    return mean


def p_of_mean(counts: Counts) -> float:
    """Return how often chance alone makes a mean so far from 0: the level at which its interval reaches 0.

    It is 1 if only one value is known, and never 0."""
    if len(counts) < 2 or not (far := abs(mean_of(counts))):
        return 1.0
    if len(counts) > 2:
        return float(10 ** crossing(lambda power: (half_width(counts, 1 - 10**power) or far) < far, LEAST, 0, 40))
    (less, _), (more, n) = sorted(counts.items())  # of two values the limits are those of one share
    blocks, reach = sum(counts.values()), far / (more - less)
    below = beta_share(n / blocks - reach, n, blocks - n + 1) if n else 0.0
    above = beta_share(1 - n / blocks - reach, blocks - n, n + 1) if n < blocks else 0.0
    return min(1.0, max(2 * below, 2 * above, 10**LEAST))


def count_few(counts: Counter[T] | None, more: Counter[T] | None) -> Counter[T] | None:
    """Return the counts of both together; None if the values are more than three."""
    if counts is None or more is None:
        return None
    both = counts + more
    return both if len(both) <= FEW else None
