"""The trial of a source, as it runs in a guest: what is found is sent, row by row."""

from __future__ import annotations

import _thread
import mmap
import os
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NoReturn

from .. import games
from ..base import finding, importing
from ..base.errors import BugError, DeclarationError, PluginError, StrategyError
from ..base.finding import threads_in
from ..base.promised import inner_imports
from ..base.text import so_many
from ..processes.memory import all_memory
from ..sandbox import called
from ..sandbox.launcher_main import GUEST_SOCKET
from ..sources import plugins
from ..sources.describing import why_sealed
from ..sources.plugins import Strategy
from .against import Against, Both
from .clock import CrashLog, TrialClock, TrialProgress
from .exchange import FailedError, exchange_unseen
from .scripts import MAX_SAME_FAILURES, CheckRow, import_failed, not_tried, replay_command, script_path
from .shape import misfits, misspelt_phases
from .trial import Trial, TrialOptions, TriedStrategies, trial_digest
from .watch import Reached, reached, watch

EXCHANGES = 150  # deals, at most, in which unseen cards are exchanged
SLOWER = 10  # divides the number of deals for a strategy that imagines deals
IMPORT = importing.LOAD_SECONDS + 5  # seconds, whatever it does
RESERVE = 32  # MB that are freed when the memory is full, so that this can be reported
Yields = Generator[Any, None, None]
Done = Generator[Any, None, bool]
Again = Generator[Any, None, list[str]]


@dataclass
class SourceTrial:
    """The things that the checks of a source's strategies share: `log`, for the end of this process; `spare`, the reserve
    of memory; whether the guest is `sealed` in a sandbox."""

    how: TrialOptions
    against: Against | None
    progress: TrialProgress
    log: CrashLog
    spare: mmap.mmap
    sealed: bool


def try_all(
    tried: TriedStrategies, how: TrialOptions, against: Against | None, progress: TrialProgress, sealed: bool
) -> Iterator[Any]:
    """Run in a guest: continue with the strategies of a source.

    Yields the progress so far, and scripts, which the receiver writes."""
    paths = dict.fromkeys([Path(strategy.path) for strategy, _ in tried])
    if how.game:
        games.named(how.game)  # by its path, from which its id is known
    for name in {name for _, names in tried for name in names}:
        games.find(name)
    trial = SourceTrial(
        how,
        against,
        progress,
        CrashLog(GUEST_SOCKET + 1),
        mmap.mmap(-1, RESERVE << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS),
        sealed,
    )
    if sealed and not any(map(threads_in, [*paths, *(against.modules if against else ())])):
        begin_no_threads()
    seen, importing.prints = watch(), True
    start = time.perf_counter()
    try:
        with trial.log.no_longer_than(IMPORT):
            for path in paths:
                importing.module_at(path)
    except PluginError as error:
        hint = why_sealed(str(error), Path(tried[0][0].path)) if sealed else ""
        import_failed(finding.display_path(Path(tried[0][0].path)), f"{error}{hint}", send_row)
        progress.failed("import")
        yield asdict(progress)
        return
    took, at_loading = time.perf_counter() - start, set(seen)
    for number, (strategy, names) in enumerate(tried):
        if number > progress.strategy:
            progress.strategy, progress.game, progress.kinds = number, 0, {}
        if number == progress.strategy and names:
            seen &= at_loading  # what another strategy of the file has accessed does not count
            yield from Check(strategy, names, trial).play(took, seen)
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


def send_row(row: CheckRow | str) -> None:
    """Send a row from the guest of a trial."""
    called.send_in_place(["row", *row] if isinstance(row, CheckRow) else ["row", row])


class Check:
    """The check of a strategy. Findings are printed and counted in `progress`."""

    def __init__(self, strategy: Strategy, names: list[str], of: SourceTrial) -> None:
        self.strategy, self.names, self.of = strategy, names, of
        self.how, self.against, self.progress = of.how, of.against, of.progress

    def failed(self, what: str, *lines: str, kind: str = "") -> None:
        send_row(CheckRow(what, "FAILED", lines))
        self.progress.failed(kind or what)

    def play(self, took: float, seen: set[Reached]) -> Yields:
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
        for what, lines in reached(self.strategy, self.seen):
            if lines:
                self.failed(what, *lines[:5])

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

    def begin(self, what: str) -> Yields:
        """Send what is tried now, because the process may die there."""
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
            if steady and not trial.fresh and self.how.sandboxes([Path(self.strategy.path)]):
                few = Trial(self.strategy, games.find(name), self.how.fewer(), self.clock())
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
        if self.of.sealed and not self.of.spare.closed:
            self.of.spare.close()
        return all_memory()

    def why_sealed(self, failed: FailedError) -> list[str]:
        """Return a remark on the sandbox, if that may be the cause of the failure."""
        hint = why_sealed(" ".join(failed.words), Path(self.strategy.path)) if self.of.sealed else ""
        return [hint.strip()] if hint else []

    def leave_if_full(self, kind: str) -> Yields:
        """End the process after a failure of this kind if memory ran out; everything is reported already."""
        if kind.startswith("memory"):
            yield from self.begin("")
            os._exit(1)

    def clock(self) -> TrialClock:
        return TrialClock(self.how.limits.seconds, self.of.log)

    def trial(self, name: str, fresh: bool = False) -> Trial:
        return Trial(self.strategy, games.find(name), self.how, self.clock(), fresh)

    def compare(self, name: str, against: Against, steady: bool) -> Yields:
        """Send how often the other version answers differently; not for a strategy that has failed, or is not
        steady."""
        if not steady:
            send_row(CheckRow(against.title, "-", ("not compared",)))
            return
        yield from self.begin(against.title)
        try:
            rival = against.rival_of(self.strategy, name)
            both = Both(self.strategy, rival, games.find(name), self.how, self.clock())
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
            send_row(CheckRow(against.title, "-", (f"not compared: {failed.words[0]}", *failed.words[1:])))
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
        verdict = f"{compared.changed} of {decisions} changed when unseen cards were exchanged"
        if compared.changed:
            self.failed("hidden cards", verdict)
        elif compared.decisions:
            send_row(CheckRow("hidden cards", "ok", (verdict,)))
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
