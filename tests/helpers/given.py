"""A game without cards, whose counters the driver gives, and who sits where in it."""

from __future__ import annotations

from collections.abc import Iterator

from helpers.blocks import strategies_of

from roundsim.table.deal import Deal, Story
from roundsim.table.options import Rules
from roundsim.tournament.formats.round_robin import RoundRobin
from roundsim.tournament.planning.plan import Entry

BLOCKS = 200


class Given(Deal):
    """A game without cards."""

    id = "given"
    title = "Given"
    family = "none"
    seats = (2, 7)
    usual = (4, 4)
    source = "a test"
    pool_names = ("pool",)
    last = False  # whether the sitting is over with this deal

    def deal(self) -> Story:
        return
        yield

    def over(self) -> bool:
        return self.last


class GivenRules(Rules, of=Given):
    @property
    def sitting(self) -> int:
        return 3


class GivenEntry(Entry):
    deal = Given


def given_entry(entrants: int, seats: int, blocks: int = BLOCKS, sitting: int = 3, name: str = "given") -> GivenEntry:
    strategies = strategies_of(f"s{at}" for at in range(entrants))
    return GivenEntry(name, "given", RoundRobin(seats, sitting), {}, strategies, blocks)


def seatings(entry: Entry, seed: int) -> Iterator[tuple[int, ...]]:
    return entry.format.seatings(entry, seed)
