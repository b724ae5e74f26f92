"""Verdicts: who is better than whom by a measure, by how much, with confidence intervals, and other findings of a game.

Each is computed when it is first used."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import TypeVar

from ...statistics import company, cycles, differences, groups, places, planning, rating
from ...statistics.company import Company
from ...statistics.differences import Difference, Worths
from ...statistics.moments import Moments
from ...statistics.rating import Rating
from ...words import ordinal
from ..formats import Measure, Origins
from ..planning.plan import Entry
from ..results.entry_totals import EntryTotals
from .blocks import Blocks

MAX_COMPARED = 300  # entrants; if there are more, only their means are reported
Pair = tuple[int, int]
T = TypeVar("T")


class Verdicts:
    """The verdicts on a game's blocks by a measure, by default the one that ranks.

    Entrants are numbered as in the entry. Nothing is said of those who are `out`, not placed because of their faults,
    but the others have met them."""

    def __init__(
        self, entry: Entry, fold: EntryTotals, measure: Measure | None = None, out: Collection[int] = ()
    ) -> None:
        self.entry, self.tally, self.out = entry, fold.tally, frozenset(out)
        self.blocks = Blocks(entry, fold.blocks, measure)
        self.entrants = len(entry.strategies)
        self.some = 1 < self.entrants <= MAX_COMPARED and fold.blocks.size > 0  # whether anybody is compared

    @cached_property
    def worths(self) -> Worths:
        return differences.fit(self.blocks, self.entrants)

    @cached_property
    def differences(self) -> dict[Pair, Difference]:
        """The differences between all entrants to be compared; the lower number is first."""
        pairs = self.worths.pairs() if self.some else {}
        return {pair: each for pair, each in pairs.items() if self.out.isdisjoint(pair)}

    @cached_property
    def apart(self) -> set[Pair]:
        """The pairs whose difference is significant, over all pairs (Holm 1979)."""
        return groups.holm({pair: each.p for pair, each in self.differences.items()})

    @cached_property
    def likely(self) -> list[Pair | None]:
        """The best and the worst rank that the data allow each entrant; None for one that is not compared."""
        return groups.ranges(self.placed(self.worths.worth), self.apart) if self.some else [None] * self.entrants

    @cached_property
    def ratings(self) -> list[Rating | None]:
        """The chance of each to be ahead of an average entrant."""
        found = rating.rate(self.blocks.compared, self.entrants) if self.some else [None] * self.entrants
        return self.placed(found)

    @cached_property
    def cycles(self) -> list[tuple[int, int, int]]:
        return cycles.cycles(self.blocks, self.entrants, self.out) if self.some and self.entrants > 2 else []

    @cached_property
    def company(self) -> list[Company]:
        seats = self.entry.format.seats
        found = self.some and seats and self.entrants > seats
        return company.company(self.blocks, self.worths, self.out) if found else []

    @cached_property
    def places(self) -> list[tuple[str, Moments]]:
        """The mean net of a deal for the eldest hand, the next ... the dealer; empty if blocks have a winner."""
        dealer, *others = places.worth_of_places(self.blocks.from_dealer) or [Moments()]
        names = ["eldest", *[ordinal(place) for place in range(2, len(others) + 1)]]
        return [*zip(names, others, strict=False), ("dealer", dealer)] if others else []

    def placed(self, values: Sequence[T | None]) -> list[T | None]:
        """Return the values of all entrants, None for those who are out."""
        return [None if entrant in self.out else value for entrant, value in enumerate(values)]

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

    @cached_property
    def origins(self) -> Origins | None:
        """Where the difference of two strategies comes from, if the format knows."""
        return self.entry.format.origins(self.entry, self.blocks.packed)

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
