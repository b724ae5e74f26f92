"""`roundsim check --against`: ask another version the questions of a trial, and count where it answers differently."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ..base.errors import StrategyError
from ..base.finding import is_path
from ..base.text import number, percent, so_many
from ..refereeing.faults import Fault
from ..refereeing.recording import write_script
from ..refereeing.referee import Answer, answer_text, fault_of
from ..sources import plugins
from ..sources.commits import GIT_PLACE, committed
from ..sources.plugins import Strategy
from ..sources.specs import Spec, read_spec
from ..sources.strategy import Seated
from ..table.actions import Action
from ..table.deal import Ask, Deal
from ..table.legal import accept
from ..tournament.planning.plan import Limits
from .clock import TrialClock
from .trial import Trial, TrialOptions

AGAINST = "against "  # begins the line
PLACES = 5  # differences that are shown
FIRST_QUESTION = 1 << 40  # questions are counted from here, unlike those of the strategy that plays
RIVAL_SEAT = 100  # modules are counted from here: there are fewer seats


@dataclass(frozen=True)
class Against:
    """The strategies to compare with: the text that names them, its place, and the strategies found there."""

    text: str
    place: str
    strategies: tuple[Strategy, ...]

    @property
    def modules(self) -> list[Path]:
        return [Path(strategy.path) for strategy in self.strategies if not strategy.command]

    @property
    def title(self) -> str:
        return AGAINST + self.text

    def rival_of(self, strategy: Strategy, game: str) -> Strategy:
        """Return the strategy to compare with: the one of the same name in a file of the same name, else of the same
        name, else the only one.

        StrategyError."""
        able = [rival for rival in self.strategies if rival.plays(game)]
        called = [rival for rival in able if rival.attribute == strategy.attribute]
        there = [rival for rival in called if Path(rival.path).name == Path(strategy.path).name]
        for candidates in there, called, able:
            if len(candidates) == 1:
                return candidates[0]
        among = f"it may be any of {', '.join(rival.attribute for rival in able)}" if able else f"none plays {game}"
        raise StrategyError(f"no {strategy.attribute} in {self.text}, and {among}")

    def spec(self, rival: Strategy) -> str:
        """Return how a command line names one of them."""
        from_git = self.place.startswith("git:")
        place = f"{self.place}:{rival.attribute}" if rival.attribute else self.place
        return place + rival.brackets if from_git else plugins.spec(rival)


def find_against(text: str, mine: str, game: str | None, limits: Limits) -> Against:
    """Find the strategies that a text names, to compare with. `git:REVISION` alone is the same file, as it was
    committed.

    A separate process imports them first. StrategyError, PluginError, FolderError."""
    whole, folder, asked = text, None, read_spec(text)
    if asked.place.startswith("git:") and asked.place.count(":") == 1:
        whole, folder = of_same_file(asked, read_spec(mine))
    plugins.describe_ahead([whole], folder, limits.memory, limits.seals)
    return Against(text, read_spec(whole).place, tuple(plugins.find(whole, game, folder)))


def of_same_file(asked: Spec, mine: Spec) -> tuple[str, Path | None]:
    """Return what a text names at a revision, and the folder from which to read that. StrategyError, PluginError."""
    root = None
    if known := GIT_PLACE.fullmatch(mine.place):
        place = f"{asked.place}:{known['path']}"
    elif is_path(mine.place):
        path = Path(os.path.expanduser(mine.place))
        if not path.exists():
            raise StrategyError(f"{mine.place}: there is no such file or folder")
        place, root = committed(path, asked.place)
    else:
        raise StrategyError(
            f"{asked.place} is a revision, and {mine.what} no file: name the other one whole, as {asked.place}:old/mine.py"
        )
    given = ", ".join([f"{key}={value!r}" for key, value in (asked.parameters or mine.parameters).items()])
    return place + (f":{mine.attribute}" if mine.attribute else "") + (f"({given})" if given else ""), root


class TrialSide(Trial):
    """One of the two sides: it has its own draws from `random`, also in a module that it imports."""

    def seat_of(self, entrant: int, number: int) -> Seated:
        seated = super().seat_of(entrant, number)
        seated.draws = True
        return seated


class Rival(TrialSide):
    """The other version. It sits at the same seat, with the same chance, and its answers are not played. `failures`:
    their number; `first`: the words of the first."""

    def __init__(self, strategy: Strategy, game: type[Deal], how: TrialOptions, clock: TrialClock) -> None:
        super().__init__(strategy, game, how, clock)
        self.referee.questions = FIRST_QUESTION
        self.failures, self.first = 0, list[str]()

    def begin_stage(self) -> None:
        super().begin_stage()
        self.cast.modules.update(
            {strategy.path: RIVAL_SEAT for strategy in self.entry.strategies}
        )  # it may be of the same file

    def answer(self, deal: Deal, ask: Ask) -> Action | None:
        """Return its answer to a question; None if it fails, or if a run would not ask it for the rest of the
        sitting."""
        sitter = self.sitters[ask.seat]
        if sitter.out:
            return None
        view = deal.View(deal, ask.seat, ask.phase, ask.legal, sitter.chance)
        answer, problem = self.referee.call_outside_deal(sitter.answers[ask.phase], view)
        if problem is None:
            with suppress(TypeError, ValueError):
                return accept(ask.legal, answer if type(answer) is Action else answer_text(answer))
        self.record_fault(fault_of(deal, ask, answer, problem))
        sitter.out = self.conduct.sits_down(0)
        return None

    def record_fault(self, fault: Fault) -> None:
        self.conduct.note_fault(fault.entrant, fault.kind, fault.phase)
        self.failures += 1
        self.first = self.first or self.lines_of(fault)


class DifferingDeal(NamedTuple):
    """A deal with a difference: its number, the seat, and the script of its sitting up to its end."""

    deal: int
    seat: int
    script: str


class Both(TrialSide):
    """A strategy in its trial, and a rival that gets the same questions.

    `asked`: the number of questions; `differ`: the number to which the rival answers differently, or not at all;
    `places`: the first answers that differ, in words; `shown`: the first deal with a difference."""

    def __init__(
        self, strategy: Strategy, rival: Strategy, game: type[Deal], how: TrialOptions, clock: TrialClock
    ) -> None:
        self.rival = Rival(rival, game, how, clock)
        self.asked = self.differ = 0
        self.places = list[str]()
        self.answers: list[tuple[int, Action | None]] = []  # of the rival in this deal, by the number of the action
        self.shown: DifferingDeal | None = None
        super().__init__(strategy, game, how, clock)
        self.cast.imagining = self.cast.imagining or self.rival.cast.imagining

    def begin_stage(self) -> None:
        super().begin_stage()
        self.rival.begin_stage()

    def sit(self, *given: Any) -> None:
        super().sit(*given)
        self.rival.sit(*given)
        seat = self.who.index(0)
        mine, other = self.sitters[seat], self.rival.sitters[seat]
        mine.imagines = mine.imagines or other.imagines
        mine.wrap_answers(self.to_both)
        self.watching = self.watching or self.rival.watching
        self.accompanied = self.accompanied or self.rival.accompanied

    def to_both(self, answer: Answer) -> Callable[[Any], Any]:
        """Ask the rival what this one has answered. The clock ends one question before it starts the other."""

        def ask(view: Any) -> Any:
            own = answer(view)
            question = Ask(view.seat, view.phase, view.legal)
            self.answers.append((len(self.deal.actions), self.rival.answer(self.deal, question)))
            return own

        return ask

    def play(self, place: str, deal: Deal, first: bool) -> None:
        self.answers, self.rival.number = [], self.number + 1
        super().play(place, deal, first)
        self.asked += len(self.answers)
        for at, answer in self.answers:
            if answer != deal.actions[at]:
                self.note(deal, at, answer)

    def note(self, deal: Deal, at: int, answer: Action | None) -> None:
        """Note that the rival answered differently, or not at all."""
        seat, phase = deal.asked[at].seat, deal.asked[at].phase
        difference = f"seat {seat}, phase {phase}: {deal.actions[at]}, was {answer or 'at fault'}"
        self.differ += 1
        if answer is not None and len(self.places) < PLACES:
            self.places.append(f"deal {self.number}, {difference}")
        if self.shown is None:
            script = write_script(self.top, self.deals, f"{self.entry.name}/{self.place}: {difference}")
            self.shown = DifferingDeal(self.number, seat, script)

    def call_beside(self, what: str, place: str, deal: Deal) -> None:
        super().call_beside(what, place, deal)
        self.rival.call_beside(what, place, deal)

    def leave(self) -> None:
        super().leave()
        self.rival.leave()

    def verdict(self, text: str) -> list[str]:
        """Return the words of a line: `ok` or `note`, how often they differ, how the rival has failed, and the first
        places."""
        if not self.asked:
            return ["-", "nothing was asked"]
        times, first = so_many(self.rival.failures, "time"), self.rival.first
        failed = [f"{text} failed {times}: {first[0]}", *first[1:]] if first else []
        more = [*failed, *self.places]
        if not self.differ:
            return ["note" if more else "ok", f"the same answers in {so_many(self.asked, 'decision')}", *more]
        part = percent(self.differ / self.asked)
        return ["note", f"{number(self.differ)} of {number(self.asked)} answers differ ({part})", *more]
