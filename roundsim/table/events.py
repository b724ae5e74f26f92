"""The events of a deal besides its questions: why counters move, and what happens without a decision.

A game names an event where it happens: `self.pay(other, senior, counters, "the call is made")`, and above a step
`@tells("seat {winner} takes the trick")`. Without a listener this costs nothing: a deal that is listened to gets its
own class."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple, TypeVar

from ..base.errors import DeclarationError
from .citations import cited_by_game
from .deal import Deal

Step = TypeVar("Step", bound=Callable[..., Any])
Party = int | str  # a seat, or a pool by its name
Account = tuple[str, Party]


class Moved(NamedTuple):
    """Counters that went from a seat or a pool to another; why, and the place of the rule: "p. 8"."""

    payer: Party
    payee: Party
    counters: int
    why: str
    cited: str


def tells(text: str | Callable[..., str | None]) -> Callable[[Step], Step]:
    """Say above a step of a game what happens in it, as a sentence: `@tells("seat {winner} takes the trick")`.

    The names are those of its parameters; `{deal.trumps}` is the deal after the step. `words` may also be a function of
    the deal and the arguments; it returns None if there is nothing to say. Raises DeclarationError if the step asks
    questions."""

    def mark(step: Step) -> Step:
        if inspect.isgeneratorfunction(step):
            raise DeclarationError(f"{step.__qualname__} asks questions: only a step that asks none may have @tells")
        vars(step)["tells"] = text
        return step

    return mark


class EventLog:
    """A listener to a deal, from before its first question; `take` returns the events since the last call. There may be
    several."""

    def __init__(self, deal: Deal) -> None:
        self.events: list[Moved | str] = []
        self.in_move = False
        self.other: EventLog | None = vars(deal).get("hearing")
        deal.__class__ = class_with_events(type(deal))
        vars(deal)["hearing"] = self

    def add(self, events: Sequence[Moved | str]) -> None:
        self.events += events
        if self.other:
            self.other.add(events)

    def take(self) -> list[Moved | str]:
        """Return the movements of counters, and the events as sentences, in order."""
        taken, self.events = self.events, []
        return taken


class WithEvents:
    """The base that comes before a game's class when somebody listens."""

    __slots__ = ()
    hearing: EventLog | None = None

    def __init_subclass__(cls) -> None:
        """Declare nothing: it is the same game."""


LISTENED: dict[type[Deal], type[Deal]] = {}


def class_with_events(game: type[Deal]) -> type[Deal]:
    """Return the class for those deals of a game that are listened to."""
    if issubclass(game, WithEvents):
        return game
    if game not in LISTENED:
        LISTENED[game] = type(game.__name__, (WithEvents, game), {"id": game.id, **event_steps(game)})
    return LISTENED[game]


def event_steps(game: type[Deal]) -> dict[str, Any]:
    """Return the steps of a game that report an event or move counters."""
    body, rules = dict[str, Any](), citations_by_code(game)
    for name, step in steps_of(game).items():
        if any(hasattr(function, "moves_counters") for function in step):
            body[name] = as_move(step[0], rules)
        elif text := next((function.tells for function in step if hasattr(function, "tells")), None):
            body[name] = as_event(step[0], text)
    return body


def steps_of(game: type[Deal]) -> dict[str, list[Any]]:
    """Return the functions of a game by their names, each with those that it overrides."""
    names = {name for parent in game.__mro__ for name, thing in vars(parent).items() if isinstance(thing, FunctionType)}
    return {
        name: [vars(parent)[name] for parent in game.__mro__ if isinstance(vars(parent).get(name), FunctionType)]
        for name in sorted(names)
    }


def citations_by_code(game: type[Deal]) -> dict[CodeType, str]:
    """Return the places of the rules that its functions state, "p. 8", by their code."""
    every = [function for functions in steps_of(game).values() for function in functions]
    return {inspect.unwrap(function).__code__: place for function in every if (place := cited_by_game(game, function))}


def as_move(step: Callable[..., Any], rules: dict[CodeType, str]) -> Callable[..., Any]:
    """Wrap a step that moves counters: it reports what it has moved, and why."""
    signature = inspect.signature(step)

    @wraps(step)
    def moved(deal: Any, *given: Any, **named: Any) -> Any:
        hearing: EventLog | None = deal.hearing
        if hearing is None or hearing.in_move:
            return step(deal, *given, **named)
        before, hearing.in_move = accounts(deal), True
        try:
            came_to = step(deal, *given, **named)
        finally:
            hearing.in_move = False
        why = signature.bind(deal, *given, **named).arguments.get("why", "")
        cited = cited_by(sys._getframe(1), rules)
        hearing.add([Moved(*move, why, cited) for move in transfers(before, accounts(deal))])
        return came_to

    return moved


def cited_by(frame: FrameType | None, rules: dict[CodeType, str]) -> str:
    """Return the place of the rule by which a frame moves counters: of its own function, or of the nearest caller with
    a rule."""
    while frame and frame.f_code not in rules:
        frame = frame.f_back
    return rules[frame.f_code] if frame else ""


def as_event(step: Callable[..., Any], text: str | Callable[..., str | None]) -> Callable[..., Any]:
    """Wrap a step: when it is done, it reports what has happened."""
    signature = inspect.signature(step)

    @wraps(step)
    def happens(deal: Any, *given: Any, **named: Any) -> Any:
        came_to = step(deal, *given, **named)
        if deal.hearing is not None:
            if isinstance(text, str):
                bound = dict(signature.bind(deal, *given, **named).arguments)
                event: str | None = text.format(**{**bound, "deal": bound.pop("self", deal)})
            else:
                event = text(deal, *given, **named)
            deal.hearing.add([event] if event else [])
        return came_to

    return happens


def accounts(deal: Deal) -> dict[Account, int]:
    """Return the counters of the seats, in the pools, and of stakes."""
    return {
        **{("seat", seat): net for seat, net in enumerate(deal.net)},
        **{("pool", name): counters for name, counters in deal.pools.items()},
        **{("stake", seat): counters for seat, counters in enumerate(stakes_of(deal))},
    }


def stakes_of(deal: Deal) -> list[int]:
    """Return the stake of each seat, in games where it does not go into a pool at once."""
    stakes = getattr(deal, "stake", None)
    return stakes if type(stakes) is list else []


def transfers(before: dict[Account, int], after: dict[Account, int]) -> Iterator[tuple[Party, Party, int]]:
    """Yield the movements of counters. Those to or from stakes pass through the middle, `pool`."""
    gains = {account: after.get(account, 0) - before.get(account, 0) for account in {**before, **after}}
    moved = [("pool" if account[0] == "stake" else account[1], gain) for account, gain in gains.items()]
    gave, got = [(who, -n) for who, n in moved if n < 0], [(who, n) for who, n in moved if n > 0]
    while gave or got:
        payer, given = gave.pop(0) if gave else ("pool", got[0][1])
        payee, gotten = got.pop(0) if got else ("pool", given)
        counters = min(given, gotten)
        if payer != payee:
            yield payer, payee, counters
        gave[:0] = [(payer, given - counters)] if given > counters else []
        got[:0] = [(payee, gotten - counters)] if gotten > counters else []
