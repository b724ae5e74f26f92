"""The log of a run gone through again: its tables, with a log in the place of the players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from ..errors import DisagreesError, IllegalError, LogError, did_you_mean
from ..table.deal import Deal
from ..table.story import follow
from ..tournament.folder import RunFolder
from ..tournament.formats import play_block
from ..tournament.plan import Entry, Tournament
from ..tournament.record import Address, Line, Names, Told, head, seats_line, table_of
from ..tournament.tally import Tally


class Shard(NamedTuple):
    """A shard of a log: which of its entry, whose seats, and its lines and tally, None where it is not played yet."""

    entry: Entry
    number: int
    first: int
    last: int
    seatings: Sequence[tuple[int, ...]]
    lines: list[str] | None
    tally: Tally | None

    @property
    def whole(self) -> bool:
        """Whether all its blocks are played."""
        return self.tally is not None and self.tally.blocks == self.last - self.first + 1


def shards(tournament: Tournament, folder: RunFolder) -> Iterator[Shard]:
    """All shards of a run, in schedule order; those that are not there yet without lines."""
    for entry in tournament.entries:
        everyone = entry.format.seatings(entry, tournament.seed)
        for number, (first, last) in enumerate(entry.shards()):
            seatings = [next(everyone) for _ in range(first, last + 1)]
            lines, tally = folder.read_shard(entry, first) or (None, None)
            yield Shard(
                entry, number, first, last, seatings if tally is None else seatings[: tally.blocks], lines, tally
            )


Play = Callable[["LogDriver", str, Deal, Line], object]
End = Callable[["LogDriver", str, Deal], object]


class LogDriver:
    """The driver of a table whose deals are read from a log: `play_deal` is given each with its line, not yet played.

    `line`: that of the deal at hand; `who`: the entrants in its seats; `name`: its sitting's name of chance."""

    def __init__(
        self, path: str, lines: Sequence[str], labels: Sequence[str], play_deal: Play, end: End | None = None
    ) -> None:
        self.path, self.lines, self.labels, self.at = path, lines, labels, 0
        self.play_deal, self.end_sitting = play_deal, end
        self.who: Sequence[int] = ()
        self.name = ""
        self.headers: dict[str, str] = {}
        self.line = Line("", [], {})

    @property
    def seated(self) -> list[str]:
        """The labels of the entrants, by seat."""
        return [self.labels[entrant] for entrant in self.who]

    def sit(self, table: str, names: Names, entrants: Sequence[int], keys: Sequence[Any]) -> None:
        self.who, self.name = entrants, names.sitting(int(table.rpartition("/")[2]))
        seats = seats_line(table, self.seated)
        if self.headers.get(table) != seats:
            self.headers[table] = seats
            self.agree(self.lines[self.at] if self.at < len(self.lines) else "", seats, 1)
            self.at += 1

    def play(self, place: str, deal: Deal, first: bool) -> None:
        self.line = self.next_line(place)
        try:
            self.play_deal(self, place, deal, self.line)
        except IllegalError as error:
            raise DisagreesError(f"{self.path}:{self.at}: {place}: {error}") from None
        for at in self.line.marks:
            if deal.actions[at] != deal.asked[at].legal[0]:
                raise DisagreesError(
                    f"{self.path}:{self.at}: {place}: action {at + 1} is marked as forfeited,"
                    f" and is not the first legal one, {deal.asked[at].legal[0]}"
                )
        self.agree(self.line.head, head(place, deal.dealer, deal.net))

    def end(self, place: str, deal: Deal) -> None:
        self.line = self.next_line(place)
        self.agree(self.line.head, head(place, deal.last_dealer, deal.net))
        if self.end_sitting:
            self.end_sitting(self, place, deal)

    def leave(self) -> None:
        self.headers.clear()

    def next_line(self, place: str) -> Line:
        if self.at == len(self.lines):
            raise DisagreesError(f"{self.path}:{self.at + 1}: the log ends where deal {place} is to come")
        text = self.lines[self.at]
        self.at += 1
        with suppress(LogError):
            if (line := Line.parse(text)).place == place:
                return line
        raise DisagreesError(f"{self.path}:{self.at}: expected deal {place}, found {text.partition(' |')[0][:60]!r}")

    def agree(self, found: str, expected: str, ahead: int = 0) -> None:
        if found != expected:
            where = f"{self.path}:{self.at + ahead}"
            raise DisagreesError(f"{where}: expected  {expected}\n{' ' * len(where)}  found     {found}")


def only_follow(driver: LogDriver, place: str, deal: Deal, line: Line) -> None:
    follow(deal, line.actions)


class FoundError(Exception):
    """The deal that was looked for has been told."""


def visit(
    folder: RunFolder,
    text: str,
    play_deal: Callable[[LogDriver, Address, Deal, Line, Sequence[Told]], object],
    tell_end: Callable[[LogDriver, Deal], object],
) -> None:
    """Go through a run to one deal, 'nap/17/2/3': `play_deal` is given each deal of its script up to it, not yet played,
    with the faults that are told of its shard.

    `tell_end` is given the end of the sitting, where that is the address: 'loto/1/1/end'.  LogError if there is no such
    deal, or end."""
    tournament = folder.tournament()
    address, entry = address_in(tournament, text)

    def play(driver: LogDriver, place: str, deal: Deal, line: Line) -> None:
        here = Address.parse(f"{entry.name}/{place}")
        if here == address or entry.format.one_script and here[:3] == address[:3]:
            play_deal(driver, here, deal, line, told)
            if here == address:
                raise FoundError
        else:
            follow(deal, line.actions)

    def end(driver: LogDriver, place: str, deal: Deal) -> None:
        if place == address.place:
            tell_end(driver, deal)
            raise FoundError

    block = f"{address.block}/"
    for shard in shards(tournament, folder):
        if shard.entry is entry and shard.lines and shard.first <= address.block < shard.first + len(shard.seatings):
            assert shard.tally is not None
            told = shard.tally.told
            at = next(
                (n for n, line in enumerate(shard.lines) if f"{table_of(line)}/".startswith(block)), len(shard.lines)
            )
            driver = LogDriver(str(folder.shard(entry, shard.first)), shard.lines[at:], entry.labels, play, end)
            seating = shard.seatings[address.block - shard.first]
            with suppress(FoundError):
                play_block(driver, entry, tournament.seed, address.block, seating, Tally())
                break
            return
    raise LogError(f"{address}: there is no such deal in {folder.path}")


def address_in(tournament: Tournament, text: str) -> tuple[Address, Entry]:
    """The address that a text names, and its entry; LogError if this run has no such."""
    known = {entry.name: entry for entry in tournament.entries}
    first = text.split("/")[0]
    hint = did_you_mean(first, known) if first not in known else ""
    with suppress(LogError):
        address = Address.parse(text)
        if address.entry in known:
            return address, known[address.entry]
    raise LogError(f"{text!r} is no deal of this run: ENTRY/BLOCK/SITTING/DEAL, as {next(iter(known))}/1/1/1{hint}")
