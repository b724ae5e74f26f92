"""Views of a run for programs. schemas/standings.json declares the keys, and from which attribute each comes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import exp
from operator import attrgetter
from typing import Any

from ..statistics.differences import Difference
from ..statistics.stopping import Decision
from ..tournament.formats import Measure
from ..tournament.judging.standings import Standings, StandingsRow
from ..tournament.judging.stopping import SCORE, Outcome
from ..tournament.judging.verdicts import Comparison, Verdicts
from ..tournament.planning.plan import Entry
from ..tournament.planning.record import LIMIT_KEYS, STOPPING_KEYS, recorded
from ..tournament.results.entry_totals import EntryTotals
from . import schemas

DECIDED = {Decision.WORSE: False, Decision.BETTER: True}  # by any other nothing is decided
OMITTED = object()  # the value of a key that is not there
Schema = Mapping[str, Any]


def rounded(value: float | None) -> float | None:
    """Round to six digits: the last ones are not the same on every machine."""
    return None if value is None else float(f"{value:.6g}")


def shaped_table(schema: Schema, source: Any) -> dict[str, Any]:
    """Return a table for programs. A sequence has the values of its keys in their order; any other object has them as
    attributes. `figures` are all that a row has, third-party ones included."""
    data, keys = dict[str, Any](), schema["properties"]
    if isinstance(source, Sequence):
        return {name: shaped(kind, value) for (name, kind), value in zip(keys.items(), source, strict=True)}
    for name, kind in keys.items():
        value = attrgetter(kind.get("of", name))(source)
        if kind.get("of") == "figures":
            data |= value
        elif value is not OMITTED and (value is not None or name in schema["required"]):
            data[name] = shaped(kind, value)
    return data


def shaped(kind: Schema, value: Any) -> Any:
    """Return a value as its schema describes it. Tables that are made already, of JSON values, stay as they are."""
    if isinstance(value, dict) or value is None:
        return value
    if "properties" in kind:
        return shaped_table(kind, value)
    if "items" in kind:
        return [shaped(kind["items"], item) for item in value]
    return rounded(value) if "number" in kind.get("type", ()) else value


class RunView:
    """A run with its games."""

    schema = schemas.declared("standings")["properties"]["schema"]["const"]

    def __init__(self, standings: Standings) -> None:
        self.standings, self.tournament = standings, standings.tournament
        self.has_overall = len(standings.games) > 1 and not standings.over_rounds

    @property
    def limits(self) -> dict[str, Any]:
        """The limits. That of being placed is there if it has kept somebody from that."""
        limits = self.tournament.limits
        anybody = any(row.out is not None for rows in self.standings.games for row in rows)
        return recorded(LIMIT_KEYS, limits if anybody else replace(limits, placed_within=None))

    @property
    def stopping(self) -> dict[str, Any] | None:
        return recorded(STOPPING_KEYS, self.tournament.stopping) if self.tournament.stopping else None

    @property
    def games(self) -> list[GameView]:
        outcomes: Sequence[Outcome | None] = self.standings.outcomes or [None] * len(self.standings.games)
        return [GameView(*game, outcome) for game, outcome in zip(self.standings, outcomes, strict=True)]

    @property
    def pooled(self) -> Sequence[Any] | None:
        return self.standings.pooled and figures_of_outcome(self.standings.pooled)

    @property
    def all(self) -> list[RowView] | None:
        """The table over all games; None if there is no such table."""
        if not self.has_overall:
            return None
        verdicts, rows = self.standings.overall_verdicts, self.standings.overall
        return [RowView(row, [SCORE], likely=likely) for row, likely in zip(rows, verdicts.likely, strict=True)]

    @property
    def all_differences(self) -> list[PairView] | None:
        if not self.has_overall:
            return None
        verdicts = self.standings.overall_verdicts
        return [*compared(verdicts, verdicts.labels, range(len(self.standings.overall)))]

    @property
    def rounds(self) -> list[tuple[str, list[RowView]]] | None:
        return [
            (
                entry.format.in_file(entry.name),
                [RowView(row, entry.format.measures[:1], number) for number, row in rows],
            )
            for entry, rows in self.standings.over_rounds
        ] or None


@dataclass
class GameView:
    """A game of a run."""

    entry: Entry
    fold: EntryTotals
    placed: list[StandingsRow]
    verdicts: Verdicts
    outcome: Outcome | None

    def __post_init__(self) -> None:
        self.tally = self.fold.tally
        self.options = dict(sorted(self.entry.options.items()))

    @cached_property
    def rows(self) -> list[GameRowView]:
        numbers = {label: number for number, label in enumerate(self.entry.labels)}
        return [
            GameRowView(row, self.entry.format.measures, game=self, at=numbers[row.strategy]) for row in self.placed
        ]

    @property
    def until(self) -> Sequence[Any] | None:
        return self.outcome and figures_of_outcome(self.outcome)

    @property
    def differences(self) -> Iterator[PairView]:
        """How far each is above each that ranks below it, if they can be compared."""
        return compared(self.verdicts, self.entry.labels, [row.at for row in self.rows])

    @property
    def cycles(self) -> list[list[str]]:
        return [[self.entry.labels[entrant] for entrant in cycle] for cycle in self.verdicts.cycles]

    @property
    def company(self) -> Iterator[Sequence[Any]]:
        labels = self.entry.labels
        for pair in self.verdicts.company:
            yield labels[pair.entrant], labels[pair.beside], pair.difference, pair.p

    @property
    def origins(self) -> Sequence[Any] | None:
        """Where the difference of two strategies comes from, if the format knows."""
        if not (origins := self.verdicts.origins):
            return None
        name = self.entry.name
        swings = [
            [(f"{name}/{swing.place}", swing.gained) for swing in some] for some in (origins.gained, origins.lost)
        ]
        return origins.phases, *swings

    @property
    def places(self) -> Iterator[Sequence[Any]]:
        for name, worth in self.verdicts.places:
            yield name, worth.mean, worth.error

    @property
    def extremes(self) -> dict[str, Any]:
        table = schemas.declared("standings")["properties"]["games"]["items"]["properties"]["extremes"]["properties"]
        return {
            name: shaped_table(table[name], (self.entry.labels[entrant], net, deal))
            for name, entrant, net, deal in self.verdicts.extremes
        }


class RowView:
    """A row of a table: `round` is the last of the entrant."""

    def __init__(self, row: StandingsRow, measures: Sequence[Measure], round: int = 0, likely: Any = None) -> None:
        self.row, self.measures, self.round = row, measures, round
        self.rank, self.tied, self.strategy, self.faults = row.rank, row.tied, row.strategy, row.faults
        self.out = None if row.out is None else "faults"
        self.likely = likely

    @property
    def figures(self) -> dict[str, float | None]:
        """The figures by their names in JSON."""
        data = {}
        for measure in self.measures:
            figure = self.row.figures[measure.key]
            data[measure.data] = rounded(figure.value)
            if measure.of_winners:
                low, high = figure.limits or (None, None)
                data |= {f"{measure.error_data}_low": rounded(low), f"{measure.error_data}_high": rounded(high)}
            elif measure.error_data:
                data[measure.error_data] = rounded(figure.error)
        return data


class GameRowView(RowView):
    """A row of a game: the entrant, and how it compares with the others."""

    def __init__(self, row: StandingsRow, measures: Sequence[Measure], game: GameView, at: int) -> None:
        super().__init__(row, measures, likely=game.verdicts.likely[at])
        self.game, self.at, self.blocks, self.entered = game, at, row.blocks, game.entry.strategies[at]
        self.parameters, self.joined = dict(self.entered.parameters), game.entry.since[at] or None
        rating = game.verdicts.ratings[at]
        self.ahead, self.ahead_error = rating and rating.chance, rating and rating.error

    @property
    def worth(self) -> float | None:
        return self.game.verdicts.worth[self.at]

    @property
    def faults_by_kind(self) -> dict[str, int]:
        return {kind: n for (entrant, kind), n in sorted(self.game.tally.faults.items()) if entrant == self.at}


class PairView:
    """Two entrants that are compared, `gap` apart."""

    def __init__(self, verdicts: Comparison, labels: Sequence[str], one: int, other: int, gap: Difference) -> None:
        self.verdicts, self.gap = verdicts, gap
        self.one, self.other = labels[one], labels[other]
        self.pair = min(one, other), max(one, other)
        self.low, self.high = (gap.limits or (None, None)) if gap.any_look else (OMITTED, OMITTED)
        self.apart = verdicts.are_apart(one, other)
        more = None if self.apart else verdicts.more_deals(one, other)
        self.more, self.looks_once = more and more[1], more is not None

    @property
    def p_holm(self) -> float:
        return self.verdicts.adjusted[self.pair]

    @property
    def hangs_on(self) -> int | None:
        """The block without which the difference has the other sign."""
        assert isinstance(self.verdicts, Verdicts)
        return self.verdicts.hanging.get(self.pair)


def compared(verdicts: Comparison, labels: Sequence[str], entrants: Iterable[int]) -> Iterator[PairView]:
    """Yield the pairs that can be compared."""
    for one, other in combinations(entrants, 2):
        if gap := verdicts.between(one, other):
            yield PairView(verdicts, labels, one, other, gap)


def figures_of_outcome(outcome: Outcome) -> list[Any]:
    """Return the result of a stopping rule, and the figures of its contrast, None if it has none.

    The evidence is cut off near the largest number that there is."""
    result = [DECIDED.get(outcome.decision), outcome.decision.value, outcome.block]
    if not (rule := outcome.rule):
        return [*result, *[None] * 10]
    mixture, delta = rule.mixture, rule.delta
    low, high = mixture.interval() or (None, None)
    evidence = [exp(min(mixture.evidence(delta), 700.0)), exp(-max(rule.evidence, 0.0))]
    counts, share = [mixture.changed, mixture.gained, mixture.lost], mixture.largest_share(delta)
    return [*result, mixture.mean, low, high, *counts, share, mixture.effect, *evidence]
