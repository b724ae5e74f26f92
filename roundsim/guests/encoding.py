"""The data that guests get, in the form of docs/wire.md: legal actions, names of views, imagined deals; and their
checks."""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from traceback import extract_tb
from types import MappingProxyType
from typing import Any

import orjson

from ..errors import scrubbed
from ..table.actions import Action
from ..table.deal import deal_of
from ..table.imagined import record_behind
from ..table.legal import Amounts, AnyOrder, Arrangements, Discards, Either, Lazy, Multisets, Subsets
from ..table.view import Said, TableView
from .inside.lines import encode

PACKAGE = Path(__file__).parents[1]
FEW = 64  # legal actions that are sent as a list to guests that ask for plain ones
BITS = re.compile("[0-9a-f]{16}")
KINDS = {
    Amounts: "amounts",
    Subsets: "subsets",
    Discards: "discards",
    Arrangements: "arrangements",
    AnyOrder: "any-order",
    Multisets: "multisets",
}


class BrokenError(Exception):
    """A guest has broken the wire; its text says how."""


class UnaskedError(BrokenError):
    """A guest has answered what it was not asked, or has answered already."""

    def __init__(self, number: int) -> None:
        super().__init__(f"answer to {number}, which was not asked")
        self.number = number


def mistaken_encoding(lines: bytes) -> str:
    """Return ' (in UTF-16: the wire is UTF-8)' for lines in another encoding, or with a byte order mark; "" for others."""
    if lines.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or b"\0" in lines:
        return " (in UTF-16: the wire is UTF-8)"
    if lines.startswith(BOM_UTF8):
        return " (it begins with a byte order mark: the wire is UTF-8 without one)"
    try:
        lines.decode()
    except UnicodeDecodeError:
        return " (not in UTF-8)"
    return ""


def traceback_text(where: str) -> str:
    """Return the lines of a traceback, as a guest reports them."""
    return "\n".join([scrubbed(line[:200]) for line in where[:10_000].splitlines()[:11]])


def own_frames(error: BaseException) -> str:
    """Return the innermost lines of ours in a traceback: 'guests/guest.py:231 in show'."""
    frames = [frame for frame in extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(PACKAGE)]
    return "\n".join(
        f"{Path(frame.filename).relative_to(PACKAGE)}:{frame.lineno} in {frame.name}" for frame in frames[-10:]
    )


def imagined_as_sent(view: TableView, bits: Sequence[Any]) -> tuple[Any, ...]:
    """Return the record of an imagined deal; or None, and why there cannot be one. BrokenError."""
    match bits:
        case [str(text)] if BITS.fullmatch(text):
            try:
                found = deal_of(view).chance.imagine(view, int(text, 16))
            except ValueError as error:
                return None, str(error)
            return (record_behind(found).to_json() if found else None,)
    raise BrokenError("imagine takes 16 hexadecimal digits")


def json_default(thing: Any) -> Any:
    """Return a value that JSON lacks as one that it has: a read-only mapping, a set, what was said, the options of a
    table."""
    if type(thing) is Said:
        return tuple(thing)
    if isinstance(thing, MappingProxyType):
        return dict(thing)
    return options_as_json(thing) if isinstance(thing, tuple) else sorted(thing)


def encode_lines(lines: Sequence[Any]) -> bytes:
    """Return the bytes of lines to a guest, at least one, each with its line feed."""
    return encode(lines, json_default, orjson.OPT_NON_STR_KEYS)


@lru_cache(typed=True)
def options_as_json(options: Any) -> orjson.Fragment:
    """The options of a table, the same for most of its views."""
    return orjson.Fragment(orjson.dumps(options._asdict(), json_default, orjson.OPT_NON_STR_KEYS))


def legal_as_sent(legal: Sequence[Action], plain: bool = False) -> Any:
    """Return the legal actions in the form of the wire: a list, or the parts of a lazy sequence."""
    if type(legal) is tuple:
        return legal
    assert isinstance(legal, Lazy)
    if plain and legal.size <= FEW:
        return list(legal)
    first = {"first": legal[0], "count": legal.size}
    if type(legal) is Either:
        return {"kind": "either", **first, "of": [legal_as_sent(legal.one), legal_as_sent(legal.other)]}
    kind = type(legal)
    slots = Subsets.__slots__ if kind is Discards else kind.__slots__
    return {"kind": KINDS[kind], **first, **{name: getattr(legal, name) for name in slots if name != "parts"}}
