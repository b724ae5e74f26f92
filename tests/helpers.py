"""What several of our own tests share; what the author of any game needs is in `roundsim.testing`."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from roundsim.table.chance import Source
from roundsim.table.options import Rules
from roundsim.testing import Played
from roundsim.testing.exchange import seen_before
from roundsim.testing.sittings import copy_of


def examples(quick: int) -> pytest.MarkDecorator:
    """So many examples, and five times as many in the soak run."""
    return pytest.mark.parametrize("examples", [quick, pytest.param(5 * quick, marks=pytest.mark.soak)])


# A game in which a strategy is as good as the number that it says.

BOAST = '''
from roundsim.table.actions import say
from roundsim.table.deal import Ask, Deal


class Boast(Deal):
    """Each says a number, and is paid it by each of the others. The first legal action is 30."""

    id = "boast"
    title = "Boast"
    family = "none"
    seats = (2, 6)
    usual = (3, 4)
    source = "a test"
    phases = {"claim": "`claim 5`: what each of the others pays"}

    def deal(self):
        for seat in self.round_from(self.eldest):
            said = yield Ask(seat, "claim", tuple(say("claim", n) for n in (30, *range(30), *range(31, 50))))
            for other in self.round_from(seat)[1:]:
                self.pay(other, seat, said.amount)
'''


# The same game of loto with what is yet to come in another order.


class OtherOrder(Source):
    """The same chance, but for the cards in the stock below the top ones, and for the knobs."""

    __slots__ = ("top",)

    def __init__(self, name: str, top: int) -> None:
        super().__init__(name)
        self.top = top

    def shuffled(self, things: Any, what: str) -> list[Any]:
        order = super().shuffled(things, what)
        return self.below_the_top(order) if what == "stock" else order[::-1]

    def below_the_top(self, order: list[Any]) -> list[Any]:
        return order[: self.top] + order[self.top :][::-1]


def check_orders(rules: Rules, played: Played, rng: Random) -> None:
    """Up to some question, all views are the same whatever comes from the stock after it, and from the bag."""
    deal, until = played.deal, rng.randrange(len(played.deal.asked))
    taken = [1 if said.verb == "change" else said.amount * (said.verb != "throw") for said in deal.actions[:until]]
    source, state = OtherOrder(played.name, sum(taken)), copy_of(played.before)
    state.carry["in_stock"] = source.below_the_top(state.carry["in_stock"])
    first = seen_before(played.again(rules), deal.actions, until)
    second = seen_before(rules.played_by(rules, state, source), deal.actions, until)
    assert first == second, f"question {until + 1} shows what it must not"
