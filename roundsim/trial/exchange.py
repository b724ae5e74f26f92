"""A test whether a strategy uses what it may not see: deals are played again with two unseen cards exchanged."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from copy import deepcopy
from time import process_time
from traceback import format_exc
from typing import Any, NamedTuple

from ..base.errors import BugError, IllegalError, RoundsimError, RulesError
from ..refereeing.recording import Recording, so_far, state_keys, write_script
from ..refereeing.referee import Player, Referee
from ..refereeing.sitting import Sitting
from ..sources.strategy import Seated
from ..table.actions import Action
from ..table.chance import Chance, module_random
from ..table.deal import Ask, Deal
from ..table.exchanged import ExchangeSource
from ..table.imagine import remember
from ..table.legal import accept, count
from ..table.playthrough import run_deal
from ..table.view import value_text
from ..tournament.planning.plan import Entry


class FailedError(Exception):
    """The end of a trial: its kind and its words; if a sitting shows it, the number of the deal, the seat, and a
    script."""

    def __init__(self, kind: str, *words: str, deal: int = 0, seat: int = 0, script: str = "") -> None:
        super().__init__(kind, *words)
        self.kind, self.words, self.deal, self.seat, self.script = kind, words, deal, seat, script


UNWRITABLE = "# what was played cannot be written down\n"


@contextmanager
def bugs_with(script: Callable[[], str]) -> Iterator[None]:
    """Raise BugError for an exception that only a bug can raise, with the script of what was being played."""
    try:
        yield
    except Exception as error:
        if isinstance(error, FailedError | MemoryError | RoundsimError) and not isinstance(error, RulesError):
            raise
        traceback, written = format_exc(), UNWRITABLE
        with suppress(Exception):
            written = script()
        raise BugError(traceback, written) from None


class ExchangeResult(NamedTuple):
    """The decisions that changed, all that were compared, and the CPU seconds of a decision, None if there was none."""

    changed: int
    decisions: int
    seconds: float | None


def exchange_unseen(entry: Entry, load: Callable[[], Seated], referee: Referee, deals: int) -> ExchangeResult:
    """Play first deals of sittings again up to a question, with two cards exchanged that the strategy has not seen by
    then.

    `load`: returns the strategy for the next one."""
    changed, compared, spent = 0, 0, list[float]()
    players, in_sitting = entry.format.table_size(entry.deal), entry.rules.sitting
    for block in range(1, deals + 1):
        name, seat = f"1/{entry.name}/{block}", block % players
        sitting = Sitting(entry.deal, entry.rules, deals=in_sitting)
        for number in range(1, in_sitting + 1):  # the first deal in which it is asked
            state, first = deepcopy(sitting.state), SingleDeal(entry, load(), referee, seat, f"{name}/exchange")
            source = ExchangeSource(f"{name}/{number}")
            with bugs_with(first.script):
                deal = first.play(sitting, source)
                if first.answers or sitting.settle(deal):
                    break
        spent += first.spent
        pack = {*deal.pack.cards, *[card for _, drawn in first.source.drawn for card in drawn]}
        hidden = [sorted(pack - seen) for seen in first.seen]
        which, able = Chance(f"{name}/which"), [at for at, cards in enumerate(hidden) if len(cards) > 1]
        if not able:
            continue
        last = which.choice(able)
        one, other = which.sample(hidden[last], 2)
        again = SingleDeal(entry, load(), referee, seat, f"{name}/exchange")
        with bugs_with(again.script), suppress(IllegalError, ValueError):  # with these cards it could not go on so
            again.play(Sitting(entry.deal, entry.rules, state), source.swapped(one, other), first)
        for was, now in zip(first.answers[: last + 1], again.answers, strict=False):
            compared += 1
            changed += was != now
    return ExchangeResult(changed, compared, sum(spent) / len(spent) if spent else None)


class SingleDeal:
    """One deal with the strategy at a seat and the others random, or as they played in another one.

    For each decision of the strategy: what it was shown, what it had seen by then, its `answers`, and the CPU
    seconds."""

    def __init__(self, entry: Entry, seated: Seated, referee: Referee, seat: int, name: str) -> None:
        self.entry, self.seated, self.referee, self.seat = entry, seated, referee, seat
        module_random().begin(name)
        self.player, self.others = Player({}, Chance(f"{name}/mine"), seat=seat), Chance(f"{name}/others")
        self.call("constructor", seated.take_seat, self.player)
        self.shown: list[str] = []
        self.seen: list[set[str]] = []
        self.answers: list[Any] = []
        self.spent: list[float] = []
        self.record: list[Action] = []

    def script(self) -> str:
        """Return the script of the deal, up to its last action."""
        return write_script(self.top, [so_far(self.deal, self.source)], self.entry.name)

    def play(self, sitting: Sitting, chance: ExchangeSource, other: SingleDeal | None = None) -> Deal:
        self.source = Recording(chance)
        deal = self.deal = sitting.next_deal(self.source)
        self.top = deepcopy(state_keys(deal))
        if self.seated.imagines:
            remember(deal, [self.seat])
        if call := self.player.call_of("begin", deal):
            self.call("begin", *call)
        written = iter(other.record if other else ())

        def answer(ask: Ask) -> Action:
            before = next(written, None)
            if count(ask.legal) == 1:
                action = ask.legal[0]
            elif ask.seat == self.seat:
                view = deal.View(deal, ask.seat, ask.phase, ask.legal, self.player.chance)
                self.see(deal, view)
                if other and other.shown[: len(self.shown)] != self.shown:
                    raise IllegalError("another question")
                action = self.answer(ask, view)
                self.answers.append(action)
            elif before:
                action = accept(ask.legal, chance.exchanged(before))
            else:
                action = self.others.choice(ask.legal)
            if before and ask.seat == self.seat and action != before:
                raise IllegalError("it has gone another way")
            self.record.append(action)
            return action

        run_deal(deal, answer)
        return deal

    def call(self, phase: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what the strategy returns, under the clock. FailedError if it fails where it did not in the trial."""
        returned, problem = self.referee.call_outside_deal(function, *arguments)
        if problem is not None:
            kind, message, where = problem
            raise FailedError(kind, f"phase {phase}: {message}", *where.splitlines())
        return returned

    def answer(self, ask: Ask, view: Any) -> Action:
        start = process_time()
        answer = self.call(ask.phase, self.player, view)
        self.spent.append(process_time() - start)
        try:
            return accept(ask.legal, answer)
        except (TypeError, ValueError):
            raise FailedError("illegal", f"phase {ask.phase}: answered with what is not legal") from None

    def see(self, deal: Deal, view: Any) -> None:
        names = (*deal.private, *deal.public, "hand", "pools", "stacks", "history")
        shown = [value_text(getattr(view, name)) for name in names]
        shown += [f"{count(view.legal)} legal", *view.legal[:40], view.phase]
        self.shown.append(" | ".join(shown))
        self.seen.append({*re.findall(r"\w+", self.shown[-1]), *(self.seen[-1] if self.seen else ())})
