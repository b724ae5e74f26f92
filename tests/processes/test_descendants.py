"""Children that a strategy leaves behind end with the command; those of the program that calls us do not."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.command import PATIENCE, environment, wait_for

from roundsim.processes.descendants import GET_CHILD_SUBREAPER, SET_CHILD_SUBREAPER, none_left

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere they cannot be distinguished from others"),
    pytest.mark.usefixtures("in_process"),
]

LEAVES = """
import os
import subprocess

def leave():
    "A child in a session of its own, which holds our standard output; and one whose parent has gone."
    for words in (["setsid", "sleep", "10007"], ["sh", "-c", "setsid sleep 10007 &"]):
        subprocess.Popen(words, stdout=OUTPUT)

OUTPUT = None
if WHEN == "import":
    leave()

class Mine:
    games = ["nap"]

    def act(self, view):
        if WHEN == "act":
            leave()
        return view.legal[0]
"""


def asleep(folder: Path) -> list[str]:
    """The processes that sleep in this folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(process / "cwd") == str(folder) and b"sleep" in (process / "cmdline").read_bytes():
                found.append(process.name)
        except OSError:  # it is gone, or somebody else's
            continue
    return found


PLAY, CHECK = "play nap mine.py random --deals 4 --jobs 2", "check mine.py --game nap --deals 4"


@pytest.mark.soak
@pytest.mark.parametrize("words", [PLAY, CHECK])
@pytest.mark.parametrize("when", ["import", "act"])
def test_no_child_is_left_and_a_reader_of_the_output_ends(words: str, when: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(f"WHEN = {when!r}\n{LEAVES}")
    command = f"{sys.executable} -m roundsim {words} | cat"
    done = subprocess.run(
        command, shell=True, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.stdout and "Traceback" not in done.stdout + done.stderr, done
    assert asleep(tmp_path) == []


def test_children_of_the_calling_program_go_on(tmp_path: Path) -> None:
    """Children of a strategy, left by their parent, become ours; that of the program was there before."""
    own = subprocess.Popen(["sleep", "10007"], cwd=tmp_path)
    try:
        with none_left():
            subprocess.run(["sh", "-c", "sleep 10007 & sleep 10007 &"], cwd=tmp_path, check=True)
            assert wait_for(lambda: len(asleep(tmp_path)) == 3)  # during exec a process has no command line
        assert asleep(tmp_path) == [str(own.pid)] and own.poll() is None
    finally:
        own.kill()
        own.wait()


def test_afterwards_children_are_adopted_only_if_they_were_before() -> None:
    prctl, asked = ctypes.CDLL(None).prctl, ctypes.c_int()
    for before in 1, 0:
        prctl(SET_CHILD_SUBREAPER, before)
        with none_left():
            prctl(GET_CHILD_SUBREAPER, ctypes.byref(asked))
            assert asked.value == 1
        prctl(GET_CHILD_SUBREAPER, ctypes.byref(asked))
        assert asked.value == before
