"""The knowledge of a seat in a sitting, as texts: equal texts for states that it cannot distinguish."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..table.cards import Card
from ..table.view import TableView

SHOWN = ("dealer", "hand", "pools", "stacks", "partners")  # by the view of every game


class Notes:
    """By seat, what each has seen at its questions and after deals, each time only what was new.

    `begun`: how many texts there were when the present deal began. `events`: how many questions and ends of deals there
    were."""

    __slots__ = ("texts", "shown", "begun", "events")

    def __init__(self, players: int) -> None:
        self.texts: list[list[str]] = [[] for _ in range(players)]
        self.shown: list[dict[str, str]] = [{} for _ in range(players)]
        self.begun, self.events = [0] * players, 0

    def copy(self) -> Notes:
        copy = Notes(0)
        copy.texts, copy.shown = [[*texts] for texts in self.texts], [*self.shown]  # a mapping in it is never changed
        copy.begun, copy.events = [*self.begun], self.events
        return copy

    def new(self, view: TableView, now: Mapping[str, str]) -> str:
        """Return what the seat sees now that it did not see at the last note."""
        before = self.shown[view.seat]
        return " ".join([view.phase, *[f"{name}={text}" for name, text in now.items() if before.get(name) != text]])

    def add(self, view: TableView) -> None:
        """Note a question, or the end of a deal: whatever is seen after that is new."""
        seat, now, at_end = view.seat, visible_texts(view), not asked(view)
        self.texts[seat].append(" ".join([self.new(view, now), *([history(view)] if at_end else [])]))
        self.shown[seat] = {} if at_end else now
        self.begun[seat] = len(self.texts[seat]) if at_end else self.begun[seat]


def visible_texts(view: TableView) -> dict[str, str]:
    """Return all that a view shows, except the history, as texts. Cards that only the seat knows are sorted."""
    texts = {name: distinct_text(getattr(view, name)) for name in (*SHOWN, *type(view).public)}
    hidden = {name: getattr(view, name) for name in ("hand", *type(view).private)}
    return texts | {name: distinct_text(sorted(thing) if are_cards(thing) else thing) for name, thing in hidden.items()}


def asked(view: TableView) -> bool:
    return view.legal != ()  # it may have too many items for `len`


def are_cards(thing: Any) -> bool:
    return isinstance(thing, tuple) and all([type(card) is Card for card in thing])


def history(view: TableView) -> str:
    """Return what was said in the present deal, as the seat knows it."""
    return ",".join([f"{seat}:{phase}:{action}" for seat, phase, action in view.history])


def distinct_text(thing: Any) -> str:
    """Return a text for anything that a view shows; different things have different texts."""
    kind = type(thing)
    if kind is tuple or kind is list:
        return f"({' '.join([item if type(item) is Card else distinct_text(item) for item in thing])})"
    if isinstance(thing, Mapping):
        return f"{{{' '.join([f'{distinct_text(key)}:{distinct_text(value)}' for key, value in thing.items()])}}}"
    return distinct_text(sorted(map(distinct_text, thing))) if kind is frozenset else str(thing)
