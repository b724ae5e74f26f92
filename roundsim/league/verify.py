"""A league verified: each round from its record to its last number, and what played it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from .. import games
from ..base.errors import AbsentError, DisagreesError, LogError, RoundsimError
from ..replaying.rerun import rerun
from ..replaying.verify import verify_run
from ..tournament.planning.plan import Tournament
from ..tournament.storage.runfile import first_difference
from .entries import entry_digest
from .rounds import NAMED, RECORD, RoundFolder, RoundRecord, game_table, read_round
from .thin import is_thin, played_again, thin_totals


class VerifiedLeague(NamedTuple):
    """A league in which nothing disagrees: its rounds; how many of them are not finished, have other rules than this
    roundsim and cannot be verified here, or have no lines and were not played again; its deals, and its versions of
    entries."""

    rounds: int
    unfinished: int
    foreign: int
    thin: int
    deals: int
    versions: int


def verify_league(
    league: Path,
    jobs: int | None = None,
    tell: Callable[[int, int], object] = lambda done, total: None,
    again: bool = False,
    isolate: str = "on",
) -> VerifiedLeague:
    """Verify each round of a league: its record, its seed, its place in the chain, its run, and the versions that played.

    `again`: ask the kept versions once more, in the sandbox unless `isolate` is "auto" or "off". `tell` is called with the
    number of rounds that are done, and of all. DisagreesError names what does not agree."""
    rounds, wrong = readable_rounds(league)
    wrong += [problem for folder in rounds for problem in chain_wrong(folder, rounds)]
    unfinished = foreign = thin = deals = 0
    for done, folder in enumerate(rounds, 1):
        wrong += [
            problem for entry in folder.record.field if (problem := version_wrong(league / entry.version, entry.sha256))
        ]
        try:
            if is_foreign(folder.record):
                foreign += 1
                continue
            if is_thin(folder.run):
                tournament = folder.run.tournament()
                deals += sum(fold.tally.deals for fold in thin_totals(tournament, folder.run))
                wrong += run_wrong(folder, tournament)
                wrong += played_again(league, folder, jobs, isolate) if again else ()
                thin += not again
                continue
            sources = [f"{entry.name}={(league / entry.version).absolute()}" for entry in folder.record.field]
            checked = verify_run(folder.run, jobs, sources=sources if again else (), here=again, isolate=isolate)
            wrong += run_wrong(folder, checked.tournament)
            unfinished += checked.missing > 0
            deals += checked.deals
            if again:
                rerun(folder.run, checked, jobs, isolate)
        except DisagreesError as error:
            wrong += error.differences
        except AbsentError:
            unfinished += 1  # it was interrupted before its first deal
        except RoundsimError as error:
            if error.code == RoundsimError.code:
                raise
            wrong.append(f"{folder.path}: {error}")
        tell(done, len(rounds))
    if unfinished > 1:
        wrong.append(
            f"{league / 'rounds'}: {unfinished} rounds are not finished, and a league finishes one before the next"
        )
    if wrong:
        raise DisagreesError(list(dict.fromkeys(wrong)))
    versions = {entry.sha256 for folder in rounds for entry in folder.record.field}
    return VerifiedLeague(len(rounds), unfinished, foreign, thin, deals, len(versions))


def readable_rounds(league: Path) -> tuple[list[RoundFolder], list[str]]:
    """Return the rounds of a league, and what is wrong with other paths among them."""
    rounds, wrong = list[RoundFolder](), list[str]()
    for path in sorted(league.glob("rounds/*")):
        try:
            if NAMED.fullmatch(path.name):
                rounds.append(RoundFolder(path, read_round(path / RECORD)))
            else:
                wrong.append(f"{path}: nothing of this league")
        except LogError as error:
            wrong.append(str(error))
    return rounds, wrong


def chain_wrong(folder: RoundFolder, rounds: list[RoundFolder]) -> Iterator[str]:
    """Yield what is wrong with a round among the others: its place, and the rounds that it follows."""
    record, path = folder.record, folder.path / RECORD
    known = {other.record.seed: other.record.number for other in rounds}
    before = [known.get(seed) for seed in record.after]
    if None in before:
        missing = record.after[before.index(None)]
        yield f"{path}: it follows a round with the seed {missing[:60]}, which is not there"
    elif record.number != 1 + max([number for number in before if number], default=0):
        yield f"{path}: number = {record.number}, and the rounds that it follows are others"
    if folder.path.name != record.folder_name:
        yield f"{path}: its folder must be called {record.folder_name}"
    for name in sorted(inner.name for inner in folder.path.iterdir()):
        if name not in (RECORD, "run"):
            yield f"{folder.path / name}: nothing of this round"


def version_wrong(path: Path, sha256: str) -> str:
    """Return what is wrong with a kept version: "" if it has its sha256."""
    now = entry_digest(str(path)) if path.exists() else ""
    return "" if now == sha256 else f"{path}: not the version with the sha256 {sha256[:16]}..., which has played"


def is_foreign(record: RoundRecord) -> bool:
    """Whether a game of a round has other rules in this version of roundsim."""
    return any(games.find(game).version != version for game, version in record.rules.items())


def run_wrong(folder: RoundFolder, tournament: Tournament) -> Iterator[str]:
    """Yield each difference between a run and the record of its round."""
    record, run = folder.record, folder.path / "run" / "run.toml"
    if tournament.seed != record.seed:
        yield f"{run}: seed = {tournament.seed}, and that of the round is {record.seed}"
    if len(tournament.entries) != len(record.games):
        yield f"{run}: {len(tournament.entries)} games, and the round has {len(record.games)}"
        return
    field = {entry.name: entry.sha256 for entry in record.field}
    for entry, game in zip(tournament.entries, record.games, strict=True):
        played = {label: strategy.sha256 for label, strategy in zip(entry.labels, entry.strategies, strict=True)}
        units = entry.format.units(entry)
        there: dict[str, object] = {
            **game_table(entry),
            "strategies": [*played],
            "deals": game.get("deals") if entry.blocks == -(-game["deals"] // units) else entry.blocks * units,
            **({"focus": focus} if (focus := getattr(entry.format, "focus", "")) else {}),
        }
        if difference := first_difference(there, {**game}, entry.name):
            yield f"{run}: not what {folder.path / RECORD} has fixed: {difference}"
        for name in played.keys() & field.keys():
            if played[name] != field[name]:
                yield f"{run}: {entry.name}: {name} is another version than in the field"
