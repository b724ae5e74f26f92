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
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..base.errors import type_name
from ..base.finding import modules_of, source_text, stamp
from ..refereeing.referee import Answer
from ..table.deal import Deal

IMPORTS_RANDOM = re.compile(rb"\b(?:import\b[^\n]*|from[ \t]+)\brandom\b")


def random_answer(view: Any) -> Any:
    """Return any legal action, each equally likely."""
    return view.chance.choice(view.legal)


def uses_random(path: Path) -> bool:
    """Return whether a strategy source imports Python's module `random`."""
    return any(IMPORTS_RANDOM.search(source_text(file, *stamp(file))) for file in modules_of(path))


class Seated:
    """A strategy as it plays one game: `take_seat` makes the answers of a fresh object.

    `draws`: it may draw from Python's module `random`."""

    __slots__ = ("make", "is_class", "parameters", "methods", "names", "beside", "ends", "imagines", "draws")

    def __init__(
        self, thing: Callable[..., Any], parameters: dict[str, Any], game: type[Deal], draws: bool = False
    ) -> None:
        self.draws = draws
        self.make, self.is_class, self.parameters = thing, inspect.isclass(thing), parameters
        self.methods = {phase: self.method(phase.replace("-", "_")) for phase in game.phases}
        self.names = set(self.methods.values())
        self.beside = hasattr(thing, "begin") or hasattr(thing, "settled")
        self.ends = hasattr(thing, "__del__")
        self.imagines = bool(getattr(thing, "imagines", False))

    def method(self, name: str) -> str:
        """Return the name of the method that answers a phase: its own, else `act`, else none: a random legal action."""
        return next((each for each in (name, "act") if hasattr(self.make, each)), "")

    def take_seat(self) -> tuple[dict[str, Answer], Any]:
        """Return an answer for each phase, and the object itself, None for a function."""
        if not self.is_class:
            return dict.fromkeys(self.methods, self.make), None
        player = self.make(**self.parameters) if self.parameters else self.make()
        if self.make not in type(player).__mro__:
            raise TypeError(f"{type_name(player)} was made, not what the class is")
        return self.answers_of(player), player

    def answers_of(self, player: Any) -> dict[str, Answer]:
        """Return the methods of a fresh object, by phase."""
        answers = {name: getattr(player, name, random_answer) for name in self.names}
        return {phase: answers[name] for phase, name in self.methods.items()}


class Player:
    """A strategy at a seat that another one asks: a fresh object, whose sitting begins with this view."""

    __slots__ = ("answers", "player")

    def __init__(self, seated: Seated, view: Any) -> None:
        self.answers, self.player = seated.take_seat()
        if hasattr(self.player, "begin"):
            self.player.begin(view)

    def __call__(self, view: Any) -> Any:
        return self.answers[view.phase](view)

    def settled(self, view: Any, net: int) -> None:
        if hasattr(self.player, "settled"):
            self.player.settled(view, net)


def table_like(seated: Seated) -> Callable[[], Answer]:
    """Return a function that seats a table at which everybody plays as this strategy does.

    Each call seats fresh players, and returns the function that answers for all of them."""

    def sit_down() -> Answer:
        players: dict[int, Player] = {}

        def answer(view: Any) -> Any:
            if view.seat not in players:
                players[view.seat] = Player(seated, view)
            return players[view.seat](view)

        return answer

    return sit_down
