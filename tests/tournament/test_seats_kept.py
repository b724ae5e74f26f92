"""The seats of many schedules, block by block: they change only on purpose, because every run depends on them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import Any

import pytest
from helpers.blocks import strategies_of
from helpers.given import Given, GivenEntry, given_entry, seatings

from roundsim.table.options import Rules
from roundsim.tournament.formats.round_robin import RoundRobin
from roundsim.tournament.formats.shadow import Shadow

MANY = [3, 4, 5, 6, 7, 8, 12, 20, 59, 100]  # strategies


class Sided(Given):
    """A game for many, at some numbers of players of sides."""

    id = "sided"
    seats = (2, 99)


class SidedRules(Rules, of=Sided):
    @property
    def sides(self) -> list[int] | None:
        return {4: [0, 1, 0, 1], 5: [0, 0, 1, 1, 2], 6: [0, 1, 2, 0, 1, 2]}.get(self.players)


class SidedEntry(GivenEntry):
    deal = Sided


def sided(entrants: int, seats: int, blocks: int, name: str = "sided") -> GivenEntry:
    return SidedEntry(name, "sided", RoundRobin(seats, 3), {}, strategies_of("s" * entrants), blocks)


large = partial(sided, name="large")


def joined_by(entry: GivenEntry, *before: int) -> GivenEntry:
    return replace(entry, joined=(*[0] * (len(entry.strategies) - len(before)), *before))


def in_focus(entrants: int, seats: int, blocks: int) -> GivenEntry:
    return replace(given_entry(entrants, seats, blocks), format=RoundRobin(seats, 3, focus="s1"))


def newcomers(entrants: int, seats: int, blocks: int) -> GivenEntry:
    return joined_by(given_entry(entrants, seats, blocks), 20, 70)


def newcomer_and_focus(entrants: int, seats: int, blocks: int) -> GivenEntry:
    return joined_by(in_focus(entrants, seats, blocks), 30)


def among(entrants: int, seats: int, blocks: int) -> GivenEntry:
    return replace(given_entry(entrants, seats, blocks), format=Shadow(seats, 3, alone=False))


# A kind of entry, the fewest seats, the numbers of entrants, and a digest of what is drawn at each number of seats
KINDS: list[tuple[Any, int, list[int], str]] = [
    (given_entry, 2, [1, 2, *MANY], "4695a39b3fb5 d4ab2e8ac552 c78c72876107 c1d56f90daf8 53b076bcfc7a 11b12e9243d7"),
    (sided, 4, MANY, "20c776816a40 3e3434a78240 38202d60cf4c"),
    (in_focus, 2, MANY, "6743a56d1646 29e5541df8e1 ef0b0ff15485 a2cc278a4932 cfb6ecb52dfd 55b10855427c"),
    (newcomers, 2, MANY[2:], "ac380e2a5724 8884e6f452b6 01598f6dc227 28f3704f5407 0966922806dd 49cdad241348"),
    (newcomer_and_focus, 3, MANY[2:], "5714830a976f dcc6e8ea4672 ed5fe279df59"),
    (among, 3, [3, 4, 7, 20], "ed534e5282f6 9648f8781610 cfae709efc5e"),
]


def digest(found: object) -> str:
    return sha256(repr(found).encode()).hexdigest()[:12]


@pytest.mark.parametrize(("kind", "fewest", "entrants", "digests"), KINDS)
def test_the_seats_of_each_kind_of_schedule(kind: Any, fewest: int, entrants: list[int], digests: str) -> None:
    for seats, expected in enumerate(digests.split(), fewest):
        found = [[*seatings(kind(many, seats, 150), 7)] for many in entrants]
        assert digest(found) == expected, seats


def test_the_seats_of_more_than_a_lap_and_of_tables_too_large_to_list_their_orders() -> None:
    cases: list[tuple[Any, ...]] = [
        (given_entry, 4100, 1891, [(4, 4), (5, 4), (6, 6), (60, 3)], "2abe25ab4e70"),
        (large, 40, 7, [(10, 10), (12, 9), (30, 25), (99, 99)], "862fa48f661b"),
    ]
    for kind, blocks, seed, sizes, expected in cases:
        assert digest([[*seatings(kind(many, seats, blocks), seed)] for many, seats in sizes]) == expected
