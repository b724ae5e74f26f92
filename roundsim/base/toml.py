"""TOML from files that others may have written."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from typing import Any

QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|\'[^\'\n]*\'?')  # also an unterminated one, so it is not searched again
DEEP = re.compile(r'(?<![\w-])(?:(?:[\w-]+|"")[ \t]*\.[ \t]*){9}')
DIGITS = re.compile(r"(?<![\w.])(?:\d|0[xob])[\da-fA-F_]{3499,}")
NESTED = re.compile(r"(?:[\[{][^\[\]{}]*){100}")


def text_of(data: bytes) -> str:
    """Return the text of a file that people write, without a byte order mark; ValueError if it is not in UTF-8."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or b"\0" in data[:2]:
        raise ValueError("it is in UTF-16, and must be in UTF-8: iconv -f UTF-16 -t UTF-8 converts it")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = (
            f"byte 0x{data[error.start]:02x} is not UTF-8: save it as UTF-8; iconv -f LATIN1 -t UTF-8 converts Latin-1"
        )
        raise ValueError(f"{problem} (at line {line}, column 1)") from None


def toml_of(text: str) -> dict[str, Any]:
    """Return the data of a text of TOML; a ValueError gives the line, if it is known, as Python does."""
    import tomllib  # a worker reads none

    without = QUOTED.sub('""', text)
    for pattern, problem in (DEEP, "a key of many parts"), (DIGITS, "a number of thousands of digits"):
        if match := pattern.search(without):  # reading such a key would take the square of its length
            raise ValueError(f"{problem} {place_of_match(match)}")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError(
            f"too many brackets inside one another {place_of_match(NESTED.search(without))}".strip()
        ) from None


def place_of_match(match: re.Match[str] | None) -> str:
    return f"(at line {match.string[: match.start()].count(chr(10)) + 1}, column 1)" if match else ""
