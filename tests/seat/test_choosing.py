"""The choice of a game and of opponents, at a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from conftest import GAMES
from helpers.command import command, environment

from roundsim import games
from roundsim.base.text import WIDTH
from roundsim.seat.choosing import choose_game, choose_opponents
from roundsim.seat.understand import UnclearError, understand
from roundsim.table.actions import Action


class Typist:
    """A terminal at which these lines are typed; `lines`: what it has printed."""

    def __init__(self, *typed: str) -> None:
        self.typed, self.lines = [*typed], list[str]()

    def say(self, text: str) -> None:
        self.lines += text.splitlines()

    def read(self, prompt: str) -> str:
        return self.typed.pop(0)


def test_the_list_of_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line each, under its family; the last one that was played is the first, and Enter takes it."""
    monkeypatch.chdir(tmp_path)
    for at, name in enumerate(["nap-1", "loo-2", "pope-joan-1", "nop-1"], 1):
        answers = tmp_path / "sit" / name / "seat.jsonl"
        answers.parent.mkdir(parents=True)
        answers.touch()
        os.utime(answers, (at, 5 if name == "loo-2" else at))
    typist = Typist("")
    assert choose_game(typist.say, typist.read).id == "loo"
    listed = [line.split()[1] for line in typist.lines if line[:4].strip().isdecimal()]
    assert listed[0] == "loo" and sorted(listed) == sorted(GAMES)
    assert typist.lines.index("tricks") < next(at for at, line in enumerate(typist.lines) if "  nap " in line)
    assert max(map(len, typist.lines)) <= WIDTH
    typist = Typist("1", "q")
    assert choose_game(typist.say, typist.read).id == "loo"


def test_a_game_by_its_name_or_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Text that names no game or several is asked for again; nothing has been played yet."""
    monkeypatch.chdir(tmp_path)
    typist = Typist("", "99", "sp", "spoi")
    assert choose_game(typist.say, typist.read).id == "spoil-five"
    assert typist.lines[-1] == "which of speculation, spin, spoil-five?"
    assert [line for line in typist.lines if line.startswith("a number from 1 to 25")] == [*typist.lines[-3:-1]]
    assert choose_game(lambda text: None, Typist("1").read).id == "speculation"
    with pytest.raises(EOFError):
        choose_game(lambda text: None, Typist("q").read)


def test_the_opponents() -> None:
    typist = Typist("expertt", "book " * 6, "expert book")
    assert choose_opponents(games.find("nap"), typist.say, typist.read) == ["expert", "book"]
    assert typist.lines[1].startswith("Nap against book, expert, ") and "you" not in typist.lines[1].split(", ")
    assert typist.lines[2:] == [
        "no strategy 'expertt' (did you mean expert?); q leaves",
        "6 opponents: at most 5 at Nap",
    ]
    assert choose_opponents(games.find("nap"), typist.say, Typist("").read) == []


def test_sit_alone_at_a_terminal(tmp_path: Path) -> None:
    """A game, its opponents, and the first deal; then the person leaves."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        command("sit", "--seed", 5), cwd=tmp_path, env=environment(), stdin=slave, stdout=slave, stderr=slave
    )
    os.close(slave)
    said, typed = b"", [b"nap\n", b"expert\n", b"p\n", b"q\n"]
    with suppress(OSError):  # the terminal is closed at the end
        while piece := os.read(master, 1000):
            said += piece
            if said.endswith(b"> "):
                os.write(master, typed.pop(0))
    os.close(master)
    assert process.wait() == 0 and b"Nap \xc2\xb7 you \xc2\xb7 expert \xc2\xb7 book" in said and not typed
    assert (tmp_path / "sit/nap-1/seat.jsonl").exists()


@pytest.mark.parametrize("number", ["0012", "99", "001" + "9" * 5000])
def test_a_number_that_is_on_no_list(number: str) -> None:
    typist = Typist(number, "nap")
    assert choose_game(typist.say, typist.read).id == "nap"
    with pytest.raises(UnclearError, match="is no answer here; there are 2"):
        understand(number, (Action("play Ac"), Action("play Td")))
