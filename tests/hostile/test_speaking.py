"""Strategies that speak where nobody has asked them, through the descriptors of their process."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers.command import seldom
from helpers.guest_end import Asked, ask, asked_guest, hear, speak
from helpers.sealed import in_force
from hostile.attacks.wires import LINES
from hostile.playing import OFF, must_stand, play

from roundsim.base.errors import PluginError
from roundsim.guests.guest import MOST_SEEN, Guest
from roundsim.guests.losses import GuestLostError
from roundsim.guests.question import Wants
from roundsim.sandbox.kinds import Sandbox
from roundsim.sandbox.launchers import GuestProcess
from roundsim.tournament.planning.plan import Limits

ENTRANTS = {"random": "random", "book": "book"}
TABLE: dict[str, Any] = {"deals": 6, "players": 2, "sitting": 1, "seconds": 0.2}
JUNK = ("brackets", "answers too early", "half a line")  # the others are tried in process below
OTHER_JUNK = ("closes", "shuts", "swallows")  # other things done to a descriptor


@pytest.mark.soak
@pytest.mark.parametrize("what", [*JUNK, *OTHER_JUNK])
def test_a_broken_wire_costs_only_its_own_guest(tmp_path: Path, seal: Sandbox, what: str) -> None:
    """It is dead at each question, in words that say why, and barred after the third time."""
    run = play(tmp_path, seal.name, {"junk": f"./wires:Junk(what={what!r})", **ENTRANTS}, **TABLE)
    must_stand(run, "junk")
    assert run.faults["junk"] == {"dead": 3} or what == "swallows" and {*run.faults["junk"]} <= {"dead", "late"}
    if what in JUNK:
        assert {fault["words"].partition(":")[0] for fault in run.reported} == {"broke the protocol"}


@pytest.mark.soak
def test_a_guest_that_does_not_read_holds_up_nobody(tmp_path: Path, seal: Sandbox) -> None:
    run = play(tmp_path, seal.name, {"floods": "./wires:Floods", **ENTRANTS}, **TABLE)
    must_stand(run, "floods")
    assert {*run.faults["floods"]} <= {"dead", "late"} and run.faults["floods"]


@pytest.mark.soak
@pytest.mark.parametrize("how", [OFF, "bubblewrap", "landlock"])
def test_words_forged_for_a_worker_execute_nothing(tmp_path: Path, how: str) -> None:
    """Without isolation a forged "done" is believed only if the shard is there."""
    if how != OFF:
        in_force(how)
    run = play(tmp_path, how, {"forges": "./wires:Forges", **ENTRANTS}, **TABLE)
    if how != OFF or run.code not in (70, 73):
        must_stand(run, "forges")
    assert not (tmp_path / "sprung").exists()


# The answers of a guest


class Shown:
    """A view whose hand is long."""

    phase = "call"

    @property
    def hand(self) -> tuple[str, ...]:
        return ("As",) * 1000


@pytest.fixture
def guest() -> Iterator[Asked]:
    with asked_guest(Limits(seconds=0.1), Shown()) as asked:
        yield asked


@pytest.mark.parametrize("what", LINES)
def test_a_line_out_of_the_protocol_loses_the_guest(guest: Asked, what: str) -> None:
    ours, end = guest
    speak(end, LINES[what] + b"[1,0]\n")
    with pytest.raises(GuestLostError, match="broke the protocol"):
        hear(ours)


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("depths", [range(1, 400, 37), *seldom(range(1, 1100)), range(930, 1010)], ids=str)
def test_nested_brackets_lose_the_guest(depths: range, closed: bool) -> None:
    """At some depths they can be read but not written."""
    for depth in depths:
        with asked_guest(Limits()) as (ours, end):
            end.sendall(b"[" * depth + b"]" * depth * closed + b"\n")
            with pytest.raises(GuestLostError, match="broke the protocol"):
                ours.answer_all()


class Fails(Shown):
    """A view of a game that raises an exception."""

    @property
    def hand(self) -> tuple[str, ...]:
        raise ZeroDivisionError("a mistake of the game")


def test_an_exception_over_what_a_guest_asks_is_its_fault() -> None:
    """The fault shows our own lines."""
    with asked_guest(Limits(seconds=0.1), Fails()) as (ours, end), pytest.raises(GuestLostError) as lost:
        end.sendall(b'["see",1,"hand"]\n')
        hear(ours)
    assert lost.value.words == "broke the protocol: ZeroDivisionError: a mistake of the game"
    assert lost.value.key == ("1/1/1", 0, "call", 0)
    assert re.search(r"^guests/guest.py:\d+ in show$", lost.value.where, re.M)


@pytest.mark.soak
def test_a_guest_that_asks_to_see_and_does_not_read_is_lost(guest: Asked) -> None:
    ours, end = guest
    speak(end, b'["see",1,"hand"]\n' * 10_000)
    with pytest.raises(GuestLostError):
        hear(ours)


def test_names_to_see_at_a_question_are_limited(guest: Asked) -> None:
    """The time that showing them takes is charged."""
    ours, end = guest
    end.sendall(b'["see",1,"hand"]\n' * MOST_SEEN + b"[1,0]\n")
    hear(ours)
    assert ours.looking > 0
    end.recv(1 << 20)
    ask(ours, 2, Shown())
    end.sendall(b'["see",2,"nothing"]\n' * (MOST_SEEN + 1) + b"[2,0]\n")
    words = f"broke the protocol: asks to see more than {MOST_SEEN} names at a question"
    with pytest.raises(GuestLostError, match=words):
        hear(ours)


# The greeting of a guest


def greeted(line: bytes) -> Guest:
    """A guest whose first line was this."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        guest = Guest(GuestProcess(ours, 0, -1), 0, Limits(), Wants())
        speak(theirs, line)
        guest.hello({}, ["hand", "trick"], "mine")
    return guest


def test_a_name_wanted_many_times_is_sent_once() -> None:
    names = ",".join(['"trick"', '"hand"'] * 40_000)
    assert greeted(b'{"roundsim":1,"wants":[%b]}\n' % names.encode()).wants.always == ("trick", "hand")


@pytest.mark.parametrize("key", ["wants", "hears"])
def test_wanted_names_must_be_a_list(key: str) -> None:
    for said in b'"hand"', b'{"hand":1}', b"null", b"7":
        with pytest.raises(PluginError, match=f'mine: "{key}" must be a list of names, not '):
            greeted(b'{"roundsim":1,"%b":%b}\n' % (key.encode(), said))


# The faults that a guest reports of itself


def kinds_entered(bot: bool, kind: str, times: int, limits: Limits, seconds: float = 0.001, most: int = 0) -> list[str]:
    """The kinds of fault that are entered where a guest reports one kind several times."""
    with asked_guest(limits, seconds=seconds, most=most) as (guest, end):
        guest.is_bot = bot
        asked = [guest.open[1]]
        for at in range(1, times + 1):
            if at > 1:
                asked.append(ask(guest, at))
            end.sendall(b'[%d,null,["%b","words","mine.py:1 in act"]]\n' % (at, kind.encode()))
        hear(guest)
        return [question.fault_details[0] for question in asked if question.fault_details]


@pytest.mark.parametrize("kind", ["exception", "illegal", "memory", "full", "late"])
def test_a_bot_chooses_no_fault_that_costs_others(kind: str) -> None:
    entered = kind if kind == "illegal" else "exception"
    assert kinds_entered(True, kind, 2, Limits(), seconds=1000, most=1 << 40) == [entered] * 2


def test_a_late_guest_has_used_the_time() -> None:
    """It is late as often as its process has used up the limit, by the clock of the system."""
    slow = Limits(seconds=60)
    assert kinds_entered(False, "late", 3, slow) == ["exception"] * 3
    assert kinds_entered(False, "late", 3, slow, seconds=130) == ["late", "late", "exception"]
    assert kinds_entered(False, "late", 3, slow, seconds=0) == ["late"] * 3  # the system does not say
    banked = Limits(seconds=60, bank=5)
    assert kinds_entered(False, "late", 3, banked, seconds=4) == ["exception"] * 3
    assert kinds_entered(False, "late", 3, banked, seconds=6) == ["late"] * 3  # from then on always


def test_a_guest_with_full_memory_has_filled_it() -> None:
    """A `MemoryError` costs what it costs in process; memory that stays full is measured."""
    assert kinds_entered(False, "memory", 1, Limits()) == ["memory"]
    assert kinds_entered(False, "full", 1, Limits(memory=1000), most=400 << 20) == ["memory"]
    assert kinds_entered(False, "full", 1, Limits(memory=1000), most=600 << 20) == ["full"]
