"""The record of a run: addresses, log lines with their marks, and fault reports, each with a text form and a parser.

    = 17/2 book | random | random#2 | book#2                     who sits in seats 0, 1, 2 ... of table 17/2
    ! 17/2/1 2 begin exception                                    a fault outside the deals: seat, phase, kind
    17/2/3 1 -3 9 -3 -3 | call 3, pass, !illegal pass, ! play As  deal, dealer, nets by seat, actions
    ~ 17/2/4 2 3 -3 0 0 | call 3, pass, play As                   practised: it does not count, see below
    17/2/end 1 1 1 0 0 |                                          what the end of a sitting moved

The mark `!` is on an action that was played for a seat. The first in a deal gives the reason: the kind of the fault, or
OUT or BARRED for a seat that was not asked. A deal is practised if a person took an answer back before it was over: then
it is dealt again with other cards, and the line of the deal that counts follows."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ...base.errors import LogError
from ...native import native

END = "end"
PRACTISED = "~ "  # before the line of a practised deal
KINDS = ("dead", "exception", "illegal", "late", "memory")  # of faults
OUT, BARRED = "out", "barred"  # not asked any more in a sitting, in a shard
STRIKES = {"late": 10, "dead": 3, "memory": 3}  # faults in one shard after which a strategy is not asked there again
PHASES_OUTSIDE_DEALS = ("constructor", "shard", "begin", "settled", "__del__")  # the phases of faults outside the deals


class Address(NamedTuple):
    """The address of a deal, or (deal None) of the end of a sitting: nap/17/2/3, loto/1/1/end. Numbers start at 1."""

    entry: str
    block: int
    sitting: int
    deal: int | None

    @classmethod
    def parse(cls, text: str) -> Address:
        """Parse an address. LogError if it is not one."""
        entry, *rest = text.rsplit("/", 3)
        if len(rest) != 3 or not entry or "/" in entry or not all(map(_counts, rest[:2])):
            raise LogError(f"{text!r} is no deal: ENTRY/BLOCK/SITTING/DEAL")
        if rest[2] != END and not _counts(rest[2]):
            raise LogError(f"{text!r} is no deal: ENTRY/BLOCK/SITTING/DEAL, or /end")
        return cls(entry, int(rest[0]), int(rest[1]), None if rest[2] == END else int(rest[2]))

    def __str__(self) -> str:
        return f"{self.entry}/{self.place}"

    @property
    def place(self) -> str:
        """The address within its entry, as in the log: 17/2/3."""
        return f"{self.block}/{self.sitting}/{END if self.deal is None else self.deal}"

    @property
    def table(self) -> str:
        """The sitting, or the table: 17/2."""
        return f"{self.block}/{self.sitting}"


def _counts(text: str) -> bool:
    return text.isascii() and text.isdecimal() and not text.startswith("0") and len(text) < 20


def seats_line(table: str, labels: Sequence[str]) -> str:
    """Return the line that says who sits where. It precedes the first deal that it holds for."""
    return f"= {table} {' | '.join(labels)}"


def seated_in(names: str, labels: Collection[str]) -> list[str]:
    """Return the labels in such a line, from the text after the table. A label may contain anything."""
    return finder_of((*labels,))(names)


@lru_cache(8)
def finder_of(labels: Sequence[str]) -> Callable[[str], list[str]]:
    """Return a function that finds these labels: quickly, unless one may contain what is between two of them."""
    if any(" |" in label or label.endswith(" ") for label in labels):
        return re.compile("|".join(map(re.escape, sorted(labels, key=len, reverse=True)))).findall
    known = {*labels}
    return lambda names: [name for name in names.split(" | ") if name in known]


def fault_line(place: str, seat: int, phase: str, kind: str) -> str:
    """Return the line of a fault outside the questions of a deal."""
    return f"! {place} {seat} {phase} {kind}"


def in_entry(entry: str, line: str) -> str:
    """Turn a line of an entry's log into a line of the whole run's."""
    return f"{line[:2]}{entry}/{line[2:]}" if line.startswith(("= ", "! ", PRACTISED)) else f"{entry}/{line}"


def head(place: str, dealer: int, net: Sequence[int]) -> str:
    return f"{place} {dealer} {' '.join(map(str, net))}"


def nets_of(text: str) -> list[int]:
    """Return the nets in the line of a deal, by seat."""
    return [*map(int, text.partition(" |")[0].split(" ")[2:])]


def practised_line(place: str, dealer: int, net: Sequence[int], actions: Sequence[str]) -> str:
    """Return the line of a practised deal."""
    return f"{PRACTISED}{head(place, dealer, net)} | {said(actions, {})}"


@native
def deal_line(place: str, dealer: int, net: Sequence[int], actions: Sequence[str], marks: Mapping[int, str]) -> str:
    """Return the line of a deal, with its line break."""
    return f"{head(place, dealer, net)} | {said(actions, marks)}\n"


def said(actions: Sequence[str], marks: Mapping[int, str]) -> str:
    """Return the actions of a deal; those that were forfeited have a mark."""
    if marks:
        actions = [f"!{marks[at]} {action}" if at in marks else action for at, action in enumerate(actions)]
    return ", ".join(actions)


def end_line(place: str, dealer: int, net: Sequence[int]) -> str:
    """Return the line for the counters that the end of a sitting has moved."""
    return f"{head(place, dealer, net)} |"


class LogLine(NamedTuple):
    """A deal of the log. `marks`: why actions were forfeited, by index; "" if the reason is the same as before."""

    head: str
    actions: list[str]
    marks: dict[int, str]

    @classmethod
    def parse(cls, text: str) -> LogLine:
        """Parse the line of a deal. LogError if it is not one."""
        before, bar, after = text.partition(" |")
        if not bar or after and not after.startswith(" "):
            raise LogError(f"no deal: {text[:60]!r}")
        actions = after[1:].split(", ") if after.strip() else []
        marks = {}
        for at, action in enumerate(actions) if "!" in after else ():
            if action.startswith("!"):
                marks[at], _, actions[at] = action[1:].partition(" ")
        return cls(before, actions, marks)

    @property
    def place(self) -> str:
        return self.head.split(" ", 1)[0]
