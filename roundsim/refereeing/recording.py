"""Played deals written down as scripts, which `script` reads again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import tomli_w

from ..table.cards import Card
from ..table.chance import NotedPack, Pack, Source
from ..table.deal import Deal

T = TypeVar("T")


class Recording(Source):
    """A source that notes the cards in the order in which they were dealt, for a script."""

    __slots__ = ("source", "drawn", "given")

    def __init__(self, source: Source) -> None:
        super().__init__(source.name)
        self.source = source
        self.drawn: list[tuple[str, list[Card]]] = []
        self.given: dict[str, Any] = {}  # under the game's own keys

    def key(self, name: str, usual: Any = None) -> Any:
        value = self.source.key(name, usual)
        if value:
            self.given[name] = value
        return value

    def shuffled(self, things: Iterable[T], what: str) -> list[T]:
        order = self.source.shuffled(things, what)
        key, _, number = what.partition(" ")
        text = " ".join(map(str, order))
        self.given[key] = [*self.given.get(key, ()), text] if number else text
        return order

    def pack(self, cards: Iterable[Card], what: str = "pack") -> Pack:
        pack = NotedPack(self.source.pack(cards, what))
        self.drawn.append((what, pack.drawn))
        return pack


def state_keys(deal: Deal) -> dict[str, Any]:
    """Return the keys at the top of a script that begins with this deal."""
    state = deal.state
    return {
        "game": deal.id,
        "players": deal.players,
        "dealer": state.dealer,
        "options": {key: value for key, value in deal.rules.options._asdict().items() if key in deal.rules.given},
        **({"stacks": list(state.stacks)} if state.stacks is not None else {}),
        **({"pool": {name: n for name, n in state.pools.items() if n}} if any(state.pools.values()) else {}),
        **({"carry": plain_data(state.carry)} if state.carry else {}),
    }


def plain_data(thing: Any) -> Any:
    """Return the thing in lists, tables, texts and numbers, as in TOML."""
    if isinstance(thing, Mapping):
        return {key: plain_data(value) for key, value in thing.items() if value is not None}
    if isinstance(thing, list | tuple | set | frozenset):
        return [plain_data(item) for item in thing]
    return str(thing) if isinstance(thing, str) else thing


def script_deal(deal: Deal, source: Recording) -> dict[str, Any]:
    """Return a played deal as an entry of a script, with its result."""
    pools, carry = dict(deal.pools), {"dealer": deal.next_dealer()}
    return {**so_far(deal, source), "expect": {"net": list(deal.net), "pool": pools, "carry": carry}}


def so_far(deal: Deal, source: Recording) -> dict[str, Any]:
    """Return a deal as an entry of a script, up to its last action, without a result."""
    twice = "reshuffle" in deal.keys
    packs = [drawn for what, drawn in source.drawn if what == "pack" or not twice]
    again = [" ".join(drawn) for what, drawn in source.drawn if what != "pack" and twice]
    return {
        **({"pack": " ".join(card for drawn in packs for card in drawn)} if packs else {}),
        **({"reshuffle": again} if again else {}),
        **plain_data(source.given),
        "actions": [f"{ask.seat} {action}" for ask, action in zip(deal.asked, deal.actions, strict=True)],
    }


def write_script(top: Mapping[str, Any], deals: Sequence[Mapping[str, Any]], comment: str) -> str:
    lines = [f"# {line}" for line in comment.splitlines()]
    return "\n".join(lines) + "\n" + tomli_w.dumps({**top, "deals": list(deals)}, multiline_strings=False)
