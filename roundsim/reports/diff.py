"""Comparison of two runs, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ..base.text import in_csv, number, plain, signed, so_many
from ..statistics.distributions import FEW_BLOCKS, LEAST_BLOCKS
from ..statistics.paired import Paired
from ..tournament.judging.diff import ComparedEntry, Diff
from ..tournament.judging.standings import Figure
from .lines import in_markdown, joined_heading, lines_of, markdown_list, wrapped_texts
from .terminal import Cells, entry_title, error_text, indented, text_table
from .views import rounded

SCHEMA = 1


def diff_in_format(diff: Diff, form: str) -> str:
    """Return it as `table`, `json`, `csv` or `md`."""
    if form == "json":
        return json.dumps(diff_data(diff), indent=1, ensure_ascii=False) + "\n"
    return diff_csv(diff) if form == "csv" else diff_tables(diff, "plain" if form == "table" else "github")


def diff_tables(diff: Diff, tablefmt: str) -> str:
    """Return the differences, a line each, then a table for each game of both."""
    mark = "## " * (tablefmt != "plain")
    lines = [("there", str(diff.there.path)), ("here", str(diff.here.path))]
    lines += [("differs", str(change)) for change in diff.differs] or [("differs", "nothing: the same run")] * diff.same
    parts = ["\n".join(markdown_list(lines) if mark else lines_of(lines))]
    for game in [] if diff.same else diff.games:
        name = [game.here.name] * (game.here.format.last_round > 1)
        head = [entry_title(game.here), *name, so_many(game.blocks, "common block"), f"seed {diff.here.data['seed']}"]
        body = [indented(text_table([*diff_cells(game)], tablefmt), tablefmt)] * bool(game.entrants)
        title = mark + in_markdown(" · ".join(head)) if mark else joined_heading(head)
        parts.append(
            "\n".join([title, "", *body, *[""] * bool(mark and body), *wrapped_texts([*diff_notes(game)], mark)])
        )
    return "\n\n".join(parts) + "\n"


def diff_cells(game: ComparedEntry) -> Iterator[Cells]:
    """Yield the rows of a game's table. A star marks a strategy whose difference is significant."""
    measure = game.here.format.measures[0]
    for i, j, paired in game.entrants:
        there, here = means(game, paired)
        difference, renamed = paired.difference, str(game.there.strategies[i]) != str(game.here.strategies[j])
        yield [
            ("strategy", game.there.labels[i] + f" -> {game.here.labels[j]}" * renamed),
            ("there", measure.text(there)),
            ("here", measure.text(here)),
            ("difference", signed(paired.here - paired.there) + "*" * (i in game.significant)),
            ("± 95 %", error_text(Figure(None, difference and difference.error, paired.changed), measure)),
            ("times", plain(paired.times, 1)),
            ("changed", f"{number(paired.changed)} of {number(paired.blocks)}"),
        ]


def means(game: ComparedEntry, paired: Paired) -> tuple[float, float]:
    """Return an entrant's means there and here as in the standings; in the comparison itself more is always better."""
    sign = -1 if game.here.format.measures[0].less_is_better else 1
    return sign * paired.there, sign * paired.here


def diff_notes(game: ComparedEntry) -> Iterator[str]:
    """Yield notes for what the table does not show."""
    fewest, unit = min([paired.changed for _, _, paired in game.entrants], default=None), game.here.format.unit
    if fewest is None:
        yield "No common blocks: game, seed, format, seats, sitting and seating must be the same."
    elif fewest < LEAST_BLOCKS:
        yield f"If under {LEAST_BLOCKS} blocks changed, there is no error: play more {unit}s."
    elif fewest < FEW_BLOCKS:
        yield f"~ if under {FEW_BLOCKS} blocks changed, errors may be too small: play more {unit}s."
    if out := [game.there.labels[i] for i, _, _ in game.entrants if i in game.out]:
        yield f"Not placed in one of the runs, because of faults: {', '.join(out)}."
    if any(paired.times for _, _, paired in game.entrants):
        yield "times: runs without common deals would need this many times the deals."


def diff_data(diff: Diff) -> dict[str, Any]:
    """Return the same for programs; its layout is numbered by `schema`."""
    return {
        "schema": SCHEMA,
        "there": str(diff.there.path),
        "here": str(diff.here.path),
        "same": diff.same,
        "differs": [{**change._asdict(), "where": [*change.where]} for change in diff.differs],
        "games": [
            {
                "name": game.here.name,
                "game": game.here.game,
                "measure": game.here.format.measures[0].data,
                "blocks": game.blocks,
                "rows": [*rows(game)],
            }
            for game in diff.games
        ],
    }


def rows(game: ComparedEntry) -> Iterator[dict[str, Any]]:
    """Yield a row of each strategy in a game."""
    for i, j, paired in game.entrants:
        difference, (there, here) = paired.difference, means(game, paired)
        yield {
            "strategy": game.there.labels[i],
            "became": game.here.labels[j],
            "there": rounded(there),
            "here": rounded(here),
            "difference": rounded(paired.here - paired.there),
            "error": rounded(difference and difference.error),
            "p": rounded(difference and difference.p),
            "apart": i in game.significant,
            "times": rounded(paired.times),
            "blocks": paired.blocks,
            "changed": paired.changed,
        }


def diff_csv(diff: Diff) -> str:
    """Return a line for each row of each game."""
    lines = [{"game": game.here.name, **row} for game in diff.games for row in rows(game)]
    return in_csv([lines[0], *[line.values() for line in lines]])
