"""The schema of a bot.toml."""

from __future__ import annotations

from typing import Any

from ... import games
from ...base.values import object_schema
from ...sources.bots import FILE, KEYS, NEEDED


def made() -> dict[str, Any]:
    """Return the keys of a bot.toml, and the games that are known."""
    schema = object_schema(KEYS)
    schema["properties"]["games"]["items"] = {"enum": ["*", *games.names()]}
    return {"title": FILE, "description": "A bot of roundsim.", **schema, "required": [*NEEDED]}
