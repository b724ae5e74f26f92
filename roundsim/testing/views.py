"""A view as text; the cards that are named in it, and those that must not be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from ..table.cards import CARD, PACK, Card
from ..table.chance import Chance
from ..table.deal import Ask, Deal
from ..table.legal import count
from ..table.view import TableView

NAMES = ("seat", "phase", "legal", "hand", "options", "players", "dealer", "pools", "stacks", "partners", "history")
A_CARD = re.compile(r"\b(?:Jo|[AKQJTEW2-9][shdc])\b")


def view_at(deal: Deal, ask: Ask) -> TableView:
    return deal.View(deal, ask.seat, ask.phase, ask.legal, Chance())


def all_view_names(deal: Deal) -> tuple[str, ...]:
    """Return every name that a view has."""
    return (*NAMES, *deal.public, *deal.private)


def view_text(deal: Deal, ask: Ask) -> str:
    """Return everything that the view of this question shows, as text."""
    view = view_at(deal, ask)
    legal = list(ask.legal) if count(ask.legal) <= 64 else ask.legal
    shown = [f"{name}: {getattr(view, name)!r}" for name in all_view_names(deal) if name != "legal"]
    return "\n".join([str(view), *shown, f"legal: {legal!r}"])


def cards_named(thing: Any) -> Iterator[Card]:
    """Yield every card that occurs in lists, mappings and texts, as often as it does."""
    if isinstance(thing, str):
        yield from (CARD[word] for word in A_CARD.findall(thing))
    elif isinstance(thing, Mapping):
        yield from cards_named([*thing.keys(), *thing.values()])
    elif isinstance(thing, list | tuple | set | frozenset):
        for part in thing:
            yield from cards_named(part)


def immutable(thing: Any) -> bool:
    """Return whether nobody can change this, or anything in it."""
    if isinstance(thing, MappingProxyType):
        return all(immutable(part) for pair in thing.items() for part in pair)
    if isinstance(thing, tuple | frozenset):
        return all(map(immutable, thing))
    return thing is None or isinstance(thing, str | bool | int | float)


def check_hidden(deal: Deal, ask: Ask) -> int:
    """Check that the view names only the seat's own cards, those that were played, and those that lie open under the
    names that the game `shows`. Returns how many cards it must not name."""
    known = Counter(cards_named([getattr(deal, name, None) for name in deal.shows]))
    own = [getattr(deal, name, None) or [()] * deal.players for name in ("hands", *deal.private)]
    known.update(cards_named([by_seat[ask.seat] for by_seat in own]))
    hidden = {*PACK}
    for seat, hand in enumerate(deal.hands):
        if seat != ask.seat:
            hidden.update(hand)
    for asked, action in zip(deal.asked, deal.actions, strict=True):
        if asked.seat == ask.seat or action.verb not in deal.unseen_verbs:
            known.update(action.cards)
        else:
            hidden.update(action.cards)
    hidden -= known.keys()
    text = view_text(deal, ask)
    named = sorted(hidden & {*cards_named(text)})
    assert not named, (
        f"seat {ask.seat} sees {' '.join(named)}, which it cannot know (phase {ask.phase});"
        f" what lies open must be named in {type(deal).__name__}.shows\n{text}"
    )
    return len(hidden)
