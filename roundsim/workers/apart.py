"""Tables at which strangers sit: their strategies are asked in processes of their own, many tables in step."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..native import native
from ..refereeing.referee import Fault, GivenUpError, Problem, Referee, ToldError
from ..table.actions import Action
from ..table.deal import Deal
from ..table.legal import count
from ..table.view import TableView
from ..tournament.conduct import Conduct
from .guests import LOSSES, Guest, Guests, Key, LostError, Question
from .lockstep import WIDTH, Lockstep
from .sent import as_json_text, few_as_sent, legal_as_sent
from .strategies import Sitter, Strategies

Moment = tuple[int, int, int]  # a part, a block, and the how manieth fault of an entrant there


class OtherwiseError(GivenUpError):
    """A shard has gone otherwise than was foreseen, and is to be played once more."""


@dataclass(slots=True)
class Foresight:
    """What is known of a shard before it is played, from playing it before.

    Tables in step do not know of each other's faults.  So when somebody is barred, or a guest is lost, the shard is played
    again, by fresh guests, knowing that.  So it is, a table at a time, if memory is wanting: in step a guest holds what its
    strategy carries for many sittings.  `entered`: what went wrong at questions that are not asked again; `barred`: after
    which of his faults an entrant is; `singly`: who is asked one question at a time, so that it is known over which his
    guest is lost; `losses`: where that was; `without`: who has filled his memory, and is not asked."""

    entered: dict[Key, Problem] = field(default_factory=dict)
    barred: dict[int, Moment] = field(default_factory=dict)
    width: int = WIDTH
    without: set[int] = field(default_factory=set)
    singly: set[int] = field(default_factory=set)
    losses: dict[int, list[Key]] = field(default_factory=dict)

    def wanting(self, entrant: int, full: bool, width: int) -> bool:
        """A guest has no memory left, with so many tables in step: whether all is to be played again, knowing that."""
        if width > 1:
            self.width = 1
        elif full:
            self.without.add(entrant)
        return width > 1 or full

    def lost(self, lost: LostError) -> None:
        """A guest may be killed from outside: it has died of a question only if it does so again, or ever at others."""
        if lost.key is None:
            self.singly.add(lost.entrant)
            return
        before = self.losses.setdefault(lost.entrant, [])
        if lost.kind != "dead" or lost.key in before or len(before) + 1 >= LOSSES:
            kind = "late" if lost.kind == "late" else "dead"
            self.entered[lost.key] = kind, lost.words, ""
            before.clear()
        else:
            before.append(lost.key)


class Foreseen(Conduct):
    """The conduct of the entrants of one block: who is barred, and when, is foreseen."""

    def __init__(self, foresight: Foresight, part: int, block: int) -> None:
        super().__init__()
        self.after = {who: at[2] for who, at in foresight.barred.items() if at[:2] == (part, block)}
        self.barred = {who for who, at in foresight.barred.items() if at[:2] < (part, block)}

    def fault(self, entrant: int, kind: str, phase: str) -> None:
        self.faults[entrant, ""] += 1
        if self.faults[entrant, ""] == self.after.get(entrant):
            self.barred.add(entrant)


class Apart(Strategies):
    """The table of one block among many that go in step; what it comes to is entered when its turn has come.

    `faults`: those made there, each with its place and its entrant."""

    part: int
    block: int
    place: str
    deal: Deal
    faults: list[tuple[Fault, str, int]]

    def __init__(
        self, of: Strategies, guests: Guests, strangers: Set[int], step: Lockstep, foresight: Foresight
    ) -> None:
        vars(self).update(vars(of))
        self.guests, self.strangers, self.step, self.foresight = guests, strangers, step, foresight

    def at(self, part: int, block: int) -> Apart:
        """The same for one block."""
        one = object.__new__(type(self))
        vars(one).update(vars(self))
        one.part, one.block = part, block
        one.conduct = Foreseen(self.foresight, part, block)
        one.referee = Referee(self.referee.clock, self.referee.entered)
        one.referee.questions = (part << 32) + (block << 16)
        one.lines, one.chances, one.kept, one.sitters, one.headers = [], {}, {}, [], {}
        one.faults = []
        one.pages = None
        one.place = ""
        return one

    def fault(self, fault: Fault, place: str, entrant: int) -> None:
        self.conduct.fault(entrant, fault.kind, fault.phase)
        self.faults.append((fault, place, entrant))

    def sit(self, table: str, *given: Any) -> None:
        self.place = f"{table}/1"
        super().sit(table, *given)
        for seat, sitter in enumerate(self.sitters):
            if sitter.move and sitter.seat != seat:  # players go from table to table
                sitter.move(seat)
            sitter.seat = seat

    def play(self, place: str, deal: Deal, first: bool) -> None:
        self.place, self.deal = place, deal
        super().play(place, deal, first)

    def make(self, sitter: Sitter, key: int, bits: int | None) -> Problem | None:
        _, seat, entrant = sitter.at
        if entrant not in self.strangers:
            return super().make(sitter, key, bits)
        guest = self.guests.of(self.entry, entrant, self.number_of(seat), self.part)
        guest.sittings = sitting = guest.sittings + 1
        first, follows = sitter.chance.as_sent()
        random = f'"{self.module_chance(key, bits).as_sent()[1]}"' if guest.draws else "null"
        seated = f'{sitting},{seat},"{first}","{follows}",{random}'
        if "sit" in guest.hears:
            asked = partial(self.asked, guest, (self.place, seat, "constructor", 0), None, "sit", seated)
            _, problem = self.referee.beside(asked)
            if problem:
                return problem
        else:
            guest.out.append(f'["sit",0,{seated}]')
        sitter.answers = dict.fromkeys(self.entry.deal.phases, partial(self.answer, guest, sitting))
        sitter.imagines = guest.imagines
        for what in "begin", "settled":
            if what in guest.hears:
                setattr(sitter, what, partial(self.call, guest, sitting, what))
        sitter.move = partial(self.moved, guest, sitting)
        sitter.leave = partial(self.left, guest, sitting, seat)
        self.ends, self.hearing = self.ends or "leave" in guest.hears, True
        return None

    @native
    def answer(self, guest: Guest, sitting: int, view: TableView) -> Any:
        """What a guest says to a question: one of the legal actions, by its place, or a text."""
        legal, phase = view.legal, view.phase
        sent = few_as_sent(legal) if type(legal) is tuple else self.lazy_as_sent(guest, legal)
        key = self.place, view.seat, phase, len(self.deal.actions)
        said = self.asked(guest, key, view, "ask", sitting, f'"{phase}"', sent, guest.wants.shown(phase, view))
        return said if isinstance(said, str) else self.at_place(legal, said)

    @staticmethod
    def lazy_as_sent(guest: Guest, legal: Sequence[Action]) -> str:
        return as_json_text(legal_as_sent(legal, guest.plain))

    def told(self, guest: Guest, question: Question, legal: Sequence[Action]) -> Action:
        """The action at a place, or what went wrong."""
        return self.at_place(legal, self.said(guest, question))

    @staticmethod
    def at_place(legal: Sequence[Action], said: int) -> Action:
        if 0 <= said < count(legal):
            return legal[said]
        raise ToldError(("illegal", f"answered with place {said}, and there are {count(legal)} legal actions", ""))

    def call(self, guest: Guest, sitting: int, what: str, view: TableView, *net: int) -> None:
        key = self.place, view.seat, what, len(self.deal.actions)
        self.asked(guest, key, view, what, sitting, *net, guest.wants.shown(what, view))

    def moved(self, guest: Guest, sitting: int, seat: int) -> None:
        guest.out.append(f'["move",0,{sitting},{seat}]')

    def left(self, guest: Guest, sitting: int, seat: int, asked: bool) -> None:
        if asked and "leave" in guest.hears:
            self.asked(guest, (self.place, seat, "__del__", 0), None, "leave", sitting)
        else:
            guest.out.append(f'["leave",0,{sitting}]')

    def asked(self, guest: Guest, key: Key, view: TableView | None, word: str, *more: object) -> Any:
        """Ask a guest, while the other tables go on."""
        struck = self.foresight.entered.get(key) if self.foresight.entered else None
        if struck and struck[0] != "memory":
            raise ToldError(struck)
        question = Question(key, view)
        self.step.ask(guest, question, word, *more)
        if struck:
            raise ToldError(struck)
        return self.said(guest, question)

    def said(self, guest: Guest, question: Question) -> Any:
        if question.problem:
            kind = question.problem[0]
            if kind in ("memory", "full") and self.foresight.wanting(guest.entrant, kind == "full", self.step.width):
                raise OtherwiseError
            raise ToldError(question.problem)
        return question.said

    def leave(self) -> None:
        if not self.ends:
            for sitter in self.kept.values() or self.sitters:
                sitter.let_go()
        super().leave()
