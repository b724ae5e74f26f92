"""Old rounds without the lines of their deals, which can be played again from their seeds and the kept versions."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from ..base.errors import FolderError, LogError
from ..running import Means, play_tournament
from ..tournament.planning.plan import Schedule, Tournament
from ..tournament.results.entry_totals import EntryTotals
from ..tournament.storage.folder import RunFolder
from ..tournament.storage.layout import shard_path
from ..tournament.storage.shards import Shard, read_file, read_shard
from ..tournament.storage.writing import make_folders, write_aside
from .rounds import RoundFolder

THIN = "thin"  # the folder of a run that has the index of each shard, in the place of log/


def is_thin(run: RunFolder) -> bool:
    return (run.path / THIN).is_dir() and not (run.path / "log").exists()


def make_thin(run: RunFolder) -> None:
    """Keep the index of each shard of a finished run, with the hashes of its lines, and remove the lines. LogError if
    one is damaged; FolderError."""
    tournament = run.tournament()
    try:
        for number, entry in enumerate(tournament.entries):
            for shard in run.shards(Schedule(tournament, number)):
                place = run.path / THIN / entry.name / shard.path.relative_to(run.log(entry))
                make_folders(place.parent)
                write_aside(place, index_of(shard))
        shutil.rmtree(run.path / "log")
    except OSError as error:
        raise FolderError(f"cannot write {run.path}: {error.strerror}") from None


def index_of(shard: Shard) -> bytes:
    """Return the bytes of a shard's file before its lines. LogError."""
    with shard.opened() as file:
        return file.read(shard.pieces[0].at)


def thin_totals(tournament: Tournament, run: RunFolder) -> list[EntryTotals]:
    """Return the totals of each entry of a thin run. LogError if a shard is missing or damaged."""
    totals = [EntryTotals() for _ in tournament.entries]
    for number, entry in enumerate(tournament.entries):
        schedule = Schedule(tournament, number)
        for blocks in entry.shards():
            path = run.path / THIN / entry.name / shard_path(entry, blocks[0])
            shard = read_shard(path, schedule.shard(blocks[0]), schedule, bare=True)
            if shard is None:
                raise LogError(f"{path} is missing")
            totals[number].add(blocks[0], shard.tally, shard.rows)
    return totals


def played_again(league: Path, folder: RoundFolder, jobs: int | None, isolate: str) -> Iterator[str]:
    """Play a thin round again by its record, in a temporary folder, and yield what is not the same.

    TournamentError, PluginError, SealError if it cannot be played."""
    tournament = folder.record.tournament(league)
    tournament = replace(tournament, limits=tournament.limits.isolating(isolate))
    with TemporaryDirectory(prefix="roundsim-") as place:
        play_tournament(tournament, place, means=Means(jobs))
        again = RunFolder(place)
        for number, entry in enumerate(tournament.entries):
            for shard in again.shards(Schedule(tournament, number)):
                path = folder.run.path / THIN / entry.name / shard.path.relative_to(again.log(entry))
                if not path.exists() or read_file(path) != index_of(shard):
                    yield f"{path}: played again, its blocks or their lines are others"
