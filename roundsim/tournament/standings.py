"""Standings: means, errors and ranks from the sums of blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import atan, cos, erf, pi, sin, sqrt

from ..words import plain, signed
from .formats import Measure
from .plan import Entry, Tournament
from .tally import Fold, Sums, Tally

LEAST_BLOCKS = 5  # fewer give no error


@dataclass(frozen=True)
class Figure:
    """A mean, and the half-width of its 95 % interval; None where there is too little to say."""

    mean: Fraction | None
    error: float | None = None

    @property
    def value(self) -> float | None:
        return None if self.mean is None else float(self.mean)


@dataclass
class Row:
    """One entrant: its figures, by the keys of its format's measures; the first ranks."""

    strategy: str
    figures: dict[str, Figure]
    blocks: int
    units: int
    faults: int
    rank: int | None = None
    tied: bool = False

    @property
    def first(self) -> Figure:
        return next(iter(self.figures.values()))

    def rank_text(self) -> str:
        return "-" if self.rank is None else f"{self.rank}{'=' if self.tied else ''}"


def standings(entry: Entry, tally: Tally) -> list[Row]:
    """The rows of a game, best first."""
    rows, measures = [], entry.format.measures
    for entrant, label in enumerate(entry.labels):
        sums = {each.key: tally.sums.get((each.key, entrant), Sums()) for each in measures}
        figures = {each.key: figure_of(sums[each.key], each.parts(entry)) for each in measures}
        faults = sum(n for (who, _), n in tally.faults.items() if who == entrant)
        first = sums[measures[0].key]
        rows.append(Row(label, figures, first.n, first.w, faults))
    return ranked(rows, measures[: entry.format.ranked_by])


def figure_of(sums: Sums, parts: int) -> Figure:
    return Figure(Fraction(sums.x, sums.w * parts) if sums.w else None, error_of(sums, parts))


def ranked(rows: list[Row], by: Sequence[Measure]) -> list[Row]:
    """Competition ranks: `2=` for means that are exactly equal; who has not played comes last, without a rank."""

    def merit(row: Row) -> tuple[Fraction, ...]:
        means = [(each.less_is_better, row.figures[each.key].mean or Fraction(0)) for each in by]
        return tuple([mean if less else -mean for less, mean in means])

    played = sorted([row for row in rows if row.first.mean is not None], key=merit)
    for row in played:
        equal = [place for place, other in enumerate(played, 1) if merit(other) == merit(row)]
        row.rank, row.tied = equal[0], len(equal) > 1
    return played + [row for row in rows if row.first.mean is None]


def error_of(sums: Sums, scale: int) -> float | None:
    """Half the width of the 95 % interval of a mean (Student, over blocks); None under five blocks."""
    if sums.n < LEAST_BLOCKS:
        return None
    mean = Fraction(sums.x, sums.w)
    squares = sums.xx - 2 * mean * sums.xw + mean * mean * sums.ww
    return student(sums.n - 1) * sqrt(squares * sums.n / (sums.n - 1)) / (sums.w * scale)


SCORE = Measure("score", "score", "score", signed, error_data="error", error_shown=True, error_text=plain)


def overall(entries: list[tuple[Entry, Tally]]) -> list[Row]:
    """One table for all games: each mean in standard deviations of block means there, every game weighing the same.

    Only those entrants who played every game."""
    labels = [label for label in entries[0][0].labels if all(label in entry.labels for entry, _ in entries)]
    scores: dict[str, list[Figure]] = {label: [] for label in labels}
    faults, blocks = dict.fromkeys(labels, 0), dict.fromkeys(labels, 0)
    for entry, tally in entries:
        centre, spread = whole_spread(entry, tally)
        sign = -1 if entry.format.measures[0].less_is_better else 1
        for row in standings(entry, tally):
            if row.strategy in labels and row.first.mean is not None:
                score = sign * (row.first.mean - centre) / Fraction(spread) if spread else Fraction(0)
                error = None if row.first.error is None else row.first.error / spread if spread else 0.0
                scores[row.strategy].append(Figure(score, error))
                faults[row.strategy] += row.faults
                blocks[row.strategy] += row.blocks
    rows = []
    for label, each in scores.items():
        if len(each) == len(entries):
            errors = [figure.error for figure in each if figure.error is not None]
            mean = sum((figure.mean for figure in each if figure.mean is not None), Fraction(0)) / len(each)
            error = sqrt(sum(error**2 for error in errors)) / len(each) if len(errors) == len(each) else None
            rows.append(Row(label, {"score": Figure(mean, error)}, blocks[label], len(each), faults[label]))
    return ranked(rows, [SCORE])


@dataclass(frozen=True)
class Reckoned:
    """The standings of a run: the rows of each game, best first, and those of the table over all, if there are several."""

    tournament: Tournament
    folds: Sequence[Fold]
    games: list[list[Row]]
    overall: list[Row]

    def __iter__(self) -> Iterator[tuple[Entry, Fold, list[Row]]]:
        """Each game: its entry, its fold, its rows."""
        return zip(self.tournament.entries, self.folds, self.games, strict=True)


def reckon(tournament: Tournament, folds: Sequence[Fold]) -> Reckoned:
    """The standings of what has been played of a tournament."""
    both = [(entry, fold.tally) for entry, fold in zip(tournament.entries, folds, strict=True)]
    games = [standings(entry, tally) for entry, tally in both]
    return Reckoned(tournament, folds, games, overall(both) if len(both) > 1 else [])


def whole_spread(entry: Entry, tally: Tally) -> tuple[Fraction, float]:
    """The mean, and the standard deviation of block means, over all entrants of a game."""
    measure, whole = entry.format.measures[0], Sums()
    scale = measure.parts(entry)
    for (key, _), sums in tally.sums.items():
        if key == measure.key:
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
