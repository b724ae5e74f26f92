"""Each shard of a run goes through the rules again: its lines, rows and totals, with the faults counted from the marks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from ..base.errors import LogError
from ..refereeing.faults import Fault
from ..refereeing.names import Names
from ..table.chance import Chance
from ..table.deal import Deal
from ..table.legal import count
from ..tournament.conduct import Conduct
from ..tournament.growth import persons_in
from ..tournament.planning.plan import Entry, Schedule, Task, Tournament
from ..tournament.results.record import KINDS, OUT, fault_line
from ..tournament.results.totals import BlockLedger, BlockRecord, ShardTotals
from ..tournament.storage.folder import RunFolder
from ..tournament.storage.shards import Piece, Shard
from .log_driver import LogDriver
from .plain_lines import as_written


class Checked(NamedTuple):
    """A shard after its replay: its index, and what is wrong with it."""

    task: Task
    shard: Shard | None
    wrong: list[str]


class ShardChecker:
    """Checks the shards of a run, one by one: all their blocks, rows and totals, with the faults counted again from the
    marks. Each process has its own."""

    def __init__(self, tournament: Tournament, path: Path) -> None:
        self.tournament, self.folder = tournament, RunFolder(path)

    @cached_property
    def schedules(self) -> list[Schedule]:
        return [Schedule(self.tournament, number) for number in range(len(self.tournament.entries))]

    def __call__(self, task: Task) -> Checked:
        schedule = self.schedules[task.entry]
        try:
            shard = self.folder.read_shard(schedule, task.first)
            if shard is None:  # it was there a moment ago
                return Checked(task, None, [f"{self.folder.shard(schedule.entry, task.first)}: has been taken away"])
            return Checked(
                task, shard, [] if is_plain(shard, task, schedule) else [*what_is_wrong(shard, task, schedule)]
            )
        except LogError as error:
            return Checked(task, None, [str(error)])


def is_plain(shard: Shard, task: Task, schedule: Schedule) -> bool:
    """Whether a shard without faults is exactly what is written of its deals. LogError."""
    if shard.tally.faults or shard.tally.fault_reports:
        return False
    made = list[ShardTotals]()
    for piece in shard.pieces:
        tally = as_written(shard.text(piece), piece.blocks, task, schedule)
        if tally is None:
            return False
        made.append(tally)
    return shard.written_as(ShardTotals.of_pieces(made), schedule)


def what_is_wrong(shard: Shard, task: Task, schedule: Schedule) -> Iterator[str]:
    """Yield what is wrong with a shard. LogError."""
    pieces, rows, differences = list[ShardTotals](), {row.block: row for row in shard.rows}, list[str]()
    for piece in shard.pieces:
        again, drivers = piece_replayed(shard, piece, task, schedule)
        for driver in drivers:
            yield from driver.differences
        differences += [difference for row in again.rows for difference in row_wrong(rows[row.block], row)]
        pieces.append(again)
    made = ShardTotals.of_pieces(pieces)
    if len(made.rows) == len(rows):
        differences += totals_wrong(shard.tally, made)
        made.fault_reports = shard.tally.fault_reports  # whose words and places in the source nobody can compute
        if not differences and not shard.written_as(made, schedule):
            differences.append("its index is written otherwise, or has more than is read of it")
    yield from (f"{shard.path}: {difference}" for difference in differences)


def piece_replayed(
    shard: Shard, piece: Piece, task: Task, schedule: Schedule
) -> tuple[ShardTotals, Collection[Checker]]:
    """Replay a piece; return the totals of its blocks that could be replayed, and the drivers of all blocks."""
    entry, again, conduct = schedule.entry, ShardTotals(), Conduct()
    above, drivers, ledgers = piece.above, dict[int, Checker](), dict[int, BlockLedger]()
    for block, seating, lines in zip(piece.blocks, task.seatings(piece.blocks), shard.lines(piece), strict=True):
        ledgers[block] = entry.format.ledger(seating)
        drivers[block] = Checker(entry, again, conduct, ledgers[block], (shard.path, lines, above))
        above += len(lines)
    for part, stage in entry.format.stages(piece.blocks):
        for block in entry.format.due(part, stage, ledgers):
            drivers[block].play_part(Names(schedule.seed, entry.name, block), block, part)
        again.end_stage(entry.format)
    for block, driver in drivers.items():
        if driver.whole:
            driver.finish()
            again.enter(block, driver.ledger)
    again.sum_up(entry)
    return again, drivers.values()


def row_wrong(kept: BlockRecord, made: BlockRecord) -> Iterator[str]:
    """Yield where the row of a block is not the result of its deals."""
    for name in BlockRecord._fields[1:]:
        was, now = as_lists(getattr(kept, name)), as_lists(getattr(made, name))
        if was != now:
            yield f"block {kept.block}: {name} {str(was)[:200]}, and its deals give {str(now)[:200]}"


def as_lists(thing: Any) -> Any:
    """Return a value with lists for all sequences."""
    return [as_lists(item) for item in thing] if isinstance(thing, list | tuple) else thing


def totals_wrong(kept: ShardTotals, again: ShardTotals) -> Iterator[str]:
    """Yield where totals are not the result of the deals and their marks."""
    there, here = kept.to_json(), again.to_json()
    for what in there:
        if what != "fault_reports" and there[what] != here[what]:
            was = [item for item in there[what] if item not in here[what]]
            now = [item for item in here[what] if item not in there[what]]
            yield f"{what}: {str(was)[:200]}, and the deals give {str(now)[:200]}"
    for number, (fault, marked) in enumerate(zip_longest(kept.fault_reports, again.fault_reports), 1):
        if not fault or replace(fault, words="", where=()) != marked:
            yield f"fault {number} as reported: {whose(fault, marked)}, and in the log: {whose(marked, fault)}"
            return


def whose(fault: Fault | None, other: Fault | None) -> str:
    """Return whose fault it is and where, and what else differs from the other: its action, the first line of its view."""
    if not fault:
        return "none"
    text = f"entrant {fault.entrant} in {fault.deal}, seat {fault.seat}, {fault.phase}: {fault.kind}"
    if other and other.action != fault.action:
        text += f", action {fault.action}"
    if other and other.view != fault.view:
        lines = zip_longest(fault.view, other.view)
        text += f", view {next(line for line, its in lines if line != its)!r:.200}"
    return text


@dataclass(slots=True)
class SeatState:
    """A player who has sat down: OUT, BARRED or "", whether its sitting has started, and where it sat down."""

    out: str
    at: tuple[str, int, int]  # table, seat, entrant
    begun: bool = False


class Checker(LogDriver):
    """The driver of a block. It notes `differences` and goes on as long as it can (`whole`), and counts the faults.

    `plain`: whether all at the table are asked: then a deal without a fault has no marks."""

    def __init__(
        self,
        entry: Entry,
        tally: ShardTotals,
        conduct: Conduct,
        ledger: BlockLedger,
        log: tuple[Path, Sequence[str], int],
    ) -> None:
        path, lines, above = log
        super().__init__(path, lines, entry.labels, above)
        self.entry, self.tally, self.conduct, self.ledger, self.whole = entry, tally, conduct, ledger, True
        self.differences: list[str] = []
        self.kept: dict[int, SeatState] = {}
        self.players: list[SeatState] = []
        self.plain = False
        self.views: dict[int, str] = {}

    def play_part(self, names: Names, block: int, part: int) -> None:
        """Replay a part of the block, if that is still possible."""
        try:
            if self.whole:
                self.entry.format.play(self, self.entry, names, block, part, self.ledger)
        except LogError as error:
            self.differences.append(str(error))
            self.whole = False

    def wrong(self, message: str) -> None:
        self.differences.append(str(self.error(message)))

    @property
    def may_practise(self) -> bool:
        persons, labels = persons_in(self.entry), self.entry.labels
        return len(persons) == 1 and persons[0] in [labels[entrant] for entrant in self.who]

    def skip(self, fault: str) -> None:
        self.wrong(f"no such fault can be here: {fault[:60]!r}")

    def finish(self) -> None:
        """End the block."""
        for text in self.lines[self.at : self.at + 1]:
            self.at += 1
            self.wrong(f"nothing is to come after the last deal of a block: {text[:60]!r}")

    def sit(self, table: str, names: Names, entrants: Sequence[int], keys: Sequence[Any]) -> None:
        super().sit(table, names, entrants, keys)
        self.players, faulty = [], self.at_fault
        self.plain = not (keys or faulty or self.conduct.barred)
        if self.plain:
            return  # all are new, and asked: they are examined only if something happens
        for seat, entrant in enumerate(entrants):
            key = keys[seat] if keys else seat
            if (player := self.kept.get(key)) is None:
                player = self.kept[key] = SeatState(self.conduct.sits_down(entrant), (table, seat, entrant))
                if faulty and not player.out and self.reads_fault(player, f"{table}/1", 1, "constructor", "shard"):
                    player.out = OUT
            self.players.append(player)

    def look(self) -> None:
        """Examine the players: something happens at a table where nothing has happened since they sat down."""
        if not self.players:
            self.players = [SeatState("", (self.table, seat, entrant), True) for seat, entrant in enumerate(self.who)]
            self.kept = dict(enumerate(self.players))

    def play(self, place: str, deal: Deal, first: bool) -> None:
        if not self.plain:
            self.begin(place)
        super().play(place, deal, first)
        if self.plain and not self.line.marks and not self.at_fault:
            return
        self.look()
        forfeits = self.marked(place, deal)
        self.settle(place, deal)
        if self.line.marks:
            for player, kind in zip(self.players, forfeits, strict=True):
                player.out = self.conduct.after_deal(player.at[2], player.out, kind)
            self.plain = False

    def begin(self, place: str) -> None:
        """Begin a sitting for those that have just sat down."""
        self.plain, faulty = True, self.at_fault
        for seat, player in enumerate(self.players):
            if not player.out and not player.begun:
                player.begun = True
                if faulty and self.reads_fault(player, place, 1, "begin", seat=seat):
                    player.out = OUT
            if player.out:
                self.plain = False

    def settle(self, place: str, deal: Deal) -> None:
        """Note that all players learn the result of a deal."""
        self.look()
        for seat, player in enumerate(self.players):
            if not player.out:
                self.reads_fault(player, place, len(deal.actions) + 1, "settled", seat=seat)

    def leave(self) -> None:
        super().leave()
        if self.at_fault:
            self.look()
            for player in self.kept.values():
                self.reads_fault(player, f"{player.at[0]}/1", 1, "__del__")
        self.kept.clear()

    def go_through(self) -> None:
        """Replay a deal, noting what was shown where a fault is marked."""
        self.views = {}
        if not self.line.marks:
            self.replay()
            return
        for at, (ask, _) in enumerate(self.walk()):
            if self.line.marks.get(at) in KINDS:
                self.views[at] = str(self.deal.View(self.deal, ask.seat, ask.phase, ask.legal, Chance()))

    def marked(self, place: str, deal: Deal) -> list[str]:
        """Check whether exactly those actions are marked that were played for a seat. Returns why each seat forfeits at
        the end."""
        forfeits = [player.out for player in self.players]
        if not self.line.marks and not any(forfeits):
            return forfeits
        marked = [False] * len(forfeits)
        for at, ask in enumerate(deal.asked):
            seat, mark = ask.seat, self.line.marks.get(at)
            forced = count(ask.legal) == 1
            if mark in KINDS and not forced and not forfeits[seat]:
                forfeits[seat], marked[seat] = mark, True
                self.check_fault(seat, self.players[seat], place, ask.phase, at + 1, mark, self.views[at])
                continue
            expected = None if forced or not forfeits[seat] else "" if marked[seat] else forfeits[seat]
            if mark != expected:
                must = "none" if expected is None else repr(f"!{expected}")
                self.wrong(f"{place}: action {at + 1} has mark {mark and f'!{mark}'!r}, and must have {must}")
            marked[seat] = marked[seat] or mark is not None
        return forfeits

    def reads_fault(self, player: SeatState, place: str, action: int, *phases: str, seat: int | None = None) -> bool:
        """Return whether the next line is a fault of this player outside the questions of a deal; it is counted."""
        text = self.lines[self.at] if self.at < len(self.lines) else ""
        seat = player.at[1] if seat is None else seat
        for phase in phases if text.startswith("! ") else ():
            for kind in KINDS:
                if text == fault_line(place, seat, phase, kind):
                    self.at += 1
                    self.check_fault(seat, player, place, phase, action, kind)
                    return True
        return False

    def check_fault(
        self, seat: int, player: SeatState, place: str, phase: str, action: int, kind: str, view: str = ""
    ) -> None:
        entrant = player.at[2]
        self.conduct.note_fault(entrant, kind, phase)
        deal = f"{self.entry.name}/{place}"
        self.tally.count_fault(Fault(entrant, deal, seat, phase, action, kind, "", (), tuple(view.splitlines())))
