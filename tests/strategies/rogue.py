"""A strategy that fails where and how its parameters say, in any game; otherwise it plays by chance."""

import os
import random
from typing import Any


class Rogue:
    """`where`: a phase of faults, or "act"; `how`: a kind; `often`: of the calls there."""

    games = ["*"]
    imagines = True  # so that shards are small

    def __init__(self, where: str = "act", how: str = "exception", often: float = 1.0) -> None:
        self.where, self.how, self.often = where, how, often
        self.passes("constructor")

    def begin(self, view: Any) -> None:
        self.passes("begin")

    def act(self, view: Any) -> Any:
        self.passes("act")
        return view.chance.choice(view.legal) if self.how != "illegal" else "nothing"

    def settled(self, view: Any, net: int) -> None:
        self.passes("settled")

    def __del__(self) -> None:
        self.passes("__del__")

    def passes(self, where: str) -> None:
        if where == self.where and random.random() < self.often:
            if self.how == "dead":
                os._exit(0)
            if self.how != "illegal":
                raise MemoryError("no more") if self.how == "memory" else LookupError(f"at {where}")


class Plain(Rogue):
    """The same, in shards of the usual length."""

    imagines = False
