"""The questions that a guest is asked, and the names of the view that go with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Protocol

from ..refereeing.faults import FaultDetails
from ..refereeing.referee import RemoteFaultError
from ..table.legal import count
from ..table.view import TableView

GuestKey = tuple[str, int, str, int]  # of a question: the deal's place, the seat, the phase, and the actions before it


class AskingTable(Protocol):
    """A table that puts questions to guests."""

    def key_of(self, question: GuestQuestion) -> GuestKey: ...

    def weigh(self, question: GuestQuestion) -> object: ...


class GuestQuestion:
    """A question that waits for a guest. `said`: its answer; `fault_details`: the fault instead.

    `table`: finds its key, unless that is given `at` once, and examines a fault before it counts. `struck`: the fault
    when the shard was played before; it counts once the question has been asked again.

    A table makes most of its questions without `__init__`, which would take longer than the assignments in it."""

    table: AskingTable
    at: GuestKey | None = None
    struck: FaultDetails | None = None
    said: Any = None
    fault_details: FaultDetails | None = None

    def __init__(self, at: GuestKey | None, view: TableView | None) -> None:
        self.at, self.view = at, view

    @property
    def key(self) -> GuestKey:
        return self.at or self.table.key_of(self)

    def result(self) -> Any:
        """Return one of the legal actions if the guest gave its index, else a text. RemoteFaultError."""
        answer = self.said
        if problem := self.struck or self.fault_details:
            if not self.struck:
                self.table.weigh(self)
            raise RemoteFaultError(problem)
        if type(answer) is not int or self.view is None:
            return answer
        legal = self.view.legal
        if 0 <= answer < (len(legal) if type(legal) is tuple else count(legal)):
            return legal[answer]
        raise RemoteFaultError(
            ("illegal", f"answered with place {answer}, and there are {count(legal)} legal actions", "")
        )


@dataclass(slots=True)
class Wants:
    """The names that the guests of a strategy have asked to see, by phase. Names that some ask for are sent to others
    at once.

    `alone`: they are asked one question at a time, because several together have taken more time than one may."""

    phases: dict[str, list[str]] = field(default_factory=dict)
    always: tuple[str, ...] = ()
    alone: bool = False
    looks: dict[str, Callable[[TableView], tuple[Any, ...]]] = field(default_factory=dict)  # at all names of a phase

    def shown(self, phase: str, view: TableView) -> dict[str, Any]:
        """Return the values that go with a question: names of its view, and what it shows under them."""
        names = self.phases.get(phase, self.always)
        if not names:
            return {}
        look = self.looks.get(phase) or self.looks.setdefault(phase, attrgetter("phase", *names))
        return dict(zip(names, look(view)[1:], strict=True))

    def add(self, phase: str, name: str) -> None:
        names = self.phases.setdefault(phase, [*self.always])
        if name not in names:
            names.append(name)
            self.looks.pop(phase, None)
