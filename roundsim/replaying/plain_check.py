"""Fast verification: a shard without faults is replayed from its log and written again; most are the same to the
byte."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import zstandard

from ..errors import IllegalError, LogError
from ..refereeing.names import Names
from ..table.deal import Deal
from ..table.playthrough import replay_deal
from ..tournament.formats import Driver
from ..tournament.planning.plan import Keys, Task, Tournament
from ..tournament.results.record import deal_line, end_line, seats_line
from ..tournament.results.totals import ShardTotals
from ..tournament.storage.shards import MAX_DENSE_BYTES, Shard, enter, last_line, read_file

TAIL = re.compile(rb'# {"roundsim":"([^"\\]*)",.*"faults":\[\],"told":\[\]}\n')


class NotPlainError(Exception):
    """The shard is not exactly what would be written."""


def as_written(tournament: Tournament, path: Path, task: Task, keys: Keys) -> Shard | None:
    """Return the shard at a path, without its lines, if it is exactly what its deals result in; None if it must be
    examined."""
    data = shard_text(path)
    end = data.rfind(b"\n", 0, -1) + 1
    found = TAIL.fullmatch(data, end)
    readers = (
        [LineDriver(data, *stretch, keys.entry.labels) for stretch in block_bounds(data, task.first, end)]
        if found
        else []
    )
    if not found or not readers or len(readers) > len(task.seatings):
        return None
    try:
        tally = played_again(tournament, task, keys, readers)
        if data[end:] != last_line(tally, version := found[1].decode()):
            return None
    except (NotPlainError, IllegalError, LogError, UnicodeDecodeError):
        return None
    return Shard(task, [[] for _ in readers], tally, version, [])


def shard_text(path: Path) -> bytes:
    """Return the text of a shard; nothing if it is damaged, or long."""
    try:
        data = read_file(path)
        if 0 <= zstandard.frame_content_size(data) <= MAX_DENSE_BYTES:
            return zstandard.ZstdDecompressor().decompress(data, allow_extra_data=False)
    except (FileNotFoundError, LogError, zstandard.ZstdError):
        pass
    return b""


def block_bounds(data: bytes, block: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where the lines of each block begin and end, from this one on."""
    at = 0
    while at < end:
        block += 1
        begin, at = at, data.find(b"\n= %d/" % block, at, end) + 1 or end
        yield begin, at


def played_again(tournament: Tournament, task: Task, keys: Keys, readers: Sequence[LineDriver]) -> ShardTotals:
    """Return the result of its blocks, entered as when it is played. NotPlainError."""
    entry, tally, blocks = keys.entry, ShardTotals(), range(task.first, task.first + len(readers))
    ledgers = [entry.format.ledger(seating) for seating in task.seatings[: len(readers)]]
    for part, stage in entry.format.stages(blocks):
        for block in stage:
            names, at = Names(tournament.seed, entry.name, block), block - task.first
            entry.format.play(readers[at], entry, names, block, part, ledgers[at])
    for block, reader, ledger in zip(blocks, readers, ledgers, strict=True):
        enter(tally, block, keys(block, ledger.seating), ledger, [reader.whole])
    tally.count(entry, [(row.seats, row) for row in tally.rows])
    return tally


class LineDriver(Driver):
    """The driver of tables whose deals are read from the lines of a block, which must be exactly those that are
    written."""

    def __init__(self, data: bytes, begin: int, end: int, labels: Sequence[str]) -> None:
        self.data, self.begin, self.at, self.end_of_block, self.labels = data, begin, begin, end, labels
        self.headers: dict[str, str] = {}

    @property
    def whole(self) -> bytes:
        """The lines, when all have been read. NotPlainError if they have not."""
        if self.at != self.end_of_block:
            raise NotPlainError
        return self.data[self.begin : self.at]

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

    def refuse(self, words: str) -> None:
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
