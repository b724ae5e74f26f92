"""Strategies that speak where nobody has asked them, through the descriptors of their process."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from helpers.command import PATIENCE, seldom
from hostile.attacks.wires import LINES
from hostile.playing import OFF, must_stand, play

from roundsim.errors import PluginError
from roundsim.guests.guest import MOST_SEEN, Guest
from roundsim.guests.losses import GuestLostError
from roundsim.guests.question import GuestQuestion, Wants
from roundsim.sandbox.kinds import Sandbox
from roundsim.sandbox.launchers import GuestProcess
from roundsim.tournament.planning.plan import Limits

ENTRANTS = {"random": "random", "book": "book"}
TABLE: dict[str, Any] = {"deals": 6, "players": 2, "sitting": 1, "seconds": 0.2}
DOORS = ("closes", "shuts", "swallows")  # what else is done to a descriptor
QUICK = ("half a line",)


@pytest.mark.soak
@pytest.mark.parametrize("what", [*QUICK, *seldom(*[each for each in (*LINES, *DOORS) if each not in QUICK])])
def test_who_breaks_the_wire_breaks_his_own(tmp_path: Path, seal: Sandbox, what: str) -> None:
    """At each question: he is dead, in words that say why, and barred after the third time."""
    entrants = {"junk": f"./wires:Junk(what={what!r})", **ENTRANTS}
    run = play(tmp_path, seal.name, entrants, **TABLE)
    must_stand(run, "junk")
    assert run.faults["junk"] == {"dead": 3} or what == "swallows" and {*run.faults["junk"]} <= {"dead", "late"}
    if what in LINES:
        assert {fault["words"].partition(":")[0] for fault in run.told} == {"broke the protocol"}


@pytest.mark.soak
def test_who_does_not_hear_what_he_asks_for(tmp_path: Path, seal: Sandbox) -> None:
    """However much is written for him that he does not read, nobody waits for him."""
    run = play(tmp_path, seal.name, {"floods": "./wires:Floods", **ENTRANTS}, **TABLE)
    must_stand(run, "floods")
    assert {*run.faults["floods"]} <= {"dead", "late"} and run.faults["floods"]


@pytest.mark.soak
def test_words_of_a_worker_without_isolation(tmp_path: Path) -> None:
    """A forged "done" is believed only if the shard is there.  The worker plays on and may write it first: the run stands."""
    run = play(tmp_path, OFF, {"forges": "./wires:Forges", **ENTRANTS}, **TABLE)
    if run.code not in (70, 73):
        must_stand(run, "forges")
    assert not (tmp_path / "sprung").exists()


@pytest.mark.soak
def test_nobody_speaks_for_a_worker(tmp_path: Path, seal: Sandbox) -> None:
    run = play(tmp_path, seal.name, {"forges": "./wires:Forges", **ENTRANTS}, **TABLE)
    must_stand(run, "forges")
    assert not (tmp_path / "sprung").exists()


# What a worker hears


class Shown:
    """A view that shows a good deal."""

    phase = "call"

    @property
    def hand(self) -> tuple[str, ...]:
        return ("As",) * 1000


@pytest.fixture
def guest() -> Iterator[tuple[Guest, socket.socket]]:
    """Asked one question, number 1; and the end at which it speaks."""
    ours, theirs = socket.socketpair()
    view: Any = Shown()
    guest = Guest(GuestProcess(ours, 0, -1), 0, Limits(seconds=0.1), Wants())
    guest.ask(GuestQuestion(("1/1/1", 0, "call", 0), view), "ask", 1, '"call"', '["pass"]', "{}")
    with ours, theirs:
        yield guest, theirs


def hear(guest: Guest) -> None:
    """Wait for its answers, but not for ever."""
    raised = list[BaseException]()

    def wait() -> None:
        try:
            guest.answer_all()
        except BaseException as error:
            raised.append(error)

    waiting = Thread(target=wait, daemon=True)
    waiting.start()
    waiting.join(PATIENCE / 10)
    assert not waiting.is_alive(), "it waits for ever"
    if raised:
        raise raised[0]


def speak(end: socket.socket, line: bytes) -> None:
    """As long as somebody listens."""
    with suppress(OSError):
        end.sendall(line)


@pytest.mark.parametrize("what", LINES)
def test_lines_that_no_guest_says(guest: tuple[Guest, socket.socket], what: str) -> None:
    """Whatever it is, the guest is lost over it, and nothing else is."""
    ours, end = guest
    speaker = Thread(target=speak, args=(end, LINES[what] + b"[1,0]\n"), daemon=True)
    speaker.start()
    with pytest.raises(GuestLostError, match="broke the protocol"):
        hear(ours)


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("depths", [range(1, 400, 37), *seldom(range(1, 1100)), range(930, 1010)], ids=str)
def test_brackets_in_brackets(depths: range, closed: bool) -> None:
    """However deep: some can be read and not be written."""
    for depth in depths:
        ours, end = socket.socketpair()
        with ours, end:
            guest = Guest(GuestProcess(ours, 0, -1), 0, Limits(), Wants())
            guest.ask(GuestQuestion(("1/1/1", 0, "call", 0), None), "ask", 1, "call", ["pass"], {})
            end.sendall(b"[" * depth + b"]" * depth * closed + b"\n")
            with pytest.raises(GuestLostError, match="broke the protocol"):
                guest.answer_all()


class Fails(Shown):
    """A view of a game that raises something over a name."""

    @property
    def hand(self) -> tuple[str, ...]:
        raise ZeroDivisionError("a mistake of the game")


def test_an_exception_over_what_a_guest_asks_is_its_fault(guest: tuple[Guest, socket.socket]) -> None:
    """Whatever it is, nobody else hears of it, and the fault has our lines."""
    ours, end = guest
    ours.open[1].view = Fails()  # type: ignore[assignment]
    end.sendall(b'["see",1,"hand"]\n')
    with pytest.raises(GuestLostError) as lost:
        hear(ours)
    assert lost.value.words == "broke the protocol: ZeroDivisionError: a mistake of the game"
    assert lost.value.key == ("1/1/1", 0, "call", 0)
    assert re.search(r"^guests/guest.py:\d+ in show$", lost.value.where, re.M)


@pytest.mark.soak
def test_who_asks_to_see_and_does_not_read(guest: tuple[Guest, socket.socket]) -> None:
    ours, end = guest
    asking = Thread(target=speak, args=(end, b'["see",1,"hand"]\n' * 10_000), daemon=True)
    asking.start()
    with pytest.raises(GuestLostError):
        hear(ours)


# What a guest asks for, and what it says of itself


def greeted(line: bytes) -> Guest:
    """A guest that has said this as its first line."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        guest = Guest(GuestProcess(ours, 0, -1), 0, Limits(), Wants())
        speaker = Thread(target=speak, args=(theirs, line), daemon=True)
        speaker.start()
        guest.hello({}, ["hand", "trick"], "mine")
    return guest


def test_who_wants_a_name_many_times_gets_it_once() -> None:
    names = ",".join(['"trick"', '"hand"'] * 40_000)
    assert greeted(b'{"roundsim":1,"wants":[%b]}\n' % names.encode()).wants.always == ("trick", "hand")


@pytest.mark.parametrize("key", ["wants", "hears"])
@pytest.mark.parametrize("said", [b'"hand"', b'{"hand":1}', b"null", b"7"])
def test_who_wants_no_list(key: str, said: bytes) -> None:
    with pytest.raises(PluginError, match=f'mine: "{key}" must be a list of names, not '):
        greeted(b'{"roundsim":1,"%b":%b}\n' % (key.encode(), said))


def test_who_asks_to_see_without_end(guest: tuple[Guest, socket.socket]) -> None:
    """So many names at a question; what is imagined does not count, but all that takes time is charged."""
    ours, end = guest
    end.sendall(b'["see",1,"hand"]\n' * MOST_SEEN + b"[1,0]\n")
    hear(ours)
    assert ours.looking > 0
    end.recv(1 << 20)
    ours.ask(GuestQuestion(("1/1/1", 0, "call", 1), Shown()), "ask", 1, "call", ["pass"], {})  # type: ignore[arg-type]
    end.sendall(b'["see",2,"nothing"]\n' * (MOST_SEEN + 1) + b"[2,0]\n")
    with pytest.raises(
        GuestLostError, match=f"broke the protocol: asks to see more than {MOST_SEEN} names at a question"
    ):
        hear(ours)


class Watched(GuestProcess):
    """A process of which the system tells this."""

    seconds, most = 0.0, 0

    def cpu(self) -> float:
        return self.seconds

    def peak(self) -> int:
        return self.most


def kinds_told(bot: bool, kind: str, times: int, limits: Limits, seconds: float = 0.001, most: int = 0) -> list[str]:
    """The kinds that are entered for faults that a guest reports of itself."""
    ours, end = socket.socketpair()
    with ours, end:
        begun = Watched(ours, 0, -1)
        begun.seconds, begun.most = seconds, most
        guest, asked = (
            Guest(begun, 0, limits, Wants()),
            [GuestQuestion(("1/1/1", 0, "call", at), None) for at in range(times)],
        )
        guest.is_bot = bot
        for at, question in enumerate(asked, 1):
            guest.ask(question, "ask", 1, '"call"', '["pass"]', "{}")
            end.sendall(b'[%d,null,["%b","words","mine.py:1 in act"]]\n' % (at, kind.encode()))
        hear(guest)
        return [question.fault_details[0] for question in asked if question.fault_details]


@pytest.mark.parametrize("kind", ["exception", "illegal", "memory", "full", "late"])
def test_a_bot_chooses_no_fault_that_costs_others(kind: str) -> None:
    told = kind if kind == "illegal" else "exception"
    assert kinds_told(True, kind, 2, Limits(), seconds=1000, most=1 << 40) == [told] * 2


def test_who_is_late_has_used_the_time() -> None:
    """As often as its process has used up the limit, by the clock of the system."""
    slow = Limits(seconds=60)
    assert kinds_told(False, "late", 3, slow) == ["exception"] * 3
    assert kinds_told(False, "late", 3, slow, seconds=130) == ["late", "late", "exception"]
    assert kinds_told(False, "late", 3, slow, seconds=0) == ["late"] * 3  # the system does not tell
    banked = Limits(seconds=60, bank=5)
    assert kinds_told(False, "late", 3, banked, seconds=4) == ["exception"] * 3
    assert kinds_told(False, "late", 3, banked, seconds=6) == ["late"] * 3  # from then on always


def test_who_has_filled_its_memory_has_had_it() -> None:
    """A `MemoryError` is raised for the asking, and costs what it costs in process; that memory stays full is seen."""
    assert kinds_told(False, "memory", 1, Limits()) == ["memory"]
    assert kinds_told(False, "full", 1, Limits(memory=1000), most=400 << 20) == ["memory"]
    assert kinds_told(False, "full", 1, Limits(memory=1000), most=600 << 20) == ["full"]
