"""Tables in step: each goes on until it waits for a guest; then every guest gets all its questions at once.

A message to a process costs more than the questions in it, so many tables share one. Tables do not see each other, and
the order of the lines to a guest depends on the tables alone: so bytes do not depend on how many tables go together."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Generic, TypeVar

from greenlet import getcurrent, greenlet

from ..base.errors import GivenUpError
from ..guests.guest import Guest
from ..guests.losses import NotLoadedError
from ..guests.question import GuestQuestion
from ..refereeing.board import ASKED, CELLS, QUESTION
from .times import Times

TABLES_IN_STEP = 64  # tables in play: a constant, because the memory of a guest's module depends on it
OVER = object()  # in place of a question: a deal has none left
NO_QUESTIONS: Iterator[None] = iter(())
Made = TypeVar("Made")


class RunningTable(Generic[Made]):
    """A table in play: a greenlet that may hand over the `questions` of a deal, so it is not switched to for each of them.

    `error`: what it raised, which is raised again when its turn has come."""

    questions = NO_QUESTIONS

    def __init__(self, play: Callable[[], Made]) -> None:
        self.made: Made
        self.error: BaseException | None = None

        def to_its_end() -> None:
            try:
                self.made = play()
            except BaseException as error:
                self.error = error

        self.step = greenlet(to_its_end)

    def go_on(self, error: BaseException | None = None) -> None:
        """Go on after the questions of a deal, which may have raised an error, until the table waits for a guest or
        ends."""
        while True:
            self.questions = NO_QUESTIONS  # a deal that is over is let go first
            self.questions = (self.step.throw(error) if error else self.step.switch()) or NO_QUESTIONS
            error = None
            if self.questions is NO_QUESTIONS:
                return
            try:
                if next(self.questions, OVER) is not OVER:
                    return
            except BaseException as raised:
                error = raised

    def give_up(self) -> None:
        self.questions = NO_QUESTIONS
        if self.step:  # it was started, and has not ended
            self.step.throw(GivenUpError)

    def result(self) -> Made:
        if self.error:
            raise self.error
        return self.made


class Lockstep:
    """Plays tables in step, `width` at a time."""

    __slots__ = ("width", "times", "board", "main", "asked")

    def __init__(self, width: int = TABLES_IN_STEP, times: Times | None = None) -> None:
        self.width, self.times = width, times or Times([0] * CELLS)
        self.board = self.times.board
        self.main = getcurrent()
        self.asked: dict[Guest, None] = {}  # in the order in which they are asked

    def wait_for(self, guest: Guest, question: GuestQuestion) -> Any:
        """Called by a table outside the questions of a deal: wait until the guest has answered."""
        self.asked[guest] = None
        self.board[QUESTION] = 0  # its guest thinks, not the worker
        self.main.switch()
        return question.result()

    def put(self, questions: Iterator[None]) -> None:
        """Called by a table: put the questions of a deal, and wait until it is over."""
        self.main.switch(questions)

    def play(self, plays: Iterable[Callable[[], Made]]) -> Iterator[Made]:
        """Yield the result of each table, in their order. GuestLostError, NotLoadedError if a guest is lost: the others are
        given up."""
        left, tables, playing = iter(plays), deque[RunningTable[Made]](), list[RunningTable[Made]]()
        try:
            while True:
                room = self.width - len(playing)
                new = [RunningTable(play) for play in islice(left, room)]
                tables.extend(new)
                playing += new
                ended = False
                for table in playing:
                    try:
                        if next(table.questions, OVER) is not OVER:
                            continue
                        table.go_on()
                    except BaseException as error:
                        table.go_on(error)
                    ended = ended or table.step.dead
                    if type(table.error) is NotLoadedError:
                        raise table.error  # at once: each other table would wait for the same guest as long
                if ended:
                    playing = [table for table in playing if not table.step.dead]
                while tables and tables[0].step.dead:
                    yield tables.popleft().result()
                if not tables and len(new) < room:
                    return
                self.exchange()
        finally:
            for table in playing:
                table.give_up()

    def exchange(self) -> None:
        """Let every guest answer its questions. All are sent to first, so that they think at the same time."""
        asked, self.asked = [*self.asked], {}
        for guest in asked:
            guest.hold()
        while asked:
            for guest in asked:
                guest.send()
            for guest in asked:
                self.board[ASKED] = guest.entrant + 1
                self.times.enter(guest.entrant, guest.answer_all())
                guest.release()
            asked = [guest for guest in asked if guest.open]
