"""Cassino's expert compared with the game: its plays on bits, and the values that it gives them at the end."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundsim_strategies.cassino_expert import Known, mask, plays

import roundsim
from roundsim.games.cassino import BIT, full_takings
from roundsim.table.cards import PACK, Card


@given(st.lists(st.sampled_from(PACK), min_size=1, max_size=12, unique=True), st.integers(1, 4))
def test_the_plays_on_bits_are_those_of_the_game(cards: list[Card], size: int) -> None:
    hand, board = cards[:size], cards[size:]
    found = plays(mask(hand), mask(board))
    takings = {(BIT[card], mask(taken)) for card, *taken in full_takings(hand, board)}
    assert len(found) == len({*found})
    assert {*found} == (takings or {(BIT[card], 0) for card in hand})


def played_to(table: roundsim.Table, seed: int, said: list[str]) -> None:
    table.begin(seed)
    for each in said:
        table.say(each)


def best_for(seat: int, table: roundsim.Table, seed: int, said: list[str]) -> int:
    """The net of a seat if its side plays for it and the others against it, by playing all ends of the deal."""
    played_to(table, seed, said)
    if table.over:
        return table.nets[seat]
    view = table.view()
    side = max if view.seat == seat or view.seat in table.view(seat).partners else min
    return side([best_for(seat, table, seed, [*said, each]) for each in view.legal])


@pytest.mark.parametrize("players", [2, 4])
@given(seed=st.integers(0, 10**6))
def test_the_last_plays_are_worth_what_the_game_pays(players: int, seed: int) -> None:
    """Hands drawn by chance are played at random up to the last two or three cards of each."""
    table, rng, said = roundsim.Table("cassino", players, deals=1), Random(seed), list[str]()
    table.begin(seed)
    view: Any = table.view()
    while view.stock or len(view.hand) > (3 if players == 2 else 2):
        said.append(rng.choice(view.legal))
        table.say(said[-1])
        if table.over:
            return
        view = table.view()
    known = Known(view)
    hands = [mask(table.deal.hands[(view.seat + place) % players]) for place in range(players)]
    values = {str(action): known.after(action, hands, search=True) for action in view.legal}
    assert all(not hand & lacks for hand, lacks in zip(hands, known.lacks, strict=True))
    assert values == {each: best_for(view.seat, table, seed, [*said, each]) for each in values}
