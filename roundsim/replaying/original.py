"""The deal that a deal of a replay plays again: its nets, and the first answer that differs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..tournament.formats import Format
from ..tournament.results.record import Address, LogLine, nets_of


class Original(NamedTuple):
    """A deal of the sitting itself. `net`: by seat.

    `step`: how many actions come before the first one that differs, None if all are the same; `course`: the actions from
    there on."""

    address: Address
    net: list[int]
    step: int | None
    course: Sequence[str]


def original_of(format: Format, lines: Iterable[str], at: Address, actions: Sequence[str]) -> Original | None:
    """Return the deal that the deal `at` an address plays again, from the lines of its block; None if there is none."""
    address = format.original(at)
    text = next((text for text in lines if address and text.startswith(f"{address.place} ")), "")
    if not address or not text:
        return None
    line = LogLine.parse(text)
    for step, (action, other) in enumerate(zip(line.actions, actions, strict=False)):
        if action != other:
            return Original(address, nets_of(text), step, line.actions[step:])
    return Original(address, nets_of(text), None, ())
