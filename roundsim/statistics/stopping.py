"""Early stopping: a verdict that may be tested after every block without being wrong more often."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from math import inf, log, pi, sqrt, tan

from .distributions import crossing
from .moments import Moments

EARLIEST = 80  # blocks that differ from 0: before that, differences with heavy tails are decided wrongly too often
TUNED_TO = 300  # such blocks: where it decides best
LARGEST_SHARE = 0.2  # of the squares: nothing is decided while one block has more


class Decision(Enum):
    """The result of a comparison; the value is its word in a report."""

    WORSE = "worse"
    UNDECIDED = "undecided"
    BETTER = "better"
    VOID = "void"  # one of the two is not placed


@dataclass
class Mixture:
    """The differences of blocks, in schedule order, and what they decide; wrong with chance alpha over all blocks
    together.

    It is a self-normalised mixture (de la Peña 1999; Howard and others 2021). It is exact for differences that are
    symmetric about the value they are tested against, as between two equal strategies, however long their tails.
    Otherwise it is nearly exact after many blocks that differ from 0 (Waudby-Smith and others 2024). `changed` counts
    these: a block without a difference says nothing for or against 0."""

    alpha: float = 0.05
    changed: int = 0
    _all: Moments = field(default_factory=Moments)
    # of the blocks up to the 80th that changed, and of all further ones up to the first with another difference
    _first: Moments = field(default_factory=Moments)
    _first_changed: int = 0
    _least: float = inf
    _most: float = -inf

    def add(self, difference: float) -> None:
        self._all.add(difference)
        self.changed += difference != 0
        self._least, self._most = min(self._least, difference), max(self._most, difference)
        if difference and self.changed <= EARLIEST or not self._first.squares:
            self._first, self._first_changed = replace(self._all), self.changed

    @property
    def mean(self) -> float | None:
        """The mean of the differences so far; None if there are none."""
        return self._all.mean if self._all.n else None

    def decision(self, delta: float = 0.0) -> Decision:
        """Return BETTER if the true difference is above delta, WORSE if below.

        UNDECIDED before 80 blocks have changed, and while one block has too large a share of the squares."""
        if self.changed < EARLIEST or not self._against(delta) or self.largest_share(delta) > LARGEST_SHARE:
            return Decision.UNDECIDED
        return Decision.BETTER if self._all.mean > delta else Decision.WORSE

    def interval(self) -> tuple[float, float] | None:
        """Return the limits of the true difference, valid at any look; None before 80 blocks have changed."""
        if self.changed < EARLIEST:
            return None
        mean, spread = self._all.mean, sqrt(self._all.squares / self._all.n)

        def limit(side: float) -> float:
            """Return the first value on this side that is decided against; angles reach as far out as necessary."""
            return mean + side * tan(crossing(lambda angle: self._against(mean + side * tan(angle)), 0, pi / 2))

        return limit(-spread), limit(spread)

    def largest_share(self, delta: float = 0.0) -> float:
        """Return the share that the block furthest from delta has of the sum of the squares of D - delta; 0 if all is
        0."""
        furthest = max(abs(self._least - delta), abs(self._most - delta))
        squares = self._all.about(delta)
        return furthest * furthest / squares if squares else 0.0

    def _against(self, delta: float) -> bool:
        """Whether it is decided that delta is not the true difference.

        With S and V the sums of D - delta and of its square: ½ ln(r / (r + V)) + S² / 2(r + V) >= ln(1 / alpha). Only
        the sizes of D - delta determine r, not their signs. If all differences so far are the same, it may wait for
        another."""
        twice = -2 * log(self.alpha)
        tuned = (twice + log(twice) + 1) / TUNED_TO
        r = self._first.about(delta) / self._first_changed / tuned
        v, s = self._all.about(delta), self._all.n * (self._all.mean - delta)
        return r > 0 and log(r / (r + v)) + s * s / (r + v) >= twice
