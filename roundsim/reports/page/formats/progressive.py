"""Progressive play: the first evening, with the players of each table round by round, and who moved up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from ....base.text import number, so_many
from ....tournament import formats
from ....tournament.format_parts import Logged
from ....tournament.judging.blocks import Blocks
from ....tournament.judging.standings import Standings
from ..curves import WIDE, AxisScale, Mark, steps

TABLE = 6.0  # distance between tables, of a way through the evening
MOST = 400  # rounds that are shown seat by seat

EveningTables = Sequence[Sequence[Sequence[str]]]
SeatMap = dict[str, int]  # the table of each player, from 0, the head


class Way(NamedTuple):
    """A strategy's way through the evening: the line, and its counts of rounds at the head, moves up and moves down."""

    number: int
    strategy: str
    line: str
    head: int
    up: int
    down: int
    figures: list[str]


class EveningSeat(NamedTuple):
    """The player of a seat, by number; `up` 1: moves up when the bell rings, -1: moves down."""

    number: int
    strategy: str
    up: int


class Round(NamedTuple):
    """A round: its number, and the players table by table."""

    number: int
    tables: list[list[EveningSeat]]


class ProgressiveView(NamedTuple):
    """The section: a way for each, best first, and the rounds.

    `columns`: the evening's own figures, next to the ways; `deal`: how its deals are addressed."""

    title: str
    lead: str
    sentence: str
    columns: list[str]
    ways: list[Way]
    height: float
    levels: list[float]
    axis: list[Mark]
    tables: list[str]
    rounds: list[Round]
    left: int
    deal: str


class Section(formats.Section):
    """Notes the seats of the first evening.

    `evening`: round by round, table by table, the players by seat."""

    template = '{% include "progressive.html.j2" %}'
    evening: EveningTables = ()

    def block(self, deals: Sequence[Logged]) -> None:
        """Note the seats of the first evening."""
        if self.evening:
            return
        rounds = defaultdict[str, dict[str, Sequence[str]]](dict)
        for deal in deals:
            rounds[deal.number][deal.place] = deal.seats
        self.evening = [[*tables.values()] for tables in rounds.values()]

    def view(self, standings: Standings, at: int) -> ProgressiveView | None:
        """Return the section; None before anything is played."""
        return progressive_view(standings, at, self.evening) if self.evening else None


def progressive_view(standings: Standings, at: int, evening: EveningTables) -> ProgressiveView:
    """Return the section of a game."""
    names = [row.strategy for row in standings.games[at]]
    numbers = {name: place for place, name in enumerate(names, 1)}
    where = [seat_map(tables) for tables in evening]
    columns, figures = own_figures(standings, at)
    ways = [way(numbers[name], name, where, figures.get(name, [])) for name in names]
    heads = head_names(len(evening[0]))
    return ProgressiveView(
        "The first evening, round by round",
        f"{so_many(len(evening), 'round')} at {so_many(len(evening[0]), 'table')}",
        describe_evening(ways, len(evening), len(heads)),
        columns,
        ways if len(heads) > 1 else [],
        2 * TABLE + TABLE * (len(heads) - 1),
        [TABLE * (1 + table) for table in range(len(heads))],
        [Mark(0, "1"), *[mark for mark in AxisScale(1, len(evening) + 1, 0, WIDE).marks(8) if mark.at > 0]],
        heads,
        [*seats_by_round(evening[:MOST], where, numbers)],
        max(0, len(evening) - MOST),
        f"{standings.tournament.entries[at].name}/1/TABLE/ROUND",
    )


def seat_map(tables: Sequence[Sequence[str]]) -> SeatMap:
    return {name: at for at, players in enumerate(tables) for name in players}


def own_figures(standings: Standings, at: int) -> tuple[list[str], Mapping[str, list[str]]]:
    """Return the result of each in the first evening: yellows, counters, fresh stakes, named as in the standings."""
    entry, fold = standings.tournament.entries[at], standings.folds[at]
    columns, figures = [], dict[str, list[str]]()
    for measure in [measure for measure in entry.format.measures if not measure.of_winners]:
        columns.append(measure.column)
        for row in Blocks(entry, fold.blocks, measure, last=1):
            for who, value in zip(row.entrants, row.values, strict=True):
                whole = round(-value if measure.less_is_better else value)
                figures.setdefault(entry.labels[who], []).append(number(whole))
    return (columns, figures) if figures else ([], {})


def way(place: int, name: str, where: Sequence[SeatMap], figures: list[str]) -> Way:
    """Draw the line at the height of the table, the head on top; a round is a step."""
    scale = AxisScale(0, len(where), 0, WIDE)
    points = [(scale(at), TABLE * (1 + tables[name])) for at, tables in enumerate(where)]
    moves = [later[name] - tables[name] for tables, later in pairwise(where)]
    line = steps([*points, (WIDE, points[-1][1])])
    at_head = sum(tables[name] == 0 for tables in where)
    return Way(place, name, line, at_head, sum(move < 0 for move in moves), sum(move > 0 for move in moves), figures)


def head_names(tables: int) -> list[str]:
    """Return the names of the tables: Head, 2, 3 ... booby."""
    return ["head", *map(str, range(2, tables)), *["booby"] * (tables > 1)]


def seats_by_round(evening: EveningTables, where: Sequence[SeatMap], numbers: Mapping[str, int]) -> Iterator[Round]:
    """Yield the rounds seat by seat, and who moves up or down after each."""
    for at, tables in enumerate(evening):
        later = where[at + 1] if at + 1 < len(where) else where[at]
        yield Round(
            at + 1,
            [
                [EveningSeat(numbers[name], name, (later[name] < table) - (later[name] > table)) for name in players]
                for table, players in enumerate(tables)
            ],
        )


def describe_evening(ways: Sequence[Way], rounds: int, tables: int) -> str:
    """Return in words who sat at the head longest, who moved up most often, who never reached it."""
    if tables == 1:
        return "One table: nobody moves."
    head, up = max(ways, key=lambda way: way.head), max(ways, key=lambda way: way.up)
    lines = [f"{head.strategy} sat at the head table in {number(head.head)} of {so_many(rounds, 'round')}"]
    lines.append(f"{up.strategy} went up most often, {times_text(up.up)}")
    never = [way.strategy for way in ways if not way.head]
    if never:
        few = ", ".join(never) if len(never) <= 3 else f"{number(len(never))} of {number(len(ways))}"
        lines.append(f"{few} never sat there")
    return "; ".join(lines) + "."


def times_text(n: int) -> str:
    return ("never", "once", "twice")[n] if n < 3 else f"{number(n)} times"
