"""Output in a notebook: the tables of a run as HTML, its progress, and its page in a frame.

IPython is used only if it is loaded already."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

from markupsafe import Markup, escape

from ..base.text import number
from ..tournament.judging.standings import Standings
from ..tournament.judging.stopping import SCORE
from ..tournament.run import Progress
from .lines import lines_of
from .stopping_rule import rule_text
from .terminal import (
    block_notes,
    error_heading,
    game_cells,
    table_heading,
    table_notes,
    table_of_rounds,
    table_row,
    text_table,
    unplaced_in_one,
    unplaced_note,
)

PAUSE = 0.2  # seconds between two looks
FRAME = Markup('<iframe srcdoc="{}" sandbox="allow-scripts" width="100%" height="720" style="border:0"></iframe>')
BAR = Markup('<progress value="{}" max="{}"></progress> {} / {} {}s')


def as_html(standings: Standings) -> str:
    """Return the tables of a run."""
    return "\n".join(html_tables(standings))


def html_tables(standings: Standings) -> Iterator[str]:
    error = error_heading(standings.tournament)
    for at, (entry, fold, rows, verdicts) in enumerate(standings):
        yield html_paragraph(" · ".join(table_heading(standings.tournament, entry, fold.tally)), "h4")
        yield text_table([*game_cells(entry, rows, verdicts, False, error)], "html")
        lines = [
            *unplaced_note(standings.tournament, rows),
            *table_notes(entry, fold.tally, rows),
            *lines_of([*rule_text(standings, at), *block_notes(rows, verdicts)]),
        ]
        yield html_paragraph("\n".join(lines), "pre")
    for each in standings.over_rounds:
        yield html_paragraph(table_of_rounds(standings.tournament, *each, "", "plain"), "pre")
    if len(standings.tournament.entries) > 1 and not standings.over_rounds:
        yield html_paragraph("All games", "h4")
        yield text_table([table_row(row, [SCORE], error=error) for row in standings.overall], "html")
        if lines := unplaced_in_one(standings.overall, "game"):
            yield html_paragraph("\n".join(lines), "pre")


def html_paragraph(text: str, of: str) -> str:
    return Markup("<{0}>{1}</{0}>").format(Markup(of), text)


class Page(NamedTuple):
    """The page of a run, in the file at this path. A notebook shows it in a frame that loads nothing else."""

    path: Path

    def _repr_html_(self) -> str:
        return FRAME.format(escape(self.path.read_text("utf-8")))


class ProgressCell:
    """The progress of a run, below the cell of a notebook, updated in place; elsewhere nothing is shown."""

    def __init__(self) -> None:
        self.last, self.handle = time.monotonic(), cast(Any, None)
        ipython: Any = sys.modules.get("IPython")
        if ipython and hasattr(ipython.get_ipython(), "kernel"):
            self.html = ipython.display.HTML
            self.handle = ipython.display.display(self.html(""), display_id=True)

    def __call__(self, progress: Progress) -> None:
        if self.handle is None or time.monotonic() - self.last < PAUSE:
            return
        self.last, done, total = time.monotonic(), progress.done, progress.total
        unit = progress.entries[0].format.unit
        self.handle.update(self.html(BAR.format(done, total, number(done), number(total), unit)))

    def end(self) -> None:
        if self.handle is not None:
            self.handle.update(self.html(""))
