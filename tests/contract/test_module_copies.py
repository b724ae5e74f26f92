"""Several copies of a module live at once: for each seat and each stage, and for a game in the same file. Code of a copy
finds that copy by its name, which pickle, dataclasses and type hints look up."""

from __future__ import annotations

import textwrap

import pytest
from conftest import Shell, Write
from helpers.command import seldom_with

CHECKS = """
    from __future__ import annotations

    import copy
    import copyreg
    import enum
    import pickle
    import sys
    import typing
    from dataclasses import InitVar, dataclass, fields
    from typing import ClassVar, NamedTuple, TypedDict

    class Note:
        class Inner:
            pass

    class Mood(enum.Enum):
        CALM = 1

    class Marks(enum.Flag):
        ONE = 1
        TWO = 2

    @dataclass
    class Card:
        mood: Mood
        known: ClassVar[int] = 0

    class Pair(NamedTuple):
        mood: Mood

    class Table(TypedDict):
        mood: Mood

    class Reduced:
        def __reduce__(self):
            return new_reduced, ()

    def new_reduced():
        return Reduced()

    class Registered:
        pass

    copyreg.pickle(Registered, lambda thing: (Registered, ()))

    def check_names():
        assert vars(sys.modules[__name__]) is globals()
        card, pair = Card(Mood.CALM), Pair(Mood.CALM)
        things = Note(), Note.Inner(), Mood.CALM, Marks.ONE | Marks.TWO, card, pair, Reduced(), Registered()
        for thing in things:
            assert type(pickle.loads(pickle.dumps(thing))) is type(copy.deepcopy(thing)) is type(thing)
        for kind in Card, Pair, Table:
            assert typing.get_type_hints(kind)["mood"] is Mood

        @dataclass
        class Late:
            known: ClassVar[int] = 0
            given: InitVar[int] = 0

        assert not fields(Late)
    """
PLAYS = """
    class Plays:
        games = ["{game}"]

        def __init__(self):
            check_names()

        def begin(self, view):
            check_names()

        def act(self, view):
            check_names()
            return view.legal[0]

        def settled(self, view, net):
            check_names()

    class Other(Plays):
        pass
    """
GAME = """
    from roundsim.games.nap import Nap

    class Checked(Nap):
        id = "checked"
        name = "Checked"

        def deal(self):
            check_names()
            return super().deal()
    """


def dedented(*parts: str) -> str:
    return "".join(map(textwrap.dedent, parts))


def write_strategies(write: Write) -> list[str]:
    """A file with two strategies, and a package, one of whose modules is imported when it plays."""
    write("checking.py", dedented(CHECKS, PLAYS.format(game="*")))
    write("pack/checks.py", dedented(CHECKS))
    late = "    from .late import check_names\n    check_names()\n"
    write("pack/__init__.py", f"def act(view):\n{late}    return view.legal[0]\n")
    write("pack/late.py", "from .checks import Card, check_names\n\nassert Card.__module__.startswith(__package__)\n")
    return ["./checking.py:Plays", "./checking.py:Other", "./pack"]


@pytest.mark.usefixtures("met")
@pytest.mark.parametrize(("entry", "isolate"), [(0, "off"), *seldom_with((0, "auto"), (2, "off"), (2, "auto"))])
def test_a_strategy_that_pickles_its_own_objects_passes_check(
    entry: int, isolate: str, shell: Shell, write: Write
) -> None:
    strategy = write_strategies(write)[entry]
    done = shell("check", strategy, "--game", "nap", "--deals", "2", "--isolate", isolate)
    assert done.code == 0 and done.out.endswith("no problems\n"), done
    assert "same twice              ok" in done.out and "hidden cards            ok" in done.out


@pytest.mark.soak
def test_against_its_own_file_it_passes_check_too(shell: Shell, write: Write) -> None:
    one, other, _ = write_strategies(write)
    done = shell("check", one, "--against", other, "--game", "nap", "--deals", "12")
    assert done.code == 0 and "the same answers" in done.out, done


@pytest.mark.soak
@pytest.mark.parametrize("isolate", ["off", "auto"])
@pytest.mark.parametrize(
    ("game", "format", "amount"),
    [
        ("nap", "round-robin", "--deals=8"),
        ("bouillotte", "freeze-out", "--times=2"),
        ("nap", "knock-out", "--deals=40"),
        ("nap", "progressive", "--times=2"),
    ],
)
def test_it_plays_in_each_format_without_a_fault(
    game: str, format: str, amount: str, isolate: str, shell: Shell, write: Write
) -> None:
    """Next to a second strategy of its file, and to itself in other seats."""
    words = "play", game, *write_strategies(write), "book", "--as", format, amount, "--isolate", isolate, "--jobs", "1"
    done = shell(*words, "--out", "run", "-q")
    assert done.code == 0 and "fault" not in done.out + done.err, done


@pytest.mark.soak
@pytest.mark.parametrize("isolate", ["off", "auto"])
def test_it_is_a_shadow_without_a_fault(isolate: str, shell: Shell, write: Write) -> None:
    one, other, _ = write_strategies(write)
    words = "play", "nap", one, other, "--as", "shadow", "--deals", "12"
    done = shell(*words, "--isolate", isolate, "--jobs", "1", "--out", "run", "-q")
    assert done.code == 0 and "fault" not in done.out + done.err, done


@pytest.mark.soak
@pytest.mark.usefixtures("met")
def test_a_game_in_the_same_file_finds_its_own_copy(shell: Shell, write: Write) -> None:
    write("both.py", dedented(CHECKS, GAME, PLAYS.format(game="checked")))
    done = shell("check", "./both.py:Plays", "--game", "./both.py", "--deals", "8")
    assert done.code == 0 and done.out.endswith("no problems\n"), done


@pytest.mark.parametrize("isolate", ["off", pytest.param("auto", marks=pytest.mark.soak)])
def test_a_game_in_the_same_file_is_played_by_it(isolate: str, shell: Shell, write: Write) -> None:
    write("both.py", dedented(CHECKS, GAME, PLAYS.format(game="checked")))
    words = "play", "./both.py", "./both.py:Plays", "random", "--deals", "8", "--isolate", isolate, "--jobs", "1"
    done = shell(*words, "--out", "run", "-q")
    assert done.code == 0 and "fault" not in done.out + done.err, done
