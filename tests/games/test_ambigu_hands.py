"""Ambigu: how many of the 91390 hands of four belong to each class, and what they are paid."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from roundsim.games.ambigu import (
    FLUSH,
    FREDON,
    PACK_40,
    POINT,
    PRIME,
    SEQUENCE,
    SEQUENCE_FLUSH,
    TRICON,
    TRICON_PRIME,
    judge,
)


@pytest.mark.soak
def test_every_hand() -> None:
    """By class and price; primes of more than 30 pips are paid one more, alone and in doublets."""
    hands = Counter((worth[0], price) for worth, price in map(judge, combinations(PACK_40, 4)))
    assert hands == {
        (POINT, 1): 78510,
        (PRIME, 2): 8994,
        (PRIME, 3): 636,
        (SEQUENCE, 3): 960,
        (TRICON, 4): 1080,
        (FLUSH, 5): 812,
        (TRICON_PRIME, 6): 284,
        (TRICON_PRIME, 7): 76,
        (SEQUENCE_FLUSH, 8): 28,
        (FREDON, 10): 7,
        (FREDON, 11): 3,
    }
