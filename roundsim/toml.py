"""TOML from files that others may have written."""

from __future__ import annotations

import re
from typing import Any

QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|\'[^\'\n]*\'?')  # also an unterminated one, so it is not searched again
DEEP = re.compile(r'(?<![\w-])(?:(?:[\w-]+|"")[ \t]*\.[ \t]*){9}')
DIGITS = re.compile(r"(?<![\w.])(?:\d|0[xob])[\da-fA-F_]{3499,}")
NESTED = re.compile(r"(?:[\[{][^\[\]{}]*){100}")


def toml_of(text: str) -> dict[str, Any]:
    """Return the data of a text of TOML; a ValueError gives the line, if it is known, as Python does."""
    import tomllib  # a worker reads none

    without = QUOTED.sub('""', text)
    for pattern, words in (DEEP, "a key of many parts"), (DIGITS, "a number of thousands of digits"):
        if found := pattern.search(without):  # reading such a key would take the square of its length
            raise ValueError(f"{words} {line_of(found)}")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError(f"too many brackets inside one another {line_of(NESTED.search(without))}".strip()) from None


def line_of(found: re.Match[str] | None) -> str:
    return f"(at line {found.string[: found.start()].count(chr(10)) + 1}, column 1)" if found else ""
