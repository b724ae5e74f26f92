"""A shard played by strategies: its lines for the log, and its tally."""

from __future__ import annotations

import sys
from collections.abc import Sequence, Set
from contextlib import suppress
from copy import deepcopy
from typing import Any

from .. import loading
from ..contract import plugins
from ..contract.plugins import Strategy
from ..contract.strategy import Seated, random_answer
from ..errors import AbortError
from ..refereeing.recording import Recording, script_deal, state_keys, write_script
from ..refereeing.referee import Answer, Clock, Fault, Player, Referee, what_went_wrong
from ..table import chance
from ..table.chance import Chance, number
from ..table.deal import Deal
from ..table.imagine import remember
from ..tournament import record
from ..tournament.conduct import Conduct
from ..tournament.formats import play_block
from ..tournament.plan import Entry, Keys, Task, Tournament
from ..tournament.record import OUT, Names
from ..tournament.shards import row_of
from ..tournament.tally import Tally
from .memory import all_memory, filled_since, taken

NOBODY: Set[int] = frozenset()


class HoardError(Exception):
    """The memory is full of what strategies keep; the entrant who keeps most, where that was weighed."""

    def __init__(self, entrant: int) -> None:
        super().__init__(entrant)
        self.entrant = entrant


class Guest(Player):
    """A player for a sitting: `out`, OUT or BARRED, if he is not asked again in it; `at`: the table and the seat where he
    has sat down, and which entrant he is.

    `begin` and `settled` are the strategy's own methods, called beside the questions, where it has them."""

    __slots__ = ("out", "begin", "settled", "begun", "at")

    def __init__(self, answers: dict[str, Answer], chance: Chance, out: str = "", thing: Any = None) -> None:
        self.answers, self.chance, self.forfeits, self.marked, self.out = answers, chance, out, False, out
        self.begin = self.settled = None
        self.begun, self.at = False, ("", 0, 0)
        if thing is not None:
            self.begin, self.settled = getattr(thing, "begin", None), getattr(thing, "settled", None)

    def let_go(self) -> None:
        self.answers, self.begin, self.settled = {}, None, None


class Strategies:
    """The driver of a live table: strategies are asked, faults are noted, every deal becomes a line."""

    def __init__(
        self, tournament: Tournament, entry: Entry, referee: Referee, tally: Tally, without: Set[int] = NOBODY
    ) -> None:
        self.entry, self.referee, self.tally, self.without = entry, referee, tally, without
        self.taken_before = taken()
        self.abort = tournament.limits.on_fault == "abort"
        self.lines: list[str] = []
        self.labels = entry.labels
        self.random = chance.shared()
        loading.forget(each.path for each in entry.strategies)
        loaded: dict[tuple[str, str], Any] = {}
        self.seated = [self.load(entrant, each, loaded) for entrant, each in enumerate(entry.strategies)]
        self.conduct = Conduct()
        self.chances: dict[Any, Chance] = {}
        self.kept: dict[Any, Guest] = {}
        self.who: Sequence[int] = ()
        self.guests: list[Guest] = []
        self.undying: list[Guest] = []
        self.ends = any(each.ends for each in self.seated)
        self.imagining = any(each.imagines for each in self.seated)
        self.headers: dict[str, str] = {}

    def load(self, entrant: int, strategy: Strategy, loaded: dict[tuple[str, str], Any]) -> Seated:
        """An entrant's strategy, of which each is loaded once; nothing of one that is not asked."""
        if entrant in self.without:
            return Seated(random_answer, {}, self.entry.deal)
        source = strategy.path, strategy.attribute
        if source not in loaded:
            self.turn_to(entrant)
            loaded[source] = plugins.load(strategy)
        return Seated(loaded[source], dict(strategy.parameters), self.entry.deal)

    def turn_to(self, entrant: int) -> None:
        """What the process does next is this entrant's (see Weighing)."""

    def heaviest(self) -> int:
        """The entrant who keeps most memory, if that is weighed."""
        return 0

    def sit(self, table: str, names: Names, entrants: Sequence[int], keys: Sequence[Any]) -> None:
        self.table, self.who, self.names = table, entrants, names
        self.note_seats()
        name = self.name = names.sitting(int(table.rpartition("/")[2]))
        if keys:  # players who go from table to table
            if not self.kept:
                self.random.begin(name, 0)
            self.newcomers = any(key not in self.kept for key in keys)
            for seat, key in enumerate(keys):
                if key not in self.kept:
                    self.kept[key] = self.sit_down(seat, key, None)
            self.guests = [self.kept[key] for key in keys]
        else:
            bits, self.newcomers = number(name), False
            self.random.begin(name, 0)
            self.guests = [self.sit_down(seat, seat, bits) for seat in range(len(entrants))]
        self.watching = any([guest.begin or guest.settled for guest in self.guests])

    def note_seats(self) -> None:
        """Who sits where, in a line of the log before the first deal that it holds for."""
        seats = record.seats_line(self.table, [self.labels[entrant] for entrant in self.who])
        if self.headers.get(self.table) != seats:
            self.headers[self.table] = seats
            self.lines.append(f"{seats}\n")

    def sit_down(self, seat: int, key: int, bits: int | None) -> Guest:
        """A fresh player, at a seat of a sitting or (no bits) from table to table."""
        guest = self.guest(seat, key, bits)
        guest.at = self.table, seat, self.who[seat]
        return guest

    def guest(self, seat: int, key: int, bits: int | None) -> Guest:
        """The same; what fails already when it is made forfeits the sitting."""
        entrant, own = self.who[seat], self.chances.get(key)
        if own is None:
            own = self.chances[key] = Chance()
        if bits is None:
            own.begin(self.names.player(self.name, key), 0)
        else:
            own.take_seat(self.name, key, bits)
        if barred := self.conduct.sits_down(entrant):
            return Guest({}, own, barred)
        if entrant in self.without:
            words = "what it keeps fills the memory: it is not asked in this shard"
            self.beside(Fault(seat, "memory", words, 0, "shard"), f"{self.table}/1", entrant)
            return Guest({}, own, OUT)
        seated = self.seated[entrant]
        if not seated.is_class:
            return Guest(seated.take_seat()[0], own)
        self.turn_to(entrant)
        made, problem = self.referee.beside(seated.take_seat)
        if problem is not None:
            kind, words, where = problem
            self.beside(Fault(seat, kind, words, 0, "constructor", where), f"{self.table}/1", entrant)
            return Guest({}, own, OUT)
        return Guest(made[0], own, "", made[1] if seated.beside else None)

    def play(self, place: str, deal: Deal, first: bool) -> None:
        referee, guests = self.referee, self.guests
        if self.imagining:
            remember(deal, [seat for seat, entrant in enumerate(self.who) if self.seated[entrant].imagines])
        if self.watching and (first or self.newcomers):
            self.call_beside("begin", place, deal)
        for fault in referee.play(deal, guests):
            self.fault(fault, place, self.who[fault.seat])
        self.lines.append(f"{record.line(place, deal.dealer, deal.net, deal.actions, referee.marks)}\n")
        if self.watching:
            self.call_beside("settled", place, deal)
        if referee.marks:
            for entrant, guest in zip(self.who, guests, strict=True):
                out = self.conduct.after_deal(entrant, guest.out, guest.forfeits)
                if out != guest.out:
                    guest.let_go()
                guest.out = guest.forfeits = out
                guest.marked = False

    def call_beside(self, what: str, place: str, deal: Deal) -> None:
        """`begin` and `settled`, where a strategy has them."""
        for seat, guest in enumerate(self.guests):
            method = getattr(guest, what)
            if method is None or guest.out or what == "begin" and guest.begun:
                continue
            guest.begun = True
            self.turn_to(self.who[seat])
            view = deal.View(deal, seat, what, (), guest.chance)
            _, problem = self.referee.beside(method, view, *[deal.net[seat]] * (what == "settled"))
            if problem is not None:
                kind, words, where = problem
                self.beside(Fault(seat, kind, words, len(deal.actions), what, where), place, self.who[seat])
                if what == "begin":
                    guest.out = guest.forfeits = OUT

    def end(self, place: str, deal: Deal) -> None:
        self.lines.append(f"{record.end_line(place, deal.last_dealer, deal.net)}\n")

    def leave(self) -> None:
        if self.ends:
            self.let_go()
        self.kept.clear()
        self.headers.clear()

    def let_go(self) -> None:
        """The players of a sitting that is over are cleared away, which may call a method of theirs."""
        raised: list[Any] = []
        hook, sys.unraisablehook = sys.unraisablehook, raised.append
        for guest in self.kept.values() or self.guests:
            table, seat, entrant = guest.at
            self.turn_to(entrant)
            _, problem = self.referee.beside(guest.let_go)
            problem = what_went_wrong(raised.pop().exc_value) if raised else problem
            if problem is not None:
                self.undying.append(guest)
                kind, words, where = problem
                self.beside(Fault(seat, kind, words, 0, "__del__", where), f"{table}/1", entrant)
        sys.unraisablehook = hook

    def beside(self, fault: Fault, place: str, entrant: int) -> None:
        """A fault beside the questions of a deal has a line of its own."""
        self.lines.append(f"{record.fault_line(place, fault.seat, fault.phase, fault.kind)}\n")
        self.fault(fault, place, entrant)

    def fault(self, fault: Fault, place: str, entrant: int) -> None:
        deal = f"{self.entry.name}/{place}"
        if fault.kind == "memory" and filled_since(self.taken_before):  # no matter whom it has met
            raise HoardError(self.heaviest())
        self.conduct.fault(entrant, fault.kind, fault.phase)
        where, view = tuple(fault.where.splitlines()), tuple(fault.view.splitlines())
        told = (fault.seat, fault.phase, fault.at + 1, fault.kind, fault.words, where, view)
        self.tally.fault(record.Told(entrant, deal, *told))
        if self.abort:
            raise AbortError(f"{self.labels[entrant]} in {deal}: {fault.words}")


class Weighing(Strategies):
    """The same, weighing what each entrant keeps: by how much the process has grown from when he was called until
    another was."""

    def __init__(
        self, tournament: Tournament, entry: Entry, referee: Referee, tally: Tally, without: Set[int] = NOBODY
    ) -> None:
        self.weights = [0] * len(entry.strategies)
        self.turn, self.taken = 0, taken()
        super().__init__(tournament, entry, referee, tally, without)
        self.ends = True  # what a sitting leaves is cleared away before the next, each by its own

    def turn_to(self, entrant: int) -> None:
        now = taken()
        self.weights[self.turn] += now - self.taken
        self.turn, self.taken = entrant, now

    def heaviest(self) -> int:
        self.turn_to(self.turn)
        asked = (entrant for entrant in range(len(self.weights)) if entrant not in self.without)
        return max(asked, key=self.weights.__getitem__)

    def guest(self, seat: int, key: int, bits: int | None) -> Guest:
        guest, entrant = super().guest(seat, key, bits), self.who[seat]

        def weighed(answer: Answer) -> Answer:
            def turn_and_answer(view: Any) -> Any:
                self.turn_to(entrant)
                return answer(view)

            return turn_and_answer

        guest.answers = {phase: weighed(answer) for phase, answer in guest.answers.items()}
        return guest


class Noting(Strategies):
    """The same, noting the sitting that is being played as a script: its top, its finished deals, and the deal at hand."""

    place = ""

    def play(self, place: str, deal: Deal, first: bool) -> None:
        if first or not self.entry.format.one_script:
            self.top = deepcopy(state_keys(deal))
            self.deals: list[dict[str, Any]] = []
        deal.chance = self.source = Recording(deal.chance)
        self.place, self.deal = place, deal
        super().play(place, deal, first)
        self.deals.append(script_deal(deal, self.source))

    def script(self, comment: str) -> str:
        """The sitting up to the deal at hand, as far as that has come; the comment alone before the first deal."""
        if not self.place:
            return f"# {comment}\n"
        comment = f"{self.entry.name}/{self.place}: {comment}"
        return write_script(self.top, [*self.deals, {**script_deal(self.deal, self.source), "expect": {}}], comment)


def script_of_bug(tournament: Tournament, task: Task, clock: Clock, words: str) -> str:
    """A shard that a bug has ended is played once more, for a script of the deal it happened in."""
    entry = tournament.entries[task.entry]
    table = Noting(tournament, entry, Referee(clock, task.entered), Tally(), task.without)
    with suppress(Exception):  # the same bug again
        for block, seating in zip(range(task.first, task.last + 1), task.seatings, strict=True):
            play_block(table, entry, tournament.seed, block, seating, table.tally)
    return table.script(words)


def play_shard(tournament: Tournament, task: Task, clock: Clock) -> tuple[list[str], Tally]:
    """The lines of a shard, and its tally; HoardError."""
    entry, tally, keys = tournament.entries[task.entry], Tally(), Keys(tournament, task.entry)
    players = Weighing if task.weighed else Strategies
    table = players(tournament, entry, Referee(clock, task.entered), tally, task.without)
    try:
        for block, seating in zip(range(task.first, task.last + 1), task.seatings, strict=True):
            begun = len(table.lines)
            played = play_block(table, entry, tournament.seed, block, seating, tally)
            tally.rows.append(row_of(keys, block, seating, table.lines[begun:], played))
    except MemoryError:  # not a strategy's own: it was full when it came to us
        with all_memory():
            raise HoardError(table.heaviest()) from None
    return table.lines, tally
