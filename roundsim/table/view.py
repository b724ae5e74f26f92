"""What one seat sees of a deal: the names of its game, each declared once, with its type and help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import RulesError
from .actions import Action
from .cards import Card
from .chance import Chance
from .options import place_of

if TYPE_CHECKING:
    from .deal import Deal
    from .imagine import Imagined


class Said(NamedTuple):
    """One action of a deal as a seat saw it: another's `discard 2c 5d` is seen as `discard 2`."""

    seat: int
    phase: str
    action: Action


NEVER = object()


class Shown:
    """What stands after the equals sign where a view declares a name, until its class is complete."""

    def __init__(self, help: str, before: Any, own: bool) -> None:
        self.help, self.before, self.own, self.place = help, before, own, place_of(2)


def public(help: str = "", before: Any = NEVER) -> Any:
    """Declare in a game's `View` what lies open on the table: `trumps: str | None = public("the suit of trumps")`.

    Its type is as a strategy sees it: tuples for lists.  `before`: what is shown until the deal sets it; without it the
    deal must have set it with the first question.  What is carried from deal to deal needs no help of its own."""
    return Shown(help, before, own=False)


def private(help: str, before: Any = NEVER) -> Any:
    """Declare in a game's `View` what the seat alone knows; the deal has it by seat.  `before`: as with `public`."""
    return Shown(help, before, own=True)


class ViewType(type):
    """Of a class of views: what it declares becomes read-only, `public` and `private` list it with its help."""

    public: Mapping[str, str]
    private: Mapping[str, str]
    places: Mapping[str, str]

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> ViewType:
        shown = {each: thing for each, thing in namespace.items() if isinstance(thing, Shown)}
        made = {each: (_own if thing.own else _open)(each, thing) for each, thing in shown.items()}
        self = super().__new__(cls, name, bases, {"__slots__": (), **namespace, **made})
        inherited = [base for base in reversed(bases) if isinstance(base, ViewType)]
        own = {each: thing.help for each, thing in shown.items() if thing.own}
        openly = {each: thing.help for each, thing in shown.items() if not thing.own}
        places = {each: thing.place for each, thing in shown.items()}
        for kind, names in ("public", openly), ("private", own), ("places", places):
            known = [(key, value) for base in inherited for key, value in getattr(base, kind).items()]
            setattr(self, kind, MappingProxyType({**dict(known), **names}))  # strategies can reach it
        return self


class _Question(NamedTuple):
    deal: Deal
    seat: int
    phase: str
    legal: Sequence[Action]
    chance: Chance


_deal_of = _Question.deal
del _Question.deal  # of the deal itself a strategy is shown only what the view's properties let through


class TableView(_Question, metaclass=ViewType):
    """What a seat sees when it is asked.  Each game adds what lies open on its table and what the seat alone knows.

    `seat`, `phase`, `legal`: the question.  `chance`: this seat's own `random.Random`."""

    _deal = _deal_of

    @property
    def game(self) -> str:
        """The id of the game: "nap"."""
        return self._deal.id

    @property
    def hand(self) -> tuple[Card, ...]:
        """Your cards."""
        hands = self._deal.hands
        return tuple(hands[self.seat]) if hands else ()

    @property
    def options(self) -> Any:
        """The options of this table by their names: `view.options.stake`."""
        return self._deal.rules.options

    @property
    def players(self) -> int:
        """How many seats there are."""
        return self._deal.players

    @property
    def dealer(self) -> int:
        """The seat that deals."""
        return self._deal.dealer

    @property
    def pools(self) -> Any:
        """The counters in each pool, by name."""
        return MappingProxyType(dict(self._deal.pools))

    @property
    def stacks(self) -> tuple[int, ...] | None:
        """The counters before each seat; None in a game without stacks."""
        return frozen(self._deal.stacks)  # type: ignore[no-any-return]

    @property
    def partners(self) -> tuple[int, ...]:
        """The other seats that win and lose with you, if there are any now."""
        sides = self._deal.sides
        if sides is None:
            return ()
        return tuple([seat for seat, side in enumerate(sides) if side == sides[self.seat] and seat != self.seat])

    @property
    def history(self) -> tuple[Said, ...]:
        """What was said and done in this deal, as this seat saw it: (seat, phase, action) each."""
        return tuple(self._deal.seen_by(self.seat))

    def imagine(self) -> Imagined | None:
        """The deal as it may be, for all that you know, to be played on from this question; None if none is found.

        For strategies whose class says `imagines = True`; it holds while the question is being answered."""
        from .imagine import imagine

        return imagine(self, self._deal)

    def __repr__(self) -> str:
        return f"<seat {self.seat} of {self._deal.id}, phase {self.phase}>"

    def __str__(self) -> str:
        deal, legal = self._deal, self.legal
        shown = {"hand": self.hand, **{name: getattr(self, name) for name in [*deal.private, *deal.public]}}
        shown |= {"pools": self.pools} | ({} if deal.stacks is None else {"stacks": self.stacks})
        shown["legal"] = ", ".join(legal) if isinstance(legal, tuple) else repr(legal)
        width = max(map(len, shown)) + 2
        head = f"{deal.title}: seat {self.seat} of {deal.players}, dealer {deal.dealer}, phase {self.phase}"
        return "\n".join([head, *(f"  {name:<{width}}{in_words(thing)}" for name, thing in shown.items())])


def frozen(thing: Any) -> Any:
    """The same, such that nobody can change it."""
    if type(thing) is list or type(thing) is tuple:
        return tuple([frozen(each) for each in thing])
    if type(thing) is dict:
        return MappingProxyType({key: frozen(each) for key, each in thing.items()})
    if type(thing) is set:
        return frozenset(thing)
    return thing


def in_words(thing: Any) -> str:
    """Plain text of anything that a view shows."""
    if isinstance(thing, dict | MappingProxyType):
        return ", ".join(f"{key} {in_words(each)}" for key, each in thing.items()) or "-"
    if isinstance(thing, list | tuple | set | frozenset):
        nested = any(isinstance(each, list | tuple) for each in thing)
        return (" | " if nested else " ").join(in_words(each) for each in thing) or "-"
    return "-" if thing is None else str(thing).lower() if isinstance(thing, bool) else str(thing)


def _open(name: str, shown: Shown) -> property:
    def look(view: TableView) -> Any:
        try:
            return frozen(getattr(view._deal, name))
        except AttributeError as error:
            return not_set(view, name, shown, error)

    return property(look, doc=shown.help)


def _own(name: str, shown: Shown) -> property:
    def look(view: TableView) -> Any:
        try:
            return frozen(getattr(view._deal, name)[view.seat])
        except AttributeError as error:
            return not_set(view, name, shown, error)

    return property(look, doc=shown.help)


def not_set(view: TableView, name: str, shown: Shown, error: AttributeError) -> Any:
    """What is shown of a name before the deal has set it; `begin` may see any so, a question only what says `before`."""
    asked = view.legal != ()
    if asked and (error.name, error.obj) != (name, view._deal):  # a slip within a property of the game
        raise RulesError(f"{view.game}: {name}: {error}") from error
    if asked and shown.before is NEVER:
        raise RulesError(f"{view.game}: the view shows {name}, which the deal has not set")
    return None if shown.before is NEVER else shown.before
