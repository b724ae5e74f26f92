"""Early stopping: a verdict that may be tested after every block without being wrong more often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from math import exp, inf, log, pi, sqrt, tan

from .distributions import crossing
from .moments import Moments

EARLIEST = 80  # blocks that differ from 0: before that, differences with heavy tails are decided wrongly too often
TUNED_TO = 300  # such blocks: where it decides best
LARGEST_SHARE = 0.2  # of the squares: nothing is decided while one block has more


class Decision(Enum):
    """The result of a comparison; the value is its word in a report. Over several games the first of them counts."""

    VOID = "void"  # one of the two is not placed
    WORSE = "worse"
    UNDECIDED = "undecided"
    EQUAL = "no difference"
    BETTER = "better"


@dataclass
class Mixture:
    """The differences of blocks, in schedule order, and what they decide; wrong with chance alpha over all blocks
    together.

    It is a self-normalised mixture (de la Peña 1999; Howard and others 2021). It is exact for differences that are
    symmetric about the value they are tested against, as between two equal strategies, however long their tails.
    Otherwise it is nearly exact after many blocks that differ from 0 (Waudby-Smith and others 2024). `gained` and
    `lost` count the blocks above and below 0: a block without a difference says nothing for or against 0.

    `alpha_worse`: the chance of an error for WORSE, if it is another one."""

    alpha: float = 0.05
    alpha_worse: float | None = None
    gained: int = 0
    lost: int = 0
    _all: Moments = field(default_factory=Moments)
    # of the blocks up to the 80th that changed, and of all further ones up to the first with another difference
    _first: Moments = field(default_factory=Moments)
    _first_changed: int = 0
    _least: float = inf
    _most: float = -inf

    def add(self, difference: float) -> None:
        self._all.add(difference)
        self.gained += difference > 0
        self.lost += difference < 0
        self._least, self._most = min(self._least, difference), max(self._most, difference)
        if difference and self.changed <= EARLIEST or not self._first.squares:
            self._first, self._first_changed = replace(self._all), self.changed

    def add_all(self, differences: Sequence[float]) -> None:
        """Add several, one by one only while the first 80 that change are not complete."""
        at = 0
        while at < len(differences) and (self.changed < EARLIEST or not self._first.squares):
            self.add(differences[at])
            at += 1
        if rest := differences[at:]:
            self._all.add_all(rest)
            self.gained += sum(difference > 0 for difference in rest)
            self.lost += sum(difference < 0 for difference in rest)
            self._least, self._most = min(self._least, *rest), max(self._most, *rest)

    @property
    def blocks(self) -> int:
        return self._all.n

    @property
    def changed(self) -> int:
        """How many blocks differ from 0."""
        return self.gained + self.lost

    @property
    def mean(self) -> float | None:
        """The mean of the differences so far; None if there are none."""
        return self._all.mean if self._all.n else None

    def decision(self, delta: float = 0.0) -> Decision:
        """Return BETTER if the true difference is above delta, WORSE if below.

        UNDECIDED before 80 blocks have changed, and while one block has too large a share of the squares."""
        if not self.is_against(delta):
            return Decision.UNDECIDED
        return Decision.BETTER if self._all.mean > delta else Decision.WORSE

    def is_within(self, worth: float) -> bool:
        """Whether it is decided that the true difference is between -worth and worth."""
        return abs(self._all.mean) < worth and self.is_against(worth) and self.is_against(-worth)

    def is_hopeless(self, cap: int) -> bool:
        """Whether even a true difference at a limit would not lead to a decision that it is not 0 within this many
        blocks.

        If the squares go on as they are, the mean of all blocks must be so far from 0 then that there is enough
        evidence. It is hopeless if it is decided, on both sides, that the true difference is not as far from 0 as the
        mean that all blocks to come would need for that."""
        n, v, left = self.blocks, self._all.squares, cap - self.blocks
        if self.changed < EARLIEST or left <= 0 or (r := self._scale(0.0)) <= 0:
            return False
        enough = -2 * log(self.alpha)

        def decides(mean: float) -> bool:
            squares = (v / n + mean * mean) * cap
            return (cap * mean) ** 2 / (r + squares) - log((r + squares) / r) >= enough

        needed, mean = crossing(decides, 0.0, sqrt(v)), self._all.mean
        to_come = [(side, (side * cap * needed - n * mean) / left) for side in (1, -1)]
        return all(side * (limit - mean) > 0 and self.is_against(limit) for side, limit in to_come)

    def is_against(self, delta: float) -> bool:
        """Whether it is decided that the true difference is another one."""
        return self._against(delta) and self.largest_share(delta) <= LARGEST_SHARE

    @property
    def p(self) -> float:
        """1 divided by the evidence that the true difference is not 0; at most alpha if, and only if, that is decided.

        It is 1 while one block with too large a share is all that prevents the decision."""
        if self.changed < EARLIEST:
            return 1.0
        p = exp(-max(self.evidence(), 0.0))
        if self.is_against(0.0):
            return min(p, self.alpha)
        return p if p > self.alpha else 1.0

    def interval(self) -> tuple[float, float] | None:
        """Return the limits of the true difference, valid at any look; None before 80 blocks have changed."""
        if self.changed < EARLIEST:
            return None
        mean, spread = self._all.mean, self.deviation

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

    def alpha_against(self, delta: float) -> float:
        """Return the chance of an error with which it may be decided that the true difference is not delta."""
        return self.alpha if self.alpha_worse is None or self._all.mean > delta else self.alpha_worse

    def _against(self, delta: float) -> bool:
        """Whether there is enough evidence against delta, however large the share of one block is."""
        return self.evidence(delta) >= -log(self.alpha_against(delta))

    @property
    def standard(self) -> float:
        """The standard error of the mean; for at least two blocks."""
        return self._all.standard

    @property
    def deviation(self) -> float:
        """The standard deviation of a block; 0 before the first."""
        return sqrt(self._all.squares / self._all.n) if self._all.n else 0.0

    @property
    def effect(self) -> float | None:
        """The mean in standard deviations of a block; None if all blocks are the same."""
        return self._all.mean / self.deviation if self.deviation else None

    def evidence(self, delta: float = 0.0) -> float:
        """Return the logarithm of the evidence that delta is not the true difference; 1 / alpha is enough to decide.

        It is -inf before 80 blocks have changed.
        With S and V the sums of D - delta and of its square: ½ ln(r / (r + V)) + S² / 2(r + V). Only the sizes of
        D - delta determine r, not their signs. If all differences so far are the same, it may wait for another."""
        if self.changed < EARLIEST:
            return -inf
        r = self._scale(delta)
        v, s = self._all.about(delta), self._all.n * (self._all.mean - delta)
        return (log(r / (r + v)) + s * s / (r + v)) / 2 if r > 0 else -inf

    def _scale(self, delta: float) -> float:
        """Return r, by which the evidence is tuned."""
        twice = -2 * log(self.alpha)
        tuned = (twice + log(twice) + 1) / TUNED_TO
        return self._first.about(delta) / self._first_changed / tuned
