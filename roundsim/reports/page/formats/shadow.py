"""Shadow: the phases in which the difference begins, and the replays that gained and lost most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ....base.text import percent, signed
from ....tournament import formats
from ....tournament.format_parts import Origins, PhaseShare, Swing
from ....tournament.judging.standings import Standings
from ....tournament.planning.plan import Entry
from .. import geometry
from ..extras import Link


class PhaseLine(NamedTuple):
    """A phase in the table. `bar`: a path from 0 to the difference; `up`: whether that is above 0."""

    phase: str
    bar: str
    up: bool
    difference: str
    share: str


class SwingLine(NamedTuple):
    """A replay in a table. `link`: what it gained, and the deal that differs first.

    `new`, `old`: the first different answer and the one before, in `phase`; "" where the deal is not in the file."""

    link: Link
    phase: str
    new: str
    old: str


class SwingTable(NamedTuple):
    title: str
    lines: Sequence[SwingLine]


class ShadowView(NamedTuple):
    """The section: the bars on their axis, the same in words, and the tables of replays."""

    title: str
    new: str
    old: str
    phases: Sequence[PhaseLine]
    axis: geometry.Axis
    words: str
    swings: Sequence[SwingTable]


class Section(formats.Section):
    """Where the difference comes from, as the verdicts say."""

    template = '{% include "shadow.html.j2" %}'

    def wanted(self, standings: Standings, at: int) -> list[str]:
        """Return the replays of the tables, those that gained or lost most first."""
        origins = standings.verdicts[at].origins
        swings = [*origins.gained, *origins.lost] if origins else []
        return [swing.place for swing in sorted(swings, key=lambda swing: -abs(swing.gained))]

    def view(self, standings: Standings, at: int) -> ShadowView | None:
        """Return the section; None before the first sitting is over."""
        origins, fold = standings.verdicts[at].origins, standings.folds[at]
        if not origins or not fold.tally.blocks:
            return None
        axis = geometry.axis_of([(min(0.0, phase.difference), max(0.0, phase.difference)) for phase in origins.phases])
        new, old = self.entry.labels[:2]
        return ShadowView(
            "Where the difference begins",
            new,
            old,
            [phase_line(axis, phase) for phase in origins.phases],
            axis,
            describe_phases(origins.phases, new),
            [*self.tables(origins)],
        )

    def tables(self, origins: Origins) -> Iterator[SwingTable]:
        """Yield the replays that gained most, and those that lost most, if there are any."""
        for title, swings in ("Gained most", origins.gained), ("Lost most", origins.lost):
            if swings:
                yield SwingTable(title, [swing_line(self.entry, swing, self.deals) for swing in swings])


def phase_line(axis: geometry.Axis, part: PhaseShare) -> PhaseLine:
    bar = geometry.bar_across(axis, part.difference)
    return PhaseLine(part.phase, bar, part.difference > 0, signed(part.difference), percent(part.share))


def swing_line(entry: Entry, swing: Swing, deals: Mapping[str, Any]) -> SwingLine:
    """Return a replay, with the two answers if the deal is in the file."""
    address = f"{entry.name}/{swing.place}"
    deal = deals.get(address)
    link = Link(swing.gained, address, deal["seats"].index(entry.labels[0]) if deal else 0, deal is not None)
    before = deal["before"] if deal else {}
    if not deal or "step" not in before:
        return SwingLine(link, "", "", "")
    step = deal["steps"][before["step"]]
    return SwingLine(link, step["p"], step["a"], before["a"])


def describe_phases(phases: Sequence[PhaseShare], new: str) -> str:
    """Return a text for those who cannot see the bars: call +0.041 counters a deal, in 9.0 % of sittings; play ..."""
    if not phases:
        return f"{new} gave the same answer everywhere."
    lines = [f"{phase.phase} {signed(phase.difference)} counters a deal, in {percent(phase.share)}" for phase in phases]
    return f"The difference by the phase of the first different answer: {'; '.join(lines)} of the sittings."
