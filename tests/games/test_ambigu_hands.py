"""Ambigu: how many of the 91390 hands of four belong to each class, and what they are paid."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from roundsim.games import ambigu


@pytest.mark.soak
def test_every_hand() -> None:
    """By class and price; primes of more than 30 pips are paid one more, alone and in doublets."""
    hands = Counter((worth[0], price) for worth, price in map(ambigu.judge, combinations(ambigu.PACK_40, 4)))
    assert hands == {
        (ambigu.POINT, 1): 78510,
        (ambigu.PRIME, 2): 8994,
        (ambigu.PRIME, 3): 636,
        (ambigu.SEQUENCE, 3): 960,
        (ambigu.TRICON, 4): 1080,
        (ambigu.FLUSH, 5): 812,
        (ambigu.TRICON_PRIME, 6): 284,
        (ambigu.TRICON_PRIME, 7): 76,
        (ambigu.SEQUENCE_FLUSH, 8): 28,
        (ambigu.FREDON, 10): 7,
        (ambigu.FREDON, 11): 3,
    }
