"""Early stopping: a verdict that may be tested after every block without being wrong more often."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from math import log, pi, sqrt, tan

from .distributions import crossing
from .moments import Moments

EARLIEST = 80  # blocks: before that, differences with heavy tails are decided wrongly too often
TUNED_TO = 300  # blocks: where it decides best


class Decision(Enum):
    """The result of a comparison; the value is its word in a report."""

    WORSE = "worse"
    UNDECIDED = "undecided"
    BETTER = "better"


@dataclass
class Mixture:
    """The differences of blocks, in schedule order, and what they decide; wrong with chance alpha over all blocks
    together.

    It is a self-normalised mixture (de la Peña 1999; Howard and others 2021). It is exact for differences that are
    symmetric about the value they are tested against, as between two equal strategies, however long their tails.
    Otherwise it is nearly exact after many blocks (Waudby-Smith and others 2024)."""

    alpha: float = 0.05
    _all: Moments = field(default_factory=Moments)
    # of the first 80, and of all further ones up to the first that differs
    _first: Moments = field(default_factory=Moments)

    def add(self, difference: float) -> None:
        self._all.add(difference)
        if self._all.n <= EARLIEST or not self._first.squares:
            self._first = replace(self._all)

    @property
    def mean(self) -> float | None:
        """The mean of the differences so far; None if there are none."""
        return self._all.mean if self._all.n else None

    def decision(self, delta: float = 0.0) -> Decision:
        """Return BETTER if the true difference is above delta, WORSE if below; UNDECIDED before block 80."""
        if self._all.n < EARLIEST or not self._against(delta):
            return Decision.UNDECIDED
        return Decision.BETTER if self._all.mean > delta else Decision.WORSE

    def interval(self) -> tuple[float, float] | None:
        """Return the limits of the true difference, valid at any look; None before block 80."""
        if self._all.n < EARLIEST:
            return None
        mean, spread = self._all.mean, sqrt(self._all.squares / self._all.n)

        def limit(side: float) -> float:
            """Return the first value on this side that is decided against; angles reach as far out as necessary."""
            return mean + side * tan(crossing(lambda angle: self._against(mean + side * tan(angle)), 0, pi / 2))

        return limit(-spread), limit(spread)

    def _against(self, delta: float) -> bool:
        """Whether it is decided that delta is not the true difference.

        With S and V the sums of D - delta and of its square: ½ ln(r / (r + V)) + S² / 2(r + V) >= ln(1 / alpha). Only
        the sizes of D - delta determine r, not their signs. If all differences so far are the same, it may wait for
        another."""
        twice = -2 * log(self.alpha)
        tuned = (twice + log(twice) + 1) / TUNED_TO
        r = self._first.about(delta) / self._first.n / tuned
        v, s = self._all.about(delta), self._all.n * (self._all.mean - delta)
        return r > 0 and log(r / (r + v)) + s * s / (r + v) >= twice
