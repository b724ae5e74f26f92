"""The mean and the spread of numbers that are added one by one, one for each block."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

from .distributions import LEAST_BLOCKS, student
from .matrices import dot


@dataclass
class Moments:
    """A count of numbers, their mean, and the sum of the squares of their distances from it (Welford 1962)."""

    n: int = 0
    mean: float = 0.0
    squares: float = 0.0

    @classmethod
    def of(cls, numbers: Iterable[float]) -> Moments:
        moments = cls()
        for x in numbers:
            moments.add(x)
        return moments

    def add(self, x: float) -> None:
        self.n += 1
        before = x - self.mean
        self.mean += before / self.n
        self.squares += before * (x - self.mean)

    def add_all(self, numbers: Sequence[float]) -> None:
        """Add several, at least one (Chan, Golub and LeVeque 1983)."""
        first, n = numbers[0], len(numbers)
        mean = first + sum([x - first for x in numbers]) / n  # exact if all are alike
        missed = [x - mean for x in numbers]
        before, self.n = mean - self.mean, self.n + n
        self.mean += before * n / self.n
        self.squares += dot(missed, missed) + before**2 * n * (self.n - n) / self.n

    def without(self, part: Moments) -> Moments:
        """Return the moments without a part of the numbers (Chan, Golub and LeVeque 1983)."""
        n = self.n - part.n
        if not n:
            return Moments()
        mean = self.mean + (self.mean - part.mean) * part.n / n
        between = (mean - part.mean) ** 2 * part.n * n / self.n
        return Moments(n, mean, max(0.0, self.squares - part.squares - between))

    def about(self, centre: float) -> float:
        """Return the sum of the squares of their distances from another centre."""
        return self.squares + self.n * (self.mean - centre) ** 2

    @property
    def standard(self) -> float:
        """The standard error of the mean; for at least two numbers."""
        return sqrt(self.squares / (self.n * (self.n - 1)))

    @property
    def error(self) -> float | None:
        """Half the width of the 95 % interval of the mean (Student); None for under ten blocks, or if all are alike."""
        return student(self.n - 1) * self.standard or None if self.n >= LEAST_BLOCKS else None
