"""--quiet: only errors are printed, and the exit code says the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Shell, Write

pytestmark = pytest.mark.usefixtures("here")

FAULTY = "def act(view):\n    return 'nothing'\n"
RUN = '[[games]]\ngame = "nap"\ndeals = 16\nstrategies = ["book", "random"]\n'


def test_quiet_commands_print_nothing(shell: Shell, write: Write) -> None:
    """And the run is the same."""
    write("run.toml", RUN)
    assert shell("run", "run.toml", "--out", "loud", "--jobs", "1").code == 0
    for words in (
        ("run", "run.toml", "--out", "run", "--quiet"),
        ("run", "run.toml", "--out", "run", "-q"),  # nothing is left to play
        ("play", "nap", "book", "random", "--deals", "16", "--out", "grown", "-q"),
        ("grow", "grown", "--deals", "32", "-q"),
    ):
        assert shell(*words) == (0, "", ""), words
    assert Path("run/standings.json").read_bytes() == Path("loud/standings.json").read_bytes()


@pytest.mark.soak
def test_the_page_is_written(shell: Shell) -> None:
    assert shell("play", "nap", "book", "random", "--deals", "16", "--out", "run", "-q", "--report") == (0, "", "")
    assert Path("run/report.html").exists()


@pytest.mark.soak
def test_parts_and_their_whole(shell: Shell) -> None:
    for part in "1/2", "2/2":
        done = shell(
            "play", "nap", "book", "random", "--deals", "2000", "--shard", part, "--out", f"p.{part[0]}of2", "-q"
        )
        assert done == (0, "", "")
    assert shell("merge", "p.1of2", "p.2of2", "-q") == (0, "", "")


def test_faults_and_errors_are_printed(shell: Shell, write: Write) -> None:
    write("bad.py", FAULTY)
    done = shell("play", "nap", "bad.py", "random", "--deals", "16", "--out", "run", "-q")
    assert done.code == 2 and not done.out and done.err.startswith("roundsim: faults: bad: illegal ")
    write("run.toml", RUN.replace("book", "bad.py") + "[limits]\nfaults_allowed = 1000\n")
    assert shell("run", "run.toml", "-q") == (0, "", "")
    done = shell("play", "nap", "nobody", "-q")
    assert done.code == 64 and not done.out and "no strategy 'nobody'" in done.err
