"""Tables in step: each goes on until it waits for a guest; then every guest is asked all that is to be asked of it.

A message to a process costs more than the questions in it, so many tables share one.  Tables cannot feel each other, and
what a guest hears comes in an order that hangs on nothing but the tables: so bytes do not depend on how many go together."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Generic, TypeVar

from greenlet import getcurrent, greenlet

from ..refereeing.board import ASKED, CELLS, QUESTION
from ..refereeing.referee import GivenUpError
from .guests import Guest, Question
from .times import Times

WIDTH = 64  # tables that are in play: a constant, for what a guest's module remembers hangs on it
Made = TypeVar("Made")


class Underway(Generic[Made]):
    """A table in play.  `error`: what it raised, told when its turn has come."""

    def __init__(self, play: Callable[[], Made]) -> None:
        self.made: Made
        self.error: BaseException | None = None

        def to_its_end() -> None:
            try:
                self.made = play()
            except BaseException as error:
                self.error = error

        self.step = greenlet(to_its_end)

    def result(self) -> Made:
        if self.error:
            raise self.error
        return self.made


class Lockstep:
    """Plays tables in step, so many at a time."""

    __slots__ = ("width", "times", "board", "main", "asked")

    def __init__(self, width: int = WIDTH, times: Times | None = None) -> None:
        self.width, self.times = width, times or Times([0] * CELLS)
        self.board = self.times.board
        self.main = getcurrent()
        self.asked: dict[Guest, None] = {}  # in the order in which they are asked

    def ask(self, guest: Guest, question: Question, word: str, *more: object) -> None:
        """Of a table: wait until the guest has answered."""
        self.asked[guest] = None
        guest.ask(question, word, *more)
        self.main.switch()

    def play(self, plays: Iterable[Callable[[], Made]]) -> Iterator[Made]:
        """What each comes to, in their order.  LostError, if a guest is lost: the others are given up."""
        left, tables, playing = iter(plays), deque[Underway[Made]](), list[greenlet]()
        try:
            while True:
                room = self.width - len(playing)
                new = [Underway(play) for play in islice(left, room)]
                tables.extend(new)
                playing += [table.step for table in new]
                for step in playing:
                    step.switch()
                    self.board[QUESTION] = 0  # its guest thinks, not the worker
                playing = [step for step in playing if not step.dead]
                while tables and tables[0].step.dead:
                    yield tables.popleft().result()
                if not tables and len(new) < room:
                    return
                self.exchange()
        finally:
            for step in playing:
                step.throw(GivenUpError)

    def exchange(self) -> None:
        """Every guest answers what it is asked: all are sent to first, so that they think at the same time."""
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
