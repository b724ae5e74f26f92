"""What people and programs read of a run: tables, json, csv, markdown, the list of faults."""

from __future__ import annotations

import csv
import io
import json
import platform
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from tabulate import tabulate

from .standings import LEAST_BLOCKS, SCORE, Row, overall, standings
from .tournament.folder import write_aside
from .tournament.formats import Measure
from .tournament.plan import Entry, Tournament
from .tournament.run import Result
from .tournament.tally import Fold, Tally
from .words import WIDTH, so_many, with_options

SCHEMA = 1


def missing_shards(n: int) -> str:
    return f"{so_many(n, 'shard')} {'is' if n == 1 else 'are'} not played yet"


def columns(entry: Entry, row: Row) -> dict[str, str]:
    """A row of a game's table as people read it."""
    return row_of(row, entry.format.measures)


def row_of(row: Row, measures: Sequence[Measure]) -> dict[str, str]:
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
        said.append(f"Under {LEAST_BLOCKS} blocks there is no error: play more deals.")
    if tally.blocks == entry.blocks and any(row.first.mean is None for row in rows):
        said.append("A strategy without figures has not played: there are fewer blocks than tables it could sit at.")
    return said


def tables(tournament: Tournament, folds: Sequence[Fold], tablefmt: str = "plain") -> str:
    """One table for each game, and one for all."""
    mark, parts = "## " * (tablefmt != "plain"), list[str]()
    for entry, fold in zip(tournament.entries, folds, strict=True):
        rows = standings(entry, fold.tally)
        head = heading(tournament, entry, fold.tally)
        body = indented(table([columns(entry, row) for row in rows], tablefmt), tablefmt)
        title = mark + " · ".join(head) if mark else joined(head)
        said = notes(entry, fold.tally, rows)
        parts.append("\n".join([title, "", body, *[""] * bool(mark and said), *said]))
    if len(tournament.entries) > 1:
        rows = overall_of(tournament, folds)
        told = tournament.entries[0].format.told
        heading_of_all = (
            f"All games · score: {told} in standard deviations of block means, every game weighing the same"
        )
        body = indented(table([row_of(row, [SCORE]) for row in rows], tablefmt), tablefmt)
        parts.append("\n".join([mark + heading_of_all, "", body if rows else "No strategy played every game."]))
    return "\n\n".join(parts) + "\n"


def indented(text: str, tablefmt: str) -> str:
    return text if tablefmt != "plain" else "\n".join(f" {line}".rstrip() for line in text.splitlines())


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 9)


def as_data(tournament: Tournament, folds: Sequence[Fold]) -> dict[str, Any]:
    """The standings for programs; its layout is numbered by `schema`."""
    listed = []
    for entry, fold in zip(tournament.entries, folds, strict=True):
        listed.append(
            {
                "name": entry.name,
                "game": entry.game,
                "title": entry.deal.title,
                "options": dict(sorted(entry.options.items())),
                "players": entry.format.seats,
                "blocks": fold.tally.blocks,
                "deals": fold.tally.deals,
                "decisions": fold.tally.decisions,
                "rows": [
                    {
                        "rank": row.rank,
                        "tied": row.tied,
                        **who(entry, row),
                        **figures_of(row, entry.format.measures),
                        "blocks": row.blocks,
                        "faults": faults_of(entry, row.strategy, fold.tally),
                    }
                    for row in standings(entry, fold.tally)
                ],
            }
        )
    return {
        "schema": SCHEMA,
        "name": tournament.name,
        "format": tournament.format,
        "seed": tournament.seed,
        "games": listed,
        "all": [
            {
                "rank": row.rank,
                "tied": row.tied,
                "strategy": row.strategy,
                **figures_of(row, [SCORE]),
                "faults": row.faults,
            }
            for row in overall_of(tournament, folds)
        ]
        if len(tournament.entries) > 1
        else None,
    }


def figures_of(row: Row, measures: Sequence[Measure]) -> dict[str, float | None]:
    """A row's figures by their names in JSON."""
    data = {}
    for measure in measures:
        figure = row.figures[measure.key]
        data[measure.data] = rounded(figure.value)
        if measure.error_data:
            data[measure.error_data] = rounded(figure.error)
    return data


def who(entry: Entry, row: Row) -> dict[str, Any]:
    strategy = entry.strategies[entry.labels.index(row.strategy)]
    return {
        "strategy": row.strategy,
        "name": strategy.name,
        "parameters": dict(strategy.parameters),
        "sha256": strategy.sha256,
    }


def faults_of(entry: Entry, label: str, tally: Tally) -> dict[str, int]:
    entrant = entry.labels.index(label)
    return {kind: n for (other, kind), n in sorted(tally.faults.items()) if other == entrant}


def as_csv(tournament: Tournament, folds: Sequence[Fold]) -> str:
    """A line for each row of each game's table."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["game", "rank", "strategy", "mean", "error", "won", "blocks", "faults"])
    for entry, fold in zip(tournament.entries, folds, strict=True):
        for row in standings(entry, fold.tally):
            first, won = row.first, row.figures["won"]
            figures = [rounded(first.value), rounded(first.error), rounded(won.value)]
            writer.writerow([entry.name, row.rank, row.strategy, *figures, row.blocks, row.faults])
    for row in overall_of(tournament, folds):
        figures = [rounded(row.first.value), rounded(row.first.error)]
        writer.writerow(["(all)", row.rank, row.strategy, *figures, "", "", row.faults])
    return out.getvalue()


def overall_of(tournament: Tournament, folds: Sequence[Fold]) -> list[Row]:
    """The rows of the table over all games, none where there is one game."""
    entries = list(zip(tournament.entries, [fold.tally for fold in folds], strict=True))
    return overall(entries) if len(entries) > 1 else []


def in_format(tournament: Tournament, folds: Sequence[Fold], form: str) -> str:
    """The standings as `table`, `json`, `csv` or `md`."""
    if form in ("table", "md"):
        return tables(tournament, folds, tablefmt="plain" if form == "table" else "github")
    if form == "csv":
        return as_csv(tournament, folds)
    return json.dumps(as_data(tournament, folds), indent=1, ensure_ascii=False) + "\n"


def faults(tournament: Tournament, folds: Sequence[Fold]) -> Iterable[dict[str, Any]]:
    """The faults that are told in full, in schedule order."""
    for entry, fold in zip(tournament.entries, folds, strict=True):
        for told in fold.faults_told():
            own = told.to_json()
            yield {"strategy": entry.labels[own.pop("entrant")], **own}


def results(tournament: Tournament, folds: Sequence[Fold]) -> dict[str, bytes]:
    """The files of a finished run, by name; what was asked for and rounded up is no part of them."""
    tournament = replace(tournament, entries=tuple(replace(entry, asked=0) for entry in tournament.entries))
    made = {f"standings.{form}": in_format(tournament, folds, form).encode() for form in ("json", "csv", "md")}
    lines = [json.dumps(fault, ensure_ascii=False) + "\n" for fault in faults(tournament, folds)]
    return {**made, "faults.jsonl": "".join(lines).encode()}


def write_results(result: Result) -> None:
    """`standings.*`, `faults.jsonl` and `timing.json`."""
    for name, data in results(result.tournament, result.folds).items():
        path = result.folder.path / name
        if not path.exists() or path.read_bytes() != data:
            write_aside(path, data)
    timing = result.folder.path / "timing.json"
    if result.played or not timing.exists():
        write_aside(timing, json.dumps(timing_data(result), indent=1).encode() + b"\n")


def timing_data(result: Result) -> dict[str, Any]:
    return {
        "seconds": round(result.seconds, 3),
        "processes": result.jobs,
        "played": result.played,
        "host": platform.node(),
        "system": platform.platform(),
        "python": platform.python_version(),
    }
