"""The referee puts each question to its strategy, minds the clock and the rules, and keeps the record."""

from __future__ import annotations

import os
import signal
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import process_time
from traceback import extract_tb
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import Any

from ..base import importing
from ..base.errors import GivenUpError, RulesError, exception_words, scrubbed, type_name
from ..native import native
from ..table.actions import Action
from ..table.cards import CARD
from ..table.chance import Chance
from ..table.deal import Ask, Deal
from ..table.legal import accept, count
from .board import CELLS, QUESTION
from .faults import Fault, FaultDetails, fault_with

Answer = Callable[..., Any]
LONGEST = 100_000  # characters of an answer that are examined: no action of any table is that long
QUOTE = 1000  # characters of it that are shown
ENTERED = {  # faults at questions over which a worker was lost, and their words
    "late": "no answer within the limit, and the interruption was of no use",
    "dead": "the process died",
}


NOT_RETURNED = {  # what a method gives that does not return its answer, and the way to do so
    CoroutineType: "it is async: write def, not async def",
    GeneratorType: "it yields: write return, not yield",
    AsyncGeneratorType: "it is async, and yields: write def and return",
}


class PassedOverError(Exception):
    """Nobody is asked: a fault is entered at this question."""


class RemoteFaultError(Exception):
    """The fault of a strategy in another process, as reported from there."""

    def __init__(self, problem: FaultDetails) -> None:
        super().__init__(*problem)
        self.details = problem


class TimeUp(BaseException):
    """Raised inside a strategy that is still thinking when its time is over."""


class Player:
    """A strategy at a seat: its answer for each phase, and its chance.

    While `forfeits` names the kind of a fault it is not asked; it is `marked` once the deal's record shows that. `begin`
    and `settled` are the strategy's own methods, called outside the questions, if it has them; `imagines`: whether its
    views can imagine."""

    __slots__ = ("answers", "chance", "forfeits", "marked", "seat", "begin", "settled", "imagines")

    def __init__(self, answers: dict[str, Answer], chance: Chance, forfeits: str = "", seat: int = 0) -> None:
        self.answers, self.chance, self.seat = answers, chance, seat
        self.forfeits, self.marked, self.imagines = forfeits, False, False
        self.begin: Answer | None = None
        self.settled: Answer | None = None

    def __call__(self, view: Any) -> Any:
        """Return the strategy's answer to a view."""
        return self.answers[view.phase](view)

    def wrap_answers(self, wrapper: Callable[[Answer], Answer]) -> None:
        self.answers = {phase: wrapper(answer) for phase, answer in self.answers.items()}

    def call_of(self, what: str, deal: Deal) -> tuple[Any, ...]:
        """Return the strategy's `begin` or `settled` with its arguments; nothing if it has no such method."""
        method = getattr(self, what)
        if method is None:
            return ()
        view = deal.View(deal, self.seat, what, (), self.chance)
        return (method, view) if what == "begin" else (method, view, deal.net[self.seat])


class Clock:
    """The watchdog: one timer for a whole worker, which looks a few times per limit at what is being asked.

    `limit`, in seconds, may be less than the `usual` one for a while. The board lies in memory that the parent shares."""

    def __init__(self, limit: float, board: Any = None, lost: Callable[[], None] = lambda: os._exit(75)) -> None:
        self.limit = self.usual = limit
        self.tick, self.lost = min(limit / 4, importing.LOAD_SECONDS), lost
        self.board = board if board is not None else array("q", [0] * CELLS)
        self.question, self.cpu, self.wall, self.warned = 0, 0.0, 0.0, False
        self.parent = os.getppid()

    def __enter__(self) -> Clock:
        self.before = signal.signal(signal.SIGALRM, self._look)
        signal.setitimer(signal.ITIMER_REAL, self.tick, self.tick)
        importing.ticking = True
        return self

    def __exit__(self, *_: object) -> None:
        importing.ticking = False
        signal.setitimer(signal.ITIMER_REAL, 0)  # a tick after this would end the process
        signal.signal(signal.SIGALRM, self.before)

    def _look(self, *_: object) -> None:
        if os.getppid() != self.parent:  # nobody will ask for what is played here
            os._exit(1)
        importing.check_load_time()
        question, cpu, wall = self.board[0], process_time(), importing.waking_clock.look()
        if question != self.question:
            self.question, self.cpu, self.wall, self.warned = question, cpu, wall, False
        elif question and (cpu - self.cpu >= self.limit or wall - self.wall >= 10 * self.limit):
            if self.warned:  # it has swallowed the interruption
                self.lost()
            raise self.time_up("no answer within the limit")

    def time_up(self, message: str) -> TimeUp:
        """Return the exception to raise in a strategy whose time is over. It counts only if this clock raised it."""
        self.question, self.cpu, self.wall, self.warned = (
            self.board[QUESTION],
            process_time(),
            importing.waking_clock.look(),
            True,
        )
        return TimeUp(message)

    def is_up(self) -> bool:
        """Return whether the time was over at the current question."""
        return self.warned and self.question == self.board[QUESTION]


class Referee:
    """Plays deals. `entered` are faults to be entered at the questions with these numbers instead of asking.

    `marks` tells which actions of the last deal were forfeited: by their place, the kind of the fault at a seat's first,
    '' at the others. `pending`: the type of an answer that comes later, if there are any."""

    __slots__ = ("clock", "board", "questions", "entered", "pending", "faults", "marks")

    def __init__(self, clock: Clock, entered: dict[int, str] | None = None, pending: type | None = None) -> None:
        self.clock, self.board, self.questions, self.entered = clock, clock.board, 0, entered or {}
        self.pending = pending
        self.faults: list[Fault] = []
        self.marks: dict[int, str] = {}

    def play(self, deal: Deal, players: Sequence[Player]) -> list[Fault]:
        """Play the deal to its end; its record is then in `deal.asked` and `deal.actions`. Returns the faults."""
        self.faults, self.marks = [], {}
        self.put(questions(self, deal, players))
        return self.faults

    def put(self, asked: Iterator[None]) -> None:
        """Put the questions of a deal to players who answer at once."""
        for _ in asked:
            raise AssertionError("an answer is pending")

    def went_wrong(
        self, deal: Deal, ask: Ask, player: Player, number: int, answer: object, error: BaseException
    ) -> Action:
        """Return the action to play after an error: the strategy raised it, or we did because its answer is not
        legal."""
        if isinstance(error, GivenUpError):
            raise error
        problem = self.fault_details(error, number)
        if ask.phase not in deal.phases:  # the game's own slip
            raise RulesError(f"{deal.id} asks in phase {ask.phase!r}, which its phases do not list") from None
        self.faults.append(fault_of(deal, ask, answer, problem))
        player.forfeits = self.faults[-1].kind
        return self.forfeit(deal, player, ask.legal)

    @staticmethod
    def accepted(legal: Sequence[Action], answer: object) -> Action:
        """Return our own action for an answer of any type; ValueError if it is not legal."""
        if type(answer) is not Action:
            return accept(legal, answer_text(answer))
        return legal[legal.index(answer)] if type(legal) is tuple else accept(legal, answer)

    def forfeit(self, deal: Deal, player: Player, legal: Sequence[Action]) -> Action:
        """Play the first legal action, which commits to the least, for a seat at fault."""
        self.marks[len(deal.actions)] = "" if player.marked else player.forfeits
        player.marked = True
        return legal[0]

    def call_outside_deal(self, function: Callable[..., Any], *arguments: Any) -> tuple[Any, FaultDetails | None]:
        """Call a strategy outside a deal's questions, under the same clock. Return its result, and what went wrong."""
        self.questions = number = self.questions + 1
        try:
            if number in self.entered:
                raise PassedOverError
            self.board[0] = number
            returned = function(*arguments)
            self.board[0] = 0
            return returned, None
        except BaseException as error:  # whatever it raises is its own
            return None, self.raised(error, number)

    def raised(self, error: BaseException, number: int) -> FaultDetails | None:
        """Return what went wrong outside the questions."""
        if isinstance(error, GivenUpError):
            raise error
        return self.fault_details(error, number)

    def fault_details(self, error: BaseException, number: int) -> FaultDetails | None:
        """Return what went wrong at a question, None if the answer itself is at fault. The clock still runs, because
        the text of the error is the strategy's."""
        if isinstance(error, RemoteFaultError):
            self.board[QUESTION] = 0
            return error.details
        if not self.board[QUESTION]:
            kind = self.entered.get(number)
            return (kind, ENTERED[kind], "") if kind else None
        try:
            late = isinstance(error, TimeUp) and self.clock.is_up()
            return ("late", str(error), "") if late else what_went_wrong(error)
        finally:
            self.board[QUESTION] = 0


@native
def questions(referee: Referee, deal: Deal, players: Sequence[Player]) -> Iterator[None]:
    """Put the questions of a deal to its players, until it is over; yields while an answer is pending.

    Then a player has returned an object of the referee's type `pending`. Its `result` returns the answer or raises."""
    answer: Any = None
    number = referee.questions
    send, board, entered = deal.deal().send, referee.board, referee.entered
    make_view, new_view = deal.View, tuple.__new__
    asked, actions = deal.asked, deal.actions
    try:
        while True:
            ask = send(answer)
            seat, legal = ask.seat, ask.legal
            player = players[seat]
            if (len(legal) if type(legal) is tuple else legal.size) == 1:  # type: ignore[attr-defined]
                answer = legal[0]  # forced: nobody is asked, and it is recorded anyway
            elif player.forfeits:
                answer = referee.forfeit(deal, player, legal)
            else:
                number += 1
                phase, pending = ask.phase, False
                said: Any = None
                try:
                    if entered and number in entered:
                        raise PassedOverError
                    view = new_view(make_view, (deal, seat, phase, legal, player.chance))
                    board[0] = number
                    said = player.answers[phase](view)
                    board[0] = 0
                    pending = type(said) is referee.pending
                    if not pending:
                        answer = referee.accepted(legal, said)
                except BaseException as error:  # the strategy's own, whatever it is; or ours for what is not legal
                    answer = referee.went_wrong(deal, ask, player, number, said, error)
                if pending:
                    yield
                    later, said = said, None
                    try:
                        said = later.result()
                        answer = referee.accepted(legal, said)
                    except BaseException as error:
                        answer = referee.went_wrong(deal, ask, player, number, said, error)
            asked.append(ask)
            actions.append(answer)
    except StopIteration:
        return
    finally:
        referee.questions = number


def answer_text(answer: object) -> str:
    """Return an answer as text, if it is plain text. Other types are not examined."""
    if (text := exact_text(answer)) is None or len(text) > LONGEST:
        raise ValueError("no text, or too long")
    return text


def exact_text(answer: object) -> str | None:
    """Return the exact text of a string, whatever its class overrides; None for other types."""
    return str.__str__(answer) if issubclass(type(answer), str) else None


def fault_of(deal: Deal, ask: Ask, answer: object, problem: FaultDetails | None) -> Fault:
    """Return a fault with words that are the same on every machine."""
    view = str(deal.View(deal, ask.seat, ask.phase, ask.legal, Chance()))
    details = problem or ("illegal", why_illegal(deal, ask, answer), "")
    return replace(fault_with(details, ask.seat, ask.phase, deal), view=tuple(view.splitlines()))


def why_illegal(deal: Deal, ask: Ask, answer: object) -> str:
    """Return what is wrong with an answer that is not legal."""
    text = exact_text(answer)
    return no_answer(ask.legal, answer) or refusal_text(
        text, guess_meant(ask.legal, text) or why_refused(deal, ask, text or "")
    )


def no_answer(legal: Sequence[Action], answer: object) -> str:
    """Return what is wrong with an answer that no game needs to look at: it is not a text, or too long; "" for
    others."""
    text = exact_text(answer)
    if text is None:
        meant = f" ({guess})" if (guess := guess_meant(legal, answer)) else ""
        return f"answered with {type_name(answer)}, which is no action{meant}"
    return refusal_text(text, f"{len(text)} characters") if len(text) > LONGEST else ""


def refusal_text(text: str | None, why: str) -> str:
    return f'illegal "{scrubbed((text or "")[:QUOTE])[:200]}" ({why})'


def why_refused(deal: Deal, ask: Ask, text: str) -> str:
    """Return the refusal in the game's words, for any answer."""
    return scrubbed(deal.refusal(ask, Action(text))) if text.strip() else "nothing was said"


def guess_meant(legal: Sequence[Action], answer: object) -> str:
    """Guess what an answer that is not legal was meant to be: 'answer "play 8c", not the card'; "" if there is no
    guess.

    A text longer than any action is not examined."""
    if answer is None:
        return "nothing was returned"
    if type(answer) is int:
        return f"answer view.legal[{answer}], not its place" if 0 <= answer < count(legal) else ""
    if type(answer) in NOT_RETURNED:
        return NOT_RETURNED[type(answer)]
    if is_numpy_integer(type(answer)):
        return "an index is not an answer: return view.legal[i]"
    text = str.__str__(answer) if issubclass(type(answer), str) else ""
    if not 0 < len(text) <= 100:
        return ""
    verbs = dict.fromkeys(legal[at].verb for at in [*range(min(count(legal), 40)), -1])
    for verb in verbs:
        if f"{verb} {text}" in legal:
            return f'answer "{verb} {text}", not {"the card" if text in CARD else "the rest of it"}'
    return "" if text.split()[:1] in [[verb] for verb in verbs] else f"an answer here is {' or '.join(verbs)}"


def is_numpy_integer(kind: type) -> bool:
    """Return whether a type is one of NumPy's integers. Nothing of the type is called."""
    integer = getattr(sys.modules.get("numpy"), "integer", sys)
    return any(parent is integer for parent in type.__dict__["__mro__"].__get__(kind))


def what_went_wrong(error: BaseException) -> FaultDetails:
    """Return the kind of a fault that is not an answer, its words, and where in the strategy it happened."""
    return "memory" if isinstance(error, MemoryError) else "exception", exception_words(error), traceback_of(error)


def traceback_of(error: BaseException) -> str:
    """Return the strategy's own lines of a traceback: 'mine.py:8 in call', innermost last."""
    own = os.path.dirname(os.path.dirname(__file__))
    lines = [
        scrubbed(f"{os.path.basename(frame.filename)[-80:]}:{frame.lineno} in {frame.name[:80]}")
        for frame in extract_tb(error.__traceback__)
        if not frame.filename.startswith(own + os.sep)
    ]
    return "\n".join(lines[:5] + ["..."] * (len(lines) > 10) + lines[5:][-5:])
