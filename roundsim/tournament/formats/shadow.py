"""Shadow: one strategy in the place of another, seat by seat; only what could differ is played again.

A block is a sitting in which everybody plays the old strategy, while the new one is asked at each seat as well. For each
seat where it has answered differently the sitting is played again with the new strategy at that seat, with the same cards
and the same chance of each seat. At the other seats it would have been the same sitting.

The gain of a strategy that seldom differs is mostly the luck of the cards that are drawn after the question. Where few seats
differ, the sitting and its replay are therefore played again with other luck from that question on, in eight orders of the
cards that were not yet dealt. The gain of the seat is then the mean over these and the true order.

Among others, a block has as many sittings as seats, and the old strategy sits at each seat once."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from operator import add, sub
from typing import TYPE_CHECKING, NamedTuple

from ...base.text import percent, plain, signed, so_many
from ...refereeing.names import Names
from ...refereeing.redrawn import RedrawnSitting
from ...table.deal import Deal
from ..courses import PlayedDeal, draws_after, parting
from ..format_parts import Difference, Driver, Key, Origins, PhaseShare, Swing, key, switch_key
from ..results.totals import MAX_FIGURE, BlockResult, Extreme
from ..seating import Stretch, in_stretch
from . import SHARD_DEALS, Format, Measure
from .round_robin import SittingsLedger, play_sitting, read_sittings

if TYPE_CHECKING:
    from ..planning.plan import Entry
    from ..planning.reader import EntryReader
    from ..results.packed_rows import Batch
    from ..results.record import Address
    from ..results.totals import ShardTotals

NEW, OLD = 0, 1  # the entrants; those after them are the others at the table
SWINGS = 5  # replays that gained most, and that lost most
FIRST, EVERY = 10, 50  # every seat is played again in the first blocks, and in each 50th block
ORDERS = 8  # of the cards that were not yet dealt, besides the true one
SCALE = 1 + ORDERS  # of a gain, which is a mean over all orders
FEW = 10  # orders are drawn where fewer than one seat in ten differs
NUMBERS = (
    5  # of each replay: where it begins to differ (deal, action, phase), its gain, and nine times the mean of that
)


def deals_in(entry: Entry) -> int:
    """Return the deals of a place in a block, in all orders of cards."""
    return entry.format.units(entry) * SCALE


def replays_in(entry: Entry) -> int:
    """Return the replays of a place of the new strategy in a block."""
    return entry.format.trials


@dataclass(frozen=True)
class Shadow(Format):
    """A block: sittings of the old strategy, and a replay of each for each seat at which the new one differs."""

    players: int = key("players at a table", 2, 99, lambda game, strategies: game.usual[0], "--seats")
    sitting: int = key("deals in a sitting", 1, 10**6, flag="--sitting")
    sparing: bool = switch_key("whether only what could differ is played again", "--whole")
    alone: bool = switch_key("whether only the old strategy is at the table, and not those after it", "--among")

    name = "shadow"
    unit = "deal"
    amount = "deals"
    amount_key = Key(
        "deals of each game that the old strategy plays, rounded up to whole sittings", 1, 10**12, 1000, "--deals"
    )
    measures = (
        Measure(
            *("net", "net_per_deal", "net/deal", signed, deals_in, "error"),
            error_shown=True,
            error_text=plain,
            gain="counters a deal",
            mean_of_places=True,
        ),
        Measure("changed", "changed", "changed", percent, replays_in, mean_of_places=True),
    )
    scored = "net a deal"
    one_script = True
    same_cards = True
    resumable = False
    whole_log = False
    in_every_block = 2
    in_gate = ()

    @classmethod
    def read(cls, reader: EntryReader) -> Entry | None:
        return read_sittings(cls, reader, "strategies")

    def wrong_with(self, entry: Entry) -> str:
        if self.alone and len(entry.strategies) != 2:
            return "a shadow is of two strategies, the new one and the old; others may follow with alone = false"
        if not self.alone and len(entry.strategies) < 3:
            return "alone = false: name the others at the table after the new strategy and the old"
        return ""

    @property
    def seats(self) -> int:
        return self.players

    def table_size(self, game: type[Deal]) -> int:
        return self.players

    @property
    def sittings(self) -> int:
        """The sittings of a block without replays."""
        return 1 if self.alone else self.players

    @property
    def trials(self) -> int:
        return self.sittings

    @property
    def cap(self) -> int:
        return 2000 // self.sittings

    def extra_numbers(self, places: int) -> int:
        return NUMBERS * self.players

    def check_rows(self, entry: Entry, rows: Batch) -> None:
        for deals, actions, phases, *_ in zip(*[iter(rows.extra)] * NUMBERS, strict=True):
            most = self.sitting, MAX_FIGURE, len(entry.deal.phases) - 1
            if any(
                min(column) < 0 or max(column) > high
                for column, high in zip((deals, actions, phases), most, strict=True)
            ):
                raise ValueError("rows with a first difference in a deal, an action or a phase that there is not")

    def units(self, entry: Entry) -> int:
        return self.sittings * self.sitting

    def deals_in_block(self, entry: Entry) -> int:
        return 2 * self.units(entry) if self.sparing else self.parts * self.sitting  # to ask a shadow is to play

    def blocks_in_shard(self, entry: Entry, slower: int) -> int:
        return -(-SHARD_DEALS // slower // self.deals_in_block(entry))

    def plan(self, entry: Entry) -> str:
        deals, sittings = entry.blocks * self.units(entry), so_many(entry.blocks * self.sittings, "sitting")
        among = "" if self.alone else f" among {', '.join(entry.labels[2:])}"
        return f"{so_many(deals, 'deal')} in {sittings} of {self.sitting}{among}, and replays of them"

    def heading(self, entry: Entry, tally: ShardTotals) -> list[str]:
        """4 seats · 8 799 deals in 2 000 sittings of 4 and in replays of them"""
        sittings = f"{so_many(tally.blocks * self.sittings, 'sitting')} of {self.sitting}"
        return [so_many(self.players, "seat"), f"{so_many(tally.deals, 'deal')} in {sittings} and in replays of them"]

    def seatings(self, entry: Entry, seed: int | str, first: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the places of the first sitting by seat, and those of the new strategy in the place of the old one."""
        for order in self.orders(entry, seed, first):
            yield order + (NEW,) * order.count(OLD)

    def orders(self, entry: Entry, seed: int | str, first: int) -> Iterator[tuple[int, ...]]:
        """Yield the entrants of the first sitting of each block: among others, the old strategy has one side."""
        if self.alone:
            yield from repeat((OLD,) * self.players, entry.blocks + 1 - first)
            return
        stretch = Stretch(range(1, entry.blocks + 1), len(entry.strategies) - 1, (0,))
        for order in in_stretch(entry, seed, self.players, stretch, first):
            side = side_of(entry, order.index(0))
            yield tuple([OLD if seat in side else OLD + entrant for seat, entrant in enumerate(order)])

    @property
    def parts(self) -> int:
        return self.sittings + self.players

    @property
    def last_part(self) -> int:
        return self.parts + 2 * ORDERS * self.players * self.sparing

    def stages(self, blocks: range) -> Iterator[tuple[int, range]]:
        """Yield the sittings, the replays, then both in other orders, so no strategy that remembers a stage meets a deal
        twice."""
        for part in range(1, self.last_part + 1):
            yield part, blocks

    def due(self, part: int, blocks: Sequence[int], ledgers: Mapping[int, ShadowLedger]) -> Sequence[int]:
        """Return all blocks; for another order, those in which a seat differs, and few seats of all other blocks do.

        The block's own seats do not count: its luck must not decide whether it is drawn again."""
        if part <= self.parts:
            return blocks
        if part == self.parts + 1:
            seats = sum(len(ledger.olds) for ledger in ledgers.values())
            differing = sum(ledger.seats_differing for ledger in ledgers.values())
            for ledger in ledgers.values():
                few = (differing - ledger.seats_differing) * FEW < seats - len(ledger.olds)
                ledger.redrawn = {part for part, draws in ledger.draws.items() if few and draws()}
        replay = self.redrawn_in(part).replay
        return [block for block in blocks if replay in ledgers[block].redrawn]

    def redrawn_in(self, part: int) -> Redrawn:
        """Return what a part after the replays plays again."""
        order, rest = divmod(part - self.parts - 1, 2 * self.players)
        replay, new = divmod(rest, 2)
        return Redrawn(self.sittings + 1 + replay, order + 1, bool(new))

    def ledger(self, seating: Sequence[int]) -> ShadowLedger:
        return ShadowLedger(seating, self)

    def origins(self, entry: Entry, blocks: Iterable[tuple[int, Sequence[int]]]) -> Origins:
        """Sum what the replays gained, by the phase in which they begin to differ."""
        n, names, count, swings = self.players, [*entry.deal.phases], 0, list[Swing]()
        gains, sittings = Counter[str](), Counter[str]()
        for block, numbers in blocks:
            count += 1
            for replay, (deal, _, phase, gained, of_all) in enumerate(zip(*[iter(numbers)] * NUMBERS, strict=True)):
                if deal:
                    gains[names[phase]] += of_all
                    sittings[names[phase]] += 1
                    swings.append(Swing(f"{block}/{self.sittings + replay + 1}/{deal}", gained))
        parts = [
            PhaseShare(name, gains[name] / (count * n * self.sitting * SCALE), sittings[name] / (count * n))
            for name in names
            if sittings[name]
        ]
        most = sorted(swings, key=lambda each: -each.gained)
        up, down = [
            [swing for swing in end[:SWINGS] if swing.gained * sign > 0] for end, sign in ((most, 1), (most[::-1], -1))
        ]
        return Origins(parts, up, down)

    def sitting_of(self, part: int) -> int:
        """Return the number of a sitting, or of the one that is played again."""
        if part > self.parts:
            part = self.redrawn_in(part).replay
        return part if part <= self.sittings else 1 if self.alone else part - self.sittings

    def original(self, address: Address) -> Address | None:
        part = address.sitting
        if part > self.parts:
            return address._replace(sitting=part - 1) if self.redrawn_in(part).new else None
        before = self.sitting_of(part)
        return None if before == part else address._replace(sitting=before)

    def play(self, driver: Driver, entry: Entry, names: Names, block: int, part: int, ledger: ShadowLedger) -> None:
        """Play a sitting of the old strategy; or, after those, a replay with the new one, if that can differ."""
        names, table, seated = names.by_seat(), f"{block}/{part}", ledger.seated(part)
        if part > self.parts:
            self.redraw(driver, entry, names, table, part, ledger)
            return
        if part <= self.sittings:
            driver.sit(table, names, seated, ())
            if self.sparing:
                driver.shadow([NEW if place == OLD else None for place in seated])
            play_sitting(driver, entry, self.sitting, names, f"{table}/", part, ledger)
            ledger.differing[part] = driver.differing() if self.sparing else None
            return
        side = side_of(entry, part - 2) if self.alone else [seat for seat, place in enumerate(seated) if place == OLD]
        if self.alone and part - 2 != side[0]:
            return  # its side is played again from another seat
        ledger.sides[part], differing = side, ledger.differing[self.sitting_of(part)] or ()
        audited = not self.sparing or block <= FIRST or block % EVERY == 0
        if driver.reaches(table, audited or any(place in differing for place in side)):
            driver.sit(table, names, [NEW if seat in side else place for seat, place in enumerate(seated)], ())
            play_sitting(driver, entry, self.sitting, names, f"{table}/", part, ledger)
            problem = ledger.compare(entry, part, driver.differing(), names)
            if problem and self.sparing:
                driver.refuse(f"{entry.name}/{table}: {problem}")

    def redraw(self, driver: Driver, entry: Entry, names: Names, table: str, part: int, ledger: ShadowLedger) -> None:
        """Play a sitting, or its replay, in another order of the cards that were not yet dealt where they differ."""
        replay, order, new = self.redrawn_in(part)
        if replay in ledger.firsts and driver.reaches(table, replay in ledger.redrawn):
            side, (deal, action, _) = ledger.sides[replay] if new else (), ledger.firsts[replay]
            seated = [NEW if seat in side else place for seat, place in enumerate(ledger.seated(part))]
            driver.sit(table, names, seated, ())
            sitting = RedrawnSitting(entry.deal, entry.rules, self.sitting, (deal, action), order)
            play_sitting(driver, entry, self.sitting, names, f"{table}/", part, ledger, sitting)


class Redrawn(NamedTuple):
    """A replay, the number of an order of its cards, and whether the new strategy plays or the old one."""

    replay: int
    order: int
    new: bool


def side_of(entry: Entry, seat: int) -> list[int]:
    """Return the seats that play together with this one, itself too: they change their strategy together."""
    sides = entry.rules.sides or range(entry.rules.players)
    return [number for number, side in enumerate(sides) if side == sides[seat]]


class ShadowLedger(SittingsLedger):
    """The sittings of a block and their replays, by part.

    `differing`: where the new strategy answered differently in a sitting, by seat (see `Driver`). `sides`: the seats that
    have it in a replay. `courses`: what was asked and answered in a sitting; `nets`: what each seat has won. `firsts`:
    where a replay begins to differ: the deal, the action, the phase. `draws`: of these, whether cards are drawn after that,
    in either course; `redrawn`: those whose cards come in other orders, too."""

    def __init__(self, seating: Sequence[int], format: Shadow) -> None:
        super().__init__(seating)
        self.format, self.order = format, seating[: format.players]
        self.olds = [place for place, entrant in enumerate(self.order) if entrant == OLD]
        self.differing: dict[int, Mapping[int, Difference | None] | None] = {}
        self.sides: dict[int, Sequence[int]] = {}
        self.courses, self.nets = defaultdict[int, list[PlayedDeal]](list), dict[int, list[int]]()
        self.firsts: dict[int, tuple[int, int, int]] = {}
        self.draws, self.redrawn = dict[int, Callable[[], bool]](), set[int]()
        self.deals = self.decisions = 0
        self.best: list[Extreme | None] = [None] * len(seating)
        self.worst = self.best.copy()

    def seated(self, part: int) -> list[int]:
        """Return the entrants of a sitting, or of the one that a replay plays again, by seat."""
        return [self.order[place] for place in self.places(part)]

    def places(self, part: int) -> list[int]:
        """Return the place of each seat in the order: everybody moves up from sitting to sitting."""
        shift = self.format.sitting_of(part) - 1
        return [*range(shift, len(self.order)), *range(shift)]

    def places_there(self, part: int) -> list[int]:
        """Return the place of each seat; in a replay the new strategy has its own, after those of the order."""
        own, side = len(self.order), self.sides.get(part, ())
        return [own + self.olds.index(at) if seat in side else at for seat, at in enumerate(self.places(part))]

    @property
    def seats_differing(self) -> int:
        """How many seats have a replay that differs."""
        return sum(len(self.sides[part]) for part in self.firsts)

    def enter(self, place: str, deal: Deal, part: int) -> None:
        self.deals += 1
        self.decisions += len(deal.actions)
        self.enter_end(deal, part)
        if part > self.format.parts:
            return
        self.courses[part].append((deal.asked, deal.actions))
        for at, net in zip(self.places_there(part), deal.net, strict=True):
            best, worst = self.best[at], self.worst[at]
            if best is None or net > best.net:
                self.best[at] = Extreme(net, place)
            if worst is None or net < worst.net:
                self.worst[at] = Extreme(net, place)

    def enter_end(self, end: Deal, part: int) -> None:
        self.nets[part] = list(map(add, self.nets.get(part, repeat(0)), end.net))

    def compare(self, entry: Entry, part: int, at_fault: Mapping[int, Difference | None] | None, names: Names) -> str:
        """Note the first difference of a replay. Return what is wrong with it, in words; "" if nothing is.

        Where somebody was `at_fault`, in the sitting or in the replay, nothing is expected."""
        before, course, side = self.format.sitting_of(part), self.courses.pop(part), self.sides[part]
        difference, seat, differing = parting(self.courses[before], course), side[0], self.differing[before]
        if difference:
            ask = course[difference.deal - 1][0][difference.action - 1]
            self.firsts[part] = *difference, [*entry.deal.phases].index(ask.phase)
            seat = ask.seat
            sitting = partial(RedrawnSitting, entry.deal, entry.rules, self.format.sitting, difference)
            self.draws[part] = partial(draws_after, sitting, names, self.courses[before], course)
        named = None if differing is None else [differing[place] for place in side if place in differing]
        if at_fault or named and None in named:
            return ""
        at = f"(deal {difference.deal}, action {difference.action})" if difference else "(no action of it)"
        if seat not in side:
            return f"seat {seat} answers differently {at}, and plays {entry.labels[self.seated(part)[seat]]} as before"
        if named is not None and difference != min(filter(None, named), default=None):
            problem = f"{entry.labels[NEW]} answers differently when it is asked again"
            return f"{problem} {at}: it keeps something from one sitting to the next; --whole allows that"
        return ""

    def reckon(self) -> BlockResult | None:
        if not self.courses:
            return None
        sums, changed, extra = [0] * len(self.seating), [0] * len(self.seating), list[int]()
        for part in range(1, self.format.parts + 1):
            before, side = self.nets[self.format.sitting_of(part)], self.sides.get(part, ())
            gains = self.gains(part, before)
            for seat, at in enumerate(self.places_there(part)):
                if part <= self.format.sittings or seat in side:
                    sums[at] += SCALE * before[seat] + sum([gained[seat] for gained in gains]) * SCALE // len(gains)
                    changed[at] += part in self.firsts
            if part > self.format.sittings:
                true, *_ = of_side = [sum([gained[seat] for seat in side]) for gained in gains]
                extra += *self.firsts.get(part, (0, 0, 0)), true, sum(of_side) * SCALE // len(gains)
        self.courses.clear()
        self.draws.clear()
        return BlockResult(self.deals, self.decisions, [sums, changed], self.best, self.worst, extra=extra)

    def gains(self, part: int, before: Sequence[int]) -> list[list[int]]:
        """Return by how much the nets in a part are above those before, in each order of the cards that was played."""
        nets, pairs = self.nets, [(self.nets.get(part, before), before)]
        if part > self.format.sittings:
            first = self.format.parts + 1 + 2 * (part - self.format.sittings - 1)
            olds = range(first, self.format.last_part, 2 * self.format.players)
            pairs += [(nets[old + 1], nets[old]) for old in olds if old in nets and old + 1 in nets]
        return [list(map(sub, *pair)) for pair in pairs]
