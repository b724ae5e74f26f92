"""The Python interface: the commands of the command line as functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from . import games
from .base.errors import InputError, ScriptError, StrategyError
from .guests.isolation import how_guests_play
from .processes.start import cores
from .refereeing.table import Table as Table
from .replaying import settle
from .replaying.deals import FoundDeal, Search
from .replaying.played import PlayedDeal, played_deals
from .replaying.rerun import rerun
from .replaying.verify import verify_run as verify_run
from .reports.data import LeftOut, as_data, stopping_data, write_results
from .reports.diff import as_data as diff_data
from .reports.notebook import Page, ProgressCell, as_html
from .reports.terminal import text_tables
from .sources import session
from .statistics.stopping import Decision
from .tournament import formats
from .tournament import run as runs
from .tournament.commandline import GateCommand, GrowCommand, MergeCommand, PlayCommand, PlayingCommand, RunCommand
from .tournament.judging.diff import diff
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
    from .claiming.rows import Row

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
        return diff_data(diff(RunFolder(self.folder), RunFolder(other.folder)))

    def gate(
        self, mine: str, baseline: str, margin: float = 0.0, worth: float | None = None, *, over_all: bool = False
    ) -> Verdict:
        """Test whether mine is better than the baseline, or not worse by a margin, as `roundsim gate` does.

        With `worth` it may also find that the difference is smaller than that, in counters a deal. With `over_all` it
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
        return Page(report(self.folder))

    def _repr_html_(self) -> str:
        return as_html(compute_standings(self.tournament, self.folds))

    def __repr__(self) -> str:
        return f"<run {self.tournament.name} in {self.folder}>"

    def __str__(self) -> str:
        return text_tables(compute_standings(self.tournament, self.folds))


def run(
    path: str | Path,
    *,
    seed: int | str | None = None,
    deals: int | None = None,
    times: int | None = None,
    until: str | None = None,
    fresh_cards: bool = False,
    reuse: Sequence[str | Path] = (),
    shard: str | None = None,
    isolate: str | None = None,
    jobs: int | None = None,
    workers: str | None = None,
    wait: float | None = None,
    out: str | Path | None = None,
) -> Run:
    """Play a tournament file into its folder, or what is missing there, and return the run.

    `deals` or `times`: how much to play, instead of the file's amount; `until`: a stopping rule. `reuse`: runs whose
    blocks are copied, not played. `fresh_cards`: every sitting has its own cards. `shard`: play only this part, "3/8",
    for `merge`. `isolate`: who runs in the sandbox: "on" all, "off" nobody, "auto" third-party strategies where a
    sandbox works; without it as in the file. `jobs`: processes, by default one for each core. `workers`: those of a
    Dask scheduler, "dask://HOST:PORT", instead of processes on this machine; `wait`: seconds to wait while none of them
    can play, 60 by default. `out`: the folder, by default one in `runs`.

    Raises TournamentError if something is wrong with the file, and lists it; PluginError if a strategy, a game or a
    format cannot be loaded; AbortError if a strategy is at fault and the file says that this ends the tournament;
    FolderError if the folder cannot be written or holds another run; LogError if a run to be reused is damaged;
    SealError if a sandbox is required and none works; ClusterError if the cluster does not answer."""
    command = RunCommand(
        file=str(path),
        until=until,
        fresh_cards=fresh_cards,
        seed=seed,
        shard=shard,
        isolate=isolate,
        out=_text(out),
        deals=deals,
        times=times,
    )
    return _played(command, _means(jobs, workers, wait, reuse))


@session.session_names_in_errors()
def play(
    game: str,
    strategies: session.StrategyList,
    *,
    seats: int | str | None = None,
    deals: int | None = None,
    options: dict[str, Any] | None = None,
    until: str | None = None,
    fresh_cards: bool = False,
    seed: int | str | None = None,
    reuse: Sequence[str | Path] = (),
    isolate: str | None = None,
    jobs: int | None = None,
    workers: str | None = None,
    wait: float | None = None,
    out: str | Path | None = None,
) -> Run:
    """Play a game among strategies, as a round-robin, and return the run.

    Games are "nap", several such as "nap,loo", or "all". There are 4 seats, or tables of each size for "3-6".
    `fresh_cards`: every sitting has its own cards.

    A strategy is a text as on the command line, or a class or function, from a file or from this session only (see
    docs/notebooks.md). In a mapping each has a name, {"mine": lambda view: view.legal[0]}. Other arguments are those of
    `run`. Raises what `run` does, and StrategyError if strategies cannot be distinguished by their code, or sent to the
    process that plays them.

    >>> import roundsim
    >>> run = roundsim.play("jig", ["book", "random"], deals=16, seed=1, out=folder / "jig")
    >>> sorted(row["strategy"] for row in run.rows()), run.faults
    (['book', 'random'], 0)"""
    command = PlayCommand(
        game=game,
        strategies=session.texts_of(strategies),
        seats=seats,
        options=options or {},
        until=until,
        fresh_cards=fresh_cards,
        seed=seed,
        deals=deals,
        isolate=isolate,
        out=_text(out),
        origin="play",
    )
    return _played(command, _means(jobs, workers, wait, reuse))


@session.session_names_in_errors()
def gate(
    game: str,
    mine: str | Callable[..., object] | session.StrategyList,
    baseline: str = "book",
    *,
    among: Sequence[str] = (),
    margin: float = 0.0,
    worth: float | None = None,
    half: bool = False,
    whole: bool = False,
    over_all: bool = False,
    seats: int | str | None = None,
    deals: int | None = None,
    options: dict[str, Any] | None = None,
    fresh_cards: bool = False,
    seed: int | str | None = None,
    isolate: str | None = None,
    jobs: int | None = None,
    workers: str | None = None,
    wait: float | None = None,
    out: str | Path | None = None,
) -> Verdict:
    """Test whether a strategy is better than a baseline at a game, as `roundsim gate` does, and return the verdict.

    `mine` takes the place of the baseline at one seat after the other, until the result is clear, in at most `deals`
    deals; the others play the baseline, or the strategies of `among`. `margin`, `worth`: as for `Run.gate`. `half`:
    each plays half of the seats; `whole`: nothing is left out that is known without playing. `over_all`: one test, of
    the score over all games. Other arguments are those of `play`. Raises what `play` does.

    >>> import roundsim
    >>> roundsim.gate("jig", "book", "random", seed=1, out=folder / "gate").word
    'better'"""
    if (whole or among) and (half or fresh_cards):
        raise TypeError("half and fresh_cards play every sitting of the two alone: give them without whole and among")
    if isinstance(among, str):
        raise TypeError("among is a list of strategies, not a text")
    if margin < 0 or worth is not None and worth <= 0:
        raise InputError("margin must be 0 or more, and worth more than 0")
    texts = session.texts_of([mine] if callable(mine) or isinstance(mine, str) else mine)
    if len(texts) != 1:
        raise StrategyError(f"mine is one strategy, not {len(texts)}")
    command = GateCommand(
        game=game,
        mine=texts[0],
        baseline=baseline,
        among=among,
        margin=margin,
        worth=worth,
        half=half,
        whole=whole,
        over_all=over_all,
        seats=seats,
        options=options or {},
        fresh_cards=fresh_cards,
        seed=seed,
        deals=deals,
        isolate=isolate,
        out=_text(out),
        origin="gate",
    )
    run = _played(command, _means(jobs, workers, wait))
    tested, other = run.tournament.entries[0].labels[:2]
    return run.gate(tested, other, margin, worth, over_all=over_all)


class Means(NamedTuple):
    """What plays: `jobs` processes, by default one for each core. `workers`: what brings the shards. `reuse`: earlier
    runs whose blocks are copied. `cluster`: its machines play, instead of `workers` and `jobs`. `begun`: processes of
    this machine that wait for something to play."""

    jobs: int | None = None
    workers: runs.Workers | None = None
    reuse: Reuse | None = None
    cluster: Cluster | None = None
    begun: list[WorkerProcess] | None = None


def _means(jobs: int | None, workers: str | None, wait: float | None, reuse: Sequence[str | Path] = ()) -> Means:
    if workers is not None and jobs is not None:
        raise TypeError("jobs are processes of this machine, workers those of a cluster: give one")
    if wait is not None and workers is None:
        raise TypeError("wait is for the workers of a cluster: give them, too")
    cluster = None
    if workers is not None:
        from .bridges.dask import Cluster  # only needed for a cluster

        cluster = Cluster(workers, wait)
    return Means(jobs, reuse=Reuse(reuse), cluster=cluster)


def _played(command: PlayingCommand, means: Means) -> Run:
    if command.deals is not None and command.times is not None:
        raise TypeError("give either deals or times, as the format requires")
    cell, tournament = ProgressCell(), command.tournament()
    try:
        result = play_tournament(tournament, command.folder(tournament), cell, means, command)
    finally:
        cell.end()
    return Run(result.tournament, result.folds, result.folder)


def _text(path: str | Path | None) -> str | None:
    return None if path is None else str(path)


def merge(folders: Sequence[str | Path], *, out: str | Path | None = None) -> Run:
    """Merge the parts of a run, each played with `shard` into its folder, and return the whole run.

    Raises LogError unless they are all its parts, each once and finished; FolderError if `out` cannot be written or
    holds another run."""
    if isinstance(folders, str | Path):
        raise TypeError("folders is a list of folders, not one")
    command = MergeCommand(folders=tuple(map(str, folders)), out=_text(out))
    return _played(command, Means(workers=command.merged[1]))


@session.session_names_in_errors()
def grow(
    folder: str | Path,
    strategies: session.StrategyList = (),
    *,
    deals: int | None = None,
    times: int | None = None,
    games: Sequence[str] = (),
    isolate: str | None = None,
    jobs: int | None = None,
    workers: str | None = None,
    wait: float | None = None,
) -> Run:
    """Let strategies join a run, or play more of it, as `roundsim grow` does, and return the run.

    `deals` or `times`: how much there will be in all; `games`: only in these of its games. Strategies of a session are
    given as to `play`. Raises InputError if the run has no such game or cannot grow, PluginError if something cannot be
    loaded, FolderError if the folder cannot be written, LogError if it holds no run or a damaged one."""
    command = GrowCommand(
        run=str(folder),
        strategies=session.texts_of(strategies),
        entries=games,
        isolate=isolate,
        deals=deals,
        times=times,
    )
    return _played(command, _means(jobs, workers, wait))


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


def allow_game(path: str | Path) -> None:
    """Let runs, scripts and tournament files use the game of a file, "old_maid.py" or "old_maid.py:OldMaid".

    Only named files are imported: a run identifies a game by the sha256 of its source. Raises UnknownGameError if there
    is no such file, PluginError if it cannot be loaded."""
    games.allow(str(path))


def allow_format(path: str | Path) -> None:
    """Let runs and tournament files use the format of a file, "swiss.py" or "swiss.py:Swiss", as `allow_game` does for
    games.

    Raises UnknownFormatError if there is no such file, PluginError if it cannot be loaded."""
    formats.allow(str(path))


def open_run(folder: str | Path) -> Run:
    """Open an existing run, finished or not, and return it.

    Raises LogError if the folder holds no run or a damaged one."""
    there = RunFolder(folder)
    tournament = there.tournament()
    return Run(tournament, finished_totals(tournament, there)[0], there)


@session.session_names_in_errors()
def verify(
    folder: str | Path,
    *,
    strategies: session.StrategyList | None = None,
    isolate: str | None = None,
    jobs: int | None = None,
) -> int:
    """Replay every deal of a run; return how many there are.

    With `strategies`, a list of sources such as "Mine=mine.py" for those that are not house strategies, the run is also
    played again and compared. `isolate`: who then runs in the sandbox.

    Raises DisagreesError if a line or a file is not what the rules make of it, and names it; StrategyError if a
    strategy is not available; LogError if there is no run."""
    if isolate is not None and strategies is None:
        raise TypeError("isolate is for a run that is played again: give strategies")
    run = RunFolder(folder)
    texts, again = session.texts_of(strategies or ()), strategies is not None
    outcome = verify_run(run, jobs, sources=texts, here=again, isolate=isolate)
    if again:
        rerun(run, outcome, jobs, isolate)
    return outcome.deals


def export(
    folder: str | Path,
    to: str,
    what: str = "deals",
    *,
    out: str | Path = ".",
    game: str | None = None,
    force: bool = False,
    jobs: int | None = None,
) -> Path:
    """Write the deals or the decisions of a run as a table, as `roundsim export` does, on `jobs` processes: by default
    one for each core. Return the file that was written.

    `to`: "csv", "arrow" or "parquet"; `what`: "deals" or "decisions"; `out`: the folder of the file; `game`: only the
    deals of one game. Raises InputError if there is no such format or game, LogError if the run is damaged, PluginError
    if pyarrow is needed and not installed, FolderError if the file exists, unless `force` replaces it."""
    from .bridges.export import export_run as export_run

    return export_run(RunFolder(folder), to, what, Path(out), game, force, jobs=jobs).path


def report(folder: str | Path, *, out: str | Path | None = None, verified: bool = False) -> Path:
    """Write the page of a run, by default `report.html` in its folder; return the file that was written.

    `verified`: the run is verified first, and the page says so. Raises DisagreesError if that fails, LogError if the
    folder holds no run or a damaged one, FolderError if the page cannot be written."""
    from .replaying.report import write_report
    from .replaying.verify import verified_text_of

    there = RunFolder(folder)
    text = verified_text_of(there) if verified else ""
    return write_report(there, None if out is None else Path(out), text).path


def deals(folder: str | Path, game: str | None = None) -> Iterator[PlayedDeal]:
    """Yield the deals of a run in the order of the log; of one game, if it is named.

    Each has `walk()`, which yields the questions with the view of the seat that was asked, and its answer; and `hands`,
    `net`, `moves`. Raises InputError if the run has no such game, LogError if the folder holds no run or a damaged
    one."""
    return played_deals(RunFolder(folder), game)


@session.session_names_in_errors()
def claims(
    *which: str,
    among: Sequence[str] = (),
    again: bool = False,
    budget: int | None = None,
    measures: str | Path | None = None,
    strategies: session.StrategyList = (),
    isolate: str | None = None,
    seed: int | str = 1,
    jobs: int | None = None,
    out: str | Path = "runs/claims",
) -> list[Row]:
    """Return the verdicts about claims, "nap", "nap/5" or "mine.toml", as `roundsim claims --format json` prints them.

    A claim without a kept verdict is played, in at most `budget` deals at one table, by default as by the command;
    with `again` each. `among`: the strategies that play, instead of the claim's. `measures`: the file of the
    functions of a chapter of your own; `strategies`: those of its strategies that are not installed, ["mine=mine.py"]
    or by name; `isolate`: who plays in the sandbox; `out`: the folder of the runs.

    Raises InputError if there is no such chapter or claim, ClaimError if a chapter cannot be tested, and lists what is
    wrong; StrategyError or PluginError if a strategy is not there or cannot be loaded; FolderError if a run cannot be
    written."""
    from .claiming.ask import Asking, chosen, rows_of
    from .claiming.runs import Runs
    from .claiming.settle import BUDGET

    jobs = jobs or cores()
    asking = Asking(Runs(Path(out), seed, jobs, isolate=isolate), among, BUDGET if budget is None else budget, again)
    named = session.texts_of(strategies)
    chapters = chosen(which, None if measures is None else Path(measures), named, sealed=isolate != "off")
    return [row for _, row in rows_of(chapters, asking, jobs) if row]


def replay_deal(folder: str | Path, address: str) -> str:
    """Explain a deal step by step, and return the text: replay_deal("runs/parlour-8c1f04", "nap/17/2/3").

    `address`: ENTRY/BLOCK/SITTING/DEAL. Raises LogError if the folder holds no run, or if the run has no such deal."""
    from .replaying.replay import replay_run_or_script

    lines: list[str] = []
    replay_run_or_script(f"{folder}:{address}", lines.append)
    return "\n".join(lines)


def check_script(path: str | Path) -> settle.SettleResult:
    """Play scripted deals, a file or a folder of them, and return the result.

    `passed` and `failed`: how many deals end as the script says, and how many do not; `lines`: the differences.
    Raises ScriptError if a file is no scripted deal."""
    outcome = settle.settle([Path(path)])
    if outcome.foreign:
        raise ScriptError("\n".join(outcome.foreign))
    return outcome
