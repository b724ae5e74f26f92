"""The schema of a tournament file: the keys of each format, and the options of each game.

It refuses what is wrong with a single key. The reader also refuses what contradicts something else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ... import games
from ...base.values import Either, Key, Text, object_schema
from ...table.deal import Deal
from ...table.options import Option
from ...tournament import formats
from ...tournament.format_parts import Key as FormatKey
from ...tournament.formats import Format
from ...tournament.planning.keys import GAME, TABLES
from ...tournament.planning.reader import SIZES
from ..explain import option_data, option_line

STRATEGIES_LISTED = {  # for the tournament, or for each game
    "anyOf": [
        {"properties": {"tournament": {"required": ["strategies"]}}, "required": ["tournament"]},
        {"properties": {"games": {"items": {"required": ["strategies"]}}}},
    ]
}


def made() -> dict[str, Any]:
    """Return the keys of a tournament file, with the games and formats that are installed or named by the user."""
    every_game, every_format = games.GAMES.every(), formats.FORMATS.every()
    tables = {name: object_schema(keys) for name, keys in TABLES.items()}
    tables["tournament"]["properties"]["format"]["enum"] = [format.name for format in every_format]
    tables["gate"]["dependentRequired"] = {"mine": ["baseline"], "baseline": ["mine"], "margin": ["mine"]}
    entry = object_schema(GAME)
    entry["properties"]["game"]["enum"] = [game.id for game in every_game]
    for format in every_format:
        entry["properties"] |= {name: {"description": key.help} for name, key in format.entered_with().items()}
    entry |= {"required": ["game"], **all_of("game", map(game_case, every_game))}
    return {
        "title": "Tournament file",
        "description": "A tournament of roundsim.",
        "type": "object",
        "properties": {**tables, "games": {"type": "array", "minItems": 1, "items": entry}},
        "required": ["games"],
        "additionalProperties": False,
        **all_of("games", [STRATEGIES_LISTED, *map(format_case, every_format)]),
    }


def all_of(key: str, cases: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return that all cases hold if a key is there. Taplo would not complete the properties next to a bare allOf."""
    return {"if": {"required": [key]}, "then": {"allOf": [*cases]}}


def game_case(game: type[Deal]) -> dict[str, Any]:
    """Return the options of a game, and how many play it."""
    options = object_schema({option.key: option_key(option) for option in game.options})
    low, high = game.seats
    return {
        "if": {"properties": {"game": {"const": game.id}}},
        "then": {"properties": {"options": options, "players": {"minimum": low, "maximum": high}}},
    }


def option_key(option: Option) -> Key:
    default = None if callable(option.default) else option.default
    return Key(option_line(option_data(option)), option.values, default)


def format_case(format: type[Format]) -> dict[str, Any]:
    """Return the keys that a format has in [[games]]."""
    keys = {name: format_key(name, known) for name, known in format.entered_with().items()}
    entry = {"properties": object_schema(keys)["properties"], "propertyNames": {"enum": [*GAME, *keys]}}
    played = {"properties": {"format": {"const": format.name}}}
    named = {"properties": {"tournament": {**played, "required": ["format"]}}, "required": ["tournament"]}
    usual = {"properties": {"tournament": played}}
    return {
        "if": usual if format.name == formats.USUAL else named,
        "then": {"properties": {"games": {"items": entry}}},
    }


def format_key(name: str, known: FormatKey) -> Key:
    values = known.values
    if name == "players":  # of a table of each size
        values = Either(values, Text(pattern=SIZES.pattern), words=str(values))
    return Key(known.help, values, None if callable(known.usual) else known.usual)
