"""`contest.toml`, of contests before leagues: the seed, its hash, which was announced before, and the entries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from ...base.errors import LogError
from ...base.files import TEXT
from ...base.toml import toml_of
from ..planning.plan import Tournament
from ..planning.record import is_seed
from .layout import CONTEST
from .shards import read_file


class ContestEntry(NamedTuple):
    """An entry of a contest.

    `file`: the name of its file or folder, or the name of a strategy that comes with roundsim. `sha256`: of what it
    plays by, "" if that cannot be read. `name`: in the standings. `reason`: why it was left out, "" if it plays."""

    file: str
    sha256: str
    name: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Contest:
    """A contest: its seed, 32 hexadecimal digits; the hash of it; its entries, () as long as they are open."""

    seed: str
    seed_sha256: str
    entries: tuple[ContestEntry, ...] = ()


def hash_of_seed(seed: object) -> str:
    """Return the sha256 of the line that has the seed, as `echo SEED | sha256sum` prints it."""
    return sha256(f"{seed}\n".encode()).hexdigest()


def read_contest(folder: Path) -> Contest | None:
    """Return the contest of a run folder; None if the run is none. LogError if its record is damaged."""
    path = folder / CONTEST
    try:
        return contest_of(toml_of(read_file(path, TEXT).decode()))
    except FileNotFoundError:
        return None
    except (TypeError, ValueError, RecursionError) as error:
        if isinstance(error, LogError):
            raise
        raise LogError(f"{path}: damaged: {str(error)[:200]}") from None


def contest_of(data: dict[str, Any]) -> Contest:
    """Return the contest of such a file's data. TypeError or ValueError if it is not one."""
    contest = Contest(**data)
    if not isinstance(contest.seed, str) or not is_seed(contest.seed) or not isinstance(contest.seed_sha256, str):
        raise ValueError("seed and seed_sha256 must be 32 and 64 digits 0-9a-f")
    entries = tuple([ContestEntry(**{"sha256": "", **entry}) for entry in data.get("entries", ())])
    if not all(isinstance(text, str) for entry in entries for text in entry):
        raise TypeError("an entry with values of other types")
    return replace(contest, entries=entries)


def contest_wrong(folder: Path, tournament: Tournament) -> Iterator[str]:
    """Yield what does not agree between a run and its contest: the hash of the seed, and the entries that play."""
    try:
        contest = read_contest(folder)
    except LogError as error:
        yield str(error)
        return
    if not contest:
        return
    path, seed = folder / CONTEST, tournament.seed
    if contest.seed_sha256 != (right := hash_of_seed(seed)):
        yield f"{path}: seed_sha256 is not that of the seed of the run: the hash of {seed} is {right}"
    if contest.seed != seed:
        yield f"{path}: seed = {contest.seed}, and the run was played with {seed}"
    first = tournament.entries[0]
    played = {(label, strategy.sha256) for label, strategy in zip(first.labels, first.strategies, strict=True)}
    for entry in contest.entries:
        if not entry.reason and (entry.name, entry.sha256) not in played:
            yield f"{path}: {entry.file}: no strategy {entry.name} with this sha256 plays in the run"
