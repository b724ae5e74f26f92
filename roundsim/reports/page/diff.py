"""The comparison of runs: what differs between them, and by how much on the common deals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...base.text import in_toml, number, signed, so_many, spelled
from ...statistics.paired import Paired
from ...tournament.judging.diff import DIGITS, ComparedEntry, Diff, Differs
from ..diff import diff_cells, diff_notes
from ..terminal import entry_title
from . import geometry
from .render import render

ERROR = "± 95 %"


class DiffLine(NamedTuple):
    """A strategy in the table; `significant`: whether its difference is significant."""

    strategy: str
    became: str
    there: str
    here: str
    difference: str
    error: str
    interval: geometry.Interval
    significant: bool
    times: str
    changed: str


class Thing(NamedTuple):
    """A difference: where it is, and both values."""

    where: str
    there: str
    here: str


class ComparedGame(NamedTuple):
    """A game of both runs; `measure`: the heading of its figure, `gain`: the unit of differences."""

    title: str
    lead: str
    measure: str
    gain: str
    axis: geometry.Axis
    rows: list[DiffLine]
    sentence: str
    notes: list[str]

    @property
    def starred(self) -> bool:
        return any(row.significant for row in self.rows)


class DiffView(NamedTuple):
    """Two runs."""

    there: str
    here: str
    same: bool
    things: list[Thing]
    games: list[ComparedGame]
    sentence: str


def diff_page(diffs: Sequence[Diff]) -> str:
    """Return the page about several runs, each compared with the first."""
    return render(
        "compared.html.j2",
        title=f"{spelled(len(diffs) + 1).capitalize()} runs compared",
        subtitle=f"Each compared with {diffs[0].there.path.name}, on their common deals",
        views=[diff_section(part) for part in diffs],
    )


def diff_section(diff: Diff) -> DiffView:
    """Return the comparison of two runs for the page."""
    games = [] if diff.same else [diff_game(game, diff) for game in diff.games]
    return DiffView(
        diff.there.path.name,
        diff.here.path.name,
        diff.same,
        [thing(change) for change in diff.differs],
        games,
        diff_summary(diff, games),
    )


def thing(differs: Differs) -> Thing:
    """Return a difference with its values as in a script; a hash is shortened to its first digits."""
    there, here = ("-" if value is None else in_toml(value) for value in (differs.there, differs.here))
    most = DIGITS if differs.where[-1] == "sha256" else None
    return Thing(": ".join(differs.where), there[:most], here[:most])


def diff_game(game: ComparedEntry, diff: Diff) -> ComparedGame:
    """Return the table of a game, in the order of the strategies there."""
    spans = [interval_span(paired) for _, _, paired in game.entrants]
    axis = geometry.axis_of([*spans, (0, 0)])
    rows = [
        DiffLine(
            game.there.labels[i],
            game.here.labels[j] if "->" in cells["strategy"] else "",
            cells["there"],
            cells["here"],
            cells["difference"].removesuffix("*"),
            cells[ERROR],
            geometry.interval(axis, paired.here - paired.there, paired.difference and paired.difference.error),
            i in game.significant,
            cells["times"],
            cells["changed"],
        )
        for (i, j, paired), cells in zip(game.entrants, map(dict, diff_cells(game)), strict=True)
    ]
    measure = game.here.format.measures[0]
    return ComparedGame(
        entry_title(game.here),
        f"{so_many(game.blocks, 'common block')} · seed {diff.here.data['seed']}",
        measure.column,
        measure.gain,
        axis,
        rows,
        significant_text(game),
        [*diff_notes(game)],
    )


def interval_span(paired: Paired) -> geometry.Span:
    return geometry.span_of(paired.here - paired.there, paired.difference and paired.difference.error)


def significant_text(game: ComparedEntry) -> str:
    """Return a sentence such as "mine has 0.312 counters a deal more here", and whether others differ significantly."""
    gain, lines = game.here.format.measures[0].gain, []
    for i, j, paired in game.entrants:
        if i in game.significant:
            by = paired.here - paired.there
            lines.append(f"{game.here.labels[j]} is {signed(abs(by))[1:]} {gain} {'ahead' if by > 0 else 'behind'}")
    if not lines:
        return "No strategy changed significantly." if game.entrants else ""
    rest = "" if len(lines) == len(game.entrants) else "; no other changed significantly"
    return f"{', '.join(lines)}{rest}."


def diff_summary(diff: Diff, games: Sequence[ComparedGame]) -> str:
    """Return how many things differ, and how many results."""
    if diff.same:
        return "They are the same run."
    things = f"{number(len(diff.differs))} {'things differ' if len(diff.differs) != 1 else 'thing differs'}"
    significant = sum(row.significant for game in games for row in game.rows)
    rows = sum(len(game.rows) for game in games)
    return f"{things}; {number(significant)} of {so_many(rows, 'result')} changed significantly."
