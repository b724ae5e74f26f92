"""A view shows what its names let through and nothing else, and what it has frozen is never out of date."""

from __future__ import annotations

import copy
import json
import operator
import pickle
from collections.abc import Callable, Iterator
from random import Random
from types import MappingProxyType
from typing import Any

import pytest
from helpers.command import one_in
from helpers.deals import examples

from roundsim import games
from roundsim.refereeing.sitting import Sitting
from roundsim.table.chance import Source
from roundsim.table.deal import Ask, Deal, deal_of
from roundsim.table.imagine import remember
from roundsim.table.playthrough import Playthrough
from roundsim.table.view import frozen
from roundsim.testing.tables import RandomPlayer, Table, for_any_sitting
from roundsim.testing.views import all_view_names, immutable, view_at


@pytest.fixture
def view() -> Any:
    """A question at which deals may be imagined."""
    nap = games.find("nap")
    deal = Sitting(nap, nap.rules_for(4)).next_deal(Source("1"))
    remember(deal, [0, 1, 2, 3])
    return view_at(deal, next(deal.deal()))


@pytest.fixture(params=["view", "imagined"])
def either(view: Any, request: pytest.FixtureRequest) -> Any:
    return view if request.param == "view" else view.imagine()


class Spy:
    """Notes what it is compared with."""

    def __init__(self) -> None:
        self.met: list[object] = []

    def __eq__(self, other: object) -> bool:
        self.met.append(other)
        return False

    __lt__ = __le__ = __gt__ = __ge__ = __ne__ = __eq__
    __hash__ = object.__hash__


class Plain(tuple[Any, ...]):
    __slots__ = ()


def set_class(thing: Any) -> Any:
    thing.__class__ = Plain
    return thing[0]


def unpacked(thing: Any) -> Any:
    first, *_ = thing
    return first


def matched(thing: Any) -> Any:
    match thing:
        case [first, *_]:
            return first


def added(thing: Any) -> Any:
    all_of: Any = ()
    all_of += thing
    return all_of


WAYS: dict[str, Callable[[Any], Any]] = {
    "[0]": lambda thing: thing[0],
    "[-5]": lambda thing: thing[-5],
    "[:]": lambda thing: thing[:],
    "itemgetter": operator.itemgetter(0),
    "iter": lambda thing: next(iter(thing)),
    "reversed": lambda thing: [*reversed(thing)],
    "unpacked": unpacked,
    "matched": matched,
    "starred": lambda thing: [*thing],
    "arguments": lambda thing: (lambda *all_of: all_of)(*thing),
    "tuple": tuple,
    "list": list,
    "set": set,
    "max": lambda thing: max(thing, key=id),
    "map": lambda thing: [*map(lambda each: each, thing)],
    "zip": lambda thing: [*zip(thing, range(5), strict=False)],
    "json": lambda thing: json.dumps(thing, default=repr),
    "+ ()": lambda thing: thing + (),
    "() +": lambda thing: () + thing,
    "+=": added,
    "* 1": lambda thing: thing * 1,
    "1 *": lambda thing: 1 * thing,
    "len": len,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": pickle.dumps,
    "reduce": lambda thing: thing.__reduce_ex__(4),
    "getnewargs": lambda thing: thing.__getnewargs__(),
    "asdict": lambda thing: thing._asdict(),
    "replace": lambda thing: thing._replace(),
    "fields": lambda thing: [getattr(thing, name) for name in thing._fields],
    "_deal": lambda thing: thing._deal,
    "deal": lambda thing: thing.deal,
    "_question": lambda thing: thing._question,
    "_telling": lambda thing: thing._telling,
    "__class__": set_class,
    "__dict__": vars,
}


def test_no_way_of_a_tuple_and_no_name_shows_the_deal(either: Any) -> None:
    """Neither what a tuple can do, nor a name that `dir` lists."""
    for name, way in WAYS.items():
        with pytest.raises((TypeError, AttributeError)):
            raise AssertionError(f"{name} shows {way(either)}")
    assert type(deal_of(either)).__module__ not in ("builtins", "roundsim.table.view")  # the deal is there
    for name in dir(either):
        shown = getattr(either, name)
        assert shown is not deal_of(either) and not isinstance(shown, Deal | Source), name
        assert name == "__class__" or not name.startswith("_") or name.startswith("__"), name


def test_it_is_compared_with_nothing(either: Any) -> None:
    thing, spy = either, Spy()
    for size in 1, 5:
        spies = (spy,) * size
        assert [spies != thing, thing != spies, spies == thing, thing == spies] == [True, True, False, False]
        assert thing not in {spies: 0} and spies not in [thing]
        for compared in (operator.lt, operator.le, operator.gt, operator.ge):
            for pair in ((spies, thing), (thing, spies)):
                with pytest.raises(TypeError):
                    compared(*pair)
    for method in (thing.index, thing.count, thing.__contains__):
        with pytest.raises(TypeError):
            method(spy)
    assert not spy.met
    assert thing == thing and thing in {thing} and thing  # noqa: PLR0124


def test_it_says_what_to_do_instead(view: Any) -> None:
    with pytest.raises(TypeError, match="<seat 0 of nap, phase call> shows by name what it shows; it is no sequence"):
        view[0]


@pytest.mark.parametrize("name", ["seat", "legal", "hand", "anything"])
def test_no_name_of_it_can_be_set(view: Any, name: str) -> None:
    before = getattr(view, name, None)
    with pytest.raises(AttributeError, match=f"^{name}: nothing of it can be set"):
        setattr(view, name, 3)
    with pytest.raises(AttributeError, match=f"^{name}: nothing of it can be deleted"):
        delattr(view, name)
    assert getattr(view, name, None) == before


def questions(table: Table, seed: int) -> Iterator[tuple[Deal, Ask]]:
    """The questions of a sitting at random; of each deal also what `begin` and `settled` are shown."""
    sitting, answer = Sitting(table.game, table.rules, deals=2), RandomPlayer(Random(seed)).answer
    for number in range(2):
        deal = sitting.next_deal(Source(f"{seed}/{number}"))
        yield deal, Ask(number, "begin", ())
        telling = Playthrough(deal)
        while telling.ask is not None:
            yield deal, telling.ask
            telling.answer(answer(telling.ask.legal))
        yield deal, Ask(number, "settled", ())
        if sitting.settle(deal):
            return


def shown(deal: Deal, ask: Ask) -> dict[str, Any]:
    """All that is seen; of a mapping what it shows now."""
    view = view_at(deal, ask)
    seen = {name: getattr(view, name) for name in all_view_names(deal)}
    return {name: dict(thing) if isinstance(thing, MappingProxyType) else thing for name, thing in seen.items()}


@examples(2)
@pytest.mark.parametrize("name", one_in(2, [*games.names()]))
def test_a_kept_value_is_never_out_of_date(name: str, examples: int) -> None:
    """The same is seen where nothing was kept: by the seat that is asked, by another, and by the first again."""

    def check(table: Table, seed: int) -> None:
        for deal, ask in questions(table, seed):
            afresh = copy.copy(deal)
            for seat in ask.seat, (ask.seat + 1) % table.players, ask.seat:
                afresh.frozen = {}
                asked = Ask(seat, ask.phase, ask.legal)
                assert shown(deal, asked) == shown(afresh, asked)

    for_any_sitting(games.find(name), examples, check)


def test_a_frozen_value_is_kept_for_the_question(view: Any) -> None:
    for name in "history", "pools", "order":
        assert getattr(view, name) is getattr(view, name), name


def test_a_value_is_frozen_all_through() -> None:
    thing = {"a": [1, [2, {3}], ("As", None)], "b": {1, 2}}
    inner = {"a": (1, (2, frozenset({3})), ("As", None)), "b": frozenset({1, 2})}
    found = frozen(thing)
    assert found == MappingProxyType(inner) and type(found) is MappingProxyType and immutable(found)
    assert [type(each) for each in found.values()] == [tuple, frozenset]
