"""The checks of `roundsim.testing` find what they are for, in a deal made by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from roundsim.table.actions import PASS
from roundsim.table.cards import cards
from roundsim.table.deal import Ask
from roundsim.testing.properties import check_places


def test_a_card_that_may_be_played_must_be_in_the_hand() -> None:
    hands = [cards("As Kd"), cards("Qh")]
    deal: Any = SimpleNamespace(hands=hands, actions=[], pack=SimpleNamespace(cards=[]), rules=None)
    check_places(deal, Ask(0, "play", (hands[0][0].play,)))
    check_places(deal, Ask(0, "call", (PASS, hands[1][0].play)))
    with pytest.raises(AssertionError, match="may play what it does not hold"):
        check_places(deal, Ask(0, "play", (hands[1][0].play,)))
