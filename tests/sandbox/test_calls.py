"""Functions that are called in a guest: their answers, and how a guest ends that does not send them all."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Iterator
from typing import Any

import pytest
from helpers.command import seldom
from helpers.sealed import in_force

from roundsim.sandbox.calls import CallLauncher, GuestEndedError, launcher_of_calls
from roundsim.sandbox.kinds import NO_SANDBOX

MEMORY = 512  # MB
PAUSE = 0.5  # seconds


@pytest.fixture(params=["bubblewrap", *seldom("landlock", "")], ids=["bubblewrap", "landlock", "none"])
def launcher(request: pytest.FixtureRequest) -> Iterator[CallLauncher]:
    with launcher_of_calls(in_force(request.param) if request.param else NO_SANDBOX, []) as launcher:
        yield launcher


def test_answers_come_as_they_are_yielded_from_one_guest_after_the_other(launcher: CallLauncher) -> None:
    assert [[*launcher.call(range, count, memory=MEMORY)] for count in (3, 0, 2)] == [[0, 1, 2], [], [0, 1]]


def test_an_answer_between_two_looks_arrives(launcher: CallLauncher, monkeypatch: pytest.MonkeyPatch) -> None:
    """It answers and ends after we have looked for its answer, and before we ask whether it has ended."""

    def looks_too_early(*watched: Any) -> tuple[list[int], list[int], list[int]]:
        monkeypatch.undo()
        select.select(watched[0], [], [])
        time.sleep(PAUSE)  # it ends
        return [], [], []

    answers = launcher.call(range, 1, memory=MEMORY)
    monkeypatch.setattr("roundsim.sandbox.calls.select.select", looks_too_early)
    assert [*answers] == [0]


def test_a_guest_that_exits_is_silent_or_has_lost_its_launcher_ends(launcher: CallLauncher) -> None:
    for code in 0, 3:
        with pytest.raises(GuestEndedError) as lost:
            next(launcher.call(os._exit, code, memory=MEMORY))
        assert lost.value.code == code and not lost.value.silent
    with pytest.raises(GuestEndedError) as lost:
        next(launcher.call(time.sleep, 600, memory=MEMORY, seconds=0.1))
    assert lost.value.silent
    answers = launcher.call(time.sleep, 600, memory=MEMORY)
    launcher.process.kill()
    with pytest.raises(GuestEndedError) as lost:
        next(answers)
    assert lost.value.code is None and not lost.value.silent


def test_a_process_that_a_guest_leaves_behind_holds_nothing_open() -> None:
    """It has the socket of the guest."""
    with launcher_of_calls(NO_SANDBOX, []) as launcher, pytest.raises(GuestEndedError) as lost:
        next(launcher.call(os.system, "sleep 600 & kill -9 $PPID", memory=MEMORY))
    assert lost.value.code == -9
