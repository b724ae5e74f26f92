"""The offers of Speculation in words."""

from __future__ import annotations

import pytest

from roundsim.games.speculation import Speculation
from roundsim.table.actions import Action, say
from roundsim.table.deal import Ask


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (say("sell-all", 5), "offers all his cards, unseen, for 5 or more"),
        (say("sell", 3), "offers his next card, unseen, for 3 or more"),
    ],
)
def test_one_card_or_all_of_them_are_offered(said: Action, words: str) -> None:
    deal = object.__new__(Speculation)
    assert deal.says(Ask(0, "last", (said,)), said) == words
