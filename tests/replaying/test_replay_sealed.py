"""`replay --strategy` asks a third-party strategy in a guest, as a run does: it answers the same, and reaches nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import Outcome, Shell, Write
from helpers.command import one_in
from helpers.sealed import in_force

pytestmark = pytest.mark.usefixtures("met")

SOURCE = """
    import os, random
    from pathlib import Path

    HERE = Path(__file__).parent

    class Mine:
        games = ["nap"]
        def begin(self, view):
            self.drawn = view.chance.random() + random.random()
            self.deals = 0
        def settled(self, view, net):
            self.deals += 1
        def act(self, view):
            {act}
            return view.legal[int(7 * self.drawn + self.deals + view.chance.random()) % len(view.legal)]
    """
BOT = """
    import json, sys

    print(json.loads(sys.stdin.readline()) and '{"roundsim":1}', flush=True)
    for line in sys.stdin:
        word, number, *rest = json.loads(line)
        if word == "ask":
            print(json.dumps([number, -1 if len(sys.argv) > 1 else 0]), flush=True)
    """


@pytest.fixture(autouse=True)
def sealed() -> None:
    in_force("landlock")


def play(shell: Shell, write: Write, text: str, act: str = "pass") -> None:
    write("mine.py", SOURCE.format(act=act))
    write("bot.py", BOT)
    done = shell("play", "nap", text, "random", "--deals", "8", "--sitting", "2", "--jobs", "1", "--out", "run")
    assert done.code == 0, done


def again(shell: Shell, text: str, *words: str) -> Outcome:
    """The second deal of a sitting, asked again with the one before it."""
    done = shell("replay", "run:nap/1/1/2", "--strategy", text, *words)
    assert done.code == 0, done
    return done


@pytest.mark.soak
def test_a_bot_answers_as_it_did_and_another_one_differently(shell: Shell, write: Write) -> None:
    play(shell, write, "cmd:python3 bot.py")
    assert again(shell, "cmd:python3 bot.py").out.endswith(" answers the same everywhere\n")
    printed = again(shell, "cmd:python3 bot.py last", "--seat", "bot").out
    assert "      bot last answers here: -1" in printed and "the same everywhere" not in printed


REACHING = ["(HERE / 'made').touch()", "(HERE / 'bot.py').read_text()", "os.fork()", "__import__('socket').socket()"]


@pytest.mark.parametrize("act", one_in(4, REACHING))
def test_it_answers_as_it_did_and_reaches_nothing(act: str, shell: Shell, write: Write) -> None:
    play(shell, write, "mine.py")
    assert again(shell, "mine.py").out.endswith(" answers the same everywhere\n")
    write("mine.py", SOURCE.format(act=act))
    printed = again(shell, "mine.py", "--seat", "Mine").out
    assert re.search(r"Mine fails here: (Permission|FileNotFound|OS)Error: .*\n +mine.py:\d+ in act", printed)
    assert not Path("made").exists()


@pytest.mark.soak
def test_its_output_is_shown(shell: Shell, write: Write) -> None:
    play(shell, write, "mine.py", "print('thinking', file=__import__('sys').stderr)")
    done = again(shell, "mine.py")
    assert "thinking\n" in done.err and done.out.endswith(" answers the same everywhere\n")


@pytest.mark.soak
def test_a_dead_guest_is_not_asked_again_and_in_the_debugger_it_is_asked_here(shell: Shell, write: Write) -> None:
    play(shell, write, "mine.py")
    write("mine.py", SOURCE.format(act="os._exit(3)"))
    printed = shell("replay", "run:nap/1/1/1", "--strategy", "mine.py", "--seat", "Mine").out
    assert printed.count("fails here") == 1 and "Mine fails here: the process died" in printed
    write("mine.py", SOURCE.format(act="(HERE / 'made').touch()"))
    again(shell, "mine.py", "--debug")
    assert Path("made").exists()
