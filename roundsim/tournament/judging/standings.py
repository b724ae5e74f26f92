"""Standings: means, errors and ranks from the sums of blocks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from math import sqrt

from ...statistics.distributions import FEW_BLOCKS, LEAST_BLOCKS, clopper_pearson, student
from ...statistics.few_values import half_width, with_bounds
from ..formats import Measure
from ..planning.plan import Entry, Limits, Tournament
from ..results.entry_totals import EntryTotals
from ..results.totals import MeasureSums, ShardTotals
from .sequential import SequentialVerdicts
from .stopping import SCORE, Outcome, Outcomes, outcomes
from .verdicts import Overall, Verdicts


@dataclass(frozen=True)
class Figure:
    """A mean over a number of blocks, and the half-width of its 95 % interval.

    The half-width is None if there are too few blocks, or if all are alike. A share of blocks that were won has two
    `limits` instead."""

    mean: Fraction | None
    error: float | None = None
    blocks: int = FEW_BLOCKS
    limits: tuple[float, float] | None = None

    @property
    def value(self) -> float | None:
        return None if self.mean is None else float(self.mean)


@dataclass
class StandingsRow:
    """One entrant: its figures, by the keys of its format's measures. The first ranks.

    `out`: the share of its deals in which it was at fault, if that is too large for it to be placed."""

    strategy: str
    figures: dict[str, Figure]
    blocks: int
    units: int
    faults: int
    rank: int | None = None
    tied: bool = False
    out: Fraction | None = None

    @property
    def first(self) -> Figure:
        return next(iter(self.figures.values()))

    def rank_text(self) -> str:
        return "-" if self.rank is None else f"{self.rank}{'=' if self.tied else ''}"


def unplaced(entry: Entry, fold: EntryTotals, limits: Limits) -> dict[int, Fraction]:
    """Return the entrants that are not placed, with the share of their deals in which they were at fault."""
    return fold.at_fault.over(limits.placed_within, entry.format.tables_at_once(entry), entry.format.parts)


def standings(entry: Entry, tally: ShardTotals, out: Mapping[int, Fraction] | None = None) -> list[StandingsRow]:
    """Return the rows of a game, best first. `out`: those who are not placed (see `unplaced`)."""
    rows, measures = [], entry.format.measures
    for entrant, label in enumerate(entry.labels):
        sums = {measure.key: tally.sums.get((measure.key, entrant), MeasureSums()) for measure in measures}
        figures = {measure.key: figure_of(sums[measure.key], measure, entry) for measure in measures}
        faults = sum(n for (who, _), n in tally.faults.items() if who == entrant)
        first = sums[measures[0].key]
        rows.append(StandingsRow(label, figures, first.n, first.w, faults, out=(out or {}).get(entrant)))
    return ranked(rows, measures[: entry.format.ranked_by])


def figure_of(sums: MeasureSums, measure: Measure, entry: Entry) -> Figure:
    if not sums.w:
        return Figure(None)
    parts = measure.denominator(entry)
    mean = Fraction(sums.x, sums.w * parts)
    if measure.of_winners:
        return Figure(mean, None, sums.n, clopper_pearson(sums.x / parts, sums.n))
    return Figure(mean, half_width_of(sums, measure, entry), sums.n)


def ranked(rows: list[StandingsRow], by: Sequence[Measure]) -> list[StandingsRow]:
    """Add competition ranks: `2=` for means that are exactly equal.

    Without a rank follow those that are not placed, in the same order, and those that have not played."""

    def merit(row: StandingsRow) -> tuple[Fraction, ...]:
        means = [(measure.less_is_better, row.figures[measure.key].mean or Fraction(0)) for measure in by]
        return tuple([mean if less else -mean for less, mean in means])

    played = sorted([row for row in rows if row.first.mean is not None], key=merit)
    placed, place = [row for row in played if row.out is None], 1
    for _, group in groupby(placed, key=merit):
        equal = [*group]
        for row in equal:
            row.rank, row.tied = place, len(equal) > 1
        place += len(equal)
    return [*placed, *[row for row in played if row.out is not None], *[row for row in rows if row.first.mean is None]]


def half_width_of(sums: MeasureSums, measure: Measure, entry: Entry) -> float | None:
    """Return half the width of the 95 % interval of a mean over blocks; None under ten blocks, or if all are alike.

    It is Student's, but where blocks have few different values (see `few_values`)."""
    if sums.n < LEAST_BLOCKS:
        return None
    parts = measure.denominator(entry)
    if sums.few is not None and sums.ww * sums.n == sums.w**2:  # and all weigh the same
        bounds = measure.bounds(entry) if measure.bounds else ()
        counts = {x * sums.n / (sums.w * parts): n for x, n in sums.few.items()}
        return half_width(with_bounds(counts, bounds))
    mean = Fraction(sums.x, sums.w)
    squares = sums.xx - 2 * mean * sums.xw + mean * mean * sums.ww
    return student(sums.n - 1) * sqrt(squares * sums.n / (sums.n - 1)) / (sums.w * parts) or None


def overall(
    entries: list[tuple[Entry, ShardTotals]], out: Sequence[Mapping[int, Fraction]] | None = None
) -> list[StandingsRow]:
    """Return one table for all games: each mean in standard deviations of one deal there; every game weighs the same.

    Only entrants that played every game are in it. Those that are not placed in one of them are not placed here. `out`:
    those of each game (see `unplaced`)."""
    labels = [label for label in entries[0][0].labels if all(label in entry.labels for entry, _ in entries)]
    scores: dict[str, list[StandingsRow]] = {label: [] for label in labels}
    for at, (entry, tally) in enumerate(entries):
        for row in scored(entry, tally, out[at] if out else None):
            if row.strategy in labels:
                scores[row.strategy].append(row)
    means = [mean_of(rows) for rows in scores.values() if len(rows) == len(entries)]
    return ranked(means, [SCORE])


def scored(entry: Entry, tally: ShardTotals, out: Mapping[int, Fraction] | None = None) -> Iterator[StandingsRow]:
    """Yield how far each entrant's mean in a game is above that of all, in standard deviations of one deal there."""
    centre, spread = centre_of(entry, tally), Fraction(spread_of(entry, tally))
    sign = -1 if entry.format.measures[0].less_is_better else 1
    for row in standings(entry, tally, out):
        if row.first.mean is not None:
            score, error = Fraction(0), 0.0 if row.blocks >= LEAST_BLOCKS else None
            if spread:
                score = sign * (row.first.mean - centre) / spread
                error = row.first.error and row.first.error / float(spread)
            yield replace(row, figures={SCORE.key: Figure(score, error, row.first.blocks)})


def mean_of(rows: Sequence[StandingsRow]) -> StandingsRow:
    """Return the score over all games, from the row of each."""
    mean = sum((row.first.mean for row in rows if row.first.mean is not None), Fraction(0)) / len(rows)
    errors = [row.first.error for row in rows if row.first.error is not None]
    error = sqrt(sum(error**2 for error in errors)) / len(rows) if len(errors) == len(rows) else None
    figure = Figure(mean, error, min(row.blocks for row in rows))
    blocks, faults = sum(row.blocks for row in rows), sum(row.faults for row in rows)
    return StandingsRow(rows[0].strategy, {"score": figure}, blocks, len(rows), faults, out=worst_share(rows))


def worst_share(rows: Iterable[StandingsRow]) -> Fraction | None:
    """Return the largest share of deals for which an entrant is not placed; None if it is placed in all these rows."""
    return max((row.out for row in rows if row.out is not None), default=None)


def left_out(entries: Iterable[Entry], rows: Iterable[StandingsRow]) -> list[str]:
    """Return the entrants that are not in the table over all, because they have not played every game."""
    complete = {row.strategy for row in rows}
    return [
        label for label in dict.fromkeys(label for entry in entries for label in entry.labels) if label not in complete
    ]


def over_rounds(rounds: Sequence[Sequence[StandingsRow]]) -> list[tuple[int, StandingsRow]]:
    """Return one table for the rounds of a game: the last round of each entrant, and its row there.

    An entrant that has come further ranks higher, otherwise the order is that of the round; faults are those of all
    rounds. Those that are not placed in one of them follow, in the same order."""
    own, last = defaultdict[str, list[StandingsRow]](list), dict[str, int]()
    for number, rows in enumerate(rounds, 1):
        for row in rows:
            own[row.strategy].append(row)
            last[row.strategy] = number
    shares = {strategy: worst_share(rows) for strategy, rows in own.items()}
    placed, others = list[tuple[int, StandingsRow]](), list[tuple[int, StandingsRow]]()
    for number, rows in reversed([*enumerate(rounds, 1)]):
        ends, before = [row for row in rows if last[row.strategy] == number], len(placed)
        ranks = [row.rank for row in ends if shares[row.strategy] is None]
        for row in ends:
            share, faults = shares[row.strategy], sum(earlier.faults for earlier in own[row.strategy])
            if share is not None:
                others.append((number, replace(row, rank=None, tied=False, faults=faults, out=share)))
                continue
            rank = None if row.rank is None else before + 1 + ranks.index(row.rank)
            tied = row.rank is not None and ranks.count(row.rank) > 1
            placed.append((number, replace(row, rank=rank, tied=tied, faults=faults)))
    return placed + others


def centre_of(entry: Entry, tally: ShardTotals) -> Fraction:
    """Return the mean over all entrants."""
    every = sums_of(entry, tally)
    weight = sum(sums.w for sums in every)
    return (
        Fraction(sum(sums.x for sums in every), weight * entry.format.measures[0].denominator(entry))
        if weight
        else Fraction(0)
    )


def spread_of(entry: Entry, tally: ShardTotals) -> float:
    """Return the standard deviation of one deal's net within entrants; of the block's result, if the block has a
    winner.

    It depends neither on the length of blocks nor on the differences between entrants."""
    every, parts = sums_of(entry, tally), entry.format.measures[0].denominator(entry)
    if entry.format.by_deals:
        # an entrant with several seats has several nets in a deal
        nets = entry.format.table_size(entry.deal) * tally.deals
        seats = Fraction(nets, sum(sums.w for sums in every) or 1)
        held = seats * sum([Fraction(sums.x, parts) ** 2 / sums.w for sums in every], Fraction(0))
        squares: Fraction = tally.squares - held
        freedom = nets - len(every)
    else:
        squares = sum([sums.xx - Fraction(sums.x**2, sums.n) for sums in every], Fraction(0)) / parts**2
        freedom = sum(sums.n for sums in every) - len(every)
    return sqrt(max(squares, Fraction(0)) / freedom) if freedom > 0 else 0.0


def sums_of(entry: Entry, tally: ShardTotals) -> list[MeasureSums]:
    """Return the sums of the entrants that have played, by the first measure."""
    return [sums for (key, _), sums in tally.sums.items() if key == entry.format.measures[0].key]


@dataclass(frozen=True)
class Standings:
    """The standings of a run: the rows of each game, best first; those over all games, if there are several; the
    verdicts; the results of the stopping rule."""

    tournament: Tournament
    folds: Sequence[EntryTotals]
    games: list[list[StandingsRow]]
    overall: list[StandingsRow]
    verdicts: list[Verdicts]
    judged: Outcomes

    @cached_property
    def overall_verdicts(self) -> Overall:
        """The verdicts over all games: entrants have the numbers of their rows."""
        games = [(game, spread_of(game.entry, game.tally)) for game in self.verdicts]
        scores = [None if row.rank is None else row.first.value for row in self.overall]
        return Overall([row.strategy for row in self.overall], scores, games)

    @cached_property
    def over_rounds(self) -> list[tuple[Entry, list[tuple[int, StandingsRow]]]]:
        """For each game that is played in rounds, its last known round and the table over its rounds."""
        entries = self.tournament.entries
        return [
            (entries[numbers[-1]], over_rounds([self.games[number] for number in numbers]))
            for numbers in self.tournament.series
            if entries[numbers[0]].format.last_round > 1
        ]

    @property
    def outcomes(self) -> list[Outcome]:
        """The result of the stopping rule for each game; none without a rule."""
        return self.judged.games

    @property
    def pooled(self) -> Outcome | None:
        """The result of a gate over all games."""
        return self.judged.over_all

    def __iter__(self) -> Iterator[tuple[Entry, EntryTotals, list[StandingsRow], Verdicts]]:
        """Yield for each game its entry, its totals, its rows, its verdicts."""
        return zip(self.tournament.entries, self.folds, self.games, self.verdicts, strict=True)


def compute_standings(tournament: Tournament, folds: Sequence[EntryTotals]) -> Standings:
    """Return the standings of what has been played of a tournament."""
    played = [*zip(tournament.entries, folds, strict=True)]
    tallies = [(entry, fold.tally) for entry, fold in played]
    out = [unplaced(entry, fold, tournament.limits) for entry, fold in played]
    games = [standings(entry, tally, among) for (entry, tally), among in zip(tallies, out, strict=True)]
    several = len(played) > 1 and all(entry.format.last_round == 1 for entry in tournament.entries)
    stopping, judged = tournament.stopping, Outcomes([])
    if stopping:
        judged = outcomes(tournament.entries, stopping, folds, tournament.limits.placed_within)
    verdicts = [
        SequentialVerdicts(*pair, tournament.seed, among, stopping.level, judged.games[at])
        if stopping
        else Verdicts(*pair, tournament.seed, among)
        for at, (pair, among) in enumerate(zip(played, out, strict=True))
    ]
    return Standings(tournament, folds, games, overall(tallies, out) if several else [], verdicts, judged)
