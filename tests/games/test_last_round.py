"""The last round of Loo, in a sitting with a known number of deals."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from roundsim.games.loo import Loo
from roundsim.testing import Table, play_sitting


@pytest.mark.parametrize("variant", ["three-card", "five-card"])
def test_the_last_deal_of_a_sitting_is_the_last_round(variant: str) -> None:
    """All stand and the pool is emptied, whoever wins tricks; the deals before are as ever."""
    for seed in Random(5).sample(range(1000), 5):
        deals, end = play_sitting(Table(Loo, 4, {"variant": variant, "last_round": "all_stand"}), seed)
        each: list[Any] = [played.deal for played in deals]
        *before, last = each
        assert [deal.last_round for deal in before] == [False] * 3 and before[0].faced
        assert sorted(last.standing) == [0, 1, 2, 3] and not any(deals[-1].after.pools.values())
        assert end.deal.net == [0] * 4
