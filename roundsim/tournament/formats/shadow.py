"""Shadow: one strategy in the place of another, seat by seat; only what could differ is played again.

A block is a sitting in which everybody plays the old strategy, while the new one is asked at each seat as well. For each
seat where it has answered differently the sitting is played again with the new strategy at that seat, with the same cards
and the same chance of each seat. At the other seats it would have been the same sitting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from ...refereeing.names import Names
from ...table.actions import Action
from ...table.deal import Ask, Deal
from ...words import percent, plain, signed, so_many
from ..results.totals import BlockResult, Extreme
from . import SHARD_DEALS, Difference, Driver, Format, Key, Measure, Origins, PhaseShare, Swing, key, switch_key
from .round_robin import SittingsLedger, play_sitting

if TYPE_CHECKING:
    from ..planning.plan import Entry
    from ..planning.reader import EntryReader
    from ..results.record import Address
    from ..results.totals import ShardTotals

NEW, OLD = 0, 1  # the entrants
SWINGS = 5  # replays that gained most, and that lost most
FIRST, EVERY = 10, 50  # every seat is played again in the first blocks, and in each 50th block
Course = list[tuple[list[Ask], list[Action]]]  # what was asked and answered in each deal of a sitting


def parts_of_a_sitting(entry: Entry) -> int:
    """Return the deals of a block, counted once for each seat."""
    return entry.format.table_size(entry.deal) * entry.format.units(entry)


def replays_in(entry: Entry) -> int:
    return entry.format.table_size(entry.deal)


@dataclass(frozen=True)
class Shadow(Format):
    """A block: a sitting of the old strategy, and as many replays of it as seats at which the new one differs."""

    players: int = key("players at a table", 2, 99, lambda game, strategies: game.usual[0], "--seats")
    sitting: int = key("deals in a sitting", 1, 10**6, flag="--sitting")
    sparing: bool = switch_key("whether only what could differ is played again", "--whole")

    name = "shadow"
    unit = "deal"
    amount = "deals"
    amount_key = Key(
        "deals of each game that the old strategy plays, rounded up to whole sittings", 1, 10**12, 1000, "--deals"
    )
    measures = (
        Measure(
            *("net", "net_per_deal", "net/deal", signed, parts_of_a_sitting, "error"),
            error_shown=True,
            error_text=plain,
            gain="counters a deal",
        ),
        Measure("changed", "changed", "changed", percent, replays_in),
    )
    scored = "net a deal"
    one_script = True
    same_cards = True
    resumable = False
    in_gate = ()
    cap = 2000
    trials = 1

    @classmethod
    def read(cls, reader: EntryReader) -> Entry | None:
        with reader.noting_refusals():
            usual = reader.game.rules_for(reader.whole("players"), reader.options).sitting
            entry = reader.entry(cls(**reader.fields(sitting=usual)), reader.options)
            if entry and (problem := entry.format.wrong_with(entry)):
                reader.wrong(problem, "strategies")
            return entry
        return None

    def wrong_with(self, entry: Entry) -> str:
        return "" if len(entry.strategies) == 2 else "a shadow is of two strategies, the new one and the old"

    @property
    def seats(self) -> int:
        return self.players

    def table_size(self, game: type[Deal]) -> int:
        return self.players

    def extra_numbers(self, places: int) -> int:
        return 3 * self.players  # of the first difference at each seat: the deal, the action, the phase

    def units(self, entry: Entry) -> int:
        return self.sitting

    def blocks_in_shard(self, entry: Entry, slower: int) -> int:
        return -(-SHARD_DEALS // slower // self.sitting)

    def plan(self, entry: Entry) -> str:
        deals = so_many(entry.blocks * self.sitting, "deal")
        return f"{deals} in {so_many(entry.blocks, 'sitting')} of {self.sitting}, and replays of them"

    def heading(self, entry: Entry, tally: ShardTotals) -> list[str]:
        """4 seats · 8 000 deals in 2 000 sittings of 4, 799 deals in replays"""
        sittings = f"{so_many(tally.blocks, 'sitting')} of {self.sitting}"
        return [so_many(self.players, "seat"), f"{so_many(tally.deals, 'deal')} in {sittings} and in replays of them"]

    def seatings(self, entry: Entry, seed: int | str, first: int = 1) -> Iterator[tuple[int, ...]]:
        """The places of the old strategy, by seat, and those of the new one in its place."""
        for _ in range(first, entry.blocks + 1):
            yield (OLD,) * self.players + (NEW,) * self.players

    @property
    def parts(self) -> int:
        return 1 + self.players

    def stages(self, blocks: range) -> Iterator[tuple[int, range]]:
        """Yield the sittings, then the replays seat by seat, so no strategy that remembers a stage meets a deal twice."""
        for part in range(1, self.parts + 1):
            yield part, blocks

    def ledger(self, seating: Sequence[int]) -> ShadowLedger:
        return ShadowLedger(seating)

    def origins(self, entry: Entry, blocks: Iterable[Sequence[int]]) -> Origins:
        """Sum what the replays gained, by the phase in which they begin to differ.

        A packed block is its number, its deals, its places, their nets, whether they differ, and the first
        differences."""
        n, names, count, swings = self.players, [*entry.deal.phases], 0, list[Swing]()
        gains, sittings = Counter[str](), Counter[str]()
        for packed in blocks:
            count += 1
            nets, extra = packed[2 + 2 * n : 2 + 4 * n], packed[-3 * n :]
            for seat, (deal, phase) in enumerate(zip(extra[:n], extra[2 * n :], strict=True)):
                if deal:
                    gained = sum(nets[n + each] - nets[each] for each in side_of(entry, seat))
                    gains[names[phase]] += gained
                    sittings[names[phase]] += 1
                    swings.append(Swing(f"{packed[0]}/{seat + 2}/{deal}", gained))
        parts = [
            PhaseShare(name, gains[name] / (count * n * self.sitting), sittings[name] / (count * n))
            for name in names
            if sittings[name]
        ]
        most = sorted(swings, key=lambda each: -each.gained)
        up, down = [
            [each for each in end[:SWINGS] if each.gained * sign > 0] for end, sign in ((most, 1), (most[::-1], -1))
        ]
        return Origins(parts, up, down)

    def original(self, address: Address) -> Address | None:
        return address._replace(sitting=1) if address.sitting > 1 else None

    def play(self, driver: Driver, entry: Entry, names: Names, block: int, part: int, ledger: ShadowLedger) -> None:
        """Play the sitting, part 1; or its replay with the new strategy at seat `part` - 2, if that can differ."""
        names, seats, seat = names.by_seat(), range(self.players), part - 2
        if part == 1:
            driver.sit(f"{block}/1", names, [OLD for _ in seats], ())
            if self.sparing:
                driver.shadow([NEW for _ in seats])
            play_sitting(driver, entry, self.sitting, names, f"{block}/1/", 0, ledger)
            ledger.differing = driver.differing() if self.sparing else None
            return
        side = side_of(entry, seat)
        audited = not self.sparing or block <= FIRST or block % EVERY == 0
        if seat == side[0] and driver.reaches(
            f"{block}/{part}", audited or any(each in (ledger.differing or ()) for each in side)
        ):
            driver.sit(f"{block}/{part}", names, [NEW if each in side else OLD for each in seats], ())
            ledger.side, ledger.course = side, []
            play_sitting(driver, entry, self.sitting, names, f"{block}/{part}/", seat + 1, ledger)
            words = ledger.compare(entry, driver.differing())
            if words and self.sparing:
                driver.refuse(f"{entry.name}/{block}/{part}: {words}")


def side_of(entry: Entry, seat: int) -> list[int]:
    """Return the seats that play together with this one, itself too: they change their strategy together."""
    sides = entry.rules.sides or range(entry.rules.players)
    return [each for each, side in enumerate(sides) if side == sides[seat]]


class ShadowLedger(SittingsLedger):
    """The sitting of a block and its replays.

    `differing`: where the new strategy answered differently, by seat (see `Driver`). `side`: the seats that have it in the
    replay at hand; `course`: what was asked and answered in that."""

    def __init__(self, seating: Sequence[int]) -> None:
        super().__init__(seating)
        players = self.players = len(seating) // 2
        self.differing: Mapping[int, Difference | None] | None = {}
        self.side: Sequence[int] = range(players)
        self.base, self.course = Course(), Course()
        self.deals = self.decisions = 0
        self.nets, self.replayed, self.changed = [0] * len(seating), set[int](), set[int]()
        self.firsts: dict[int, tuple[int, int, int]] = {}
        self.best: list[Extreme | None] = [None] * len(seating)
        self.worst = self.best.copy()

    def enter(self, place: str, deal: Deal, number: int) -> None:
        (self.course if number else self.base).append((deal.asked, deal.actions))
        self.deals += 1
        self.decisions += len(deal.actions)
        for seat, net in enumerate(deal.net):
            at = self.place_of(seat, number)
            best, worst = self.best[at], self.worst[at]
            if best is None or net > best.net:
                self.best[at] = Extreme(net, place)
            if worst is None or net < worst.net:
                self.worst[at] = Extreme(net, place)
        self.enter_end(deal, number)

    def enter_end(self, end: Deal, number: int) -> None:
        """Count what everybody has in the sitting, and what the new strategy has in a replay."""
        for seat, net in enumerate(end.net):
            if not number or seat in self.side:
                self.nets[self.place_of(seat, number)] += net

    def place_of(self, seat: int, number: int) -> int:
        """Return the place of a seat: that of the new strategy, if it sits there in a replay."""
        return self.players + seat if number and seat in self.side else seat

    def compare(self, entry: Entry, at_fault: Mapping[int, Difference | None] | None) -> str:
        """Note the first difference of the replay. Return what is wrong with it, in words; "" if nothing is.

        Where somebody was `at_fault`, in the sitting or in the replay, nothing is expected."""
        self.replayed.update(self.side)
        found, seat = first_difference(self.base, self.course), self.side[0]
        if found:
            ask = self.course[found.deal - 1][0][found.action - 1]
            self.changed.update(self.side)
            self.firsts[seat] = *found, [*entry.deal.phases].index(ask.phase)
            seat = ask.seat
        named = (
            None if self.differing is None else [self.differing[each] for each in self.side if each in self.differing]
        )
        if at_fault or named and None in named:
            return ""
        at = f"(deal {found.deal}, action {found.action})" if found else "(no action of it)"
        if seat not in self.side:
            return f"seat {seat} answers differently {at}, and plays old as before"
        if named is not None and found != min(filter(None, named), default=None):
            said = "new answers differently when it is asked again"
            return f"{said} {at}: it keeps something from one sitting to the next; --whole allows that"
        return ""

    def reckon(self) -> BlockResult | None:
        if not self.base:
            return None
        players = self.players
        own = [self.nets[players + seat if seat in self.replayed else seat] for seat in range(players)]
        firsts = [self.firsts.get(seat, (0, 0, 0)) for seat in range(players)]
        self.base = []
        return BlockResult(
            self.deals,
            self.decisions,
            [[*self.nets[:players], *own], [0] * players + [int(seat in self.changed) for seat in range(players)]],
            self.best,
            self.worst,
            extra=[number for numbers in zip(*firsts, strict=True) for number in numbers],
        )


def first_difference(course: Course, other: Course) -> Difference | None:
    """Return where two courses part: the number of the deal, and of the action in it."""
    for number, ((_, actions), (_, others)) in enumerate(zip(course, other, strict=False), 1):
        if actions != others:
            return Difference(
                number, next(at for at, (one, two) in enumerate(zip_longest(actions, others), 1) if one != two)
            )
    return None
