"""Ending, hanging, or filling whatever can be filled, at one question or for ever."""

import ctypes
import os
import signal
import sys
from threading import Event, Thread
from typing import Any, NoReturn

from .plan import Meek


class Exits(Meek):
    def call(self, view: Any) -> Any:
        os._exit(0)


class Leaves(Meek):
    """Another thread of it ends the process a little later, in whoever's time that is."""

    def call(self, view: Any) -> Any:
        Thread(target=self.leave, daemon=True).start()
        return super().call(view)

    def leave(self) -> NoReturn:
        Event().wait(0.01)
        os._exit(0)


class Rots(Meek):
    """Ends the process when it is cleared away."""

    def __del__(self) -> None:
        os._exit(0)


class Freezes(Meek):
    """Stops its own process."""

    def call(self, view: Any) -> Any:
        os.kill(os.getpid(), signal.SIGSTOP)
        return super().call(view)


class Hangs(Meek):
    """Waits in C for what does not come."""

    def call(self, view: Any) -> Any:
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
        lock = ctypes.create_string_buffer(64)
        for _ in range(2):
            ctypes.PyDLL(None).pthread_mutex_lock(lock)


class Hoards(Meek):
    """Fills the memory."""

    kept: list[bytearray] = []

    def call(self, view: Any) -> Any:
        while True:
            self.kept.append(bytearray(1 << 26))


class Crowd(Meek):
    """Begins threads without an end."""

    threads: list[Thread] = []

    def call(self, view: Any) -> Any:
        while True:
            self.threads.append(Thread(target=Event().wait, daemon=True))
            self.threads[-1].start()


class Chatter(Meek):
    """Says a great deal to whoever listens."""

    def call(self, view: Any) -> Any:
        for _ in range(40):
            print("x" * (1 << 20))
            print("x" * (1 << 20), file=sys.stderr)
            os.write(1, bytes(1 << 16))
            os.write(2, bytes(1 << 16))
        return super().call(view)


class Balloon(Meek):
    """Answers with more than anybody can read."""

    def call(self, view: Any) -> Any:
        return "call " + "9" * (1 << 26)


class Shouts(Meek):
    """Fails with as much."""

    def call(self, view: Any) -> Any:
        raise ValueError("9" * (1 << 26))
