"""What guests are sent, as docs/wire.md has it: legal actions, what views show, imagined deals; and their words."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from ..errors import scrubbed
from ..native import native
from ..table.actions import Action
from ..table.deal import deal_of
from ..table.imagined import tale_of
from ..table.legal import Amounts, AnyOrder, Arrangements, Discards, Either, Lazy, Multisets, Subsets
from ..table.view import TableView

FEW = 64  # legal actions that are sent as a list to who wants them plain
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


def told_lines(where: str) -> str:
    """The lines of a traceback, as a guest tells them."""
    return "\n".join([scrubbed(line[:200]) for line in where[:10_000].splitlines()[:11]])


def seen(view: TableView, name: str) -> Any:
    return view.options._asdict() if name == "options" else getattr(view, name)


def imagined(view: TableView, bits: Sequence[Any]) -> tuple[Any, ...]:
    """A deal as it may be, as a tale; or None, and why there cannot be one.  BrokenError."""
    match bits:
        case [str(text)] if BITS.fullmatch(text):
            try:
                found = deal_of(view).chance.imagine(view, int(text, 16))
            except ValueError as error:
                return None, str(error)
            return (tale_of(found).to_json() if found else None,)
    raise BrokenError("imagine takes 16 hexadecimal digits")


def as_json(thing: Any) -> Any:
    """What JSON has not: a table that cannot be changed, a set."""
    return dict(thing) if isinstance(thing, MappingProxyType) else sorted(thing)


encode = json.JSONEncoder(default=as_json, separators=(",", ":")).encode


def as_sent(*things: Any) -> str:
    """Things of a line, with the commas between them."""
    return encode(things)[1:-1]


@native
def as_json_text(thing: Any) -> str:
    """As JSON, without blanks."""
    return encode(thing)


@native
def shown_as_sent(view: TableView, names: Sequence[str]) -> str:
    """What goes with a question: an object of these names of its view."""
    return encode({name: seen(view, name) for name in names}) if names else "{}"


@lru_cache(1 << 13)
def few_as_sent(legal: tuple[Action, ...]) -> str:
    return encode(legal)


def legal_as_sent(legal: Sequence[Action], plain: bool = False) -> Any:
    """The legal actions as the wire has them: a list, or what a lazy sequence is made of."""
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
