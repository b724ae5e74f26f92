"""The greetings: the first line to a guest, and its own."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..base.errors import did_you_mean, printable
from ..sources.plugins import Strategy
from ..tournament.planning.plan import Entry
from .inside.shim import VERSION
from .losses import SOURCE_MARK, BrokenError

EVERY = "*"
EVENTS = ("anew", "sit", "begin", "settled", "leave")


def hello_of(entry: Entry, strategy: Strategy) -> dict[str, Any]:
    """Return the first line to a guest, without its limits."""
    rules = entry.rules
    return {
        "roundsim": VERSION,
        "game": entry.game,
        "players": rules.players,
        "options": rules.options._asdict(),
        "phases": [*rules.played_by.phases],
        "parameters": strategy.settings,
    }


class Hello(NamedTuple):
    """The needs of a guest: the events that it hears; whether it imagines deals; whether it wants legal actions as plain
    lists; the names that it is sent with every question."""

    hears: frozenset[str]
    imagines: bool
    plain: bool
    always: tuple[str, ...]


def read_hello(lines: Sequence[Any], names: Sequence[str], what: str) -> Hello:
    """Read the first line of a guest. `names`: those of its view; `what`: its source. BrokenError."""
    line, *more = lines
    if more:
        raise BrokenError(f"{SOURCE_MARK} cannot be loaded: it said more than one line before it was asked")
    if not isinstance(line, dict) or type(line.get("roundsim")) is not int or line["roundsim"] < VERSION:
        first = f'{SOURCE_MARK} cannot be loaded: its first line must be {{"roundsim":{VERSION}}}'
        raise BrokenError(f"{first}, not {printable(line)[:60]}")
    if "error" in line:
        path, message = str(line.get("path") or what), printable(line["error"])
        raise BrokenError(message.replace(path, SOURCE_MARK) if path.endswith(os.path.basename(what)) else message)
    hears, wants = frozenset(names_listed(line, "hears", EVENTS)), names_listed(line, "wants", [*names, EVERY])
    always = tuple(names) if EVERY in wants else tuple(wants)
    return Hello(hears, line.get("imagines") is True, line.get("plain") is True, always)


def names_listed(line: Mapping[str, Any], key: str, known: Sequence[str]) -> Sequence[str]:
    """Return the known names that a guest has listed under a key, each once. BrokenError."""
    names = line.get(key, [])
    if not isinstance(names, list):
        raise BrokenError(f'{SOURCE_MARK}: "{key}" must be a list of names, not {printable(names)[:60]!r}')
    for name in names:
        if not isinstance(name, str) or name not in known:
            shown = printable(name)[:60]
            raise BrokenError(f'{SOURCE_MARK}: "{key}" names {shown!r}{did_you_mean(shown, known)}')
    return list(dict.fromkeys(names))
