"""Points and tails of the distributions behind errors: normal, Student's t, and the beta behind them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from itertools import count
from math import exp, lgamma, log, log1p, pi
from statistics import NormalDist

LEAST_BLOCKS = 10  # fewer give no error: it would be too short where tails are heavy
FEW_BLOCKS = 40  # fewer give one that may still be somewhat too short


@cache
def normal_point(share: float) -> float:
    """Return the point below which this share of the normal distribution lies."""
    return NormalDist().inv_cdf(share)


@cache
def student(freedom: float, level: float = 0.95) -> float:
    """Return the point below which |t| of Student (1908) stays with this probability; at least one degree of
    freedom.

    The logarithm of the tail is concave in that of t, so Newton's method finds it from the normal point."""
    t, step = normal_point((1 + level) / 2), 1.0
    gammas = lgamma((freedom + 1) / 2) - lgamma(freedom / 2) - log(pi * freedom) / 2
    while abs(step) > 1e-8:  # the next would be about its square
        tail, density = student_tail(t, freedom), exp(gammas - (freedom + 1) / 2 * log1p(t * t / freedom))
        step = log(tail / (1 - level)) * tail / (2 * t * density)
        t *= exp(step)
    return t


def student_tail(t: float, freedom: float) -> float:
    """Return how often Student's t is at least this far from 0, to either side."""
    return beta_share(freedom / (freedom + t * t), freedom / 2, 0.5)


def clopper_pearson(won: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return the limits of a share that was won this often in n times (Clopper and Pearson 1934).

    Shared wins count by their parts, because the beta distributions of the limits also exist between whole numbers."""
    tail = (1 - level) / 2
    low = crossing(lambda x: beta_share(x, won, n - won + 1) > tail, 0, 1) if won else 0.0
    high = crossing(lambda x: beta_share(x, won + 1, n - won) > 1 - tail, 0, 1) if won < n else 1.0
    return low, high


def crossing(beyond: Callable[[float], bool], low: float, high: float, steps: int = 60) -> float:
    """Return where `beyond` turns true between low and high, by bisection."""
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (low, middle) if beyond(middle) else (middle, high)
    return (low + high) / 2


def beta_share(x: float, a: float, b: float) -> float:
    """Return how much of the beta distribution of a and b lies below x.

    It uses the continued fraction from the side where it is short (Didonato and Morris 1992), evaluated forwards (Lentz
    1976)."""
    if x <= 0 or x >= 1:
        return float(x > 0)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_share(1 - x, b, a)
    return fraction(x, a, b) * exp(a * log(x) + b * log1p(-x) + lgamma(a + b) - lgamma(a) - lgamma(b)) / a


def fraction(x: float, a: float, b: float) -> float:
    """Evaluate the continued fraction until it no longer changes."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    total = d
    for m in count(1):
        for coefficient in coefficients(a, b, m):
            term = x * coefficient
            d, c = 1 / (1 + term * d), 1 + term / c
            total *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return total


@lru_cache(1 << 14)
def coefficients(a: float, b: float, m: int) -> tuple[float, float]:
    """Return the m-th two coefficients of the continued fraction.

    Cached, because many pairs have equal degrees of freedom."""
    at = a + 2 * m
    return m * (b - m) / ((at - 1) * at), -(a + m) * (a + b + m) / (at * (at + 1))
