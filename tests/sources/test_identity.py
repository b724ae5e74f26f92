"""The identity of strategies that exist only in a session."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable
from typing import Any

import pytest

from roundsim.sources.identity import Identity


def player(module: Any) -> Callable[[Any], Any]:
    def act(view: Any) -> Any:
        return module, view.legal[0]

    return act


@pytest.mark.parametrize(("module", "draws"), [(random, True), (statistics, False)])
def test_a_strategy_that_uses_random_draws(module: Any, draws: bool) -> None:
    assert Identity(player(module), "mine").draws is draws
