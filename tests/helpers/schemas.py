"""The schemas: what is wrong by them, and whether they describe every key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator

from roundsim.reports import schemas


class Page:
    """A schema by its name."""

    def __init__(self, name: str) -> None:
        self.schema = schemas.schema(name)

    def judge(self, kind: str = "") -> Draft202012Validator:
        """The validator of the whole page, or of one kind of thing in it."""
        part = {"$ref": f"#/$defs/{kind}", "$defs": self.schema["$defs"]} if kind else self.schema
        return Draft202012Validator(part)

    def wrong(self, data: Any, kind: str = "") -> list[str]:
        return [f"{error.json_path}: {error.message[:200]}" for error in self.judge(kind).iter_errors(data)]

    def must_describe_every_key(self) -> None:
        """A sentence describes every key, and no other may be there."""
        Draft202012Validator.check_schema(self.schema)
        for each in objects(self.schema):
            assert each["additionalProperties"] is False and {*each["required"]} <= {*each["properties"]}
            for name, key in each["properties"].items():
                assert key.get("description", "").endswith("."), name


def objects(part: Any) -> Iterator[dict[str, Any]]:
    """All parts of the schema that describe an object's own keys."""
    inner: Any = part if isinstance(part, list) else part.values() if isinstance(part, dict) else ()
    if isinstance(part, dict) and "properties" in part:
        yield part
    for each in inner:
        yield from objects(each)
