"""Strategies that speak where nobody has asked them, through the descriptors of their process."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from command import PATIENCE, seldom
from hostile.attacks.wires import LINES
from hostile.playing import OFF, must_stand, play

from roundsim.seals.kinds import Seal
from roundsim.seals.nurseries import Begun
from roundsim.tournament.plan import Limits
from roundsim.workers.guests import Guest, LostError, Question, Wants

ENTRANTS = {"random": "random", "book": "book"}
TABLE: dict[str, Any] = {"deals": 6, "players": 2, "sitting": 1, "seconds": 0.2}
DOORS = ("closes", "shuts", "swallows")  # what else is done to a descriptor
QUICK = ("half a line", "closes")


@pytest.mark.parametrize("what", [*QUICK, *seldom(*[each for each in (*LINES, *DOORS) if each not in QUICK])])
def test_who_breaks_the_wire_breaks_his_own(tmp_path: Path, seal: Seal, what: str) -> None:
    """At each question: he is dead, in words that say why, and barred after the third time."""
    entrants = {"junk": f"./wires:Junk(what={what!r})", **ENTRANTS}
    run = play(tmp_path, seal.name, entrants, **TABLE)
    must_stand(run, "junk")
    assert run.faults["junk"] == {"dead": 3} or what == "swallows" and {*run.faults["junk"]} <= {"dead", "late"}
    if what in LINES:
        assert {fault["words"].partition(":")[0] for fault in run.told} == {"broke the protocol"}


def test_who_does_not_hear_what_he_asks_for(tmp_path: Path, seal: Seal) -> None:
    """However much is written for him that he does not read, nobody waits for him."""
    run = play(tmp_path, seal.name, {"floods": "./wires:Floods", **ENTRANTS}, **TABLE)
    must_stand(run, "floods")
    assert {*run.faults["floods"]} <= {"dead", "late"} and run.faults["floods"]


def test_words_of_a_worker_without_isolation(tmp_path: Path) -> None:
    assert play(tmp_path, OFF, {"forges": "./wires:Forges", **ENTRANTS}, **TABLE).code in (70, 73)


def test_nobody_speaks_for_a_worker(tmp_path: Path, seal: Seal) -> None:
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
    guest = Guest(Begun(ours, 0, -1), 0, Limits(seconds=0.1), Wants())
    guest.ask(Question(("1/1/1", 0, "call", 0), view), "ask", 1, '"call"', '["pass"]', "{}")
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
    with pytest.raises(LostError, match="broke the protocol"):
        hear(ours)


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("depths", [range(1, 400, 37), *seldom(range(1, 1100)), range(930, 1010)], ids=str)
def test_brackets_in_brackets(depths: range, closed: bool) -> None:
    """However deep: some can be read and not be written."""
    for depth in depths:
        ours, end = socket.socketpair()
        with ours, end:
            guest = Guest(Begun(ours, 0, -1), 0, Limits(), Wants())
            guest.ask(Question(("1/1/1", 0, "call", 0), None), "ask", 1, "call", ["pass"], {})
            end.sendall(b"[" * depth + b"]" * depth * closed + b"\n")
            with pytest.raises(LostError, match="broke the protocol"):
                guest.answer_all()


@pytest.mark.soak
def test_who_asks_to_see_and_does_not_read(guest: tuple[Guest, socket.socket]) -> None:
    ours, end = guest
    asking = Thread(target=speak, args=(end, b'["see",1,"hand"]\n' * 10_000), daemon=True)
    asking.start()
    with pytest.raises(LostError):
        hear(ours)
