"""A shard played by strategies: its lines for the log, and its tally."""

from __future__ import annotations

import json
import shlex
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from .. import chance, plugins
from ..chance import Chance, number
from ..errors import AbortError
from ..imagine import remember
from ..recording import Recording, script_deal, state_keys, write_script
from ..referee import Answer, Clock, Fault, Player, Referee, what_went_wrong
from ..strategy import Seated
from ..table import Deal
from ..tournament.formats import play_block
from ..tournament.plan import Entry, Tournament
from ..tournament.tally import Tally

STRIKES = {"late": 10, "dead": 3, "memory": 3}  # of one strategy in one shard: then it is not asked there again


@dataclass(frozen=True)
class Task:
    """A shard to be played: blocks `first` to `last` of an entry, who sits in each, faults to be entered (see Referee)."""

    entry: int
    shard: int
    first: int
    last: int
    seatings: tuple[tuple[int, ...], ...]
    entered: dict[int, str] = field(default_factory=dict)


class Guest(Player):
    """A player for a sitting: `out` is the kind of the fault for which he is not asked again in it.

    `begin` and `settled` are the strategy's own methods, called beside the questions, where it has them."""

    __slots__ = ("out", "begin", "settled", "begun")

    def __init__(self, answers: dict[str, Answer], chance: Chance, out: str = "", thing: Any = None) -> None:
        self.answers, self.chance, self.forfeits, self.marked, self.out = answers, chance, out, False, out
        self.begin = self.settled = None
        self.begun = False
        if thing is not None:
            self.begin, self.settled = getattr(thing, "begin", None), getattr(thing, "settled", None)

    def let_go(self) -> None:
        self.answers, self.begin, self.settled = {}, None, None


class Strategies:
    """The driver of a live table: strategies are asked, faults are noted, every deal becomes a line."""

    def __init__(self, tournament: Tournament, entry: Entry, referee: Referee, tally: Tally) -> None:
        self.entry, self.referee, self.tally = entry, referee, tally
        self.abort = tournament.limits.on_fault == "abort"
        self.lines: list[str] = []
        self.labels = entry.labels
        self.random = chance.shared()
        plugins.forget(each.path for each in entry.strategies)
        sources = {(each.path, each.attribute): each for each in entry.strategies}
        loaded = {source: plugins.load(each) for source, each in sources.items()}
        self.seated = [
            Seated(loaded[each.path, each.attribute], dict(each.parameters), entry.deal) for each in entry.strategies
        ]
        self.strikes: Counter[tuple[int, str]] = Counter()
        self.chances: dict[Any, Chance] = {}
        self.kept: dict[Any, Guest] = {}
        self.who: Sequence[int] = ()
        self.guests: list[Guest] = []
        self.undying: list[Guest] = []
        self.ends = any(each.ends for each in self.seated)
        self.imagining = any(each.imagines for each in self.seated)
        self.headers: dict[str, str] = {}

    def sit(self, name: str, entrants: Sequence[int], keys: Sequence[Any]) -> None:
        if self.ends and not keys:
            self.let_go()
        self.name, self.who = name, entrants
        if keys:  # players who go from table to table
            if not self.kept:
                self.random.begin(name, 0)
            self.newcomers = any(key not in self.kept for key in keys)
            self.guests = [
                self.kept.get(key) or self.kept.setdefault(key, self.guest(entrant, key, None))
                for key, entrant in zip(keys, entrants, strict=True)
            ]
        else:
            bits, self.newcomers = number(name), False
            self.random.begin(name, 0)
            self.guests = [self.guest(entrant, seat, bits) for seat, entrant in enumerate(entrants)]
        self.watching = any([guest.begin or guest.settled for guest in self.guests])
        self.note_seats(name)

    def note_seats(self, name: str) -> None:
        """Who sits where, in a line of the log before the first deal that it holds for."""
        place, seats = name.split("/", 2)[2], " | ".join([self.labels[entrant] for entrant in self.who])
        if self.headers.get(place) != seats:
            self.headers[place] = seats
            self.lines.append(f"= {place} {seats}\n")

    def guest(self, entrant: int, key: int, bits: int | None) -> Guest:
        """A fresh player, at a seat of a sitting or (no bits) in a freeze-out.  What fails already when it is made
        forfeits the sitting."""
        own = self.chances.get(key)
        if own is None:
            own = self.chances[key] = Chance()
        if bits is None:
            own.begin(f"{self.name}/player {key}", 0)
        else:
            own.take_seat(self.name, key, bits)
        if self.struck_out(entrant):
            return Guest({}, own, "barred")
        seated = self.seated[entrant]
        if not seated.is_class:
            return Guest(seated.take_seat()[0], own)
        made, problem = self.referee.beside(seated.take_seat)
        if problem is not None:
            kind, words, where = problem
            fault = Fault(-1, kind, words, 0, "constructor", where)
            self.fault(entrant, fault, f"{self.name.split('/', 2)[2]}/1")
            return Guest({}, own, kind)
        return Guest(made[0], own, "", made[1] if seated.beside else None)

    def struck_out(self, entrant: int) -> bool:
        return bool(self.strikes) and any(self.strikes[entrant, kind] >= most for kind, most in STRIKES.items())

    def play(self, address: str, deal: Deal, first: bool) -> None:
        referee, guests = self.referee, self.guests
        if self.imagining:
            remember(deal, [seat for seat, entrant in enumerate(self.who) if self.seated[entrant].imagines])
        if self.watching and (first or self.newcomers):
            self.call_beside("begin", address, deal)
        for fault in referee.play(deal, guests):
            self.fault(self.who[fault.seat], fault, address)
        actions: Sequence[str] = deal.actions
        if referee.marks:
            actions = [
                f"!{referee.marks[at]} {action}" if at in referee.marks else action for at, action in enumerate(actions)
            ]
        self.lines.append(f"{address} {deal.dealer} {' '.join(map(str, deal.net))} | {', '.join(actions)}\n")
        if self.watching:
            self.call_beside("settled", address, deal)
        if referee.marks:
            for entrant, guest in zip(self.who, self.guests, strict=True):
                self.clear(entrant, guest)

    def clear(self, entrant: int, guest: Guest) -> None:
        """With the next deal a strategy is asked again, but for one that is out for the sitting, or has struck out."""
        if guest.forfeits == "memory" or not guest.out and self.struck_out(entrant):
            guest.out = "barred" if self.struck_out(entrant) else "memory"
            guest.let_go()
        guest.forfeits, guest.marked = guest.out, False

    def call_beside(self, what: str, address: str, deal: Deal) -> None:
        """`begin` and `settled`, where a strategy has them."""
        for seat, guest in enumerate(self.guests):
            method = getattr(guest, what)
            if method is None or guest.out or what == "begin" and guest.begun:
                continue
            guest.begun = True
            view = deal.View(deal, seat, what, (), guest.chance)
            _, problem = self.referee.beside(method, view, *[deal.net[seat]] * (what == "settled"))
            if problem is not None:
                kind, words, where = problem
                self.fault(self.who[seat], Fault(seat, kind, words, len(deal.actions), what, where), address)
                if what == "begin":
                    guest.out = guest.forfeits = kind

    def end(self, address: str, deal: Deal) -> None:
        self.lines.append(f"{address} {deal.last_dealer} {' '.join(map(str, deal.net))} |\n")

    def let_go(self) -> None:
        """The players of a sitting that is over are cleared away, which may call a method of theirs."""
        raised: list[Any] = []
        hook, sys.unraisablehook = sys.unraisablehook, raised.append
        for entrant, guest in zip(self.who, self.guests, strict=True):
            _, problem = self.referee.beside(guest.let_go)
            problem = what_went_wrong(raised.pop().exc_value) if raised else problem
            if problem is not None:
                self.undying.append(guest)
                kind, words, where = problem
                self.fault(entrant, Fault(-1, kind, words, 0, "__del__", where), f"{self.name.split('/', 2)[2]}/1")
        sys.unraisablehook = hook

    def leave(self) -> None:
        self.kept.clear()
        self.headers.clear()

    def fault(self, entrant: int, fault: Fault, address: str) -> None:
        self.strikes[entrant, fault.kind] += 1
        deal = f"{self.entry.name}/{address}"
        self.tally.fault(
            entrant,
            fault.kind,
            {
                "deal": deal,
                "seat": fault.seat if fault.seat >= 0 else None,
                "phase": fault.phase,
                "action": fault.at + 1,
                "kind": fault.kind,
                "words": fault.words,
                "where": fault.where.splitlines(),
                "view": fault.view.splitlines(),
                "again": f"roundsim replay {shlex.quote(f'.:{deal}')}",
            },
        )
        if self.abort:
            raise AbortError(f"{self.labels[entrant]} in {deal}: {fault.words}")


class Noting(Strategies):
    """The same, noting the sitting that is being played as a script: its top, its finished deals, and the deal at hand."""

    address = ""

    def play(self, address: str, deal: Deal, first: bool) -> None:
        if first or self.entry.format == "freeze-out":
            self.top = deepcopy(state_keys(deal))
            self.deals: list[dict[str, Any]] = []
        deal.chance = self.source = Recording(deal.chance)
        self.address, self.deal = address, deal
        super().play(address, deal, first)
        self.deals.append(script_deal(deal, self.source))

    def script(self, comment: str) -> str:
        """The sitting up to the deal at hand, as far as that has come; the comment alone before the first deal."""
        if not self.address:
            return f"# {comment}\n"
        comment = f"{self.entry.name}/{self.address}: {comment}"
        return write_script(self.top, [*self.deals, {**script_deal(self.deal, self.source), "expect": {}}], comment)


def script_of_bug(tournament: Tournament, task: Task, clock: Clock, words: str) -> str:
    """A shard that a bug has ended is played once more, for a script of the deal it happened in."""
    entry = tournament.entries[task.entry]
    table = Noting(tournament, entry, Referee(clock, task.entered), Tally())
    with suppress(Exception):  # the same bug again
        for block, seating in zip(range(task.first, task.last + 1), task.seatings, strict=True):
            play_block(table, entry, tournament.seed, block, seating, table.tally)
    return table.script(words)


def play_shard(tournament: Tournament, task: Task, clock: Clock) -> tuple[list[str], Tally]:
    """The lines of a shard, and its tally."""
    entry, tally = tournament.entries[task.entry], Tally()
    referee = Referee(clock, task.entered)
    table = Strategies(tournament, entry, referee, tally)
    try:
        for block, seating in zip(range(task.first, task.last + 1), task.seatings, strict=True):
            play_block(table, entry, tournament.seed, block, seating, tally)
    except MemoryError:
        clock.board[0] = referee.questions  # who was asked last has filled it
        raise
    return table.lines, tally


def written(lines: Sequence[str], tally: Tally) -> bytes:
    """The text of a shard."""
    tail = f"# {json.dumps(tally.to_json(), separators=(',', ':'))}\n"
    return "".join([*lines, tail]).encode()
