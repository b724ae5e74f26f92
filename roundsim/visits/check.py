"""`roundsim check`: is a strategy well formed?  It is tried in a process of its own, so that it may die there."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile

from .. import games, loading
from ..contract import plugins
from ..contract.plugins import Strategy
from ..errors import PluginError, StrategyError
from ..processes.apart import in_process
from ..processes.memory import all_memory, keep_within
from ..words import so_many
from .against import AGAINST, Against, Both, find_against
from .exchange import FailedError, exchange_unseen
from .shape import misfits, strays
from .trial import How, Trial
from .vigil import Diary, Progress, Vigil, read_diary
from .watch import Reached, reached, watch

EXCHANGES = 150  # deals, at most, in which unseen cards are exchanged
SLOWER = 10  # so many times fewer for a strategy that imagines deals
ALIKE = 3  # failures in the same way: then the other games are not tried
IMPORT = loading.LOADING + 5  # seconds, whatever it does


def check_all(texts: Sequence[str], how: How) -> int:
    """Check strategies, printing what is found.

    0 if nothing is wrong, 66 if that is only that they cannot be loaded, else 2.  What they are compared with must be there:
    StrategyError, PluginError, FolderError."""
    problems, unloaded, only = 0, 0, None
    if how.game is not None:
        only = how.rules(games.find(how.game)).of.id
    plugins.meet(texts, memory=how.limits.memory)
    against = {text: find_against(how.against, text, only, how.limits) for text in texts} if how.against else {}
    for text in texts:
        try:
            how.games_of(plugins.find(text, only))
            problems += check_text(text, how, against.get(text))
        except (StrategyError, PluginError) as error:
            problems += import_failed(text, error)
            unloaded += isinstance(error, PluginError)
    print(so_many(problems, "problem") if problems else "no problems")
    return 2 if problems > unloaded else PluginError.code if problems else 0


def import_failed(text: str, error: Exception) -> int:
    """Print it: one problem."""
    print(text)
    line("import", "FAILED", *str(error).splitlines())
    return 1


def check_text(text: str, how: How, against: Against | None) -> int:
    """The problems of all that a text names, tried in a process of its own, and on in another where that has died."""
    progress = Progress()
    with NamedTemporaryFile() as diary:
        while True:
            problems, code = in_process(try_all, text, how, against, progress, diary.name)
            if problems is not None:
                return problems
            progress, words = read_diary(diary.name, code, progress)
            if progress.what == "import":
                print(text)
            if progress.what.startswith(AGAINST):  # it has played these deals; which of the two it was is not known
                line(progress.what, "-", f"not compared: {words[0]}", *words[1:])
            elif progress.what:
                line(progress.what, "FAILED", *words)
                progress.failed(words[0])
            if progress.what == "import":
                return progress.problems
            progress.game, progress.what = progress.game + 1, "import"


def try_all(text: str, how: How, against: Against | None, progress: Progress, diary_path: str) -> int:
    """In a process of its own: go on from there with what a text names.  Returns the number of problems."""
    seen, loading.prints, diary = watch(), True, Diary(diary_path)
    keep_within(how.limits.memory << 20)
    start = time.perf_counter()
    try:
        only = None if how.game is None else games.find(how.game).id
        with diary.no_longer_than(IMPORT):
            found = plugins.find(text, only)
    except (StrategyError, PluginError) as error:
        return progress.problems + import_failed(text, error)
    took, at_loading = time.perf_counter() - start, set(seen)
    for number, (strategy, names) in enumerate(zip(found, how.games_of(found), strict=True)):
        if number > progress.strategy:
            progress.strategy, progress.game, progress.kinds = number, 0, {}
        if number == progress.strategy and names:
            seen &= at_loading  # what another one of the file has reached for is not its own
            Check(strategy, names, how, against, progress, diary).play(took, seen)
    return progress.problems


def line(what: str, verdict: str, *words: str) -> None:
    """`  import              ok      3 ms`, further words below the first."""
    print(f"  {what:<22}  {verdict:<8}{words[0] if words else ''}".rstrip())
    for more in words[1:]:
        print(f"{'':<34}{more}")
    sys.stdout.flush()


class Check:
    """A strategy, and what is found about it, which is printed and counted in `progress`."""

    def __init__(
        self,
        strategy: Strategy,
        names: list[str],
        how: How,
        against: Against | None,
        progress: Progress,
        diary: Diary,
    ) -> None:
        self.strategy, self.names, self.how, self.against = strategy, names, how, against
        self.progress, self.diary = progress, diary

    def failed(self, what: str, *words: str, kind: str = "") -> None:
        line(what, "FAILED", *words)
        self.progress.failed(kind or what)

    def play(self, took: float, seen: set[Reached]) -> None:
        """In all its games, from the one at which `progress` is."""
        progress, names = self.progress, self.names
        known = [games.find(name) for name in names]
        thing = plugins.load(self.strategy)
        if not progress.game:
            self.head(took)
            if wrong := list(misfits(thing, known)):
                self.failed("arguments", *wrong)
                return
        for game, name in [*enumerate(names)][progress.game :]:
            if max(progress.kinds.values(), default=0) >= ALIKE:
                left = so_many(len(names) - game, "more game")
                line(left, "-", f"not tried, after {ALIKE} failures in the same way")
                break
            if len(names) > 1:
                print(f"  {name}", flush=True)
            if stray := list(strays(thing, known[game], known)):
                line(f"phases of {name}", "note", *stray)
            progress.game = game
            steady = self.try_game(name)
            if self.against:
                before = {*seen}
                self.compare(name, self.against, steady)
                seen &= before  # the other one may be of the same file
        for what, words in reached(self.strategy, seen):
            if words:
                self.failed(what, *words[:5])

    def head(self, took: float) -> None:
        own, plays = self.strategy, ", ".join(self.strategy.games) or "all"
        print(f"{loading.shown(Path(own.path))}  {own}  sha256 {own.sha256[:8]}  games: {plays}")
        line("import", "ok", f"{1000 * took:.0f} ms")

    def begin(self, what: str) -> None:
        """It is noted what is tried now, and where the process may die."""
        self.progress.what = what
        self.diary.note(self.progress)

    def try_game(self, name: str) -> bool:
        """Whether it was played, and the same twice.  A process whose memory has been full is left."""
        progress = self.progress
        self.begin(f"{so_many(self.how.deals, 'deal')} {name}")
        try:
            trial = self.trial(name)
            trial.lines_of_all()
            line(progress.what, "ok")
            return self.play_twice(trial)
        except FailedError as error:
            failed = error
        except PluginError as error:
            failed = FailedError("import", str(error))
        except MemoryError:
            failed = FailedError("memory", "memory: what it keeps has filled it")
        with all_memory():
            words = [*failed.words, *self.script(name, failed)]
            self.failed(progress.what, *words, kind=failed.kind)
            self.leave_if_full(failed.kind)
        return False

    def leave_if_full(self, kind: str) -> None:
        """The process ends after a failure of this kind, if that is a want of memory; all has been told."""
        if kind.startswith("memory"):
            self.begin("")
            os._exit(1)

    def vigil(self) -> Vigil:
        return Vigil(self.how.limits.seconds, self.diary)

    def trial(self, name: str, fresh: bool = False) -> Trial:
        return Trial(self.strategy, games.find(name), self.how, self.vigil(), fresh)

    def compare(self, name: str, against: Against, steady: bool) -> None:
        """How often another one answers otherwise; of one that has failed, or is not steady, that is not asked."""
        if not steady:
            line(against.title, "-", "not compared")
            return
        self.begin(against.title)
        try:
            rival = against.rival_of(self.strategy, name)
            both = Both(self.strategy, rival, games.find(name), self.how, self.vigil())
            both.lines_of_all()
            again = [self.again(name, *both.shown, against.spec(rival))] if both.shown else []
            line(against.title, *both.verdict(against.text), *again)
            return
        except FailedError as error:
            failed = error
        except (StrategyError, PluginError) as error:
            failed = FailedError("import", *str(error).splitlines())
        except MemoryError:
            failed = FailedError("memory", "memory: what both keep has filled it")
        with all_memory():
            line(against.title, "-", f"not compared: {failed.words[0]}", *failed.words[1:])
            self.leave_if_full(failed.kind)

    def play_twice(self, trial: Trial) -> bool:
        """Whether it plays the same a second time; whether it remembers anything, or sees what it may not; how fast it is."""
        remembers = trial.lines != self.trial(trial.entry.game, fresh=True).lines_of_all()
        if remembers and trial.lines != self.trial(trial.entry.game).lines_of_all():
            self.failed("same twice", "the same deals were played otherwise the second time")
            line("hidden cards", "-", "cannot be judged")
            return False
        line("same twice", "ok")
        if remembers:
            line("remembers", "note", "play hangs on what the module remembers from sitting to sitting")
            trial.fresh = True
        deals = min(EXCHANGES, -(-self.how.deals // (SLOWER if self.strategy.imagines else 1)))
        with trial.clock:
            compared = exchange_unseen(trial.entry, trial.load_own, trial.referee, deals)
        decisions = so_many(compared.decisions, "decision")
        words = f"{compared.changed} of {decisions} changed when unseen cards were exchanged"
        if compared.changed:
            self.failed("hidden cards", words)
        elif compared.decisions:
            line("hidden cards", "ok", words)
        else:
            line("hidden cards", "-", "nothing could be exchanged")
        if compared.seconds is not None:
            line("speed", "ok", f"{1e6 * compared.seconds:.0f} us a decision")
        return True

    def script(self, name: str, failed: FailedError) -> Iterator[str]:
        """How the first failure of a kind is played again."""
        if failed.script and failed.kind not in self.progress.kinds:
            yield self.again(name, failed.deal, failed.seat, failed.script, plugins.spec(self.strategy))

    def again(self, name: str, deal: int, seat: int, script: str, strategy: str) -> str:
        """Write a script, and say how it is put to a strategy."""
        own, folder = self.strategy, self.how.scripts
        parts = [Path(own.path).stem, *[own.attribute] * (own.attribute.lower() not in (Path(own.path).stem, "act"))]
        parts += [name] * (len(own.games) != 1)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{'-'.join(parts)}-{deal}.toml"
        path.write_text(script, "utf-8")
        return f"again: roundsim replay {shlex.quote(str(path))} --seat {seat} --strategy {shlex.quote(strategy)}"
