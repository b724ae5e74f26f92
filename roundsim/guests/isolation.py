"""The decision which strategies play in guests, and in which sandbox."""

from __future__ import annotations

from pathlib import Path

from ..sandbox.kinds import ANY_SANDBOX, NO_SANDBOX, Sandbox, best, demanded
from ..sources.homes import in_house
from ..sources.plugins import Strategy
from ..tournament.planning.plan import Tournament


def is_isolated(strategy: Strategy, isolate: str, seal: Sandbox) -> bool:
    """Return whether a strategy plays in a guest. A bot always does. Others do where a sandbox works, unless
    isolation is off: all of them, or all except house strategies."""
    if strategy.command or isolate == "off" or not seal.name:
        return bool(strategy.command)
    return isolate == "on" or not in_house(Path(strategy.path))


def everybody(tournament: Tournament) -> list[Strategy]:
    return [strategy for entry in tournament.entries for strategy in entry.strategies]


def seal_for(tournament: Tournament) -> Sandbox:
    """Return the sandbox for the guests of a tournament; NO_SANDBOX if it has none, isolation is off, or none works."""
    limits, every = tournament.limits, everybody(tournament)
    wanted = limits.seals and any(is_isolated(strategy, limits.isolate, ANY_SANDBOX) for strategy in every)
    return best() if wanted else NO_SANDBOX


def how_guests_play(tournament: Tournament) -> str:
    """Return how guests play, in words; "" if only house strategies play. SealError if a sandbox is required and none
    works."""
    isolate, every = tournament.limits.isolate, everybody(tournament)
    if isolate == "on":
        return demanded().sentence
    bots = any(strategy.command for strategy in every)
    if not bots and all(in_house(Path(strategy.path)) for strategy in every):
        return ""
    seal = seal_for(tournament)
    own = " (bots in separate processes, limits only)" if bots and not seal.name else ""
    return seal.sentence + own
