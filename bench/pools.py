"""Blocks of a field, really played, to draw tournaments with known truth from, and the lines that report a promise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import log, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, pstdev, stdev
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from roundsim.running import Means, play_tournament
from roundsim.statistics.rows import BlockRow
from roundsim.tournament.judging.blocks import Blocks
from roundsim.tournament.planning import file
from roundsim.tournament.planning.key_lines import KeyLines
from roundsim.tournament.planning.plan import Schedule
from roundsim.tournament.results.entry_totals import EntryTotals
from roundsim.tournament.results.totals import BlockRecord, ShardTotals
from roundsim.tournament.seating import seatings

RARE = log(10_000 * 200)  # once in 10 000 times for all promises together, which are fewer than 200


class Line(NamedTuple):
    """A promise: the result of `times` tournaments of `blocks` blocks.

    `surprising`: if the promise holds, chance gives such a result less often than exp(-surprising)."""

    field: str
    what: str
    blocks: int
    times: int
    found: str
    promised: str
    surprising: float

    @property
    def holds(self) -> bool:
        return self.surprising < RARE


@dataclass(frozen=True)
class Field:
    """The game and its entrants, and the trials to run on them.

    `covers`: the least share of intervals that contain the truth, as `COVERED`; `pair`: the entrants whose difference
    is tested; `found`: the least share of real pairs that must be significant."""

    title: str
    game: str
    strategies: str
    trials: tuple[Callable[[Pool], Iterator[Line]], ...]
    covers: tuple[float, ...] = ()
    pair: tuple[int, int] = (0, 3)
    found: float = 0.0
    format: str = "round-robin"
    more: dict[str, Any] = field(default_factory=dict)


class Pool:
    """The blocks of a field, played to draw tournaments from."""

    def __init__(self, field: Field, size: float) -> None:
        self.field, self.size = field, size
        data = {
            "tournament": {"format": field.format, "strategies": field.strategies.split(), "seed": 1897},
            "limits": {"seconds": 300},
            "games": [{"game": field.game, **field.more}],
        }
        tournament = file.read_tournament(data, KeyLines("pool"), Path())
        self.entry = replace(tournament.entries[0], blocks=max(500, round(2000 * size)))
        with TemporaryDirectory() as folder:
            played = play_tournament(replace(tournament, entries=(self.entry,)), f"{folder}/run", means=Means(1))
            shards = played.folder.shards(Schedule(played.tournament, 0))
            self.blocks = [block for shard in shards for block in shard.rows]

    @cached_property
    def rows(self) -> list[BlockRow]:
        return list(Blocks(self.entry, self.fold(self.blocks).blocks))

    @cached_property
    def differences(self) -> list[float]:
        """The differences of the pair, shifted to mean 0."""
        one, other = self.field.pair
        return about_0([value_of(row, one) - value_of(row, other) for row in self.rows])

    @cached_property
    def spread(self) -> float:
        """The standard deviation of the results of blocks."""
        return pstdev([value for row in self.rows for value in row.values])

    def fold(self, blocks: Iterable[BlockRecord]) -> EntryTotals:
        """Return a tournament of these blocks."""
        tally, fold = ShardTotals(rows=[block._replace(block=at) for at, block in enumerate(blocks, 1)]), EntryTotals()
        tally.sum_up(self.entry)
        fold.add(0, tally)
        return fold

    def times(self, whole: int) -> int:
        """Return the number of tournaments, if `whole` is the full number."""
        return max(1, round(whole * self.size))

    def chance(self, what: str) -> Random:
        return Random(f"{self.field.title}/{what}")

    def shares(
        self, what: str, blocks: int, times: int, counts: Sequence[int], least: float = 0.0, most: float = 1.0
    ) -> Line:
        """Count in how many tournaments something happened: the lowest and the highest of several counts."""
        low, high = min(counts) / times, max(counts) / times
        found = f"{low:.3f}" if low == high else f"{low:.3f}-{high:.3f}"
        bounds = [f"≥ {least:.3f}"] * (least > 0) + [f"≤ {most:.3f}"] * (most < 1)
        surprising = max(beyond(low, max(low, least), times), beyond(high, min(high, most), times)) - log(len(counts))
        return Line(self.field.title, what, blocks, times, found, ", ".join(bounds), surprising)

    def mean(
        self, what: str, blocks: int, numbers: Sequence[float], least: float, most: float, digits: int = 0
    ) -> Line:
        """Return the mean of the tournaments' results."""
        mean = fmean(numbers)
        far = max(least - mean, mean - most, 0.0)
        error = stdev(numbers) / sqrt(len(numbers)) if far else 1.0
        bounds = f"{least:.{digits}f} to {most:.{digits}f}"
        found = f"{mean:.{digits}f}"
        return Line(self.field.title, what, blocks, len(numbers), found, bounds, (far / error) ** 2 / 2)

    def copies(self, many: int, blocks: int, times: int, what: str) -> Iterator[tuple[list[BlockRow], Random]]:
        """Yield tournaments of `many` equal entrants, by the schedule, each with its chance."""
        chance, seats = self.chance(f"{what} {blocks}"), self.entry.format.seats or 0
        entry = replace(self.entry, strategies=self.entry.strategies[:1] * many, blocks=blocks)
        schedule = list(seatings(entry, 1897, seats))
        for _ in range(times):
            who = chance.sample(range(many), many)
            drawn = zip(schedule, chance.choices(self.rows, k=blocks), strict=True)
            yield (
                [
                    BlockRow(at, 1, [who[each] for each in seated], chance.sample(row.values, seats), ())
                    for at, (seated, row) in enumerate(drawn, 1)
                ],
                chance,
            )


def beyond(share: float, promised: float, times: int) -> float:
    """Return x such that chance makes a share so far beyond what is promised less often than exp(-x) (Chernoff
    1952)."""
    parts = (share, promised), (1 - share, 1 - promised)
    return times * sum([is_so * log(is_so / said) for is_so, said in parts if is_so])


def value_of(row: BlockRow, entrant: int) -> float:
    return row.values[row.entrants.index(entrant)]


def about_0(numbers: Sequence[float]) -> list[float]:
    mean = fmean(numbers)
    return [x - mean for x in numbers]
