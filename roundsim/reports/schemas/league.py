"""The schema of a league.toml."""

from __future__ import annotations

from typing import Any

from ...base.values import object_schema
from ...tournament.planning.keys import LEAGUE, LEAGUE_GAME, ROUND, TABLES
from . import tournament


def made() -> dict[str, Any]:
    """Return the keys of a league.toml; its games are those of a tournament file."""
    top, games = object_schema(LEAGUE), tournament.made()["properties"]["games"]
    games["items"]["properties"] = {key: games["items"]["properties"][key] for key in LEAGUE_GAME}
    top["properties"] |= {"round": object_schema(ROUND), "limits": object_schema(TABLES["limits"]), "games": games}
    return {"title": "league.toml", "description": "A league of roundsim.", **top, "required": ["games"]}
