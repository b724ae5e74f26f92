"""A fault of a strategy."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from ..table.deal import Deal

FaultDetails = tuple[str, str, str]  # the kind, the words, the strategy's own lines of the traceback


@dataclass(frozen=True)
class Fault:
    """A mistake of a strategy: its kind (illegal, exception, late, memory, dead), and a description.

    `entrant` and `deal`, nap/17/2/3, are of the shard that reports it. `action`: its number in the deal, from 1.
    `where`: the strategy's own lines of the traceback; `view`: the view it was shown, one name a line."""

    entrant: int = 0
    deal: str = ""
    seat: int = 0
    phase: str = ""
    action: int = 1
    kind: str = ""
    words: str = ""
    where: tuple[str, ...] = ()
    view: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Fault:
        """Read a report. TypeError if it is not one, ValueError for characters that cannot be printed."""
        fault = cls(**data)
        if missing := vars(fault).keys() - data.keys():
            raise TypeError(f"a fault without {min(missing)}")
        if not all(isinstance(data[key], list) for key in ("where", "view")):
            raise TypeError("a fault with a text in place of lines")
        texts = fault.deal, fault.phase, fault.kind, fault.words, *fault.where, *fault.view
        if not all(type(number) is int for number in (fault.entrant, fault.seat, fault.action)):
            raise TypeError("a fault with values of other types")
        if not "".join(texts).isprintable():
            raise ValueError("a fault in characters that cannot be printed")
        return replace(fault, where=tuple(fault.where), view=tuple(fault.view))

    @property
    def place(self) -> str:
        """The address within its entry: 17/2/3."""
        return self.deal.partition("/")[2]

    @property
    def again(self) -> str:
        """The command that shows the deal, in the folder of its run."""
        return f"roundsim replay {shlex.quote(f'.:{self.deal}')}"

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def fault_with(details: FaultDetails, seat: int, phase: str, deal: Deal | None = None) -> Fault:
    """Return a fault of a seat, in a deal, or before it."""
    kind, words, where = details
    action = len(deal.actions) + 1 if deal else 1
    return Fault(seat=seat, phase=phase, action=action, kind=kind, words=words, where=tuple(where.splitlines()))
