"""Tables at which somebody has something to decide, for the bridges that need such."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from roundsim import games
from roundsim.table.legal import count
from roundsim.testing import Table, for_any_sitting, play_sitting
from roundsim.testing.tables import usual_table

from .command import seldom_with


def asking(name: str) -> dict[str, Any]:
    """Options with which somebody has to decide something at the usual table."""
    return {"method": 2} if name == "loto" else {}


def asking_table(name: str) -> Table:
    """The usual table of a game, with these."""
    return Table(games.find(name), games.find(name).usual[0], asking(name))


ANY_TABLES = [(name, 0) for name in ("nap", "loto", "loo", "draw-poker")] + seldom_with(
    *[(name, 10) for name in games.ours()]
)


def check_tables(name: str, examples: int, check: Callable[[Table, int], object]) -> None:
    """Check a table of a game at which somebody has something to decide; with examples, the usual one and so many more."""
    check(asking_table(name), 1)
    if examples:
        check(usual_table(games.find(name)), 1)
        for_any_sitting(games.find(name), examples, check)


def decisions(table: Table) -> int:
    """How many there are in twenty sittings."""
    found = list[int]()
    for seed in range(20):
        play_sitting(table, seed, lambda deal, ask: found.append(count(ask.legal) > 1))
    return sum(found)
