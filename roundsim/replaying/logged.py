"""The deals in the log of a run: who sat where, the action of each seat with its phase, and the faults.

Only the rules know who acted in which phase, so a block is replayed when that is asked for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from ..base.errors import InputError, LogError, StrategyError, did_you_mean
from ..base.text import so_many
from ..refereeing.faults import Fault
from ..tournament.formats import Format, play_block
from ..tournament.growth import has_person
from ..tournament.planning.plan import Entry, Schedule, Seed, Tournament
from ..tournament.results.record import PRACTISED, Address, LogLine, in_entry, nets_of, seated_in
from ..tournament.results.totals import ShardTotals
from ..tournament.storage.folder import RunFolder
from ..tournament.storage.shards import Piece, Shard
from .log_driver import EnoughError, LogDriver

YOU = "you"  # the person of `roundsim sit`
FAULT = re.compile(r"! (\S+) (\d\d?) (\S+) (\S+)")


class Act(NamedTuple):
    """An action of a deal. `mark`: why it was forfeited, "" if the seat continues to forfeit; None if it was not.

    A fault outside the questions of a deal has a mark and no action."""

    seat: int
    phase: str
    action: str
    mark: str | None

    def __str__(self) -> str:
        text = self.action or self.phase
        return text if self.mark is None else f"!{self.mark} {text}"


@dataclass(eq=False)
class LoggedBlock:
    """A block in the log: its lines, and the number of lines `above` them in their file."""

    folder: RunFolder
    entry: Entry
    seed: Seed
    number: int
    seating: Sequence[int]
    file: Path
    above: int
    lines: Sequence[str]
    faults: Sequence[Fault] = ()  # those that its shard reports

    @cached_property
    def asked(self) -> dict[str, list[tuple[int, str]]]:
        """By the place of each deal, the seat and the phase of each action. LogError if the rules do not
        agree."""
        asked = dict[str, list[tuple[int, str]]]()

        def visit(driver: LogDriver) -> None:
            driver.replay()
            asked[driver.place] = [(ask.seat, ask.phase) for ask in driver.deal.asked]

        self.replay(visit)
        return asked

    def replay(
        self,
        visit: Callable[[LogDriver], object],
        visit_end: Callable[[LogDriver], object] = lambda driver: None,
        until: str = "",
    ) -> bool:
        """Replay the block with a `LogDriver`, and return whether it got to the place `until`. Raises LogError if the rules
        do not agree."""
        return self.drive(LogDriver(*self.log, visit, visit_end, until))

    @property
    def log(self) -> tuple[Path, Sequence[str], Sequence[str], int]:
        """The arguments of its driver."""
        return self.file, self.lines, self.entry.labels, self.above

    def drive(self, driver: LogDriver) -> bool:
        """Do the same with another driver."""
        try:
            play_block(driver, self.entry, self.seed, self.number, self.seating, ShardTotals())
        except EnoughError:
            return True
        return False

    def text_lines(self, names: bool = False) -> Iterator[str]:
        """Yield its lines as in the log of the whole run; with `names`, with the strategy before each action."""
        deals = iter(self)
        for line in self.lines:
            as_it_is = not names or line.startswith(("= ", "! ", PRACTISED))
            yield in_entry(self.entry.name, line) if as_it_is else next(deals).with_names()

    def __iter__(self) -> Iterator[LoggedDeal]:
        """Yield its deals, and the ends of its sittings. LogError for a line that is not one of a log."""
        seats, faults = dict[str, list[str]](), defaultdict[str, list[Act]](list)
        for match in filter(None, map(FAULT.fullmatch, self.lines)):
            place, seat, phase, kind = match.groups()
            faults[place].append(Act(int(seat), phase, "", kind))
        practised = list[str]()
        for at, line in enumerate(self.lines, self.above + 1):
            if line.startswith(("! ", PRACTISED)):
                practised += [line] * line.startswith(PRACTISED)
                continue
            try:
                if line.startswith("= "):
                    _, table, names = line.split(" ", 2)
                    seats[table] = seated_in(names, self.entry.labels)
                    continue
                place, *numbers = line.partition(" |")[0].split(" ")
                dealer, *net = map(int, numbers)
                who = seats[place.rpartition("/")[0]]
                deal = LoggedDeal(self, place, dealer, who, net, line, faults[place], practised)
                practised = []
            except (ValueError, KeyError):
                deal = None
            if (
                deal is None
                or len(deal.net) != len(deal.seats)
                or any(act.seat >= len(deal.net) for act in deal.outside)
            ):
                raise LogError(f"{self.file}:{at}: no line of a log: {line[:60]!r}")
            yield deal


@dataclass(eq=False)
class LoggedDeal:
    """A deal, or the end of a sitting, in the log, with the faults outside its questions (`outside`), and the lines of
    those that were `practised` in its place and do not count."""

    block: LoggedBlock
    place: str
    dealer: int
    seats: Sequence[str]
    net: Sequence[int]
    text: str
    outside: Sequence[Act]
    practised: Sequence[str]

    @property
    def address(self) -> str:
        return f"{self.block.entry.name}/{self.place}"

    @property
    def number(self) -> str:
        """Its number within its sitting, "end" for the end of it."""
        return self.place.rpartition("/")[2]

    @cached_property
    def acts(self) -> list[Act]:
        """Its actions, with the seats that took them."""
        asked, line = self.block.asked.get(self.place, ()), LogLine.parse(self.text)
        answered = enumerate(zip(asked, line.actions, strict=False))
        return [Act(*who, action, line.marks.get(at)) for at, (who, action) in answered]

    def with_names(self) -> str:
        acts = ", ".join([f"{self.seats[act.seat]}: {act}" for act in self.acts])
        return f"{in_entry(self.block.entry.name, self.text).partition(' |')[0]} | {acts}".rstrip(" ")

    def to_json(self) -> dict[str, Any]:
        head = {"deal": self.address, "dealer": self.dealer, "seats": self.seats, "net": self.net}
        head |= {"practised": [*self.practised]} if self.practised else {}
        return {**head, **self.acts_of(range(len(self.seats)))}

    def acts_of(self, seats: Collection[int]) -> dict[str, Any]:
        """Return the actions and faults of some seats as JSON data."""

        def who(act: Act) -> dict[str, Any]:
            return {"seat": act.seat, "strategy": self.seats[act.seat], "phase": act.phase}

        return {
            "actions": [
                {**who(act), "action": act.action, "forfeited": act.mark is not None, "why": act.mark or None}
                for act in self.acts
                if act.seat in seats
            ],
            "faults": [{**who(act), "kind": act.mark} for act in self.outside if act.seat in seats],
        }


def entries_called(tournament: Tournament, name: str | None) -> list[int]:
    """Return the numbers of the entries of this name, of all without one. InputError if there is none."""
    names = [entry.name for entry in tournament.entries]
    if name is not None and name not in names:
        raise InputError(f"no game {name!r} in this run{did_you_mean(name, names)}: {', '.join(names)}")
    return [number for number, entry in enumerate(names) if name in (None, entry)]


def unknown_strategy(name: str, labels: Collection[str]) -> StrategyError:
    """Return the error for a strategy that is not in the games of a run."""
    return StrategyError(f"no strategy {name!r} in these games{did_you_mean(name, labels)}: {', '.join(labels)}")


def logged_blocks(
    folder: RunFolder, tournament: Tournament, number: int, only: Set[int] | None = None, again: bool = False
) -> Iterator[LoggedBlock]:
    """Yield the blocks of an entry that are in the log, in schedule order; only some, if they are given. LogError.

    `again`: whether the command has read all of them before, so that their seats need not be drawn again."""
    schedule = Schedule(tournament, number)
    entry = schedule.entry
    firsts = folder.firsts(entry) if only is None else sorted({(entry.shard(block) or range(1))[0] for block in only})
    for shard in filter(None, (folder.read_shard(schedule, first) for first in firsts if entry.begins(first))):
        for piece in shard.pieces:
            if only is None or not only.isdisjoint(piece.blocks):
                blocks = blocks_of(folder, schedule, shard, piece, again)
                yield from (block for block in blocks if only is None or block.number in only)


def logged_block(folder: RunFolder, tournament: Tournament, number: int, block: int) -> LoggedBlock | None:
    """Return a block of an entry, None if it is not in the log. LogError."""
    return next(logged_blocks(folder, tournament, number, {block}), None)


def blocks_of(
    folder: RunFolder, schedule: Schedule, shard: Shard, piece: Piece, again: bool = False
) -> Iterator[LoggedBlock]:
    """Yield the blocks of a piece of a shard; `again` as in `logged_blocks`. LogError."""
    entry, reports, above, seats = schedule.entry, shard.tally.fault_reports, piece.above, shard.seatings(piece.blocks)
    if not again and seats != [*schedule.seatings(piece.blocks)]:
        blocks = f"blocks {piece.blocks[0]} to {piece.blocks[-1]}"
        raise LogError(f"{shard.path}: the rows of {blocks} have the entrants in other seats than the schedule")
    for block, seating, lines in zip(piece.blocks, seats, shard.lines(piece), strict=True):
        yield LoggedBlock(folder, entry, schedule.seed, block, seating, shard.path, above, lines, reports)
        above += len(lines)


def practice_note(folder: RunFolder, tournament: Tournament) -> str:
    """Return how many deals of a run were practised, in words; "" if none were. LogError."""
    persons = [YOU in entry.labels for entry in tournament.entries]
    if not any(persons) or not has_person(tournament):
        return ""
    blocks = (block for number, has in enumerate(persons) if has for block in logged_blocks(folder, tournament, number))
    n = sum(line.startswith(PRACTISED) for block in blocks for line in block.lines)
    return f"{so_many(n, 'practised deal')} {'is' if n == 1 else 'are'} left out: an answer was taken back" if n else ""


def replay_to(
    folder: RunFolder,
    text: str,
    play_deal: Callable[[LogDriver, Address, Sequence[Fault]], object],
    tell_end: Callable[[LogDriver], object],
) -> None:
    """Replay a run up to one deal, 'nap/17/2/3'. `play_deal` is called at each deal of its script up to it, to play it,
    with the faults that its shard reports.

    `tell_end` is called at the end of the sitting, if that is the address: 'loto/1/1/end'. LogError if there is no such
    deal, or end."""
    tournament = folder.tournament()
    address, number = address_in(tournament, text)
    entry, block = tournament.entries[number], logged_block(folder, tournament, number, address.block)

    def visit(driver: LogDriver) -> None:
        here = Address.parse(f"{entry.name}/{driver.place}")
        if here == address or entry.format.one_script and here[:3] == address[:3]:
            play_deal(driver, here, block.faults if block else ())
        else:
            driver.replay()

    def visit_end(driver: LogDriver) -> None:
        if driver.place == address.place:
            tell_end(driver)

    if not block or not block.replay(visit, visit_end, address.place):
        raise LogError(f"{address}: there is no such deal in {folder.path}")


def address_in(tournament: Tournament, text: str) -> tuple[Address, int]:
    """Return the address that a text names, and the number of its entry; LogError if this run has no such address."""
    known = [entry.name for entry in tournament.entries]
    first = text.split("/")[0]
    hint = did_you_mean(first, known) if first not in known else ""
    with suppress(LogError):
        address = Address.parse(text)
        if address.entry in known:
            return address, known.index(address.entry)
    raise LogError(f"{text!r} is no deal of this run: ENTRY/BLOCK/SITTING/DEAL, as {known[0]}/1/1/1{hint}")


class Original(NamedTuple):
    """A deal of the sitting itself. `net`: by seat.

    `step`: how many actions come before the first one that differs, None if all are the same; `course`: the actions from
    there on."""

    address: Address
    net: list[int]
    step: int | None
    course: Sequence[str]


def original_of(format: Format, lines: Iterable[str], at: Address, actions: Sequence[str]) -> Original | None:
    """Return the deal that the deal `at` an address plays again, from the lines of its block; None if there is none."""
    address = format.original(at)
    text = next((text for text in lines if address and text.startswith(f"{address.place} ")), "")
    if not address or not text:
        return None
    line = LogLine.parse(text)
    for step, (action, other) in enumerate(zip(line.actions, actions, strict=False)):
        if action != other:
            return Original(address, nets_of(text), step, line.actions[step:])
    return Original(address, nets_of(text), None, ())
