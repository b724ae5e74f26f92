"""Scripted deals settle to what the rule sheets say, worked out by hand; and the end of a sitting, which no script plays."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from helpers.command import DEALS

from roundsim import games
from roundsim.games.nap import Nap
from roundsim.refereeing import script
from roundsim.refereeing.sitting import Sitting
from roundsim.table.cards import cards
from roundsim.table.chance import OrderedPack, Pack, Source

EXAMPLES = Path(games.__file__).parent / "examples"
FOLDERS = sorted({path.parent for folder in (DEALS, EXAMPLES) for path in folder.rglob("*.toml")})


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_scripted_deals(folder: Path) -> None:
    scripts = [path for path in sorted(folder.glob("*.toml")) if "game" in tomllib.loads(path.read_text("utf-8"))]
    for path in scripts:
        loaded = script.load_script(path)
        assert len(list(loaded.play())) == len(loaded.deals), path


class Packs(Source):
    """The cards that lie on top of one pack after another."""

    def __init__(self, *tops: str) -> None:
        super().__init__("packs")
        self.tops = list(tops)

    def pack(self, of: object, what: str = "pack") -> Pack:
        return OrderedPack(cards(self.tops.pop(0)))


@pytest.mark.parametrize(
    ("end", "last_dealer", "tops", "net"),
    [
        ("divide", 1, [], [3, 2, 3]),  # two each of eight; the odd ones to seats 2 and 0, left of the dealer
        ("divide", 2, [], [3, 3, 2]),
        ("draw", 0, ["As 2c Kd"], [0, 0, 8]),  # seat 1 is served first: the deuce is seat 2's; ace is high
        ("draw", 2, ["As Kd Qc"], [0, 0, 8]),
        ("draw", 0, ["5s Kd 5h", "As 3d"], [8, 0, 0]),  # the fives of seats 1 and 0 draw again
        ("draw", 1, ["7s 7d 7h", "9h 8s 8d", "2c 2d", "3d 4c"], [8, 0, 0]),  # all, then seats 0 and 1, twice
    ],
)
def test_the_kitty_of_nap_at_the_end(end: str, last_dealer: int, tops: list[str], net: list[int]) -> None:
    """Divided, the odd counters from the left of the last dealer on; or the lowest card takes it, ties drawing again."""
    rules = Nap.rules_for(3, {"kitty": "dealer", "kitty_end": end})
    state = Nap.begin(rules)
    state.pools["pool"], state.last_dealer = 8, last_dealer
    source = Packs(*tops)
    assert Sitting(Nap, rules, state).end(source).net == net
    assert state.pools == {"pool": 0} and not source.tops
