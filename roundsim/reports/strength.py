"""The strength of the house's strategies, as docs/measure.py measured it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from ..sources.homes import in_house
from ..sources.plugins import Strategy

MEASURED = Path(__file__).parent / "measured.json"
YARDSTICKS = "random", "book"


@cache
def measured() -> Any:
    """Return all figures: of each game, by its id, and the seed that they were measured with."""
    return json.loads(MEASURED.read_text("utf-8"))


def strength_of(strategy: Strategy) -> dict[str, Any]:
    """Return the measured figures of a strategy of the house, by game; none of another one, whatever its name."""
    if not in_house(Path(strategy.path)):
        return {}
    every = {game: game_data["strength"].get(strategy.name) for game, game_data in measured()["games"].items()}
    return {game: strength for game, strength in every.items() if strength and strategy.plays(game)}


def gain(strategy: Strategy, game: str, over: str) -> str:
    """Return the gain over a yardstick, in standard deviations of a deal: "+0.12 ± 0.03"; "" if it was not measured."""
    measured_strength = strength_of(strategy).get(game, {}).get(over)
    return f"{measured_strength[0]:+.2f} ± {measured_strength[1]:.2f}" if measured_strength else ""
