"""Natively and by its definition in Python a view shows the same, at questions and without one."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType, ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import pytest
from helpers.command import one_in

from roundsim import games
from roundsim.base.errors import RulesError
from roundsim.table import view as views
from roundsim.table.cards import CARD
from roundsim.table.chance import Chance
from roundsim.table.deal import Ask, Deal
from roundsim.table.legal import Amounts
from roundsim.table.view import TableView, private, public, view_names
from roundsim.testing.tables import every_seventh, play_sitting, usual_table

AS, TC = CARD["As"], CARD["2c"]


class Pair(NamedTuple):
    seat: int
    cards: list[str]


class Odd(TableView):
    """A view of no game: it shows whatever is set in its deal."""

    first: Any = public("what lies open")
    later: Any = public("what is set later", before=())
    slipped: Any = public("what slips", before=None)
    own: Any = private("what the seat has", before=None)
    never: Any = private("what the seat may have")


class Broken(SimpleNamespace):
    @property
    def slipped(self) -> object:
        return self.there_is_no_such_name


def deal_with(**names: Any) -> Any:
    rules = SimpleNamespace(options=("an option",))
    usual = {"id": "odd", "actions": [], "frozen": {}, "hands": [], "players": 2, "dealer": 1, "rules": rules}
    return Broken(**{**usual, "sides": None, "pools": {"pool": 3}, "stacks": [4, 5], **names})


def view_in(deal: Any, legal: Any = (AS.play,), seat: Any = 1) -> Odd:
    return Odd(deal, seat, "play", legal, Chance("a name"))


def outcome(deal: Any, view: Any, name: str, natively: bool) -> tuple[Any, ...]:
    """The value shown, twice, and the values that the deal has kept then; or the error."""
    before, deal.frozen = deal.frozen, {**deal.frozen}
    shown: property = getattr(type(view), name)
    look: Any = shown.__get__ if natively else shown.fget
    try:
        first, second = look(view), look(view)
        return first, kinds(first), first is second, deal.frozen, [*map(kinds, deal.frozen.values())]
    except Exception as error:
        return type(error), str(error)
    finally:
        deal.frozen = before


def kinds(thing: Any) -> Any:
    """Its types, all the way down."""
    if isinstance(thing, MappingProxyType | dict):
        return type(thing), [(kinds(key), kinds(value)) for key, value in thing.items()]
    if isinstance(thing, list | tuple):
        return type(thing), [*map(kinds, thing)]
    return type(thing)


def check_alike(deal: Any, view: TableView) -> Iterator[tuple[Any, ...]]:
    """Each name as the definition shows it; what it shows."""
    for name in view_names(type(view)):
        native_one, defined = (outcome(deal, view, name, natively) for natively in (True, False))
        assert native_one == defined, name
        yield name, native_one


@pytest.mark.parametrize("name", one_in(4, [*games.ours()]))
def test_views_of_games(core: ModuleType, name: str) -> None:
    """At questions, in `begin` and in `settled`, to every seat."""
    game = games.find(name)
    seen = set[str]()

    def look(deal: Deal, ask: Ask) -> None:
        seen.update(
            name for name, shown in check_alike(deal, deal.View(deal, ask.seat, ask.phase, ask.legal, Chance()))
        )

    def without_question(deal: Deal) -> None:
        for seat in range(deal.players):
            assert [*check_alike(deal, deal.View(deal, seat, "", (), Chance()))] and not deal.frozen

    played, _ = play_sitting(usual_table(game), 1, every_seventh(look))
    for each in played:
        without_question(each.again(each.deal.rules))
        each.deal.frozen = {}
        without_question(each.deal)
    assert seen == {*view_names(game.View)} >= {"hand", "history", "options", "players", "dealer", *game.View.places}
    assert all(type(getattr(game.View, name)) is not property for name in game.View.places)


ITSELF: list[Any] = []
ITSELF.append(ITSELF)

THINGS: list[tuple[Any, Any]] = [
    (AS, AS),
    (True, True),
    (0, 0),
    (None, None),
    (1.5, 1.5),
    ([], ()),
    ([AS, None, True, 2], (AS, None, True, 2)),
    ((AS, 1), (AS, 1)),
    ([[AS], (1, [2, {3}])], ((AS,), (1, (2, frozenset({3}))))),
    ({1, 2}, frozenset({1, 2})),
    (frozenset({AS}), frozenset({AS})),
    ({"a": 1}, MappingProxyType({"a": 1})),
    ({"a": [1, [2]]}, MappingProxyType({"a": (1, (2,))})),
    ([{"a": {"b": {1}}}], (MappingProxyType({"a": MappingProxyType({"b": frozenset({1})})}),)),
    (Pair(1, ["As"]), Pair(1, ["As"])),
    ([Pair(1, ["As"])], (Pair(1, ["As"]),)),
]


@pytest.mark.parametrize("legal", [(AS.play,), (), Amounts((), "raise", 1, 9), Amounts((), "raise", 1, 0)], ids=repr)
def test_frozen(core: ModuleType, legal: Any) -> None:
    assert views.frozen is core.frozen
    for thing, expected in THINGS:
        assert views.frozen(thing) == expected and kinds(views.frozen(thing)) == kinds(expected)
        deal = deal_with(first=thing, own=[None, thing], never={1: thing}, later=thing)
        shown = dict(check_alike(deal, view_in(deal, legal)))
        assert [shown[name][:2] for name in ("first", "later", "own", "never")] == [(expected, kinds(expected))] * 4


def test_a_list_that_holds_itself_is_refused(core: ModuleType) -> None:
    deal = deal_with(first=ITSELF, own=[None, ITSELF])
    for name in "first", "own":
        for natively in True, False:
            assert outcome(deal, view_in(deal), name, natively)[0] is RecursionError


def test_a_value_that_is_not_set(core: ModuleType) -> None:
    """A question needs it set, or shows the value from before; without a question anything may be missing."""
    deal = deal_with()
    asked, later = (dict(check_alike(deal, view_in(deal, legal))) for legal in ((AS.play,), ()))
    assert asked["first"] == (RulesError, "odd: the view shows first, which the deal has not set")
    assert asked["never"] == (RulesError, "odd: the view shows never, which the deal has not set")
    assert asked["slipped"][0] is RulesError and "there_is_no_such_name" in asked["slipped"][1]
    assert (asked["later"][0], asked["own"][0]) == ((), None)
    assert [later[name][0] for name in ("first", "never", "slipped", "later", "own")] == [None, None, None, (), None]


def test_a_kept_value_holds_until_the_next_action(core: ModuleType) -> None:
    deal: Any = deal_with(first=[1], seen_by=lambda seat: iter([seat, len(deal.actions)]))
    view: Any = view_in(deal)
    kept = view.first
    deal.first.append(2)
    assert view.first is kept == (1,) and view.history is view.history == (1, 0)
    assert deal.frozen == {"first": (0, (1,)), ("history", 1): (0, (1, 0))}
    deal.actions.append(AS.play)
    assert view.first == (1, 2) and view.history == (1, 1)
    assert deal.frozen == {"first": (1, (1, 2)), ("history", 1): (1, (1, 1))}


def test_without_a_question_nothing_is_kept(core: ModuleType) -> None:
    deal = deal_with(first=[1])
    view = view_in(deal, ())
    assert view.first == (1,)
    deal.first.append(2)
    assert view.first == (1, 2) and deal.frozen == {}


ODD_DEALS: list[Any] = [
    *[{"hands": hands} for hands in (([AS], (TC,)), [[AS], (TC,)], [[AS]], {1: [AS]})],
    *[{"actions": ()}, {"actions": [AS.play], "frozen": {"first": (1, "kept")}}],
    *[{"frozen": {"first": first}} for first in ((0, "kept"), (2**70, "kept"), [0, "kept"])],
    *[{"own": [1]}, {"own": 7}],
]


@pytest.mark.parametrize("odd", ODD_DEALS, ids=repr)
def test_odd_deals(core: ModuleType, odd: dict[str, Any]) -> None:
    deal = deal_with(**{"first": [AS], **odd}, seen_by=lambda seat: iter(()))
    for seat in 1, 0, -1, 2**70, True, "1":
        assert [*check_alike(deal, view_in(deal, seat=seat))]


def test_it_is_a_property(core: ModuleType) -> None:
    """Tools that list the properties of a class find it, with its help."""
    for name in "first", "own", "hand", "history":
        shown = getattr(Odd, name)
        assert isinstance(shown, property) and type(shown) is not property
    assert (Odd.first.__doc__, Odd.hand.__doc__) == ("what lies open", "Your cards.")
    with pytest.raises(AttributeError):
        Odd.first.__set__(view_in(deal_with()), 1)
    other = Odd.first.getter(lambda view: "another")
    assert other.__get__(view_in(deal_with(first=1))) == "another"
    for wrong in [(), (1, 2), [], 7]:
        with pytest.raises((TypeError, AttributeError, IndexError)):
            Odd.first.__get__(wrong)
