"""Tables with third-party strategies, which run in guests: many tables play in step."""

from __future__ import annotations

import math
from bisect import insort
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..base.errors import BugError, GivenUpError
from ..base.text import so_many
from ..guests.encoding import legal_as_sent
from ..guests.guest import SILENT, Guest, IdleTime
from ..guests.losses import GuestLostError, NotLoadedError
from ..guests.pool import LOSSES, Guests
from ..guests.question import GuestKey, GuestQuestion
from ..refereeing.board import DIED, EXCLUDED, SHORT, SLOW
from ..refereeing.faults import Fault, FaultDetails
from ..refereeing.referee import Referee, RemoteFaultError
from ..table.deal import Deal
from ..table.view import TableView
from ..tournament.conduct import Conduct
from ..tournament.planning.plan import Limits
from ..tournament.results.record import BARRED, STRIKES
from .cast import Sitter
from .lockstep import TABLES_IN_STEP, Lockstep
from .shadows import ShadowAnswer, Shadows
from .strategies import Strategies

new_question: Any = object.__new__
NOTHING: dict[str, Any] = {}
ENDED = 3  # guests of an entrant in a shard that took too long, before it is played without the entrant
IDLE = 40, 4, 0.1  # that guests of an entrant may be idle in a piece: limits, seconds, and limits a deal
MOST_AGAIN = 20  # times that a piece begins again because of an entrant, before it is played without the entrant
MOST_REPEATED = 3  # times its deals that a piece plays again, before it is played without who caused most of that
FEW_DEALS = 50  # a piece that has fewer counts as if it had so many: then 20 times are no great cost
Moment = tuple[int, int, int]  # a part, a block, and the number of the fault among those of an entrant there


class ForesightError(GivenUpError):
    """A shard took another course than was foreseen, and must be played again: the entrant at fault, and why (see
    REASONS)."""

    words = ""

    def __init__(self, entrant: int, why: int) -> None:
        super().__init__(entrant, why)
        self.entrant, self.why = entrant, why


@dataclass(slots=True)
class Foresight:
    """The knowledge about a shard from playing it before.

    Tables in step do not know of each other's faults. So if an entrant is barred or a guest is lost, the shard is
    played again with fresh guests and with this knowledge. If memory runs out, it is played again one table at a time:
    in step, a guest holds the memory of its strategy for many sittings. `entered`: the faults at questions that are not
    asked again; `barred`: the fault after which an entrant is barred; `losses`: the questions at which its guests died;
    `ended`: how often a guest had to be ended because it took too long; `without`: the entrants that are not asked in
    this shard, and why. `seatings`: the entrants of each block. `deals`: how many the piece has, about; `again`: how
    often it began again because of an entrant; `repeated`: the deals that were then played again, since its guests last died
    at a question where they had died before; `idle`: how long the guests of an entrant were idle."""

    entered: dict[GuestKey, FaultDetails] = field(default_factory=dict)
    barred: dict[int, Moment] = field(default_factory=dict)
    width: int = TABLES_IN_STEP
    without: dict[int, FaultDetails] = field(default_factory=dict)
    losses: dict[int, list[GuestKey]] = field(default_factory=dict)
    ended: Counter[int] = field(default_factory=Counter)
    seatings: Mapping[int, Sequence[int]] = field(default_factory=dict)
    deals: int = 0
    again: Counter[int] = field(default_factory=Counter)
    repeated: Counter[int] = field(default_factory=Counter)
    idle: IdleTime = field(default_factory=IdleTime)

    @classmethod
    def of(cls, seatings: Mapping[int, Sequence[int]], deals: int, limits: Limits) -> Foresight:
        """Return that of a piece with these blocks and about so many deals, before it is played."""
        usual, more, a_deal = IDLE
        idle = IdleTime((usual + a_deal * deals) * limits.seconds + more)
        return cls(seatings=seatings, deals=deals, idle=idle)

    def counts(self) -> dict[str, Counter[int]]:
        """Return the counts that later stages go on with, by name."""
        return {"ended": self.ended, "again": self.again, "repeated": self.repeated, "idle": self.idle.taken}

    def begin_again(self, entrant: int, why: str, deals: int) -> None:
        """Note that the piece begins again because of an entrant, why, and how many deals are played again.

        Each way to begin again passes here, so it ends: an entrant that causes too much of this is left out, and one
        that is left out causes nothing. BugError if it does."""
        self.again[entrant] += 1
        self.repeated[entrant] += min(max(deals, 0), self.deals)
        if self.again[entrant] > 2 * MOST_AGAIN:
            raise BugError(f"a shard began again {self.again[entrant]} times because of one strategy: {why}")
        asked = {who: deals for who, deals in self.repeated.items() if who not in self.without}
        worst = entrant
        if self.again[entrant] < MOST_AGAIN:
            if sum(asked.values()) <= MOST_REPEATED * max(self.deals, FEW_DEALS):
                return
            worst = max(sorted(asked), key=asked.__getitem__)
        if worst not in self.without:
            words = f"the shard began again {so_many(self.again[worst], 'time')} because of it"
            self.leave_out(worst, "dead", f"{why}; {words}" if why and worst == entrant else words)

    def needs_memory(self, entrant: int, full: bool, width: int) -> bool:
        """Note that a guest has no memory left, with `width` tables in step. Returns whether the shard must be played
        again."""
        if width > 1:
            self.width = 1
        elif full:
            self.leave_out(entrant, "memory", "what it keeps fills the memory")
        return width > 1 or full

    def learn(self, ended: GuestLostError | NotLoadedError | ForesightError) -> int:
        """Note what has ended the playing of a piece. Returns why it begins again, of REASONS."""
        if isinstance(ended, ForesightError):
            return ended.why
        if isinstance(ended, NotLoadedError):
            self.leave_out(ended.entrant, "dead", ended.words, ended.where)
            return DIED
        self.lost(ended)
        return SLOW if ended.kind in ("late", "idle") else DIED

    def lost(self, lost: GuestLostError) -> None:
        """Note a lost guest. It may have been killed from outside, so a question counts as its death only if the guest
        dies there again, or if its guests keep dying at other questions."""
        if lost.kind == "idle":
            self.leave_out(lost.entrant, "late", lost.words)
        if lost.kind == "idle" or lost.key is None:
            return
        if lost.kind == "late":
            self.ended[lost.entrant] += 1
            if self.ended[lost.entrant] >= ENDED:
                why = f"{ENDED} times it took so long that it had to be ended"
                self.leave_out(lost.entrant, "late", f"{SILENT}; {why}" if lost.words == SILENT else why)
                return
        before = self.losses.setdefault(lost.entrant, [])
        if certain := lost.kind != "dead" or lost.key in before:
            self.repeated[lost.entrant] = 0  # its faults bar it soon
        if certain or len(before) + 1 >= LOSSES:
            kind = "late" if lost.kind == "late" else "dead"
            self.entered[lost.key] = kind, lost.words, lost.where
            before.clear()
        else:
            before.append(lost.key)

    def leave_out(self, entrant: int, kind: str, why: str, where: str = "") -> None:
        """Play the shard without an entrant. In its blocks the others may then get other questions, and are asked
        again."""
        self.without[entrant] = kind, f"{why}: it is not asked in this shard", where
        for key in [*self.entered]:
            if entrant in self.seatings[int(key[0].partition("/")[0])]:
                del self.entered[key]


class Strikes:
    """The strikes of a stage, counted as its tables are stepped.

    `barred`: the fault after which an entrant is barred, as far as it is known. Strikes count in the order of the log,
    so one at an earlier table can only move that forward: an entrant that is barred here need not be asked."""

    def __init__(self, conduct: Conduct, foreseen: Mapping[int, Moment]) -> None:
        self.before = conduct.faults.copy()
        self.barred = {**dict.fromkeys(conduct.barred, (0, 0, 0)), **foreseen}
        self.made: dict[tuple[int, str], list[Moment]] = {}
        self.of_shadows = Counter[tuple[int, str]]()

    def note(self, entrant: int, kind: str, phase: str, at: Moment) -> None:
        made = self.made.setdefault((entrant, kind), [])
        insort(made, at)
        left = 1 if phase == "shard" else STRIKES.get(kind, math.inf) - self.before[entrant, kind]
        if len(made) >= left:
            last = made[int(left) - 1]
            self.barred[entrant] = min(self.barred.get(entrant, last), last)


class Foreseen(Conduct):
    """The conduct of the entrants of one block among others in step."""

    def __init__(self, strikes: Strikes, part: int, block: int) -> None:
        super().__init__()
        self.strikes, self.part, self.block = strikes, part, block
        self.barred = strikes.barred.keys()

    def note_fault(self, entrant: int, kind: str, phase: str) -> None:
        self.faults[entrant, ""] += 1
        self.strikes.note(entrant, kind, phase, self.now(entrant))

    def sits_down(self, entrant: int) -> str:
        return BARRED if entrant in self.barred and self.strikes.barred[entrant] <= self.now(entrant) else ""

    def now(self, entrant: int) -> Moment:
        return self.part, self.block, self.faults[entrant, ""]


class InStep(Referee):
    """The referee of one table among others in step."""

    __slots__ = ("step",)

    def __init__(self, step: Lockstep, of: Referee) -> None:
        super().__init__(of.clock, of.entered, GuestQuestion)
        self.step = step

    def put(self, asked: Iterator[None]) -> None:
        self.step.put(asked)


class GuestPlayer:
    """A player in a sitting who is asked in a guest; `seat`: where it sat down."""

    __slots__ = ("table", "guest", "sitting", "seat")

    def __init__(self, table: SteppedStrategies, guest: Guest, sitting: int, seat: int) -> None:
        self.table, self.guest, self.sitting, self.seat = table, guest, sitting, seat

    def answer(self, view: TableView) -> GuestQuestion:
        """Put a question to the guest. It answers when all tables have put theirs."""
        table, guest, phase, legal = self.table, self.guest, view.phase, view.legal
        question: GuestQuestion = new_question(GuestQuestion)
        question.table, question.view = table, view
        if table.foresight.entered:
            table.foresee(question)
        sent, wants = legal if type(legal) is tuple else legal_as_sent(legal, guest.plain), guest.wants
        shown = wants.shown(phase, view) if wants.phases or wants.always else NOTHING
        guest.number = number = guest.number + 1
        guest.open[number] = question
        guest.out.append(("ask", number, self.sitting, phase, sent, shown))
        table.step.asked[guest] = None
        return question

    def call(self, what: str, view: TableView, *net: int) -> None:
        self.table.asked(self.guest, None, view, what, self.sitting, *net, self.guest.wants.shown(what, view))

    def move(self, seat: int) -> None:
        self.guest.out.append(("move", 0, self.sitting, seat))

    def leave(self, asked: bool) -> None:
        if asked and "leave" in self.guest.hears:
            place = self.table.place, self.seat, "__del__", 0
            self.table.asked(self.guest, place, None, "leave", self.sitting)
        else:
            self.guest.out.append(("leave", 0, self.sitting))


class SteppedStrategies(Strategies):
    """The table of one block among many in step; `of` enters its faults when its turn comes.

    `faults`: those made at this table."""

    def __init__(
        self,
        of: Strategies,
        guests: Guests,
        step: Lockstep,
        foresight: Foresight,
        strikes: Strikes,
        part: int,
        block: int,
    ) -> None:
        super().__init__(of.cast, InStep(step, of.referee))
        self.given = of, guests, step, foresight, strikes, part, block
        self.referee.questions = (part << 32) + (block << 16)
        if len(of.cast.strangers) == len(of.entry.strategies):
            self.chances = of.chances  # each is only sent, because guests draw from their own copies
        self.conduct = Foreseen(strikes, part, block)
        self.guests, self.step, self.foresight, self.part, self.block = guests, step, foresight, part, block
        self.strikes = strikes
        self.place, self.asked_to_leave = "", False
        self.faults: list[Fault] = []

    @property
    def ends(self) -> bool:
        return self.asked_to_leave or super().ends

    def new_shadows(self) -> Shadows:
        self.referee.pending = ShadowAnswer
        return Shadows(SteppedStrategies(*self.given), in_step=True)

    def strike(self, entrant: int, kind: str) -> None:
        """Leave an entrant out of the shard once its shadows have as many faults as would bar it. ForesightError."""
        made = self.strikes.of_shadows
        made[entrant, kind] += 1
        if made[entrant, kind] >= STRIKES.get(kind, math.inf):
            self.foresight.leave_out(entrant, kind, f"it was at fault {STRIKES[kind]} times ({kind})")
            raise ForesightError(entrant, EXCLUDED)

    def record_fault(self, fault: Fault) -> None:
        self.flawed = True
        self.conduct.note_fault(fault.entrant, fault.kind, fault.phase)
        self.faults.append(fault)

    def sit(self, table: str, *given: Any) -> None:
        self.place = f"{table}/1"
        super().sit(table, *given)

    def play(self, place: str, deal: Deal, first: bool) -> None:
        self.place, self.deal = place, deal
        super().play(place, deal, first)

    def make(self, sitter: Sitter, entrant: int, key: int, bits: int | None) -> FaultDetails | None:
        seat = sitter.seat
        if entrant not in self.cast.strangers:
            return super().make(sitter, entrant, key, bits)
        guest = self.guests.of(self.entry, entrant, self.number_of(seat), self.part)
        guest.sittings = sitting = guest.sittings + 1
        random = self.module_chance(key, bits).as_sent()[1] if guest.draws else None
        seated, sitter.chance = (sitting, seat, *sitter.chance.as_sent(), random), self.random
        if "sit" in guest.hears:
            asked = partial(self.asked, guest, (self.place, seat, "constructor", 0), None, "sit", *seated)
            _, problem = self.referee.call_outside_deal(asked)
            if problem:
                return problem
        else:
            guest.out.append(("sit", 0, *seated))
        player = GuestPlayer(self, guest, sitting, seat)
        sitter.answers = dict.fromkeys(self.entry.deal.phases, player.answer)
        sitter.imagines = guest.imagines
        for what in "begin", "settled":
            if what in guest.hears:
                setattr(sitter, what, partial(player.call, what))
        sitter.move, sitter.leave = player.move, player.leave
        self.cast.hearing = True
        self.asked_to_leave = self.asked_to_leave or "leave" in guest.hears
        return None

    def asked(self, guest: Guest, at: GuestKey | None, view: TableView | None, word: str, *more: object) -> Any:
        """Ask a guest outside the questions of a deal, while the other tables go on."""
        question = GuestQuestion(at, view)
        question.table = self
        if self.foresight.entered:
            self.foresee(question)
        guest.ask(question, word, *more)
        return self.step.wait_for(guest, question)

    def key_of(self, question: GuestQuestion) -> GuestKey:
        assert question.view
        return self.place, question.view.seat, question.view.phase, len(self.deal.actions)

    def foresee(self, question: GuestQuestion) -> None:
        """Look up the fault at this question when it was played before. RemoteFaultError if no guest is asked at
        all."""
        question.struck = self.foresight.entered.get(question.key)
        if question.struck and question.struck[0] != "memory":
            raise RemoteFaultError(question.struck)

    def weigh(self, question: GuestQuestion) -> None:
        """Examine a fault. ForesightError if memory ran out and the shard must be played in another way."""
        assert question.fault_details
        kind, entrant = question.fault_details[0], self.who[question.key[1]]
        if kind in ("memory", "full") and self.foresight.needs_memory(entrant, kind == "full", self.step.width):
            raise ForesightError(entrant, SHORT)

    def leave(self) -> None:
        if not self.ends:
            for sitter in self.kept.values() or self.sitters:
                sitter.let_go()
        super().leave()
