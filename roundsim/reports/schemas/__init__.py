"""JSON Schemas of the files and lines that other programs write and read.

A schema is a file here: JSON, or a module whose `made()` returns it."""

from __future__ import annotations

import json
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
    file = files(__name__) / f"{name}.json"
    made = json.loads(file.read_text("utf-8")) if file.is_file() else import_module(f".{name}", __name__).made()
    return {"$schema": DRAFT, "$id": f"{HOME}/{__version__}/{name}.schema.json", **made}
