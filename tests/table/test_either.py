"""The legal actions of one sequence after those of another."""

from __future__ import annotations

from roundsim.table.actions import PASS
from roundsim.table.cards import cards
from roundsim.table.legal import Amounts, Either
from roundsim.table.selections import Subsets


def test_each_action_has_its_place() -> None:
    one, other = Amounts((PASS,), "bet", 1, 3), Subsets("discard", cards("As Kd"), 0, 2)
    both = Either(one, other)
    assert [both[place] for place in range(len(both))] == [*one, *other]
    assert [both.place(said) for said in both] == [*range(len(both))]
