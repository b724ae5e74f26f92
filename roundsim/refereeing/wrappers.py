"""Wrappers of a strategy's answers: its own `random`, and its time bank."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

from ..table.chance import Chance
from .referee import Answer, Clock

Wrapper = Callable[[Answer], Answer]


def wrappers_of(shared: Chance | None, own: Chance | None, bank: float, clock: Clock) -> list[Wrapper]:
    """Return the wrappers of everything that a player is asked: for its own draws from the module `random`, and for its
    time bank, where it has them."""
    drawing = [drawing_alone(shared, own)] if shared and own else []
    return drawing + ([banked(bank, clock)] if bank else [])


def drawing_alone(shared: Chance, own: Chance) -> Wrapper:
    """Give a player its own chance in the module `random` while it is asked."""

    def wrapped(answer: Answer) -> Answer:
        def ask(*given: Any) -> Any:
            shared.go_on_as(own)
            try:
                return answer(*given)
            finally:
                own.go_on_as(shared)

        return ask

    return wrapped


def banked(bank: float, clock: Clock) -> Wrapper:
    """Give a player `bank` seconds of CPU for all its answers in a sitting; after that it is late."""
    left = bank

    def wrapped(answer: Answer) -> Answer:
        def ask(*given: Any) -> Any:
            nonlocal left
            start, clock.limit = process_time(), min(clock.usual, left)
            try:
                if left > 0:
                    return answer(*given)
            finally:
                left -= process_time() - start
                clock.limit = clock.usual
                if left <= 0:
                    raise clock.time_up("its bank for the sitting is used up")

        return ask

    return wrapped
