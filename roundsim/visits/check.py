"""`roundsim check`: is a strategy well formed?  It is tried in a process of its own, so that it may die there."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from .. import games, loading
from ..contract import plugins
from ..contract.plugins import Strategy
from ..contract.strategy import Seated
from ..errors import OptionError, PluginError, StrategyError, did_you_mean
from ..processes.apart import in_process
from ..processes.memory import all_memory, keep_within
from ..refereeing.referee import Fault, Referee
from ..table.deal import Deal
from ..table.options import Rules
from ..tournament.formats.round_robin import RoundRobin
from ..tournament.plan import Entry, Limits, Tournament
from ..tournament.record import Names
from ..tournament.tally import Tally
from ..words import so_many
from ..workers.strategies import Noting
from .exchange import FailedError, exchange_unseen
from .shape import misfits, strays
from .vigil import Diary, Progress, Vigil, read_diary
from .watch import Reached, reached, watch

EXCHANGES = 150  # deals, at most, in which unseen cards are exchanged
SLOWER = 10  # so many times fewer for a strategy that imagines deals
ALIKE = 3  # failures in the same way: then the other games are not tried
IMPORT = loading.LOADING + 5  # seconds, whatever it does


@dataclass(frozen=True)
class How:
    """How strategies are tried: in one game, or in all of theirs; those that take these options and so many seats."""

    game: str | None
    options: dict[str, Any]
    seats: int | None
    deals: int
    limits: Limits
    scripts: Path

    def rules(self, game: type[Deal]) -> Rules:
        """Of the table at which a game is tried; OptionError where it does not take them."""
        return game.rules_for(self.seats or max(game.seats[0], game.usual[0]), self.options)

    def games_of(self, strategies: Sequence[Strategy]) -> list[list[str]]:
        """For each strategy the games in which it is tried; OptionError if there is none for any."""
        found = [[self.game] if self.game else list(each.games or games.names()) for each in strategies]
        asked = {name: games.find(name) for names in found for name in names}
        refused: dict[str, OptionError] = {}
        for name, game in asked.items():
            try:
                self.rules(game)
            except OptionError as error:
                refused[name] = error
        if len(refused) < len(asked):
            return [[asked[name].id for name in names if name not in refused] for names in found]
        known = {option.key for game in asked.values() for option in game.options}
        strays = [key for key in self.options if key not in known]
        problems = [f"no game that is played here has an option {key}{did_you_mean(key, known)}" for key in strays]
        raise OptionError(problems) if problems else next(iter(refused.values()))


def check_all(texts: Sequence[str], how: How) -> int:
    """Check strategies, printing what is found.

    0 if nothing is wrong, 66 if that is only that they cannot be loaded, else 2."""
    problems, unloaded, only = 0, 0, None
    if how.game is not None:
        only = how.rules(games.find(how.game)).of.id
    plugins.meet(texts, memory=how.limits.memory)
    for text in texts:
        try:
            how.games_of(plugins.find(text, only))
            problems += check_text(text, how)
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


def check_text(text: str, how: How) -> int:
    """The problems of all that a text names, tried in a process of its own, and on in another where that has died."""
    progress = Progress()
    with NamedTemporaryFile() as diary:
        while True:
            problems, code = in_process(try_all, text, how, progress, diary.name)
            if problems is not None:
                return problems
            progress, words = read_diary(diary.name, code, progress)
            if progress.what == "import":
                print(text)
            if progress.what:
                line(progress.what, "FAILED", *words)
                progress.failed(words[0])
            if progress.what == "import":
                return progress.problems
            progress.game, progress.what = progress.game + 1, "import"


def try_all(text: str, how: How, progress: Progress, diary_path: str) -> int:
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
            Check(strategy, names, how, progress, diary).play(took, seen)
    return progress.problems


def line(what: str, verdict: str, *words: str) -> None:
    """`  import              ok      3 ms`, further words below the first."""
    print(f"  {what:<22}  {verdict:<8}{words[0] if words else ''}".rstrip())
    for more in words[1:]:
        print(f"{'':<34}{more}")
    sys.stdout.flush()


class Check:
    """A strategy, and what is found about it, which is printed and counted in `progress`."""

    def __init__(self, strategy: Strategy, names: list[str], how: How, progress: Progress, diary: Diary) -> None:
        self.strategy, self.names, self.how, self.progress, self.diary = strategy, names, how, progress, diary

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
            self.try_game(name)
        for what, words in reached(self.strategy, seen):
            if words:
                self.failed(what, *words[:5])

    def head(self, took: float) -> None:
        own, plays = self.strategy, ", ".join(self.strategy.games) or "all"
        print(f"{loading.shown(Path(own.path))}  {own}  sha256 {own.sha256[:8]}  games: {plays}")
        line("import", "ok", f"{1000 * took:.0f} ms")

    def try_game(self, name: str) -> None:
        """A process whose memory has been full is left."""
        progress = self.progress
        progress.what = f"{so_many(self.how.deals, 'deal')} {name}"
        self.diary.note(progress)
        try:
            trial = self.trial(name)
            trial.lines_of_all()
            line(progress.what, "ok")
            self.play_twice(trial)
            return
        except FailedError as error:
            failed = error
        except PluginError as error:
            failed = FailedError("import", str(error))
        except MemoryError:
            failed = FailedError("memory", "memory: what it keeps has filled it")
        with all_memory():
            words = [*failed.words, *self.script(name, failed)]
            self.failed(progress.what, *words, kind=failed.kind)
            if failed.kind.startswith("memory"):
                progress.what = ""
                self.diary.note(progress)
                os._exit(1)

    def trial(self, name: str, fresh: bool = False) -> Trial:
        return Trial(self.strategy, games.find(name), self.how, Vigil(self.how.limits.seconds, self.diary), fresh)

    def play_twice(self, trial: Trial) -> None:
        """Whether it plays the same a second time, remembers nothing, and plays without what it may not see; how fast."""
        remembers = trial.lines != self.trial(trial.entry.game, fresh=True).lines_of_all()
        if remembers and trial.lines != self.trial(trial.entry.game).lines_of_all():
            self.failed("same twice", "the same deals were played otherwise the second time")
            line("hidden cards", "-", "cannot be judged")
            return
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

    def script(self, name: str, failed: FailedError) -> Iterator[str]:
        """The script of the first failure of a kind is written, and it is said how it is played again."""
        if not failed.script or failed.kind in self.progress.kinds:
            return
        own, folder = self.strategy, self.how.scripts
        parts = [Path(own.path).stem, *[own.attribute] * (own.attribute.lower() not in (Path(own.path).stem, "act"))]
        parts += [name] * (len(own.games) != 1)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{'-'.join(parts)}-{failed.deal}.toml"
        path.write_text(failed.script, "utf-8")
        strategy = shlex.quote(plugins.spec(own))
        yield f"again: roundsim replay {shlex.quote(str(path))} --seat {failed.seat} --strategy {strategy}"


class Trial(Noting):
    """A strategy at each seat in turn, the others random; `fresh`: its module is loaded anew for each sitting."""

    clock: Vigil

    def __init__(self, strategy: Strategy, game: type[Deal], how: How, clock: Vigil, fresh: bool = False) -> None:
        rules = how.rules(game)
        format, others = RoundRobin(rules.players, rules.sitting), plugins.find("random") * (rules.players - 1)
        blocks = -(-how.deals // (rules.players * rules.sitting))
        entry = Entry(game.id, game.id, format, how.options, (strategy, *others), blocks)
        self.clock, self.fresh, self.number = clock, fresh, 0
        super().__init__(Tournament("check", format.name, 1, how.limits, (entry,)), entry, Referee(clock), Tally())

    def lines_of_all(self) -> list[str]:
        """Play all deals: the lines of their log.  FailedError at the first fault."""
        entry, format = self.entry, self.entry.format
        with self.clock:
            for part, blocks in format.stages(range(1, entry.blocks + 1)):
                self.begin_stage()
                for block in blocks:
                    ledger = format.ledger(range(len(entry.strategies)))
                    format.play(self, entry, Names(1, entry.name, block), block, part, ledger)
        return self.lines

    def load_own(self) -> Seated:
        """The strategy as it plays the next sitting."""
        if self.fresh:
            self.begin_stage()
        return self.seat_of(0, 0)

    def sit(self, *given: Any) -> None:
        self.load_own()
        super().sit(*given)

    def play(self, place: str, deal: Deal, first: bool) -> None:
        self.number += 1
        super().play(place, deal, first)

    def fault(self, fault: Fault, place: str, entrant: int) -> None:
        kind = " ".join([fault.kind, *fault.words.split()[: fault.kind == "exception"], fault.where])
        words = fault.words if fault.kind in ("exception", "illegal") else f"{fault.kind}: {fault.words}"
        if fault.phase in ("constructor", "begin", "__del__"):  # no deal shows it
            raise FailedError(kind, f"{fault.phase}: {words}", *fault.where.splitlines())
        at = f"deal {self.number}, seat {fault.seat}, phase {fault.phase}"
        legal = [row.strip() for row in fault.view.splitlines() if row.startswith("  legal ")]
        script = self.script(f"seat {fault.seat}, phase {fault.phase}: {fault.words}")
        told = f"{at}: {words}", *legal, *fault.where.splitlines()
        raise FailedError(kind, *told, deal=self.number, seat=fault.seat, script=script)
