"""Tables for programs: a table of keys writes the values of an object, and is its JSON Schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..tournament.planning.record import RecordKey

OMITTED = object()  # instead of the value of an optional key
Kind = dict[str, Any]  # the JSON Schema of a value, without its description


class StandingsKey(NamedTuple):
    """A key of a table in `standings.json`.

    `of`: returns its value; by default it is the attribute of that name of the last source. A table with `keys` is
    returned as its sources, several tables as a list of them. Only an `optional` key may be OMITTED."""

    help: str
    kind: Kind
    of: Callable[..., Any] | None = None
    optional: bool = False
    keys: Mapping[str, StandingsKey] | None = None

    def schema(self) -> Kind:
        return {"description": self.help, **self.kind}


def written(keys: Mapping[str, StandingsKey], *sources: Any) -> dict[str, Any]:
    """Return a table for programs."""
    data = dict[str, Any]()
    for name, key in keys.items():
        value = key.of(*sources) if key.of else getattr(sources[-1], name)
        if value is OMITTED:
            continue
        if key.keys and isinstance(value, list):
            value = [written(key.keys, *each) for each in value]
        elif key.keys and value is not None:
            value = written(key.keys, *value)
        data[name] = rounded(value) if "number" in key.kind.get("type", ()) else value
    return data


def rounded(value: float | None) -> float | None:
    """Round to six digits: the last ones are not the same on every machine."""
    return None if value is None else float(f"{value:.6g}")


def table_of(keys: Mapping[str, StandingsKey]) -> Kind:
    properties = {name: key.schema() for name, key in keys.items()}
    required = [name for name, key in keys.items() if not key.optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def record_of(keys: Mapping[str, RecordKey]) -> Kind:
    """Return the kind of a table that `run.toml` has, too."""
    return table_of({name: StandingsKey(key.help, key.schema, optional=key.optional) for name, key in keys.items()})


def or_null(kind: Kind) -> Kind:
    return {**kind, "type": [kind["type"], "null"]}


def listed(keys: Mapping[str, StandingsKey], item: str = "", **more: Any) -> Kind:
    """Return the kind of a list of tables. `item`: what each of them is."""
    return {"type": "array", "items": {**({"description": item} if item else {}), **table_of(keys), **more}}


TEXT, FLAG, OBJECT, INTEGER, NUMBER = ({"type": name} for name in ("string", "boolean", "object", "integer", "number"))
COUNT, FROM_1, AMOUNT = {**INTEGER, "minimum": 0}, {**INTEGER, "minimum": 1}, {**NUMBER, "minimum": 0}
SHARE = {**AMOUNT, "maximum": 1}
TWO_RANKS = {"type": ["array", "null"], "items": FROM_1, "minItems": 2, "maxItems": 2}
