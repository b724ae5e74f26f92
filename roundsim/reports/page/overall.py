"""All games together: the joint score, and for each game a small picture of all strategies, by family."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...base.text import plain, signed
from ...tournament.judging.standings import Standings, StandingsRow, left_out, scored
from ...tournament.judging.stopping import SCORE
from ..terminal import error_heading, error_text, unplaced_in_one
from .game import GameResult
from .geometry import Axis, Interval, axis_of, interval, span_of
from .render import fig
from .standings import axis_for

COLUMNS = 10  # strategies that have a column; if there are more, the first ones


class Score(NamedTuple):
    """A strategy's score over all games."""

    rank: str
    strategy: str
    interval: Interval
    value: str
    error: str
    first: int
    faults: int


class ScoreCell(NamedTuple):
    """A strategy's score in a game; `sure`: "up" or "down" if 0 is outside its interval."""

    value: str
    error: str
    interval: Interval
    sure: str


class OverallLine(NamedTuple):
    title: str
    anchor: str
    cells: Sequence[ScoreCell | None]


class OverallTable(NamedTuple):
    """All games together.

    `axis`: of the scores; `small`: of all the pictures; `families`: name and lines; `joint`: the last line."""

    scores: Sequence[Score]
    axis: Axis
    off: bool
    names: Sequence[str]
    small: Axis
    families: Sequence[tuple[str, Sequence[OverallLine]]]
    joint: OverallLine
    explained: str
    unit: str
    error: str
    without: Sequence[str]
    notes: Sequence[str]


def overall_section(standings: Standings, games: Sequence[GameResult]) -> OverallTable | None:
    """Return the section; None if there is no table over all."""
    rows = standings.overall
    if not rows:
        return None
    axis, off = axis_for(rows, sign=True)
    first = [game.label(game.order[0]) for game in games if game.order]
    scores = [
        Score(
            row.rank_text(),
            row.strategy,
            interval(axis, float(row.first.mean or 0), row.first.error),
            fig(signed(row.first.value)),
            error_text(row.first, SCORE),
            first.count(row.strategy),
            row.faults,
        )
        for row in rows
    ]
    names = [row.strategy for row in rows][:COLUMNS]
    found = [(game, by_strategy(scored(game.entry, game.fold.tally))) for game in games]
    joint = by_strategy(rows)
    small = small_axis(
        [score for _, by_name in [*found, (None, joint)] for name, score in by_name.items() if name in names]
    )
    families = dict[str, list[OverallLine]]()
    for game, by_name in found:
        families.setdefault(game.entry.deal.family, []).append(
            overall_line(game.title, game.anchor, names, by_name, small)
        )
    format, entries = games[0].entry.format, standings.tournament.entries
    last = overall_line("all games", "", names, joint, small)
    return OverallTable(
        *(scores, axis, off, names, small, [*families.items()], last, format.scored, format.unit),
        error_heading(standings.tournament),
        left_out(entries, rows),
        unplaced_in_one(rows, "game"),
    )


def by_strategy(rows: Iterable[StandingsRow]) -> dict[str, tuple[float, float | None]]:
    return {row.strategy: (float(row.first.mean or 0), row.first.error) for row in rows}


def small_axis(scores: Sequence[tuple[float, float | None]]) -> Axis:
    """Return an axis around 0 on which nearly all have room, if the others would make it twice as long."""
    far = sorted(max(map(abs, span_of(*score))) for score in scores)
    usual = far[int(0.9 * (len(far) - 1))]
    reach = (usual if usual <= far[-1] / 2 else far[-1]) or 1.0
    return axis_of([(-reach, reach)], most=3)


def overall_line(
    title: str, anchor: str, names: Sequence[str], by_name: dict[str, tuple[float, float | None]], axis: Axis
) -> OverallLine:
    return OverallLine(title, anchor, [score_cell(axis, *by_name[name]) if name in by_name else None for name in names])


def score_cell(axis: Axis, score: float, error: float | None) -> ScoreCell:
    low, high = span_of(score, error)
    sure = "" if error is None else "up" if low > 0 else "down" if high < 0 else ""
    return ScoreCell(
        fig(f"{score:+.2f}"), "" if error is None else f"±{plain(error, 2)}", interval(axis, score, error), sure
    )
