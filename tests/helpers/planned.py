"""Tournaments that are read but not played, for tests that play their shards one by one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from roundsim.tournament.planning.file import read_tournament
from roundsim.tournament.planning.key_lines import KeyLines
from roundsim.tournament.planning.plan import Tournament


def planned(
    folder: Path, *strategies: str, format: str = "round-robin", seed: int = 1, game: str = "nap", **entry: Any
) -> Tournament:
    """A tournament of one game."""
    head = {"format": format, "strategies": [*strategies], "seed": seed}
    data = {"tournament": head, "games": [{"game": game, **entry}]}
    return read_tournament(data, KeyLines("here"), folder, "here")
