"""Objects of a game from outside that run code of their own in the middle of a native function: it must not read memory
that this code has freed, and it ends as the definition in Python does. `nox -s sanitized` sees what would be read."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pytest

import roundsim
from roundsim.bridges.tokens import Spoken, listed_open
from roundsim.bridges.vectors import Vectors, write_row, write_view
from roundsim.games.nap import Nap
from roundsim.refereeing.referee import Player
from roundsim.sources.strategy import Seated, sit_again
from roundsim.table.actions import actions_for, play_actions
from roundsim.table.cards import CARD, PACK
from roundsim.table.chance import Chance
from roundsim.table.deal import Ask, deal_of
from roundsim.testing.views import cards_named

pytestmark = pytest.mark.usefixtures("core")


class Meddler:
    """A card that does something whenever it is compared or hashed, a few times."""

    def __init__(self, meddle: Callable[[], object], times: int = 100) -> None:
        self.meddle, self.times = meddle, times

    def meddles(self) -> None:
        if self.times:
            self.times -= 1
            self.meddle()

    def __hash__(self) -> int:
        self.meddles()
        return hash("As")

    def __eq__(self, other: object) -> bool:
        self.meddles()
        return True


@contextmanager
def finalizing(meddle: Callable[[], object]) -> Iterator[None]:
    """Have the garbage collector do something as soon as a container is made: before Python 3.12 anywhere in C."""

    class Finalized:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            meddle()

    before = gc.get_threshold()
    gc.collect()
    Finalized()
    gc.set_threshold(1, 1, 1)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.collect()


def emptied(*things: list[Any]) -> Callable[[], None]:
    """A function that empties these, and has what was in them freed."""

    def empty() -> None:
        for each in things:
            each.clear()
        gc.collect()

    return empty


def test_a_card_that_empties_the_hand_while_its_action_is_looked_up() -> None:
    hand = list[Any]()
    hand += [Meddler(emptied(hand)) for _ in range(8)]
    assert actions_for(hand, (), {CARD["As"]: CARD["As"].play}) == ()
    hand += [Meddler(lambda: hand.append(CARD["As"]), 1), CARD["As"]]
    assert actions_for(hand, (), {CARD["As"]: CARD["As"].play}) == ("play As",) * 3


class Watching(type):
    """The type of a class that does something when one of its names is looked up."""

    meddle: Callable[[], object]

    def __getattribute__(cls, name: str) -> Any:
        if name == "suit":
            type.__getattribute__(cls, "meddle")()
        return type.__getattribute__(cls, name)


def test_a_class_that_empties_the_hand_when_it_is_asked_for_a_slot() -> None:
    """It is not asked: a slot is found as the attribute of an instance is."""
    hand = list[Any]()
    kinds = [
        Watching(name, (), {"__slots__": ("suit", "play"), "meddle": staticmethod(emptied(hand))})
        for name in ("A", "B")
    ]
    for at in range(8):
        card: Any = kinds[at % 2]()
        card.suit, card.play = "s", f"play {at}"
        hand.append(card)
    del card
    assert play_actions(hand, "s") == tuple(f"play {at}" for at in range(8))


LENGTHENS = """
from roundsim.game import PACK, exchanges, say

def draws(card):
    table.extend(PACK * 4)
    return {each: say("draw", card, each) for each in hand}

table, hand = [*PACK[:5]], [*PACK[5:10]]
print(len(exchanges((), table, hand, (), draws)) >= 25)

def empties(card):
    hand.clear()
    return {}

table, hand = [*PACK[:5]], [*PACK[5:10]]
try:
    print(exchanges((), table, hand, (), empties))
except KeyError as error:
    print("KeyError")
"""


def test_draws_that_lengthen_the_table_or_empty_the_hand() -> None:
    """In a separate process: a native exchange keeps the draws that it has found."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-P", "-c", LENGTHENS], env=env, capture_output=True, text=True)
    assert (done.returncode, done.stdout.splitlines()[:1]) == (0, ["True"]), done.stderr


class Given:
    """A deal of these questions, made by a function of the deal."""

    View = Nap.View

    def __init__(self, story: Callable[[Any], Iterator[Any]]) -> None:
        self.story, self.asked, self.actions = story, list[Any](), list[Any]()

    def deal(self) -> Any:
        return self.story(self)


class Refereeing:
    """As much of a referee as the loop of questions needs; it notes what goes wrong."""

    pending: type | None = None

    def __init__(self) -> None:
        self.board, self.questions = memoryview(array("q", [0] * 8)), 0
        self.entered = set[int]()
        self.wrong: list[str] = []

    def accepted(self, legal: Any, answer: object) -> Any:
        return answer

    def went_wrong(self, deal: Any, ask: Any, player: Any, number: int, answer: object, error: BaseException) -> str:
        self.wrong.append(f"{type(error).__name__}: {error}")
        return "wrong"

    def forfeit(self, deal: Any, player: Any, legal: Any) -> str:
        return "forfeit"


WAYS = pytest.mark.parametrize("way", ["native", "defined"])


def put(core: ModuleType, way: str, story: Callable[[Any], Iterator[Any]], player: Any) -> tuple[list[str], list[str]]:
    """The actions of a deal, and what went wrong in it."""
    loop: Any = core.questions if way == "native" else core.definition("questions")
    referee, deal = Refereeing(), Given(story)
    for _ in loop(referee, deal, [player]):
        pass
    return deal.actions, referee.wrong


def question(*legal: Any) -> Any:
    return Ask(0, "call", tuple(legal))


def asks(ask: Any) -> Callable[[Any], Iterator[Any]]:
    def story(deal: Any) -> Iterator[Any]:
        yield ask

    return story


@WAYS
def test_a_question_that_is_changed_while_a_seat_answers(way: str, core: ModuleType) -> None:
    """The question is read once."""

    def deletes(view: Any) -> str:
        del ask.legal, ask.phase
        gc.collect()
        return "a" * 3

    def replaces(view: Any) -> str:
        ask.legal, ask.phase, ask.seat = (), "", None
        gc.collect()
        return "".join(["a", "aa"])

    for answer in deletes, replaces:
        ask = question("a" * 3, "b" * 3)
        assert put(core, way, asks(ask), Player({"call": answer}, Chance())) == (["aaa"], [])


class Legal:
    """Legal actions that change the question when they are counted."""

    ask: Any

    @property
    def size(self) -> int:
        self.ask.legal = ()
        gc.collect()
        return 1

    def __len__(self) -> int:
        return 1

    def __getitem__(self, at: int) -> str:
        return "a"


@WAYS
def test_a_question_that_changes_itself_while_it_is_read(way: str, core: ModuleType) -> None:
    ask: Any = Ask(0, "call", Legal())  # type: ignore[arg-type]
    ask.legal.ask = ask
    assert put(core, way, asks(ask), Player({"call": lambda view: "b"}, Chance())) == (["a"], [])


@WAYS
def test_actions_that_change_the_player_when_they_are_forgotten(way: str, core: ModuleType) -> None:
    """They are, with the view of the question before, when the next view is made."""

    class Forgotten(Legal):
        size = 2

        def __del__(self) -> None:
            player.answers = {"call": lambda view: "another"}
            gc.collect()

    def story(deal: Any) -> Iterator[Any]:
        yield Ask(0, "call", Forgotten())  # type: ignore[arg-type]
        deal.asked.clear()
        yield question("a", "b")

    player: Any = Player({"call": lambda view: "a"}, Chance())
    assert put(core, way, story, player) == (["a", "another"], [])


@WAYS
def test_a_loop_of_questions_does_not_go_on_within_itself(way: str, core: ModuleType) -> None:
    def goes_on(view: Any) -> str:
        next(loop)
        return "a"

    made: Any = core.questions if way == "native" else core.definition("questions")
    referee, deal = Refereeing(), Given(asks(question("a", "b")))
    loop = made(referee, deal, [Player({"call": goes_on}, Chance())])
    assert [*loop] == [] and deal.actions == ["wrong"]
    assert referee.wrong == ["ValueError: generator already executing"]


CARDS = [CARD[text] for text in ("Ks", "5h", "5d", "Td", "2c")]


@pytest.mark.parametrize(
    "read",
    [
        lambda core, board: core.in_turn(board, (0, 1, 2), 3, 3),
        lambda core, board: core.full_takings(CARDS, board),
        lambda core, board: core.full_takings(board, CARDS),
        lambda core, board: core.play_actions(board, "s"),
        lambda core, board: core.actions_for(board, (), {card: card.play for card in PACK}),
    ],
    ids=["in_turn", "board", "hand", "play_actions", "actions_for"],
)
def test_a_finalizer_that_empties_what_is_read(read: Callable[[Any, list[Any]], Any], core: ModuleType) -> None:
    """The result may be any part of the cards that were there."""
    board: list[Any] = [*CARDS, *CARDS]
    with finalizing(emptied(board)):
        found = read(core, board)
    assert {*cards_named(found)} <= {*CARDS}


def test_players_who_are_made_while_the_table_is_emptied() -> None:
    class Plain:
        def act(self, view: Any) -> str:
            return "pass"

    seated: list[Any] = [Seated(Plain, {}, Nap) for _ in range(4)]
    players, chances = [Player({}, Chance()) for _ in range(4)], {seat: Chance() for seat in range(4)}
    with finalizing(emptied(seated, players)):
        left = sit_again(players, seated, chances, "1/nap/1/1", 5)
    assert {*left} <= {*range(4)}


def test_a_view_that_is_shorter_than_a_view() -> None:
    short: Any = tuple.__new__(Nap.View, (1,))
    for name in ("phase", "legal", "chance", "seat", "hand", "trumps", "history"):
        with pytest.raises((AttributeError, IndexError)):
            getattr(short, name)


def test_things_that_change_what_they_lie_in_while_they_are_written() -> None:
    table = roundsim.Table("nap")
    view, deal = table.view(), deal_of(table.view())
    known = Vectors(table.game, table.rules)
    hand = deal.hands[view.seat]
    hand[:] = [Meddler(emptied(hand)) for _ in range(5)]  # type: ignore[misc]
    assert len(known.of(view)) == known.size


@pytest.mark.parametrize("seat", [-1, 4, 100, 2**70])
def test_a_seat_that_is_not_at_the_table(seat: int, core: ModuleType) -> None:
    table = roundsim.Table("nap")
    known, own = Vectors(table.game, table.rules), table.view()
    view: Any = tuple.__new__(Nap.View, (deal_of(own), seat, own.phase, own.legal, own.chance))
    assert written(write_view, known, view) == written(core.definition("write_view"), known, view)


def written(write: Any, known: Vectors, view: Any, at: int = 0) -> object:
    """The vector that is written, or the type of the exception."""
    into = array("f", bytes(4 * known.size))
    try:
        write(known, view, into, at)
    except Exception as error:
        return type(error)
    return into


@pytest.mark.parametrize("at", [-1, 1, 2**40, 2**62, 2**63 - 1, 2**70])
def test_a_place_that_is_not_in_the_array(at: int) -> None:
    table = roundsim.Table("nap")
    known = Vectors(table.game, table.rules)
    assert written(write_view, known, table.view(), at) in (ValueError, OverflowError)
    spoken = Spoken(known.tokens, table.view().legal)
    with pytest.raises((ValueError, OverflowError)):
        write_row(known, table.view(), spoken, array("f", bytes(4 * known.size)), bytearray(len(known.tokens)), at)


def test_paths_that_vanish_while_others_are_found() -> None:
    class Paths(dict[Any, Any]):
        def __missing__(self, action: Any) -> Any:
            self.clear()
            gc.collect()
            return tuple([5, len(action)])

    paths: Any = Paths({"first": tuple([4, 4])})
    assert listed_open(paths, ("first", "second", "third"), []) == (4, 5)  # type: ignore[arg-type]
