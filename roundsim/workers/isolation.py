"""Who plays in a process of his own, and what closes round it."""

from __future__ import annotations

from pathlib import Path

from ..contract.plugins import Strategy
from ..contract.sources import in_house
from ..seals.kinds import ANY_SANDBOX, NONE, Sandbox, best, demanded
from ..tournament.plan import Tournament


def is_isolated(strategy: Strategy, isolate: str, seal: Sandbox) -> bool:
    """Whether a strategy plays in a process of its own: a bot has no other way; others do, all or but the house's, where a
    seal holds."""
    if strategy.command or isolate == "off" or not seal.name:
        return bool(strategy.command)
    return isolate == "on" or not in_house(Path(strategy.path))


def everybody(tournament: Tournament) -> list[Strategy]:
    return [each for entry in tournament.entries for each in entry.strategies]


def seal_for(tournament: Tournament) -> Sandbox:
    """The seal that closes round the guests of a tournament; NONE where it has none, or none holds."""
    wanted = any(is_isolated(each, tournament.limits.isolate, ANY_SANDBOX) for each in everybody(tournament))
    return best() if wanted else NONE


def how_guests_play(tournament: Tournament) -> str:
    """In words for people; "" where only the house's strategies play.  SealError, where a seal is demanded and none holds."""
    isolate, every = tournament.limits.isolate, everybody(tournament)
    if isolate == "on":
        return demanded().sentence
    bots = any(each.command for each in every)
    if not bots and all(in_house(Path(each.path)) for each in every):
        return ""
    seal = NONE if isolate == "off" else seal_for(tournament)
    own = " (bots in processes of their own, limits only)" if bots and not seal.name else ""
    return seal.sentence + own
