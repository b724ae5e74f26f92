"""The counters of a sitting, and answers that the referee does not read."""

from __future__ import annotations

import pytest

from roundsim import games
from roundsim.base.errors import RulesError
from roundsim.refereeing.referee import LONGEST, answer_text
from roundsim.refereeing.sitting import Sitting
from roundsim.table.chance import Source


def test_counters_that_come_from_nowhere_are_refused() -> None:
    game = games.named("pope-joan")
    sitting = Sitting(game, game.rules_for(3, None))
    deal = sitting.next_deal(Source("seed"))
    deal.net[0] += 1
    with pytest.raises(RulesError, match="pope-joan: counters are not conserved"):
        sitting.settle(deal)


@pytest.mark.parametrize("said", [7, None, b"pass", "x" * (LONGEST + 1)])
def test_an_answer_that_is_no_text_or_too_long(said: object) -> None:
    with pytest.raises(ValueError, match="no text, or too long"):
        answer_text(said)
    assert len(answer_text("x" * LONGEST)) == LONGEST
