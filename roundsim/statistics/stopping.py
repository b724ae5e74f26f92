"""When a comparison may stop: a verdict that may be asked for after every block, and is wrong no oftener for that."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from math import log, pi, sqrt, tan

from .distributions import crossing
from .moments import Moments

EARLIEST = 80  # blocks: before that differences of heavy tails are decided wrongly too often
TUNED_TO = 300  # blocks: where it decides best


class Decision(Enum):
    """How a comparison ends; the value is its word in a report."""

    WORSE = "worse"
    UNDECIDED = "undecided"
    BETTER = "better"


@dataclass
class Mixture:
    """The differences of blocks, in the order of the schedule, and what they decide with a chance of alpha, over all blocks,
    to be wrong: a self-normalised mixture (de la Peña 1999; Howard and others 2021).

    Exact for differences that are symmetric about what they are tested against, as between two that are alike, however long
    their tails; else nearly so after many blocks (Waudby-Smith and others 2024)."""

    alpha: float = 0.05
    _all: Moments = field(default_factory=Moments)
    _first: Moments = field(default_factory=Moments)  # of the first 80, and of so many more as were all the same

    def add(self, difference: float) -> None:
        self._all.add(difference)
        if self._all.n <= EARLIEST or not self._first.squares:
            self._first = replace(self._all)

    @property
    def mean(self) -> float | None:
        """Of the differences so far; None where there is none."""
        return self._all.mean if self._all.n else None

    def decision(self, delta: float = 0.0) -> Decision:
        """BETTER if the true difference is above delta, WORSE if below; UNDECIDED before block 80."""
        if self._all.n < EARLIEST or not self._against(delta):
            return Decision.UNDECIDED
        return Decision.BETTER if self._all.mean > delta else Decision.WORSE

    def interval(self) -> tuple[float, float] | None:
        """Between what two limits the true difference is, at any look; None before block 80."""
        if self._all.n < EARLIEST:
            return None
        mean, spread = self._all.mean, sqrt(self._all.squares / self._all.n)

        def limit(side: float) -> float:
            """The first on that side that is decided against; angles reach as far out as need be."""
            return mean + side * tan(crossing(lambda angle: self._against(mean + side * tan(angle)), 0, pi / 2))

        return limit(-spread), limit(spread)

    def _against(self, delta: float) -> bool:
        """Whether it is decided that delta is not the true difference.

        With S and V the sums of D - delta and of its square: ½ ln(r / (r + V)) + S² / 2(r + V) >= ln(1 / alpha).  What r is
        hangs on the sizes of D - delta alone, not on their signs: were all the same so far, it may wait for another."""
        twice = -2 * log(self.alpha)
        tuned = (twice + log(twice) + 1) / TUNED_TO
        r = self._first.about(delta) / self._first.n / tuned
        v, s = self._all.about(delta), self._all.n * (self._all.mean - delta)
        return r > 0 and log(r / (r + v)) + s * s / (r + v) >= twice
