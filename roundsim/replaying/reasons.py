"""For what strategies have won and paid their counters: `roundsim deals --why`, and a section of the page."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from textwrap import shorten
from typing import Any, NamedTuple

from ..base.errors import InputError
from ..base.text import plain, signed, so_many
from ..reports.lines import joined_heading
from ..reports.page.extras import GameReasons, ReasonFigure, ReasonLine
from ..reports.terminal import Cells, entry_title, indented, text_table
from ..statistics.differences import Difference, fit
from ..statistics.distributions import FEW_BLOCKS
from ..statistics.rows import BlockRow, tables_of
from ..table.events import EventLog, Moved
from ..tournament.judging.standings import standings, unplaced
from ..tournament.planning.plan import Entry
from ..tournament.storage.folder import RunFolder
from ..tournament.storage.totals import finished_totals
from .log_driver import LogDriver
from .logged import LoggedBlock, entries_called, logged_blocks, unknown_strategy

ENDS = "the end of a sitting"
IN_ALL = "in all"
NO_REASON = "no reason given"  # by a third-party game
WIDEST = 32  # columns for a reason


class ReasonComparison(NamedTuple):
    """The counters a deal that two strategies have for one reason.

    `rules`: the places of its rules in the book. `difference`: None under ten blocks."""

    reason: str
    rules: Sequence[str]
    mine: float
    against: float
    difference: Difference | None


class ReasonTable(NamedTuple):
    """The reasons of a game, over the blocks in which both strategies sat, those that cost most first; last all."""

    entry: Entry
    mine: str
    against: str
    blocks: int
    deals: int
    rows: Sequence[ReasonComparison]

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.entry.name,
            "strategy": self.mine,
            "against": self.against,
            "blocks": self.blocks,
            "deals": self.deals,
            "reasons": [row_to_json(row) for row in self.rows[:-1]],
            "in_all": row_to_json(self.rows[-1]),
        }


def reasons_text(table: ReasonTable) -> str:
    """Return a table of the reasons, those that cost most first, with its heading."""
    both = [so_many(table.deals, "deal"), so_many(table.blocks, "block"), "counters a deal"]
    cells = text_table([cells_of(table, row) for row in table.rows], "plain")
    few = (
        f"\n\n  ~ sat in fewer than {FEW_BLOCKS} blocks: its error may be too small."
        if table.blocks < FEW_BLOCKS
        else ""
    )
    return f"{joined_heading([entry_title(table.entry), *both])}\n\n{indented(cells, 'plain')}{few}"


def cells_of(table: ReasonTable, row: ReasonComparison) -> Cells:
    """Return the row of a reason; a star marks a difference whose interval is on one side of 0."""
    error = row.difference and row.difference.error
    star = "*" if error and abs(row.mine - row.against) > error else ""
    return [
        ("for", shorten(row.reason, WIDEST, placeholder=" ...")),
        (shorten(table.mine, WIDEST // 2, placeholder="..."), signed(row.mine)),
        (shorten(table.against, WIDEST // 2, placeholder="..."), signed(row.against)),
        ("difference", signed(row.mine - row.against) + star),
        ("± 95 %", f"{'~' * (table.blocks < FEW_BLOCKS)}{plain(error)}" if error else "-"),
    ]


def row_to_json(row: ReasonComparison) -> dict[str, Any]:
    difference = row.difference
    return {
        "why": row.reason,
        "rules": row.rules,
        "strategy": round(row.mine, 6),
        "against": round(row.against, 6),
        "difference": round(row.mine - row.against, 6),
        "error": difference and difference.error and round(difference.error, 6),
    }


def reason_tables(
    folder: RunFolder, mine: str, against: str | None, game: str | None, show: Callable[[int, int], None]
) -> Iterator[ReasonTable]:
    """Yield the reasons of each game in which the strategy plays, next to another one: by default the best of the others.

    `show` takes the blocks read so far, and all. InputError, LogError."""
    tournament = folder.tournament()
    numbers = entries_called(tournament, game)
    labels = dict.fromkeys(label for number in numbers for label in tournament.entries[number].labels)
    for name in filter(None, (mine, against)):
        if name not in labels:
            raise unknown_strategy(name, labels)
    if mine == against:
        raise InputError(f"{mine} is compared with itself: name another one")
    folds, any_game = finished_totals(tournament, folder)[0], False
    for number in numbers:
        entry = tournament.entries[number]
        if not entry.format.whole_log:
            problem = f"a {entry.format.name} logs only what differs, and `roundsim standings` says where"
            raise InputError(f"{entry.name}: {problem}; or play the gate with --half")
        rows = standings(entry, folds[number].tally, unplaced(entry, folds[number], tournament.limits))
        other = against or next((row.strategy for row in rows if row.strategy != mine), None)
        if mine in entry.labels and other in entry.labels:
            any_game = True
            yield reason_table(folder, number, mine, other, show)
    if not any_game:
        raise InputError(f"{mine} plays in no game with {against or 'another strategy'}")


def reason_table(
    folder: RunFolder, number: int, mine: str, against: str, show: Callable[[int, int], None]
) -> ReasonTable:
    """Return the reasons of a game. LogError; InputError if the two never sat in one block."""
    tournament, blocks = folder.tournament(), list[BlockReasons]()
    entry, rules = tournament.entries[number], defaultdict[str, dict[str, None]](dict)
    both = {entry.labels.index(label) for label in (mine, against)}
    for block in logged_blocks(folder, tournament, number):
        if both <= {*block.seating}:
            replayed = BlockReasons(block)
            if not (replayed.seats[mine] and replayed.seats[against]):  # drawn, and not seated by the format
                continue
            blocks.append(replayed)
            for reason, places in replayed.rules.items():
                rules[reason] |= places
        show(block.number, entry.blocks)
    if not blocks:
        raise InputError(f"{entry.name}: {mine} and {against} sat in no block together")
    rows = [compare_reasons(blocks, mine, against, [reason], [*rules[reason]]) for reason in rules]
    rows.sort(key=lambda row: (row.mine - row.against, row.reason))
    in_all = compare_reasons(blocks, mine, against, [*rules], [])._replace(reason=IN_ALL)
    return ReasonTable(entry, mine, against, len(blocks), sum(block.deals for block in blocks), [*rows, in_all])


class FirstReasons:
    """The reasons of a game in its first deals, for the page: of the leader, and of the strategies next to it.

    `names`: these strategies, the leader first; `most`: the number of deals after which no more blocks are replayed."""

    def __init__(self, entry: Entry, names: Sequence[str], most: int) -> None:
        self.names, self.most, self.deals, self.all_deals = names, most, 0, True
        self.numbers = [entry.labels.index(name) for name in names] if entry.format.whole_log else []
        self.blocks, self.reasons = list[BlockReasons](), dict[str, None]()

    def add(self, block: LoggedBlock) -> None:
        """Add a block of the log, if the leader sits in it with one of the others. LogError if the rules do not agree."""
        seated = [number for number in self.numbers if number in block.seating]
        if len(seated) < 2 or seated[0] != self.numbers[0]:
            return
        if self.deals >= self.most:
            self.all_deals = False
            return
        self.blocks.append(replayed := BlockReasons(block))
        self.deals += replayed.deals
        self.reasons |= dict.fromkeys(replayed.rules)

    def result(self) -> GameReasons | None:
        """Return the reasons; None if there are none."""
        if not self.reasons.keys() - {NO_REASON, ENDS}:
            return None
        lines = [self.line(reason, [reason]) for reason in self.reasons]
        lines.sort(key=lambda line: (-gap(line), line.reason))
        return GameReasons(self.names, self.deals, self.all_deals, [*lines, self.line(IN_ALL, [*self.reasons])])

    def line(self, heading: str, reasons: Sequence[str]) -> ReasonLine:
        """Return what some reasons together bring each strategy, in counters a deal."""
        leader, *others = self.names
        seated = [block for block in self.blocks if block.seats[leader]]
        deals = sum(block.deals for block in seated)
        mean = sum(block.deals * reason_share(block, leader, reasons) for block in seated) / deals if deals else 0.0
        return ReasonLine(heading, [ReasonFigure(mean), *(self.figure(name, reasons) for name in others)])

    def figure(self, name: str, reasons: Sequence[str]) -> ReasonFigure | None:
        """Return what some reasons together bring one of the others; None if it is in no block that was read."""
        both = [block for block in self.blocks if block.seats[name] and block.seats[self.names[0]]]
        if not both:
            return None
        row = compare_reasons(both, name, self.names[0], reasons, [])
        return ReasonFigure(row.mine, row.mine - row.against, row.difference and row.difference.error)


def gap(line: ReasonLine) -> float:
    """Return how far the strategies are apart."""
    values = [figure.value for figure in line.figures if figure]
    return max(values) - min(values)


class BlockReasons:
    """A block of the log, replayed: its deals, the seats of each strategy in all of them, by strategy the counters for
    each reason, and the `rules` of each. LogError if the rules do not agree."""

    def __init__(self, block: LoggedBlock) -> None:
        self.deals, self.seats = 0, Counter[str]()
        self.counters = {label: Counter[str]() for label in block.entry.labels}
        self.rules = defaultdict[str, dict[str, None]](dict)
        block.replay(self.add_deal, self.add_end)

    def add_deal(self, driver: LogDriver) -> None:
        heard, seated = EventLog(driver.deal), driver.seated
        driver.replay()
        self.deals += 1
        self.seats.update(seated)
        for moved in heard.take():
            if isinstance(moved, Moved):
                why = moved.why or NO_REASON
                self.rules[why][moved.cited] = None
                for party, counters in (moved.payer, -moved.counters), (moved.payee, moved.counters):
                    if isinstance(party, int):
                        self.counters[seated[party]][why] += counters

    def add_end(self, driver: LogDriver) -> None:
        self.rules[ENDS] = {}
        for label, net in zip(driver.seated, driver.deal.net, strict=True):
            self.counters[label][ENDS] += net


def compare_reasons(
    blocks: Sequence[BlockReasons], mine: str, against: str, reasons: Sequence[str], rules: Sequence[str]
) -> ReasonComparison:
    """Return what some reasons together bring each of two strategies."""
    rows = [
        BlockRow(at, block.deals, (0, 1), [reason_share(block, name, reasons) for name in (mine, against)], ())
        for at, block in enumerate(blocks)
    ]
    deals = sum(row.weight for row in rows)
    means = [sum(row.weight * row.values[at] for row in rows) / deals for at in (0, 1)]
    return ReasonComparison(
        reasons[0] if reasons else "", rules, means[0], means[1], fit(tables_of(rows), 2).between(0, 1)
    )


def reason_share(block: BlockReasons, name: str, reasons: Sequence[str]) -> float:
    """Return what some reasons bring a strategy in a block, for each deal and each of its seats."""
    return sum(block.counters[name][reason] for reason in reasons) / block.seats[name]
