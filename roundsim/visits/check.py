"""`roundsim check`: is a strategy well formed?  It is tried in a process of its own, so that it may die there."""

from __future__ import annotations

import re
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

from .. import games, loading
from ..contract import plugins
from ..contract.plugins import Strategy
from ..contract.strategy import Seated
from ..errors import IllegalError, PluginError, StrategyError, exception_words
from ..refereeing.recording import Recording, write_script
from ..refereeing.referee import Clock, Fault, Referee, traceback_of
from ..refereeing.sitting import Sitting
from ..table.actions import Action, accept, count
from ..table.cards import Card
from ..table.chance import Chance, Pack, Source, shared
from ..table.deal import Ask, Deal
from ..table.imagine import remember
from ..table.story import told
from ..table.view import in_words
from ..tournament.formats import play_block
from ..tournament.formats.round_robin import RoundRobin
from ..tournament.plan import Entry, Limits, Tournament
from ..tournament.tally import Tally
from ..words import so_many
from ..workers.apart import in_process
from ..workers.shard import Noting
from .watch import Reached, reached, watch

EXCHANGES = 150  # deals, at most, in which unseen cards are exchanged
SLOWER = 10  # so many times fewer for a strategy that imagines deals


def check_all(texts: Sequence[str], deals: int, seconds: float, game: str | None = None) -> int:
    """Check strategies, in all their games or in one, printing what is found; 0 if nothing is wrong, else 2."""
    problems = 0
    if game is not None:
        games.find(game)
    for text in texts:
        found, code = in_process(check_text, text, deals, seconds, game)
        if found is None:
            died = signal.Signals(-code).name if code < 0 else f"it ended with code {code}"
            print(f"  FAILED    the process died: {died}")
        problems += 1 if found is None else found
    print(f"{problems} problem{'s' * (problems != 1)}" if problems else "no problems")
    return 2 if problems else 0


def check_text(text: str, deals: int, seconds: float, game: str | None) -> int:
    """In a process of its own: check all that a text names.  Returns the number of problems."""
    seen, loading.prints = watch(), True
    start = time.perf_counter()
    try:
        only = None if game is None else games.find(game).id
        found = plugins.find(text, only)
    except (StrategyError, PluginError) as error:
        print(text)
        line("import", "FAILED", str(error))
        return 1
    took, at_loading, problems = time.perf_counter() - start, set(seen), 0
    for each in found:
        seen &= at_loading  # what another one of the file has reached for is not its own
        problems += len(list(check_one(each, only, deals, seconds, took, seen)))
    return problems


def line(what: str, verdict: str, *words: str) -> None:
    """`  import              ok      3 ms`, further words below the first."""
    print(f"  {what:<22}  {verdict:<8}{words[0] if words else ''}".rstrip())
    for more in words[1:]:
        print(f"{'':<34}{more}")
    sys.stdout.flush()


def check_one(
    strategy: Strategy, only: str | None, deals: int, seconds: float, took: float, seen: set[Reached]
) -> Iterator[str]:
    """Print what is found, and yield each problem.  `only`: the game in which it is tried."""
    plays = ", ".join(strategy.games) or "all"
    print(f"{loading.shown(Path(strategy.path))}  {strategy}  sha256 {strategy.sha256[:8]}  games: {plays}")
    line("import", "ok", f"{1000 * took:.0f} ms")
    names = [only] if only else strategy.games or games.names()
    for name in names:
        if len(names) > 1:
            print(f"  {name}", flush=True)
        if left_out := at_random(strategy, games.find(name)):
            line(f"phases of {name}", "note", f"played at random: {', '.join(left_out)}")
        trial = Trial(strategy, name, deals, seconds)
        what = f"{so_many(deals, 'deal')} {name}"
        try:
            trial.play()
            line(what, "ok")
            yield from check_twice(trial, deals, seconds)
        except FailedError as failed:
            line(what, "FAILED", *failed.words)
            yield what
    for what, words in reached(strategy, seen):
        if words:
            line(what, "FAILED", *words[:5])
            yield what


def check_twice(trial: Trial, deals: int, seconds: float) -> Iterator[str]:
    """Whether it plays the same a second time, and without what it may not see; and how fast."""
    strategy = trial.strategy
    if trial.lines != Trial(strategy, trial.entry.game, deals, seconds).play():
        line("same twice", "FAILED", "the same deals were played otherwise the second time")
        line("hidden cards", "-", "cannot be judged")
        yield "same twice"
    else:
        line("same twice", "ok")
        changed, decisions = exchange_unseen(trial, min(EXCHANGES, -(-deals // (SLOWER if strategy.imagines else 1))))
        words = f"{changed} of {so_many(decisions, 'decision')} changed when unseen cards were exchanged"
        if decisions:
            line("hidden cards", "FAILED" if changed else "ok", words)
        else:
            line("hidden cards", "-", "nothing could be exchanged")
        if changed:
            yield "hidden cards"
    line("speed", "ok", f"{trial.speed():.0f} us a decision")


def at_random(strategy: Strategy, game: type[Deal]) -> list[str]:
    """The phases that a class has no method for."""
    thing = plugins.load(strategy)
    if not isinstance(thing, type) or hasattr(thing, "act"):
        return []
    return [phase for phase in game.phases if not hasattr(thing, phase.replace("-", "_"))]


class FailedError(Exception):
    """The first fault of a trial, in words."""

    def __init__(self, *words: str) -> None:
        super().__init__(*words)
        self.words = words


class Trial(Noting):
    """A strategy at each seat in turn, the others random."""

    def __init__(self, strategy: Strategy, game: str, deals: int, seconds: float) -> None:
        deal = games.find(game)
        low, usual = deal.seats[0], deal.usual[0]
        players = max(low, usual)
        field = (strategy, *plugins.find("random") * (players - 1))
        self.format = RoundRobin(players, deal.rules_for(players).sitting)
        entry = Entry(game, game, self.format, {}, field, -(-deals // (players * self.format.sitting)))
        self.strategy, self.clock = strategy, Clock(seconds)
        tournament = Tournament("check", self.format.name, 1, Limits(seconds), (entry,))
        super().__init__(tournament, entry, Referee(self.clock), Tally())
        self.number = 0

    def play(self, place: str = "", deal: Deal | None = None, first: bool = False) -> Any:
        """All deals; the lines of their log.  Failed at the first fault."""
        if deal is None:
            with self.clock:
                for block in range(1, self.entry.blocks + 1):
                    play_block(self, self.entry, 1, block, range(self.format.players), self.tally)
            return self.lines
        self.number += 1
        self.found: list[Fault] = []
        super().play(place, deal, first)
        if self.found:
            self.fail(self.found[0])

    def fault(self, fault: Fault, place: str, entrant: int) -> None:
        if fault.phase in ("constructor", "__del__"):  # there is no deal
            raise FailedError(f"{fault.phase}: {fault.words}", *fault.where.splitlines())
        self.found.append(fault)

    def fail(self, fault: Fault) -> None:
        """A script of the sitting, and the words."""
        own = self.strategy
        parts = [Path(own.path).stem]
        if own.attribute.lower() not in (*parts, "act"):
            parts.append(own.attribute)
        if len(own.games) != 1:
            parts.append(self.entry.game)
        path = Path(f"{'-'.join(parts)}-{self.number}.toml")
        path.write_text(self.script(f"seat {fault.seat}, phase {fault.phase}: {fault.words}"), "utf-8")
        at = f"deal {self.number}, seat {fault.seat}, phase {fault.phase}"
        legal = [row.strip() for row in fault.view.splitlines() if row.startswith("  legal ")]
        raise FailedError(
            f"{at}: {fault.words}",
            *legal,
            *fault.where.splitlines(),
            f"again: roundsim replay {path} --seat {fault.seat} --strategy {shlex.quote(plugins.spec(self.strategy))}",
        )

    def script(self, comment: str) -> str:
        return write_script(self.top, self.deals, comment)

    def speed(self) -> float:
        """Microseconds of a decision, over a few sittings."""
        spent, asked = 0.0, 0

        def timed(answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
            def ask(view: Any) -> Any:
                nonlocal spent, asked
                start = time.process_time()
                said = answer(view)
                spent += time.process_time() - start
                asked += 1
                return said

            return ask

        seated, take_seat = self.seated[0], self.seated[0].take_seat

        class Timed:
            is_class, beside, imagines = seated.is_class, seated.beside, seated.imagines

            @staticmethod
            def take_seat() -> Any:
                answers, thing = take_seat()
                return {phase: timed(answer) for phase, answer in answers.items()}, thing

        self.seated[0] = Timed  # type: ignore[call-overload]
        with self.clock:
            play_block(self, self.entry, 2, 1, range(self.format.players), Tally())
        self.seated[0] = seated
        return 1e6 * spent / max(asked, 1)


class Exchanged(Source):
    """The same chance with two cards in each other's place."""

    __slots__ = ("swap",)

    def __init__(self, name: str, one: Card, other: Card) -> None:
        super().__init__(name)
        self.swap = {one: other, other: one}

    def pack(self, cards: Any, what: str = "pack") -> Pack:
        return ExchangedPack(super().pack(cards, what), self.swap)


class ExchangedPack(Pack):
    __slots__ = ("inner", "swap")

    def __init__(self, inner: Pack, swap: dict[Card, Card]) -> None:
        self.inner, self.swap = inner, swap

    @property
    def cards(self) -> list[Card]:
        return [self.swap.get(card, card) for card in self.inner.cards]

    def __len__(self) -> int:
        return len(self.inner)

    def draw(self, n: int) -> list[Card]:
        return [self.swap.get(card, card) for card in self.inner.draw(n)]


def exchange_unseen(trial: Trial, deals: int) -> tuple[int, int]:
    """Play first deals of sittings again up to a question, with two cards exchanged that the strategy has not seen by
    then: the decisions that changed, and all that were compared."""
    entry, changed, compared = trial.entry, 0, 0
    seated = Seated(plugins.load(trial.strategy), dict(trial.strategy.parameters), entry.deal)
    for block in range(1, deals + 1):
        name, seat = f"1/{entry.name}/{block}", block % trial.format.players
        sitting = Sitting(entry.deal, entry.rules, deals=trial.format.sitting)
        for number in range(1, trial.format.sitting + 1):  # the first deal in which it is asked
            state, first = deepcopy(sitting.state), Once(entry, seated, seat, f"{name}/exchange")
            source = Recording(Source(f"{name}/{number}"))
            deal = first.play(sitting, source)
            if first.said or sitting.settle(deal):
                break
        pack = {*deal.pack.cards, *[card for _, drawn in source.drawn for card in drawn]}
        hidden = [sorted(pack - seen) for seen in first.seen]
        which, able = Chance(f"{name}/which"), [at for at, cards in enumerate(hidden) if len(cards) > 1]
        if not able:
            continue
        last = which.choice(able)
        one, other = which.sample(hidden[last], 2)
        again = Once(entry, seated, seat, f"{name}/exchange")
        with suppress(IllegalError, ValueError):  # with these cards the others could not have played so
            exchanged = Exchanged(f"{name}/{number}", one, other)
            again.play(Sitting(entry.deal, entry.rules, state), exchanged, first)
        for was, now in zip(first.said[: last + 1], again.said, strict=False):
            compared += 1
            changed += was != now
    return changed, compared


class Once:
    """One deal with the strategy at a seat and the others random, or as they played in another one.

    At each decision of the strategy: what it was shown, what it had seen by then, and what it `said`."""

    def __init__(self, entry: Entry, seated: Seated, seat: int, name: str) -> None:
        self.entry, self.seated, self.seat = entry, seated, seat
        shared().begin(name, 0)
        self.answers, self.thing = seated.take_seat()
        self.mine, self.others = Chance(f"{name}/mine"), Chance(f"{name}/others")
        self.shown: list[str] = []
        self.seen: list[set[str]] = []
        self.said: list[Any] = []
        self.record: list[Action] = []

    def play(self, sitting: Sitting, source: Source, other: Once | None = None) -> Deal:
        deal = sitting.next_deal(source)
        if self.seated.imagines:
            remember(deal, [self.seat])
        if hasattr(self.thing, "begin"):
            self.thing.begin(deal.View(deal, self.seat, "begin", (), self.mine))
        written, swap = iter(other.record if other else ()), getattr(source, "swap", {})

        def answer(ask: Ask) -> Action:
            before = next(written, None)
            if count(ask.legal) == 1:
                said = ask.legal[0]
            elif ask.seat == self.seat:
                view = deal.View(deal, ask.seat, ask.phase, ask.legal, self.mine)
                self.see(deal, view)
                if other and other.shown[: len(self.shown)] != self.shown:
                    raise IllegalError("another question")
                said = accept(ask.legal, self.answer(ask, view))
                self.said.append(said)
            elif before:
                said = accept(ask.legal, " ".join([swap.get(word, word) for word in before.split()]))
            else:
                said = self.others.choice(ask.legal)
            if before and ask.seat == self.seat and said != before:
                raise IllegalError("it has gone another way")
            self.record.append(said)
            return said

        told(deal, answer)
        return deal

    def answer(self, ask: Ask, view: Any) -> Any:
        """What the strategy says; FailedError if it fails, as it does not in the trial."""
        try:
            return self.answers[ask.phase](view)
        except Exception as error:
            words = f"phase {ask.phase}: {exception_words(error)}"
            raise FailedError(words, *traceback_of(error).splitlines()) from None

    def see(self, deal: Deal, view: Any) -> None:
        names = (*deal.private, *deal.public, "hand", "pools", "stacks", "history")
        shown = [in_words(getattr(view, name)) for name in names]
        shown += [f"{count(view.legal)} legal", *few(view.legal), view.phase]
        self.shown.append(" | ".join(shown))
        self.seen.append({*re.findall(r"\w+", self.shown[-1]), *(self.seen[-1] if self.seen else ())})


def few(legal: Sequence[Action]) -> list[Action]:
    """The first of the legal actions."""
    return [legal[at] for at in range(min(count(legal), 40))]
