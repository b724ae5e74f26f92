"""Deals as they may be, for all that one seat knows: what `View.imagine` hands to a strategy.

The cards that the seat has not seen change places at random, and the deal is told again with them.  It is kept if the
seat would then have seen what it has seen; if not, two of them are exchanged where that brings it nearer, until it fits.
Nothing else of the true deal goes into it: what others have put out unseen is put out in other cards, what they have
said unseen, if they were asked at all, is said by chance, and so comes what is yet to be drawn or shuffled.  A card that
the seat has seen, and lost sight of in another hand or in a pack shuffled anew, may be any that lay there with it.

Where cards lie in the pack twice nothing is imagined: the one that was seen cannot be told from the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self, TypeVar

from .actions import Action, accept, count, say
from .cards import CARD, Card
from .chance import Chance, NotedPack, OrderedPack, Pack, Source, shuffled
from .deal import Ask, Deal, State
from .story import Telling
from .view import Closed, TableView, inside

T = TypeVar("T")
TRIES = 300  # exchanges of two cards, before it is given up
SHOWN = ("hand", "pools", "stacks", "partners")  # by the view of every game

Watch = Callable[[Any, Action], object]
Places = dict[Card, Card]  # which card lies in the place of which


class DivergedError(Exception):
    """With these cards the deal goes another way."""


class Memory(Source):
    """The chance of a true deal; it notes what was before it, and what has been drawn."""

    __slots__ = ("source", "before", "seats", "packs", "orders", "given")

    def __init__(self, source: Source, state: State, seats: Collection[int]) -> None:
        super().__init__(source.name)
        self.source, self.before, self.seats = source, copied(state, {}), seats
        self.packs: dict[str, NotedPack] = {}
        self.orders: dict[str, list[Any]] = {}
        self.given: dict[str, Any] = {}

    def pack(self, cards: Iterable[Card], what: str = "pack") -> Pack:
        pack = self.packs[what] = NotedPack(self.source.pack(cards, what))
        return pack

    def shuffled(self, things: Iterable[T], what: str) -> list[T]:
        order = self.source.shuffled(things, what)
        self.orders[what] = list(order)
        return order

    def key(self, name: str, usual: Any = None) -> Any:
        self.given[name] = value = self.source.key(name, usual)
        return value


def no_mixing(cards: list[Any]) -> None:
    """Nothing."""


class Otherwise(Source):
    """The chance of an imagined deal: what has been drawn, in other cards; all the rest anew.

    `mix`: what else happens to cards that are shuffled, while the deal is told again."""

    __slots__ = ("memory", "places", "mix")

    def __init__(self, memory: Memory, places: Places, name: str) -> None:
        super().__init__(name)
        self.memory, self.places, self.mix = memory, places, no_mixing

    def pack(self, cards: Iterable[Card], what: str = "pack") -> Pack:
        if what not in self.memory.packs:
            return super().pack(cards, what)
        left = list(cards)
        self.mix(left)
        drawn = exchanged(self.memory.packs[what].drawn, self.places)
        for card in drawn:
            if card not in left:
                raise DivergedError
            left.remove(card)
        return OrderedPack(drawn + shuffled(left, f"{self.name}/{what}"))

    def shuffled(self, things: Iterable[T], what: str) -> list[T]:
        things = list(things)
        if what not in self.memory.orders:
            return super().shuffled(things, what)
        self.mix(things)
        order: list[T] = exchanged(self.memory.orders[what], self.places)
        if Counter(order) != Counter(things):
            raise DivergedError
        return order

    def key(self, name: str, usual: Any = None) -> Any:
        return self.memory.given.get(name, usual)


class Question:
    """A question of the true deal, and what the seat that is asked sees there.

    `told`: what it was told until then.  `last`: when it was told of a card for the last time.  `unseen`: the cards of
    this deal of which it was not, and which its view does not show."""

    def __init__(self, view: TableView, deal: Deal, memory: Memory) -> None:
        self.deal, self.memory, self.seat, self.phase = deal, memory, view.seat, view.phase
        self.told = list(told(deal, view.seat))
        self.names = (*SHOWN, *deal.public, *deal.private)
        self.legal, self.shown = ends(view), [getattr(view, name) for name in self.names]
        self.last = {card: at for at, (_, _, seen) in enumerate(self.told) for card in seen.cards}
        seen = {*self.last, *cards_in([self.shown, self.legal])}
        self.packs = [list(cards_in(memory.before.carry))]
        self.packs += [[*pack.drawn, *pack.cards] for pack in memory.packs.values()]
        self.unseen = [card for card in dict.fromkeys(cards_in(self.packs)) if card not in seen]

    @cached_property
    def shows(self) -> list[Counter[Card]]:
        """By the names of its view, how often it shows each card."""
        return [Counter(cards_in(thing)) for thing in self.shown]


def told(deal: Deal, seat: int) -> Iterator[tuple[Ask, Action, Action]]:
    """What was said in a deal, so far as a seat was told of it: the question, the action, and what it saw of that."""
    spoken = deal.seen_by(seat)
    due = next(spoken, None)
    for ask, action in zip(deal.asked, deal.actions, strict=False):
        seen = action if ask.seat == seat else deal.seen(ask, action)
        if due == (ask.seat, ask.phase, seen):
            yield ask, action, seen
            due = next(spoken, None)


def ends(view: TableView) -> tuple[int, Action, Action]:
    """Of legal actions, which may be very many: their number, the first and the last."""
    return count(view.legal), view.legal[0], view.legal[-1]


class Imagined(Closed):
    """A deal as it may be, at the question at which it was imagined, or further on.

    `view`: what the seat sees that is asked now; None when the deal is over.  `net`: what each seat has gained or lost in
    it so far, in counters."""

    __slots__ = ()

    def __new__(cls, retold: Retold) -> Self:
        return tuple.__new__(cls, (retold,))

    def again(self, watch: Watch | None = None) -> Imagined:
        """The same deal once more, at the question at which it was imagined.

        `watch(view, said)` is shown what led there: each question where there was a choice, as the seat that was asked
        would have seen it in this deal, and what it said."""
        was = retold_of(self)
        whole = Retold(was.question, was.places, was.name, watch)
        whole.retell()
        whole.watch = None
        return Imagined(whole)

    @property
    def view(self) -> TableView | None:
        return retold_of(self).view

    @property
    def net(self) -> tuple[int, ...]:
        return tuple(retold_of(self).deal.net)

    def answer(self, said: str) -> None:
        """Answer the question, for whichever seat is asked; ValueError for what is not legal.

        Where there is only one thing to say it is said, up to the next question."""
        retold_of(self).answer(said)

    def play(self, answer: Callable[[TableView], str]) -> tuple[int, ...]:
        """Play on to the end, every seat answering so: its net then."""
        retold = retold_of(self)
        while (view := retold.view) is not None:
            retold.answer(answer(view))
        return self.net


class Retold(Telling):
    """What stands behind `Imagined`, and knows the true deal: its record told again, in other cards."""

    __slots__ = ("question", "places", "name", "watch", "chance", "now", "told", "source")

    def __init__(self, question: Question, places: Places, name: str, watch: Watch | None = None) -> None:
        self.question, self.places, self.name, self.watch = question, places, name, watch
        self.chance = Chance(f"{name}/chance")
        self.now, self.told = dict(places), 0  # in which place each card lies now; how much has been told
        deal, memory = question.deal, question.memory
        self.source = Otherwise(memory, self.now, name)
        super().__init__(type(deal)(deal.rules, copied(memory.before, places), self.source))

    @property
    def view(self) -> TableView | None:
        ask, deal = self.ask, self.deal
        return None if ask is None else deal.View(deal, ask.seat, ask.phase, ask.legal, self.chance)

    def answer(self, said: str) -> None:
        if self.ask is None:
            raise ValueError("the deal is over")
        self.go_on(accept(self.ask.legal, said))
        while self.ask is not None and count(self.ask.legal) == 1:
            self.go_on(self.ask.legal[0])

    def go_on(self, said: Action) -> None:
        if self.watch and (view := self.view) and count(view.legal) > 1:
            self.watch(view, said)
        super().answer(said)

    def retell(self) -> int:
        """Tell it up to the question.  Returns how far it went as it should; -1 if it fits to the end."""
        self.source.mix = self.mix
        try:
            return self.tell()
        finally:
            self.source.mix = no_mixing  # a deal that holds itself is cleared away late

    def tell(self) -> int:
        question = self.question
        for at, (due, action, seen) in enumerate(question.told):
            self.told = at
            while (said := self.fitting(due, action, seen)) is None:
                if not self.says_unseen():
                    return at
            self.go_on(said)
        while (ask := self.ask) is None or (ask.seat, ask.phase) != (question.seat, question.phase):
            if not self.says_unseen():
                return len(question.told)
        return self.compare(self.deal.View(self.deal, ask.seat, ask.phase, ask.legal, self.chance))

    def fitting(self, due: Ask, action: Action, seen: Action) -> Action | None:
        """What was said at this question, in other cards; None if it cannot be said here, or is seen otherwise."""
        ask = self.ask
        if ask is None or ask.seat != due.seat or ask.phase != due.phase:
            return None
        if action != seen:
            self.mix(self.deal.hands[ask.seat])
            action = exchanged(action, self.now)
        try:
            said = accept(ask.legal, action)
        except ValueError:
            return None
        return said if ask.seat == self.question.seat or self.deal.seen(ask, said) == seen else None

    def says_unseen(self) -> bool:
        """Say something by chance, or the first legal thing, of which the seat is not told; whether that can be."""
        ask, deal, seat = self.ask, self.deal, self.question.seat
        if ask is None or ask.seat == seat:
            return False
        at, before = len(deal.asked), len(list(deal.seen_by(seat)))
        for said in ask.legal[self.chance.below(count(ask.legal))], ask.legal[0]:
            deal.asked.append(ask)
            deal.actions.append(said)
            unseen = deal.is_sealed(at, seat) or len(list(deal.seen_by(seat))) == before
            deal.asked.pop()
            deal.actions.pop()
            if unseen:
                self.go_on(said)
                return True
        return False

    def mix(self, cards: list[Any]) -> None:
        """Some of these cards are put out unseen, or they are shuffled: those that the seat knew it can no longer tell
        from the others, but for its own and what it has seen since."""
        question, deal = self.question, self.deal
        lost = [card for card in cards if question.last.get(card, -1) <= self.told]
        if not any(deal.hands or ()) or all([card in self.places for card in lost]):  # it knows none of them
            return
        view = deal.View(deal, question.seat, question.phase, (), self.chance)
        showed = [Counter(cards_in(getattr(view, name))) for name in question.names]
        both = list(zip(question.shows, showed, strict=True))
        lost = [card for card in lost if card not in view.hand and all([now[card] <= was[card] for now, was in both])]
        place = {card: place for place, card in self.now.items()}
        places = [place.get(card, card) for card in lost]
        self.chance.shuffle(lost)
        self.now.update(zip(places, lost, strict=True))

    def compare(self, view: TableView) -> int:
        """How much of what the seat sees is as it should be, added to what was told; -1 for all."""
        question = self.question
        alike = [getattr(view, name) == shown for name, shown in zip(question.names, question.shown, strict=True)]
        return -1 if all(alike) and ends(view) == question.legal else len(question.told) + sum(alike)

    def suspects(self, reached: int) -> set[Card]:
        """Where it goes otherwise: the cards that can be named there, or of who is asked and who should be."""
        ask, hands, told = self.ask, self.deal.hands, self.question.told
        due = told[reached][0] if reached < len(told) else None
        if ask and due and (ask.seat, ask.phase) == (due.seat, due.phase) and type(ask.legal) is tuple:
            return {*cards_in(ask.legal)}
        return {card for each in (ask, due) if each for card in hands[each.seat]} if hands else set()


retold_of: Callable[[Imagined], Retold] = inside


def remember(deal: Deal, seats: Collection[int]) -> None:
    """Let the strategies at these seats imagine deals, in a deal that is about to be played."""
    deal.chance = Memory(deal.chance, deal.state, seats)


def imagine(view: TableView, deal: Deal) -> Imagined | None:
    """A deal in which this seat would have seen what it has seen; None if none is found."""
    memory = deal.chance
    if not isinstance(memory, Memory) or view.seat not in memory.seats:
        raise ValueError("a strategy that imagines deals says so: `imagines = True` in its class")
    if not deal.imaginable or not count(view.legal):  # `begin` and `settled` are no questions
        return None
    question, name = Question(view, deal, memory), f"{view.chance.getrandbits(64):x}"
    unseen, below = question.unseen, view.chance.below
    if any(len({*pack}) < len(pack) for pack in question.packs):
        return None
    places = dict(zip(unseen, shuffled(sorted(unseen), f"{name}/cards"), strict=True))  # whichever lie there
    reached, found = try_out(question, places, name)
    for _ in range(TRIES if len(unseen) > 1 else 0):
        if reached == -1:
            break
        suspects = found.suspects(reached) if found and below(4) else ()
        some = [card for card in unseen if places[card] in suspects] or unseen
        one, other = some[below(len(some))], unseen[below(len(unseen))]
        places[one], places[other] = places[other], places[one]
        now, other_one = try_out(question, places, name)
        if now == -1 or now >= reached:
            reached, found = now, other_one
        else:
            places[one], places[other] = places[other], places[one]
    return Imagined(found) if found and reached == -1 else None


def try_out(question: Question, places: Places, name: str) -> tuple[int, Retold | None]:
    """A deal with the cards in these places, and how far it goes as it should."""
    try:
        retold = Retold(question, dict(places), name)
        return retold.retell(), retold
    except DivergedError:
        return 0, None


def cards_in(thing: Any) -> Iterator[Card]:
    """Every card in it, in order."""
    if isinstance(thing, Card):
        yield thing
    elif isinstance(thing, Action):
        yield from thing.cards
    elif isinstance(thing, list | tuple | set | frozenset):
        for each in thing:
            yield from cards_in(each)
    elif isinstance(thing, dict | MappingProxyType):
        yield from cards_in([*thing.keys(), *thing.values()])


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
