"""The schemas: what is wrong by them, and whether they describe every key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator

from roundsim.reports import schemas


class Page:
    """A schema by its name; `told` is its content."""

    def __init__(self, name: str) -> None:
        self.told = schemas.schema(name)

    def judge(self, kind: str = "") -> Draft202012Validator:
        """Of the whole page, or of one kind of thing that it tells."""
        return Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": self.told["$defs"]} if kind else self.told)

    def wrong(self, data: Any, kind: str = "") -> list[str]:
        return [f"{error.json_path}: {error.message[:200]}" for error in self.judge(kind).iter_errors(data)]

    def must_tell_all(self) -> None:
        """Every key is told in a sentence, and no other may be there."""
        Draft202012Validator.check_schema(self.told)
        for each in objects(self.told):
            assert each["additionalProperties"] is False and {*each["required"]} <= {*each["properties"]}
            for name, told in each["properties"].items():
                assert told.get("description", "").endswith("."), name


def objects(part: Any) -> Iterator[dict[str, Any]]:
    """All parts of the schema that tell of an object's own keys."""
    if isinstance(part, dict):
        if "properties" in part:
            yield part
        for each in part.values():
            yield from objects(each)
    elif isinstance(part, list):
        for each in part:
            yield from objects(each)
