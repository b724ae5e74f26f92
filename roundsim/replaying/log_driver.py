"""The log of a run replayed: its tables, with a log in the place of the players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..base.errors import IllegalError, LogError
from ..refereeing.names import Names
from ..table.actions import Action
from ..table.deal import Ask, Deal
from ..table.playthrough import Playthrough, Record, replay_deal
from ..tournament.format_parts import Difference, Driver
from ..tournament.practised import redealt, replayed_line
from ..tournament.results.record import END, PRACTISED, LogLine, end_line, head, said, seats_line


def walk(deal: Deal, actions: Sequence[str]) -> Iterator[tuple[Ask, Action]]:
    """Yield each question of a deal that is not yet played, and its recorded action, which is played before the next
    step. Raises IllegalError if this is not a record of the deal."""
    playing, record = Playthrough(deal), Record(deal, actions)
    while ask := playing.ask:
        action = record.answer(ask)
        yield ask, action
        playing.answer(action)
    record.end()


class EnoughError(Exception):
    """Raised by a driver that needs no more of its block."""


class LogDriver(Driver):
    """The driver of a table whose deals are read from a log. `path`, `above`: the file of the lines, and the number of
    lines above them; `line`: that of the current deal, `text`: as it is written; `who`: the entrants in its seats;
    `practised`: the lines of the deals that were practised in its place, before it was dealt with its own cards.

    `visit` gets the driver at each deal, and plays it by `replay` or `walk`; `visit_end` at each end of a sitting;
    `until`: the place after which it raises EnoughError. LogError if it cannot go on; other deviations are `wrong`,
    which here is the same."""

    place: str
    deal: Deal

    def __init__(
        self,
        path: Path,
        lines: Sequence[str],
        labels: Sequence[str],
        above: int = 0,
        visit: Callable[[LogDriver], object] = lambda driver: driver.replay(),
        visit_end: Callable[[LogDriver], object] = lambda driver: None,
        until: str = "",
    ) -> None:
        self.path, self.lines, self.labels, self.above, self.at = path, lines, labels, above, 0
        self.visit, self.visit_end, self.until = visit, visit_end, until
        self.who: Sequence[int] = ()
        self.table, self.names = "", Names("", "", 0)
        self.headers: dict[str, str] = {}
        self.text, self.line, self.practised = "", LogLine("", [], {}), list[str]()
        self.flawed = False  # whether somebody was at fault at the table

    @property
    def seated(self) -> list[str]:
        """The labels of the entrants, by seat."""
        return [self.labels[entrant] for entrant in self.who]

    @property
    def name(self) -> str:
        """The name of the sitting's chance."""
        return self.names.sitting(int(self.table.rpartition("/")[2]))

    def sit(self, table: str, names: Names, entrants: Sequence[int], keys: Sequence[Any]) -> None:
        self.who, self.table, self.names, self.flawed = entrants, table, names, False
        seats = seats_line(table, [self.labels[entrant] for entrant in entrants])
        if self.headers.get(table) != seats:
            self.headers[table] = seats
            self.agree(self.next_line(seats), seats)

    def play(self, place: str, deal: Deal, first: bool) -> None:
        self.place, self.deal = place, deal
        self.line = self.next_deal(place)
        if self.practised:
            deal.chance = redealt(deal, len(self.practised))
        try:
            self.go_through()
        except IllegalError as error:
            raise self.error(f"{place}: {error}") from None
        self.compare(place, deal)
        if place == self.until:
            raise EnoughError

    def compare(self, place: str, deal: Deal) -> None:
        """Compare the line of a deal with its replayed result."""
        for at in self.line.marks:
            if deal.actions[at] != deal.asked[at].legal[0]:
                legal = deal.asked[at].legal[0]
                self.wrong(f"{place}: action {at + 1} is marked as forfeited, and is not the first legal one, {legal}")
        self.agree(self.line.head, head(place, deal.dealer, deal.net))
        self.agree(self.text.partition(" |")[2], f" {said(deal.actions, self.line.marks)}")

    def end(self, place: str, deal: Deal) -> None:
        self.place, self.deal = place, deal
        self.line = self.next_deal(place)
        self.agree(self.text, end_line(place, deal.last_dealer, deal.net))
        self.visit_end(self)
        if place == self.until:
            raise EnoughError

    def go_through(self) -> None:
        """Play the current deal from its line."""
        self.visit(self)

    def replay(self) -> None:
        """Replay the current deal. Raises IllegalError if its line is not a record of it."""
        replay_deal(self.deal, self.line.actions)

    def walk(self) -> Iterator[tuple[Ask, Action]]:
        """Replay the current deal step by step (see `walk`)."""
        return walk(self.deal, self.line.actions)

    def leave(self) -> None:
        self.headers.clear()

    def differing(self) -> dict[int, Difference | None] | None:
        return dict.fromkeys(range(len(self.who))) if self.flawed else None

    def reaches(self, table: str, planned: bool) -> bool:
        after = (text for text in self.lines[self.at :] if not text.startswith("! "))
        there = next(after, "").startswith(f"= {table} ")
        if planned and not there:
            self.refuse(f"table {table} is not there")
        return there

    def refuse(self, message: str) -> None:
        raise self.error(message)

    def next_deal(self, place: str) -> LogLine:
        self.practised.clear()
        while (text := self.next_line(f"deal {place}")).startswith(PRACTISED):
            self.practise(place, text)
            self.practised.append(text)
        self.text = text
        with suppress(LogError):
            if (line := LogLine.parse(self.text)).place == place:
                self.flawed = self.flawed or bool(line.marks)
                return line
        raise self.error(f"expected deal {place}, found {self.text.partition(' |')[0][:60]!r}")

    def practise(self, place: str, text: str) -> None:
        """Replay a deal that was practised in the place of the current one."""
        if place.endswith(END) or not self.may_practise:
            self.refuse(f"{place}: nobody has practised here: no person sits alone at this table")
        try:
            made = replayed_line(place, self.deal, len(self.practised), text)
        except (IllegalError, LogError) as error:
            raise self.error(f"{place}, practised: {error}") from None
        self.agree(text, made)

    @property
    def may_practise(self) -> bool:
        """Whether deals at the table may have been practised. It is examined where a run is verified."""
        return True

    @property
    def at_fault(self) -> bool:
        """Whether the next line is that of a fault outside the deals."""
        return self.at < len(self.lines) and self.lines[self.at].startswith("! ")

    def next_line(self, expected: str) -> str:
        """Return the next line, without those of faults outside the deals."""
        lines = self.lines
        while self.at < len(lines):
            text = lines[self.at]
            self.at += 1
            if not text.startswith("! "):
                return text
            self.flawed = True
            self.skip(text)
        self.at += 1
        raise self.error(f"the log ends where {expected} is to come")

    def skip(self, fault: str) -> None:
        """Handle the line of a fault, which changes nothing in the deals."""

    def agree(self, text: str, expected: str) -> None:
        if text != expected:
            self.wrong(f"expected  {expected}\n  found     {text[:200]}")

    def wrong(self, message: str) -> None:
        raise self.error(message)

    def error(self, message: str) -> LogError:
        """Return an error about the line that was read last."""
        return LogError(f"{self.path}:{self.above + self.at}: {message}")
