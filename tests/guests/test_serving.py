"""A mistake of ours, or of a game, while a guest is served is its fault, and ends nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from roundsim.guests.guest import Guest, serving


class Served:
    """What `serving` needs of a guest."""

    def __init__(self) -> None:
        self.losses = list[tuple[Any, ...]]()

    def lost(self, *given: Any) -> None:
        self.losses.append(given)

    only_key = Guest.only_key
    open: dict[int, Any] = {}

    @serving
    def fail(self, error: BaseException) -> None:
        raise error


def test_an_exception_loses_the_guest() -> None:
    guest = Served()
    guest.fail(ZeroDivisionError("by 0"))
    (kind, words, key, frames) = guest.losses.pop()
    assert (kind, words, key) == ("broken", "broke the protocol: ZeroDivisionError: by 0", None)
    assert frames.startswith("guests/guest.py:") and frames.endswith(" in served")
    with pytest.raises(MemoryError):
        guest.fail(MemoryError())
    assert not guest.losses
