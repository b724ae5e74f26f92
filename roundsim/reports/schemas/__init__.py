"""JSON Schemas of the files and lines that other programs write and read.

A schema is a file here: JSON, or a module whose `made()` returns it. A JSON file may say of a key where its value comes
from, with "of"; that is not printed."""

from __future__ import annotations

import json
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any

from ...base.errors import InputError, did_you_mean
from ...base.version import __version__

DRAFT = "https://json-schema.org/draft/2020-12/schema"
HOME = "https://roundsim.example/schemas"  # identifies a schema; nothing is loaded from there


def names() -> list[str]:
    """Return the names of the schemas."""
    parts = (file.name.partition(".") for file in files(__name__).iterdir() if not file.name.startswith("_"))
    return sorted({name for name, _, kind in parts if kind in ("json", "py")})


def schema(name: str) -> dict[str, Any]:
    """Return the schema of this name. InputError if there is none; PluginError if a game cannot be loaded."""
    if name not in names():
        raise InputError(f"no schema {name!r}{did_you_mean(name, names())}: {', '.join(names())}")
    made = without_sources(declared(name)) if is_json(name) else import_module(f".{name}", __name__).made()
    return {"$schema": DRAFT, "$id": f"{HOME}/{__version__}/{name}.schema.json", **made}


def is_json(name: str) -> bool:
    return (files(__name__) / f"{name}.json").is_file()


@cache
def declared(name: str) -> dict[str, Any]:
    """Return a JSON file as it is."""
    made: dict[str, Any] = json.loads((files(__name__) / f"{name}.json").read_text("utf-8"))
    return made


def without_sources(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: without_sources(value) for key, value in part.items() if key != "of" or isinstance(value, dict)}
    return [*map(without_sources, part)] if isinstance(part, list) else part
