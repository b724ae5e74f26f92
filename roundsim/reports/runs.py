"""A list of runs, in a terminal and as data."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from ..base.errors import printable
from ..base.text import as_many_as_fit, columns_of, duration, number, padded
from ..tournament.storage.listing import BROKEN, ListedRun
from .explain import json_text
from .lines import text_width
from .terminal import Cells, text_table

GAP = 2  # spaces between columns
LEAST = len("games") + len("entrants")  # columns that are left for both


def runs_in_format(runs: Sequence[ListedRun], form: str, now: float) -> str:
    """Return the runs in a table, a line each, or as JSON. `now`: in seconds since 1970."""
    if form == "json":
        return json_text([{**run.to_json(), "changed": in_utc(run.changed)} for run in runs])
    return table(runs, now) + "\n"


def in_utc(seconds: float) -> str:
    """2026-11-26T15:03:00+00:00"""
    return datetime.fromtimestamp(int(seconds), UTC).isoformat()


def table(runs: Sequence[ListedRun], now: float) -> str:
    """Return a table that is not wider than a terminal. The reason takes the place of the facts of a broken run."""
    width, facts = text_width(), [fact_cells(run, now) for run in runs]
    longest = [max(map(len, [column[0][0], *[cell for _, cell in column]])) for column in zip(*facts, strict=True)]
    room = width - sum(longest) - GAP * (len(longest) + 2)
    names = [cut_name(line_of(run.path.name or "."), max(LEAST, room - LEAST)) for run in runs]
    room -= max(map(columns_of, ["run", *names]))
    needed = max(columns_of(", ".join(run.entrants)) for run in runs)
    games = [fitted(run.games, max(room // 2, room - needed)) for run in runs]
    room -= max(map(len, ["games", *games]))
    entrants = [fitted(run.entrants, room) for run in runs]
    columns = ("run", names), ("games", games), ("entrants", entrants)
    rows: list[Cells] = [
        [*[(heading, cells[at]) for heading, cells in columns], *figures] for at, figures in enumerate(facts)
    ]
    head, *lines = text_table(rows).splitlines()
    start = head.index("games")
    reasons = [f"{BROKEN}: {line_of(run.reason)}" if run.state == BROKEN else "" for run in runs]
    every = zip(names, lines, reasons, strict=True)
    shown = [cut_name(padded(name, start) + why, width) if why else line.rstrip() for name, line, why in every]
    return "\n".join([head, *shown])


def fact_cells(run: ListedRun, now: float) -> Cells:
    """Return the figures of a run; nothing of a broken one, whose reason takes their place."""
    if run.state == BROKEN:
        return [(heading, "") for heading in ("deals", "faults", "age", "state")]
    return [
        ("deals", deals_text(run)),
        ("faults", "-" if run.faults is None else number(run.faults)),
        ("age", " ".join(duration(max(0.0, now - run.changed)).split()[:2])),
        ("state", run.state or "-"),
    ]


def deals_text(run: ListedRun) -> str:
    """4 000; 1 000 of 4 000; 12 of 40 times; -"""
    if run.played is None or run.planned is None:
        return "-"
    played = "" if run.played == run.planned else f"{number(run.played)} of "
    return f"{played}{number(run.planned)}{' times' * (run.amount == 'times')}"


def fitted(names: Sequence[str], width: int) -> str:
    """Return as many names as fit into a column."""
    return as_many_as_fit([*map(line_of, names)], width) if names else "-"


def line_of(text: str) -> str:
    """Return somebody's text as one printable line."""
    return " ".join(printable(text).split())


def cut_name(text: str, width: int) -> str:
    """Return a text that takes no more columns than this."""
    if columns_of(text) <= width:
        return text
    return next(f"{text[:end]}..." for end in range(width - 3, -1, -1) if columns_of(text[:end]) <= width - 3)
