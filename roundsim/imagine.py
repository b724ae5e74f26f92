"""Deals as they may be, for all that one seat knows: what `View.imagine` hands to a strategy.

The cards that the seat has not seen change places at random, and the deal is told again with them.  It is kept if the
seat would then have seen what it has seen; if not, two of them are exchanged where that brings it nearer, until it fits:
one of a hand with which it went wrong, and any other.  Nothing else of the true deal goes into it: what others have put
out unseen is put out in other cards, what they have said unseen, if they were asked at all, is said by chance, and what
is yet to be drawn or shuffled comes by chance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from .actions import Action, accept, count, say
from .cards import CARD, Card
from .chance import Chance, Pack, Source, shuffled
from .table import Ask, Deal, State, View

T = TypeVar("T")
TRIES = 300  # exchanges of two cards, before it is given up
SHOWN = ("hand", "pools", "stacks", "partners")  # by the view of every game

Places = dict[Card, Card]  # which card lies in the place of which


class DivergedError(Exception):
    """With these cards the deal goes another way."""


class Noted(Pack):
    """A pack that notes what is drawn from it."""

    __slots__ = ("inner", "drawn")

    def __init__(self, inner: Pack) -> None:
        self.inner, self.drawn = inner, list[Card]()

    @property
    def cards(self) -> list[Card]:
        return self.inner.cards

    def __len__(self) -> int:
        return len(self.inner)

    def draw(self, n: int) -> list[Card]:
        drawn = self.inner.draw(n)
        self.drawn += drawn
        return drawn


class Memory(Source):
    """The chance of a true deal; it notes what was before it, and what has been drawn."""

    __slots__ = ("source", "before", "packs", "orders", "given")

    def __init__(self, source: Source, state: State) -> None:
        super().__init__(source.name)
        self.source, self.before = source, copied(state, {})
        self.packs: dict[str, Noted] = {}
        self.orders: dict[str, list[int]] = {}
        self.given: dict[str, Any] = {}

    def pack(self, cards: Iterable[Card], what: str = "pack") -> Pack:
        pack = self.packs[what] = Noted(self.source.pack(cards, what))
        return pack

    def shuffled(self, things: Iterable[T], what: str) -> list[T]:
        things = list(things)
        order = self.source.shuffled(things, what)
        self.orders[what] = [things.index(thing) for thing in order]
        return order

    def key(self, name: str, usual: Any = None) -> Any:
        self.given[name] = value = self.source.key(name, usual)
        return value


class Dealt(Pack):
    """A pack in a known order."""

    __slots__ = ("cards",)

    def __init__(self, cards: list[Card]) -> None:
        self.cards = cards  # type: ignore[misc]

    def __len__(self) -> int:
        return len(self.cards)

    def draw(self, n: int) -> list[Card]:
        drawn = self.cards[:n]
        del self.cards[:n]
        return drawn


class Otherwise(Source):
    """The chance of an imagined deal: what has been drawn, in other cards; all the rest anew."""

    __slots__ = ("memory", "places")

    def __init__(self, memory: Memory, places: Places, name: str) -> None:
        super().__init__(name)
        self.memory, self.places = memory, places

    def pack(self, cards: Iterable[Card], what: str = "pack") -> Pack:
        if what not in self.memory.packs:
            return super().pack(cards, what)
        left, drawn = list(cards), exchanged(self.memory.packs[what].drawn, self.places)
        for card in drawn:
            if card not in left:
                raise DivergedError
            left.remove(card)
        return Dealt(drawn + shuffled(left, f"{self.name}/{what}"))

    def shuffled(self, things: Iterable[T], what: str) -> list[T]:
        things, order = list(things), self.memory.orders.get(what)
        if order is None:
            return super().shuffled(things, what)
        if len(order) != len(things):
            raise DivergedError
        return [things[at] for at in order]

    def key(self, name: str, usual: Any = None) -> Any:
        return self.memory.given.get(name, usual)


class Question:
    """A question of the true deal, and what the seat that is asked sees there."""

    def __init__(self, view: View, deal: Deal, memory: Memory) -> None:
        self.deal, self.memory, self.seat, self.phase = deal, memory, view.seat, view.phase
        self.told = list(told(deal, view.seat))
        self.names = (*SHOWN, *deal.public, *deal.private)
        self.legal, self.shown = ends(view), [getattr(view, name) for name in self.names]

    def unseen(self) -> list[Card]:
        """All cards of this deal that its view does not show."""
        seen = {*cards_in([self.shown, self.legal, [seen for _, _, seen in self.told]])}
        packs = [[*pack.drawn, *pack.cards] for pack in self.memory.packs.values()]
        return [card for card in dict.fromkeys(cards_in([packs, self.memory.before.carry])) if card not in seen]


def told(deal: Deal, seat: int) -> Iterator[tuple[Ask, Action, Action]]:
    """What was said in a deal, as far as a seat was told of it: the question, what was said, and what it saw of that."""
    spoken = deal.seen_by(seat)
    due = next(spoken, None)
    for ask, action in zip(deal.asked, deal.actions, strict=False):
        seen = action if ask.seat == seat else deal.seen(ask, action)
        if due == (ask.seat, ask.phase, seen):
            yield ask, action, seen
            due = next(spoken, None)


def ends(view: View) -> tuple[int, Action, Action]:
    """Of legal actions, which may be very many: their number, the first and the last."""
    return count(view.legal), view.legal[0], view.legal[-1]


class Imagined:
    """A deal as it may be, at the question at which it was imagined, or further on.

    `view`: what the seat sees that is asked now; None when the deal is over.  `net`: what each seat has gained or lost in
    it so far, in counters."""

    __slots__ = ("_question", "_places", "_name", "_chance", "_deal", "_story", "_ask")

    def __init__(self, question: Question, places: Places, name: str) -> None:
        self._question, self._places, self._name = question, places, name
        self._chance = Chance(f"{name}/chance")
        deal, memory = question.deal, question.memory
        self._deal = type(deal)(deal.rules, copied(memory.before, places), Otherwise(memory, places, name))
        self._story = self._deal.deal()
        self._ask: Ask | None = None
        self._go_on(None)

    def again(self) -> Imagined:
        """The same deal once more, at the question at which it was imagined."""
        whole = Imagined(self._question, self._places, self._name)
        whole._retell()
        return whole

    @property
    def view(self) -> View | None:
        ask = self._ask
        return None if ask is None else self._deal.View(self._deal, ask.seat, ask.phase, ask.legal, self._chance)

    @property
    def net(self) -> tuple[int, ...]:
        return tuple(self._deal.net)

    def answer(self, said: str) -> None:
        """Answer the question, for whichever seat is asked; ValueError for what is not legal.

        Where there is only one thing to say it is said, up to the next question."""
        if self._ask is None:
            raise ValueError("the deal is over")
        self._go_on(accept(self._ask.legal, said))
        while self._ask is not None and count(self._ask.legal) == 1:
            self._go_on(self._ask.legal[0])

    def play(self, answer: Callable[[View], str]) -> tuple[int, ...]:
        """Play on to the end, every seat answering so: its net then."""
        while (view := self.view) is not None:
            self.answer(answer(view))
        return self.net

    def _go_on(self, said: Action | None) -> None:
        if self._ask is not None and said is not None:
            self._deal.asked.append(self._ask)
            self._deal.actions.append(said)
        self._ask = next(self._story, None) if said is None else self._send(said)

    def _send(self, said: Action) -> Ask | None:
        try:
            return self._story.send(said)
        except StopIteration:
            return None

    def _retell(self) -> int:
        """Tell it up to the question.  Returns how far it went as it should; -1 if it fits to the end."""
        question = self._question
        for at, (due, action, seen) in enumerate(question.told):
            while (said := self._fitting(due, action, seen)) is None:
                if not self._says_unseen():
                    return at
            self._go_on(said)
        while not self._is_asked(question.seat, question.phase):
            if not self._says_unseen():
                return len(question.told)
        return self._compare()

    def _is_asked(self, seat: int, phase: str) -> bool:
        ask = self._ask
        return ask is not None and ask.seat == seat and ask.phase == phase

    def _fitting(self, due: Ask, action: Action, seen: Action) -> Action | None:
        """What was said at this question, in other cards; None if it cannot be said here, or is seen otherwise."""
        ask = self._ask
        if ask is None or ask.seat != due.seat or ask.phase != due.phase:
            return None
        try:
            said = accept(ask.legal, exchanged(action, self._places))
        except ValueError:
            return None
        return said if ask.seat == self._question.seat or self._deal.seen(ask, said) == seen else None

    def _says_unseen(self) -> bool:
        """Say something by chance, or the first legal thing, of which the seat is not told; whether that can be."""
        ask, deal, seat = self._ask, self._deal, self._question.seat
        if ask is None or ask.seat == seat:
            return False
        before = len(list(deal.seen_by(seat)))
        for said in ask.legal[self._chance.below(count(ask.legal))], ask.legal[0]:
            deal.asked.append(ask)
            deal.actions.append(said)
            unseen = len(list(deal.seen_by(seat))) == before
            deal.asked.pop()
            deal.actions.pop()
            if unseen:
                self._go_on(said)
                return True
        return False

    def _compare(self) -> int:
        """How much of what the seat sees is as it should be, added to what was told; -1 for all."""
        question, view = self._question, self.view
        alike = [getattr(view, name) == shown for name, shown in zip(question.names, question.shown, strict=True)]
        return -1 if all(alike) and ends(view) == question.legal else len(question.told) + sum(alike)

    def _wrong(self, reached: int) -> set[Card]:
        """Where it goes otherwise: the cards that may be named, or of the seat that is asked, and the one that should be."""
        ask, hands, told = self._ask, self._deal.hands, self._question.told
        due = told[reached][0] if reached < len(told) else None
        if ask and due and (ask.seat, ask.phase) == (due.seat, due.phase):
            if type(ask.legal) is tuple and (named := {*cards_in(ask.legal)}): return named
        seats = [each.seat for each in (ask, due) if each]
        return {card for seat in seats for card in hands[seat]} if hands else set()


def remember(deal: Deal) -> None:
    """Let the strategies of a deal that is about to be played imagine others."""
    deal.chance = Memory(deal.chance, deal.state)


def imagine(view: View, deal: Deal) -> Imagined | None:
    """A deal in which this seat would have seen what it has seen; None if none is found."""
    memory = deal.chance
    if not isinstance(memory, Memory):
        raise ValueError("a strategy that imagines deals says so: `imagines = True` in its class")
    if not deal.imaginable:
        return None
    question, name = Question(view, deal, memory), f"{view.chance.getrandbits(64):x}"
    unseen, below = question.unseen(), view.chance.below
    places = dict(zip(unseen, shuffled(sorted(unseen), f"{name}/cards"), strict=True))  # whichever lie there
    reached, found = try_out(question, places, name)
    near = unseen
    import os
    mix=int(os.environ.get("MIX","4")); tb=int(os.environ.get("TB","1"))
    def leg(f,r):
        if not tb or not f or not f._ask or type(f._ask.legal) is not tuple or r>=len(question.told): return 0
        return -len(f._ask.legal)
    lg=leg(found,reached)
    for n in range(TRIES if len(unseen) > 1 else 0):
        if reached == -1:
            return found
        if found:
            wrong = found._wrong(reached)
            near = [card for card in unseen if places[card] in wrong] or unseen
        some = unseen if mix and not below(mix) else near
        one, other = some[below(len(some))], unseen[below(len(unseen))]
        places[one], places[other] = places[other], places[one]
        now, new = try_out(question, places, name)
        nl=leg(new,now)
        if now == -1 or (now,nl) >= (reached,lg):
            reached, found,lg = now, new,nl
        else:
            places[one], places[other] = places[other], places[one]
    return found if reached == -1 else None


def try_out(question: Question, places: Places, name: str) -> tuple[int, Imagined | None]:
    """A deal with the cards in these places, and how far it goes as it should."""
    try:
        imagined = Imagined(question, dict(places), name)
        return imagined._retell(), imagined
    except DivergedError:
        return 0, None


def cards_in(thing: Any) -> Iterator[Card]:
    """Every card in it, in order."""
    if isinstance(thing, Card):
        yield thing
    elif isinstance(thing, Action):
        yield from thing.cards
    elif isinstance(thing, Mapping):
        yield from cards_in([*thing.keys(), *thing.values()])
    elif isinstance(thing, list | tuple | set | frozenset):
        for each in thing:
            yield from cards_in(each)


def exchanged(thing: Any, places: Places) -> Any:
    """A copy of it in other cards."""
    if isinstance(thing, Card):
        return places.get(thing, thing)
    if isinstance(thing, Action):
        words = [places.get(CARD[word], word) if word in CARD else word for word in thing.words]
        return say(thing.verb, *words) if thing.cards else thing
    if isinstance(thing, list | set):
        return type(thing)([exchanged(each, places) for each in thing])
    if isinstance(thing, tuple):
        return tuple([exchanged(each, places) for each in thing])
    if isinstance(thing, dict):
        return {exchanged(key, places): exchanged(value, places) for key, value in thing.items()}
    return thing


def copied(state: State, places: Places) -> State:
    stacks = None if state.stacks is None else list(state.stacks)
    copy = State(state.dealer, dict(state.pools), stacks, exchanged(state.carry, places))
    copy.last_dealer, copy.to_come = state.last_dealer, state.to_come
    return copy
