"""Knock-out: the rounds side by side, how each did in those that it reached, and where it went out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ....base.text import number, ordinal
from ....tournament import formats
from ....tournament.judging.standings import Standings, StandingsRow
from ...terminal import error_text
from .. import geometry
from ..curves import WIDE, AxisScale, Frame, Mark, clipped, margin

TOP, LINE = 34.0, 19.0  # where the first place is drawn, and the height of a place
CUT = 60.0  # to either side of a round, of the line below those that went on
MOST = 48  # strategies that are drawn; if there are more, only the table is shown


class RoundCell(NamedTuple):
    """A strategy in a round: its place there, its figure and error; `on`: whether it went on, or won."""

    place: str
    figure: str
    error: str
    on: bool


class KnockOutLine(NamedTuple):
    """A strategy in the table: the round it reached in words, and a cell for each round, None after it was out."""

    rank: str
    strategy: str
    reached: str
    cells: list[RoundCell | None]
    faults: str


class Thread(NamedTuple):
    """Its places from round to round, as drawn; `won`: whether it won the final."""

    strategy: str
    line: str
    dots: str
    won: bool


class Ladder(NamedTuple):
    """The places round by round: a thread for each, names at the left, a cut below those that went on."""

    frame: Frame
    names: list[Mark]
    threads: list[Thread]
    cuts: list[tuple[float, float, float]]


class KnockOutView(NamedTuple):
    """The section, which appears once for all rounds of a game."""

    title: str
    heads: list[str]
    rows: list[KnockOutLine]
    ladder: Ladder | None
    sentence: str


class Section(formats.Section):
    """The rounds, from the standings."""

    template = '{% include "knock_out.html.j2" %}'

    def view(self, standings: Standings, at: int) -> KnockOutView | None:
        """Return the section for the last known round; None for the others."""
        return knock_out_view(standings, at)


def knock_out_view(standings: Standings, at: int) -> KnockOutView | None:
    """Return the section of a game's rounds for the last known one; None for the others."""
    tournament = standings.tournament
    series = next(numbers for numbers in tournament.series if at in numbers)
    found = next((rows for entry, rows in standings.over_rounds if entry is tournament.entries[at]), None)
    if found is None:
        return None
    rounds = [standings.games[number] for number in series]
    total = tournament.entries[at].format.last_round
    sizes = [len(tournament.entries[number].labels) for number in series]
    return KnockOutView(
        "How far each has come",
        [f"{round_name(n, total)} · of {number(size)}" for n, size in enumerate(sizes, 1)],
        [*knock_out_lines(standings, at, rounds, found, total)],
        knock_out_ladder(rounds, sizes, total) if sizes[0] <= MOST else None,
        describe_rounds(found, sizes, total),
    )


def round_name(n: int, total: int) -> str:
    return "final" if n == total else f"round {number(n)}"


def knock_out_lines(
    standings: Standings,
    at: int,
    rounds: Sequence[Sequence[StandingsRow]],
    winners: Sequence[tuple[int, StandingsRow]],
    total: int,
) -> Iterator[KnockOutLine]:
    """Return the rows of the table. A strategy that has come further is higher."""
    measure = standings.tournament.entries[at].format.measures[0]
    for reached, row in winners:
        cells: list[RoundCell | None] = []
        for n, rows in enumerate(rounds, 1):
            own = next((other for other in rows if other.strategy == row.strategy), None)
            on = n < reached or n == total and row.rank == 1
            figure = own and (measure.text(own.first.value), error_text(own.first, measure))
            cells.append(RoundCell(own.rank_text(), *figure, on) if own and figure else None)
        stage = "winner" if reached == total and row.rank == 1 else round_name(reached, total)
        yield KnockOutLine(row.rank_text(), row.strategy, stage, cells, number(row.faults))


def knock_out_ladder(rounds: Sequence[Sequence[StandingsRow]], sizes: Sequence[int], total: int) -> Ladder | None:
    """Return the ladder; None if somebody has not played in a known round."""
    if any(row.first.mean is None for rows in rounds for row in rows):
        return None
    orders = [[row.strategy for row in rows] for rows in rounds]
    out = {row.strategy for rows in rounds for row in rows if row.out is not None}
    names, last = orders[0], orders[-1] if len(rounds) == total else []
    x, y = AxisScale(0, max(1, total - 1), 0, WIDE), AxisScale(0, len(names), TOP, TOP + LINE * len(names))
    threads = [thread(name, orders, x, y, name in last[:1] and name not in out) for name in names]
    cuts = [(max(0.0, x(n) - CUT), x(n) + CUT, y(later - 0.5)) for n, later in enumerate(sizes[1:])]
    across = [Mark(x(n), round_name(n + 1, total)) for n in range(len(rounds))]
    starts, ends = ([Mark(y(at), clipped(name)) for at, name in enumerate(order)] for order in (names, last))
    return Ladder(Frame(y.last, x, y, across, ends, margin(names), max(1, margin(last))), starts, threads, cuts)


def thread(name: str, orders: Sequence[Sequence[str]], x: AxisScale, y: AxisScale, won: bool) -> Thread:
    """Return the places of a strategy from round to round, as far as it came."""
    dots = [(x(n), y(order.index(name))) for n, order in enumerate(orders) if name in order]
    return Thread(name, geometry.polyline(dots), "".join(f"M{x:g} {y:g}h0" for x, y in dots), won)


def describe_rounds(winners: Sequence[tuple[int, StandingsRow]], sizes: Sequence[int], total: int) -> str:
    """Return the rounds in words: 9 strategies, then 5, then 4: expert won the final."""
    fields = ", then ".join([f"{number(sizes[0])} strategies", *map(number, sizes[1:])])
    best = [row for reached, row in winners if reached == total and row.rank == 1]
    if best:
        return f"{fields}: {' and '.join(row.strategy for row in best)} won the final."
    return f"{fields}: the {ordinal(len(sizes))} of {number(total)} rounds is being played."
