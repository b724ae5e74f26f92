"""All draws by their ranks, against the draws themselves, card by card."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb
from types import SimpleNamespace

import pytest

from roundsim.mechanics.hands import ranking_of
from roundsim.odds.draws import all_draws, numbered_draws, ways
from roundsim.table.cards import PACK, cards

RANKING = ranking_of(SimpleNamespace())


def test_a_whole_pack_has_as_many_draws_as_there_are() -> None:
    found, every = ways(PACK), numbered_draws()
    for k in range(6):
        assert sum(found[at] for at in every.numbers[k]) == comb(52, k)
    assert [len(each) for each in every.numbers] == [1, 13, 91, 455, 1820, 6188]  # comb(12 + k, k)


@pytest.mark.parametrize("held", ["As Kd 9h 9c", "2s 2d 7h", "As 5d", "Tc"])
def test_the_results_of_draws_and_how_often(held: str) -> None:
    """Hands of one suit are counted by their ranks, too; all others come to what they are."""
    kept = cards(held)
    stock = [card for card in PACK if card not in kept and card[0] in "A59TK" and card != "9d"]
    draws = list(combinations(stock, 5 - len(kept)))
    drawn = Counter(-RANKING.key([*kept, *draw]) for draw in draws if len({card.suit for card in [*kept, *draw]}) > 1)
    table, of_each = all_draws(RANKING), ways(stock)
    keys, numbers = table.to(tuple(sorted("23456789TJQKA".index(card[0]) for card in kept)))
    assert list(keys) == sorted(keys)
    found = Counter[int]()
    for key, number in zip(keys, numbers, strict=True):
        found[key] += of_each[number]
    assert drawn - found == Counter() and found.total() == len(draws)


def test_flushes_are_all_hands_of_a_suit() -> None:
    flushes = all_draws(RANKING).flushes("h")
    assert len(flushes) == len({ranks for _, ranks in flushes}) == comb(13, 5)
    best, worst = flushes[0], flushes[-1]
    assert best[1] == 0b1111100000000 and worst[1] == 0b0000000101111  # A K Q J T; 7 5 4 3 2 in one suit
