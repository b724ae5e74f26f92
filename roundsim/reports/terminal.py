"""What people read of a run: a table for each game, and one for all."""

from __future__ import annotations

from collections.abc import Sequence

from tabulate import tabulate

from ..tournament.formats import Measure
from ..tournament.plan import Entry, Tournament
from ..tournament.standings import LEAST_BLOCKS, SCORE, Reckoned, Row
from ..tournament.tally import Tally
from ..words import WIDTH, so_many, with_options


def missing_shards(n: int) -> str:
    return f"{so_many(n, 'shard')} {'is' if n == 1 else 'are'} not played yet"


def row_of(row: Row, measures: Sequence[Measure]) -> dict[str, str]:
    """A row of a table as people read it."""
    cells, errors = {"rank": row.rank_text(), "strategy": row.strategy}, 0
    for measure in measures:
        figure = row.figures[measure.key]
        cells[measure.column] = measure.text(figure.value)
        if measure.error_shown:
            cells[f"± 95 %{' ' * errors}"] = (measure.error_text or measure.text)(figure.error)
            errors += 1
    return cells | {"faults": str(row.faults)}


def table(rows: Sequence[dict[str, str]], tablefmt: str = "plain") -> str:
    """Strategies to the left, figures to the right."""
    keys = list(rows[0]) if rows else []
    align = ["left" if key in ("rank", "strategy", "path") else "right" for key in keys]
    cells = [[cell.replace("|", "\\|") if tablefmt == "github" else cell for cell in row.values()] for row in rows]
    return tabulate(cells, keys, tablefmt=tablefmt, colalign=align, disable_numparse=True)


def heading(tournament: Tournament, entry: Entry, tally: Tally) -> list[str]:
    """Nap · 4 seats · 2 000 deals in 125 blocks of 16 (4 seats x 4 deals) · seed 1891"""
    return [title_of(entry), *entry.format.heading(entry, tally), f"seed {tournament.seed}"]


def title_of(entry: Entry) -> str:
    """The game, and what tells this entry from others of it: its own name, else its options, if there is room."""
    if entry.name != entry.game:
        return f"{entry.deal.title} ({entry.name})"
    if not entry.options:
        return entry.deal.title
    own = entry.format.set_options(entry.deal)
    options = {key: value for key, value in entry.rules.changed().items() if key not in own}
    title = with_options(entry.deal.title, options)
    return title if len(title) <= WIDTH else entry.deal.title


def joined(parts: Sequence[str]) -> str:
    """The parts of a heading, on as many lines as they need."""
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + len(part) + 3 <= WIDTH:
            lines[-1] += f" · {part}"
        else:
            lines.append(f"  {part}")
    return "\n".join(lines)


def notes(entry: Entry, tally: Tally, rows: Sequence[Row]) -> list[str]:
    """What a table cannot say by itself."""
    said = []
    if tally.blocks and any(row.first.error is None and row.first.mean is not None for row in rows):
        said.append(f"Under {LEAST_BLOCKS} blocks there is no error: play more {entry.format.unit}s.")
    if tally.blocks == entry.blocks and any(row.first.mean is None for row in rows):
        said.append("A strategy without figures has not played: there are fewer blocks than tables it could sit at.")
    return said


def tables(reckoned: Reckoned, tablefmt: str = "plain") -> str:
    """One table for each game, and one for all."""
    mark, parts, tournament = "## " * (tablefmt != "plain"), list[str](), reckoned.tournament
    for entry, fold, rows in reckoned:
        head = heading(tournament, entry, fold.tally)
        body = indented(table([row_of(row, entry.format.measures) for row in rows], tablefmt), tablefmt)
        title = mark + " · ".join(head) if mark else joined(head)
        said = notes(entry, fold.tally, rows)
        parts.append("\n".join([title, "", body, *[""] * bool(mark and said), *said]))
    if len(tournament.entries) > 1:
        rows = reckoned.overall
        told = tournament.entries[0].format.told
        heading_of_all = (
            f"All games · score: {told} in standard deviations of block means, every game weighing the same"
        )
        body = indented(table([row_of(row, [SCORE]) for row in rows], tablefmt), tablefmt)
        parts.append("\n".join([mark + heading_of_all, "", body if rows else "No strategy played every game."]))
    return "\n\n".join(parts) + "\n"


def indented(text: str, tablefmt: str) -> str:
    return text if tablefmt != "plain" else "\n".join(f" {line}".rstrip() for line in text.splitlines())
