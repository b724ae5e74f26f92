"""Results of blocks, and the sums that standings are computed from.

All figures are whole numbers, so the order of adding does not matter."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import add, mul
from typing import TYPE_CHECKING, Any, NamedTuple

from ...base.errors import LogError
from ...refereeing.faults import Fault
from ...statistics.few_values import count_few
from .at_fault import DealsAtFault
from .record import KINDS, Address

if TYPE_CHECKING:
    from ..formats import Format
    from ..planning.plan import Entry

FAULTS_IN_FULL = 20  # faults of a strategy that are recorded in full
MAX_FIGURE = 10**18  # bound for any number of a block: no run comes near it, and its squares can still be computed
PLACE = re.compile("/".join([r"[1-9]\d{0,18}"] * 3), re.ASCII)  # of a deal within its entry
MAX_SUM = MAX_FIGURE**3  # bound for sums over the blocks of a shard


class Extreme(NamedTuple):
    """The net of a deal, in counters, and the deal's address within its entry: "17/2/3"."""

    net: int
    place: str

    @classmethod
    def of(cls, most: Callable[[Sequence[int]], int], nets: Sequence[int], places: Sequence[str]) -> Extreme | None:
        """Return the best deal (max) or the worst (min), the first of equal ones; None if there is no deal."""
        return cls(most(nets), places[nets.index(most(nets))]) if nets else None

    def before(self, other: Extreme) -> bool:
        """Whether it comes earlier in the log."""
        mine, slash, left = self.place.partition("/")
        its, _, its_left = other.place.partition("/")
        while mine == its and slash:
            mine, slash, left = left.partition("/")
            its, _, its_left = its_left.partition("/")
        return (len(mine), mine) < (len(its), its)  # numbers without leading zeros sort by length first


def values_by_entrant(seats: Sequence[int], values: Sequence[int], scale: int) -> Iterable[tuple[int, int]]:
    """Turn values by place into values by entrant.

    An entrant with several places gets their sum or, with a `scale`, their mean; every value is then multiplied by
    it."""
    if len({*seats}) == len(seats):
        return zip(seats, [value * scale for value in values] if scale else values, strict=True)
    own = {entrant: [value for who, value in zip(seats, values, strict=True) if who == entrant] for entrant in seats}
    return [(entrant, sum(mine) * (scale // len(mine) if scale else 1)) for entrant, mine in own.items()]


def keep_extremes(kept: dict[int, Extreme], sign: int, more: Iterable[tuple[int, Extreme | None]]) -> None:
    """Keep the best deal (sign 1) or the worst (-1) of each entrant; of equal ones the first."""
    for entrant, new in more:
        old = kept.get(entrant)
        if new and (not old or sign * new.net > sign * old.net or new.net == old.net and new.before(old)):
            kept[entrant] = new


def further(sign: int, one: Extreme | None, later: Extreme | None) -> Extreme | None:
    """Return the better (sign 1) or the worse (-1) of two deals; of equal ones the first."""
    return later if later and (not one or sign * later.net > sign * one.net) else one


class BlockResult(NamedTuple):
    """The result of a block.

    `values` has a row for each measure of the format, each by place in the seating. `best` and `worst` have a deal for
    each place, None where there was none.

    `ahead` has a number for each pair of places, (0, 1), (0, 2) ... (1, 2) ...: 2 for every deal in which the first of
    the pair had more, and 1 for every deal in which both had the same. `from_dealer` has the nets of the dealer, of the
    eldest hand, of the next ... Both are () if it is the block that has a winner. `squares` is then 0, otherwise the
    sum of the squared nets of all places in all deals. `extra`: more numbers, as many as the format has."""

    deals: int
    decisions: int
    values: Sequence[Sequence[int]]
    best: Sequence[Extreme | None]
    worst: Sequence[Extreme | None]
    ahead: Sequence[int] = ()
    from_dealer: Sequence[int] = ()
    squares: int = 0
    extra: Sequence[int] = ()

    def plus(self, more: BlockResult) -> BlockResult:
        """Add a later result. If deals are equal, the earlier one stays the best, or the worst."""
        return BlockResult(
            self.deals + more.deals,
            self.decisions + more.decisions,
            [list(map(add, *rows)) for rows in zip(self.values, more.values, strict=True)],
            [further(1, *pair) for pair in zip(self.best, more.best, strict=True)],
            [further(-1, *pair) for pair in zip(self.worst, more.worst, strict=True)],
            list(map(add, self.ahead, more.ahead)),
            list(map(add, self.from_dealer, more.from_dealer)),
            self.squares + more.squares,
            self.extra or more.extra,
        )

    @classmethod
    def from_json(cls, data: Any, entry: Entry, places: int) -> BlockResult:
        """Read the result of a block with this number of places. ValueError or TypeError if it is not one."""
        deals, decisions, values, best, worst, *by_deal = data
        check_numbers(entry, places, deals, decisions, values, by_deal)
        best, worst = ([deal and extreme_of(*deal) for deal in row] for row in (best, worst))
        if {len(best), len(worst)} != {places}:
            raise ValueError("not the best and the worst of all")
        return cls(deals, decisions, values, best, worst, *by_deal)


class BlockLedger:
    """Running result of a block. `so_far` is what has been computed of it; a format enters each deal that is over."""

    def __init__(self, seating: Sequence[int]) -> None:
        self.seating, self.so_far = seating, None

    seating: Sequence[int]
    so_far: BlockResult | None

    def reckon(self) -> BlockResult | None:
        """Compute the result of the deals played since the last call and forget them; None if there are none."""
        raise NotImplementedError

    def played(self) -> BlockResult:
        """Return the result of everything that has been played."""
        if now := self.reckon():
            self.so_far = self.so_far.plus(now) if self.so_far else now
        assert self.so_far
        return self.so_far


class BlockRecord(NamedTuple):
    """A block as recorded in the index of its shard. `seats` has the entrant at each place of its seating."""

    block: int
    seats: Sequence[int]
    deals: int
    decisions: int
    values: Sequence[Sequence[int]]
    ahead: Sequence[int]
    from_dealer: Sequence[int]
    squares: int
    extra: Sequence[int] = ()


@dataclass
class MeasureSums:
    """Sums of a measure over blocks with value x and weight w (deals): n, and the sums of x, x*x, x*w, w, w*w.

    `few`: how many blocks have each x, if there are at most three different ones; else None."""

    n: int = 0
    x: int = 0
    xx: int = 0
    xw: int = 0
    w: int = 0
    ww: int = 0
    few: Counter[int] | None = field(default_factory=Counter)

    def add(self, x: Sequence[int], w: Sequence[int]) -> None:
        """Add blocks by their values and weights."""
        sums = len(x), sum(x), sum(map(mul, x, x)), sum(map(mul, x, w)), sum(w), sum(map(mul, w, w))
        self.merge(MeasureSums(*sums, None if self.few is None else Counter(x)))

    def merge(self, other: MeasureSums) -> None:
        self.n, self.x, self.xx = self.n + other.n, self.x + other.x, self.xx + other.xx
        self.xw, self.w, self.ww = self.xw + other.xw, self.w + other.w, self.ww + other.ww
        self.few = count_few(self.few, other.few)

    def row(self) -> list[int]:
        return [self.n, self.x, self.xx, self.xw, self.w, self.ww]

    def to_json(self) -> list[Any]:
        return [*self.row(), None if self.few is None else sorted(self.few.items())]


@dataclass
class ShardTotals:
    """Totals of some blocks of an entry. Entrants are numbered as in the entry; fault reports are in schedule order.

    `rows`: of one shard only. `at_fault`: in how many deals each entrant was at fault. `stage_faults`: the faults of the
    stage at hand."""

    blocks: int = 0
    deals: int = 0
    decisions: int = 0
    squares: int = 0
    sums: dict[tuple[str, int], MeasureSums] = field(default_factory=dict)
    best: dict[int, Extreme] = field(default_factory=dict)
    worst: dict[int, Extreme] = field(default_factory=dict)
    faults: dict[tuple[int, str], int] = field(default_factory=dict)
    fault_reports: list[Fault] = field(default_factory=list)
    at_fault: DealsAtFault = field(default_factory=DealsAtFault)
    rows: list[BlockRecord] = field(default_factory=list)
    stage_faults: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of_pieces(cls, pieces: Iterable[ShardTotals]) -> ShardTotals:
        """Return the totals of a shard of these pieces."""
        made = cls()
        for piece in pieces:
            made.merge(piece)
            made.fault_reports += piece.fault_reports
            made.rows += piece.rows
        return made

    def enter(self, block: int, ledger: BlockLedger) -> None:
        """Enter a played block: its row, and its best and worst deals."""
        played, seats = ledger.played(), ledger.seating
        self.extremes(seats, played)
        deals, decisions, values, _, _, ahead, from_dealer, squares, extra = played
        self.rows.append(BlockRecord(block, seats, deals, decisions, values, ahead, from_dealer, squares, extra))

    def sum_up(self, entry: Entry) -> None:
        """Compute the sums of a piece from its rows, when all are entered."""
        self.count(entry, [(row.seats, row) for row in self.rows])
        self.at_fault = DealsAtFault.of(self.rows, self.faults, self.fault_reports)

    def add(self, measure: str, entrant: int, x: Sequence[int], w: Sequence[int]) -> None:
        self.sums.setdefault((measure, entrant), MeasureSums()).add(x, w)

    def count(self, entry: Entry, played: Iterable[tuple[Sequence[int], BlockResult | BlockRecord]]) -> None:
        """Add blocks, each with the entrants at its places.

        An entrant with several places counts with their mean or their sum, depending on the measure."""
        measures = [(measure.key, measure.scale(entry)) for measure in entry.format.measures]
        columns = defaultdict[tuple[str, int], tuple[list[int], list[int]]](lambda: ([], []))
        for seats, block in played:
            self.blocks += 1
            self.deals += block.deals
            self.decisions += block.decisions
            self.squares += block.squares
            weight = block.deals if entry.format.by_deals else 1
            for (key, scale), values in zip(measures, block.values, strict=True):
                for entrant, value in values_by_entrant(seats, values, scale):
                    x, w = columns[key, entrant]
                    x.append(value)
                    w.append(weight)
        for (key, entrant), column in columns.items():
            self.add(key, entrant, *column)

    def extremes(self, seats: Sequence[int], played: BlockResult) -> None:
        keep_extremes(self.best, 1, zip(seats, played.best, strict=True))
        keep_extremes(self.worst, -1, zip(seats, played.worst, strict=True))

    def count_fault(self, fault: Fault) -> None:
        self.faults[fault.entrant, fault.kind] = self.faults.get((fault.entrant, fault.kind), 0) + 1
        self.stage_faults[fault.entrant] += 1
        if self.stage_faults[fault.entrant] <= FAULTS_IN_FULL:
            self.fault_reports.append(fault)

    def end_stage(self, format: Format) -> None:
        """Sort the fault reports of the stage in the order of the log, whatever the order of play was."""
        reports = sorted(
            self.fault_reports, key=lambda each: Address.parse(each.deal)[1 : 3 if format.parts > 1 else 2]
        )
        self.fault_reports, kept = [], Counter[int]()
        for report in reports:
            kept[report.entrant] += 1
            self.fault_reports += [report] * (kept[report.entrant] <= FAULTS_IN_FULL)
        self.stage_faults.clear()

    def merge(self, other: ShardTotals) -> None:
        """Add another tally of the same entry. The order does not matter."""
        for count in "blocks", "deals", "decisions", "squares":
            setattr(self, count, getattr(self, count) + getattr(other, count))
        for key, sums in other.sums.items():
            self.sums.setdefault(key, MeasureSums()).merge(sums)
        keep_extremes(self.best, 1, other.best.items())
        keep_extremes(self.worst, -1, other.worst.items())
        for fault, n in other.faults.items():
            self.faults[fault] = self.faults.get(fault, 0) + n
        self.at_fault.add(other.at_fault)

    def to_json(self) -> dict[str, Any]:
        """Return it without its rows, as in the index of a shard."""
        return {
            "counts": [self.deals, self.decisions, self.squares],
            "sums": [[*key, *sums.to_json()] for key, sums in sorted(self.sums.items())],
            "best": [[entrant, *best] for entrant, best in sorted(self.best.items())],
            "worst": [[entrant, *worst] for entrant, worst in sorted(self.worst.items())],
            "at_fault": self.at_fault.to_json(),
            "faults": [[entrant, kind, n] for (entrant, kind), n in sorted(self.faults.items())],
            "fault_reports": [report.to_json() for report in self.fault_reports],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], blocks: int, entry: Entry) -> ShardTotals:
        """Read the totals of a shard with this number of blocks. ValueError, TypeError or KeyError if it is not them."""
        entrants, measures = range(len(entry.strategies)), {measure.key for measure in entry.format.measures}
        deals, decisions, squares = data["counts"]
        sums, numbers, at_fault = {}, [deals, decisions, squares], data["at_fault"]
        for measure, entrant, n, x, xx, xw, w, ww, few in data["sums"]:
            if measure not in measures or entrant not in entrants:
                raise ValueError(f"{measure!r:.60} of {entrant!r:.60} for a sum")
            counts = None if few is None else Counter(dict(few))
            if not 1 <= n <= blocks or not n <= w <= deals or counts is not None and not are_of(n, counts):
                raise ValueError(f"sums of {measure} that {blocks} blocks of {deals} deals cannot have")
            sums[measure, entrant] = MeasureSums(n, x, xx, xw, w, ww, counts)
            numbers += entrant, n, x, xx, xw, w, ww, *chain(*few or ())
        check_sums([*numbers, *chain(*at_fault)])
        tally = cls(blocks, deals, decisions, squares, sums, at_fault=DealsAtFault.from_json(at_fault, entrants))
        for kept, what in (tally.best, "best"), (tally.worst, "worst"):
            for entrant, net, place in data[what]:
                kept[check_number(entrant, entrants)] = extreme_of(net, place)
        if tally.best.keys() != tally.worst.keys():
            raise ValueError("not the best and the worst of the same")
        tally.faults, tally.fault_reports = (
            faults_from_json(entry, data["faults"]),
            fault_reports_from_json(entry, data["fault_reports"]),
        )
        if not tally.faults and (tally.fault_reports or tally.at_fault.faults or tally.at_fault.barred):
            raise ValueError("entrants at fault without a fault")
        return tally


def are_of(n: int, counts: Counter[int]) -> bool:
    """Whether these counts of values are those of `n` blocks."""
    return min(counts.values(), default=0) > 0 and counts.total() == n


def extreme_of(net: Any, place: Any) -> Extreme:
    """Read a deal from JSON. ValueError if it is not one."""
    if not PLACE.fullmatch(place):
        raise ValueError(f"{place} is no deal")
    return Extreme(check_number(net), place)


def faults_from_json(entry: Entry, data: Any) -> dict[tuple[int, str], int]:
    """Return how many faults of each kind each entrant made. ValueError or TypeError."""
    entrants = range(len(entry.strategies))
    faults = {(check_number(entrant, entrants), KINDS[KINDS.index(kind)]): check_number(n) for entrant, kind, n in data}
    if len(faults) < len(data):
        raise ValueError("faults that are counted twice")
    return faults


def fault_reports_from_json(entry: Entry, data: Any) -> list[Fault]:
    """Read the fault reports. ValueError or TypeError."""
    reports = [*map(Fault.from_json, data)]
    for report in reports:
        try:
            Address.parse(report.deal)
        except LogError as error:  # whoever reads the file names it
            raise ValueError(str(error)) from None
        check_number(report.entrant, range(len(entry.strategies)))
    return reports


def check_numbers(entry: Entry, places: int, deals: Any, decisions: Any, values: Any, by_deal: Sequence[Any]) -> None:
    """Check the figures of blocks with this number of places (see `BlockResult`). ValueError or TypeError.

    `by_deal`: `ahead`, `from_dealer` and `squares`, and the extra numbers if there are any."""
    ahead, from_dealer, squares, *others = by_deal
    (extra,) = others or [()]
    for number in (deals, decisions, *ahead, *from_dealer, *extra, *[x for column in values for x in column]):
        check_number(number)
    check_number(squares, most=MAX_FIGURE**2)
    if (
        {*map(type, (values, ahead, from_dealer, *values))} != {list}
        or [len(column) for column in values] != [places] * len(entry.format.measures)
        or (len(ahead), len(from_dealer)) != ((places * (places - 1) // 2, places) if entry.format.by_deals else (0, 0))
        or len(extra) != entry.format.extra_numbers(places)
        or deals < 1
    ):
        raise ValueError(f"no figures of a block: {str(values)[:60]}")


def check_sums(numbers: Sequence[Any]) -> None:
    """ValueError if these are not whole numbers that a shard can have."""
    if {*map(type, numbers)} != {int} or max(numbers) > MAX_SUM or min(numbers) < -MAX_SUM:
        raise ValueError(f"{str(numbers)[:60]} for sums")


def check_number(number: Any, among: range | None = None, most: int = MAX_FIGURE) -> int:
    """Return the number. ValueError if it is not a whole number, not in `among`, or larger than a run can produce."""
    if type(number) is not int or abs(number) > most or among is not None and number not in among:
        raise ValueError(f"{str(number)[:60]} for a number")
    return number
