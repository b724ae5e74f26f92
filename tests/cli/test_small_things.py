"""Small things that commands promise: a number that is none, the whole of a command to repeat, what comes first."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from conftest import Shell, Write
from helpers.command import PATIENCE, ROOT
from helpers.sealed import any_in_force

pytestmark = pytest.mark.usefixtures("here")


@pytest.mark.parametrize("seed", ["9" * 5000, "9" * 20, str(2**63), "-1", "1.5", "", "0x10"])
def test_a_seed_that_is_none(shell: Shell, seed: str) -> None:
    done = shell("play", "nap", "random", "random", f"--seed={seed}", "--deals", 8)
    assert done.code == 64 and "a whole number below 2**63, 32 digits 0-9a-f, or random; not " in done.err
    assert len(done.err) < 500


@pytest.mark.parametrize("words", [["--isolate", "on"], []], ids=" ".join)
def test_the_command_to_repeat_isolates_as_this_one_does(shell: Shell, words: list[str]) -> None:
    any_in_force()
    done = shell("play", "nap", "random", "random", "--deals", 8, "--jobs", 1, *words)
    command = done.out.splitlines()[-1]
    assert command.startswith("repeat   roundsim play nap random random") and ("--isolate on" in command) is bool(words)


FAILS = """
games = ["nap"]

def act(view):
    if view.dealer in {dealers}:
        raise ValueError("no")
    return view.legal[0]
"""


def test_errors_come_before_warnings(shell: Shell, write: Write) -> None:
    """Who fails in two deals, which is allowed, stands first at the table; who fails in all is told first."""
    write("seldom.py", FAILS.format(dealers="{0}"))
    write("often.py", FAILS.format(dealers="{0, 1}"))
    head = "[tournament]\nstrategies = ['seldom.py', 'often.py']\n[limits]\nfaults_allowed = 2\n"
    write("t.toml", f"{head}[[games]]\ngame = 'nap'\nplayers = 2\ndeals = 4\nsitting = 2\n")
    done = shell("run", "t.toml", "--jobs", 1, "--isolate", "off", "--ci", "github")
    assert done.code == 2
    told = re.findall(r"^::(error|warning) .*?title=(\w+)%3A (\w+ \d) times", done.out + done.err, re.M)
    assert told == [("error", "often", "exception 4"), ("warning", "seldom", "exception 2")]


CAPITALS = {
    "rules NAP": "(did you mean nap?)",
    "rules POKER": "(did you mean one of ambigu, bouillotte, ",
    "play Nap random random": "(did you mean nap?)",
    "play nap BOOK random": "(did you mean book?)",
    "play nap book(BOLD=1) random": "(did you mean bold?)",
    "play nap random random --option BLUCHER=true": "(did you mean blucher?)",
    "play nap random random --as SHADOW": "(did you mean shadow?)",
}


@pytest.mark.parametrize("words", CAPITALS)
def test_a_name_in_capitals_is_suggested_in_small_letters(words: str, shell: Shell) -> None:
    done = shell(*words.split())
    assert done.code == 64 and CAPITALS[words] in done.err, done


def test_a_run_given_to_run_is_gone_on_with_by_other_commands(shell: Shell) -> None:
    shell("play", "nap", "random", "random", "--deals", 8, "--jobs", 1, "--out", "one run")
    done = shell("run", "one run")
    assert done.code == 64 and "one run is the folder of a run: repeat the command that began it" in done.err
    assert "roundsim grow 'one run'" in done.err


def test_a_strategy_in_an_archive_must_be_unpacked(shell: Shell, write: Write) -> None:
    with zipfile.ZipFile("all.zip", "w") as archive:
        archive.writestr("mine.py", "def act(view):\n    return view.legal[0]\n")
    done = shell("play", "nap", "all.zip/mine.py", "random")
    assert done.code == 64 and "all.zip/mine.py: unpack all.zip first" in done.err


def test_roundsim_does_not_play_from_an_archive(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for name in "__init__.py", "__main__.py", "_version.py":
            archive.write(ROOT / "roundsim" / name, f"roundsim/{name}")
    text = "import sys; sys.path.insert(0, 'all.zip'); from roundsim.__main__ import main; main()"
    words = sys.executable, "-c", text, "play", "nap", "book", "random"
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 64 and "all.zip/roundsim: it cannot play from an archive: install it\n" in done.stderr
