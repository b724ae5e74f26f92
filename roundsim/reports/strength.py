"""The strength of the house's strategies, as docs/measure.py measured it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

MEASURED = Path(__file__).parent / "measured.json"
YARDSTICKS = "random", "book"


@cache
def measured() -> Any:
    """Return all figures: of each game, by its id, and the seed that they were measured with."""
    return json.loads(MEASURED.read_text("utf-8"))


def gain(game: str, strategy: str, over: str) -> str:
    """Return the gain of a strategy over a yardstick, in standard deviations of a deal: "+0.12 ± 0.03"; "" if it was not
    measured."""
    strength = measured()["games"].get(game, {}).get("strength", {})
    found = strength.get(strategy, {}).get(over)
    return f"{found[0]:+.2f} ± {found[1]:.2f}" if found else ""
