"""Vingt-un by the cards that are unseen: values settled by hand, and by walking through every row of cards."""

from __future__ import annotations

from fractions import Fraction

import pytest
from roundsim_strategies.vingt_un_expert import second_card, worth_against, worth_of_first, worth_to_banker
from roundsim_strategies.vingt_un_expert.counting import (
    ALL_CARDS,
    HIGH,
    OVER,
    Play,
    Unseen,
    against_banker,
    against_player,
    box_of,
    count,
    pays,
    stands,
)

from roundsim.table.cards import cards

MIXED = [1, 1, 4, 5, 7, 7, 9, 10, 10, 10, 10]


def test_an_ace_counts_eleven_where_it_may() -> None:
    boxes = {"As Kd": (11, True), "As Ad 9c": (11, True), "As Kd 5c": (16, True), "Td Js 2c": (22, False)}
    assert {hand: box_of(cards(hand)) for hand in boxes} == boxes
    assert [count(box) for box in boxes.values()] == [21, 21, 16, 22]


def test_a_banker_of_tens_and_sixes() -> None:
    """The card under a ten is a ten in one of three cases, a six in two: the banker stands on twenty and on sixteen."""
    unseen = Unseen([6, 6, 10, 10])
    natural, boxes = unseen.boxes(HIGH)
    ends = unseen.ends(boxes)
    assert natural == 0
    assert ends[16] == pytest.approx(2 / 3)
    assert ends[20] == pytest.approx(1 / 3)
    play = Play(unseen, against_banker(ends))
    assert play.worth((17, False)) == pytest.approx(1 / 3)  # it beats sixteen alone
    assert play.to_draw((17, False)) == -1
    assert play.worth((11, False)) == pytest.approx((2 + 1 / 3) / 2)  # twenty-one, paid double, or seventeen
    assert play.worth((15, False)) == pytest.approx((2 - 1) / 2)  # twenty-one or over


def test_naturals() -> None:
    """One ace and three tens: the banker has a natural in half of all cases, else twenty, and a ten draws to that."""
    unseen = Unseen([1, 10, 10, 10])
    natural, boxes = unseen.boxes(HIGH)
    assert natural == pytest.approx(1 / 2)
    assert boxes == {(20, False): pytest.approx(1)}
    play = Play(unseen, against_banker(unseen.ends(boxes)))
    assert play.worth((20, False)) == pytest.approx(2 / 4 - 3 / 4)  # to stand is to lose a tie
    assert second_card(unseen, play, 10) == pytest.approx((1 / 4, 3 / 4 * (-1 / 4)))
    lost_or_won = (2 * 1 / 4 - 3 / 16) / 2 - 2 * (3 / 4) / 2
    assert worth_against(unseen, 10, HIGH) == pytest.approx(lost_or_won)
    assert worth_of_first(unseen, 10) == pytest.approx(2 * lost_or_won)  # the banker always doubles


def test_a_banker_against_two_tens() -> None:
    """A player who has twenty for sure loses to twenty, and pays double to a natural, or to the twenty-one of an eleven."""
    unseen = Unseen([10] * 8)
    assert worth_to_banker(unseen, 10, [10]) == pytest.approx(1)
    assert Play(unseen, against_player(unseen.ends({(20, False): 1}))).worth((11, False)) == pytest.approx(2)


def test_every_row_of_cards() -> None:
    unseen, start = Unseen(MIXED), (7, False)
    share = {card: Fraction(MIXED.count(card), len(MIXED)) for card in ALL_CARDS}
    ends = [Fraction(0)] * (OVER + 1)

    def walk(row: tuple[int, ...], chance: Fraction) -> None:
        low, ace = sum(row), 1 in row
        if chance and (low > 21 or stands((low, ace))):
            ends[OVER if low > 21 else low + 10 * (ace and low < 12)] += chance
        elif chance:
            for card in ALL_CARDS:
                walk((*row, card), chance * share[card])

    walk((7,), Fraction(1))
    assert unseen.ends({start: 1.0}) == pytest.approx([float(end) for end in ends])
    play = Play(unseen, against_banker([float(end) for end in ends]))

    def best(row: tuple[int, ...]) -> Fraction:
        low, ace = sum(row), 1 in row
        if low > 21:
            return Fraction(-1)
        mine = low + 10 * (ace and low < 12)
        stand = sum((chance * pays(mine, his) for his, chance in enumerate(ends)), Fraction(0))
        return max(stand, sum((share[card] * best((*row, card)) for card in ALL_CARDS if share[card]), Fraction(0)))

    for row in (10, 2), (1, 5), (10, 6):
        assert play.worth((sum(row), 1 in row)) == pytest.approx(float(best(row)))


def test_payments() -> None:
    assert [pays(mine, 20) for mine in (19, 20, 21, OVER)] == [-1, -1, 2, -1]
    assert [pays(mine, 21) for mine in (20, 21, OVER)] == [-2, -1, -1]
    assert [pays(mine, OVER) for mine in (12, 21, OVER)] == [1, 2, -1]
