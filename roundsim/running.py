"""Playing a tournament into its folder, and its results as objects of Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from .base.errors import InputError
from .guests.isolation import how_guests_play
from .processes.start import cores
from .reports.data import LeftOut, as_data, stopping_data, write_results
from .reports.notebook import Page, as_html
from .reports.terminal import text_tables
from .statistics.stopping import Decision
from .tournament import run as runs
from .tournament.commandline import PlayingCommand
from .tournament.judging.standings import compute_standings
from .tournament.judging.stopping import outcomes, verdict
from .tournament.planning.plan import Tournament
from .tournament.planning.stopping_rule import gate_rule, is_gate
from .tournament.results.entry_totals import EntryTotals
from .tournament.reuse import Reuse
from .tournament.storage.folder import RunFolder
from .tournament.storage.totals import finished_totals
from .workers import local
from .workers.spares import WorkerProcess

if TYPE_CHECKING:
    from .bridges.dask import Cluster
    from .replaying.deals import FoundDeal

EXIT_CODES = {  # of a gate
    Decision.VOID: 2,
    Decision.WORSE: 1,
    Decision.UNDECIDED: 3,
    Decision.EQUAL: 4,
    Decision.BETTER: 0,
}


class Verdict(NamedTuple):
    """The result of a gate.

    `word`: "better", "worse", "undecided", "no difference", or "void" because of faults; `code`: the exit code of
    `roundsim gate`; `games`: for each game how far mine is ahead, the limits of that, and the block at which it was
    decided, as in `standings.json`; `over_all`: the same of the score over all games, if that is tested."""

    word: str
    code: int
    games: dict[str, dict[str, Any]]
    over_all: dict[str, Any] | None = None


class Run:
    """A run: `standings` as data, `rows` and `differences`, `deals`, `faults`, and its `folder`, a Path.

    Printed, or shown by a notebook, it is its tables. `run`, `play`, `grow`, `merge` and `open_run` return one."""

    def __init__(self, tournament: Tournament, folds: Sequence[EntryTotals], folder: RunFolder) -> None:
        self.tournament, self.folds, self.folder = tournament, folds, folder.path

    @property
    def faults(self) -> int:
        """The largest number of faults that one strategy made."""
        return runs.most_faults(self.tournament, self.folds)

    @property
    def standings(self) -> dict[str, Any]:
        """The standings as in `standings.json`."""
        return as_data(compute_standings(self.tournament, self.folds))

    def rows(self) -> list[dict[str, Any]]:
        """Return a row of each strategy in each game, as in `standings.json`, with `game`."""
        return [{"game": game["name"], **row} for game in self.standings["games"] for row in game["rows"]]

    def differences(self) -> list[dict[str, Any]]:
        """Return how far each strategy is above each that ranks below it, as in `standings.json`, with `game`."""
        return [{"game": game["name"], **pair} for game in self.standings["games"] for pair in game["differences"]]

    def diff(self, other: Run) -> dict[str, Any]:
        """Return what differs between this run and another, and by how much on the common deals.

        The data is that of `roundsim diff --format json`. Raises LogError if they have no deals in common."""
        from .reports.diff import diff_data
        from .tournament.judging.diff import diff

        return diff_data(diff(RunFolder(self.folder), RunFolder(other.folder)))

    def gate(
        self, mine: str, baseline: str, margin: float = 0.0, worth: float | str | None = None, *, over_all: bool = False
    ) -> Verdict:
        """Test whether mine is better than the baseline, or not worse by a margin, as `roundsim gate` does.

        With `worth` it may also find that the difference is smaller than that, in counters a deal, or, as "0.2sd", in
        standard deviations of a block. With `over_all` it
        tests the score over all games, in their first blocks, as many as each has.

        It goes block by block until the result is clear. A fault of either makes it void, unless the run is an older
        one that places everybody. Raises OptionError if they cannot be compared."""
        entries, limits = self.tournament.entries, self.tournament.limits
        stopping, within = gate_rule(mine, baseline, margin, worth, len(entries), over_all), limits.placed_within
        if within is not None and not is_gate(self.tournament.stopping):
            within = 0.0
        judged = outcomes(entries, stopping, self.folds, within)
        decision = verdict(judged.games)
        games = {entry.name: stopping_data(stopped) for entry, stopped in zip(entries, judged.games, strict=True)}
        return Verdict(decision.value, EXIT_CODES[decision], games, judged.over_all and stopping_data(judged.over_all))

    def deals(
        self,
        *,
        who: str | Sequence[str] = (),
        game: str | None = None,
        phase: str | None = None,
        said: str | None = None,
        fault: bool = False,
        order: Literal["worst", "best", "typical", "swing"] | None = None,
        n: int | None = None,
    ) -> Iterator[FoundDeal]:
        """Yield the deals that `roundsim deals` finds, each from one seat.

        A deal has `address`, `seat`, `strategy`, `net`, `actions`, `replayed()` with the hands as they were dealt; a
        swing has `other`. Raises InputError if the run has no such strategy, game or order, LogError if its log is
        damaged."""
        from .replaying.deals import Search

        names = (who,) if isinstance(who, str) else who
        return iter(Search(RunFolder(self.folder), names, game, phase, said, fault, order, n))

    def frame(self, what: Literal["rows", "differences"] = "rows") -> Any:
        """Return `rows` or `differences` as a data frame of pandas, or of polars if only that is installed.

        Raises ImportError if neither is installed."""
        for library in "pandas", "polars":
            if find_spec(library):
                return import_module(library).DataFrame(getattr(self, what)())
        raise ImportError("a frame is one of pandas or polars: install either")

    def report(self) -> Page:
        """Write the page of the run, `report.html` in its folder, and return it.

        A notebook shows it in a frame. Raises LogError if the log is damaged, FolderError if the page cannot be
        written."""
        from .replaying.report import write_report

        return Page(write_report(RunFolder(self.folder)).path)

    def _repr_html_(self) -> str:
        return as_html(compute_standings(self.tournament, self.folds))

    def __repr__(self) -> str:
        return f"<run {self.tournament.name} in {self.folder}>"

    def __str__(self) -> str:
        return text_tables(compute_standings(self.tournament, self.folds))


def open_run(folder: str | Path) -> Run:
    """Open an existing run, finished or not, and return it.

    Raises LogError if the folder holds no run or a damaged one."""
    there = RunFolder(folder)
    tournament = there.tournament()
    return Run(tournament, finished_totals(tournament, there)[0], there)


class Means(NamedTuple):
    """The means of a run: `jobs` processes, by default one for each core. `workers`: what brings the shards. `reuse`: earlier
    runs whose blocks are copied. `cluster`: its machines play, instead of `workers` and `jobs`. `begun`: processes of
    this machine that wait for something to play."""

    jobs: int | None = None
    workers: runs.Workers | None = None
    reuse: Reuse | None = None
    cluster: Cluster | None = None
    begun: list[WorkerProcess] | None = None

    @classmethod
    def of(cls, jobs: int | None, workers: str | None, wait: float | None, reuse: Sequence[str | Path] = ()) -> Means:
        """Return the means that Python names. `workers`: the address of a cluster; `wait`: seconds to wait for it."""
        if workers is not None and jobs is not None:
            raise TypeError("jobs are processes of this machine, workers those of a cluster: give one")
        if wait is not None and workers is None:
            raise TypeError("wait is for the workers of a cluster: give them, too")
        if workers is None:
            return cls(jobs, reuse=Reuse(reuse))
        from .bridges.dask import Cluster  # only needed for a cluster

        return cls(reuse=Reuse(reuse), cluster=Cluster(workers, wait))


def play_tournament(
    tournament: Tournament,
    out: str | Path,
    tell: Callable[[runs.Progress], None] = lambda progress: None,
    means: Means | None = None,
    command: PlayingCommand | None = None,
) -> runs.Result:
    """Play a tournament into its folder, or what is missing there. `tell` is called a few times a second.

    The folder keeps the command, which repeats it. Raises SealError if strategies must run in a sandbox and none
    works."""
    jobs, workers, reuse, cluster, begun = means or Means()
    if jobs is not None and jobs < 1:
        raise InputError(f"jobs must be 1 or more, not {jobs}")
    folder = RunFolder(out)

    def play_by(workers: runs.Workers, jobs: int, guests: str, left_out: LeftOut = dict) -> runs.Result:
        playing = reuse.workers(workers, folder) if reuse else workers
        finish = partial(write_results, left_out=left_out, command=command)
        return runs.run_tournament(tournament, folder, playing, jobs, tell, finish, guests)

    if cluster is None:
        guests = "" if workers else how_guests_play(tournament)
        return play_by(workers or partial(local.play_tasks, begun=begun), jobs or cores(), guests)
    with cluster:
        guests = cluster.guests(tournament)
        return play_by(cluster, cluster.slots(), guests, cluster.left_out)
