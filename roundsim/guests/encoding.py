"""The data that guests get, in the form of docs/wire.md: legal actions, names of views, imagined deals; and their
checks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import orjson

from ..table.actions import Action
from ..table.deal import deal_of
from ..table.imagined import record_behind
from ..table.legal import Amounts, AnyOrder, Either, Lazy
from ..table.selections import Arrangements, Discards, Multisets, Subsets
from ..table.view import Said, TableView
from .inside.lines import encode
from .losses import BrokenError

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


def imagined_as_sent(view: TableView, bits: Sequence[Any]) -> tuple[Any, ...]:
    """Return the record of an imagined deal; or None, and why there cannot be one. BrokenError."""
    match bits:
        case [str(text)] if BITS.fullmatch(text):
            try:
                imagined = deal_of(view).chance.imagine(view, int(text, 16))
            except ValueError as error:
                return None, str(error)
            return (record_behind(imagined).to_json() if imagined else None,)
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
