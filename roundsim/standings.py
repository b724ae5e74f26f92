"""Standings: means, errors and ranks from the sums of blocks."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import atan, cos, erf, pi, sin, sqrt

from .tournament.formats import share_scale
from .tournament.plan import Entry
from .tournament.tally import Sums, Tally

LEAST_BLOCKS = 5  # fewer give no error


@dataclass
class Row:
    """One entrant: its mean (counters a deal; mean place in a freeze-out) and the half-width of its 95 % interval.

    `won`: share of the deals, or freeze-outs, won, from 0 to 1.  None where there is too little to say."""

    strategy: str
    mean: float | None
    error: float | None
    won: float | None
    won_error: float | None
    blocks: int
    units: int
    faults: int
    rank: int | None = None
    tied: bool = False

    def rank_text(self) -> str:
        return "-" if self.rank is None else f"{self.rank}{'=' if self.tied else ''}"


def standings(entry: Entry, tally: Tally) -> list[Row]:
    """The rows of a game, best first."""
    freeze_out = entry.format == "freeze-out"
    measure, seats = ("place", len(entry.strategies)) if freeze_out else ("net", entry.players)
    scale = 2 if freeze_out else share_scale(entry.players)
    rows, means = [], []
    for entrant, label in enumerate(entry.labels):
        sums, won = (tally.sums.get((key, entrant), Sums()) for key in (measure, "won"))
        faults = sum(n for (who, _), n in tally.faults.items() if who == entrant)
        mean = Fraction(sums.x, sums.w * scale) if sums.w else None
        share = share_scale(seats)
        rows.append(
            Row(
                label,
                None if mean is None else float(mean),
                error_of(sums, scale),
                won.x / (won.w * share) if won.w else None,
                error_of(won, share),
                sums.n,
                sums.w,
                faults,
            )
        )
        means.append(mean)
    return ranked(rows, means, lower_is_better=freeze_out)


def ranked(rows: list[Row], means: list[Fraction | None], lower_is_better: bool = False) -> list[Row]:
    """Competition ranks: `2=` for means that are exactly equal; who has not played comes last, without a rank."""
    sign = 1 if lower_is_better else -1
    pairs = sorted(zip(rows, means, strict=True), key=lambda pair: (pair[1] is None, sign * (pair[1] or 0)))
    for row, mean in pairs:
        if mean is not None:
            equal = [place for place, (_, other) in enumerate(pairs, 1) if other == mean]
            row.rank, row.tied = equal[0], len(equal) > 1
    return [row for row, _ in pairs]


def error_of(sums: Sums, scale: int) -> float | None:
    """Half the width of the 95 % interval of a mean (Student, over blocks); None under five blocks."""
    if sums.n < LEAST_BLOCKS:
        return None
    mean = Fraction(sums.x, sums.w)
    squares = sums.xx - 2 * mean * sums.xw + mean * mean * sums.ww
    return student(sums.n - 1) * sqrt(squares * sums.n / (sums.n - 1)) / (sums.w * scale)


def overall(entries: list[tuple[Entry, Tally]]) -> list[Row]:
    """One table for all games: each mean in standard deviations of block means there, every game weighing the same.

    Only those entrants who played every game."""
    labels = [label for label in entries[0][0].labels if all(label in entry.labels for entry, _ in entries)]
    figures: dict[str, list[tuple[Fraction, float | None]]] = {label: [] for label in labels}
    faults = dict.fromkeys(labels, 0)
    blocks = dict.fromkeys(labels, 0)
    for entry, tally in entries:
        centre, spread = whole_spread(entry, tally)
        sign, scale = (-1, 2) if entry.format == "freeze-out" else (1, share_scale(entry.players))
        for row in standings(entry, tally):
            if row.strategy in labels and row.mean is not None:
                sums = tally.sums["place" if entry.format == "freeze-out" else "net", entry.labels.index(row.strategy)]
                mean = Fraction(sums.x, sums.w * scale)
                figure = sign * (mean - centre) / Fraction(spread) if spread else Fraction(0)
                error = None if row.error is None else row.error / spread if spread else 0.0
                figures[row.strategy].append((figure, error))
                faults[row.strategy] += row.faults
                blocks[row.strategy] += row.blocks
    rows, means = [], []
    for label, each in figures.items():
        if len(each) == len(entries):
            errors = [error for _, error in each if error is not None]
            mean = sum((figure for figure, _ in each), Fraction(0)) / len(each)
            error = sqrt(sum(error**2 for error in errors)) / len(each) if len(errors) == len(each) else None
            rows.append(Row(label, float(mean), error, None, None, blocks[label], len(each), faults[label]))
            means.append(mean)
    return ranked(rows, list(means))


def whole_spread(entry: Entry, tally: Tally) -> tuple[Fraction, float]:
    """The mean, and the standard deviation of block means, over all entrants of a game."""
    measure, scale = ("place", 2) if entry.format == "freeze-out" else ("net", share_scale(entry.players))
    whole = Sums()
    for (key, _), sums in tally.sums.items():
        if key == measure:
            whole.merge(sums.row())
    if whole.n < 2:
        return Fraction(0), 0.0
    mean = Fraction(whole.x, whole.w)
    squares = whole.xx - 2 * mean * whole.xw + mean * mean * whole.ww
    return mean / scale, sqrt(squares / (whole.n - 1)) * whole.n / (whole.w * scale)


@cache
def student(freedom: int) -> float:
    """The 97.5 % point of Student's t, to four digits, by bisection of its distribution (Abramowitz and Stegun 26.7)."""
    low, high = 1.9, 13.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if inner_share(middle, freedom) < 0.95 else (low, middle)
    return (low + high) / 2


def inner_share(t: float, freedom: int) -> float:
    """P(|T| < t) for a whole number of degrees of freedom."""
    if freedom > 300:  # the series grows long; Fisher's expansion is exact enough there
        return inner_share_of_normal(t * (1 - 1 / (4 * freedom)) / sqrt(1 + t * t / (2 * freedom)))
    angle = atan(t / sqrt(freedom))
    odd = freedom % 2
    term = total = cos(angle) if odd else 1.0
    if freedom == 1:
        return 2 * angle / pi
    for k in range(3 if odd else 2, freedom - 1, 2):
        term *= (k - 1) / k * cos(angle) ** 2
        total += term
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


def inner_share_of_normal(z: float) -> float:
    return erf(z / sqrt(2))
