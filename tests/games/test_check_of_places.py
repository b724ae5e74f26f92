"""A legal action with a card of nobody's hand, planted: a property of every game finds it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from roundsim.table.actions import say
from roundsim.table.cards import cards
from roundsim.table.deal import Ask
from roundsim.testing.properties import check_places


def test_a_seat_plays_only_what_it_holds() -> None:
    own, other = cards("As Kd")
    deal: Any = SimpleNamespace(hands=[[own]], actions=[], pack=SimpleNamespace(cards=[other]), rules=None)
    check_places(deal, Ask(0, "play", (say("play", own),)))
    with pytest.raises(AssertionError, match="seat 0 may play what it does not hold"):
        check_places(deal, Ask(0, "play", (say("play", other),)))
