"""The runs in a folder, each in a few facts. No strategy is loaded, and no game that only a run names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...base.errors import AbsentError, RoundsimError
from ..planning.plan import Entry, Tournament
from . import runfile
from .folder import RunFolder
from .runs import changed, runs_in
from .totals import finished_totals

FINISHED, UNFINISHED, BROKEN = "finished", "unfinished", "broken"


@dataclass(frozen=True)
class ListedRun:
    """A run in a few facts. Unknown facts are None, or have no items.

    `changed`: when it was last played on, in seconds since 1970. `played`, `planned`: in the unit `amount`, "deals" or
    "times". `reason`: why it is broken."""

    path: Path
    changed: float
    state: str | None
    games: tuple[str, ...] = ()
    entrants: tuple[str, ...] = ()
    played: int | None = None
    planned: int | None = None
    amount: str | None = None
    faults: int | None = None
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return it for programs: `run` is its folder."""
        facts = {key: value for key, value in vars(self).items() if key != "path"}
        return {"run": str(self.path), **facts, "reason": self.reason or None}


def list_runs(folder: Path) -> list[ListedRun]:
    """Return the runs in a folder, the newest first. AbsentError if there are none."""
    try:
        paths = runs_in(folder)
    except OSError as error:
        raise AbsentError(f"{folder}: {error.strerror}: there are no runs") from None
    if not paths:
        raise AbsentError(f"{folder}: there are no runs in it")
    return [*map(listed, paths)]


def listed(path: Path) -> ListedRun:
    """Return a run in a few facts. It is broken if its `run.toml` or its log cannot be read."""
    folder = RunFolder(path)
    try:
        try:
            tournament = folder.tournament()
        except AbsentError:
            return without_game(folder)
        return with_games(folder, tournament)
    except RoundsimError as error:
        reason = str(error).removeprefix(f"{path / 'run.toml'}: ").removeprefix(f"{path}/")
        return ListedRun(path, changed(path), BROKEN, reason=reason)


def with_games(folder: RunFolder, tournament: Tournament) -> ListedRun:
    """Return a run whose games are here. LogError if its log is damaged.

    The log of a finished run is not read: its names and the results are enough."""
    entries, planned = tournament.entries, planned_units(tournament)
    there = sum(len(folder.firsts(entry)) for entry in entries)
    played, missing = planned, tournament.shard_count + tournament.shards_to_come - there
    faults = None if missing else recorded_faults(folder.results())
    if faults is None:
        totals, missing = finished_totals(tournament, folder)
        tallies = [total.tally for total in totals]
        played = sum(units(entry, tally.blocks) for entry, tally in zip(entries, tallies, strict=True))
        faults = sum(sum(tally.faults.values()) for tally in tallies)
    return ListedRun(
        folder.path,
        changed(folder.path),
        UNFINISHED if missing else FINISHED,
        distinct(entry.format.in_file(entry.name) for entry in entries),
        distinct(label for entry in entries for label in entry.labels),
        played,
        planned,
        entries[0].format.amount,
        faults,
    )


def without_game(folder: RunFolder) -> ListedRun:
    """Return a run of a game or a format that is not here: only the names that it records. LogError."""
    path = folder.path / "run.toml"
    data, results = runfile.read_unchecked(path), folder.results()
    try:
        games = distinct(str(game["name"]) for game in data["games"])
        entrants = distinct(str(strategy["name"]) for game in data["games"] for strategy in game["strategies"])
    except (KeyError, TypeError) as error:
        raise runfile.damaged(path, error) from None
    state = FINISHED if results else None
    return ListedRun(folder.path, changed(folder.path), state, games, entrants, faults=recorded_faults(results))


def units(entry: Entry, blocks: int) -> int:
    """Return how much of the amount some blocks of an entry play."""
    return blocks * entry.format.units(entry)


def planned_units(tournament: Tournament) -> int:
    """Return how much of its amount a tournament plays, assuming that rounds to come are like the last known one."""
    planned = sum(units(entry, entry.block_count) for entry in tournament.entries)
    for numbers in tournament.series:
        last = tournament.entries[numbers[-1]]
        planned += (last.format.last_round - len(numbers)) * units(last, last.block_count)
    return planned


def recorded_faults(results: Mapping[str, Any]) -> int | None:
    """Return the number of faults in the results; None if they are missing or damaged."""
    try:
        return sum(int(n) for game in results["games"] for row in game["rows"] for n in row["faults"].values())
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError):
        return None


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Return each name once, in order."""
    return tuple(dict.fromkeys(names))
