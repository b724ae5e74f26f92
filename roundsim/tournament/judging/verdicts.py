"""Verdicts: who is better than whom, by how much, with confidence intervals, and other findings of a game.

Each is computed when it is first used."""

from __future__ import annotations

from functools import cached_property
from random import Random

from ...statistics import company, cycles, differences, groups, places, planning, rating
from ...statistics.company import Company
from ...statistics.differences import Difference, Worths
from ...statistics.moments import Moments
from ...statistics.rating import Rating
from ...table.chance import hash_number
from ...words import ordinal
from ..planning.plan import Entry, Seed
from ..results.entry_totals import EntryTotals
from .blocks import Blocks

MAX_COMPARED = 300  # entrants; if there are more, only their means are reported
Pair = tuple[int, int]


class Verdicts:
    """The verdicts on a game's blocks by the measure that ranks.

    Entrants are numbered as in the entry. `seed`: of the tournament, for the draws of a permutation test."""

    def __init__(self, entry: Entry, fold: EntryTotals, seed: Seed) -> None:
        self.entry, self.tally, self.seed = entry, fold.tally, seed
        self.blocks = Blocks(entry, fold.blocks)
        self.entrants = len(entry.strategies)
        self.some = 1 < self.entrants <= MAX_COMPARED and fold.blocks.size > 0  # whether anybody is compared

    @cached_property
    def worths(self) -> Worths:
        return differences.fit(self.blocks, self.entrants)

    @cached_property
    def differences(self) -> dict[Pair, Difference]:
        """The differences between all entrants to be compared; the lower number is first."""
        return self.worths.pairs() if self.some else {}

    @cached_property
    def apart(self) -> set[Pair]:
        """The pairs whose difference is significant, over all pairs (Holm 1979)."""
        return groups.holm({pair: each.p for pair, each in self.differences.items()})

    @cached_property
    def likely(self) -> list[Pair | None]:
        """The best and the worst rank that the data allow each entrant; None for one that is not compared."""
        return groups.ranges(self.worths.worth, self.apart) if self.some else [None] * self.entrants

    @cached_property
    def ratings(self) -> list[Rating | None]:
        """The chance of each to be ahead of an average entrant."""
        return rating.rate(self.blocks.compared, self.entrants) if self.some else [None] * self.entrants

    @cached_property
    def cycles(self) -> list[tuple[int, int, int]]:
        return cycles.cycles(self.blocks, self.entrants) if self.some and self.entrants > 2 else []

    @cached_property
    def company(self) -> list[Company]:
        seats, labels = self.entry.format.seats, self.entry.labels
        if not (self.some and seats and self.entrants > seats):
            return []

        def chance_of(entrant: int, beside: int) -> company.Uniform:
            name = f"{self.seed}/{self.entry.name}/company/{labels[entrant]}/{labels[beside]}"
            return Random(hash_number(name)).random

        return company.company(self.blocks, self.worths, chance_of)

    @cached_property
    def places(self) -> list[tuple[str, Moments]]:
        """The mean net of a deal for the eldest hand, the next ... the dealer; empty if blocks have a winner."""
        dealer, *others = places.worth_of_places(self.blocks.from_dealer) or [Moments()]
        names = ["eldest", *[ordinal(place) for place in range(2, len(others) + 1)]]
        return [*zip(names, others, strict=False), ("dealer", dealer)] if others else []

    def between(self, one: int, other: int) -> Difference | None:
        """Return how far one is above the other."""
        found = self.differences.get((min(one, other), max(one, other)))
        return found if found is None or one < other else found._replace(value=-found.value)

    def are_apart(self, one: int, other: int) -> bool:
        return (min(one, other), max(one, other)) in self.apart

    def more_deals(self, one: int, other: int) -> tuple[str, int] | None:
        """Return how many more deals would make a difference significant, such as ("about", 26000).

        The word is "more than" for a lower bound. The unit is blocks if these have a winner."""
        found, format = self.between(one, other), self.entry.format
        in_block = round(self.tally.deals / self.tally.blocks) if format.by_deals else 1
        return found and planning.more_blocks(found, groups.first_level(len(self.differences)), in_block)

    @cached_property
    def hanging(self) -> dict[Pair, int]:
        """For two entrants, the lower number first, the block without which their difference loses its sign."""
        return differences.decisive_blocks(self.blocks) if self.some else {}

    @property
    def extremes(self) -> list[tuple[str, int, int, str]]:
        """The best deal of all and the worst: the entrant, the net, and the address."""
        found = []
        for word, sign, kept in ("best", 1, self.tally.best), ("worst", -1, self.tally.worst):
            most = max((sign * each.net for each in kept.values()), default=None)
            equal = [(each, who) for who, each in kept.items() if sign * each.net == most]
            for each, who in sorted(equal, key=lambda both: ([*map(int, both[0].place.split("/"))], both[1]))[:1]:
                found.append((word, who, each.net, f"{self.entry.name}/{each.place}"))
        return found

    @property
    def orders_differ(self) -> tuple[int, int] | None:
        """The clearest pair such that the first wins more and the other is more often ahead, both significantly."""
        for pair in sorted(self.apart, key=lambda pair: self.differences[pair].p):
            one, other = pair if self.differences[pair].value > 0 else pair[::-1]
            first, second = self.ratings[one], self.ratings[other]
            if first and second and first.error is not None and second.error is not None:
                apart = (first.error**2 + second.error**2) ** 0.5
                if second.chance - first.chance > apart:
                    return one, other
        return None
