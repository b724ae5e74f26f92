"""The strategies at a live table: they are asked, their faults noted, and every deal becomes a line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import repeat
from typing import Any

from ..base.errors import AbortError
from ..processes.memory import all_memory, filled_since
from ..refereeing.board import DEALS
from ..refereeing.faults import Fault, FaultDetails, fault_with
from ..refereeing.names import Names
from ..refereeing.referee import Player, Referee
from ..refereeing.wrappers import wrappers_of
from ..sources.strategy import Seated, holders, sit_again
from ..table import chance
from ..table.chance import Chance, number_of
from ..table.deal import Deal
from ..table.imagine import remember
from ..tournament.conduct import Conduct
from ..tournament.format_parts import Difference, Driver
from ..tournament.practised import redealt
from ..tournament.results import record
from ..tournament.results.record import OUT, deal_line
from .cast import NO_ANSWERS, NOBODY, Cast, Sitter
from .shadows import Shadows

PAGE = 20_000  # lines that are held as they are
uncollected: list[Player] = []  # players whose cleanup raised; kept alive so that it is not called again


class Strategies(Driver):
    """The driver of a live table: it asks the strategies, notes their faults, and writes a line for every deal.

    `shadows`: those of the table, if it had any; they are asked if it is `shadowed`. `flawed`: whether somebody was at
    fault at the table, or was not asked. `practised`: the lines of the deals that a person has practised in the place of
    the current one. `shadows_at_fault`: at a table of shadows, which notes no more of a fault than its seat. `absent`: the
    seats there where nobody is asked."""

    place: str
    deal: Deal

    def __init__(self, cast: Cast, referee: Referee) -> None:
        self.cast, self.referee, self.entry, self.board = cast, referee, cast.entry, referee.board
        self.bank, self.labels, self.random = cast.limits.bank, cast.entry.labels, chance.module_random()
        self.compiled = not (cast.imagining or cast.listener)
        self.conduct = Conduct()
        self.lines: list[str] = []
        self.headers: dict[str, str] = {}
        self.chances: dict[Any, Chance] = {}
        self.kept: dict[Any, Sitter] = {}
        self.chairs: list[Sitter] = []  # players by seat who begin one sitting after the other, until one is flawed
        self.who: tuple[int, ...] = ()
        self.sitters: list[Sitter] = []
        self.timing = self.watching = self.accompanied = False
        self.pages: Callable[[Sequence[str]], object] | None = None
        self.practised: Sequence[str] = ()
        self.shadows: Shadows | None = None
        self.shadowed = self.flawed = False
        self.shadows_at_fault: dict[int, Difference | None] | None = None
        self.absent: Set[int] = NOBODY

    def begin_stage(self) -> None:
        self.cast.begin_stage()

    def seat_of(self, entrant: int, number: int) -> Seated:
        return self.cast.seat_of(entrant, number)

    def sit(self, table: str, names: Names, entrants: Sequence[int], keys: Sequence[Any]) -> None:
        if self.flawed:
            self.chairs.clear()
        self.table, self.who, self.names = table, tuple(entrants), names
        self.flawed = self.shadowed = self.newcomers = False
        self.note_seats()
        name = self.name = names.sitting(int(table.rpartition("/")[2]))
        if keys:
            self.sit_with_keys(keys)
        else:
            self.random.begin(name)
            self.sit_down(number_of(self.random.hash))
        self.watching = self.cast.hearing and any([sitter.begin or sitter.settled for sitter in self.sitters])
        self.accompanied = bool(self.cast.imagining or self.watching or self.cast.listener)

    def sit_with_keys(self, keys: Sequence[Any]) -> None:
        """Seat players who go from table to table."""
        if not self.kept:
            self.random.begin(self.name)
        for seat, key in enumerate(keys):
            if key not in self.kept:
                self.newcomers = True
                self.kept[key] = self.sitter(seat, key, None)
        self.sitters = [self.kept[key] for key in keys]
        for seat, sitter in enumerate(self.sitters):
            sitter.move_to(seat)
        self.flawed = self.flawed or any([sitter.out for sitter in self.sitters])

    def sit_down(self, bits: int) -> None:
        """Seat players for one sitting: the same again and again where nobody need watch how they begin."""
        seats, loaded = len(self.who), self.cast.seated
        if self.is_watched:
            self.sitters = [self.sitter(seat, seat, bits) for seat in range(seats)]
            return
        while len(self.chairs) < seats:
            self.chairs.append(Sitter(self.random, None))
        numbers = repeat(0) if len({*self.who}) == seats else map(self.number_of, range(seats))
        self.sitters = self.chairs[:seats]
        strategies = [loaded.get(key) for key in zip(self.who, numbers, strict=False)]
        left = sit_again(self.sitters, strategies, self.chances, self.name, bits)
        if not left:
            self.referee.questions += seats  # as if they were watched
            return
        for seat in range(seats):
            if seat in left:
                self.sitters[seat] = self.sitter(seat, seat, bits)
            else:
                self.referee.questions += 1

    @property
    def is_watched(self) -> bool:
        """Whether somebody must watch how each player begins a sitting."""
        watched = self.timing or self.absent or self.conduct.barred or self.cast.without
        return bool(watched or self.bank or self.referee.entered)

    def note_seats(self) -> None:
        """Write a line with the players of the seats to the log, before the first deal that it applies to."""
        seats = record.seats_line(self.table, [self.labels[entrant] for entrant in self.who])
        if self.headers.get(self.table) != seats:
            self.headers[self.table] = seats
            self.lines.append(f"{seats}\n")

    def sitter(self, seat: int, key: int, bits: int | None) -> Sitter:
        """Return a fresh player, at a seat of a sitting or (no bits) from table to table. If its creation fails it
        forfeits the sitting."""
        entrant = self.who[seat]
        out = OUT if seat in self.absent else self.conduct.sits_down(entrant)
        sitter = Sitter(self.chance_of(seat, key, bits), (self.table, seat, entrant), out)
        problem, phase = None, ""
        if not sitter.out and entrant in self.cast.without:
            problem, phase = self.cast.without[entrant], "shard"
        elif not sitter.out:
            problem, phase = self.make(sitter, entrant, key, bits), "constructor"
        if problem is not None:
            sitter.out = sitter.forfeits = OUT
            self.fault_outside(fault_with(problem, seat, phase), f"{self.table}/1", entrant)
        self.flawed = self.flawed or bool(sitter.out)
        return sitter

    def chance_of(self, seat: int, key: int, bits: int | None) -> Chance:
        if key not in self.chances or holders(self.chances, key):
            self.chances[key] = Chance()
        own = self.chances[key]
        if bits is None:
            own.begin(self.names.player(self.name, key))
        else:
            own.take_seat(self.name, key, bits)
        return own

    def number_of(self, seat: int) -> int:
        """Return the index of the seat among this entrant's seats at the table."""
        return self.who[:seat].count(self.who[seat])

    def make(self, sitter: Sitter, entrant: int, key: int, bits: int | None) -> FaultDetails | None:
        """Create a fresh object of its strategy for a player. Returns what went wrong, if anything."""
        seated = self.seat_of(entrant, self.number_of(sitter.seat))
        own = self.module_chance(key, bits) if seated.draws else None
        wrappers = wrappers_of(self.random, own, self.bank, self.referee.clock)
        problem = seated.take_seat(sitter, self.referee.call_outside_deal, wrappers)
        if self.timing and problem is None:
            sitter.wrap_answers(self.cast.times.of(entrant))
        return problem

    def module_chance(self, key: int, bits: int | None) -> Chance:
        """Return what a player draws from Python's module `random`."""
        player = self.names.player(self.name, key) if bits is None else f"{self.name}/{key}"
        return Chance(self.names.module(player))

    def turn_page(self) -> None:
        """Write out the lines so far."""
        if not self.pages:
            return
        if len(self.lines) <= PAGE:
            self.pages(self.lines)
        else:
            with all_memory():
                self.pages(self.lines)
        self.lines.clear()

    def play(self, place: str, deal: Deal, first: bool) -> None:
        referee = self.referee
        if self.accompanied:
            self.begin_deal(place, deal, first)
        for fault in referee.play(deal, self.sitters):
            self.enter(fault, place, self.who[fault.seat])
        if self.practised:
            self.lines += [f"{line}\n" for line in self.practised]
        self.lines.append(deal_line(place, deal.dealer, deal.net, deal.actions, referee.marks))
        self.board[DEALS] += 1
        if len(self.lines) > PAGE:
            self.turn_page()
        if self.accompanied:
            self.end_deal(place, deal)
        if referee.marks:
            self.after_marks()

    def begin_deal(self, place: str, deal: Deal, first: bool) -> None:
        """Do what precedes a deal for those who imagine, listen, or shadow."""
        shadows = self.shadows if self.shadowed else None
        if self.cast.listener:
            self.practised = self.cast.listener.practised(place, deal)
            if self.practised:
                deal.chance = redealt(deal, len(self.practised))
        if self.cast.imagining:
            every = [*enumerate(self.sitters), *(enumerate(shadows.table.sitters) if shadows else ())]
            remember(deal, {seat for seat, sitter in every if sitter.imagines})
        if self.cast.listener:
            self.cast.listener.begins(place, deal, [self.labels[entrant] for entrant in self.who])
        if self.watching and (first or self.newcomers):
            self.call_beside("begin", place, deal)
        if shadows:
            shadows.begin(place, deal, first)

    def end_deal(self, place: str, deal: Deal) -> None:
        """Do what follows a deal for them."""
        if self.watching:
            self.call_beside("settled", place, deal)
        if self.shadowed and self.shadows:
            self.shadows.settled(deal)
        if self.cast.listener:
            self.cast.listener.ends(place, deal)

    def after_marks(self) -> None:
        """Decide who is not asked any more after a deal in which somebody was not."""
        for entrant, sitter in zip(self.who, self.sitters, strict=True):
            out = self.conduct.after_deal(entrant, sitter.out, sitter.forfeits)
            if out != sitter.out:
                sitter.let_go()
            sitter.out = sitter.forfeits = out
            sitter.marked = False

    def call_beside(self, what: str, place: str, deal: Deal) -> None:
        """Call `begin` or `settled`, if a strategy has them."""
        for seat, sitter in enumerate(self.sitters):
            if sitter.out or what == "begin" and sitter.begun or not (call := sitter.call_of(what, deal)):
                continue
            sitter.begun = True
            _, problem = self.referee.call_outside_deal(*call)
            if problem is not None:
                self.fault_outside(fault_with(problem, seat, what, deal), place, self.who[seat])
                if what == "begin":
                    sitter.out = sitter.forfeits = OUT

    def end(self, place: str, deal: Deal) -> None:
        self.lines.append(f"{record.end_line(place, deal.last_dealer, deal.net)}\n")

    def shadow(self, entrants: Sequence[int | None]) -> None:
        self.shadows = self.shadows or self.new_shadows()
        self.shadowed = self.accompanied = True
        absent = {seat for seat, entrant in enumerate(entrants) if entrant is None}
        seated = [self.who[seat] if entrant is None else entrant for seat, entrant in enumerate(entrants)]
        self.shadows.sit(self.table.replace("/", "/-"), self.names, seated, absent)
        for sitter in self.sitters:
            self.shadows.join(sitter)

    def new_shadows(self) -> Shadows:
        return Shadows(Strategies(self.cast, Referee(self.referee.clock, self.referee.entered)))

    def strike(self, entrant: int, kind: str) -> None:
        """Note that a shadow was at fault at a question: some kinds bar it from the shard."""
        self.conduct.note_fault(entrant, kind, "")

    def differing(self) -> Mapping[int, Difference | None]:
        if self.flawed:
            return dict.fromkeys(range(len(self.sitters)))
        return self.shadows.differing if self.shadows and self.shadowed else {}

    def leave(self) -> None:
        if self.shadowed and self.shadows:
            self.shadows.table.leave()
        if self.ends:
            self.let_go()
        for sitter in self.sitters:
            sitter.answers, sitter.chance = NO_ANSWERS, self.random  # nothing of a sitting stays
        self.kept.clear()
        self.headers.clear()
        self.timing = False

    @property
    def ends(self) -> bool:
        """Whether a strategy has a method that is called at its cleanup."""
        return self.cast.ends

    def let_go(self) -> None:
        """Release the players of a sitting that is over. This may call a method of theirs."""
        raised: list[Any] = []

        def clear_away(sitter: Sitter) -> None:
            sitter.let_go(asked=True)
            if raised:
                raise raised.pop().exc_value

        hook, sys.unraisablehook = sys.unraisablehook, raised.append
        try:
            for sitter in self.kept.values() or self.sitters:
                table, seat, entrant = sitter.at or (self.table, sitter.seat, self.who[sitter.seat])
                _, problem = self.referee.call_outside_deal(clear_away, sitter)
                if problem is not None:
                    uncollected.append(sitter)
                    self.fault_outside(fault_with(problem, seat, "__del__"), f"{table}/1", entrant)
        finally:
            sys.unraisablehook = hook

    def fault_outside(self, fault: Fault, place: str, entrant: int) -> None:
        """Enter a fault outside the questions of a deal: it gets its own line."""
        if self.shadows_at_fault is not None:
            self.check_memory(fault.kind, entrant)
            self.shadows_at_fault.setdefault(fault.seat, None)
            return
        self.lines.append(f"{record.fault_line(place, fault.seat, fault.phase, fault.kind)}\n")
        self.enter(fault, place, entrant)

    def enter(self, fault: Fault, place: str, entrant: int) -> None:
        """Enter a fault of a table."""
        self.record_fault(replace(fault, entrant=entrant, deal=f"{self.entry.name}/{place}"))

    def check_memory(self, kind: str, entrant: int) -> None:
        """Raise MemoryError if the memory is full of what a strategy keeps here, whichever strategy failed."""
        if kind == "memory" and entrant not in self.cast.strangers and filled_since(self.cast.taken_before):
            raise MemoryError

    def record_fault(self, fault: Fault) -> None:
        """Record a fault. Raises MemoryError as `check_memory` does."""
        self.check_memory(fault.kind, fault.entrant)
        self.flawed = True
        self.conduct.note_fault(fault.entrant, fault.kind, fault.phase)
        self.cast.tally.count_fault(fault)
        if self.cast.limits.on_fault == "abort":
            raise AbortError(f"{self.labels[fault.entrant]} in {fault.deal}: {fault.words}")
