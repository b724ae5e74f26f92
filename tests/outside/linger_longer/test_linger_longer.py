"""Run with pytest: what must be true of every game, and deals that were settled by hand."""

from collections.abc import Callable
from pathlib import Path

import linger_longer
import pytest
from linger_longer import LingerLonger

import roundsim
from roundsim.game import Deal
from roundsim.testing import PROPERTIES


@pytest.mark.parametrize("holds", PROPERTIES)
def test_linger_longer(holds: Callable[[type[Deal]], None]) -> None:
    holds(LingerLonger)


def test_deals() -> None:
    roundsim.allow_game(linger_longer.__file__)
    outcome = roundsim.check_script(Path(__file__).parent / "deals")
    assert outcome.passed == 3 and not outcome.failed, "\n".join(outcome.lines)
