"""A system without free processes: no strategy is at fault, and the run goes on later."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from helpers.command import assert_same, roundsim
from helpers.here import Here, met_here, played_by
from helpers.sealed import in_force

from roundsim.base.errors import ResourceError, shortage_of
from roundsim.processes import start
from roundsim.sandbox import launchers
from roundsim.workers import shard

FAILING = """
import os
from pathlib import Path
fork, plan = os.fork, Path({path!r})  # a letter for each fork: f fails, and so do all after the last
def planned():
    letter, rest = plan.read_text()[:1], plan.read_text()[1:]
    plan.write_text(rest)
    if letter in "f":
        raise OSError({number}, os.strerror({number}))
    return fork()
os.fork = planned
"""
PLAY = "play", "nap", "one.py", "random", "--deals", 8, "--jobs", 1, "--isolate", "on"
SAYS = "no process, memory or open file is to spare on this machine, or within a limit of this user or container"


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a strategy.  Its guests are processes, and their worker is this one, in which what fails is patched."""
    in_force("landlock")  # within bubblewrap no launcher could read how its forks are to go
    monkeypatch.setenv("ROUNDSIM_SEAL", "landlock")
    monkeypatch.setattr(shard, "PAUSE", 0)
    (tmp_path / "one.py").write_text("def act(view):\n    return view.legal[0]\n")
    with played_by(Here, met_here):
        yield tmp_path


@pytest.fixture
def forks(room: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], None]:
    """Has the forks of launchers go as planned."""

    def plan(letters: str, number: int = errno.EAGAIN) -> None:
        path = room / "forks"
        path.write_text(letters)
        *words, code = launchers.COMMAND
        code = FAILING.format(path=str(path), number=number) + code.rpartition("os.fork = planned\n")[2]
        monkeypatch.setattr(launchers, "COMMAND", (*words, code))

    return plan


def play(room: Path, out: str, code: int = 0) -> Any:
    return roundsim(*PLAY, "--out", out, cwd=room, code=code)


@pytest.mark.soak
@pytest.mark.parametrize("number", [errno.EAGAIN, errno.ENOMEM])
def test_a_guest_that_cannot_be_started_once_is_nobodys_fault(room: Path, forks: Any, number: int) -> None:
    """The shard is played again."""
    play(room, "quiet")
    forks("..f" + 99 * ".", number)
    play(room, "short")
    assert_same(room / "quiet", room / "short")


@pytest.mark.soak
def test_a_run_for_which_no_guest_can_be_started_ends_and_goes_on_later(room: Path, forks: Any) -> None:
    play(room, "quiet")
    forks("..f.f")
    done = play(room, "short", code=69)
    assert SAYS in done.stderr and os.strerror(errno.EAGAIN) in done.stderr
    assert not (room / "short" / "faults.jsonl").exists()
    forks(99 * ".")
    play(room, "short")
    assert_same(room / "quiet", room / "short")


@pytest.mark.soak
def test_launchers_that_are_lost_one_after_the_other_are_nobodys_fault(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A container may have no process left for them."""
    monkeypatch.setattr(launchers, "COMMAND", ("-c", "raise SystemExit(1)"))
    assert SAYS in play(room, "short", code=69).stderr


FAILS = Mock(side_effect=BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN)))


def test_a_launcher_that_cannot_be_started_is_nobodys_fault(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", FAILS)
    assert SAYS in play(room, "short", code=69).stderr


def test_a_worker_that_cannot_be_started_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start.context.Process, "start", FAILS)
    done = roundsim("play", "nap", "book", "random", "--deals", 8, "--jobs", 2, cwd=tmp_path, code=69)
    assert f"a process cannot be started: {os.strerror(errno.EAGAIN)}; {SAYS}" in done.stderr


def test_only_a_shortage_is_one() -> None:
    with pytest.raises(FileNotFoundError), shortage_of("a process"):
        raise FileNotFoundError(errno.ENOENT, "gone")
    with pytest.raises(ResourceError), shortage_of("a process"):
        raise OSError(errno.ENFILE, "full")
