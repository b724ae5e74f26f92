"""Knock-out: rounds of equal length; the better half goes on to the next (sequential halving: Karnin, Koren and Somekh
2013).

Each round is a separate entry, nap.1, nap.2 ...: a round-robin of those who are left, in file order."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...sources.plugins import Strategy
from ...table.deal import Deal
from ..format_parts import Key, key
from . import Format
from .round_robin import RoundRobin

if TYPE_CHECKING:
    from ..planning.plan import Entry
    from ..planning.reader import EntryReader
    from ..results.totals import ShardTotals


def players_by_default(game: type[Deal], strategies: int) -> int:
    """Return the lower end of what is usual, or as many fewer as it takes to knock somebody out."""
    return max(2, game.seats[0], min(game.usual[0], strategies - 1))


@dataclass(frozen=True)
class KnockOut(RoundRobin):
    """One round: a block is as in a round-robin.  The last round, the final, is of one table."""

    players: int = key("players at a table", 2, 99, players_by_default, "--seats")
    entrants: int = key("strategies in the first round", 3, 10**6)
    round: int = key("which round this is", 1, 20)

    name = "knock-out"
    amount_key = Key("deals of all rounds of each game together", 1, 10**12, 1000, "--deals")
    joined_by = False
    open_ended = False

    @classmethod
    def recorded(cls) -> dict[str, Key]:
        return {name: known for name, known in super().recorded().items() if name != "focus"}

    @classmethod
    def entered_with(cls) -> dict[str, Key]:
        """Return all keys except those that follow from the strategies."""
        return {name: known for name, known in super().entered_with().items() if name not in ("entrants", "round")}

    @classmethod
    def read(cls, reader: EntryReader) -> Entry | None:
        players, entrants = reader.whole("players"), len(reader.strategies)
        if entrants <= players and not reader.failed:
            problem = (
                f"{entrants} strategies at a table of {players}: there is nothing to knock out: play a round-robin"
            )
            reader.wrong(problem, "players" if "players" in reader.data else "strategies")
        with reader.noting_refusals():
            usual = reader.game.rules_for(players, reader.options).sitting
            made = cls(**reader.fields(sitting=usual), entrants=entrants, round=1)
            entry = reader.entry(made, reader.options)
            return entry and made.first_round(entry, reader)
        return None

    def first_round(self, entry: Entry, reader: EntryReader) -> Entry | None:
        """Return the entry of the first round, if it has enough blocks for everybody to play."""
        least, blocks = -(-self.entrants // self.players), entry.blocks
        if "deals" not in reader.data:
            blocks = max(blocks, least)
        if blocks < least:
            deals = least * self.last_round * self.units(entry)
            problem = f"is too few for all {self.entrants} to play: {deals} are needed at least"
            reader.wrong(f"deals = {reader.amount} {problem}", "deals")
            return None
        return replace(entry, name=f"{entry.name}.1", strategies=distinct_strategies(entry), blocks=blocks, asked=0)

    @classmethod
    def from_settings(cls, data: Mapping[str, Any]) -> Format:
        made = super().from_settings(data)
        if not 1 < made.last_round >= data["round"]:
            raise ValueError(f"round = {data['round']}, of {data['entrants']} entrants at {data['players']} seats")
        return made

    @property
    def sizes(self) -> list[int]:
        """The number of entrants in each round."""
        left = [self.entrants]
        while left[-1] > self.players:
            left.append(max(self.players, -(-left[-1] // 2)))
        return left

    @property
    def last_round(self) -> int:
        return len(self.sizes)

    @property
    def before(self) -> KnockOut | None:
        return replace(self, round=self.round - 1) if self.round > 1 else None

    def in_file(self, name: str) -> str:
        return name.removesuffix(f".{self.round}")

    def after(self, entry: Entry, tally: ShardTotals, out: Collection[int] = ()) -> Entry | None:
        """Return the round of the better half by net per deal. If two are equal, the first in the file goes on.

        Entrants that are not placed go on only if too few others are left."""
        if self.round == self.last_round or tally.blocks < entry.blocks:
            return None
        net = {who: Fraction(sums.x, sums.w) for (key, who), sums in tally.sums.items() if key == "net"}
        best = sorted(net, key=lambda who: (who in out, -net[who], who))[: self.sizes[self.round]]
        return replace(
            entry,
            name=f"{self.in_file(entry.name)}.{self.round + 1}",
            format=replace(self, round=self.round + 1),
            strategies=tuple(entry.strategies[who] for who in sorted(best)),
        )

    def plan(self, entry: Entry) -> str:
        """knock-out of 16, 8, 4: in each of 3 rounds 1 008 deals in 63 blocks of 16 (4 seats x 4 deals)"""
        left = ", ".join(map(str, self.sizes))
        return f"knock-out of {left}: in each of {self.last_round} rounds {super().plan(entry)}"

    def heading(self, entry: Entry, tally: ShardTotals) -> list[str]:
        """knock-out of 16 · round 2 of 3 · 8 left · 4 seats · 1 008 deals in 63 blocks of 16 (4 seats x 4 deals)"""
        left = [f"{len(entry.strategies)} left"] * bool(self.before)
        start = [f"knock-out of {self.entrants}", f"round {self.round} of {self.last_round}", *left]
        return [*start, *super().heading(entry, tally)]


def distinct_strategies(entry: Entry) -> tuple[Strategy, ...]:
    """Return the strategies, with names that a repeated strategy keeps in every round: random#2."""
    both = zip(entry.strategies, entry.labels, strict=True)
    return tuple(
        strategy if str(strategy) == label else replace(strategy, name=label, named=True) for strategy, label in both
    )
