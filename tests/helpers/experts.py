"""The tables of corrections in `strategies/`, and the experts that play by them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from helpers.command import ROOT

from roundsim import games
from roundsim.sources import plugins
from roundsim.strategy.corrected import Corrected


def tables() -> list[Path]:
    return sorted(ROOT.glob("strategies/*/corrections.txt"))


def expert_of(path: Path) -> tuple[type[Corrected], Any]:
    """The class of the expert with this table, and its game."""
    (found,) = plugins.find(str(path.parent))
    expert: Any = plugins.load_strategy(found)
    return expert, games.named(found.games[0])
