"""The Python interface: the commands of the command line as functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import games
from .base.errors import InputError, ScriptError, StrategyError
from .base.finding import SESSION
from .processes.start import cores
from .refereeing.table import Table as Table
from .replaying import settle
from .replaying.played import PlayedDeal, played_deals
from .replaying.rerun import rerun
from .replaying.verify import verify_run as verify_run
from .reports.notebook import ProgressCell
from .running import Means, play_tournament
from .running import Run as Run
from .running import Verdict as Verdict
from .running import open_run as open_run
from .sources import session
from .tournament import formats
from .tournament.commandline import PlayingCommand
from .tournament.commands import GateCommand, GrowCommand, MergeCommand, PlayCommand, RunCommand
from .tournament.planning.stopping_rule import WORTH
from .tournament.storage.folder import RunFolder

if TYPE_CHECKING:
    from .claiming.rows import Row


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
    return _played(command, Means.of(jobs, workers, wait, reuse))


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
    return _played(command, Means.of(jobs, workers, wait, reuse))


@session.session_names_in_errors()
def gate(
    game: str,
    mine: str | Callable[..., object] | session.StrategyList,
    baseline: str = "book",
    *,
    among: Sequence[str] = (),
    margin: float = 0.0,
    worth: float | str | None = None,
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
    if margin < 0 or worth is not None and not WORTH.fits(worth):
        raise InputError(f"margin must be 0 or more, and worth {WORTH}")
    command = GateCommand(
        game=game,
        mine=_only_text(mine),
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
    run = _played(command, Means.of(jobs, workers, wait))
    tested, other = run.tournament.entries[0].labels[:2]
    return run.gate(tested, other, margin, worth, over_all=over_all)


def _played(command: PlayingCommand, means: Means) -> Run:
    if command.deals is not None and command.times is not None:
        raise TypeError("give either deals or times, as the format requires")
    cell, tournament = ProgressCell(), command.tournament()
    if any(entry.deal.origin for entry in tournament.entries):
        command = replace(command, game_files=tuple(games.GAMES.allowed()))
    repeatable = None if SESSION in str(command) else command
    try:
        result = play_tournament(tournament, command.folder(tournament), cell, means, repeatable)
    finally:
        cell.end()
    return Run(result.tournament, result.folds, result.folder)


def _only_text(mine: str | Callable[..., object] | session.StrategyList) -> str:
    texts = session.texts_of([mine] if callable(mine) or isinstance(mine, str) else mine)
    if len(texts) != 1:
        raise StrategyError(f"mine is one strategy, not {len(texts)}")
    return texts[0]


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
    return _played(command, Means.of(jobs, workers, wait))


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
    from .claiming.ask import Settler, chosen, settle_all
    from .claiming.runs import ClaimRuns
    from .claiming.settle import BUDGET

    jobs = jobs or cores()
    settler = Settler(
        ClaimRuns(Path(out), seed, jobs, isolate=isolate), among, BUDGET if budget is None else budget, again
    )
    named = session.texts_of(strategies)
    chapters = chosen(which, None if measures is None else Path(measures), named, sealed=isolate != "off")
    return [row for _, row in settle_all(chapters, settler, jobs) if row]


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
