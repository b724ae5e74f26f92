"""The seats of blocks change only on purpose, because every run depends on them; and each block is drawn once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from conftest import Shell, Write
from helpers.blocks import strategies_of
from helpers.given import Given, GivenEntry, given_entry, seatings

from roundsim.table.options import Rules
from roundsim.tournament.formats.round_robin import RoundRobin
from roundsim.tournament.formats.shadow import Shadow

MANY = [3, 4, 5, 6, 7, 8, 12, 20, 59, 100]  # strategies
LARGE = {9: [12], 10: [10], 25: [30], 99: [99]}  # tables whose orders want more bits
DRAWN = """
from dataclasses import dataclass
from pathlib import Path
from roundsim.format import RoundRobin

@dataclass(frozen=True)
class Drawn(RoundRobin):
    name = "drawn"
    def seatings(self, entry, seed, first=1):
        for block, seating in enumerate(super().seatings(entry, seed, first), first):
            with Path(__file__).with_name("drawn.txt").open("a") as drawn:
                print(block, file=drawn)
            yield seating
"""


class Sided(Given):
    """A game for many; four to six of them have sides."""

    id = "sided"
    seats = (2, 99)


class SidedRules(Rules, of=Sided):
    @property
    def sides(self) -> list[int] | None:
        return {4: [0, 1, 0, 1], 5: [0, 0, 1, 1, 2], 6: [0, 1, 2, 0, 1, 2]}.get(self.players)


class SidedEntry(GivenEntry):
    deal = Sided


def entry_of(kind: str, many: int, seats: int, blocks: int, joined: Sequence[int]) -> GivenEntry:
    formats = {"focus": RoundRobin(seats, 3, focus="s1"), "among": Shadow(seats, 3, alone=False)}
    format = formats.get(kind, RoundRobin(seats, 3))
    if kind == "sided":
        return SidedEntry("sided", "sided", format, {}, strategies_of("s" * many), blocks)
    since = (*[0] * (many - len(joined)), *joined) if joined else ()
    return replace(given_entry(many, seats, blocks), format=format, joined=since)


KINDS: list[tuple[str, Sequence[int], dict[int, list[int]], int, str]] = [
    ("plain", (), dict.fromkeys(range(2, 8), [1, 2, *MANY]), 150, "e079b15773b5"),
    ("plain", (), {3: [60], 4: [4, 5], 6: [6]}, 4100, "5e42f2704ca7"),
    ("sided", (), {**dict.fromkeys(range(4, 7), MANY), **LARGE}, 60, "29def55e3c82"),
    ("focus", (), dict.fromkeys(range(2, 8), MANY), 150, "3ec71448db4d"),
    ("plain", (20, 70), dict.fromkeys(range(2, 8), MANY[2:]), 150, "09d94b04d962"),
    ("focus", (30,), dict.fromkeys(range(3, 6), MANY[2:]), 150, "0481b8edaf3a"),
    ("among", (), dict.fromkeys(range(3, 6), [3, 4, 7, 20]), 150, "da4b9ef69358"),
]


def test_the_seats_of_schedules() -> None:
    for kind, joined, many, blocks, digest in KINDS:
        seats = [[*seatings(entry_of(kind, each, size, blocks, joined), 7)] for size in many for each in many[size]]
        assert sha256(repr(seats).encode()).hexdigest()[:12] == digest, (kind, joined, blocks)


def test_each_block_is_drawn_once_in_a_command(shell: Shell, write: Write) -> None:
    path = write("drawn.py", DRAWN)
    for words in [
        ("play", "nap", *["random"] * 3, "--seats", 3, "--sitting", 1, "--deals", 6000, "--jobs", 2, "--out", "run"),
        ("verify", "run", "--strategies", "--jobs", 2),
        ("report", "run"),
        ("export", "run", "--to", "csv"),
    ]:
        shell(*words, "--as", path)
        drawn = Path("drawn.txt").read_text().split()
        assert Counter(drawn) == dict.fromkeys(map(str, range(1, 2001)), 1), words
        Path("drawn.txt").unlink()
