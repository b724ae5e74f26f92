"""What several tests share: tables drawn at random, sittings played by chance, cards exchanged unseen."""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from roundsim.actions import Action, accept, count
from roundsim.cards import CARD, PACK, Card
from roundsim.chance import Chance, OrderedPack, Pack, Source
from roundsim.errors import OptionError
from roundsim.options import Flag, OneOf, Option, Rules, Whole, rules_for
from roundsim.sitting import Sitting
from roundsim.table import Ask, Deal, State

QUESTIONS = 5000  # more than any deal has
DEALS = 10  # of a sitting, at most
ENOUGH = 200  # questions: no further deal is played in the sitting
VIEW_NAMES = ("seat", "phase", "legal", "hand", "options", "players", "dealer", "pools", "stacks", "history")
OPEN_NAMES = {  # public names under which cards lie open that were not played
    "ambigu": ("shown",),
    "bouillotte": ("shown", "retourne", "under_card"),
    "brag": ("face_up", "shown"),
    "cassino": ("board",),
    "commerce": ("table", "shown"),
    "draw-poker": ("openers_shown", "shown"),
    "flat-poker": ("shown",),
    "jig": (),
    "loo": ("turn_up", "pam"),
    "my-bird-sings": ("tricks", "laid_aside", "shown"),
    "nap": (),
    "newmarket": ("pools",),  # named after the cards on the table
    "pope-joan": ("turn_up", "missing"),
    "show-down-poker": ("dead", "hands", "put_out"),
    "snip-snap-snorum": ("turn_up",),
    "solo-whist": ("turned", "shown"),
    "speculation": ("turn_up", "best", "turned", "gone", "spare"),
    "spin": ("shown",),
    "spoil-five": ("turn_up", "turned"),
    "straight-poker": ("shown",),
    "stud-poker": ("shown", "up"),
    "thirty-one": ("table",),
    "vingt-un": ("drawn", "shown"),
    "whiskey-poker": ("table",),
}
SECRET_VERBS = ("discard", "buy", "barter", "give", "rob", "throw", "exchange")  # what others put out unseen
NO_PACK = ("loto",)  # what is hidden is the order of other things than cards: see `check_orders`
RANK_IS_DECLARED = ("vingt-un",)  # naturals and pairs are announced, whatever their suits
OUTCOME_IS_SEEN = {  # of cards compared in private: another outcome is another way of the deal
    "brag": ("retired",),
    "my-bird-sings": ("stock", "put_aside"),
}
A_CARD = re.compile(r"\b(?:Jo|[AKQJTEW2-9][shdc])\b")

Look = Callable[[Deal, Ask], object]


# Tables: a game, a number of players and options that go together.


@dataclass(frozen=True)
class Table:
    game: type[Deal]
    players: int
    given: dict[str, Any]

    @property
    def rules(self) -> Rules:
        return rules_for(self.game, self.players, self.given)


def values_of(option: Option) -> list[Any]:
    """Values to try: words (of very many some), both flags, the ends of a range (2**20 if it has no end) and a few
    small numbers."""
    kind = option.values
    if isinstance(kind, OneOf):
        return list(kind.choices[:: 1 + len(kind.choices) // 20])
    if isinstance(kind, Flag):
        return [False, True]
    assert isinstance(kind, Whole), f"{option.key}: no values are known of {kind!r}"
    numbers = [*range(kind.low, kind.low + 9), 16, 64, kind.high or 2**20]
    return sorted({n for n in numbers if n <= (kind.high or n) and (kind.but is None or kind.but(n))})


def problems(game: type[Deal], players: int, given: Mapping[str, Any]) -> int:
    """How many things the game refuses in these options."""
    try:
        rules_for(game, players, given)
    except OptionError as error:
        return len(error.problems)
    return 0


def as_many_as_go(game: type[Deal], players: int, wanted: Sequence[tuple[str, Any]]) -> Table | None:
    """A table with those of the wanted options that do not contradict the ones before; each is tried twice."""
    given: dict[str, Any] = {}
    left = problems(game, players, given)
    for key, value in [*wanted, *wanted]:
        if key not in given:
            now = problems(game, players, {**given, key: value})
            if now <= left:
                given[key], left = value, now
    return None if left else Table(game, players, given)


@st.composite
def tables(draw: Any, game: type[Deal]) -> Table:
    """Any table of the game.  Nothing is thrown away: what is refused with the options before it is left out."""
    players = draw(st.sampled_from(range(game.seats[0], game.seats[1] + 1)))
    size, rng = draw(st.integers(0, len(game.options))), draw(st.randoms(use_true_random=True))
    wanted = some_options(game, rng, size)
    return as_many_as_go(game, players, wanted) or as_many_as_go(game, game.usual[0], wanted)


def some_options(game: type[Deal], rng: Random, size: int) -> list[tuple[str, Any]]:
    """So many options with values drawn for them, in any order."""
    return [(option.key, rng.choice(values_of(option))) for option in rng.sample(game.options, size)]


def table_with(game: type[Deal], key: str, value: Any, rng: Random) -> Table | None:
    """Some table at which an option has this value, its other options drawn at random."""
    for _ in range(400):
        wanted = some_options(game, rng, rng.randrange(min(8, len(game.options))))
        wanted = [pair for pair in wanted if pair[0] != key]
        wanted.insert(rng.randint(0, len(wanted)), (key, value))
        table = as_many_as_go(game, rng.randint(*game.seats), wanted)
        if table and key in table.given:
            return table
    return None


def examples(quick: int) -> Any:
    """So many examples, and five times as many in the soak run."""
    return pytest.mark.parametrize("examples", [quick, pytest.param(5 * quick, marks=pytest.mark.soak)])


def for_any_sitting(game: type[Deal], examples: int, check: Callable[[Table, int], object]) -> None:
    """Check as many tables of the game, each with chance of its own."""

    @settings(
        max_examples=examples, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(table=tables(game), seed=st.integers(0, 2**32))
    def run(table: Table, seed: int) -> None:
        check(table, seed)

    run()


# Sittings, played by chance.


class Player:
    """Answers at random; how readily with the first legal action or the last is drawn for the whole sitting."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.first, self.last = rng.choice([(0, 0), (0.1, 0.1), (0.5, 0), (0.9, 0), (0, 0.5)])

    def answer(self, legal: Sequence[Action]) -> Action:
        drawn = self.rng.random()
        if drawn < self.first:
            return legal[0]
        return legal[count(legal) - 1 if drawn < self.first + self.last else self.rng.randrange(count(legal))]


def no_look(deal: Deal, ask: Ask) -> None:
    """Nothing."""


def play_out(deal: Deal, answer: Callable[[Ask], Action], look: Look = no_look) -> Deal:
    """Play a deal to its end; `look` sees every question before it is answered."""
    story, said = deal.deal(), None
    for _ in range(QUESTIONS):
        try:
            ask = story.send(said)
        except StopIteration:
            return deal
        look(deal, ask)
        said = answer(ask)
        deal.asked.append(ask)
        deal.actions.append(said)
    raise AssertionError(f"{deal.id}: the deal does not end within {QUESTIONS} questions")


def copy_of(state: State) -> State:
    return copy.deepcopy(state)


@dataclass(frozen=True)
class Played:
    """A deal that was played: the name of its chance, and what it was handed and handed on."""

    name: str
    before: State
    deal: Deal
    after: State
    over: bool


def play_sitting(table: Table, seed: int, look: Look = no_look) -> tuple[list[Played], Played]:
    """A sitting of random players: its deals, and its end."""
    rng = Random(seed)
    player, played = Player(rng), []
    deals = min(table.game.sitting(table.rules), DEALS)
    sitting = Sitting(table.game, table.rules, deals=deals)
    for number in range(deals):
        name = f"{seed}/{number}"
        deal = sitting.next_deal(Source(name))
        before = copy_of(sitting.state)  # which knows now how many deals are to come
        play_out(deal, lambda ask: player.answer(ask.legal), look)
        over = sitting.settle(deal)
        played.append(Played(name, before, deal, copy_of(sitting.state), over))
        if over or sum(len(each.deal.asked) for each in played) > ENOUGH:
            break
    before, name = copy_of(sitting.state), f"{seed}/end"
    end = sitting.end(Source(name))
    return played, Played(name, before, end, copy_of(sitting.state), True)


# What a seat sees.


def every_seventh(look: Look) -> Look:
    """After the first questions of a deal look at every seventh only: some deals have hundreds."""
    return lambda deal, ask: look(deal, ask) if len(deal.asked) < 20 or len(deal.asked) % 7 == 0 else None


def view_of(deal: Deal, ask: Ask) -> Any:
    return deal.View(deal, ask.seat, ask.phase, ask.legal, Chance())


def view_text(deal: Deal, ask: Ask) -> str:
    """Everything that the view of this question shows, as text."""
    view = view_of(deal, ask)
    names = [name for name in VIEW_NAMES if name != "legal"] + [*deal.public, *deal.private]
    legal = list(ask.legal) if count(ask.legal) <= 64 else ask.legal
    return "\n".join([str(view), *(f"{name}: {getattr(view, name)!r}" for name in names), f"legal: {legal!r}"])


def cards_in(thing: Any) -> Iterator[Card]:
    """Every card that occurs in lists, mappings and texts, as often as it does."""
    if isinstance(thing, str):
        yield from (CARD[word] for word in A_CARD.findall(thing))
    elif isinstance(thing, Mapping):
        yield from cards_in([*thing.keys(), *thing.values()])
    elif isinstance(thing, list | tuple | set | frozenset):
        for each in thing:
            yield from cards_in(each)


def immutable(thing: Any) -> bool:
    """Whether nobody can change this, nor anything in it."""
    if isinstance(thing, MappingProxyType):
        return all(immutable(each) for pair in thing.items() for each in pair)
    if isinstance(thing, tuple | frozenset):
        return all(map(immutable, thing))
    return thing is None or isinstance(thing, str | bool | int | float)


def undealt(deal: Deal) -> list[Card]:
    return list(getattr(deal.pack, "cards", deal.pack)) if hasattr(deal, "pack") else []


def check_hidden(deal: Deal, ask: Ask) -> int:
    """The view names no card that lies in another's hand, or in the stock, or was put out by another; and in a game
    whose open cards are known, none but those and the seat's own.  Returns how many cards it must not name."""
    open_names = OPEN_NAMES.get(deal.id)
    known = Counter(cards_in([getattr(deal, name) for name in (deal.public if open_names is None else open_names)]))
    own = [getattr(deal, name) or [()] * deal.players for name in ("hands", *deal.private)]
    known.update(cards_in([by_seat[ask.seat] for by_seat in own]))
    hidden = set(undealt(deal)) if open_names is None else {*PACK}
    for seat, hand in enumerate(deal.hands or ()):
        if seat != ask.seat:
            hidden.update(hand)
    for asked, said in zip(deal.asked, deal.actions, strict=True):
        if asked.seat == ask.seat or said.verb not in SECRET_VERBS:
            known.update(said.cards)
        else:
            hidden.update(said.cards)
    hidden -= known.keys()
    named = hidden & {*cards_in(view_text(deal, ask))}
    assert not named, f"seat {ask.seat} sees {named}, which it cannot know (phase {ask.phase})\n{view_text(deal, ask)}"
    return len(hidden)


# The same deal with two cards exchanged.


class DivergedError(Exception):
    """With the cards exchanged the deal goes another way: it says nothing about what was seen."""


class Exchange(Source):
    """The chance of a deal, which notes the order of every pack; `swapped` gives the same with two cards exchanged."""

    __slots__ = ("orders", "swap")

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.orders: dict[str, list[Card]] = {}
        self.swap: dict[str, Card] | None = None

    def swapped(self, one: Card, other: Card) -> Exchange:
        source = Exchange(self.name)
        source.orders, source.swap = self.orders, {one: other, other: one}
        return source

    def pack(self, cards: Any, what: str = "pack") -> Pack:
        if self.swap is None:
            cards = list(cards)
            self.orders[what] = super().pack(cards, what).draw(len(cards))
        elif what not in self.orders:
            raise DivergedError(f"another shuffle, {what}")
        return OrderedPack(self.exchanged(self.orders[what]))

    def exchanged(self, thing: Any) -> Any:
        """The same with the two cards exchanged, wherever they occur."""
        if isinstance(thing, Card):
            return (self.swap or {}).get(thing, thing)
        if isinstance(thing, str):
            return Action(A_CARD.sub(lambda found: self.exchanged(CARD[found[0]]), thing))
        if isinstance(thing, list | tuple):
            return type(thing)([self.exchanged(each) for each in thing])
        if isinstance(thing, dict):
            return {
                self.exchanged(key) if isinstance(key, Card) else key: self.exchanged(value)
                for key, value in thing.items()
            }
        return thing


def seen_before(deal: Deal, actions: Sequence[str], until: int) -> list[tuple[int, str, str]]:
    """Go through a record up to its question `until`: (seat, phase, all that the view shows) of each."""
    seen = []
    story, said = deal.deal(), None
    for at in range(until + 1):
        try:
            ask = story.send(said)
        except StopIteration:
            raise DivergedError("the deal is over") from None
        outcomes = [str(getattr(deal, name)) for name in OUTCOME_IS_SEEN.get(deal.id, ())]
        seen.append((ask.seat, " ".join([ask.phase, *outcomes]), view_text(deal, ask)))
        try:
            said = accept(ask.legal, actions[at])
        except ValueError:
            raise DivergedError(f"{actions[at]} is not legal") from None
        deal.asked.append(ask)
        deal.actions.append(said)
    return seen


def check_exchange(rules: Rules, played: Played, rng: Random) -> int:
    """Exchange two cards that a seat has not seen: its views must stay the same.  Returns 1 if it could be judged."""
    deal, source = played.deal, Exchange(played.name)
    asked = [at for at, ask in enumerate(deal.asked) if count(ask.legal) > 1]
    if not asked:
        return 0
    until = rng.choice(asked)
    seat = deal.asked[until].seat
    first = seen_before(type(deal)(rules, copy_of(played.before), source), deal.actions, until)
    texts = [text for asked_seat, _, text in first if asked_seat == seat]
    seen, dealt = {*cards_in(texts)}, dict.fromkeys(cards_in([*source.orders.values(), played.before.carry]))
    unseen = [card for card in dealt if card not in seen]
    if deal.id in RANK_IS_DECLARED:
        ranks = Counter(card.rank for card in unseen)
        unseen = [card for card in unseen if ranks[card.rank] > 1]
    if len(unseen) < 2:
        return 0
    one = unseen[int(rng.random() ** 2 * len(unseen))]  # those on top were dealt: they matter most
    other = rng.choice(
        [card for card in unseen if card is not one and (card.rank == one.rank or deal.id not in RANK_IS_DECLARED)]
    )
    swapped = source.swapped(one, other)
    state = copy_of(played.before)
    state.carry = swapped.exchanged(state.carry)
    actions = [
        said if ask.seat == seat else swapped.exchanged(said)
        for ask, said in zip(deal.asked, deal.actions, strict=True)
    ]
    try:
        second = seen_before(type(deal)(rules, state, swapped), actions, until)
    except DivergedError:
        return 0
    for (was_seat, was_phase, was_text), (now_seat, now_phase, now_text) in zip(first, second, strict=True):
        if (was_seat, was_phase) != (now_seat, now_phase):
            return 0
        assert was_seat != seat or was_text == now_text, (
            f"seat {seat} can tell {one} from {other}, which it has not seen\n{was_text}\n{now_text}"
        )
    return 1


# The same game of loto with what is yet to come in another order.


class OtherOrder(Source):
    """The same chance, but for the cards in the stock below the top ones, and for the knobs."""

    __slots__ = ("top",)

    def __init__(self, name: str, top: int) -> None:
        super().__init__(name)
        self.top = top

    def shuffled(self, things: Any, what: str) -> list[Any]:
        order = super().shuffled(things, what)
        return self.below_the_top(order) if what == "stock" else order[::-1]

    def below_the_top(self, order: list[Any]) -> list[Any]:
        return order[: self.top] + order[self.top :][::-1]


def check_orders(rules: Rules, played: Played, rng: Random) -> None:
    """Up to some question, all views are the same whatever comes from the stock after it, and from the bag."""
    deal, until = played.deal, rng.randrange(len(played.deal.asked))
    taken = [1 if said.verb == "change" else said.amount * (said.verb != "throw") for said in deal.actions[:until]]
    source, state = OtherOrder(played.name, sum(taken)), copy_of(played.before)
    state.carry["in_stock"] = source.below_the_top(state.carry["in_stock"])
    first = seen_before(type(deal)(rules, copy_of(played.before), Source(played.name)), deal.actions, until)
    second = seen_before(type(deal)(rules, state, source), deal.actions, until)
    assert first == second, f"question {until + 1} shows what it must not"
