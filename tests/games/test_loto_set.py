"""The set of cards of Loto: what is true of every set, and the first card of the first."""

from __future__ import annotations

from collections import Counter

import pytest

from roundsim.base.errors import CardError
from roundsim.games.loto.cards import card_set, rows_of


def column(number: int) -> int:
    return min(number // 10, 8)


def test_the_first_card_of_the_first_set() -> None:
    assert card_set(1)[0] == "3 26 32 56 80 / 14 49 66 75 88 / 19 29 38 68 78"


@pytest.mark.parametrize("seed", [0, 1, 2, 1891, 10**30])
def test_a_set_is_four_strips_in_which_every_number_stands_once(seed: int) -> None:
    cards = [rows_of(card) for card in card_set(seed)]
    assert len({*cards}) == 24
    for strip in range(0, 24, 6):
        assert sorted(n for card in cards[strip : strip + 6] for row in card for n in row) == [*range(1, 91)]
    for card in cards:
        assert all(len({column(number) for number in row}) == 5 for row in card)
        in_column = Counter(column(number) for row in card for number in row)
        assert sorted(in_column.values()) == [1, 1, 1, 2, 2, 2, 2, 2, 2]


def test_a_card_with_a_mistake_is_refused() -> None:
    rows = "1 10 20 30 40 / 11 21 31 41 50"
    wrong = "", "1 10 20 30 40", f"{rows} / 2 22 51 60", f"{rows} / 2 22 51 60 1"
    first = [f"{card} / 2 22 51 60 70" for card in (f"0{rows[1:]}", rows.replace("40", "91"), f"a{rows[1:]}")]
    for card in *wrong, *first:
        with pytest.raises(CardError, match="no card of loto"):
            rows_of(card)
