"""The strategy behind a forced one, found once in a process: the module of a strategy is loaded again for each sitting."""

from __future__ import annotations

from functools import cache

from ..contract import plugins
from ..contract.strategy import Seated
from ..games import find


@cache
def seated(like: str, game: str, seat: int) -> Seated:
    """Return a strategy for a seat."""
    strategy = plugins.find(like, game)[0]
    return Seated(plugins.load_strategy(strategy, seat), dict(strategy.parameters), find(game))
