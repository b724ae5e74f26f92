"""A shard without faults, replayed from its log and written again; most are the same to the byte."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.errors import IllegalError, LogError
from ..refereeing.names import Names
from ..table.deal import Deal
from ..table.playthrough import replay_deal
from ..tournament.format_parts import Driver
from ..tournament.planning.plan import Schedule, Task
from ..tournament.results.record import deal_line, end_line, seats_line
from ..tournament.results.totals import ShardTotals
from ..tournament.storage.shards import block_bounds


class NotPlainError(Exception):
    """The lines are not exactly what would be written."""


def as_written(text: bytes, blocks: range, task: Task, schedule: Schedule) -> ShardTotals | None:
    """Return the totals of a piece of a shard if its lines are exactly those of its deals; None if they must be
    examined."""
    entry, tally = schedule.entry, ShardTotals()
    readers = [LineDriver(text, *bounds, entry.labels) for bounds in block_bounds(text, blocks)]
    ledgers = {block: entry.format.ledger(own) for block, own in zip(blocks, task.seatings(blocks), strict=True)}
    try:
        for part, stage in entry.format.stages(blocks):
            for block in entry.format.due(part, stage, ledgers):
                names, reader = Names(schedule.seed, entry.name, block), readers[block - blocks.start]
                entry.format.play(reader, entry, names, block, part, ledgers[block])
        for (block, ledger), reader in zip(ledgers.items(), readers, strict=True):
            reader.finish()
            tally.enter(block, ledger)
    except (NotPlainError, IllegalError, LogError, UnicodeDecodeError):
        return None
    tally.sum_up(entry)
    return tally


class LineDriver(Driver):
    """The driver of tables whose deals are read from the lines of a block, which must be exactly those that are
    written."""

    def __init__(self, data: bytes, begin: int, end: int, labels: Sequence[str]) -> None:
        self.data, self.at, self.end_of_block, self.labels = data, begin, end, labels
        self.headers: dict[str, str] = {}

    def finish(self) -> None:
        """NotPlainError unless all lines have been read."""
        if self.at != self.end_of_block:
            raise NotPlainError

    def sit(self, table: str, names: Names, entrants: Sequence[int], keys: Sequence[Any]) -> None:
        seats = seats_line(table, [self.labels[entrant] for entrant in entrants])
        if self.headers.get(table) != seats:
            self.headers[table] = seats
            self.next_is(seats)

    def play(self, place: str, deal: Deal, first: bool) -> None:
        self.at = replay_line_at(self.data, self.at, place, deal)
        if not self.at:
            raise NotPlainError

    def end(self, place: str, deal: Deal) -> None:
        self.next_is(end_line(place, deal.last_dealer, deal.net))

    def leave(self) -> None:
        self.headers.clear()

    def reaches(self, table: str, planned: bool) -> bool:
        there = self.data.startswith(f"= {table} ".encode(), self.at)
        if planned and not there:
            raise NotPlainError
        return there

    def refuse(self, message: str) -> None:
        raise NotPlainError

    def next_is(self, text: str) -> None:
        """Read the next line. NotPlainError if it is not this text."""
        data = f"{text}\n".encode()
        if not self.data.startswith(data, self.at):
            raise NotPlainError
        self.at += len(data)


def replay_line_at(data: bytes, at: int, place: str, deal: Deal) -> int:
    """Replay a deal from the line that begins there. Returns where the next one begins, 0 if it is not exactly the line
    that is written of the deal. IllegalError or UnicodeDecodeError if it is not a line of this deal in plain
    letters."""
    end = data.find(b"\n", at) + 1
    text = data[at:end].decode("ascii")
    actions = text[:-1].partition(" | ")[2]
    replay_deal(deal, actions.split(", ") if actions else [])
    return end if text == deal_line(place, deal.dealer, deal.net, deal.actions, {}) else 0
