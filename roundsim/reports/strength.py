"""The strength of the house's strategies, as docs/measure.py measured it."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from ..base.errors import PluginError
from ..base.files import real
from ..sources.homes import house_folder, in_house
from ..sources.plugins import Strategy, load_strategy, strategies_of_record
from ..table.options import Rules
from ..tournament.planning.plan import Entry

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


def guide_at(strategy: Strategy, rules: Callable[[], Rules]) -> str:
    """Return the name of the house strategy whose answers another one gives at a table of these rules; "" if it gives its
    own."""
    guide, path = None, Path(strategy.path)
    if path.is_absolute() and real(path).is_relative_to(house_folder()):  # no other module is loaded for a report
        with suppress(PluginError):  # it has changed since
            guide = getattr(load_strategy(strategy), "guide_at", None)
    return str(guide(rules().players, rules().options)) if guide else ""


def guide_notes(entry: Entry) -> list[str]:
    """Return a sentence for each entrant that answers as another strategy does at this table."""
    here = [
        strategy
        if Path(strategy.path).is_absolute()  # else of a record
        else next(iter(strategies_of_record(strategy, entry.game)), strategy)
        for strategy in entry.strategies
    ]
    guides = {str(strategy): guide_at(strategy, lambda: entry.rules) for strategy in here}
    why = "it has no table for these seats and options"
    return [f"{name} answers as {guide} does: {why}." for name, guide in guides.items() if guide]
