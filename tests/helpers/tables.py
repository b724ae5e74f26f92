"""The trained tables of the house strategies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from helpers.command import ROOT

from roundsim import games
from roundsim.contract import plugins
from roundsim.contract.corrected import Corrected


def tables() -> list[Path]:
    return sorted(ROOT.glob("strategies/*/corrections.txt"))


def expert_of(path: Path) -> tuple[type[Corrected], Any]:
    """The expert that a table belongs to, and its game."""
    (found,) = plugins.find(str(path.parent))
    expert: Any = plugins.load_strategy(found)
    return expert, games.named(found.games[0])
