"""Tables at which somebody has something to decide, for the bridges that need such."""

from __future__ import annotations

from typing import Any

from roundsim import games
from roundsim.table.legal import count
from roundsim.testing import Table, play_sitting


def asking(name: str) -> dict[str, Any]:
    """Options with which somebody has to decide something at the usual table."""
    return {"method": 2} if name == "loto" else {}


def asking_table(name: str) -> Table:
    """The usual table of a game, with these."""
    return Table(games.find(name), games.find(name).usual[0], asking(name))


def decisions(table: Table) -> int:
    """How many there are in twenty sittings."""
    found = list[int]()
    for seed in range(20):
        play_sitting(table, seed, lambda deal, ask: found.append(count(ask.legal) > 1))
    return sum(found)
