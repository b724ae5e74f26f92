"""An imagined deal, once it is found: a record in imagined cards that can be replayed with nothing more than the rules.

Nothing of the true deal is in it. It holds the actions up to the question. All that is drawn, shuffled or left to
chance after that depends only on its name: so it goes on alike in the process that imagined it and in one that it was
sent to."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeVar

from .actions import Action, say
from .cards import CARD, Card
from .chance import Chance, Pack, Shuffle, Source, shuffled
from .deal import Deal, State
from .legal import accept, count
from .options import Rules
from .playthrough import Playthrough
from .view import Imagined, TableView, WatchCallback, inside

T = TypeVar("T")
CARDLESS = frozenset([bool, int, float, str, type(None)])  # most of what passes from deal to deal
CardPlaces = Mapping[Card, Card]  # for each card, the card that lies in its place


class DivergedError(Exception):
    """The deal with these cards takes another course."""


def no_mixing(cards: list[Any]) -> None:
    """Do nothing."""


class ImaginedSource(Source):
    """The chance of an imagined deal: the known draws and shuffles, in other cards, and fresh chance for the rest.

    `mix`: called with cards that are shuffled, during the search for a deal. `packs`: those shuffled so far; `laid`:
    the orders of other things."""

    __slots__ = ("drawn", "orders", "given", "places", "mix", "packs", "laid")

    def __init__(
        self,
        name: str,
        drawn: Mapping[str, Sequence[Card]],
        orders: Mapping[str, Sequence[Any]],
        given: Mapping[str, Any],
        places: CardPlaces,
    ) -> None:
        super().__init__(name)
        self.drawn, self.orders, self.given, self.places, self.mix = drawn, orders, given, places, no_mixing
        self.packs: dict[str, Pack] = {}
        self.laid: dict[str, list[Any]] = {}

    def pack(self, cards: Iterable[Card], what: str = "pack") -> Pack:
        cards, places = list(cards), self.places
        if what in self.drawn:
            self.mix(cards)
        drawn = [places.get(card, card) for card in self.drawn.get(what, ())]
        held = {*drawn}
        left = [card for card in cards if card not in held]
        if len(drawn) + len(left) != len(cards):
            raise DivergedError
        pack = self.packs[what] = Pack(self.begun(drawn, left, what))
        return pack

    def begun(self, drawn: list[Card], left: list[Card], what: str) -> Shuffle:
        """Return a shuffle that begins with these cards. The order of the others depends on the name alone."""
        left = left if self.places else sorted(left)  # during the search any order will do
        shuffle = Shuffle(left, f"{self.name}/{what}")
        shuffle.order = drawn
        shuffle.size += len(drawn)
        return shuffle

    def shuffled(self, things: Iterable[T], what: str) -> list[T]:
        things = list(things)
        if what in self.orders:
            self.mix(things)
            order: list[T] = with_cards_exchanged([*self.orders[what]], self.places)
            if Counter(order) != Counter(things):
                raise DivergedError
        else:
            order = shuffled(things, f"{self.name}/{what}")
        self.laid[what] = [*order]
        return order

    def key(self, name: str, usual: Any = None) -> Any:
        return self.given.get(name, usual)

    def keep_to(self, tale: ImaginedRecord) -> None:
        """From now on follow the chance of a record, as if it had dealt so far; forget what was before."""
        self.drawn, self.orders, self.given, self.places = tale.drawn, tale.orders, tale.given, {}
        for what, pack in self.packs.items():
            pack.shuffle = self.begun([*tale.drawn[what]], pack.cards, what)


@dataclass(frozen=True, slots=True)
class ImaginedRecord:
    """An imagined deal up to the question at which it was imagined, all in imagined cards.

    `before`: the state that passed on from the deal before. `drawn`: the cards drawn from each pack; `orders`: those of
    other things that were shuffled; `given`: the values of a script. `actions`: of all seats. `name`: of all later
    chance."""

    rules: Rules
    before: State
    drawn: Mapping[str, Sequence[Card]]
    orders: Mapping[str, Sequence[Any]]
    given: Mapping[str, Any]
    actions: Sequence[str]
    name: str

    def replay(self, watch: WatchCallback | None = None) -> Imagined:
        """Return the deal at its question; see `Imagined.again`."""
        return Imagined(ReplayedDeal(self, watch=watch))

    def begun(self) -> Deal:
        """Return the deal before its first question."""
        source = ImaginedSource(self.name, self.drawn, self.orders, self.given, {})
        game: type[Deal] = self.rules.played_by
        return game(self.rules, copied(self.before, {}), source)

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data: cards and actions are texts."""
        rules, before = self.rules, self.before
        return {
            "players": rules.players,
            "options": {key: getattr(rules, key) for key in sorted(rules.given)},
            "before": {name: getattr(before, name) for name in State.__slots__},
            "drawn": dict(self.drawn),
            "orders": dict(self.orders),
            "given": dict(self.given),
            "actions": [*self.actions],
            "name": self.name,
        }

    @classmethod
    def from_json(cls, game: type[Deal], data: Mapping[str, Any]) -> ImaginedRecord:
        """Return the record of a deal of this game, from the data that `to_json` returns."""
        rules = rules_from_json(game.rules_for, data["players"], json.dumps(data["options"]))
        drawn = {what: [CARD[text] for text in texts] for what, texts in data["drawn"].items()}
        orders = {what: [firm(thing) for thing in order] for what, order in data["orders"].items()}
        return cls(rules, state_of(data["before"]), drawn, orders, data["given"], data["actions"], data["name"])


@lru_cache(32)
def rules_from_json(make: Callable[..., Rules], players: int, options: str) -> Rules:
    return make(players, json.loads(options))


def state_of(data: Mapping[str, Any]) -> State:
    """Return a state from the data that was sent."""
    state = State(data["dealer"], dict(data["pools"]), data["stacks"], from_plain_data(data["carry"]))
    state.last_dealer, state.to_come = data["last_dealer"], data["to_come"]
    return state


def to_plain_data(thing: Any) -> Any:
    """Return the same as plain data, for a script or the wire: with lists for tuples."""
    if isinstance(thing, list | tuple):
        return [to_plain_data(part) for part in thing]
    return {key: to_plain_data(value) for key, value in thing.items()} if isinstance(thing, dict) else thing


def from_plain_data(thing: Any) -> Any:
    """Return the value of plain data: a text that is a card becomes one, a key of digits a number."""
    if isinstance(thing, str):
        return CARD.get(thing, thing)
    if isinstance(thing, list):
        return [from_plain_data(part) for part in thing]
    if isinstance(thing, dict):
        return {
            int(key) if key.isdecimal() else from_plain_data(key): from_plain_data(value)
            for key, value in thing.items()
        }
    return thing


def firm(thing: Any) -> Any:
    """Return a thing that is shuffled in a hashable form, without lists."""
    return tuple([firm(part) for part in thing]) if isinstance(thing, list) else from_plain_data(thing)


class ReplayedDeal(Playthrough):
    """The deal behind an `Imagined`: a record replayed up to its question, and played on from there. `found`: it is
    replayed already."""

    __slots__ = ("tale", "chance")

    def __init__(self, tale: ImaginedRecord, at: Playthrough | None = None, watch: WatchCallback | None = None) -> None:
        self.tale, name = tale, f"{tale.name}/chance"
        self.chance = Chance(name)
        if at is None:
            super().__init__(tale.begun())
            for action in tale.actions:
                self.replay(action, watch)
            self.chance.begin(name)  # whatever was drawn by watchers
        else:
            self.deal, self.ask, self._send = at.deal, at.ask, at._send

    def replay(self, text: str, watch: WatchCallback | None) -> None:
        assert self.ask is not None
        action = accept(self.ask.legal, text)
        if watch and (view := self.view) and count(view.legal) > 1:
            watch(view, action)
        self.answer(action)

    @property
    def view(self) -> TableView | None:
        ask, deal = self.ask, self.deal
        return None if ask is None else deal.View(deal, ask.seat, ask.phase, ask.legal, self.chance)

    def say(self, action: str) -> None:
        """Answer with a legal action, and give the forced answers after it."""
        if self.ask is None:
            raise ValueError("the deal is over")
        self.answer(accept(self.ask.legal, action))
        while self.ask is not None and count(self.ask.legal) == 1:
            self.answer(self.ask.legal[0])


replayed_behind: Callable[[Imagined], ReplayedDeal] = inside


def record_behind(imagined: Imagined) -> ImaginedRecord:
    """Return the record behind an imagined deal, to be sent."""
    return replayed_behind(imagined).tale


def cards_in(thing: Any) -> Iterator[Card]:
    """Yield every card in it, in order."""
    if isinstance(thing, Card):
        yield thing
    elif isinstance(thing, Action):
        yield from thing.cards
    elif isinstance(thing, list | tuple | set | frozenset):
        for part in thing:
            yield from cards_in(part)
    elif isinstance(thing, dict | MappingProxyType):
        yield from cards_in([*thing.keys(), *thing.values()])


def with_cards_exchanged(thing: Any, places: CardPlaces) -> Any:
    """Return a copy of it in other cards."""
    if type(thing) in CARDLESS:
        return thing
    if isinstance(thing, Card):
        return places.get(thing, thing)
    if isinstance(thing, Action):
        exchanged = [places.get(CARD[word], word) if word in CARD else word for word in thing.words]
        return say(thing.verb, *exchanged) if thing.cards else thing
    if isinstance(thing, list | set):
        return type(thing)([with_cards_exchanged(part, places) for part in thing])
    if isinstance(thing, tuple):
        return tuple([with_cards_exchanged(part, places) for part in thing])
    if isinstance(thing, dict):
        return {with_cards_exchanged(key, places): with_cards_exchanged(value, places) for key, value in thing.items()}
    return thing


def copied(state: State, places: CardPlaces) -> State:
    stacks = None if state.stacks is None else list(state.stacks)
    copy = State(state.dealer, dict(state.pools), stacks, with_cards_exchanged(state.carry, places))
    copy.last_dealer, copy.to_come = state.last_dealer, state.to_come
    return copy
