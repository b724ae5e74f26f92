"""What the log of a run says of its deals: who sat where, who said what in which phase, whose fault was whose.

Who acted in which phase only the rules tell: a block is gone through when that is asked for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError, LogError, did_you_mean
from ..table.actions import Action
from ..table.cards import Card
from ..table.deal import Ask, Deal
from ..table.story import Record, follow, told
from ..tournament.folder import RunFolder
from ..tournament.formats import play_block
from ..tournament.plan import Entry, Schedule, Seed, Tournament
from ..tournament.record import Address, Line, Told, in_entry, seated_in
from ..tournament.tally import Tally
from .log import LogDriver, visit

FAULT = re.compile(r"! (\S+) (\d\d?) (\S+) (\S+)")


class Act(NamedTuple):
    """An action of a deal.  `mark`: why it was forfeited, "" where that goes on; None where it was not.

    A fault beside the questions of a deal has a mark and no action."""

    seat: int
    phase: str
    action: str
    mark: str | None

    def __str__(self) -> str:
        said = self.action or self.phase
        return said if self.mark is None else f"!{self.mark} {said}"


class Replayed(NamedTuple):
    """A deal told again to its end, and by seat the hands as they were dealt: the first cards that each had."""

    deal: Deal
    hands: dict[int, tuple[Card, ...]]


class Asking(LogDriver):
    """A log gone through: of each deal, by its place, whom it `asked` in which phase."""

    def __init__(self, path: Path, lines: Sequence[str], labels: Sequence[str], above: int) -> None:
        super().__init__(path, lines, labels, above)
        self.asked: dict[str, list[tuple[int, str]]] = {}

    def go_through(self, place: str, deal: Deal, line: Line) -> None:
        super().go_through(place, deal, line)
        self.asked[place] = [(ask.seat, ask.phase) for ask in deal.asked]


@dataclass(eq=False)
class LoggedBlock:
    """A block as the log has it: its lines, and how many are `above` them in their file."""

    folder: RunFolder
    entry: Entry
    seed: Seed
    number: int
    seating: Sequence[int]
    file: Path
    above: int
    lines: Sequence[str]

    @cached_property
    def asked(self) -> dict[str, list[tuple[int, str]]]:
        """Of each deal, by its place, the seat and the phase of each action.  LogError where the rules do not agree."""
        driver = Asking(self.file, self.lines, self.entry.labels, self.above)
        play_block(driver, self.entry, self.seed, self.number, self.seating, Tally())
        return driver.asked

    def told(self, names: bool = False) -> Iterator[str]:
        """Its lines as the log of the whole run has them; if asked for, with the strategy before each action."""
        deals = iter(self)
        for line in self.lines:
            beside = not names or line.startswith(("= ", "! "))
            yield in_entry(self.entry.name, line) if beside else next(deals).with_names()

    def __iter__(self) -> Iterator[LoggedDeal]:
        """Its deals, and the ends of its sittings.  LogError for what is no line of a log."""
        seats, faults = dict[str, list[str]](), defaultdict[str, list[Act]](list)
        for found in filter(None, map(FAULT.fullmatch, self.lines)):
            place, seat, phase, kind = found.groups()
            faults[place].append(Act(int(seat), phase, "", kind))
        for at, line in enumerate(self.lines, self.above + 1):
            try:
                if line.startswith("= "):
                    _, table, names = line.split(" ", 2)
                    seats[table] = seated_in(names, self.entry.labels)
                elif not line.startswith("! "):
                    place, *numbers = line.partition(" |")[0].split(" ")
                    dealer, *net = map(int, numbers)
                    sitting, beside = seats[place.rpartition("/")[0]], faults.get(place, [])
                    if len(net) != len(sitting) or any(act.seat >= len(net) for act in beside):
                        raise ValueError
                    yield LoggedDeal(self, place, dealer, sitting, net, line, beside)
            except (ValueError, KeyError):
                raise LogError(f"{self.file}:{at}: no line of a log: {line[:60]!r}") from None


@dataclass(eq=False)
class LoggedDeal:
    """A deal, or the end of a sitting, as the log has it, with the faults `beside` its questions."""

    block: LoggedBlock
    place: str
    dealer: int
    seats: Sequence[str]
    net: Sequence[int]
    text: str
    beside: Sequence[Act]

    @property
    def address(self) -> str:
        return f"{self.block.entry.name}/{self.place}"

    @property
    def number(self) -> str:
        """Within its sitting, "end" for the end of it."""
        return self.place.rpartition("/")[2]

    @cached_property
    def acts(self) -> list[Act]:
        """Its actions, with who said them."""
        asked, line = self.block.asked.get(self.place, ()), Line.parse(self.text)
        said = enumerate(zip(asked, line.actions, strict=False))
        return [Act(*who, action, line.marks.get(at)) for at, (who, action) in said]

    def with_names(self) -> str:
        acts = ", ".join([f"{self.seats[act.seat]}: {act}" for act in self.acts])
        return f"{in_entry(self.block.entry.name, self.text).partition(' |')[0]} | {acts}".rstrip(" ")

    def to_json(self) -> dict[str, Any]:
        head = {"deal": self.address, "dealer": self.dealer, "seats": self.seats, "net": self.net}
        return {**head, **self.said_by(range(len(self.seats)))}

    def said_by(self, seats: Collection[int]) -> dict[str, Any]:
        """The actions and faults of some seats as JSON has them."""

        def who(act: Act) -> dict[str, Any]:
            return {"seat": act.seat, "strategy": self.seats[act.seat], "phase": act.phase}

        return {
            "actions": [
                {**who(act), "action": act.action, "forfeited": act.mark is not None, "why": act.mark or None}
                for act in self.acts
                if act.seat in seats
            ],
            "faults": [{**who(act), "kind": act.mark} for act in self.beside if act.seat in seats],
        }


def replayed(folder: RunFolder, address: str) -> Replayed:
    """A deal of a run, told again.  LogError."""
    made: list[Replayed] = []

    def tell(driver: LogDriver, at: Address, deal: Deal, line: Line, faults: Sequence[Told]) -> None:
        if str(at) != address:
            follow(deal, line.actions)
            return
        record, hands = Record(deal, line.actions), dict[int, tuple[Card, ...]]()

        def answer(ask: Ask) -> Action:
            for seat, hand in enumerate(deal.hands):
                if hand:
                    hands.setdefault(seat, tuple(hand))
            return record.answer(ask)

        told(deal, answer)
        record.end()
        made.append(Replayed(deal, hands))

    visit(folder, address, tell, lambda driver, deal: None)
    return made[0]


def entries_called(tournament: Tournament, name: str | None) -> list[int]:
    """The numbers of the entries of this name, of all without one.  InputError if there is none."""
    names = [entry.name for entry in tournament.entries]
    if name is not None and name not in names:
        raise InputError(f"no game {name!r} in this run{did_you_mean(name, names)}: {', '.join(names)}")
    return [number for number, each in enumerate(names) if name in (None, each)]


def logged_blocks(folder: RunFolder, tournament: Tournament, number: int) -> Iterator[LoggedBlock]:
    """The blocks of an entry that are there, in schedule order.  LogError."""
    entry = tournament.entries[number]
    for shard in folder.shards(Schedule(tournament, number)):
        file, above = folder.shard(entry, shard.task.first), 0
        for block, seating, lines in zip(count(shard.task.first), shard.task.seatings, shard.blocks, strict=False):
            yield LoggedBlock(folder, entry, tournament.seed, block, seating, file, above, lines)
            above += len(lines)
