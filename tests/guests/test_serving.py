"""A guest on both sides: a mistake while it is served, the key of a question, the bank of a seat."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from roundsim.games.nap import Nap
from roundsim.guests.guest import Guest, serving
from roundsim.guests.inside import shim
from roundsim.guests.question import GuestQuestion
from roundsim.refereeing import wrappers
from roundsim.refereeing.referee import Clock, TimeUp
from roundsim.sources.strategy import Seated


class Served:
    """The part of a guest that `serving` needs."""

    def __init__(self) -> None:
        self.losses = list[tuple[Any, ...]]()

    def lost(self, *given: Any) -> None:
        self.losses.append(given)

    only_key = Guest.only_key
    open: dict[int, Any] = {}

    @serving
    def fail(self, error: BaseException) -> None:
        raise error


def test_a_question_has_its_own_key_and_an_exception_loses_the_guest() -> None:
    question = GuestQuestion(("1/1/1/1", 0, "call", 2), None)
    assert question.key == ("1/1/1/1", 0, "call", 2)
    later: Any = GuestQuestion(None, None)
    later.table = SimpleNamespace(key_of=lambda asked: ("1/1/1/2", 1, "play", int(asked is later)))
    assert later.key == ("1/1/1/2", 1, "play", 1)
    guest = Served()
    guest.fail(ZeroDivisionError("by 0"))
    (kind, words, key, frames) = guest.losses.pop()
    assert (kind, words, key) == ("broken", "broke the protocol: ZeroDivisionError: by 0", None)
    assert frames.startswith("guests/guest.py:") and frames.endswith(" in served")
    with pytest.raises(MemoryError):
        guest.fail(MemoryError())
    assert not guest.losses


def test_a_seat_of_a_guest_has_its_bank(monkeypatch: pytest.MonkeyPatch) -> None:
    """To take the seat needs none of the 2 seconds, each answer 1.5: the second is late."""
    now = iter([0.0, 0.0, 0.0, 1.5, 1.5, 3.0])
    monkeypatch.setattr(wrappers, "process_time", lambda: next(now))
    asked = {"game": "nap", "players": 3, "given": {}, "draws": False, "memory": 1, "bank": 2.0}
    wire: Any = SimpleNamespace(see=None)
    inside: Any = shim.Shim(wire, asked, Clock(5))
    assert inside.free == 1 << 20  # the MiB that it asks for
    inside.seated = Seated(lambda view: "pass", {}, Nap)
    assert inside.on_sit(1, 7, 0, "", "00" * 64, None) is None
    answer = inside.seats[7].answers["call"]
    assert answer(None) == "pass"
    with pytest.raises(TimeUp, match="its bank for the sitting is used up"):
        answer(None)
