"""Sittings: one after another, each with its own cards; from each to the next everybody moves up a seat.

A person plays so, who would remember the cards of a block with several sittings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...base.text import so_many
from ...refereeing.names import Names
from ...table.deal import Deal
from ..format_parts import Driver, Key, key
from . import SHARD_DEALS, Format
from .round_robin import Rotations, RoundRobin, play_sitting, players_by_default, read_sittings

if TYPE_CHECKING:
    from ..planning.plan import Entry
    from ..planning.reader import EntryReader
    from ..results.totals import ShardTotals


@dataclass(frozen=True)
class Sittings(Format):
    """A block: one sitting of all strategies."""

    players: int = key("players at a table", 2, 99, players_by_default, "--seats")
    sitting: int = key("deals in a sitting", 1, 10**6, flag="--sitting")

    name = "sittings"
    unit = "deal"
    amount = "deals"
    amount_key = Key("deals of each game, rounded up to whole sittings", 1, 10**12, 16, "--deals")
    measures = RoundRobin.measures
    scored = RoundRobin.scored
    by_deals = True
    one_script = True

    @classmethod
    def read(cls, reader: EntryReader) -> Entry | None:
        return read_sittings(cls, reader, "players")

    def wrong_with(self, entry: Entry) -> str:
        strategies = len(entry.strategies)
        return "" if strategies == self.players else f"{strategies} strategies for {self.players} seats: one for each"

    @property
    def seats(self) -> int:
        return self.players

    def table_size(self, game: type[Deal]) -> int:
        return self.players

    def units(self, entry: Entry) -> int:
        return self.sitting

    def blocks_in_shard(self, entry: Entry, slower: int) -> int:
        """One if somebody imagines deals, as a person does for hints: each sitting is kept as soon as it is over."""
        return 1 if slower > 1 else -(-SHARD_DEALS // self.units(entry))

    def plan(self, entry: Entry) -> str:
        return f"{so_many(entry.blocks * self.sitting, 'deal')} in {so_many(entry.blocks, 'sitting')} of {self.sitting}"

    def heading(self, entry: Entry, tally: ShardTotals) -> list[str]:
        """4 seats · 16 deals in 4 sittings of 4"""
        sittings = f"{so_many(tally.deals, 'deal')} in {so_many(tally.blocks, 'sitting')} of {self.sitting}"
        return [so_many(self.players, "seat"), sittings]

    def seatings(self, entry: Entry, seed: int | str, first: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the entrants by seat. In the first block they sit in the order of the list."""
        for block in range(first, entry.blocks + 1):
            yield tuple([(seat - block + 1) % self.players for seat in range(self.players)])

    def blocks_for_all(self, entry: Entry) -> int:
        return entry.blocks

    def ledger(self, seating: Sequence[int]) -> Rotations:
        return Rotations(seating)

    def play(self, driver: Driver, entry: Entry, names: Names, block: int, part: int, ledger: Rotations) -> None:
        driver.sit(f"{block}/1", names, [*ledger.seating], ())
        play_sitting(driver, entry, self.sitting, names, f"{block}/1/", 0, ledger)
