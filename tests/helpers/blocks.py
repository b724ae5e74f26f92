"""Blocks made by hand: entries, the rows of their blocks, and the totals of these."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from roundsim.refereeing.faults import Fault
from roundsim.sources.plugins import Strategy
from roundsim.tournament.formats import Format, share_scale
from roundsim.tournament.formats.round_robin import RoundRobin
from roundsim.tournament.planning.plan import Entry
from roundsim.tournament.results.entry_totals import EntryTotals
from roundsim.tournament.results.totals import BlockRecord, ShardTotals

DEALS = 4  # of each block


def strategies_of(names: Iterable[str]) -> tuple[Strategy, ...]:
    return tuple(Strategy(name, (), "", "", "") for name in names)


def entry_of(names: Sequence[str], format: Format, game: str = "nap") -> Entry:
    return Entry(game, game, format, {}, strategies_of(names), 100)


def nap(names: Sequence[str], players: int = 2) -> Entry:
    return entry_of(names, RoundRobin(players, 2))


def block_of(number: int, seats: Sequence[int], nets: Sequence[int], ahead: Sequence[int] = ()) -> BlockRecord:
    """A block of a round-robin. By default each is ahead of each other in as many deals, and all deals are shared."""
    pairs, whole = len(seats) * (len(seats) - 1) // 2, share_scale(len(seats))
    won = [DEALS * whole // len(seats)] * len(seats)
    return BlockRecord(number, seats, DEALS, 9, [nets, won], ahead or [DEALS] * pairs, nets, sum(x * x for x in nets))


def blocks_of_two(nets: Iterable[int]) -> list[BlockRecord]:
    """Blocks in which the first entrant wins these counters from the second."""
    return [block_of(at, (0, 1), (net, -net)) for at, net in enumerate(nets, 1)]


def tally_of(
    entry: Entry,
    rows: Sequence[BlockRecord],
    faults: Mapping[tuple[int, str], int] = MappingProxyType({}),
    reports: Sequence[Fault] = (),
) -> ShardTotals:
    tally = ShardTotals(rows=[*rows], faults={**faults}, fault_reports=[*reports])
    tally.sum_up(entry)
    return tally


def fold_of(entry: Entry, *shards: Sequence[BlockRecord]) -> EntryTotals:
    fold = EntryTotals()
    for shard, rows in enumerate(shards, 1):
        fold.add(shard, tally_of(entry, rows))
    return fold


def in_shards(
    entry: Entry, rows: Sequence[BlockRecord], faults: Mapping[int, int] = MappingProxyType({})
) -> EntryTotals:
    """Blocks in the shards of their entry; `faults`: by number of the shard, those of the second entrant."""
    fold = EntryTotals()
    for number, blocks in enumerate(entry.shards(), 1):
        own = [row for row in rows if row.block in blocks]
        fold.add(blocks[0], tally_of(entry, own, {(1, "illegal"): faults[number]} if number in faults else {}))
    return fold


def counters_in(text: str) -> dict[int, int]:
    """By player, from a line such as `0+3 1-2`."""
    return {int(who): int(counters) for who, counters in re.findall(r"(\d+)([+-]\d+)", text)}
