"""Lines of the wire as JSON: by orjson, and by the standard library if orjson refuses them, such as lone surrogates."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import orjson

LINE_FEED = orjson.Fragment(b"\n")


def encode(lines: Sequence[Any], default: Callable[[Any], Any] | None = None, options: int = 0) -> bytes:
    """Encode lines, at least one, each with its line feed. TypeError.

    One list with line feeds between its lines is encoded faster than line by line. JSON has no bare line feeds."""
    every: list[Any] = [LINE_FEED] * (2 * len(lines) - 1)
    every[::2] = lines
    return orjson.dumps(every, default, options)[1:-1].replace(b",\n,", b"\n") + b"\n"


def encode_answers(lines: Sequence[Any]) -> bytes:
    """Encode the lines of a guest, each with its line feed."""
    try:
        return encode(lines)
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
