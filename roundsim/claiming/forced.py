"""A strategy that is made to give one answer where a claim says so, and else plays as another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from roundsim.base.importing import module_at
from roundsim.sources.homes import claims_folder
from roundsim.sources.plugins import seated_named


class Forced:
    """Says `say` in a phase where a function, `where`, is true of the view, if that is legal.

    `say`: an answer; or a verb, which takes the card or the counters of the answer that is given otherwise, so that with
    "buy" the answer "barter 2c" becomes "buy 2c"; or the name of a function that returns an answer for a view. `like`:
    the strategy that gives all other answers. `functions`: the name of the chapter with the functions, or the path of a
    file; `sha256`: that of the file, so that the run knows which it was."""

    name = "forced"

    def __init__(self, like: str, functions: str, sha256: str, where: str, phase: str, say: str) -> None:
        self.like, self.phase = like, phase
        path = Path(functions) if functions.endswith(".py") else claims_folder() / f"{functions}.py"
        module = module_at(path, sha256)
        self.where = getattr(module, where)
        self.say = getattr(module, say, lambda view: say)

    def begin(self, view: Any) -> None:
        self.player = seated_named(self.like, view.game, view.seat).sit_down(view)

    def act(self, view: Any) -> Any:
        answer = self.player(view)
        if view.phase != self.phase or not self.where(view):
            return answer
        say = self.say(view)
        with_its_words = " ".join([say, *str(answer).split()[1:]])
        return next((legal for legal in (say, with_its_words) if legal in view.legal), answer)

    def settled(self, view: Any, net: int) -> None:
        if self.player.settled:
            self.player.settled(view, net)


class Imagining(Forced):
    """The same, if the other strategy imagines deals."""

    imagines = True
