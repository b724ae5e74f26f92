"""The contract of strategy writers, and a strategy at its seat.

A strategy is a function `act(view)`, or a class with a method for each phase that it decides itself:

    class Mine:
        games = ["nap"]                     # the games it plays; without it, every game
        imagines = True                     # optional: it calls `view.imagine()`
        def __init__(self, risk=0.5): ...   # parameters: mine.py:Mine(risk=0.8)
        def begin(self, view): ...          # optional: the sitting begins
        def call(self, view): ...           # phase `call`; phase `turn-up` is the method `turn_up`
        def act(self, view): ...            # any other phase; without it a random legal action
        def settled(self, view, net): ...   # optional: a deal is over; `net` is this seat's, in counters

Each method, except `begin` and `settled`, takes a view (see `roundsim.table.view`, and `roundsim rules GAME` for the
names that a game adds) and returns one of `view.legal`, or its text. A fresh object plays each sitting."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from sys import getrefcount
from types import FunctionType
from typing import Any, TypeVar

from ..base.errors import type_name
from ..base.finding import modules_of, source_text, stamp
from ..native import native
from ..refereeing.faults import FaultDetails
from ..refereeing.referee import Answer, Player
from ..refereeing.wrappers import Wrapper
from ..table.chance import Chance
from ..table.deal import Deal

P = TypeVar("P", bound=Player)
Caller = Callable[[Answer], tuple[Any, FaultDetails | None]]
OF_OBJECT = {name: vars(object).get(name) for name in ("__new__", "__init__", "__getattribute__", "__getattr__")}
IMPORTS_RANDOM = re.compile(rb"\b(?:import\b[^\n]*|from[ \t]+)\brandom\b")


def random_answer(view: Any) -> Any:
    """Return any legal action, each equally likely."""
    return view.chance.choice(view.legal)


def call_directly(make: Answer) -> tuple[Any, FaultDetails | None]:
    """Return what a function returns, and no fault: what it raises is raised."""
    return make(), None


def uses_random(path: Path) -> bool:
    """Return whether a strategy source imports Python's module `random`."""
    return any(IMPORTS_RANDOM.search(source_text(file, *stamp(file))) for file in modules_of(path))


class Seated:
    """A strategy as it plays one game: a fresh object of it takes each seat.

    `draws`: it may draw from Python's module `random`. `hears`: it has `begin` or `settled`. `ends`: it has `__del__`."""

    __slots__ = ("make", "is_class", "parameters", "methods", "names", "hears", "ends", "imagines", "draws")

    def __init__(
        self, thing: Callable[..., Any], parameters: dict[str, Any], game: type[Deal], draws: bool = False
    ) -> None:
        self.draws = draws
        self.make, self.is_class, self.parameters = thing, inspect.isclass(thing), parameters
        self.methods = {phase: self.method(phase.replace("-", "_")) for phase in game.phases}
        self.names = set(self.methods.values())
        self.hears = hasattr(thing, "begin") or hasattr(thing, "settled")
        self.ends = hasattr(thing, "__del__")
        self.imagines = bool(getattr(thing, "imagines", False))

    def method(self, name: str) -> str:
        """Return the name of the method that answers a phase: its own, else `act`, else none: a random legal action."""
        return next((method for method in (name, "act") if hasattr(self.make, method)), "")

    def take_seat(
        self, player: Player, call: Caller = call_directly, wrappers: Sequence[Wrapper] = ()
    ) -> FaultDetails | None:
        """Have a fresh object answer for a player. Return what went wrong, if anything.

        `call` makes the object, as `Referee.call_outside_deal` would; `wrappers` are put around all that is called."""
        make: Answer = self.fresh
        for wrapper in wrappers:
            make = wrapper(make)
        made, problem = call(make) if self.is_class else call_directly(make)
        if problem is not None:
            return problem
        player.answers, thing = made
        if self.imagines:
            player.imagines = True
        if self.hears:
            player.begin, player.settled = getattr(thing, "begin", None), getattr(thing, "settled", None)
        for wrapper in wrappers:
            player.wrap_answers(wrapper)
            player.begin, player.settled = [method and wrapper(method) for method in (player.begin, player.settled)]
        return None

    def fresh(self) -> tuple[dict[str, Answer], Any]:
        """Return an answer for each phase, and the object whose methods they are, None for a function."""
        if not self.is_class:
            return dict.fromkeys(self.methods, self.make), None
        thing = self.make(**self.parameters) if self.parameters else self.make()
        if self.make not in type(thing).__mro__:
            raise TypeError(f"{type_name(thing)} was made, not what the class is")
        answers = {name: getattr(thing, name, random_answer) for name in self.names}
        return {phase: answers[name] for phase, name in self.methods.items()}, thing

    def is_quiet(self) -> bool:
        """Return whether making an object runs no code of the strategy, which may change its class at any time."""
        kind = self.make
        if self.parameters or self.draws or self.hears or self.imagines or type(kind) is not type:
            return False
        members = {name: member for base in reversed(kind.__mro__) for name, member in vars(base).items()}
        plain = all(members.get(name) is member for name, member in OF_OBJECT.items())
        return plain and all(type(members.get(name)) is FunctionType for name in self.names)

    def sit_down(self, view: Any) -> Player:
        """Return a fresh player for another strategy to ask; its sitting begins with this view."""
        player = Player({}, view.chance, seat=view.seat)
        self.take_seat(player)
        if player.begin:
            player.begin(view)
        return player


def holders(chances: Mapping[int, Chance], key: int) -> int:
    """Return how many others hold a chance of these: a strategy may keep one."""
    return getrefcount(chances[key]) - 2  # of the mapping and the argument


@native
def sit_again(
    players: list[P], strategies: Sequence[Seated | None], chances: Mapping[int, Chance], sitting: str, bits: int
) -> list[int]:
    """Have players by seat begin a sitting: each with a fresh object of its strategy, and the chance of its seat.

    `bits`: those of the name of the sitting. Return the seats that are left to the caller: those without a strategy, those
    without a chance that nobody else keeps, and those where making the object runs code of the strategy."""
    left: list[int] = []
    for seat, (player, seated) in enumerate(zip(players, strategies, strict=True)):
        is_own = seat in chances and holders(chances, seat) == (player.chance is chances[seat])
        if seated is None or not is_own or not seated.is_quiet():
            left.append(seat)
            continue
        player.answers, _ = seated.fresh()
        player.seat, player.chance, player.forfeits, player.marked = seat, chances[seat], "", False
        player.chance.take_seat(sitting, seat, bits)
    return left


def table_like(seated: Seated) -> Callable[[], Answer]:
    """Return a function that seats a table at which everybody plays as this strategy does.

    Each call seats fresh players, and returns the function that answers for all of them."""

    def sit_down() -> Answer:
        players: dict[int, Player] = {}

        def answer(view: Any) -> Any:
            if view.seat not in players:
                players[view.seat] = seated.sit_down(view)
            return players[view.seat](view)

        return answer

    return sit_down
