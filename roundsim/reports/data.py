"""The results of a run for programs, and the files of a finished run: json, csv, markdown, the list of faults."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..base.text import in_csv
from ..tournament.commandline import PlayingCommand
from ..tournament.commands import recorded_commands
from ..tournament.growth import sources_by_entry
from ..tournament.judging.standings import Figure, Standings
from ..tournament.judging.stopping import Outcome
from ..tournament.planning.plan import Tournament
from ..tournament.results.entry_totals import EntryTotals
from ..tournament.run import Result
from ..tournament.storage.writing import has_bytes, write_aside
from . import schemas
from .terminal import cross_text, ranks, text_tables
from .views import RunView, figures_of_outcome, rounded, shaped, shaped_table

GAME = schemas.declared("standings")["properties"]["games"]["items"]["properties"]
LeftOut = Callable[[], Mapping[str, str]]  # the machines that could not play, with the reasons


def as_data(standings: Standings) -> dict[str, Any]:
    """Return the standings for programs; their layout is numbered by `schema`."""
    return shaped_table(schemas.declared("standings"), RunView(standings))


def stopping_data(outcome: Outcome) -> dict[str, Any]:
    """Return the result of the stopping rule."""
    return shaped_table(GAME["until"], figures_of_outcome(outcome))


def as_csv(standings: Standings) -> str:
    """Return a line for each row of each game's table."""
    return in_csv(csv_rows(standings))


def csv_rows(standings: Standings) -> Iterator[Sequence[Any]]:
    errors = "won", "won_error", "won_low", "won_high", "ahead", "ahead_error"
    yield ["game", "rank", "likely", "strategy", "mean", "error", *errors, "blocks", "faults"]
    for entry, _, rows, verdicts in standings:
        for row in rows:
            at = entry.labels.index(row.strategy)
            rating, won = verdicts.ratings[at] or (None, None), row.figures.get("won", Figure(None))
            figures = [row.first.value, row.first.error, won.value, won.error, *(won.limits or (None, None)), *rating]
            start = [entry.name, row.rank, ranks(verdicts.likely[at]), row.strategy]
            yield [*start, *map(rounded, figures), row.blocks, row.faults]
    overall = zip(standings.overall, standings.overall_verdicts.likely if standings.overall else [], strict=True)
    more = [("(all)", row, ranks(likely)) for row, likely in overall]
    more += [(entry.format.in_file(entry.name), row, "-") for entry, rows in standings.over_rounds for _, row in rows]
    for name, row, likely in more:
        figures = [row.first.value, row.first.error, *[None] * len(errors)]
        yield [name, row.rank, likely, row.strategy, *map(rounded, figures), "", row.faults]


def cross_as_csv(standings: Standings) -> str:
    """Return a line for each two strategies that are compared."""
    limits = ["low", "high"] if standings.tournament.stopping else []
    head = ["one", "other", "difference", "error", *limits, "p", "p_holm", "apart", "more", "hangs_on"]
    lines = list[list[Any]]([["game", *head]])
    for game in RunView(standings).games:
        for pair in shaped(GAME["differences"], game.differences):
            lines.append([game.entry.name, *map(pair.get, head)])
    return in_csv(lines)


def in_format(standings: Standings, form: str, crossed: bool = False) -> str:
    """Return the standings as `table`, `json`, `csv` or `md`.

    `crossed`: the differences of all pairs, which JSON always has."""
    if form in ("table", "md"):
        return (cross_text if crossed else text_tables)(standings, tablefmt="plain" if form == "table" else "github")
    if form == "csv":
        return cross_as_csv(standings) if crossed else as_csv(standings)
    return json.dumps(as_data(standings), indent=1, ensure_ascii=False) + "\n"


def fault_rows(tournament: Tournament, folds: Sequence[EntryTotals]) -> Iterable[dict[str, Any]]:
    """Yield the faults that are recorded in full, in schedule order."""
    for entry, fold in zip(tournament.entries, folds, strict=True):
        for fault in fold.fault_reports():
            own = fault.to_json()
            yield {"strategy": entry.labels[own.pop("entrant")], **own, "again": fault.again}


def results(standings: Standings) -> dict[str, bytes]:
    """Return the files of a finished run by name; none for a part. The requested, unrounded amount is not in them."""
    tournament = standings.tournament
    if tournament.part:
        return {}
    tournament = replace(tournament, entries=tuple(replace(entry, asked=0) for entry in tournament.entries))
    standings = replace(standings, tournament=tournament)
    made = {f"standings.{form}": in_format(standings, form).encode() for form in ("json", "csv", "md")}
    lines = [json.dumps(fault, ensure_ascii=False) + "\n" for fault in fault_rows(tournament, standings.folds)]
    return {**made, "faults.jsonl": "".join(lines).encode()}


def write_results(result: Result, left_out: LeftOut = dict, command: PlayingCommand | None = None) -> None:
    """Write `standings.*`, `faults.jsonl` and `timing.json`; `left_out` returns the machines that could not play.
    `command` has played."""
    for name, data in results(result.standings).items():
        if not has_bytes(path := result.folder.path / name, data):
            write_aside(path, data)
    timing = before = result.folder.timing()
    if result.played or not before:
        timing = timing_data(result, left_out())
    if command:
        recorded = recorded_commands(result.folder)
        commands = command.repeating(result.tournament, recorded)
        kept = recorded if recorded and commands and not result.played else commands
        timing = {**timing, "commands": [kept_command.data() for kept_command in kept]}
    if timing != before:
        write_aside(result.folder.path / "timing.json", json.dumps(timing, indent=1).encode() + b"\n")


def timing_data(result: Result, left_out: Mapping[str, str]) -> dict[str, Any]:
    return {
        "seconds": round(result.seconds, 3),
        "processes": result.jobs,
        "played": result.played,
        "host": platform.node(),
        "system": platform.platform(),
        "python": platform.python_version(),
        **({"guests": result.guests} if result.guests else {}),
        **({"left_out": left_out} if left_out else {}),
        "sources": sources_by_entry(result.tournament),
    }
