"""`roundsim check`: find out whether a strategy is well formed. The trial runs in a separate process, which may die;
third-party strategies are sandboxed before they are imported."""

from __future__ import annotations

import _thread
import mmap
import os
import threading
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, replace
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any, NoReturn

from .. import games
from ..base import finding, importing
from ..base.errors import BugError, DeclarationError, PluginError, StrategyError, printable
from ..base.finding import files_of, threads_in
from ..base.promised import inner_imports
from ..base.text import so_many
from ..processes import child
from ..processes.child import ProcessLostError, each_said
from ..processes.memory import all_memory, limit_memory
from ..sandbox.kinds import best, demanded, shut_in
from ..sandbox.launchers import surroundings
from ..sources import plugins
from ..sources.describing import house, in_house, why_sealed
from ..sources.plugins import Strategy
from ..workers.lockstep import TABLES_IN_STEP
from .against import AGAINST, Against, Both, find_against
from .clock import CrashLog, CrashPipe, TrialClock, TrialProgress, last_words
from .exchange import FailedError, exchange_unseen
from .scripts import (
    MAX_SAME_FAILURES,
    CheckRow,
    RowSink,
    Scripts,
    is_clean,
    not_tried,
    print_row,
    replay_command,
    script_path,
)
from .shape import misfits, misspelt_phases
from .trial import Trial, TrialOptions
from .watch import Reached, reached, watch
from .wired import Wired, check_bot

EXCHANGES = 150  # deals, at most, in which unseen cards are exchanged
SLOWER = 10  # divides the number of deals for a strategy that imagines deals
IMPORT = importing.LOAD_SECONDS + 5  # seconds, whatever it does
SPARE = 1 << 25  # bytes that are freed when the memory is full, so that this can be reported
STEP = 64  # deals, at most, that are played in guests, too
DIFFERS_IN_PROCESS = "in a separate process, as in a run, it plays differently"
CHANGED = "it changes the deal: replayed without it, the same actions raise no such error"
DIFFERS_IN_STEP = f"with {TABLES_IN_STEP} tables in step it plays differently than with one"
TriedStrategies = Sequence[tuple[Strategy, list[str]]]  # strategies of one source, each with its games
CheckAnswers = Generator[Any, None, None]
Done = Generator[Any, None, bool]
Again = Generator[Any, None, list[str]]


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
            found = plugins.find(text, only)
            tried = zip(found, how.games_of(found), strict=True)
            for _, those in groupby(tried, key=lambda each: in_house(Path(each[0].path)) or each[0].path):
                problems += check_source([*those], how, against.get(text))
        except DeclarationError:  # the game's
            raise
        except (StrategyError, PluginError) as error:
            problems += import_failed(text, error, print_row)
            unloaded += isinstance(error, PluginError)
    print_row(so_many(problems, "problem") if problems else "no problems")
    return 2 if problems > unloaded else PluginError.code if problems else 0


def import_failed(text: str, error: Exception, report: RowSink) -> int:
    """RowSink a failed import. Returns the number of problems, 1."""
    report(text)
    report(CheckRow("import", "FAILED", tuple(str(error).splitlines())))
    return 1


def check_source(
    tried: TriedStrategies, how: TrialOptions, against: Against | None, report: RowSink = print_row
) -> int:
    """RowSink what is found of a source's strategies, and return the number of problems. They are tried in a separate
    process; if that dies, another one goes on."""
    if tried[0][0].command:
        return sum(check_bot(bot, names, how, report) for bot, names in tried)
    progress, scripts, shown = (
        TrialProgress(),
        Scripts(how, tried, report),
        finding.display_path(Path(tried[0][0].path)),
    )
    while True:
        with CrashPipe() as left:
            code: int | None = 0
            words = list[str]()
            try:
                around = surroundings() if is_shut_in(tried, how, against) else None
                for said in each_said(try_all, tried, how, against, progress, left.theirs, around=around):
                    progress = scripts.receive(said, progress)
                return progress.problems + in_step(tried, how, scripts.steady, report)
            except ProcessLostError as lost:
                code = lost.code
            except ValueError:
                code = None
            except BugError as bug:
                if not any(is_clean(bug.script, name) for name in tried[progress.strategy][1][progress.game :][:1]):
                    raise
                words = [
                    CHANGED,
                    *[printable(each.removeprefix("roundsim.base.errors.")) for each in str(bug).splitlines()[-1:]],
                ]
            words = words or last_words(left.read(), code)
        if progress.what == "import":
            report(shown)
        if progress.what.startswith(AGAINST):  # it has played these deals; which of the two it was is not known
            report(CheckRow(progress.what, "-", (f"not compared: {words[0]}", *words[1:])))
        elif progress.what:
            report(CheckRow(progress.what, "FAILED", tuple(words)))
            progress.failed(words[0])
        if progress.what == "import" or code is None:
            return progress.problems
        progress.game, progress.what = progress.game + 1, "import"


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
            wired = Wired(strategy, name, fewer(how))
            alone, together = (wired.lines(width) for width in (1, TABLES_IN_STEP))
            words = [DIFFERS_IN_PROCESS] * (trial_digest(alone) != here) or [DIFFERS_IN_STEP] * (alone != together)
        except FailedError as failed:
            words = [*failed.words]
        report(CheckRow(what, "FAILED" if words else "ok", tuple(words)))
        problems += bool(words)
    return problems


def fewer(how: TrialOptions) -> TrialOptions:
    return replace(how, deals=min(STEP, how.deals))


def trial_digest(lines: Sequence[str]) -> str:
    return sha256("".join(lines).encode()).hexdigest()


def is_shut_in(tried: TriedStrategies, how: TrialOptions, against: Against | None) -> bool:
    """Return whether to sandbox these: third-party strategies, unless isolation is off; all, if that is on for house
    strategies too."""
    isolate, every = how.limits.isolate, modules(tried, against)
    return isolate == "on" or isolate == "auto" and not all(map(in_house, every))


def modules(tried: TriedStrategies, against: Against | None) -> list[Path]:
    """Return the modules of the strategies, and of those that they are compared with."""
    every = [*[each for each, _ in tried], *(against.strategies if against else ())]
    return [*dict.fromkeys(Path(each.path) for each in every if not each.command)]


def try_all(
    tried: TriedStrategies, how: TrialOptions, against: Against | None, progress: TrialProgress, pipe: Any
) -> Iterator[Any]:
    """Run in a separate process: continue with the strategies of a source.

    Yields the progress so far, and scripts, which the receiver writes."""
    paths = dict.fromkeys([Path(each.path) for each, _ in tried])
    if how.game:
        games.named(how.game)  # by its path, from which its id is known
    for name in {name for _, names in tried for name in names}:
        games.find(name)
    spare = mmap.mmap(-1, SPARE)
    limit_memory((how.limits.memory << 20) + SPARE)
    sealed = is_shut_in(tried, how, against) and shut_in(
        readable_sources(tried, against), threads=True
    )  # those of `Diary`
    if sealed and not any(map(threads_in, modules(tried, against))):
        begin_no_threads()
    seen, importing.prints, diary = watch(), True, CrashLog(pipe)
    start = time.perf_counter()
    try:
        with diary.no_longer_than(IMPORT):
            for path in paths:
                importing.module_at(path)
    except PluginError as error:
        import_failed(
            finding.display_path(Path(tried[0][0].path)), hinted(error, tried[0][0]) if sealed else error, send_row
        )
        progress.failed("import")
        yield asdict(progress)
        return
    took, at_loading = time.perf_counter() - start, set(seen)
    for number, (strategy, names) in enumerate(tried):
        if number > progress.strategy:
            progress.strategy, progress.game, progress.kinds = number, 0, {}
        if number == progress.strategy and names:
            seen &= at_loading  # what another strategy of the file has accessed does not count
            yield from Check(strategy, names, how, against, progress, diary, spare, sealed).play(took, seen)
    yield asdict(progress)


def begin_no_threads() -> None:
    """Refuse in Python what the filter refuses in a run."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise RuntimeError("can't start new thread")

    for module in _thread, threading:
        for name in (
            "start_new_thread",
            "start_new",
            "_start_new_thread",
            "start_joinable_thread",
            "_start_joinable_thread",
        ):
            if hasattr(module, name):
                setattr(module, name, refuse)


def readable_sources(tried: TriedStrategies, against: Against | None) -> list[list[Path]]:
    """Return what the process may read: each source with its files, third-party games, and the house's strategies."""
    origins = {games.find(name).origin for _, names in tried for name in names}
    outside = [Path(origin.path) for origin in origins if origin]
    return [*[[path, *files_of(path)] for path in (*modules(tried, against), *outside)], [house()]]


def hinted(error: PluginError, strategy: Strategy) -> PluginError:
    """Return the error with a remark on the sandbox, if that may be the cause."""
    return PluginError(f"{error}{why_sealed(str(error), Path(strategy.path))}")


def send_row(row: CheckRow | str) -> None:
    """Send a row from the process of a trial."""
    child.speak(["row", *row] if isinstance(row, CheckRow) else ["row", row])


class Check:
    """The check of a strategy. Findings are printed and counted in `progress`."""

    def __init__(
        self,
        strategy: Strategy,
        names: list[str],
        how: TrialOptions,
        against: Against | None,
        progress: TrialProgress,
        diary: CrashLog,
        spare: mmap.mmap,
        sealed: bool,
    ) -> None:
        self.strategy, self.names, self.how, self.against = strategy, names, how, against
        self.progress, self.diary, self.spare, self.sealed = progress, diary, spare, sealed

    def failed(self, what: str, *words: str, kind: str = "") -> None:
        send_row(CheckRow(what, "FAILED", words))
        self.progress.failed(kind or what)

    def play(self, took: float, seen: set[Reached]) -> CheckAnswers:
        """Play all its games, from the one that `progress` is at."""
        progress, names, self.seen = self.progress, self.names, seen
        known = [games.find(name) for name in names]
        thing = plugins.load_strategy(self.strategy)
        if not progress.game:
            self.head(took)
            if wrong := list(misfits(thing, known)):
                self.failed("arguments", *wrong)
                return
        for game, name in [*enumerate(names)][progress.game :]:
            if max(progress.kinds.values(), default=0) >= MAX_SAME_FAILURES:
                send_row(not_tried(len(names) - game))
                break
            if len(names) > 1:
                send_row(f"  {name}")
            if stray := list(misspelt_phases(thing, known[game], known)):
                send_row(CheckRow(f"phases of {name}", "note", (*stray,)))
            progress.game = game
            steady = yield from self.try_game(name)
            if self.against:
                before = {*seen}
                yield from self.compare(name, self.against, steady)
                seen &= before  # the other one may be of the same file
        self.print_reached()

    def print_reached(self) -> None:
        for what, words in reached(self.strategy, self.seen):
            if words:
                self.failed(what, *words[:5])

    def head(self, took: float) -> None:
        own, plays = self.strategy, ", ".join(self.strategy.games) or "all"
        send_row(f"{finding.display_path(Path(own.path))}  {own}  sha256 {own.sha256[:8]}  games: {plays}")
        send_row(CheckRow("import", "ok", (f"{1000 * took:.0f} ms",)))
        inner = [
            f"{finding.display_path(file)}:{taken.line}: {taken}"
            for file in finding.modules_of(Path(own.path))
            for taken in inner_imports(finding.source_text(file, *finding.stamp(file)))
        ]
        if inner:
            more = [f"and {len(inner) - 5} more"] if len(inner) > 5 else []
            send_row(CheckRow("imports", "note", (*inner[:5], *more)))

    def begin(self, what: str) -> CheckAnswers:
        """RowSink what is tried now, because the process may die there."""
        self.progress.what = what
        yield asdict(self.progress)

    def try_game(self, name: str) -> Done:
        """Try a game. Returns whether it was played, and the same twice. A process whose memory has been full must
        end."""
        progress = self.progress
        yield from self.begin(f"{so_many(self.how.deals, 'deal')} {name}")
        try:
            trial = self.trial(name)
            trial.lines_of_all()
            send_row(CheckRow(progress.what, "ok"))
            steady = self.play_twice(trial)
            if steady and not trial.fresh and is_shut_in([(self.strategy, self.names)], self.how, None):
                few = Trial(self.strategy, games.find(name), fewer(self.how), self.vigil())
                yield [self.progress.strategy, name, trial_digest(few.lines_of_all())]
            return steady
        except FailedError as error:
            failed = error
        except BugError:  # the process ends with it
            self.print_reached()
            yield asdict(progress)
            raise
        except DeclarationError:
            raise
        except PluginError as error:
            failed = FailedError("import", str(error))
        except MemoryError:
            failed = FailedError("memory", "memory: what it keeps has filled it")
        with self.enough_memory():
            again = yield from self.script(name, failed)
            self.failed(progress.what, *failed.words, *self.why_sealed(failed), *again, kind=failed.kind)
            yield from self.leave_if_full(failed.kind)
        return False

    def enough_memory(self) -> AbstractContextManager[None]:
        """Provide memory to report a failure: where no limit is changed, the reserve is freed."""
        if self.sealed and not self.spare.closed:
            self.spare.close()
        return all_memory()

    def why_sealed(self, failed: FailedError) -> list[str]:
        """Return a remark on the sandbox, if that may be the cause of the failure."""
        words = why_sealed(" ".join(failed.words), Path(self.strategy.path)) if self.sealed else ""
        return [words.strip()] if words else []

    def leave_if_full(self, kind: str) -> CheckAnswers:
        """End the process after a failure of this kind if memory ran out; everything is reported already."""
        if kind.startswith("memory"):
            yield from self.begin("")
            os._exit(1)

    def vigil(self) -> TrialClock:
        return TrialClock(self.how.limits.seconds, self.diary)

    def trial(self, name: str, fresh: bool = False) -> Trial:
        return Trial(self.strategy, games.find(name), self.how, self.vigil(), fresh)

    def compare(self, name: str, against: Against, steady: bool) -> CheckAnswers:
        """RowSink how often the other version answers differently; not for a strategy that has failed, or is not
        steady."""
        if not steady:
            send_row(CheckRow(against.title, "-", ("not compared",)))
            return
        yield from self.begin(against.title)
        try:
            rival = against.rival_of(self.strategy, name)
            both = Both(self.strategy, rival, games.find(name), self.how, self.vigil())
            both.lines_of_all()
            again = (yield from self.again(name, *both.shown, against.spec(rival), True)) if both.shown else []
            verdict, *lines = both.verdict(against.text)
            send_row(CheckRow(against.title, verdict, (*lines, *again)))
            return
        except FailedError as error:
            failed = error
        except (StrategyError, PluginError) as error:
            failed = FailedError("import", *str(error).splitlines())
        except MemoryError:
            failed = FailedError("memory", "memory: what both keep has filled it")
        with self.enough_memory():
            send_row(
                CheckRow(
                    against.title,
                    "-",
                    (
                        f"not compared: {failed.words[0]}",
                        *failed.words[1:],
                    ),
                )
            )
            yield from self.leave_if_full(failed.kind)

    def play_twice(self, trial: Trial) -> bool:
        """Play it a second time. Returns whether it plays the same. Prints also whether it remembers anything or sees
        what it may not, and its speed."""
        remembers = trial.lines != self.trial(trial.entry.game, fresh=True).lines_of_all()
        if remembers and trial.lines != self.trial(trial.entry.game).lines_of_all():
            self.failed("same twice", "the same deals were played differently the second time")
            send_row(CheckRow("hidden cards", "-", ("cannot be judged",)))
            return False
        send_row(CheckRow("same twice", "ok"))
        if remembers:
            send_row(
                CheckRow("remembers", "note", ("play depends on what the module remembers from sitting to sitting",))
            )
            trial.fresh = True
        trial.begin_stage()  # another trial has loaded the module since
        deals = min(EXCHANGES, -(-self.how.deals // (SLOWER if self.strategy.imagines else 1)))
        with trial.clock:
            compared = exchange_unseen(trial.entry, trial.load_own, trial.referee, deals)
        decisions = so_many(compared.decisions, "decision")
        words = f"{compared.changed} of {decisions} changed when unseen cards were exchanged"
        if compared.changed:
            self.failed("hidden cards", words)
        elif compared.decisions:
            send_row(CheckRow("hidden cards", "ok", (words,)))
        else:
            send_row(CheckRow("hidden cards", "-", ("nothing could be exchanged",)))
        if compared.seconds is not None:
            send_row(CheckRow("speed", "ok", (f"{1e6 * compared.seconds:.0f} us a decision",)))
        return True

    def script(self, name: str, failed: FailedError) -> Again:
        """Return how to replay the first failure of a kind."""
        if not failed.script or failed.kind in self.progress.kinds:
            return []
        spec = plugins.spec(self.strategy)
        return (yield from self.again(name, failed.deal, failed.seat, failed.script, spec))

    def again(self, name: str, deal: int, seat: int, script: str, strategy: str, differs: bool = False) -> Again:
        """Have a script written, and return how to put it to a strategy."""
        yield [self.progress.strategy, name, deal, differs, script]
        path = script_path(self.how.scripts, self.strategy, name, deal)
        return [replay_command(path, seat, strategy, self.how.game)]
