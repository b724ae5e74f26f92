"""Completion: what words may become; in a real bash, set up as docs/install.md says; zsh and fish have their own script."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from conftest import Shell, Write
from helpers.command import PATIENCE, environment, seldom_with

from roundsim import games
from roundsim.cli.completing import Bash, Fish, Zsh
from roundsim.running import Run

Complete = Callable[..., list[str]]
HOUSE = ["book", "expert", "random", "sampler"]

ASK = """
eval "$(_ROUNDSIM_COMPLETE=bash_source roundsim)"
COMP_WORDS=(roundsim "$@") COMP_CWORD=$# COMPREPLY=()
_roundsim_completion roundsim
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def shell_environment(tmp_path: Path) -> dict[str, str]:
    """The environment of a shell in which `roundsim` can be called."""
    program = tmp_path / "roundsim"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m roundsim "$@"\n')
    program.chmod(0o755)
    return {**environment(), "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["standings", "run", "--format", "m"], ["md"]),
        *seldom_with(
            (["sta"], ["standings"]), (["new", ""], ["bot", "league", "strategy"]), (["schema", "--g"], ["--game"])
        ),
    ],
    ids=" ".join,
)
def test_bash(words: list[str], found: list[str], shell_environment: dict[str, str]) -> None:
    asked = ["bash", "-c", ASK, "bash", *words]
    done = subprocess.run(asked, env=shell_environment, capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout.split() == found, done.stderr


@pytest.mark.parametrize("name", ["zsh", "fish"])
def test_other_shells(name: str, shell_environment: dict[str, str]) -> None:
    asked = {**shell_environment, "_ROUNDSIM_COMPLETE": f"{name}_source"}
    done = subprocess.run(["roundsim"], env=asked, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0 and f"{name}_complete" in done.stdout


@pytest.fixture
def complete(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Complete:
    """Asks the command as a shell does: what the last of these words may become."""

    def ask(*words: str, by: str = "bash") -> list[str]:
        monkeypatch.setenv("_ROUNDSIM_COMPLETE", f"{by}_complete")
        monkeypatch.setenv("COMP_WORDS", " ".join(["roundsim", *words]))
        monkeypatch.setenv("COMP_CWORD", words[-1] if by == "fish" else str(len(words)))
        done = shell()
        assert done.code == 0 and not done.err
        lines = [each for each in done.out.splitlines() if each]
        return lines if by == "zsh" else [each.removeprefix("plain,") for each in lines]

    return ask


@pytest.fixture
def folder(parlour: Run, write: Write) -> None:
    """A folder with a finished run, strategies that must not be imported, and other things."""
    broken = write("runs/broken/run.toml")
    os.utime(broken, (0, 0))
    shutil.copytree(parlour.folder, broken.parent.parent / "nap-8770ba")
    write("mine.py", "open('loaded', 'w').close()\nclass Mine:\n    pass\nclass _Not:\n    pass\ndef act(view): ...\n")
    write("more/yours.py", "raise SystemExit\n")
    write("bot/bot.toml", "")
    write("notes.txt", "")
    write("deal.toml", "")
    write("broken.py", "class:")


CASES = [
    (["play", "na"], ["nap"]),
    (["play", "nap,lo"], ["nap,loo", "nap,loto"]),
    (["rules", "pope"], ["pope-joan"]),
    (["play", "nap", ""], [*HOUSE, "bot/", "broken.py", "mine.py", "more/", "runs/"]),
    (["play", "nap", "book", "mo"], ["more/"]),
    (["play", "nap", "more/"], ["more/yours.py"]),
    (["play", "nap", "mine.py", ":"], ["Mine", "act"]),
    (["play", "nap", "mine.py", ":", "M"], ["Mine"]),
    (["play", "nap", "new", "=", "bo"], ["book", "bot/"]),
    (["play", "nap", "broken.py", ":"], []),
    (["play", "nap", "nowhere/"], []),
    (["play", "nap", "--option", "mis"], ["misery=", "misery_trumps=", "misery_stake="]),
    (["play", "nap", "--option", "misery", "="], ["false", "true"]),
    (["play", "nap", "--option", "pack", "=", "3"], ["32"]),
    (["play", "nap", "--option", "stake", "="], []),
    (["gate", "nap", "--among", "ra"], ["random"]),
    (["check", "book", "--game", "nap", "--option", "pa"], ["pack="]),
    (["new", "strategy", "x", "--game", "spi"], ["spin"]),
    (["play", "nap", "--game", ""], ["bot/", "broken.py", "mine.py", "more/", "runs/"]),
    (["standings", ""], ["runs/nap-8770ba", "runs/broken"]),
    (["standings", "nap-"], ["runs/nap-8770ba"]),
    (["standings", "runs/"], ["runs/broken", "runs/nap-8770ba"]),
    (["standings", "ru"], ["runs/nap-8770ba", "runs/broken", "runs/"]),
    (["diff", "runs/nap-8770ba", "runs/n"], ["runs/nap-8770ba"]),
    (["replay", "runs/n"], ["runs/nap-8770ba:"]),
    (["replay", "d"], ["deal.toml"]),
    (["replay", "runs/nap-8770ba", ":"], ["nap/"]),
    (["replay", "runs/nap-8770ba", ":", "n"], ["nap/"]),
    (["replay", "runs/nap-8770ba", ":", "nap/1/1/1", "--seat", "b"], ["book"]),
    (["deals", "runs/nap-8770ba", "--who", ""], ["book", "random"]),
    (["deals", "runs/nap-8770ba", "--worst", "r"], ["random"]),
    (["deals", "runs/nap-8770ba", "--entry", ""], ["nap"]),
    (["deals", "runs/broken", "--who", ""], []),
    (["deals", "--who", ""], []),
    (["verify", "runs/nap-8770ba", "--strategy", "Mine", "=", "mi"], ["mine.py"]),
    (["standings", "runs/nap-8770ba", "--format", "=", "j"], ["json"]),
    (["play", "nap", "-nonsense", "bo"], ["book", "bot/"]),
]


@pytest.mark.parametrize(("words", "found"), CASES, ids=lambda words: " ".join(words))
@pytest.mark.usefixtures("folder")
def test_values(words: list[str], found: list[str], complete: Complete) -> None:
    assert complete(*words) == found
    assert not Path("loaded").exists()


@pytest.mark.usefixtures("folder")
def test_other_shells_keep_words_whole_and_show_help(complete: Complete) -> None:
    assert complete("rules", "pope", by="zsh") == ["plain", "pope-joan", "Pope Joan"]
    assert complete("rules", "pope", by="fish") == ["pope-joan\tPope Joan"]
    assert complete("play", "nap", "mine.py:M", by="fish") == ["mine.py:Mine"]
    assert complete("replay", "runs/nap-8770ba:", by="zsh") == ["plain", "runs/nap-8770ba:nap/", "_"]
    assert complete("play", "nap", "--option", "pack=", by="fish") == ["pack=52", "pack=32"]


def test_names_that_a_shell_would_execute_are_left_out(complete: Complete, write: Write) -> None:
    for name in "$(touch loaded)", "a b", "a`b", "a;b", "a\nb", "plain":
        write(f"runs/{name}/run.toml")
        write(f"{name}.py")
    assert complete("standings", "") == ["runs/plain"]
    assert complete("play", "nap", "--game", "") == ["plain.py", "runs/"]


def test_every_game_has_its_title(complete: Complete) -> None:
    found = [line.split("\t") for line in complete("rules", "", by="fish")]
    assert [*map(tuple, found)] == [(name, games.find(name).title) for name in games.names()]


def test_the_scripts_of_click_are_changed() -> None:
    """No space follows a beginning, and a comma may be in a word."""
    assert "compopt -o nospace" in Bash.source_template
    assert all(each in Zsh.source_template for each in ("response partial", 'partial+=("$key")', "compadd -U -S ''"))
    assert 'split -m 1 ","' in Fish.source_template


TYPED = [
    ("rules pope", "rules pope-joan "),
    ("play nap,pope", "play nap,pope-joan "),
    ("standings", "standings "),
    ("play nap moo", "play nap moo"),
    ("play nap mine.py:M", "play nap mine.py:Mine "),
    ("play nap --option misery=t", "play nap --option misery=true "),
    ("play nap --option spare", "play nap --option spare_hand="),
    ("standings nap-", "standings runs/nap-8770ba "),
    ("replay runs/nap-8770ba:", "replay runs/nap-8770ba:nap/"),
    ("replay runs/nap", "replay runs/nap-8770ba:"),
]


@pytest.mark.soak
@pytest.mark.parametrize(("typed", "completed"), TYPED)
@pytest.mark.usefixtures("folder", "shell")
def test_the_tab_key_in_bash(typed: str, completed: str, shell_environment: dict[str, str]) -> None:
    """In a terminal, where bash splits words at : and = and adds a space after a complete one."""
    assert press_tab(["bash", "--norc", "-i"], ASK.splitlines()[1], typed, shell_environment) == completed


SETUP = {
    "zsh": (["zsh", "-f", "-i"], 'autoload -U compinit; compinit -u; eval "$(_ROUNDSIM_COMPLETE=zsh_source roundsim)"'),
    "fish": (["fish", "--no-config", "-i"], "_ROUNDSIM_COMPLETE=fish_source roundsim | source"),
}


@pytest.mark.soak
@pytest.mark.parametrize(("typed", "completed"), TYPED)
@pytest.mark.parametrize("name", SETUP)
@pytest.mark.usefixtures("folder", "shell")
def test_the_tab_key_in_other_shells(name: str, typed: str, completed: str, shell_environment: dict[str, str]) -> None:
    if not shutil.which(name):
        pytest.skip(f"there is no {name}")
    words, setup = SETUP[name]
    assert press_tab(words, setup, typed, shell_environment) == completed


def press_tab(words: list[str], setup: str, typed: str, env: dict[str, str]) -> str:
    """Return what a line becomes when the tab key is pressed in an interactive shell, which prints the line.

    A word is typed after it, because zsh takes back a space that a motion of the cursor follows."""
    terminal, theirs = pty.openpty()
    shell = subprocess.Popen(
        words,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**env, "PS1": "> ", "TERM": "dumb"},
        start_new_session=True,
        preexec_fn=partial(fcntl.ioctl, theirs, termios.TIOCSCTTY, 0),  # fish needs a terminal of its own
    )
    os.close(theirs)
    try:
        os.write(terminal, f"{setup}\necho rea''dy\n".encode())
        read_until(terminal, r"[\r\n]ready\r\n")
        os.write(terminal, f"roundsim {typed}\t".encode())
        os.write(terminal, b"X\x01echo '\x05'end\n")  # before the line, and after it
        return read_until(terminal, r"[\r\n]roundsim (.*)Xend\r\n")[1]
    finally:
        shell.kill()
        shell.wait()
        os.close(terminal)


def read_until(terminal: int, pattern: str) -> re.Match[str]:
    """Return the first place in the output of a terminal that looks like this."""
    text, end = "", time.monotonic() + 60
    while time.monotonic() < end:
        if select.select([terminal], [], [], 1)[0]:
            text += os.read(terminal, 1 << 12).decode(errors="replace")
        if found := re.search(pattern, text):
            return found
    raise AssertionError(text)
