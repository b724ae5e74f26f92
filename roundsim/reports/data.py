"""What programs read of a run, and the files of a finished one: json, csv, markdown, the list of faults."""

from __future__ import annotations

import csv
import io
import json
import platform
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

from ..tournament.folder import holds, write_aside
from ..tournament.formats import Measure
from ..tournament.plan import Entry, Tournament
from ..tournament.run import Result
from ..tournament.standings import SCORE, Reckoned, Row, reckon
from ..tournament.tally import Fold, Tally
from .terminal import tables

SCHEMA = 1


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 9)


def as_data(reckoned: Reckoned) -> dict[str, Any]:
    """The standings for programs; its layout is numbered by `schema`."""
    listed, tournament = [], reckoned.tournament
    for entry, fold, rows in reckoned:
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
                    for row in rows
                ],
            }
        )
    return {
        "schema": SCHEMA,
        "name": tournament.name,
        "format": tournament.format,
        "seed": tournament.seed,
        "limits": asdict(tournament.limits),
        "games": listed,
        "all": [
            {
                "rank": row.rank,
                "tied": row.tied,
                "strategy": row.strategy,
                **figures_of(row, [SCORE]),
                "faults": row.faults,
            }
            for row in reckoned.overall
        ]
        if len(listed) > 1
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


def as_csv(reckoned: Reckoned) -> str:
    """A line for each row of each game's table."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["game", "rank", "strategy", "mean", "error", "won", "blocks", "faults"])
    for entry, _, rows in reckoned:
        for row in rows:
            first, won = row.first, row.figures["won"]
            figures = [rounded(first.value), rounded(first.error), rounded(won.value)]
            writer.writerow([entry.name, row.rank, row.strategy, *figures, row.blocks, row.faults])
    for row in reckoned.overall:
        figures = [rounded(row.first.value), rounded(row.first.error)]
        writer.writerow(["(all)", row.rank, row.strategy, *figures, "", "", row.faults])
    return out.getvalue()


def in_format(reckoned: Reckoned, form: str) -> str:
    """The standings as `table`, `json`, `csv` or `md`."""
    if form in ("table", "md"):
        return tables(reckoned, tablefmt="plain" if form == "table" else "github")
    if form == "csv":
        return as_csv(reckoned)
    return json.dumps(as_data(reckoned), indent=1, ensure_ascii=False) + "\n"


def faults(tournament: Tournament, folds: Sequence[Fold]) -> Iterable[dict[str, Any]]:
    """The faults that are told in full, in schedule order."""
    for entry, fold in zip(tournament.entries, folds, strict=True):
        for told in fold.faults_told():
            own = told.to_json()
            yield {"strategy": entry.labels[own.pop("entrant")], **own, "again": told.again}


def results(tournament: Tournament, folds: Sequence[Fold]) -> dict[str, bytes]:
    """The files of a finished run, by name; what was asked for and rounded up is no part of them."""
    tournament = replace(tournament, entries=tuple(replace(entry, asked=0) for entry in tournament.entries))
    reckoned = reckon(tournament, folds)
    made = {f"standings.{form}": in_format(reckoned, form).encode() for form in ("json", "csv", "md")}
    lines = [json.dumps(fault, ensure_ascii=False) + "\n" for fault in faults(tournament, folds)]
    return {**made, "faults.jsonl": "".join(lines).encode()}


def write_results(result: Result) -> None:
    """`standings.*`, `faults.jsonl` and `timing.json`."""
    for name, data in results(result.tournament, result.folds).items():
        if not holds(path := result.folder.path / name, data):
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
