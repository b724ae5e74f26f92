"""Copies of a module for each seat and stage, and for a game in the same file: code of a copy finds that copy by its name,
which pickle, dataclasses and type hints look up."""

from __future__ import annotations

import textwrap

import pytest
from conftest import Shell, Write
from helpers.command import seldom

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


@pytest.mark.soak
@pytest.mark.usefixtures("met")
@pytest.mark.parametrize(
    ("entry", "more"),
    [
        *[(entry, ["--isolate", isolate]) for entry in (0, 2) for isolate in ("off", "auto")],
        (0, ["--against", "./checking.py:Other"]),
        (3, []),
    ],
    ids=str,
)
def test_a_strategy_that_pickles_its_own_objects_passes_check(
    entry: int, more: list[str], shell: Shell, write: Write
) -> None:
    """On its own, against another of its file, and in a game of the same file."""
    strategy = [*write_strategies(write), "./both.py:Plays"][entry]
    write("both.py", dedented(CHECKS, GAME, PLAYS.format(game="checked")))
    game = "./both.py" if entry == 3 else "nap"
    done = shell("check", strategy, "--game", game, "--deals", "8", *more)
    assert done.code == 0 and done.out.endswith("no problems\n"), done
    assert "same twice              ok" in done.out and "hidden cards            ok" in done.out
    assert "--against" not in more or "the same answers" in done.out


@pytest.mark.soak
@pytest.mark.parametrize("isolate", ["off", "auto"])
@pytest.mark.parametrize(
    ("game", "format", "amount"),
    [
        ("nap", "round-robin", "--deals=8"),
        ("bouillotte", "freeze-out", "--times=2"),
        ("nap", "knock-out", "--deals=40"),
        ("nap", "progressive", "--times=2"),
        ("nap", "shadow", "--deals=12"),
    ],
)
def test_it_plays_in_each_format_without_a_fault(
    game: str, format: str, amount: str, isolate: str, shell: Shell, write: Write
) -> None:
    """Next to a second strategy of its file, and to itself in other seats."""
    entrants = [*write_strategies(write), "book"][: 2 if format == "shadow" else 4]
    words = "play", game, *entrants, "--as", format, amount, "--isolate", isolate, "--jobs", "1"
    done = shell(*words, "--out", "run", "-q")
    assert done.code == 0 and "fault" not in done.out + done.err, done


@pytest.mark.usefixtures("once_here")
@pytest.mark.parametrize("isolate", ["off", *seldom("auto")])
def test_a_game_in_the_same_file_is_played_by_it(isolate: str, shell: Shell, write: Write) -> None:
    write("both.py", dedented(CHECKS, GAME, PLAYS.format(game="checked")))
    words = "play", "./both.py", "./both.py:Plays", "random", "--deals", "8", "--isolate", isolate, "--jobs", "1"
    done = shell(*words, "--out", "run", "-q")
    assert done.code == 0 and "fault" not in done.out + done.err, done
