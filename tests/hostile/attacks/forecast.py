"""Knowing cards before they are dealt: by the names of chance, which the seed begins."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from .plan import Meek, Seer, all_of

BLOCKS, DEALS = 12, 4  # through which a seed is tried


def dealt(name: str, players: int) -> list[frozenset[str]]:
    """The hands of a deal of this name, the eldest's first."""
    from roundsim.table.cards import PACK
    from roundsim.table.chance import Source

    drawn = Source(name).pack(PACK).draw(5 * players)
    return [frozenset(drawn[place::players]) for place in range(players)]


class Names(Meek):
    """Reads in the true deal's chance which deal it is; the next one has the next name."""

    right = 0

    def __init__(self) -> None:
        super().__init__()
        self.expected: list[frozenset[str]] = []

    def call(self, view: Any) -> Any:
        type(self).right += frozenset(view.hand) in self.expected
        with suppress(Exception):
            block, _, number = tuple.__getitem__(view, 0).chance.name.rpartition("/")
            self.expected = dealt(f"{block}/{int(number) + 1}", view.players)
        return view.legal[1 if type(self).right else 0]


class Foretells(Seer):
    """Has found the seed, and tries which deal gives it the hand that it has.

    `where` it is found: in "memory", or in the "file" of the run."""

    def __init__(self, where: str = "memory", folder: str = "") -> None:
        super().__init__()
        self.where, self.folder = where, folder

    def seeds(self) -> Iterator[object]:
        if self.where == "memory":
            yield from [each.seed for each in all_of("Tournament")]
        else:
            import tomllib

            yield from [tomllib.loads(file.read_text())["seed"] for file in Path(self.folder).glob("*/run.toml")]

    def look(self, view: Any) -> Any:
        for seed in self.seeds():
            for block in range(1, BLOCKS + 1):
                for number in range(1, DEALS + 1):
                    hands = dealt(f"{seed}/nap/{block}/{number}", view.players)
                    if (mine := frozenset(view.hand)) in hands:
                        eldest = (view.seat - hands.index(mine)) % view.players
                        return {(eldest + place) % view.players: hand for place, hand in enumerate(hands)}
        return {}


class Guesses(Foretells):
    """The same with only what everybody knows: the seed is small."""

    def seeds(self) -> Iterator[object]:
        yield from range(1, 4)
