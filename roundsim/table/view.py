"""The view of one seat on a deal: the names of its game, each declared once, with its type and help."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import CodeType, FunctionType, MappingProxyType
from typing import Any, NamedTuple, Self

from ..base.errors import DeclarationError, RulesError, did_you_mean
from ..native import native
from .actions import Action
from .cards import Card
from .chance import Chance
from .kinds import Each as Each
from .kinds import Kinds
from .kinds import Seat as Seat
from .options import place_of


class Said(NamedTuple):
    """One action of a deal as a seat saw it: another's `discard 2c 5d` is seen as `discard 2`."""

    seat: Seat
    phase: str
    action: Action


NEVER = object()
WatchCallback = Callable[[Any, Action], object]


class Declared:
    """The right side of a declaration in a view, until its class is complete."""

    def __init__(self, help: str, before: Any, own: bool) -> None:
        self.help, self.before, self.own, self.place = help, before, own, place_of(2)


def public(help: str = "", before: Any = NEVER) -> Any:
    """Declare in a game's `View` what lies open on the table: `trumps: str | None = public("the suit of trumps")`.

    Its type is as a strategy sees it: tuples for lists; `Seat` and `Each` give its kind, see `kinds`. `before`: the
    value shown until the deal sets it; without it the deal must have set it with the first question, else reading it
    raises RulesError. Values that are carried from deal to deal need no help text."""
    return Declared(help, before, own=False)


def private(help: str, before: Any = NEVER) -> Any:
    """Declare in a game's `View` what the seat alone knows; the deal has it by seat. `before`: as with `public`."""
    return Declared(help, before, own=True)


class ViewType(type):
    """The type of view classes. It makes declared names read-only; `public` and `private` list them with their help.

    `kinds` gives the kind of every name of its views, except `legal`, `options` and `chance`."""

    public: Mapping[str, str]
    private: Mapping[str, str]
    places: Mapping[str, str]

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> ViewType:
        shown = {key: thing for key, thing in namespace.items() if isinstance(thing, Declared)}
        made = {key: (_own if thing.own else _open)(key, thing) for key, thing in shown.items()}
        self = super().__new__(cls, name, bases, {"__slots__": (), **namespace, **made})
        inherited = [base for base in reversed(bases) if isinstance(base, ViewType)]
        own = {key: thing.help for key, thing in shown.items() if thing.own}
        openly = {key: thing.help for key, thing in shown.items() if not thing.own}
        places = {key: thing.place for key, thing in shown.items()}
        for kind, names in ("public", openly), ("private", own), ("places", places):
            known = [(key, value) for base in inherited for key, value in getattr(base, kind).items()]
            setattr(self, kind, MappingProxyType({**dict(known), **names}))  # strategies can reach it
        return self

    @property
    def kinds(cls) -> Kinds:
        every = [name for name in ("seat", "phase", *view_names(cls)) if name != "options"]
        names = dict.fromkeys([*cls.private, *cls.public, *every])
        return Kinds((*cls.__mro__, _Question, _Counters), [*names], cls.places)


def check_view(game: Any, where: str) -> None:
    """Check that the game sets every name that a view declares, and that its public cards are a name of the view.

    DeclarationError names the one that fails."""
    known = {*game.carried, "state"}
    for parent in game.__mro__:
        known.update(vars(parent))
        for thing in vars(parent).values():
            thing = getattr(thing, "fget", thing)
            thing = getattr(thing, "__wrapped__", thing)
            codes = [thing.__code__] if isinstance(thing, FunctionType) else []
            for code in codes:
                known.update(code.co_names)
                codes += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
    for name, place in game.View.places.items():
        if name not in known:
            raise DeclarationError(f"{place}: {game.__name__} sets nothing called {name}{did_you_mean(name, known)}")
    for name in game.shows:
        if not hasattr(game.View, name):
            close = did_you_mean(name, game.View.public)
            raise DeclarationError(f"{where}: {game.__name__} shows {name}, which is no name of its View{close}")


class Closed(tuple[Any, ...]):
    """A read-only object for strategies. It shows by name what its class allows, and nothing of its contents.

    A tuple is fast to make and cannot be changed, and none of its methods is left. Calls of `tuple` itself, frames and
    gc are not stopped here."""

    __slots__ = ()
    __hash__ = object.__hash__
    __repr__ = object.__repr__

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return self is other  # NotImplemented would let a tuple compare what is in it

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name}: nothing of it can be set")  # its class neither, which could be any tuple's

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{name}: nothing of it can be deleted")


def not_a_sequence(closed: Closed, *_: object) -> Any:
    """Replace each method of a tuple."""
    raise TypeError(f"{closed!r} shows by name what it shows; it is no sequence, and is not copied")


for way in {*vars(tuple), "__radd__", "__reversed__", "__reduce__", "__reduce_ex__"} - {*vars(Closed)}:
    if way not in ("__new__", "__getattribute__"):
        setattr(Closed, way, not_a_sequence)


class _Question(NamedTuple):
    deal: Any  # a Deal; in a guest, what stands for one
    seat: Seat
    phase: str
    legal: Sequence[Action]
    chance: Chance


class _Counters:
    """The type of `pools` and `stacks` when kinds are derived. To strategies they are Any, because cards may name
    pools."""

    pools: Mapping[str, int]
    stacks: Each[int] | None


inside: Callable[[Closed], Any] = vars(_Question)["deal"].__get__  # the first thing in it

PLAIN = frozenset({Card, Action, str, int, bool, type(None)})  # nobody can change any of these
NEVER_FROZEN = -1, None


@native
def frozen(thing: Any) -> Any:
    """Return the same in a form that nobody can change."""
    kind = type(thing)
    if kind is list or kind is tuple:
        return tuple(thing if PLAIN.issuperset(map(type, thing)) else [frozen(part) for part in thing])
    if kind is dict:
        plain = PLAIN.issuperset(map(type, thing.values()))
        return MappingProxyType(dict(thing) if plain else {key: frozen(value) for key, value in thing.items()})
    return frozenset(thing) if kind is set else thing


def cache_frozen(view: TableView, deal: Any, key: object, thing: Any) -> Any:
    """Keep what was frozen for a question until the next: for as long as the deal has the same number of actions.

    In `begin` and `settled`, and while the deal goes on, nothing is kept."""
    if view.legal != ():
        if not deal.frozen:
            deal.frozen = {}
        deal.frozen[key] = len(deal.actions), thing
    return thing


@native
def sight(way: str, name: str, shown: property, *before: Any) -> property:
    """Return a property of views; the native one finds its value itself, in one of the ways that it knows, if it
    can. `before`: the value until the deal sets it, if there is one."""
    return shown


def shown_first(shown: Declared) -> tuple[Any, ...]:
    return () if shown.before is NEVER else (shown.before,)


def _open(name: str, shown: Declared) -> property:
    def look(view: TableView) -> Any:
        deal = inside(view)
        try:
            thing = getattr(deal, name)
        except AttributeError as error:
            return not_set(view, name, shown, error)
        if type(thing) in PLAIN:
            return thing
        at, seen = deal.frozen.get(name, NEVER_FROZEN)
        return seen if at == len(deal.actions) else cache_frozen(view, deal, name, frozen(thing))

    return sight("open", name, property(look, doc=shown.help), *shown_first(shown))


def _own(name: str, shown: Declared) -> property:
    def look(view: TableView) -> Any:
        try:
            return frozen(getattr(inside(view), name)[view.seat])
        except AttributeError as error:
            return not_set(view, name, shown, error)

    return sight("own", name, property(look, doc=shown.help), *shown_first(shown))


def not_set(view: TableView, name: str, shown: Declared, error: AttributeError) -> Any:
    """Return the value of a name before the deal has set it. `begin` may see any name so, a question only one with
    `before`."""
    asked = view.legal != ()
    if asked and (error.name, error.obj) != (name, inside(view)):  # a slip within a property of the game
        raise RulesError(f"{view.game}: {name}: {error}") from error
    if asked and shown.before is NEVER:
        raise RulesError(f"{view.game}: the view shows {name}, which the deal has not set")
    return None if shown.before is NEVER else shown.before


class TableView(Closed, metaclass=ViewType):
    """The view of a seat that is asked. Each game adds what lies open on its table and what the seat alone knows.

    `seat`, `phase`, `legal`: the question. `chance`: this seat's own `random.Random`."""

    seat, phase, legal, chance = _Question.seat, _Question.phase, _Question.legal, _Question.chance

    def __new__(cls, deal: Any, seat: int, phase: str, legal: Sequence[Action], chance: Chance) -> Self:
        return tuple.__new__(cls, (deal, seat, phase, legal, chance))

    @property
    def game(self) -> str:
        """The id of the game: "nap"."""
        id: str = inside(self).id
        return id

    @property
    def hand(self) -> tuple[Card, ...]:
        """Your cards."""
        hands = inside(self).hands
        return tuple(hands[self.seat]) if hands else ()

    @property
    def options(self) -> Any:
        """The options of this table by their names: `view.options.stake`."""
        return inside(self).rules.options

    @property
    def players(self) -> int:
        """How many seats there are."""
        players: int = inside(self).players
        return players

    @property
    def dealer(self) -> Seat:
        """The seat that deals."""
        dealer: Seat = inside(self).dealer
        return dealer

    pools = _open("pools", Declared("The counters in each pool, by name.", NEVER, own=False))
    stacks = _open(
        "stacks", Declared("The counters before each seat; None in a game without stacks.", NEVER, own=False)
    )

    @property
    def partners(self) -> tuple[Seat, ...]:
        """The other seats that win and lose with you, if there are any now."""
        sides = inside(self).sides
        if sides is None:
            return ()
        return tuple([seat for seat, side in enumerate(sides) if side == sides[self.seat] and seat != self.seat])

    @property
    def history(self) -> tuple[Said, ...]:
        """The actions of this deal so far, as this seat saw them: (seat, phase, action) each."""
        deal, key = inside(self), ("history", self.seat)
        at, seen = deal.frozen.get(key, NEVER_FROZEN)
        now = at == len(deal.actions)
        heard: tuple[Said, ...] = seen if now else cache_frozen(self, deal, key, tuple(deal.seen_by(self.seat)))
        return heard

    def imagine(self) -> Imagined | None:
        """The deal as it may be, for all that you know, to be played on from this question; None if none is found.

        For strategies whose class says `imagines = True`; it holds while the question is being answered."""
        found: Imagined | None = inside(self).chance.imagine(self, self.chance.getrandbits(64))
        return found

    def __repr__(self) -> str:
        return f"<seat {self.seat} of {inside(self).id}, phase {self.phase}>"

    def __str__(self) -> str:
        deal, legal = inside(self), self.legal
        shown = {"hand": self.hand, **{name: getattr(self, name) for name in [*deal.private, *deal.public]}}
        shown["pools"] = self.pools
        if (stacks := self.stacks) is not None:
            shown["stacks"] = stacks
        shown["legal"] = ", ".join(legal) if isinstance(legal, tuple) else repr(legal)
        width = max(map(len, shown)) + 2
        head = f"{deal.title}: seat {self.seat} of {self.players}, dealer {self.dealer}, phase {self.phase}"
        return "\n".join([head, *(f"  {name:<{width}}{value_text(thing)}" for name, thing in shown.items())])


WAYS = {"players": "same", "dealer": "same", "history": "heard"}
for name in "hand", "options", "players", "dealer", "partners", "history":
    setattr(TableView, name, sight(WAYS.get(name, name), name, vars(TableView)[name]))


class Imagined(Closed):
    """An imagined deal, at the question at which it was imagined, or further on.

    `view`: the view of the seat that is asked now; None when the deal is over. `net`: what each seat has gained or lost
    in it so far, in counters."""

    __slots__ = ()

    def __new__(cls, retold: Any) -> Self:
        return tuple.__new__(cls, (retold,))

    def again(self, watch: WatchCallback | None = None) -> Imagined:
        """Return the same deal once more, at the question at which it was imagined.

        `watch(view, said)` is called for what led there: each question with a choice, as the seat that was asked would
        have seen it in this deal, and its answer."""
        again: Imagined = inside(self).tale.replay(watch)
        return again

    @property
    def view(self) -> TableView | None:
        view: TableView | None = inside(self).view
        return view

    @property
    def net(self) -> tuple[int, ...]:
        return tuple(inside(self).deal.net)

    def answer(self, action: str) -> None:
        """Answer the question, for whichever seat is asked. Forced answers are given automatically, up to the next
        question.

        Raises ValueError if the answer is not legal."""
        inside(self).say(action)

    def play(self, answer: Callable[[TableView], str]) -> tuple[int, ...]:
        """Play on to the end, every seat answering with this function, and return its net then."""
        retold = inside(self)
        while (view := retold.view) is not None:
            retold.say(answer(view))
        return self.net


def view_names(view: ViewType) -> list[str]:
    """Return the names that the views of a game show."""
    return [name for name in dir(view) if isinstance(getattr(view, name), property)]


def value_text(thing: Any) -> str:
    """Return a plain text of anything that a view shows."""
    if isinstance(thing, dict | MappingProxyType):
        return ", ".join(f"{key} {value_text(value)}" for key, value in thing.items()) or "-"
    if isinstance(thing, list | tuple | set | frozenset):
        nested = any(isinstance(part, list | tuple) for part in thing)
        return (" | " if nested else " ").join(value_text(part) for part in thing) or "-"
    return "-" if thing is None else str(thing).lower() if isinstance(thing, bool) else str(thing)
