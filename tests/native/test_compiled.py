"""Compiled deals ask, say and settle what the deals of the games do: a wheel has them, `nox -s compiled` makes one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from conftest import GAMES, Write
from helpers.command import command, drawn, environment

from roundsim import games, native
from roundsim.games.nap import Nap
from roundsim.table.actions import Action
from roundsim.table.chance import Chance, Source
from roundsim.table.deal import Ask, Deal
from roundsim.table.legal import accept, count
from roundsim.table.playthrough import Playthrough
from roundsim.testing import Table, for_any_sitting, play_sitting
from roundsim.testing.properties import check_same
from roundsim.testing.tables import copy_of, option_values, table_with

NOT_HERE = not native.deals_are_built() and "ROUNDSIM_COMPILE" not in os.environ  # where they should be, all this fails
pytestmark = pytest.mark.skipif(NOT_HERE, reason="only a wheel has compiled deals")
REFUSED = "none", "call 9", "play As", "bet 1000", "discard As", "take As"
WHEEL = {**environment(), "PYTHONPATH": str(native.PACKAGE.parent)}  # not the checkout


@pytest.mark.parametrize("name", GAMES)
def test_the_same_is_played(name: str) -> None:
    """At tables with any options, and with each value of each option."""
    game = games.find(name)
    for_any_sitting(game, drawn(20, 400), check_sitting)
    for option in game.options:
        for value in option_values(option):
            if table := table_with(game, option.key, value, Random(name)):
                check_sitting(table, 1)


def check_sitting(table: Table, seed: int) -> None:
    rules = table.rules
    assert rules.played_quickly_by is not rules.played_by
    deals, end = play_sitting(table, seed)
    for played in [*deals, end]:
        copy: Deal = rules.played_quickly_by(rules, copy_of(played.before), Source(played.name))
        if played is end:
            copy.end()
        else:
            check_questions(played.again(rules), copy, played.deal.actions)
            assert copy.over() == played.over
        check_same(copy, played)


def check_questions(deal: Deal, copy: Deal, actions: Sequence[Action]) -> None:
    plain, compiled = Playthrough(deal), Playthrough(copy)
    for action in actions:
        assert plain.ask and compiled.ask
        assert [*question(deal, plain.ask, action)] == [*question(copy, compiled.ask, action)]
        plain.answer(accept(plain.ask.legal, action))
        compiled.answer(accept(compiled.ask.legal, action))
    assert plain.ask is compiled.ask is None


def question(deal: Deal, ask: Ask, action: Action) -> Iterator[Any]:
    """Everything that can be known of a question; of every seventh only, in a long deal, what each seat sees."""
    size = count(ask.legal)
    yield ask.seat, ask.phase, type(ask), [ask.legal[at] for at in range(0, size, 1 + size // 20)]
    yield deal.says(ask, action), deal.seen(ask, action)
    yield [deal.refusal(ask, Action(text)) for text in REFUSED if text not in ask.legal]
    for seat in range(deal.players) if len(deal.asked) < 20 or not len(deal.asked) % 7 else ():
        yield str(deal.View(deal, seat, ask.phase, ask.legal, Chance())), [*deal.seen_by(seat)]


NOTES = """
from pathlib import Path
from roundsim.table.deal import deal_of

class Notes:
    imagines = {imagines}
    def act(self, view):
        with Path(__file__).with_name("kinds").open("a") as file:
            print(type(deal_of(view)).__module__, file=file)
        return view.legal[0]
"""


@pytest.mark.parametrize("imagines", [False, True])
def test_they_are_played_unless_somebody_imagines(imagines: bool, tmp_path: Path, write: Write) -> None:
    write("notes.py", NOTES.format(imagines=imagines))
    words = "play", "nap", "notes.py", "random", "--deals", 16, "--isolate", "off", "--jobs", 1
    subprocess.run(command(*words), cwd=tmp_path, env=WHEEL, check=True)
    kinds = {*tmp_path.joinpath("kinds").read_text().splitlines()}
    assert kinds == {Nap.__module__ if imagines else native.copy_name(Nap)}


def test_a_class_or_a_source_that_was_not_compiled_plays_itself(tmp_path: Path) -> None:
    mine = type("Nap", (Nap,), {"__module__": Nap.__module__})
    assert native.compiled(mine) is mine is not native.compiled(Nap)
    shutil.copytree(native.PACKAGE, tmp_path / "roundsim", ignore=shutil.ignore_patterns("__pycache__"))
    for text in "native, with compiled deals\n", "native\n":
        words = [sys.executable, "-c", "from roundsim.native import describe_build; print(describe_build())"]
        assert subprocess.run(words, cwd=tmp_path, env=WHEEL, stdout=subprocess.PIPE, text=True).stdout == text
        with tmp_path.joinpath("roundsim/games/nap/game.py").open("a") as source:
            source.write("\n")
