"""The steps of betting, exchange and hands of poker, each compared with its book, at random."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundsim.games.straight_poker import StraightPoker
from roundsim.mechanics.betting import FOLD_OR_CALL, able
from roundsim.mechanics.exchange import KNOCK, draws_of, exchanges
from roundsim.mechanics.hands import Ranking
from roundsim.table.actions import Action, naming
from roundsim.table.cards import JOKER, PACK, Card
from roundsim.table.legal import Amounts, amounts

SEATS = st.lists(st.integers(0, 5), unique=True)
COUNTERS = st.one_of(st.integers(-9, 9), st.integers(-(2**70), 2**70))


def some(least: int, most: int) -> st.SearchStrategy[list[Card]]:
    return st.lists(st.sampled_from([*PACK, JOKER]), min_size=least, max_size=most, unique=True)


@given(SEATS, SEATS, st.one_of(st.none(), st.lists(st.integers(0, 3), min_size=6, max_size=6)))
def test_seats_that_are_able(seats: list[int], still_in: list[int], stacks: list[int] | None) -> None:
    """In the order of the seats; a seat without counters is not asked."""
    left = {seat for seat in range(6) if stacks is None or stacks[seat] > 0}
    found = able(tuple(seats), still_in, stacks)
    assert {*found} == {*seats} & {*still_in} & left
    assert sorted(found, key=seats.index) == found


@given(st.integers(0, 3), COUNTERS, st.lists(COUNTERS, min_size=4, max_size=4), st.booleans())
def test_a_seat_pays_no_more_than_it_has(payer: int, due: int, net: list[int], with_stacks: bool) -> None:
    """Seat 1 has it in its stake, whoever pays."""
    stacks = [3, 50, 0, 7] if with_stacks else None
    deal = object.__new__(StraightPoker)
    deal.net, deal.stacks, deal.stake = [*net], [*stacks] if stacks else None, [0, 5, 0, 0]
    deal.put_up(1, due, payer=payer)
    counters = min(due, stacks[payer]) if stacks else due
    own = [counters if seat == payer else 0 for seat in range(4)]
    assert deal.stake == [0, 5 + counters, 0, 0]
    assert deal.net == [before - moved for before, moved in zip(net, own, strict=True)]
    if stacks:
        assert deal.stacks == [before - moved for before, moved in zip(stacks, own, strict=True)]


@given(st.integers(-3, 200), st.integers(-3, 200))
def test_amounts_are_counted_up(low: int, high: int) -> None:
    low = max(low, 0)
    legal = amounts(FOLD_OR_CALL, "raise", low, high)
    assert [*legal] == ["fold", "call", *[f"raise {counters}" for counters in range(low, high + 1)]]
    assert type(legal) is (Amounts if high >= 128 and high >= low else tuple)
    assert all(type(action) is Action for action in legal)


@given(st.sampled_from(["discard", "show"]), some(0, 5))
def test_an_action_names_its_cards(verb: str, cards: list[Card]) -> None:
    """As it does when its text is read."""
    for named in cards, tuple(cards):
        made, read = naming(verb, named), Action(" ".join([verb, *cards]))
        assert made == read and type(made) is Action
        assert all(getattr(made, name) == getattr(read, name) for name in Action.__slots__)


@given(some(1, 5), some(1, 5), st.booleans())
def test_any_card_of_the_table_for_any_of_the_hand(table: list[Card], hand: list[Card], both: bool) -> None:
    table = [card for card in table if card not in hand and card is not JOKER]
    hand = [card for card in hand if card is not JOKER]
    legal = exchanges((KNOCK,), table, hand, (KNOCK,) * both, draws_of)
    draws = [f"draw {taken} {laid}" for taken in table for laid in hand]
    assert [*legal] == ["knock", *draws, *["knock"] * both] and type(legal) is tuple
    with pytest.raises(KeyError):  # nobody draws the joker
        exchanges((), [PACK[0]], [JOKER], (), draws_of)


@pytest.mark.parametrize("options", [{}, {"suits": "hearts-top"}, {"joker_tie": "natural", "blaze": "wray"}])
def test_a_hand_has_the_same_key_at_any_time(options: dict[str, Any]) -> None:
    """Whether it was computed before or not, and in whatever order its cards are."""
    used, fresh = Ranking(**options), Ranking(**options)
    for at in range(0, 53 * 40, 7):
        hand = [[*PACK, JOKER][(at * k * k + 11 * k + at // 3) % 53] for k in range(1, 6)]
        if len({*hand}) == 5:
            key = fresh._key_by_suits(hand)
            assert used.key(hand) == used.key(hand[::-1]) == used.key(tuple(hand)) == key
