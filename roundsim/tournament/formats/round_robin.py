"""Round-robin: sittings of the same entrants on the same chance, in which each has every seat once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import add, eq, gt, mul
from typing import TYPE_CHECKING

from ...base.errors import did_you_mean
from ...base.text import hundredths, number, percent, plain, signed, so_many
from ...native import native
from ...refereeing.names import Names
from ...refereeing.sitting import Sitting
from ...table.chance import Source
from ...table.deal import Deal
from ..format_parts import Driver, Key, key, switch_key, text_key
from ..results.totals import BlockLedger, BlockResult, Extreme
from ..seating import blocks_for_all, seatings
from . import SHARD_DEALS, Format, Measure, share_scale

MANY = 10_000  # deals of a block that are summed up before it goes on
Entered = tuple[
    str, list[int], int, Sequence[int]
]  # where a deal is, its net, the shift of seats, their order from the dealer
Sums = tuple[list[int], list[int], list[Extreme | None], list[Extreme | None], list[int], list[int], int]

if TYPE_CHECKING:
    from ..planning.plan import Entry
    from ..planning.reader import EntryReader
    from ..results.totals import ShardTotals


def players_by_default(game: type[Deal], strategies: int) -> int:
    """Return one seat for each strategy if the game allows it, else the lower end of what is usual."""
    return strategies if game.seats[0] <= strategies <= game.seats[1] else game.usual[0]


def parts_of_a_seat(entry: Entry) -> int:
    """Return the common denominator for entrants with several seats at a table, who get the mean of them."""
    return share_scale(entry.format.table_size(entry.deal))


@dataclass(frozen=True)
class RoundRobin(Format):
    """A block: as many sittings as seats. From each to the next everybody moves up one seat.

    All sittings have the same deals, or without `duplicate` each has its own."""

    players: int = key("players at a table", 1, 99, players_by_default, "--seats")
    sitting: int = key("deals in a sitting", 1, 10**6, flag="--sitting")
    focus: str = text_key("who sits in every block", "--focus")
    duplicate: bool = switch_key("whether all sittings of a block have the same cards", "--fresh-cards")

    name = "round-robin"
    unit = "deal"
    amount = "deals"
    amount_key = Key("deals of each game, rounded up to whole blocks", 1, 10**12, 1000, "--deals")
    measures = (
        Measure(
            "net",
            "net_per_deal",
            "net/deal",
            signed,
            error_data="error",
            error_shown=True,
            error_text=plain,
            gain="counters a deal",
            mean_of_places=True,
        ),
        Measure(
            *("won", "won", "deals won", percent, parts_of_a_seat),
            "won_error",
            error_shown=True,
            error_text=hundredths,
        ),
    )
    scored = "net a deal"
    by_deals = True
    one_script = True
    joined_by = True
    in_gate = ("--half",)

    @classmethod
    def read(cls, reader: EntryReader) -> Entry | None:
        return read_sittings(cls, reader, "focus")

    def wrong_with(self, entry: Entry) -> str:
        if self.focus and (self.players < 2 or len(entry.labels) < 2):
            return f"focus = {self.focus!r}: there is nobody else to sit with it"
        if self.focus and self.focus not in entry.labels:
            return f"no {self.focus} in {entry.name}{did_you_mean(self.focus, entry.labels)}: {', '.join(entry.labels)}"
        return ""

    @property
    def seats(self) -> int:
        return self.players

    def table_size(self, game: type[Deal]) -> int:
        return self.players

    def units(self, entry: Entry) -> int:
        """The deals of a block, if no sitting ends early."""
        return self.players * self.sitting

    def blocks_in_shard(self, entry: Entry, slower: int) -> int:
        return -(-SHARD_DEALS // slower // self.units(entry))

    def plan(self, entry: Entry) -> str:
        deals, blocks = so_many(entry.blocks * self.units(entry), "deal"), so_many(entry.blocks, "block")
        return f"{deals} in {blocks} of {self.units(entry)} {self.sittings()}{self.besides()}"

    def sittings(self) -> str:
        return f"({so_many(self.players, 'seat')} x {so_many(self.sitting, 'deal')})"

    def besides(self) -> str:
        focus = f", {self.focus} in every block" if self.focus else ""
        return focus + ", fresh cards in every sitting" * (not self.duplicate)

    def heading(self, entry: Entry, tally: ShardTotals) -> list[str]:
        """4 seats · 2 000 deals in 125 blocks of 16 (4 seats x 4 deals)"""
        in_block, deals, blocks = self.units(entry), so_many(tally.deals, "deal"), so_many(tally.blocks, "block")
        seats = so_many(self.players, "seat") + self.besides()
        more = entry.blocks * in_block - entry.asked if entry.asked else in_block  # a run that has grown has more
        if tally.deals < tally.blocks * in_block:
            asked = f"{number(entry.asked)} asked for; " if more < in_block else ""
            return [seats, f"{deals} in {blocks} of at most {in_block} ({asked}sittings may end early)"]
        if 0 < more < in_block:
            deals += f" ({number(entry.asked)} rounded up)"
        return [seats, f"{deals} in {blocks} of {in_block} {self.sittings()}"]

    def seatings(self, entry: Entry, seed: int | str, first: int = 1) -> Iterator[tuple[int, ...]]:
        return seatings(entry, seed, self.players, first, self.in_all(entry))

    def in_all(self, entry: Entry) -> int | None:
        """Return the entrant in focus."""
        return entry.labels.index(self.focus) if self.focus else None

    def blocks_for_all(self, entry: Entry) -> int:
        return blocks_for_all(entry, self.players, self.in_all(entry))

    @property
    def parts(self) -> int:
        return self.players

    @property
    def same_cards(self) -> bool:
        return self.duplicate and self.parts > 1

    def stages(self, blocks: range) -> Iterator[tuple[int, range]]:
        """Yield the stages rotation by rotation, so no strategy that remembers a stage has met a deal twice."""
        for part in range(1, self.players + 1):
            yield part, blocks

    def ledger(self, seating: Sequence[int]) -> Rotations:
        return Rotations(seating)

    def play(self, driver: Driver, entry: Entry, names: Names, block: int, part: int, ledger: Rotations) -> None:
        """Play one sitting; everybody has moved up `part` - 1 seats."""
        shift = part - 1
        driver.sit(f"{block}/{part}", names, (*ledger.seating[shift:], *ledger.seating[:shift]), ())
        cards = names if self.duplicate else names.of_sitting(part)
        play_sitting(driver, entry, self.sitting, cards, f"{block}/{part}/", shift, ledger)


def read_sittings(cls: type[Format], reader: EntryReader, at: str) -> Entry | None:
    """Read an entry of a format with sittings, whose usual length is the game's. `at`: the key of what it refuses."""
    with reader.noting_refusals():
        usual = reader.game.rules_for(reader.whole("players"), reader.options).sitting
        entry = reader.entry(cls(**reader.fields(sitting=usual)), reader.options)
        if entry and (problem := entry.format.wrong_with(entry)):
            reader.wrong(problem, at)
        return entry
    return None


def play_sitting(
    driver: Driver,
    entry: Entry,
    deals: int,
    cards: Names,
    address: str,
    number: int,
    ledger: SittingsLedger,
    sitting: Sitting | None = None,
) -> None:
    """Play the deals of a sitting, whose players have sat down, and enter them under its number in the block.

    `sitting`: another than the usual one."""
    sitting = sitting or Sitting(entry.deal, entry.rules, deals=deals, compiled=driver.compiled)
    for at, source in enumerate(ledger.sources_of(cards, deals), 1):
        deal, place = sitting.next_deal(source), f"{address}{at}"
        driver.play(place, deal, at == 1)
        ledger.enter(place, deal, number)
        if sitting.settle(deal):
            break
    if any(sitting.state.pools.values()):
        end = sitting.end(Source(cards.end))
        driver.end(f"{address}end", end)
        ledger.enter_end(end, number)
    driver.leave()


class SittingsLedger(BlockLedger):
    """The ledger of a block of several sittings, entered under their numbers in the block."""

    def __init__(self, seating: Sequence[int]) -> None:
        super().__init__(seating)
        self.sources: list[Source] = []

    @abstractmethod
    def enter(self, place: str, deal: Deal, number: int) -> None:
        """Enter a deal, which is over."""

    @abstractmethod
    def enter_end(self, end: Deal, number: int) -> None:
        """Enter what the end of a sitting has moved."""

    def sources_of(self, names: Names, sitting: int) -> Iterable[Source]:
        """Yield the chance of each deal.

        It is kept for the next sitting if that uses the same and there are not too many."""
        every = map(Source, map(names.deal, range(1, sitting + 1)))
        if names.own or sitting > SHARD_DEALS:
            return every
        self.sources = self.sources or list(every)
        return self.sources


class Rotations(SittingsLedger):
    """The deals of a block, and the results of each place in its seating."""

    def __init__(self, seating: Sequence[int]) -> None:
        super().__init__(seating)
        self.deals, self.decisions = list[Entered](), 0
        self.left, self.left_squares = [0] * len(seating), 0  # what the ends of the sittings moved, by place

    def enter(self, place: str, deal: Deal, shift: int) -> None:
        self.deals.append((place, deal.net, shift, deal.order_from[deal.dealer]))
        self.decisions += len(deal.actions)
        if len(self.deals) > MANY:
            self.played()

    def enter_end(self, end: Deal, shift: int) -> None:
        back = len(self.seating) - shift
        moved = [*end.net[back:], *end.net[:back]]
        self.left = list(map(add, self.left, moved))
        self.left_squares += sum(map(mul, moved, moved))

    def reckon(self) -> BlockResult | None:
        if not self.deals and not any(self.left):
            return None
        won, shares, best, worst, ahead, from_dealer, squares = sums(self.deals, len(self.seating), Extreme)
        played = BlockResult(
            len(self.deals),
            self.decisions,
            [list(map(add, won, self.left)), shares],
            best,
            worst,
            ahead,
            from_dealer,
            squares + self.left_squares,
        )
        self.deals, self.decisions, self.left, self.left_squares = [], 0, [0] * len(self.seating), 0
        return played


@native
def sums(deals: Sequence[Entered], seats: int, made: type[Extreme]) -> Sums:
    """Return the sums of some deals.

    By place: the nets; the deals won, in parts of one; the best deal and the worst, made of (net, where), None where
    there is none. Then `ahead`, `from_dealer` and `squares`, as in `BlockResult`."""
    nets = [[*net[seats - shift :], *net[: seats - shift]] for _, net, shift, _ in deals]
    columns, places = list(zip(*nets, strict=True)) or [()] * seats, [place for place, *_ in deals]
    return (
        list(map(sum, columns)),
        shares_won(nets, seats),
        [made.of(max, column, places) for column in columns],
        [made.of(min, column, places) for column in columns],
        [2 * sum(map(gt, one, other)) + sum(map(eq, one, other)) for one, other in combinations(columns, 2)],
        [sum([net[order[at]] for _, net, _, order in deals]) for at in range(seats)],
        sum([sum(map(mul, column, column)) for column in columns]),
    )


def shares_won(nets: Iterable[Sequence[int]], seats: int) -> list[int]:
    """Return the deals that each place won, in parts of one: those with equal nets share a deal."""
    won, whole = [0] * seats, share_scale(seats)
    for net in nets:
        best = max(net)
        share = whole // net.count(best)
        for place, counters in enumerate(net):
            if counters == best:
                won[place] += share
    return won
