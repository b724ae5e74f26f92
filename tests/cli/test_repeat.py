"""The command after `repeat` plays in an empty folder what the table shows, in whatever steps the run has grown."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest
from conftest import Shell, Write
from helpers.command import BAD, assert_same, seldom_with

pytestmark = pytest.mark.usefixtures("here")

TWO_TABLES = f"""
    [tournament]
    strategies = ["random", "{BAD}:Crash"]  # faults: each command ends with exit code 2
    [[games]]
    game = "nap"
    players = 4  # 16 deals in a block
    deals = 60
    [[games]]
    name = "three"
    game = "nap"
    players = 3
    sitting = 4  # 12 deals in a block
    deals = 130
    """
NO_AMOUNT_OF_ITS_OWN = TWO_TABLES.replace("deals = 60", "deals = 0")
KNOCK_OUTS = """
    [tournament]
    format = "freeze-out"
    strategies = ["random", "random"]
    [[games]]
    game = "draw-poker"
    stack = 5
    times = 2
    options = { stakes = "table" }
    [[games]]
    name = "long"
    game = "draw-poker"
    stack = 9
    times = 4
    options = { stakes = "table" }
    """


def grown(shell: Shell, words: list[str], amounts: list[str]) -> str:
    """The command that is printed when a run has been asked for in all these amounts."""
    for amount in amounts:
        done = shell(*words, *amount.split(), "--jobs", "1")
        assert done.code in (0, 2), done.err
    return str(done.out.splitlines()[-1])


def check_in_empty_folder(command: str, shell: Shell) -> None:
    """A shell that is given it makes the same run there, byte for byte."""
    (run,) = Path("runs").iterdir()
    Path("empty").mkdir()
    with chdir("empty"):
        for each in command.removeprefix("repeat   ").split("; "):  # whatever exit code the one before has
            shell(*each.split()[1:], "--jobs", "1")
    assert_same(run, "empty" / run)


@pytest.mark.parametrize(
    ("text", "amounts", "tail"),
    [
        (NO_AMOUNT_OF_ITS_OWN, ["--deals 30", "--deals 17"], " --deals 32"),
        (KNOCK_OUTS, ["--times 3", "", "--times 1"], "; {} --times 3"),
        *seldom_with(
            (TWO_TABLES, ["", "--deals 17"], ""),
            (TWO_TABLES, ["--deals 150", "", "--deals 17"], " --deals 156"),
            (TWO_TABLES, ["--deals 150", "--deals 155"], " --deals 155"),
            (TWO_TABLES, ["", "--deals 70"], "; {} --deals 70"),
            (TWO_TABLES, ["--deals 70", ""], "; {} --deals 80"),
            (KNOCK_OUTS, ["--times 5", ""], " --times 5"),
        ),
    ],
)
def test_of_a_file(text: str, amounts: list[str], tail: str, shell: Shell, write: Write) -> None:
    words = ["run", str(write("cup.toml", text))]
    command, alone = grown(shell, words, amounts), f"roundsim {' '.join(words)} --seed 1"
    assert command == f"repeat   {alone}{tail.format(alone)}"
    check_in_empty_folder(command, shell)


@pytest.mark.parametrize(
    ("words", "amounts", "tail"),
    [
        ("nap random random", ["--deals 30", "--deals 5"], "--deals 32"),
        ("draw-poker random random --option stakes=table", ["--times 3", "--times 1"], "--times 3"),
    ],
)
def test_of_a_game(words: str, amounts: list[str], tail: str, shell: Shell) -> None:
    command = grown(shell, ["play", *words.split()], amounts)
    assert command == f"repeat   roundsim play {words} --seed 1 {tail}"
    check_in_empty_folder(command, shell)


def test_no_command_gives_what_a_file_asked_for_before(shell: Shell, write: Write) -> None:
    words = ["run", str(write("cup.toml", TWO_TABLES))]
    grown(shell, words, [""])
    write("cup.toml", TWO_TABLES.replace("deals = 130", "deals = 20"))
    assert grown(shell, words, [""]) == "repeat   no command: the file had other amounts when more was asked for"
