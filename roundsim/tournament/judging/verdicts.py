"""Verdicts: who is better than whom, by how much, with confidence intervals, and other findings of a game.

Each is computed when it is first used."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from functools import cached_property
from itertools import combinations
from random import Random
from typing import TypeVar

from ...base.text import place_name
from ...statistics import company, cycles, differences, groups, places, planning, rating
from ...statistics.company import Company, Uniform
from ...statistics.differences import Difference, Worths
from ...statistics.moments import Moments
from ...statistics.rating import Rating
from ...table.chance import hash_number
from ..format_parts import Origins
from ..planning.plan import Entry, Seed
from ..results.entry_totals import EntryTotals
from .blocks import Blocks

MAX_COMPARED = 300  # entrants; if there are more, only their means are reported
Pair = tuple[int, int]
T = TypeVar("T")


class Comparison(ABC):
    """All entrants compared with each other, by number, at one level for all pairs.

    `unit`: what `more_deals` counts, such as "deal". `may_stop`: whether a rule may end such a run."""

    def __init__(self, unit: str, may_stop: bool) -> None:
        self.unit, self.may_stop = unit, may_stop

    @property
    @abstractmethod
    def pairs(self) -> dict[Pair, Difference]:
        """The differences of all pairs that can be compared, the lower number first, each at the level of one pair."""

    @property
    @abstractmethod
    def worth(self) -> Sequence[float | None]:
        """The figure of each entrant whose order is that of the ranks; None for one that has not played."""

    @abstractmethod
    def more_deals(self, one: int, other: int) -> tuple[str, int] | None:
        """Return how many more deals would make a difference significant, such as ("about", 26000).

        The word is "more than" for a lower bound. The unit is blocks if these have a winner."""

    @cached_property
    def differences(self) -> dict[Pair, Difference]:
        """The same, each at the level at which Holm's method (1979) tests it.

        So a difference is significant if its interval does not reach 0."""
        levels = groups.levels({pair: difference.p for pair, difference in self.pairs.items()})
        return {pair: difference._replace(level=levels[pair]) for pair, difference in self.pairs.items()}

    @cached_property
    def apart(self) -> set[Pair]:
        """The pairs whose difference is significant, over all pairs (Holm 1979)."""
        return {pair for pair, difference in self.differences.items() if difference.p <= difference.level}

    @property
    def above(self) -> list[Pair]:
        """The same pairs, the better entrant first."""
        return [pair if self.differences[pair].value > 0 else pair[::-1] for pair in self.apart]

    @cached_property
    def adjusted(self) -> dict[Pair, float]:
        """The p of each difference, adjusted for all pairs (Holm 1979)."""
        return groups.adjusted({pair: difference.p for pair, difference in self.pairs.items()})

    @cached_property
    def likely(self) -> list[Pair | None]:
        """The best and the worst rank that the data allow each entrant; None for one that is not compared."""
        return groups.ranges(self.worth, self.above)

    def between(self, one: int, other: int) -> Difference | None:
        """Return how far one is above the other."""
        difference = self.differences.get((min(one, other), max(one, other)))
        return difference if difference is None or one < other else difference.reversed()

    def are_apart(self, one: int, other: int) -> bool:
        return (min(one, other), max(one, other)) in self.apart


class Overall(Comparison):
    """The entrants that played every game, compared by the mean of their differences in all games.

    The difference in a game is in standard deviations of one deal there, as the scores are. `labels` and `scores` are
    of the entrants; `games`: the verdicts of each game, and that standard deviation."""

    def __init__(
        self, labels: Sequence[str], scores: Sequence[float | None], games: Sequence[tuple[Verdicts, float]]
    ) -> None:
        format = games[0][0].entry.format
        super().__init__(format.unit, may_stop=False)
        self.labels, self.games = labels, games
        self.some = 1 < len(labels) <= MAX_COMPARED
        self.scores = scores if self.some else [None] * len(labels)
        self.played = sum(game.tally.deals if format.by_deals else game.tally.blocks for game, _ in games)

    @cached_property
    def pairs(self) -> dict[Pair, Difference]:
        both = combinations(range(len(self.labels) if self.some else 0), 2)
        return {(i, j): gap for i, j in both if (gap := self.over_games(self.labels[i], self.labels[j]))}

    @property
    def worth(self) -> Sequence[float | None]:
        return self.scores

    def over_games(self, one: str, other: str) -> Difference | None:
        """Return the mean of the differences of two; None if they cannot be compared in every game.

        That is also so if a rule may stop each game by itself: there is no error for all of them then."""
        gaps = list[Difference]()
        for game, _ in self.games:
            each = game.between(game.entry.labels.index(one), game.entry.labels.index(other))
            if not each or each.any_look or each.value and not each.standard:
                return None
            gaps.append(each)
        return differences.mean_difference(gaps, [spread for _, spread in self.games])

    def more_deals(self, one: int, other: int) -> tuple[str, int] | None:
        gap = self.between(one, other)
        return gap and planning.more_blocks(gap, groups.first_level(len(self.pairs)), played=self.played)


class Verdicts(Comparison):
    """The verdicts on a game's blocks by the measure that ranks.

    Entrants are numbered as in the entry. Nothing is said of those who are `out`, not placed because of their faults,
    but the others have met them. `seed`: of the tournament, for the draws of a permutation test."""

    def __init__(self, entry: Entry, fold: EntryTotals, seed: Seed, out: Collection[int] = ()) -> None:
        super().__init__(entry.format.unit, entry.format.open_ended)
        self.entry, self.tally, self.seed, self.out = entry, fold.tally, seed, frozenset(out)
        self.blocks = Blocks(entry, fold.blocks)
        self.entrants = len(entry.strategies)
        self.some = 1 < self.entrants <= MAX_COMPARED and bool(fold.blocks.shards)  # whether anybody is compared

    @cached_property
    def worths(self) -> Worths:
        bounds = self.entry.format.measures[0].bounds
        low, high = bounds(self.entry) if bounds else (None, None)
        return differences.fit(self.blocks.tables, self.entrants, None if high is None or low is None else high - low)

    @cached_property
    def pairs(self) -> dict[Pair, Difference]:
        pairs = self.worths.pairs() if self.some else {}
        return {pair: difference for pair, difference in pairs.items() if self.out.isdisjoint(pair)}

    @property
    def worth(self) -> Sequence[float | None]:
        return self.placed(self.worths.worth) if self.some else [None] * self.entrants

    @cached_property
    def ratings(self) -> list[Rating | None]:
        """The chance of each to be ahead of an average entrant."""
        ratings = rating.rate(self.blocks.compared, self.entrants) if self.some else [None] * self.entrants
        return self.placed(ratings)

    @cached_property
    def cycles(self) -> list[tuple[int, int, int]]:
        return cycles.cycles(self.blocks.tables, self.entrants, self.out) if self.some and self.entrants > 2 else []

    @cached_property
    def company(self) -> list[Company]:
        if not (self.some and (seats := self.entry.format.seats) and self.entrants > seats):
            return []
        return company.company(self.blocks.tables, self.worths, self.company_chance, self.out)

    def company_chance(self, entrant: int, beside: int) -> Uniform:
        """Return the random numbers of the permutation test of a pair."""
        labels = self.entry.labels
        name = f"{self.seed}/{self.entry.name}/company/{labels[entrant]}/{labels[beside]}"
        return Random(hash_number(name)).random

    @cached_property
    def places(self) -> list[tuple[str, Moments]]:
        """The mean net of a deal for the eldest hand, the next ... the dealer; empty if blocks have a winner."""
        dealer, *others = places.worth_of_places(self.blocks.from_dealer) or [Moments()]
        worths = [*others, dealer] if others else []
        return [(place_name(place, len(worths)), worth) for place, worth in enumerate(worths, 1)]

    def placed(self, values: Sequence[T | None]) -> list[T | None]:
        """Return the values of all entrants, None for those who are out."""
        return [None if entrant in self.out else value for entrant, value in enumerate(values)]

    def more_deals(self, one: int, other: int) -> tuple[str, int] | None:
        gap, format = self.between(one, other), self.entry.format
        in_block = round(self.tally.deals / self.tally.blocks) if format.by_deals else 1
        return gap and planning.more_blocks(gap, groups.first_level(len(self.pairs)), in_block)

    @cached_property
    def hanging(self) -> dict[Pair, int]:
        """For two entrants, the lower number first, the block without which their difference loses its sign."""
        return differences.decisive_blocks(self.blocks.tables) if self.some else {}

    @cached_property
    def origins(self) -> Origins | None:
        """Where the difference of two strategies comes from, if the format knows."""
        return self.entry.format.origins(self.entry, self.blocks.extra())

    @property
    def extremes(self) -> list[tuple[str, int, int, str]]:
        """The best deal of all and the worst: the entrant, the net, and the address."""
        deals = []
        for word, sign, kept in ("best", 1, self.tally.best), ("worst", -1, self.tally.worst):
            most = max((sign * deal.net for deal in kept.values()), default=None)
            equal = [(deal, who) for who, deal in kept.items() if sign * deal.net == most]
            for deal, who in sorted(equal, key=lambda both: ([*map(int, both[0].place.split("/"))], both[1]))[:1]:
                deals.append((word, who, deal.net, f"{self.entry.name}/{deal.place}"))
        return deals

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
