"""Answers, exceptions and kinds of faults of every size and shape: cut before they are looked at, and nobody's to choose."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from conftest import Shell, Write
from helpers.command import one_in

import roundsim
from roundsim import api, games
from roundsim.base.errors import SignalError
from roundsim.refereeing.referee import Clock, Player, Referee
from roundsim.refereeing.sitting import Sitting
from roundsim.reports.data import fault_rows
from roundsim.running import Run
from roundsim.table.chance import Chance, Source
from roundsim.tournament.storage.folder import RunFolder
from roundsim.tournament.storage.totals import finished_totals

pytestmark = pytest.mark.usefixtures("guests_alone")

SHAPES: dict[str, tuple[str, str, str]] = {  # the body of `act`, the kind, the words
    "an answer without end": (
        *("return 'play As ' * 10**6", "illegal"),
        'illegal "play As play As [^"]{180,190}" \\(8000000 ',
    ),
    "a million words": ("return ', '.join(['play As'] * 10**6)", "illegal", "[(]8999998 characters[)]"),
    "a text of another class": ("return type('T', (str,), {'__len__': None, '__str__': None})('x')", "illegal", '"x"'),
    "an exception without end": ("raise ValueError('x' * 10**8)", "exception", "ValueError: x{500}$"),
    "a name without end": ("raise type('E' * 10**6, (Exception,), {})", "exception", "^E{100}$"),
    "blanks only": ("return ' ' * 900", "illegal", "nothing was said"),
    "time up, it claims": (
        *("from roundsim.refereeing.referee import TimeUp; raise TimeUp('no answer')", "exception"),
        "TimeUp: no answer",
    ),
    "dead, it claims": (
        *("from roundsim.refereeing import referee; raise referee.PassedOverError('dead')", "exception"),
        "PassedOverError: dead",
    ),
}


def play(folder: Path, source: str, *more: str, **settings: Any) -> Run:
    (folder / "odd.py").write_text(source)
    run = roundsim.play(
        "nap", [str(folder / "odd.py"), "random", *more], deals=8, jobs=1, out=folder / "run", **settings
    )
    api.verify(folder / "run")
    return run


def reports_of(run: Run) -> list[dict[str, Any]]:
    return [*fault_rows(run.tournament, finished_totals(run.tournament, RunFolder(run.folder))[0])]


@pytest.mark.parametrize("shape", one_in(8, [*SHAPES]))
def test_long_answers_are_cut_and_the_kind_is_ours(shape: str, tmp_path: Path) -> None:
    said, kind, words = SHAPES[shape]
    fault = reports_of(play(tmp_path, f"def act(view):\n    {said}\n"))[0]
    assert fault["kind"] == kind
    assert re.search(words, fault["words"]), fault["words"]


def test_a_class_that_makes_nothing_is_at_fault(tmp_path: Path) -> None:
    source = "class Odd:\n    def __new__(cls):\n        return None\n    def act(self, view):\n        return 0\n"
    fault = reports_of(play(tmp_path, source))[0]
    assert (fault["kind"], fault["phase"]) == ("exception", "constructor")
    assert fault["words"] == "TypeError: NoneType was made, not what the class is"


SPENDING = """
    from time import process_time

    class Spending:
        def act(self, view):
            end = process_time() + 0.02
            while process_time() < end:
                pass
            return view.legal[-1]
    """


@pytest.mark.soak
def test_a_strategy_that_has_used_up_its_bank_is_late(shell: Shell, write: Write, tmp_path: Path) -> None:
    """Half a second a decision are allowed, and 0.05 s for a sitting: the third of a sitting is late, and all after it."""
    write("spending.py", SPENDING)
    file = """
        [tournament]
        strategies = ["spending.py", "random"]
        [limits]
        seconds = 0.5
        bank = 0.05
        [[games]]
        game = "nap"
        deals = 8
        """
    write("banked.toml", file)
    assert shell("run", "banked.toml", "--jobs", 1, "--out", "run").code == 2
    assert shell("verify", "run").code == 0
    faults = reports_of(api.open_run("run"))
    assert {(fault["kind"], fault["words"]) for fault in faults} == {("late", "its bank for the sitting is used up")}
    assert {fault["strategy"] for fault in faults} == {"Spending"}
    write("banked.toml", file.replace("bank = 0.05", "bank = 0"))
    assert shell("run", "banked.toml", "--jobs", 1, "--out", "free").code == 0
    said = shell("run", "banked.toml", "--jobs", 1, "--out", "run")
    assert said.code == 73 and "limits.bank is 0.05 there, 0.0 here" in said.err
    write("banked.toml", file.replace("bank = 0.05", "bank = -1"))
    said = shell("run", "banked.toml")
    assert said.code == 64 and "banked.toml:5: bank must be a number of seconds from 0.01 to 1000000, or 0" in said.err


def test_a_signal_gives_up_the_deal_and_is_nobodys_fault() -> None:
    """It comes while a strategy thinks in the process of the command."""

    def signalled(view: object) -> str:
        raise SignalError(15)

    game = games.named("nap")
    rules = game.rules_for(3, None)
    players = [Player(defaultdict(lambda: signalled), Chance(str(seat))) for seat in range(3)]
    referee = Referee(Clock(1))
    with pytest.raises(SignalError):
        referee.play(Sitting(game, rules, deals=1).next_deal(Source("signal")), players)
    assert not referee.faults
    assert referee.call_outside_deal(max, 1, 2) == (2, None)
    with pytest.raises(SignalError):
        referee.call_outside_deal(signalled, None)
