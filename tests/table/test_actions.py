"""Actions are texts that know their parts; lazy sequences are what a plain list of the same actions would be."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from itertools import combinations, combinations_with_replacement, permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roundsim.table.actions import PASS, STAND, Action, say
from roundsim.table.cards import PACK, cards
from roundsim.table.legal import Amounts, AnyOrder, Lazy, accept, count
from roundsim.table.selections import Arrangements, Multisets, Subsets

NAMES = ("pope", "matrimony", "ace", "king", "queen", "game")
DRAWN = settings(max_examples=100)


def check_lists(lazy: Lazy, listed: list[str]) -> None:
    """The lazy sequence holds just these, each once, and finds each where it stands."""
    assert [*lazy] == listed and len(lazy) == lazy.size == count(lazy) == len(listed)
    assert [lazy[place] for place in range(-len(listed), 0)] == listed
    assert lazy[1:5:2] == listed[1:5:2] and lazy[::-1] == listed[::-1]
    for place, text in enumerate(listed):
        said = accept(lazy, text)
        assert said == text and type(said) is Action and text in lazy
        assert lazy.place(said) == lazy.index(text) == place
    for outside in len(listed), -len(listed) - 1:
        with pytest.raises(IndexError):
            lazy[outside]


def refuse(lazy: Lazy, *texts: str) -> None:
    for text in texts:
        assert text not in lazy
        with pytest.raises(ValueError):
            accept(lazy, text)
        with pytest.raises(ValueError):
            lazy.index(text)


def test_an_action_knows_its_parts() -> None:
    discard = Action("discard 2c 5d")
    assert (discard.verb, discard.words, discard.card, discard.cards) == ("discard", ("2c", "5d"), "2c", ("2c", "5d"))
    assert (say("raise", 4).amount, say("raise 4").verb) == (4, "raise")
    assert (PASS.amount, PASS.card, PASS.words) == (0, None, ())
    assert say("raise", 4) is say("raise", 4) and say("raise", 4) == say("raise 4") == "raise 4"
    assert discard == "discard 2c 5d" and Action("").verb == ""
    assert PACK[0].play == f"play {PACK[0]}" and PACK[0].play.card is PACK[0]
    for again in pickle.loads(pickle.dumps(say("discard 2c"))), copy.deepcopy(say("discard 2c")):
        assert (type(again), again, again.cards) == (Action, "discard 2c", ("2c",))


def test_cards_and_actions_are_the_same_for_all_and_nobody_changes_them() -> None:
    for thing, names in (PACK[0], ("rank", "suit", "play")), (say("raise", 4), ("verb", "words", "cards", "amount")):
        for name in names:
            with pytest.raises(AttributeError):
                setattr(thing, name, getattr(thing, name))
            with pytest.raises(AttributeError):
                delattr(thing, name)


@given(low=st.integers(0, 12), size=st.integers(0, 12), plain=st.sampled_from([(), (PASS,), (PASS, STAND)]))
def test_amounts(low: int, size: int, plain: tuple[Action, ...]) -> None:
    lazy = Amounts(plain, "bet", low, low + size - 1)
    check_lists(lazy, [*plain, *(f"bet {n}" for n in range(low, low + size))])
    refuse(lazy, f"bet {low - 1}", f"bet {low + size}", f"bet 0{low}", f"raise {low}", f"bet {low}.0", f"bet {low} 1")
    refuse(lazy, "bet", "bet one", "fold", "")


@given(
    size=st.integers(0, 6),
    low=st.integers(0, 3),
    span=st.integers(0, 6),
    rng=st.randoms(use_true_random=True),
    plain=st.sampled_from([(), (STAND,)]),
)
def test_subsets(size: int, low: int, span: int, rng: Random, plain: tuple[Action, ...]) -> None:
    """In the order of the hand, fewest first."""
    hand = rng.sample(PACK, size)
    lazy = Subsets("buy", hand, low, low + span, plain)
    choices = [named for k in range(low, low + span + 1) for named in combinations(hand, k)]
    check_lists(lazy, [*plain, *(" ".join(["buy", *named]) for named in choices)])
    other = next(card for card in PACK if card not in hand)
    refuse(lazy, f"buy {other}", " ".join(["buy", *hand, other]), "buy xx", "sell", "")
    if hand:
        refuse(lazy, f"buy {hand[0]} {hand[0]}", f"sell {hand[0]}")
    if low:
        refuse(lazy, "buy", " ".join(["buy", *hand[: low - 1]]))
    if low + span < size:
        refuse(lazy, " ".join(["buy", *hand[: low + span + 1]]))


def test_cards_in_another_order_are_the_same_action() -> None:
    lazy = Subsets("discard", cards("As Kd 2c 9h"), 3, 3)
    for named in permutations(["2c", "As", "Kd"]):
        assert accept(lazy, " ".join(["discard", *named])) == "discard As Kd 2c"


@pytest.mark.soak
@DRAWN
@given(
    numbers=st.lists(st.integers(1, 24), max_size=5, unique=True),
    low=st.integers(0, 3),
    span=st.integers(-1, 4),
    plain=st.sampled_from([(), (say("keep"), say("buy", 1))]),
)
def test_arrangements(numbers: list[int], low: int, span: int, plain: tuple[Action, ...]) -> None:
    """Fewest first, and as `permutations` has them; `throw 3 7` is not `throw 7 3`."""
    lazy = Arrangements("throw", numbers, low, low + span, plain)
    orders = [named for k in range(low, low + span + 1) for named in permutations(map(str, numbers), k)]
    check_lists(lazy, [*plain, *(" ".join(["throw", *named]) for named in orders)])
    refuse(lazy, "throw 25", "throw x", " ".join(["throw", *map(str, numbers), "25"]), "keep 1", "buy", "sell", "")
    for number in numbers:
        refuse(lazy, f"throw {number} {number}", f"throw 0{number}", f"sell {number}")
    for k in {*range(len(numbers) + 1)} - {*range(low, low + span + 1)}:
        refuse(lazy, " ".join(["throw", *map(str, numbers[:k])]))


def test_cards_in_another_order_are_another_arrangement() -> None:
    lazy = Arrangements("throw", [3, 7, 12], 1, 2, (say("keep"),))
    assert [*lazy][:5] == ["keep", "throw 3", "throw 7", "throw 12", "throw 3 7"]
    assert accept(lazy, "throw 7 3") == "throw 7 3" != accept(lazy, "throw 3 7")
    assert count(Arrangements("throw", range(6), 1, 5)) == 6 + 30 + 120 + 360 + 720


def test_a_few_actions_in_any_order() -> None:
    """The nine of `take 9s 4h 5c` is fixed, and no card of `sing`."""
    listed = ["lay 2d", "take 9s 9d", "take 9s 4h 5c", "take Th 4h 5c Ad", "take Th 9d Ad"]
    takings = AnyOrder(map(say, listed), fixed=1)
    check_lists(takings, listed)
    assert accept(takings, "take 9s 5c 4h") == "take 9s 4h 5c"
    refuse(takings, "take 4h 9s 5c", "take 9s 4h", "take 9s 4h 5c 9d", "lay 9s", "take")
    assert accept(AnyOrder([say("sing As Kd 2c")]), "sing 2c As Kd") == "sing As Kd 2c"


@pytest.mark.soak
@DRAWN
@given(k=st.integers(0, 5), names=st.integers(1, 5), bare=st.sets(st.sampled_from(NAMES)), cover=st.integers(0, 5))
def test_multisets(k: int, names: int, bare: set[str], cover: int) -> None:
    """Every way to name k with repeats that has as many different bare names as it must."""
    names_ = NAMES[:names]
    bare_ = [name for name in names_ if name in bare]
    cover = min(cover, k, len(bare_))
    lazy = Multisets("place", names_, k, bare_, cover)
    ways = {tuple(sorted(way)) for way in combinations_with_replacement(names_, k)}
    legal = {way for way in ways if len({*way} & {*bare_}) >= cover}
    check_lists(lazy, [*lazy])
    assert sorted(tuple(sorted(said.words)) for said in lazy) == sorted(legal)
    assert all(said.verb == "place" for said in lazy)
    refuse(lazy, *(" ".join(["place", *way]) for way in ways - legal))
    first = names_[:1]
    for words in ["place", *first * (k + 1)], ["place", "stove", *first * (k - 1)], ["put", *first * k], []:
        refuse(lazy, " ".join(words))


def test_multisets_cover_what_is_bare() -> None:
    """Two counters, and pope and ace are empty: one on each, whatever lies elsewhere.  Three: one more, anywhere."""
    assert [*Multisets("place", NAMES[:3], 2, ["pope", "ace"], 2)] == ["place pope ace"]
    ways = {f"place pope {two}" for two in ("pope ace", "ace ace", "ace matrimony")}
    assert {*Multisets("place", NAMES[:3], 3, ["pope", "ace"], 2)} == ways
    assert {*Multisets("place", NAMES[:3], 1, ["pope", "ace"], 1)} == {"place pope", "place ace"}
    assert accept(Multisets("place", NAMES[:3], 3, ["pope", "ace"], 2), "place ace ace pope") == "place pope ace ace"


@pytest.mark.parametrize(
    "lazy",
    [
        Amounts((PASS,), "bet", 1, 10**30),
        Multisets("place", NAMES, 2000, NAMES[:2], 2),
        Subsets("discard", PACK, 0, 52),
        Arrangements("throw", range(30), 1, 30, (PASS,)),
        Multisets("place", NAMES, 500, (), 0),
    ],
)
def test_more_than_can_be_listed(lazy: Lazy) -> None:
    size = count(lazy)
    assert size > 10**10
    if size > sys.maxsize:
        with pytest.raises(OverflowError):
            len(lazy)
    seen = set()
    for place in 0, 1, size // 3, size // 2, size - 2, size - 1:
        said = lazy.at(place)
        assert lazy.place(said) == place and lazy[place] == said and accept(lazy, str(said)) == said
        seen.add(said)
    assert len(seen) == 6
    assert str(lazy.at(0)) in repr(lazy) and len(repr(lazy)) < 10**7


MADE: list[Callable[[], Lazy]] = [
    lambda: Amounts((PASS,), "bet", 1, 9),
    lambda: Amounts((PASS,), "bet", 1, 8),
    lambda: Amounts((), "bet", 1, 9),
    lambda: Subsets("discard", cards("As Kd 2c"), 0, 3),
    lambda: Subsets("discard", cards("As Kd 3c"), 0, 3),
    lambda: Subsets("discard", cards("As Kd 2c"), 0, 2),
    lambda: Arrangements("discard", cards("As Kd 2c"), 0, 3),
    lambda: AnyOrder([say("sing As Kd")]),
    lambda: AnyOrder([say("sing As Kd")], fixed=1),
    lambda: Multisets("place", NAMES, 3, NAMES[:2], 2),
    lambda: Multisets("place", NAMES, 3, NAMES[:2], 1),
]


def test_actions_made_of_the_same_parts_are_equal() -> None:
    """And of one hash; another kind, or another hand, is not, nor a plain list of the same actions."""
    for at, make in enumerate(MADE):
        assert [make() == other() for other in MADE] == [place == at for place in range(len(MADE))]
        assert hash(make()) == hash(make())
        assert make() != [*make()] and make() != (*make(),)


def test_a_plain_tuple_accepts_only_what_it_holds() -> None:
    legal = (PASS, say("call 3"))
    assert accept(legal, "call 3") is say("call 3") and count(legal) == 2
    for text in "call  3", "call", "CALL 3", "", " pass":
        with pytest.raises(ValueError):
            accept(legal, text)
