"""Deals that agree with everything that one seat knows: `View.imagine` returns them to a strategy.

The cards that the seat has not seen change places at random, and the deal is played again with them. The search accepts
it if the seat would then have seen the same. If not, it exchanges two of the cards, undoes that if less of the deal
agrees then, and goes on until all agrees. Nothing else of the true deal enters. Cards that others laid away unseen are
replaced by other cards. Actions that others took unseen, if they are asked at all, are drawn by chance, and so is
everything that is drawn or shuffled later. The seat may have seen a card and lost sight of it, in another hand or in a
reshuffled pack: then it may be any card that lay there with it.

With two copies of a card in the pack nothing is imagined, because the copy that was seen cannot be identified."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import Any, TypeVar

from .actions import Action
from .cards import Card
from .chance import NOT_IMAGINING, Chance, NotedPack, Pack, Source, shuffled
from .deal import Ask, Deal, State, deal_of
from .imagined import (
    CardPlaces,
    DivergedError,
    ImaginedRecord,
    ImaginedSource,
    ReplayedDeal,
    cards_in,
    copied,
    no_mixing,
    to_plain_data,
    with_cards_exchanged,
)
from .legal import accept, count
from .playthrough import Playthrough
from .view import Imagined, TableView

T = TypeVar("T")
TRIES = 300  # exchanges of two cards before the search gives up
COMPARED_NAMES = ("hand", "pools", "stacks", "partners")  # by the view of every game


class Memory(Source):
    """The chance of a true deal. It notes the state before the deal, and what has been drawn."""

    __slots__ = ("source", "before", "seats", "packs", "orders", "given")

    def __init__(self, source: Source, state: State, seats: Collection[int]) -> None:
        super().__init__(source.name)
        self.source, self.before, self.seats = source, copied(state, {}), seats
        self.before.carry = to_plain_data(self.before.carry)
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
        value = self.source.key(name, usual)
        if value is not usual:
            self.given[name] = value
        return value

    def imagine(self, view: TableView, bits: int) -> Imagined | None:
        """Return a deal in which this seat would have seen what it has seen; None if none is found.

        `bits`: 64 of the seat's chance. They are the name of the deal; nothing else is drawn from the seat's chance."""
        question = self.question(view)
        return question.imagine(bits) if question else None

    def question(self, view: TableView) -> SeenQuestion | None:
        """Return the question that a view asks, for several imagined deals; None if nothing can be imagined there."""
        deal = deal_of(view)
        if view.seat not in self.seats:
            raise ValueError(NOT_IMAGINING)
        if not deal.imaginable or not count(view.legal):  # `begin` and `settled` are no questions
            return None
        question = SeenQuestion(view, deal, self)
        return None if any(len({*pack}) < len(pack) for pack in question.packs) else question


class SeenQuestion:
    """A question of the true deal, and what the asked seat sees there.

    `seen`: the actions that the seat has seen before it. `last`: when the seat last saw each card. `drawn`: the cards
    drawn from each pack. `unseen`: the cards of this deal that the seat was not shown, neither by an action nor by its
    view."""

    def __init__(self, view: TableView, deal: Deal, memory: Memory) -> None:
        self.deal, self.memory, self.seat, self.phase = deal, memory, view.seat, view.phase
        self.seen = list(seen_by_seat(deal, view.seat))
        self.names = (*COMPARED_NAMES, *deal.public, *deal.private)
        self.legal, self.shown = ends(view), [getattr(view, name) for name in self.names]
        self.last = {card: at for at, (_, _, seen) in enumerate(self.seen) for card in seen.cards}
        self.drawn = {what: pack.drawn for what, pack in memory.packs.items()}
        seen = {*self.last, *cards_in([self.shown, self.legal])}
        self.packs = [list(cards_in(memory.before.carry))]
        self.packs += [[*pack.drawn, *pack.cards] for pack in memory.packs.values()]
        self.unseen = [card for card in dict.fromkeys(chain.from_iterable(self.packs)) if card not in seen]

    def imagine(self, bits: int) -> Imagined | None:
        """Return a deal with this question; None if none is found. See `Memory.imagine`."""
        attempt = search(self, f"{bits:x}")
        return attempt.imagined() if attempt else None

    @cached_property
    def shows(self) -> list[Counter[Card]]:
        """Return, by the names of its view, how often it shows each card."""
        return [Counter(cards_in(thing)) for thing in self.shown]


def seen_by_seat(deal: Deal, seat: int) -> Iterator[tuple[Ask, Action, Action]]:
    """Yield the actions of a deal that a seat saw: the question, the action, and what the seat saw of it."""
    spoken = deal.seen_by(seat)
    due = next(spoken, None)
    for ask, action in zip(deal.asked, deal.actions, strict=False):
        seen = action if ask.seat == seat else deal.seen(ask, action)
        if due == (ask.seat, ask.phase, seen):
            yield ask, action, seen
            due = next(spoken, None)


def ends(view: TableView) -> tuple[int, Action, Action]:
    """Return the number of legal actions, which may be very large, with the first and the last of them."""
    return count(view.legal), view.legal[0], view.legal[-1]


class Attempt(Playthrough):
    """The record of the true deal played with other cards, to find whether the seat would have seen the same."""

    __slots__ = ("question", "places", "name", "chance", "now", "replayed", "source")

    def __init__(self, question: SeenQuestion, places: CardPlaces, name: str) -> None:
        self.question, self.places, self.name = question, places, name
        self.chance = Chance(f"{name}/unseen")
        self.now, self.replayed = dict(places), 0  # the card in each place now; the number of seen actions replayed
        deal, memory = question.deal, question.memory
        self.source = ImaginedSource(name, question.drawn, memory.orders, memory.given, self.now)
        super().__init__(type(deal)(deal.rules, copied(memory.before, places), self.source))

    def imagined(self) -> Imagined:
        """Return the deal that agrees, with nothing more of the true deal in it."""
        source, before = self.source, copied(self.question.memory.before, self.places)
        drawn = {what: pack.shuffle.order[: pack.at] for what, pack in source.packs.items()}
        orders, given, actions = dict(source.laid), dict(source.given), tuple(self.deal.actions)
        tale = ImaginedRecord(self.deal.rules, before, drawn, orders, given, actions, self.name)
        source.keep_to(tale)
        return Imagined(ReplayedDeal(tale, self))

    def replay_record(self) -> int:
        """Replay it up to the question. Returns how far it went as it should; -1 if it agrees to the end."""
        self.source.mix = self.mix
        try:
            return self.replay_further()
        finally:
            self.source.mix = no_mixing  # a deal that refers to itself is freed late

    def replay_further(self) -> int:
        question = self.question
        for at, (due, action, seen) in enumerate(question.seen):
            self.replayed = at
            while (fitting := self.fitting(due, action, seen)) is None:
                if not self.says_unseen():
                    return at
            self.answer(fitting)
        while (ask := self.ask) is None or (ask.seat, ask.phase) != (question.seat, question.phase):
            if not self.says_unseen():
                return len(question.seen)
        return self.compare(self.deal.View(self.deal, ask.seat, ask.phase, ask.legal, self.chance))

    def fitting(self, due: Ask, action: Action, seen: Action) -> Action | None:
        """Return the answer to this question in other cards. None if it is not legal here, or is seen differently."""
        ask = self.ask
        if ask is None or ask.seat != due.seat or ask.phase != due.phase:
            return None
        if action != seen:
            self.mix(self.deal.hands[ask.seat])
            action = with_cards_exchanged(action, self.now)
        try:
            own = accept(ask.legal, action)
        except ValueError:
            return None
        return own if ask.seat == self.question.seat or self.deal.seen(ask, own) == seen else None

    def says_unseen(self) -> bool:
        """Give an answer that the seat does not see: one by chance, or the first legal one. Return whether that is
        possible."""
        ask, deal, seat = self.ask, self.deal, self.question.seat
        if ask is None or ask.seat == seat:
            return False
        at, before = len(deal.asked), len(list(deal.seen_by(seat)))
        for other in ask.legal[self.chance.below(count(ask.legal))], ask.legal[0]:
            deal.asked.append(ask)
            deal.actions.append(other)
            unseen = deal.is_sealed(at, seat) or len(list(deal.seen_by(seat))) == before
            deal.asked.pop()
            deal.actions.pop()
            if unseen:
                self.answer(other)
                return True
        return False

    def mix(self, cards: list[Any]) -> None:
        """Mix cards that are laid away unseen, or shuffled. The seat can no longer distinguish those that it knew from
        the others, except its own cards and those that it has seen since."""
        question, deal = self.question, self.deal
        lost = [card for card in cards if question.last.get(card, -1) <= self.replayed]
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
        """Return how much of what the seat sees is as it should be, plus the number of actions it has seen; -1 if all
        is."""
        question = self.question
        alike = [getattr(view, name) == shown for name, shown in zip(question.names, question.shown, strict=True)]
        return -1 if all(alike) and ends(view) == question.legal else len(question.seen) + sum(alike)

    def suspects(self, reached: int) -> set[Card]:
        """Return the cards to suspect where the replay departs from the record: those that can be named there, or those
        of the seat that is asked and of the seat that should be."""
        ask, hands, seen = self.ask, self.deal.hands, self.question.seen
        due = seen[reached][0] if reached < len(seen) else None
        if ask and due and (ask.seat, ask.phase) == (due.seat, due.phase) and type(ask.legal) is tuple:
            return {*cards_in(ask.legal)}
        return {card for question in (ask, due) if question for card in hands[question.seat]} if hands else set()


def remember(deal: Deal, seats: Collection[int]) -> None:
    """Let the strategies at these seats imagine deals, in a deal that is about to be played."""
    deal.chance = Memory(deal.chance, deal.state, seats)


def search(question: SeenQuestion, name: str) -> Attempt | None:
    """Exchange two cards at a time, until the deal agrees."""
    unseen, below = question.unseen, Chance(f"{name}/search").below
    places = dict(zip(unseen, shuffled(sorted(unseen), f"{name}/cards"), strict=True))  # whichever lie there
    reached, best = try_out(question, places, name)
    for _ in range(TRIES if len(unseen) > 1 else 0):
        if reached == -1:
            break
        suspects = best.suspects(reached) if best and below(4) else ()
        some = [card for card in unseen if places[card] in suspects] or unseen
        one, other = some[below(len(some))], unseen[below(len(unseen))]
        places[one], places[other] = places[other], places[one]
        now, attempt = try_out(question, places, name)
        if now == -1 or now >= reached:
            reached, best = now, attempt
        else:
            places[one], places[other] = places[other], places[one]
    return best if reached == -1 else None


def try_out(question: SeenQuestion, places: CardPlaces, name: str) -> tuple[int, Attempt | None]:
    """Try a deal with the cards in these places, and find how far it goes as it should."""
    try:
        attempt = Attempt(question, dict(places), name)
        return attempt.replay_record(), attempt
    except DivergedError:
        return 0, None
