"""The native module does what the definitions in Python say: with either the same deals are played to the same bytes."""

from __future__ import annotations

import ast
import pickle
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from copy import copy, deepcopy
from math import perm
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import pytest
from conftest import GAMES, Write
from helpers.command import TESTS, command, contents, environment, seldom, seldom_with
from hypothesis import given
from hypothesis import strategies as st

from roundsim import games, native
from roundsim.base.errors import RulesError
from roundsim.games.nap import Nap
from roundsim.refereeing.referee import Player
from roundsim.refereeing.sitting import Sitting
from roundsim.replaying.settle import settle
from roundsim.sources.strategy import Seated, sit_again
from roundsim.table import chance
from roundsim.table.actions import play_actions
from roundsim.table.cards import CARD, PACK, Card
from roundsim.table.chance import Chance, Source, hash_number
from roundsim.table.deal import Ask, Sealed, in_turn
from roundsim.tournament.formats import round_robin
from roundsim.tournament.results import record
from roundsim.tournament.results.totals import Extreme

CARDS = st.lists(st.sampled_from([*CARD.values()]), max_size=8)


def test_it_is_used_if_it_is_built(core: ModuleType) -> None:
    assert {play_actions, chance.take_out, in_turn} == {core.play_actions, core.take_out, core.in_turn}


BAD = """
import random

games = ["*"]
class Mine:
    def __init__(self):
        if random.random() < 0.05: raise ValueError("no")
    def act(self, view):
        if random.random() < 0.05: return "nonsense"
        if random.random() < 0.05: raise KeyError("mine")
        return str(random.choice(view.legal[:3]))
"""


@pytest.mark.soak
@pytest.mark.parametrize(("some", "isolate"), [(GAMES[::5], "off"), *seldom_with((GAMES, "off"), (GAMES, "auto"))])
def test_both_play_the_same(some: Sequence[str], isolate: str, core: ModuleType, tmp_path: Path, write: Write) -> None:
    write("mine.py", BAD)
    words = "play", ",".join(some), "random", "book", "mine.py", "--deals", 16, "--isolate", isolate, "--jobs", 2
    for way in "on", "off":
        around = {**environment(), "ROUNDSIM_NATIVE": way}
        done = subprocess.run(command(*words, "--out", way), cwd=tmp_path, env=around, capture_output=True)
        assert done.returncode == 2, done.stderr
    assert b"illegal" in (tmp_path / "on/standings.json").read_bytes()
    assert contents(tmp_path / "on") == contents(tmp_path / "off") and len(contents(tmp_path / "on")) > len(some)


KEEPS = """
games = ["*"]

class Keeps:
    def __init__(self):
        self.seen = []

    def act(self, view):
        if view.chance.random() < 0.5:
            self.seen.append((view, view.seat, view.phase, view.legal))
        assert all((one.seat, one.phase, one.legal) == tuple(rest) for one, *rest in self.seen)
        return view.chance.choice(view.legal)
"""


@pytest.mark.soak
@pytest.mark.parametrize("way", ["on", "off"])
def test_a_view_that_is_kept_does_not_change(way: str, core: ModuleType, tmp_path: Path, write: Write) -> None:
    """Only a view that no strategy keeps becomes the next one."""
    write("keeps.py", KEEPS)
    words = "play", "nap", "keeps.py", "keeps.py", "random", "--deals", 36, "--isolate", "off", "--jobs", 1
    around = {**environment(), "ROUNDSIM_NATIVE": way}
    done = subprocess.run(command(*words), cwd=tmp_path, env=around, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


SHOWN = """
import sys
sys.path[:0] = ["."]
from importlib import import_module
from roundsim import native
for file in native.BUILT:
    import_module("roundsim." + file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
print(native.describe_build())
"""
TWINS = """
def stands(name):
    try:
        return native.CORE.definition(name)
    except KeyError:
        return False
print(*sorted(filter(stands, vars(native.CORE))))
"""


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A copy of the sources, with the native module that was built of them."""
    package = Path(native.__file__).parents[1]
    shutil.copytree(package, tmp_path / "roundsim", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def output_of(elsewhere: Path, code: str, **environ: str) -> str:
    env = {**environment(), **environ}
    done = subprocess.run([sys.executable, "-c", code], cwd=elsewhere, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.soak
def test_another_source_in_c_is_not_used(core: ModuleType, elsewhere: Path) -> None:
    every = sorted(name for file in native.BUILT for name in marked(elsewhere / "roundsim" / file))
    assert output_of(elsewhere, SHOWN + TWINS).splitlines() == ["native", " ".join(every)] and len(every) > 10
    assert output_of(elsewhere, SHOWN, ROUNDSIM_NATIVE="off") == "plain Python: ROUNDSIM_NATIVE=off"
    with (elsewhere / "roundsim/native/core.c").open("a") as source:
        source.write("\n")
    assert output_of(elsewhere, SHOWN) == "plain Python: its C sources have changed since the native module was built"
    for built in (elsewhere / "roundsim/native").glob("_core*"):
        built.unlink()
    assert output_of(elsewhere, SHOWN) == "plain Python: no native module was built, for which a C compiler is needed"


@pytest.mark.parametrize("changed", [[*native.BUILT][::16], *seldom([*native.BUILT])], ids=len)
def test_a_changed_definition_plays_in_python(changed: Sequence[str], core: ModuleType, elsewhere: Path) -> None:
    """After a change in a file, exactly the definitions of this file play in Python."""
    files = {file: sorted(marked(elsewhere / "roundsim" / file)) for file in native.BUILT}
    every = sorted(name for names in files.values() for name in names)
    for file in changed:
        source = elsewhere / "roundsim" / file
        before = source.read_bytes()
        source.write_bytes(before + b"\n# changed\n")
        words, left = output_of(elsewhere, SHOWN + TWINS).splitlines()
        assert words == f"native, except for files changed since it was built: {file}"
        assert left.split() == [name for name in every if name not in files[file]]
        source.write_bytes(before)


def marked(file: Path) -> Iterator[str]:
    """The names of the definitions in a file that have a native twin."""
    tree = ast.parse(file.read_text())
    outers: list[ast.Module | ast.ClassDef] = [tree, *[each for each in tree.body if isinstance(each, ast.ClassDef)]]
    for outer in outers:
        for each in outer.body:
            marks = each.decorator_list if isinstance(each, ast.FunctionDef | ast.ClassDef) else []
            if "native" in map(ast.unparse, marks):
                name = vars(each)["name"]
                yield f"{outer.name}.{name}" if isinstance(outer, ast.ClassDef) else name


def test_a_changed_rule_is_played(core: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scripted deals fail if no player has to follow suit, or if the lowest card takes the trick."""
    for name, wrong in [
        ("may_play", lambda hand, trick: play_actions(hand)),
        ("taker", lambda trick, trumps: trick.index(min(trick, key=lambda card: card.rank))),
    ]:
        with monkeypatch.context() as changed:
            changed.setattr(sys.modules[Nap.__module__], name, wrong)
            assert settle([TESTS / "deals/nap"]).failed
    assert not settle([TESTS / "deals/nap"]).failed


@given(CARDS)
def test_playing_each_card(cards: list[Card]) -> None:
    assert play_actions(cards) == play_actions(tuple(cards)) == tuple(f"play {card}" for card in cards)
    for suit in "shdc":
        of_suit = tuple(f"play {card}" for card in cards if card[1] == suit)
        assert play_actions(cards, suit) == play_actions(tuple(cards), suit) == of_suit


@given(st.integers(0, 2**64 - 1), st.lists(st.integers(1, 2**21), max_size=40))
def test_draws_are_those_of_the_definitions(core: ModuleType, bits: int, below: list[int]) -> None:
    """The same numbers, and the same rest to draw from."""
    choice = core.definition("Chance.choice")
    one, other = Chance("a name"), Chance("a name")
    one.pool = other.pool = bits
    for n in below:
        legal = tuple(range(n % 50 + 1))
        assert one.choice(legal) == choice(other, legal) in legal and one.pool == other.pool
        assert one.below(n) == other.below(n) < n


@given(st.lists(st.integers(), max_size=12), st.lists(st.sampled_from(["play As", "call 3", "päss"]), max_size=5))
def test_the_line_of_a_deal(nets: list[int], actions: list[str]) -> None:
    whole = record.deal_line("17/2/3", 1, nets, actions, {})
    assert whole == f"17/2/3 1 {' '.join(map(str, nets))} | {', '.join(actions)}\n"


NETS = st.lists(st.lists(st.integers(-50, 50) | st.just(2**70), min_size=4, max_size=4), max_size=6)


@given(NETS, st.integers(0, 3))
def test_the_results_of_deals(core: ModuleType, nets: list[list[int]], shift: int) -> None:
    deals = [(f"17/2/{at}", net, shift, (1, 2, 3, 0)) for at, net in enumerate(nets, 1)]
    found, defined = round_robin.sums(deals, 4, Extreme), core.definition("sums")(deals, 4, Extreme)
    assert found == defined and {*map(type, found[2])} == {*map(type, defined[2])}


def test_the_results_of_two_deals() -> None:
    """By hand: of three players, who have moved up one seat; seat 2 dealt to the first, seat 0 to the second."""
    deals = [("1/2/1", [3, -1, -2], 1, (2, 0, 1)), ("1/2/2", [2, 2, -4], 1, (0, 1, 2))]  # by place -2 3 -1, -4 2 2
    won, shares, best, worst, ahead, from_dealer, squares = round_robin.sums(deals, 3, Extreme)
    assert (won, shares) == ([-6, 5, 1], [0, 9, 3])  # of 6 parts of a deal
    assert best == [(-2, "1/2/1"), (3, "1/2/1"), (2, "1/2/2")] and worst == [(-4, "1/2/2"), (2, "1/2/2"), (-1, "1/2/1")]
    assert (ahead, from_dealer, squares) == ([0, 0, 3], [0, 5, -5], 38)


@given(st.data(), st.integers(0, 2**520), st.integers(1, 70))
def test_cards_that_are_taken_out(core: ModuleType, data: st.DataObject, number: int, many: int) -> None:
    few = data.draw(st.integers(0, many))
    cards, again = (([*CARD.values()] * 2)[:many] for _ in range(2))
    order, other = list[Card](), list[Card]()
    left = chance.take_out(cards, number, few, order)
    assert core.definition("take_out")(again, number, few, other) == left == number // perm(many, few)
    assert (cards, order) == (again, other) and len(order) == few == many - len(cards)


def test_state_that_is_carried_from_deal_to_deal() -> None:
    for game in map(games.find, games.ours()):
        deal = Sitting(game, game.rules_for(game.usual[0])).next_deal(Source("a deal"))
        assert {*deal.carry()} == {*game.carried}
    deal = Sitting(Nap, Nap.rules_for(4)).next_deal(Source("a deal"))
    assert deal.carry() == {"multiplier": 1, "original_dealer": 3} and deal.next_dealer() == 0
    for deals, to_come in (None, [None] * 3), (3, [2, 1, 0]):
        sitting = Sitting(Nap, Nap.rules_for(4), deals=deals)
        assert [sitting.next_deal(Source("a deal")).state.to_come for _ in range(3)] == to_come


@pytest.mark.parametrize(("net", "before"), [([3, -1, -1, -2], 0), ([2**70, 1, 0, -1], 0), ([0, 0, 0, 0], 1), ([1], 0)])
def test_counters_that_are_lost_or_made(net: list[int], before: int) -> None:
    sitting = Sitting(Nap, Nap.rules_for(4))
    deal = sitting.next_deal(Source("a deal"))
    deal.pools["pool"] = before
    deal.net[:] = net
    with pytest.raises(RulesError, match="counters are not conserved"):
        sitting.settle(deal)
    deal.net[:] = [-before, 2**70, -(2**70), 0]
    assert sitting.settle(deal) is False and sitting.state.dealer == 0 and sitting.state.last_dealer == 3


def test_cards_that_are_taken_out_and_go_round_by_hand() -> None:
    # 7 is 2 and 1 * 5, 1 is 1 and 0 * 4: the third card, in whose place the last comes, and then the second.
    cards, order = [*PACK[:5]], list[Card]()
    assert chance.take_out(cards, 7, 2, order) == 0
    assert (cards, order) == ([PACK[0], PACK[3], PACK[4]], [PACK[2], PACK[1]])
    assert chance.take_out(cards, 3 * 2**300 + 1, 1, order) == 2**300 and order[-1] == PACK[3]
    drawn = [*PACK[:7]]
    assert in_turn(drawn, (2, 0), 4, 3) == [[*PACK[1:7:3]], [], [*PACK[0:7:3]], []]
    assert in_turn(drawn, [1, 1], 2, 2) == [[], [*PACK[1:7:2]]]  # not usual: the last is kept


class Plain:
    def act(self, view: Any) -> str:
        return "pass"


class Own(Plain):
    def __init__(self) -> None:
        self.calls = 0


class Property(Plain):
    @property
    def act(self) -> Any:
        raise AssertionError("this is code of its own")


@pytest.mark.parametrize("way", ["native", "plain"])
def test_only_a_strategy_that_runs_nothing_of_its_own_sits_down_unwatched(way: str, core: ModuleType) -> None:
    kinds: list[tuple[Any, dict[str, Any], bool]] = [
        (Plain, {}, False),
        (Own, {}, False),
        (Property, {}, False),
        (Plain, {"x": 1}, False),
        (type("Made", (Plain,), {"__new__": object}), {}, False),
        (lambda view: "pass", {}, False),
        (Plain, {}, True),  # it draws from the module `random`
        (type("Begins", (Plain,), {"begin": Plain.act}), {}, False),
        (type("Imagines", (Plain,), {"imagines": True}), {}, False),
    ]
    seated = [Seated(kind, parameters, Nap, draws) for kind, parameters, draws in kinds]
    bits, chances = hash_number("1/nap/1/1"), {seat: Chance() for seat in range(len(kinds))}
    players = [Player({}, Chance(), "illegal", 9) for _ in kinds]
    sit: Any = sit_again if way == "native" else core.definition("sit_again")
    assert sit(players, [*seated], chances, "1/nap/1/1", bits) == [*range(1, 9)]
    first, *others = players
    assert first.answers.keys() == Nap.phases.keys() and first.answers["call"](cast(Any, None)) == "pass"
    assert (first.seat, first.chance, first.forfeits, first.marked) == (0, chances[0], "", False)
    assert all((other.answers, other.seat, other.forfeits) == ({}, 9, "illegal") for other in others)
    before = cast(Any, first.answers["call"]).__self__
    sit(players[:1], seated[:1], chances, "1/nap/1/2", bits)
    assert cast(Any, first.answers["call"]).__self__ is not before


@pytest.mark.parametrize("way", ["native", "plain"])
def test_a_player_who_sits_down_again_has_the_chance_of_its_seat(way: str, core: ModuleType) -> None:
    """The words of the seat in the hash of the sitting's name, and then those of the name with the seat."""
    bits, chances = hash_number("1/nap/1/1"), {1: Chance()}
    sit: Any = sit_again if way == "native" else core.definition("sit_again")
    players = [Player({}, Chance()) for _ in range(2)]
    assert sit(players, [None, Seated(Plain, {}, Nap)], chances, "1/nap/1/1", bits) == [0]
    mine = chances[1]
    first = bits >> 64 & (1 << 64) - 1 | 1 << 64
    assert [mine.below(1000) for _ in range(2)] == [first % 1000, first // 1000 % 1000]
    mine.pool = 0
    assert mine.getrandbits(64) == hash_number("1/nap/1/1/1") >> 448


def test_a_question_is_copied_and_pickled() -> None:
    for kind in Ask, Sealed:
        legal = CARD["As"].play, CARD["2c"].play
        ask = kind(seat=2, phase="play", legal=legal)
        for same in copy(ask), deepcopy(ask), pickle.loads(pickle.dumps(ask)):
            assert type(same) is kind and (same.seat, same.phase, same.legal) == (2, "play", legal)
    wrong: Any
    for wrong in [(), (1, "play"), (1, "play", (), 4)]:
        with pytest.raises(TypeError):
            Ask(*wrong)


class Odd:
    """It has the name of a slot, but not the slot."""

    pool = vars(Chance)["hash"]


@pytest.mark.parametrize("what", [Odd(), 5, None, object(), random.Random(1)])
def test_odd_arguments_raise_exceptions(what: Any) -> None:
    odd: list[Callable[[], object]] = [
        lambda: Chance.choice(what, (1, 2)),
        lambda: Chance.below(what, 3),
        lambda: play_actions([what]),
        lambda: record.deal_line(what, what, what, what, what),
    ]
    for each in odd:
        with pytest.raises((AttributeError, TypeError)):
            each()


def test_impossible_draws_raise() -> None:
    wrong: list[Any] = [0, "a", None]
    for n in wrong:
        with pytest.raises((TypeError, ZeroDivisionError)):
            Chance("a name").below(n)
    chance = Chance("a name")
    with pytest.raises(IndexError):
        chance.choice(())
    del chance.pool
    with pytest.raises(AttributeError):
        chance.choice((1, 2))


def test_a_suit_that_is_no_slot_is_asked_for() -> None:
    class Turned(Card):
        @property
        def suit(self) -> str:  # type: ignore[override]
            return "h"

    turned = str.__new__(Turned, "As")
    object.__setattr__(turned, "play", CARD["As"].play)
    assert play_actions([turned, CARD["Kh"], CARD["Ks"]], "h") == ("play As", "play Kh")


def test_a_deal_is_made_by_the_classes_of_its_game() -> None:
    """By its own `__setattr__`, and by the `__call__` of its metaclass."""

    class Noting(Nap):
        def __setattr__(self, name: str, value: Any) -> None:
            noted.append(name)
            super().__setattr__(name, value)

    noted = list[str]()
    Sitting(Noting, Noting.rules_for(4), deals=1).next_deal(Source("one"))
    assert {"rules", "state", "dealer", "pools", "net"} <= {*noted}

    class Counting(type(Nap)):  # type: ignore[misc]
        def __call__(cls, *given: Any) -> Any:
            made.append(given)
            return super().__call__(*given)

    class Counted(Nap, metaclass=Counting):
        pass

    made = list[tuple[Any, ...]]()
    Sitting(Counted, Counted.rules_for(4), deals=1).next_deal(Source("one"))
    assert len(made) == 1


def test_a_definition_without_its_source_has_not_changed() -> None:
    assert native.is_built(str(native.PACKAGE / "no_such_file.py"))
    assert not native.is_built(str(native.PACKAGE / "base" / "errors.py"))
