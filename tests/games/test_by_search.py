"""Rules that games compute in a clever way, each compared with its book, by trying all cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

import pytest
from helpers.command import seldom
from hypothesis import given
from hypothesis import strategies as st

from roundsim.games.cassino import full_takings
from roundsim.games.loto.cards import KNOBS, card_set, rows_of
from roundsim.games.loto.first_method import when_whole
from roundsim.games.my_bird_sings.game import Singing, suits_of
from roundsim.mechanics import tricks
from roundsim.table.actions import PASS, Action, actions_for, say
from roundsim.table.cards import CARD, PACK, Card

THROW = {card: say("throw", card) for card in PACK}


def some(least: int, most: int) -> st.SearchStrategy[list[Card]]:
    return st.lists(st.sampled_from(PACK), min_size=least, max_size=most, unique=True)


def splits(cards: Sequence[Card], value: int) -> bool:
    """Whether all of these cards lie in groups that pair with a card of this value, or add up to it."""
    if not cards:
        return True
    first, rest = cards[0], cards[1:]
    for more in range(len(rest) + 1):
        for others in combinations(rest, more):
            if goes(others + (first,), value) and splits([card for card in rest if card not in others], value):
                return True
    return False


def goes(group: Sequence[Card], value: int) -> bool:
    values = ["A23456789TJQK".index(card[0]) + 1 for card in group]
    return values == [value] or value <= 10 and max(values) <= 10 and sum(values) == value


def takings(card: Card, board: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """All choices of board cards that go with it and leave none that would go."""
    value = "A23456789TJQK".index(card[0]) + 1
    every = [those for many in range(len(board) + 1) for those in combinations(board, many)]
    goers = [those for those in every if those and goes(those, value)]
    for those in every:
        left = [group for group in goers if not {*group} & {*those}]
        if those and not left and splits(those, value):
            yield card, *those


@given(some(1, 4), some(0, 8))
def test_the_cards_that_a_hand_takes_at_cassino(hand: list[Card], board: list[Card]) -> None:
    found = full_takings(hand, board)
    assert sorted(found) == sorted(each for card in hand for each in takings(card, board))
    order = [(hand.index(card), len(taken), sum(1 << PACK.index(each) for each in taken)) for card, *taken in found]
    assert order == sorted(order)


@pytest.mark.soak
@pytest.mark.parametrize("without", [{"Ac", "2c"}, *seldom(set[str]())], ids=len)
def test_a_board_of_many_small_cards_is_taken_too(without: set[str]) -> None:
    """Fourteen cards from ace to four, or all sixteen, hold more than 64 groups of ten."""
    board = [card for card in PACK if card[0] in "A234" and card not in without]
    assert sum(goes(group, 10) for many in (3, 4, 5, 6) for group in combinations(board, many)) > 64
    found = full_takings([CARD["Th"]], board)
    assert len(found) == len({*found}) > 1
    for _, *taken in found:
        left = [card for card in board if card not in taken]
        assert splits(taken, 10)
        assert not any(goes(group, 10) for many in range(1, len(left) + 1) for group in combinations(left, many))


@given(some(0, 6), st.sampled_from([3, 4]), st.sampled_from([(1,), (1, 4), (4,), (2,), ()]))
def test_when_a_bird_sings(hand: list[Card], cards: int, kinds: tuple[int, ...]) -> None:
    birds = [bird for bird in permutations(hand, cards) if len({card.suit for card in bird}) in kinds]
    assert Singing(cards, kinds)[suits_of(hand)] is bool(birds)


@given(st.permutations(KNOBS), st.lists(st.lists(st.sampled_from(card_set(1)), min_size=1), min_size=1, max_size=4))
def test_when_rows_are_whole(order: list[int], held: list[list[str]]) -> None:
    """Knob by knob, as they are covered on the cards."""
    found = when_whole(order, [[rows_of(card) for card in cards] for cards in held])
    for cards, times in zip(held, zip(*found, strict=True), strict=True):
        seen = dict[int, int]()
        for drawn in range(90):
            covered = {*order[: drawn + 1]}
            whole = max(sum({*row} <= covered for row in rows_of(card)) for card in cards)
            for rows in range(1, whole + 1):
                seen.setdefault(rows, drawn)
        assert times == (seen[1], seen[2], seen[3])


@given(some(0, 6), some(0, 2))
def test_actions_of_each_card(hand: list[Card], other: list[Card]) -> None:
    legal = [PASS, *[f"throw {card}" for card in hand], *[f"play {card}" for card in hand]]
    plays = {card: card.play for card in PACK}
    assert [*actions_for(hand, (PASS,), THROW, plays)] == [*actions_for(tuple(hand), (PASS,), THROW, plays)] == legal
    assert actions_for(hand + other, ()) == ()


CARDS = st.lists(st.sampled_from([*CARD.values()]), max_size=8)


@given(CARDS, CARDS)
def test_cards_that_may_follow(hand: list[Card], trick: list[Card]) -> None:
    """All cards of the suit led, or all cards."""
    led = [card for card in hand if trick and card.suit == trick[0].suit]
    assert tricks.may_play(hand, trick) == tuple(f"play {card}" for card in led or hand)
    assert all(type(action) is Action for action in tricks.may_play(tuple(hand), tuple(trick)))


@given(CARDS.filter(bool), st.sampled_from(["s", "h", "d", "c", None]))
def test_the_card_that_takes(trick: list[Card], trumps: str | None) -> None:
    """The highest trump, or else the highest of the suit led; of equal cards the first."""
    of = [card for card in trick if card.suit == trumps] or [card for card in trick if card.suit == trick[0].suit]
    assert tricks.taker(trick, trumps) == trick.index(max(of, key=lambda card: card.rank))
