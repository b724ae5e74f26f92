"""The table of a game, with intervals drawn in the rows, and the worth of the places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...base.text import hundredths, percent, plain, signed
from ...tournament.formats import Measure
from ...tournament.judging.standings import StandingsRow
from ..terminal import error_text, ranks, table_notes, unplaced_note
from .extras import Link
from .game import GameResult
from .geometry import Axis, Interval, axis_of, interval, off_scale, short, span_of
from .render import fig

LINK_KINDS = ("best", "typical", "worst", "swing", "fault")  # the deals of a strategy, as they are listed
BOXES = 10  # places that are drawn as a box each


class FigureCell(NamedTuple):
    """A figure with its error: the heading of its column, and its text."""

    key: str
    column: str
    value: str
    error: str = ""
    of_winners: bool = False


class StandingsLine(NamedTuple):
    """A row of the table."""

    rank: str
    strategy: str
    likely: str
    strip: Strip | None
    interval: Interval | None
    first: FigureCell
    others: Sequence[FigureCell]
    faults: int
    links: Sequence[tuple[str, Link]]


class Strip(NamedTuple):
    """Places as boxes, the likely ones full: paths, and the total width."""

    width: int
    empty: str
    full: str


class StandingsSection(NamedTuple):
    lines: Sequence[StandingsLine]
    axis: Axis
    off: bool
    notes: Sequence[str]
    words: Sequence[str]


def standings_section(game: GameResult) -> StandingsSection:
    rows = list(game.rows)
    axis, off = axis_for(rows, game.sign)
    lines = [*unplaced_note(game.tournament, rows), *table_notes(game.entry, game.fold.tally, rows)]
    rows_shown = [standings_line(game, row, axis) for row in rows]
    kinds = [word for word in LINK_KINDS if any(word in game.look.links.get(row.strategy, {}) for row in rows)]
    return StandingsSection(rows_shown, axis, off, lines, kinds)


def axis_for(rows: Sequence[StandingsRow], sign: bool) -> tuple[Axis, bool]:
    """Return the axis of the first figures, and whether some of the last are off it."""
    spans = [span_of(row.first.value, row.first.error) for row in rows if row.first.value is not None]
    off = off_scale(spans)
    return axis_of(spans[: len(spans) - off], sign), off > 0


def standings_line(game: GameResult, row: StandingsRow, axis: Axis) -> StandingsLine:
    at = game.entry.labels.index(row.strategy)
    verdicts, first = game.verdicts, row.first
    likely = verdicts.likely[at] if len(game.rows) > 1 else None
    links = game.look.links.get(row.strategy, {})
    return StandingsLine(
        row.rank_text(),
        row.strategy,
        fig(ranks(likely)),
        strip(likely, len(game.order)) if likely else None,
        None if first.value is None else interval(axis, first.value, first.error),
        cell_of(row, game.measure),
        [*rating_of(game, at), *(cell_of(row, measure) for measure in game.entry.format.measures[1:])],
        row.faults,
        [(word, links[word]) for word in LINK_KINDS if word in links],
    )


def cell_of(row: StandingsRow, measure: Measure) -> FigureCell:
    figure = row.figures[measure.key]
    error = fig(error_text(figure, measure)) if measure.error_shown else ""
    return FigureCell(measure.key, measure.column, fig(measure.text(figure.value)), error, measure.of_winners)


def rating_of(game: GameResult, at: int) -> Iterator[FigureCell]:
    """Yield the chance to be ahead of an average entrant."""
    if game.rated:
        rating = game.verdicts.ratings[at]
        yield FigureCell("ahead", "ahead", percent(rating and rating.chance), hundredths(rating and rating.error))


def strip(likely: tuple[int, int], places: int) -> Strip:
    """Return boxes for few places, else a bar on a line."""
    low, high = likely
    if places <= BOXES:
        boxes = [(place, f"M{9 * place - 8.5} .5h6v6h-6z") for place in range(1, places + 1)]
        return Strip(
            9 * places - 1,
            "".join(path for place, path in boxes if not low <= place <= high),
            "".join(path for place, path in boxes if low <= place <= high),
        )
    left, right = (short(1 + 78 * edge / places) for edge in (low - 1, high))
    return Strip(80, "M.5 3.5H79.5", f"M{left} 1H{right}V6H{left}z")


class PlaceWorth(NamedTuple):
    name: str
    interval: Interval
    net: str
    error: str


def place_worths(game: GameResult) -> tuple[Sequence[PlaceWorth], Axis] | None:
    """Return the mean net of a deal for each place, whoever sits there."""
    shares = [(name, share.mean, share.error) for name, share in game.verdicts.places if share.n]
    if not shares:
        return None
    axis = axis_of([span_of(mean, error) for _, mean, error in shares] + [(0.0, 0.0)], most=5)
    drawn = [
        PlaceWorth(name, interval(axis, mean, error), fig(signed(mean)), plain(error)) for name, mean, error in shares
    ]
    return drawn, axis


def worth_sentence(game: GameResult) -> str:
    """Return a sentence such as "To be eldest is worth +0.287 ± 0.179."."""
    sure = [
        (name, share)
        for name, share in game.verdicts.places
        if share.error is not None and abs(share.mean) > share.error
    ]
    if not sure:
        return "The place makes no significant difference." if game.verdicts.places else ""
    name, most = max(sure, key=lambda both: abs(both[1].mean))
    verb = "is worth" if most.mean > 0 else "costs"
    amount = signed(most.mean) if most.mean > 0 else plain(-most.mean)
    return fig(
        f"To be {name} {verb} {amount} ± {plain(most.error)} counters a deal; seats are evened out in every block."
    )
