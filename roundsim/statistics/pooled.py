"""The differences of several games as one sequence, each divided by a scale of its game."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import sqrt

from .stopping import EARLIEST, Decision, Mixture

Round = Sequence[float | None]  # the difference of each game's block; None if the two did not meet in it


class Scale:
    """The root mean square of a game's blocks up to the 80th that differs from 0.

    It depends on the sizes of the differences, not on their signs, so a mixture of the scaled differences keeps its
    promise. `value` is None before."""

    def __init__(self) -> None:
        self.blocks, self.changed, self.squares = 0, 0, 0.0
        self.value: float | None = None

    def add(self, difference: float) -> None:
        if self.value is None:
            self.blocks += 1
            self.changed += difference != 0
            self.squares += difference * difference
            if self.changed == EARLIEST:
                self.value = sqrt(self.squares / self.blocks)


class Pooled:
    """A mixture over several games, round by round: block b of each game, then b + 1.

    A round waits until the scales of its differences are known, and nothing is decided while one waits. A block without
    a difference needs no scale."""

    def __init__(self, games: int, alpha: float) -> None:
        self.mixture, self.scales = Mixture(alpha), [Scale() for _ in range(games)]
        self.waiting = deque[Round]()

    def add(self, differences: Round) -> None:
        for scale, difference in zip(self.scales, differences, strict=True):
            if difference is not None:
                scale.add(difference)
        self.waiting.append(differences)
        while self.waiting and all(
            not each or scale.value for each, scale in zip(self.waiting[0], self.scales, strict=True)
        ):
            for difference, scale in zip(self.waiting.popleft(), self.scales, strict=True):
                if difference is not None:
                    self.mixture.add(difference / (scale.value or 1.0))

    def decision(self) -> Decision:
        return Decision.UNDECIDED if self.waiting else self.mixture.decision()
