"""A guest that was asked a question, and a test that speaks at its end of the pair of sockets."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any

from helpers.command import PATIENCE

from roundsim.guests.guest import Guest
from roundsim.guests.question import GuestQuestion, Wants
from roundsim.sandbox.launchers import GuestProcess
from roundsim.tournament.planning.plan import Limits

Asked = tuple[Guest, socket.socket]


class Watched(GuestProcess):
    """A process whose use of time and memory the test sets."""

    seconds, most = 0.0, 0

    def cpu(self) -> float:
        return self.seconds

    def peak(self) -> int:
        return self.most


def ask(guest: Guest, number: int = 1, view: Any = None) -> GuestQuestion:
    question = GuestQuestion(("1/1/1", 0, "call", number - 1), view)
    guest.ask(question, "ask", number, '"call"', '["pass"]', "{}")
    return question


@contextmanager
def asked_guest(limits: Limits, view: Any = None, seconds: float = 0.0, most: int = 0) -> Iterator[Asked]:
    """A guest that was asked question 1, and the end at which it speaks; its process has used this time and memory."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        process = Watched(ours, 0, -1)
        process.seconds, process.most = seconds, most
        guest = Guest(process, 0, limits, Wants())
        ask(guest, view=view)
        yield guest, theirs


def hear(guest: Guest) -> None:
    """Wait for its answers, but not forever."""
    raised = list[BaseException]()

    def wait() -> None:
        try:
            guest.answer_all()
        except BaseException as error:
            raised.append(error)

    waiting = Thread(target=wait, daemon=True)
    waiting.start()
    waiting.join(PATIENCE / 10)
    assert not waiting.is_alive(), "it waits forever"
    if raised:
        raise raised[0]


def speak(end: socket.socket, line: bytes) -> None:
    """Send a line from another thread, until nobody listens."""

    def send() -> None:
        with suppress(OSError):
            end.sendall(line)

    Thread(target=send, daemon=True).start()
