"""Lines of the wire as JSON: by orjson, and by the standard library if orjson refuses them, such as lone surrogates."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import repeat
from typing import Any

import orjson


def encode_answers(lines: Sequence[Any]) -> bytes:
    """Encode the lines of a guest, each with its line feed."""
    try:
        return b"".join(map(orjson.dumps, lines, repeat(None), repeat(orjson.OPT_APPEND_NEWLINE)))
    except TypeError:
        return b"".join([b"%b\n" % json.dumps(line).encode() for line in lines])


def decode(lines: bytes) -> list[Any]:
    """Decode whole lines, with or without the last line feed. ValueError if they are not JSON."""
    array = b"[%b]" % lines.removesuffix(b"\n").replace(b"\n", b",")
    try:
        read: list[Any] = orjson.loads(array)
    except ValueError:
        try:
            read = json.loads(array)
        except RecursionError:
            raise ValueError("nested too deeply") from None
    return read
