"""Lines of the wire as JSON: by orjson, and by the standard library what that refuses, such as lone surrogates."""

from __future__ import annotations

import json
from typing import Any

import orjson


def encode(line: Any) -> bytes:
    """What a guest says, without the line feed."""
    try:
        return orjson.dumps(line)
    except TypeError:
        return json.dumps(line).encode()


def decode(lines: bytes) -> list[Any]:
    """Whole lines, with or without the last line feed.  ValueError for what is no JSON."""
    array = b"[%b]" % lines.removesuffix(b"\n").replace(b"\n", b",")
    try:
        read: list[Any] = orjson.loads(array)
    except ValueError:
        try:
            read = json.loads(array)
        except RecursionError:
            raise ValueError("nested too deeply") from None
    return read
