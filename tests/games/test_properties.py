"""Properties of every game at every table, however it is played; later games are tested at once."""

from __future__ import annotations

import inspect
import random
from collections import deque
from collections.abc import Iterator
from math import ceil
from random import Random
from typing import Any

import pytest
from helpers import deals
from helpers.command import drawn, seldom, seldom_with
from helpers.deals import examples
from hypothesis import Phase, settings

from roundsim import games
from roundsim.base.errors import RulesError
from roundsim.games.loto import Loto, LotoRules
from roundsim.games.loto.first_method import FirstMethod
from roundsim.games.loto.second_method import SecondMethod
from roundsim.games.nap import Nap
from roundsim.table.actions import Action
from roundsim.table.cards import Card
from roundsim.table.deal import Ask, Deal
from roundsim.table.view import public
from roundsim.testing import PROPERTIES, Table, for_any_sitting, play_sitting, properties
from roundsim.testing.exchange import check_exchange
from roundsim.testing.properties import Property
from roundsim.testing.views import check_hidden

MANY = drawn(2, 5)
# Factors of the usual number of examples, in the quick tests and in the soak; for other properties (0.25, MANY).
FACTORS: dict[Property, tuple[float, float]] = {
    properties.a_view_can_be_read_and_changes_nothing: (0.1, MANY),
    properties.every_value_of_every_option_can_be_played: (0.25, 1),  # once each
    properties.an_imagined_deal_shows_what_was_seen: (0.5, MANY),
    properties.nobody_can_tell_unseen_cards_apart: (0.6, drawn(3, 5)),  # few deals of some games can be judged
}
STEPS = {  # the quick tests try a property with every n-th game, other properties with every fifth; the soak with all
    properties.no_view_shows_what_is_hidden: 3,
    properties.nothing_unseen_is_imagined: 3,
    properties.every_value_of_every_option_can_be_played: 13,
    properties.an_imagined_deal_shows_what_was_seen: 9,
    properties.nobody_can_tell_unseen_cards_apart: 13,
}
# Fitting deals are searched for long, or have hundreds of questions; test_imagine.py has quick tests of My Bird Sings.
HARD: set[tuple[Property, str]] = {
    (properties.an_imagined_deal_shows_what_was_seen, "my-bird-sings"),
    (properties.an_imagined_deal_shows_what_was_seen, "speculation"),
    (properties.nothing_unseen_is_imagined, "my-bird-sings"),
}


@pytest.mark.parametrize(
    ("holds", "times", "name"),
    [
        pytest.param(
            *(holds, times, name),
            marks=[pytest.mark.soak] * (soak or (holds, name) in HARD),
            id=f"{holds.__name__}{' soak' * soak}-{name}",
        )
        for at, holds in enumerate(PROPERTIES)
        for soak, times in enumerate(FACTORS.get(holds, (0.25, MANY)))
        for step in (1 if soak else STEPS.get(holds, 5),)
        for name in games.ours()[at % step :: step]
    ],
)
def test_every_game(holds: Property, times: float, name: str) -> None:
    usual = inspect.signature(holds).parameters["examples"].default
    holds(games.find(name), ceil(times * usual))


def test_only_loto_is_played_without_cards_of_the_pack() -> None:
    """`PROPERTIES` do not test hiding there."""
    assert [name for name in games.ours() if not properties.has_cards(games.find(name))] == ["loto"]
    assert [name for name in games.ours() if not games.find(name).imaginable] == ["loto"]


@examples(8)
def test_no_view_shows_the_order_of_the_stock_and_the_bag_of_loto(examples: int) -> None:
    def check(table: Table, seed: int) -> None:
        for played in play_sitting(table, seed)[0]:
            deals.check_orders(table.rules, played, Random(seed))

    for_any_sitting(Loto, examples, check)


@pytest.fixture
def unshrunk() -> Iterator[None]:
    """A failure is not made smaller by running it again and again."""
    usual = settings.get_current_profile_name()
    settings.register_profile("unshrunk", phases=[Phase.generate])
    settings.load_profile("unshrunk")
    yield
    settings.load_profile(usual)


class ShowsTheSpareHand(Nap):
    class View(Nap.View):
        spare: tuple[Card, ...] = public("the spare hand, which nobody may see", before=())


class ShowsWhatWasBought(Nap):
    def seen(self, ask: Ask, action: Action) -> Action:
        return action


class ShowsHowHighTheHandsAre(Nap):
    class View(Nap.View):
        pips: tuple[float, ...] = public("the ranks of each hand, added up")

    @property
    def pips(self) -> list[float]:
        return [sum(card.rank for card in hand) for hand in self.hands]


class ShowsTheTopOfTheStock(Nap):
    class View(Nap.View):
        next_is_red: bool = public("whether the top card of the stock is red")

    @property
    def next_is_red(self) -> bool:
        return any(card.suit in "hd" for card in self.pack.cards[:1])


class ShowsTheStock(Loto):
    class View(Loto.View):
        lowest: tuple[int, ...] = public("the lowest number on the top card of the stock")

    @property
    def lowest(self) -> list[int]:
        return [min(map(min, self.rows[card])) for card in self.in_stock[:1]]


class ShowsTheStockOfTheFirst(ShowsTheStock, FirstMethod):
    pass


class ShowsTheStockOfTheSecond(ShowsTheStock, SecondMethod):
    pass


class RulesOfTheFirst(LotoRules, of=ShowsTheStockOfTheFirst):
    played_by = ShowsTheStockOfTheFirst


class RulesOfTheSecond(LotoRules, of=ShowsTheStockOfTheSecond):
    played_by = ShowsTheStockOfTheSecond


@pytest.mark.parametrize(("form", "method"), [(ShowsTheStockOfTheFirst, 1), (ShowsTheStockOfTheSecond, 2)])
def test_a_view_of_the_stock_of_loto_is_found(form: type[Loto], method: int) -> None:
    table = Table(form, 4, {"method": method})
    with pytest.raises(AssertionError, match="shows what it must not"):
        for seed in range(10):
            for played in play_sitting(table, seed)[0]:
                deals.check_orders(table.rules, played, Random(seed))


@pytest.mark.usefixtures("unshrunk")
@pytest.mark.parametrize("leaky", [ShowsTheSpareHand, *seldom(ShowsWhatWasBought)])
def test_a_hidden_card_that_is_named_is_found(leaky: type[Deal]) -> None:
    table = Table(leaky, 4, {"spare_hand": True, "buying": True, "kitty": "dealer"})
    with pytest.raises(AssertionError, match="which it cannot know"):
        for seed in range(10):
            play_sitting(table, seed, check_hidden)
    with pytest.raises(AssertionError, match="which it cannot know"):
        properties.no_view_shows_what_is_hidden(leaky, 40)


@pytest.mark.usefixtures("unshrunk")
@pytest.mark.parametrize("leaky", [ShowsHowHighTheHandsAre, *seldom(ShowsTheTopOfTheStock)])
def test_a_value_that_depends_on_a_hidden_card_is_found(leaky: type[Deal]) -> None:
    table, rng = Table(leaky, 4, {}), Random(1)
    with pytest.raises(AssertionError, match="which it has not seen"):
        for seed in range(50):
            for played in play_sitting(table, seed)[0]:
                check_exchange(table.rules, played, rng)
    with pytest.raises(AssertionError, match="which it has not seen"):
        properties.nobody_can_tell_unseen_cards_apart(leaky, 40)


class LosesACounter(Nap):
    def settle(self) -> None:
        super().settle()
        self.net[self.senior] -= 1


class KeepsACard(Nap):
    def gather(self, winner: int) -> None:
        super().gather(winner)
        self.hands[winner] += self.tricks[-1][1][:1]


class GivesNoReason(Nap):
    def refusal(self, ask: Ask, said: Action) -> str:
        return ""


class CanBeChanged(Nap):
    class View(Nap.View):
        turns: Any = public("who comes next")

    @property
    def turns(self) -> deque[int]:
        return deque(self.order)


class DrawsFromElsewhere(Nap):
    def settle(self) -> None:
        self.value *= random.randrange(1, 10**6)
        super().settle()


class IsPaidMoreThanItSays(Nap):
    @classmethod
    def bound(cls, rules: Any) -> int | None:
        return 4


class NeverAsks(Nap):
    phases = {**Nap.phases, "double": "`double`, which nobody is asked"}


MISTAKES: list[tuple[type[Deal], Property, str]] = [
    (LosesACounter, properties.counters_are_conserved, "counters are not conserved"),
    (KeepsACard, properties.every_card_is_in_one_place, "one card in two places"),
    (IsPaidMoreThanItSays, properties.nobody_wins_or_loses_more_than_the_bound, "more than the bound"),
    (DrawsFromElsewhere, properties.a_record_replays_to_the_same, "played again from its record: nets"),
    *seldom_with(
        (GivesNoReason, properties.only_what_is_legal_is_accepted, "is refused is not said"),
        (CanBeChanged, properties.a_view_can_be_read_and_changes_nothing, "turns can be changed"),
        (NeverAsks, properties.every_value_of_every_option_can_be_played, "never asked: double"),
    ),
]


@pytest.mark.usefixtures("unshrunk")
@pytest.mark.parametrize(("wrong", "holds", "words"), MISTAKES)
def test_a_mistake_of_a_game_is_found(wrong: type[Deal], holds: Property, words: str) -> None:
    with pytest.raises((AssertionError, RulesError), match=words):
        holds(wrong)
