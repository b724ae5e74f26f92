"""Limits that few guests and workers ever reach: each test reaches one, and checks its message."""

from __future__ import annotations

import json
import os
import resource
import shutil
import socket
import subprocess
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, cast

import pytest
from helpers.command import ROOT, roundsim, seldom, wait_for
from helpers.guest_end import Asked, asked_guest, hear, speak
from helpers.here import Here, met_here, played_by
from helpers.sealed import any_in_force
from helpers.shard_text import text_of

from roundsim.base import importing
from roundsim.guests import guest as guest_module
from roundsim.guests.guest import Guest, IdleTime
from roundsim.guests.losses import GuestLostError
from roundsim.guests.question import GuestQuestion, Wants
from roundsim.processes import memory
from roundsim.processes.start import cpu_seconds
from roundsim.refereeing.board import CELLS
from roundsim.refereeing.referee import Clock, TimeUp
from roundsim.sandbox.launchers import GuestProcess
from roundsim.tournament.planning.plan import Limits

LONG = Limits(seconds=1000)


@pytest.fixture
def guest() -> Iterator[Asked]:
    """Asked one question, with a hundredth of a second to answer."""
    with asked_guest(Limits(seconds=0.01)) as asked:
        yield asked


def test_a_guest_that_sleeps_is_late(guest: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    """It uses no CPU time and does not answer: the wall clock ends it."""
    monkeypatch.setattr(guest_module, "PAUSE", 0)
    monkeypatch.setattr(guest_module, "queued_seconds", lambda pid: 0.0)  # as if this machine had no other load
    with pytest.raises(GuestLostError) as lost:
        hear(guest[0])
    assert lost.value.kind == "late" and lost.value.key == ("1/1/1", 0, "call", 0)


def test_a_machine_that_was_stopped_makes_nobody_late(guest: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    """An hour passes at each look at the clock; the answer comes at the third."""
    ours, end = guest
    hours, looks, usual = count(0, 3600.0), count(), ours.come

    def come() -> bytes:
        if next(looks) == 3:
            end.sendall(b"[1,0]\n")
        return usual()

    monkeypatch.setattr(guest_module, "monotonic", lambda: next(hours))
    monkeypatch.setattr(Guest, "come", lambda guest: come())
    monkeypatch.setattr(guest_module, "PAUSE", 1)
    ours.answer_all()
    assert not ours.open


def test_idle_time_of_all_guests_of_an_entrant_counts() -> None:
    """A process that sleeps is not charged in the first moments, then up to a limit, and then it is lost."""
    with subprocess.Popen(["sleep", "600"]) as sleeping:
        idle = IdleTime(most=5)
        guests = [Guest(GuestProcess(socket.socketpair()[0], sleeping.pid, -1), 1, Limits(), Wants()) for _ in range(2)]
        for guest in guests:
            guest.idle_time = idle
        try:
            assert wait_for(lambda: cpu_seconds(sleeping.pid) > 0)
            for guest, waited in zip(guests * 2, (0.004, 2, 2, 0.9), strict=True):
                guest.waited = waited
                guest.spend(guest.idle(), None)
            guests[1].waited = 3
            with pytest.raises(GuestLostError) as lost:
                guests[1].spend(guests[1].idle(), None)
        finally:
            sleeping.kill()
    assert (lost.value.entrant, lost.value.kind, lost.value.words) == (1, "idle", "it was idle for more than 5 s")


def faults_of_a_run(folder: Path, strategies: str, seconds: float, entry: str) -> list[dict[str, Any]]:
    """The faults of a sealed run of Nap with this limit."""
    any_in_force()
    limits = f"[tournament]\nstrategies = {strategies}\n[limits]\nseconds = {seconds}\n"
    (folder / "t.toml").write_text(f"{limits}[[games]]\ngame = 'nap'\nplayers = 2\n{entry}\n")
    roundsim("run", "t.toml", "--isolate", "on", "--out", "run", cwd=folder, code=2)
    return [json.loads(line) for line in (folder / "run" / "faults.jsonl").read_text().splitlines()]


@pytest.mark.soak
def test_a_strategy_that_dozes_under_its_limit_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten limits are allowed for an answer, but not for each of hundreds; the deals of the others count."""
    monkeypatch.setattr(guest_module, "queued_seconds", lambda pid: 0.0)  # as if this machine had no other load
    code = "import time\n\ndef act(view):\n    time.sleep(0.18)\n    return view.legal[0]\n"
    (tmp_path / "dozes.py").write_text(code)
    with played_by(Here, met_here):
        (fault,) = faults_of_a_run(tmp_path, "['dozes.py', 'random', 'book']", 0.02, "deals = 64")
    assert (fault["strategy"], fault["kind"], fault["phase"]) == ("dozes", "late", "shard")
    assert fault["words"].startswith("it was idle for more than 4.9")


@pytest.mark.soak
def test_a_program_that_sleeps_is_late(tmp_path: Path) -> None:
    """A shell script greets, and then waits without computing."""
    (tmp_path / "sleeps.sh").write_text("echo '{\"roundsim\":1}'; exec sleep 600\n")
    faults = faults_of_a_run(tmp_path, "['cmd:sh sleeps.sh', 'random']", 0.01, "deals = 2\nsitting = 1")
    assert {fault["kind"] for fault in faults} == {"late"}


def test_a_guest_that_does_not_read_is_lost_when_too_much_is_unsent(guest: Asked) -> None:
    asked, _ = guest
    asked.out.append("x" * (guest_module.MOST_UNSENT // 2))
    asked.send()
    asked.out.append("x" * guest_module.MOST_UNSENT)
    with pytest.raises(GuestLostError, match="broke the protocol: it asks but does not read the answers"):
        asked.send()


def test_a_line_without_an_end_is_too_long(guest: Asked) -> None:
    asked, end = guest
    asked.limits = LONG
    speak(end, b"1" * (guest_module.LONGEST_LINE + 2))
    with pytest.raises(GuestLostError, match=f"broke the protocol: a line of over {1 << 20} bytes"):
        hear(asked)


class Shows:
    """A view with a private name."""

    phase = "call"
    _secret = property(lambda self: "seed")
    hand = property(lambda self: ("As",))


@pytest.mark.parametrize(("name", "shown"), [("hand", True), ("_secret", False), ("phase", False), ("none", False)])
def test_only_the_names_of_a_view_are_shown(guest: Asked, name: str, shown: bool) -> None:
    asked, end = guest
    asked.limits, view = LONG, cast(Any, Shows())
    asked.open[1] = GuestQuestion(("1/1/1", 0, "call", 0), view)
    end.sendall(f'["see",1,"{name}"]\n[1,0]\n'.encode())
    hear(asked)
    answer = json.loads(end.recv(1 << 16).splitlines()[-1])
    assert ("there is no such name" in answer) is not shown and "seed" not in answer


def test_memory_is_full_when_half_of_what_was_free_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hundred of a thousand bytes were taken before."""
    monkeypatch.setattr(resource, "getrlimit", lambda what: (1000, 1000))
    for taken, filled in (400, False), (600, False), (601, True), (900, True):
        monkeypatch.setattr(memory, "memory_used", lambda taken=taken: taken)
        assert memory.filled_since(200) is filled


SPY = """
games = ["nap"]

def act(view):
    try:
        open({path!r}).close()
    except OSError:
        return view.legal[0]
    raise ValueError("it was read")
"""


@pytest.mark.soak
@pytest.mark.parametrize("other", ["lib/other.py", *seldom("cmd:sh lib/other.sh")])
def test_the_sources_of_others_are_hidden(other: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where modules are imported from the folder in which they lie."""
    any_in_force()
    lib = tmp_path / "lib"
    lib.mkdir()
    (lib / "other.py").write_text("games = ['nap']\n\ndef act(view):\n    return view.legal[0]\n")
    shutil.copy(ROOT / "examples" / "bots" / "sh" / "bot.sh", lib / "other.sh")
    (tmp_path / "spy.py").write_text(SPY.format(path=str(tmp_path / other.removeprefix("cmd:sh "))))
    monkeypatch.setenv("PYTHONPATH", str(lib))
    words = ["play", "nap", "spy.py", other, "--deals", 4, "--jobs", 1, "--isolate", "on", "--out", "run"]
    roundsim(*words, cwd=tmp_path, hash_seed="0")
    assert "=" in text_of(next((tmp_path / "run" / "log").rglob("*.zst")))


# The clock of a worker


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that asks a question at 0 by the wall clock; it takes no CPU time worth mentioning."""
    monkeypatch.setattr(importing.waking_clock, "look", lambda: 0.0)
    clock = Clock(1000, [1] * CELLS)
    clock._look()
    return clock


def test_an_answer_after_ten_limits_is_late(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    for wall in 0.0, 9_999.0, 10_000.0:
        monkeypatch.setattr(importing.waking_clock, "look", lambda wall=wall: wall)
        if wall < 10_000:
            clock._look()
    with pytest.raises(TimeUp, match="no answer within the limit"):
        clock._look()


def test_a_swallowed_interruption_ends_the_worker(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The strategy is interrupted once, and has as long again; then nobody waits for it."""
    ends = list[str]()
    clock.lost = lambda: ends.append("lost")
    for wall, lost in (10_000.0, []), (20_000.0, ["lost"]):
        monkeypatch.setattr(importing.waking_clock, "look", lambda wall=wall: wall)
        with pytest.raises(TimeUp):
            clock._look()
        assert ends == lost


def test_a_worker_ends_with_its_parent_in_the_middle_of_a_shard(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = list[int]()
    monkeypatch.setattr(os, "getppid", lambda: clock.parent + 1)
    monkeypatch.setattr(os, "_exit", ends.append)
    clock._look()
    assert ends == [1]
