"""Ambigu: how many of the 91390 hands of four belong to each class, and what they are paid."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from roundsim.games import ambigu
from roundsim.games.ambigu import PACK_40, POINT, PRIME, SEQUENCE, TRICON_PRIME, judge


@pytest.mark.soak
def test_every_hand() -> None:
    """By class and price; primes of more than 30 pips are paid one more, alone and in doublets."""
    hands = Counter((worth[0], price) for worth, price in map(judge, combinations(PACK_40, 4)))
    assert hands == {
        **{(POINT, 1): 78510, (PRIME, 2): 8994, (PRIME, 3): 636, (SEQUENCE, 3): 960, (ambigu.TRICON, 4): 1080},
        **{(ambigu.FLUSH, 5): 812, (TRICON_PRIME, 6): 284, (TRICON_PRIME, 7): 76, (ambigu.SEQUENCE_FLUSH, 8): 28},
        **{(ambigu.FREDON, 10): 7, (ambigu.FREDON, 11): 3},
    }
