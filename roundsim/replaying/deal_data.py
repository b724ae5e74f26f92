"""A deal as data for the page: the table at the start, and then step by step the changes, with reasons in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, cast

from ..base.errors import DeclarationError
from ..table.actions import Action
from ..table.chance import Chance
from ..table.deal import Ask, Deal
from ..table.events import EventLog, Moved
from ..table.kinds import Kind
from ..table.legal import count
from .log_driver import walk
from .logged import Original

LEGAL = 14  # legal actions that are listed
Json = dict[str, Any]


def deal_data(
    deal: Deal,
    actions: Sequence[str],
    entry: str,
    address: str,
    seats: Sequence[str],
    faults: Mapping[int, str],
    original: Original | None = None,
) -> Json:
    """Return the data of a deal, not yet played, from its record. `seats`: the strategies; `faults`: as for
    `Narrator`; `original`: the deal that it plays again. IllegalError.

    docs/report.md describes its keys."""
    showing = DealRecorder(deal, faults)
    for ask, action in walk(deal, actions):
        showing.look()
        showing.step(ask, action)
    showing.look()
    showing.lift_veils()
    return {
        **deal_heading(deal, entry, address, seats),
        **showing.start,
        "steps": showing.steps,
        "net": list(deal.net),
        **({"before": before_data(original)} if original else {}),
    }


def deal_heading(deal: Deal, entry: str, address: str, seats: Sequence[str]) -> Json:
    """Return what is known of a deal before it begins."""
    return {
        "game": deal.id,
        "title": deal.title,
        "family": deal.family,
        "entry": entry,
        "addr": address,
        "dealer": deal.dealer,
        "seats": list(seats),
        "options": {key: as_json_data(value) for key, value in deal.rules.changed().items()},
        **names_data(cast(Any, type(deal))),
    }


@cache
def names_data(game: type[Deal]) -> Json:
    """Return what is known of the names of a game: which belong to a seat, what they mean, and their kinds."""
    known = {**game.public, **game.private}
    kinds = {name: kind for name in known if (kind := kind_data(game, name))}
    return {"own": [*game.private], "help": known, "kinds": kinds}


def kind_data(game: type[Deal], name: str) -> object:
    """Return the kind of a name as data, "seat" or ["each", "number"]; None if its type does not say it."""

    def data(kind: Kind) -> object:
        return [kind.what, *map(data, kind.of)] if kind.of else kind.what

    try:
        return data(game.View.kinds[name])
    except DeclarationError:
        return None


def before_data(original: Original) -> Json:
    there = {"addr": str(original.address), "net": original.net}
    return there if original.step is None else {**there, "step": original.step, "a": original.course[0]}


class DealRecorder:
    """Examines a deal wherever it waits, and keeps what has changed."""

    def __init__(self, deal: Deal, faults: Mapping[int, str], hearing: EventLog | None = None) -> None:
        self.deal, self.faults, self.hearing = deal, faults, hearing or EventLog(deal)
        self.views = [deal.View(deal, seat, "", (), Chance("shown")) for seat in range(deal.players)]
        self.state: Json = {}
        self.start: Json = {}
        self.steps: list[Json] = []
        self.sealed: list[int] = []  # places of answers that the others have not seen yet

    def look(self) -> None:
        """Record what has happened since the last step, or the beginning, as part of that step."""
        self.enter(self.hearing.take())

    def enter(self, heard: Sequence[Moved | str]) -> None:
        """Record these events, and what has changed on the table."""
        now = self.lies()
        moves, events = (
            [list(event) for event in heard if isinstance(event, Moved)],
            [event for event in heard if isinstance(event, str)],
        )
        happened: Json = {**({"m": moves} if moves else {}), **({"e": events} if events else {})}
        if not self.steps:
            self.start = {"start": now, **happened}
        else:
            self.steps[-1] |= {**changes(self.state, now), **happened}
        self.lift_veils()
        self.state = now

    def lies(self) -> Json:
        """Return all that lies on the table, and what each seat alone knows, by seat."""
        deal, views = self.deal, self.views
        lies = {name: as_json_data(getattr(views[0], name)) for name in deal.public}
        lies |= {name: [as_json_data(getattr(view, name)) for view in views] for name in deal.private}
        lies |= {"pools": dict(deal.pools), "net": list(deal.net)}
        if deal.stacks is not None:
            lies["stacks"] = list(deal.stacks)
        return {**lies, "hands": [" ".join(hand) for hand in deal.hands or [[]] * deal.players]}

    def step(self, ask: Ask, action: Action) -> None:
        """Record an answer, before it is done."""
        deal, at, seen = self.deal, len(self.steps), self.deal.seen(ask, action)
        sentence = deal.says(ask, action)
        step: Json = {"s": ask.seat, "p": ask.phase, "a": str(action), "t": sentence, "n": count(ask.legal)}
        if step["n"] > 1:
            step["l"] = [str(ask.legal[place]) for place in range(min(step["n"], LEGAL))]
        if seen != action:
            step |= {"o": str(seen), "x": deal.says(ask, seen)}
        if at in self.faults:
            step["f"] = self.faults[at]
        self.steps.append(step)
        self.sealed.append(at)

    def lift_veils(self) -> None:
        """Record which answers the others do not see yet, and which they see now."""
        still = [at for at in self.sealed if self.is_sealed(at)]
        for at in self.sealed:
            if at in still:
                self.steps[at]["z"] = None
            elif "z" in self.steps[at]:
                self.steps[at]["z"] = len(self.steps)
        self.sealed = still

    def is_sealed(self, at: int) -> bool:
        deal, other = self.deal, (self.steps[at]["s"] + 1) % self.deal.players
        return deal.is_sealed(at, other) or deal.is_unnoticed(deal.asked[at], deal.actions[at], other)


def as_json_data(thing: Any) -> Any:
    """Return a value as JSON data; cards and actions become their texts."""
    if thing is None or type(thing) in (bool, int):
        return thing
    if isinstance(thing, str):
        return str(thing)
    if isinstance(thing, Mapping):
        return {str(key): as_json_data(item) for key, item in thing.items()}
    return [as_json_data(item) for item in (sorted(thing) if isinstance(thing, frozenset) else thing)]


def changes(before: Json, after: Json) -> Json:
    """Return the changes: `d`: new values; `a_`: what was appended; `k`: what changed under some keys."""
    changed: dict[str, Json] = {"d": {}, "a_": {}, "k": {}}
    for name, now in after.items():
        if (was := before.get(name)) != now or type(was) is not type(now):
            kind, value = change(was, now)
            changed[kind][name] = value
    return {kind: named for kind, named in changed.items() if named}


def change(was: Any, now: Any) -> tuple[str, Any]:
    """Return how a value has become another, in the shortest of three ways."""
    if type(was) is type(now) is list and was and now[: len(was)] == was:
        return "a_", now[len(was) :]
    keyed = dict(items(now)) if type(was) is type(now) else {}
    if keyed and keyed.keys() >= (old := dict(items(was))).keys():
        differs = {key: value for key, value in keyed.items() if key not in old or old[key] != value}
        if len(differs) < len(keyed) and (type(now) is dict or len(old) == len(keyed)):
            return "k", differs
    return "d", now


def items(thing: Any) -> Iterator[tuple[str, Any]]:
    """Yield the items of a list, by their numbers, or of a mapping."""
    if isinstance(thing, list):
        yield from ((str(at), item) for at, item in enumerate(thing))
    elif isinstance(thing, dict):
        yield from thing.items()
