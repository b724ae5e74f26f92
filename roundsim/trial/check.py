"""`roundsim check`: find out whether a strategy is well formed. The trial runs in a guest, which may die; third-party
strategies are sandboxed before they are imported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from .. import games
from ..base import finding
from ..base.errors import BugError, DeclarationError, PluginError, RoundsimError, StrategyError, printable
from ..base.finding import files_of
from ..base.text import so_many
from ..sandbox.calls import GuestEndedError, Prints, launcher_of_calls
from ..sandbox.kinds import NO_SANDBOX, best, demanded
from ..sources import plugins
from ..sources.homes import house_folder, in_house
from ..workers.lockstep import TABLES_IN_STEP
from .against import AGAINST, Against, find_against
from .clock import CrashPipe, TrialProgress, ending_lines
from .exchange import FailedError
from .inside import RESERVE, try_all
from .scripts import CheckRow, RowSink, Scripts, import_failed, is_clean, print_row
from .trial import TrialOptions, TriedStrategies, trial_digest
from .wired import Wired, check_bot

Ending = tuple[int | None, list[str]]  # an exit code, None for third-party code that speaks for us; what to say of it
DIFFERS_IN_PROCESS = "in a separate process, as in a run, it plays differently"
CHANGED = "it changes the deal: replayed without it, the same actions raise no such error"
DIFFERS_IN_STEP = f"with {TABLES_IN_STEP} tables in step it plays differently than with one"


def check_all(texts: Sequence[str], how: TrialOptions) -> int:
    """Check strategies and print the findings.

    Returns 0 if nothing is wrong, 66 if some cannot be loaded and nothing else is wrong, otherwise 2. The strategies to
    compare with must exist: StrategyError, PluginError, FolderError. SealError if a sandbox is required and none works;
    DeclarationError."""
    problems, unloaded, only = 0, 0, None
    if how.limits.isolate == "on":
        demanded()
    if how.game is not None:
        only = how.rules(games.named(how.game)).of.id
    plugins.describe_ahead(texts, memory=how.limits.memory, sealed=how.limits.seals)
    against = {text: find_against(how.against, text, only, how.limits) for text in texts} if how.against else {}
    for text in texts:
        try:
            strategies = plugins.find(text, only)
            tried = zip(strategies, how.games_of(strategies), strict=True)
            for _, those in groupby(tried, key=lambda pair: in_house(Path(pair[0].path)) or pair[0].path):
                problems += check_source([*those], how, against.get(text))
        except DeclarationError:  # the game's
            raise
        except (StrategyError, PluginError) as error:
            problems += import_failed(text, error, print_row)
            unloaded += isinstance(error, PluginError)
    print_row(so_many(problems, "problem") if problems else "no problems")
    return 2 if problems > unloaded else PluginError.code if problems else 0


def check_source(
    tried: TriedStrategies, how: TrialOptions, against: Against | None, report: RowSink = print_row
) -> int:
    """Report what is found of a source's strategies, and return the number of problems. They are tried in a guest; if that
    dies, another one goes on."""
    if tried[0][0].command:
        return sum(check_bot(bot, names, how, report) for bot, names in tried)
    progress, scripts = TrialProgress(), Scripts(how, tried, report)
    paths = list(dict.fromkeys([Path(tried[0][0].path), *(against.modules if against else ())]))
    seal, memory = best() if how.sandboxes(paths) else NO_SANDBOX, how.limits.memory + RESERVE
    with launcher_of_calls(seal, readable_sources(paths, tried)) as launcher:
        while True:
            with CrashPipe() as crash, Prints() as prints:
                given = tried, how, against, progress, launcher.sealed
                answers = launcher.call(
                    try_all, *given, memory=memory, threads=True, prints=prints, more=[crash.theirs]
                )
                progress, ending = receive_all(answers, scripts, tried, progress)
                if ending is None:
                    break
                code, lines = ending
                lines = lines or ending_lines(crash.read(), code)
            if progress.what == "import":
                report(finding.display_path(paths[0]))
            if progress.what.startswith(AGAINST):  # it has played these deals; which of the two it was is not known
                report(CheckRow(progress.what, "-", (f"not compared: {lines[0]}", *lines[1:])))
            elif progress.what:
                report(CheckRow(progress.what, "FAILED", tuple(lines)))
                progress.failed(lines[0])
            if progress.what == "import" or code is None:
                return progress.problems
            progress.game, progress.what = progress.game + 1, "import"
    return progress.problems + in_step(tried, how, scripts.steady, report)


def receive_all(
    answers: Iterator[object], scripts: Scripts, tried: TriedStrategies, progress: TrialProgress
) -> tuple[TrialProgress, Ending | None]:
    """Return the progress that a guest reports, and how it ended; None if it has tried everything. FolderError."""
    while True:
        try:
            answer = next(answers)
        except StopIteration:
            return progress, None
        except GuestEndedError as lost:
            return progress, (lost.code, [])
        except RoundsimError as error:
            return progress, blame(error, tried, progress)
        try:
            progress = scripts.receive(answer, progress)
        except ValueError:
            return progress, (None, [])


def blame(error: RoundsimError, tried: TriedStrategies, progress: TrialProgress) -> Ending:
    """Return the exit code, None for third-party code that speaks for us, and what to say of an error from a guest.

    Raises the error if the game is to blame: a third-party game that is declared wrongly, or one that fails in the same
    way when the script is replayed here."""
    if isinstance(error, DeclarationError) and any(games.find(name).origin for _, names in tried for name in names):
        raise error
    if not isinstance(error, BugError) or not error.script:
        return None, []
    game = tried[progress.strategy][1][progress.game :][:1]
    if not any(is_clean(error.script, name) for name in game):
        raise error
    last = str(error).splitlines()[-1:]
    return 0, [CHANGED, *[printable(line.removeprefix("roundsim.base.errors.")) for line in last]]


def in_step(tried: TriedStrategies, how: TrialOptions, steady: Mapping[tuple[int, str], str], report: RowSink) -> int:
    """Return the problems of those that played the same twice, now in guests as in a run: a table at a time, and many
    in step."""
    problems = 0
    for (number, name), here in steady.items():
        strategy, what = tried[number][0], f"{tried[number][0].attribute} in step, {name}"
        if not best().name:
            report(CheckRow(what, "-", ("not tried: no sandbox works here",)))
            continue
        try:
            wired = Wired(strategy, name, how.fewer())
            alone, together = (wired.lines(width) for width in (1, TABLES_IN_STEP))
            lines = [DIFFERS_IN_PROCESS] * (trial_digest(alone) != here) or [DIFFERS_IN_STEP] * (alone != together)
        except FailedError as failed:
            lines = [*failed.words]
        report(CheckRow(what, "FAILED" if lines else "ok", tuple(lines)))
        problems += bool(lines)
    return problems


def readable_sources(paths: Sequence[Path], tried: TriedStrategies) -> list[list[Path]]:
    """Return what the guests may read: each source with its files, third-party games, and the house's strategies."""
    origins = {games.find(name).origin for _, names in tried for name in names}
    outside = [Path(origin.path) for origin in origins if origin]
    return [*[[path, *files_of(path)] for path in (*paths, *outside)], [house_folder()]]
