"""The guests of a worker: which of them end when there are too many."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from roundsim.guests import pool


def test_the_longest_idle_ends_before_another_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two may live. Those of this stage do not end, so that at last there are three."""
    ended = list[int]()

    def begin(guests: Any, entry: Any, entrant: int, *_: Any) -> Any:
        return SimpleNamespace(open={}, stage=0, end=lambda: ended.append(entrant))

    monkeypatch.setattr(pool, "MOST_GUESTS", 2)
    monkeypatch.setattr(pool.Guests, "begin", begin)
    nothing: Any = None
    guests = pool.Guests(nothing, nothing)
    entry: Any = SimpleNamespace(strategies="abcde", home="", game="nap", name="nap")
    for entrant in (0, 1):
        guests.of(entry, entrant, 0, 0)
    guests.begin_stage()
    guests.of(entry, 2, 0, 0)
    assert ended == [0]
    guests.of(entry, 3, 0, 0)
    guests.of(entry, 4, 0, 0)
    assert ended == [0, 1] and len(guests.living) == 3
