"""The seats of many schedules, block by block: they change only on purpose, because every run depends on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
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
    """A game of sides, by the number of players."""

    id = "sided"


class Large(Given):
    """A game for many."""

    id = "large"
    seats = (2, 99)


class LargeRules(Rules, of=Large):
    pass


class SidedRules(Rules, of=Sided):
    @property
    def sides(self) -> list[int]:
        return {4: [0, 1, 0, 1], 5: [0, 0, 1, 1, 2], 6: [0, 1, 2, 0, 1, 2]}.get(self.players, [0, 1] * self.players)


class SidedEntry(GivenEntry):
    deal = Sided


class LargeEntry(GivenEntry):
    deal = Large


def joined_by(entry: GivenEntry, *before: int) -> GivenEntry:
    return replace(entry, joined=(*[0] * (len(entry.strategies) - len(before)), *before))


def sided(entrants: int, seats: int, blocks: int) -> GivenEntry:
    return SidedEntry("sided", "sided", RoundRobin(seats, 3), {}, strategies_of("s" * entrants), blocks)


def large(entrants: int, seats: int, blocks: int) -> GivenEntry:
    return LargeEntry("large", "large", RoundRobin(seats, 3), {}, strategies_of("s" * entrants), blocks)


def in_focus(entrants: int, seats: int, blocks: int) -> GivenEntry:
    return replace(given_entry(entrants, seats, blocks), format=RoundRobin(seats, 3, focus="s1"))


def newcomers(entrants: int, seats: int, blocks: int) -> GivenEntry:
    return joined_by(given_entry(entrants, seats, blocks), 20, 70)


def newcomer_and_focus(entrants: int, seats: int, blocks: int) -> GivenEntry:
    return joined_by(in_focus(entrants, seats, blocks), 30)


def among(entrants: int, seats: int, blocks: int) -> GivenEntry:
    return replace(given_entry(entrants, seats, blocks), format=Shadow(seats, 3, alone=False))


KINDS = [
    (given_entry, range(2, 8), [1, 2, *MANY]),
    (sided, range(4, 7), MANY),
    (in_focus, range(2, 8), MANY),
    (newcomers, range(2, 8), MANY[2:]),
    (newcomer_and_focus, range(3, 6), MANY[2:]),
    (among, range(3, 6), [3, 4, 7, 20]),
]
DIGESTS = {
    "given_entry 2": "4695a39b3fb5",
    "given_entry 3": "d4ab2e8ac552",
    "given_entry 4": "c78c72876107",
    "given_entry 5": "c1d56f90daf8",
    "given_entry 6": "53b076bcfc7a",
    "given_entry 7": "11b12e9243d7",
    "sided 4": "20c776816a40",
    "sided 5": "3e3434a78240",
    "sided 6": "38202d60cf4c",
    "in_focus 2": "6743a56d1646",
    "in_focus 3": "29e5541df8e1",
    "in_focus 4": "ef0b0ff15485",
    "in_focus 5": "a2cc278a4932",
    "in_focus 6": "cfb6ecb52dfd",
    "in_focus 7": "55b10855427c",
    "newcomers 2": "ac380e2a5724",
    "newcomers 3": "8884e6f452b6",
    "newcomers 4": "01598f6dc227",
    "newcomers 5": "28f3704f5407",
    "newcomers 6": "0966922806dd",
    "newcomers 7": "49cdad241348",
    "newcomer_and_focus 3": "5714830a976f",
    "newcomer_and_focus 4": "dcc6e8ea4672",
    "newcomer_and_focus 5": "ed5fe279df59",
    "among 3": "ed534e5282f6",
    "among 4": "9648f8781610",
    "among 5": "cfae709efc5e",
}


def digest(found: object) -> str:
    return sha256(repr(found).encode()).hexdigest()[:12]


@pytest.mark.parametrize(("kind", "sizes", "entrants"), KINDS, ids=[kind.__name__ for kind, *_ in KINDS])
def test_the_seats_of_each_kind_of_schedule(kind: Any, sizes: Sequence[int], entrants: Sequence[int]) -> None:
    for seats in sizes:
        found = [[*seatings(kind(many, seats, 150), 7)] for many in entrants]
        assert digest(found) == DIGESTS[f"{kind.__name__} {seats}"], seats


def test_the_seats_of_more_than_a_lap() -> None:
    found = [[*seatings(given_entry(many, seats, 4100), 1891)] for many, seats in [(4, 4), (5, 4), (6, 6), (60, 3)]]
    assert digest(found) == "2abe25ab4e70"


def test_the_seats_of_tables_too_large_to_list_their_orders() -> None:
    found = [[*seatings(large(many, seats, 40), 7)] for many, seats in [(10, 10), (12, 9), (30, 25), (99, 99)]]
    assert digest(found) == "862fa48f661b"
