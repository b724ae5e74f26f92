"""What the commands do, for Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .errors import InputError, ScriptError
from .reports.data import as_data, write_results
from .reports.terminal import tables
from .tournament import file
from .tournament import run as runs
from .tournament.folder import RunFolder
from .tournament.plan import Tournament
from .tournament.standings import reckon
from .tournament.tally import Fold
from .visits import settle
from .visits.verify import verify as verify_run
from .workers import local


class Run:
    """A run: `standings` as data, `faults`, `folder`; printed, it is its tables."""

    def __init__(self, tournament: Tournament, folds: Sequence[Fold], folder: RunFolder) -> None:
        self.tournament, self.folds, self.folder = tournament, folds, folder.path

    @property
    def faults(self) -> int:
        """The most that one strategy made."""
        return runs.most_faults(self.tournament, self.folds)

    @property
    def standings(self) -> dict[str, Any]:
        """As in `standings.json`."""
        return as_data(reckon(self.tournament, self.folds))

    def __repr__(self) -> str:
        return f"<run {self.tournament.name} in {self.folder}>"

    def __str__(self) -> str:
        return tables(reckon(self.tournament, self.folds))


def run(
    path: str | Path,
    *,
    seed: int | str | None = None,
    deals: int | None = None,
    times: int | None = None,
    jobs: int | None = None,
    out: str | Path | None = None,
) -> Run:
    """Play a tournament file, `deals` or `times` instead of what it says.

    TournamentError lists what is wrong with it; AbortError, PluginError, FolderError."""
    amounts = [(key, value) for key, value in (("deals", deals), ("times", times)) if value is not None]
    if len(amounts) > 1:
        raise TypeError("deals or times, as the format has it: give one")
    return _played(file.load(path, seed, *amounts), out, jobs)


def play(
    game: str,
    strategies: Sequence[str],
    *,
    seats: int | None = None,
    deals: int = 1000,
    options: dict[str, Any] | None = None,
    seed: int | str | None = None,
    jobs: int | None = None,
    out: str | Path | None = None,
) -> Run:
    """Play a game among strategies, round-robin.  The same errors as `run`."""
    if isinstance(strategies, str):
        raise TypeError("strategies is a list of texts, not a text")
    entry = {"game": game, "deals": deals, "options": options or {}, **({} if seats is None else {"players": seats})}
    data = {"tournament": {"strategies": list(strategies)}, "games": [entry]}
    return _played(file.read(data, file.Places("play"), Path(), seed=seed), out, jobs)


def _played(tournament: Tournament, out: str | Path | None, jobs: int | None) -> Run:
    result = play_tournament(tournament, out, jobs)
    return Run(result.tournament, result.folds, result.folder)


def play_tournament(
    tournament: Tournament,
    out: str | Path | None = None,
    jobs: int | None = None,
    tell: Callable[[runs.Progress], None] = lambda progress: None,
    workers: runs.Workers = local.play,
) -> runs.Result:
    """Play a tournament into its folder, or what is missing there, on so many processes: by default one for each core.

    `tell` is called a few times a second; `workers`: what plays the shards."""
    if jobs is not None and jobs < 1:
        raise InputError(f"jobs must be 1 or more, not {jobs}")
    folder = RunFolder(out or Path("runs") / tournament.folder_name())
    return runs.run(tournament, folder, workers, jobs or runs.cores(), tell, write_results)


def open_run(folder: str | Path) -> Run:
    """A run that is there, finished or not."""
    there = RunFolder(folder)
    tournament = there.tournament()
    return Run(tournament, runs.fold(tournament, there)[0], there)


def verify(folder: str | Path) -> int:
    """Replay every deal of a run; how many there are.  DisagreesError names the first line that does not agree."""
    return verify_run(RunFolder(folder))[0]


def replay_deal(folder: str | Path, address: str) -> str:
    """A deal told step by step: replay_deal("runs/parlour-8c1f04", "nap/17/2/3")."""
    from .visits.retell import retell

    lines: list[str] = []
    retell(f"{folder}:{address}", lines.append)
    return "\n".join(lines)


def check_script(path: str | Path) -> settle.Outcome:
    """Play scripted deals, a file or a folder of them.  ScriptError for what is none."""
    outcome = settle.settle([Path(path)])
    if outcome.foreign:
        raise ScriptError("\n".join(outcome.foreign))
    return outcome
