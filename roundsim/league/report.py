"""The standings of a league as text and as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ..base.errors import printable
from ..base.text import plain, signed, so_many
from ..reports.lines import broken, joined_heading
from ..reports.terminal import ERROR, Cells, ranks, text_table
from .results import OVER_ALL, League, Line, StandingsTable


class MomentWorths(NamedTuple):
    """The worths above the anchor after a round, by name, of its members. `number`: of the round."""

    number: int
    worths: Mapping[str, float]


def league_text(league: League) -> str:
    """Return the tables of a league for people, and what has happened in its last round."""
    deals = sum(game.deals for game in league.games)
    rounds = so_many(len(league.finished), "round")
    parts = [joined_heading([league.rules.title, rounds, so_many(deals, "deal")])]
    for table in league.tables:
        title = [f"{table.title}:"] * (len(league.tables) > 1)
        parts.append("\n".join([*title, text_table([line_cells(league, line, table) for line in table.lines])]))
        parts += [unplaced_text(table)] * bool(table.unplaced) + [table.drifts] * bool(table.drifts)
    last = [line for text in league.events.get(len(league.finished) - 1, ()) for line in broken(text, 4)]
    return "\n\n".join([*parts, *["\n".join(map(printable, last))] * bool(last)]) + "\n"


def line_cells(league: League, line: Line, table: StandingsTable) -> Cells:
    rank, member = "new" if line.rank is None else str(line.rank), line.member
    blocks = f"{line.blocks} of {league.rules.least}" if line.rank is None else str(line.blocks)
    return [
        ("rank", rank),
        ("likely", ranks(line.likely)),
        ("entry", member.name),
        ("version", "house" if member.version is None else str(member.version)),
        (worth_heading(league, table), signed(line.worth)),
        (ERROR, plain(line.error)),
        ("blocks", blocks),
        *([("moved", moved(line))] if len(league.finished) > 1 else []),
    ]


def unplaced_text(table: StandingsTable) -> str:
    return f"Not placed, because of faults: {', '.join(member.title for member in table.unplaced)}."


def anchor(league: League) -> str:
    """Return the name of the strategy whose worth is 0."""
    return league.current[0].name if league.current else league.rules.house[0]


def worth_heading(league: League, table: StandingsTable) -> str:
    """Return the heading of worths: they are in counters a deal, over all games in standard deviations of a deal."""
    return f"over {anchor(league)}" + " (sd)" * (table.title == OVER_ALL)


def moved(line: Line) -> str:
    return "-" if not line.moved else f"{'up' if line.moved > 0 else 'down'} {abs(line.moved)}"


def league_data(league: League) -> dict[str, object]:
    """Return the standings of a league, as `standings.json` of its site has them."""
    last = league.finished[-1].record if league.finished else None
    return {
        "title": league.rules.title,
        "rounds": len(league.finished),
        "anchor": anchor(league),
        "tables": [
            {
                "name": table.title,
                "deals": table.game.deals if table.game else None,
                "rows": [row(line) for line in table.lines],
                "unplaced": [member.name for member in table.unplaced],
                "ahead": [[one.name, other.name] for one, other in table.sure],
            }
            for table in league.tables
        ],
        "left_out": [entry._asdict() for entry in last.left_out] if last else [],
    }


def row(line: Line) -> dict[str, object]:
    member = line.member
    return {
        "rank": line.rank,
        "likely": line.likely and [*line.likely],
        "name": member.name,
        "version": member.version,
        "sha256": member.player.sha256,
        "author": member.author,
        "worth": line.worth,
        "error": line.error,
        "blocks": line.blocks,
        "moved": line.moved,
    }


def history_data(league: League) -> dict[str, object]:
    """Return what the rounds were, and the worths after each."""
    rounds = [
        {
            "number": folder.record.number,
            "folder": folder.path.name,
            "field": [one._asdict() for one in folder.record.field],
            "left_out": [one._asdict() for one in folder.record.left_out],
            "seed": folder.record.seed,
            "events": league.events.get(at, []),
        }
        for at, folder in enumerate(league.finished)
    ]
    return {
        "rounds": rounds,
        "worths": {
            table.title: [{"round": number, "worths": worths} for number, worths in moment_worths(league, table)]
            for table in league.tables
        },
    }


def moment_worths(league: League, table: StandingsTable) -> Iterator[MomentWorths]:
    """Yield the worths after the rounds that a history shows."""
    game = table.game
    if not game:
        return
    for moment in table.moments:
        folder = league.finished[moment.at]
        there = league.members(folder)
        numbers = {member.name: number for member in there if (number := game.number(member.player)) is not None}
        zero = moment.worths.get(numbers.get(anchor(league), -1), 0.0)
        worths = {name: moment.worths[who] - zero for name, who in numbers.items() if who in moment.worths}
        yield MomentWorths(folder.record.number, worths)


def one_line(reason: str) -> str:
    return "; ".join([line.strip() for line in reason.splitlines()])
