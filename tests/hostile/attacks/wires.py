"""Speaking where nobody has asked: through every descriptor that leads out of the process."""

import json
import os
import socket
import stat
import struct
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from .plan import Meek, frames

LINES = {
    "nothing": b"\n",
    "words": b"nonsense\n",
    "binary": bytes(range(256)) + b"\n",
    "zeros": bytes(10_000) + b"\n",
    "brackets": b"[" * 100_000 + b"\n",
    "brackets that close": b"[" * 100_000 + b"]" * 100_000 + b"\n",
    "number": b"7\n",
    "text": b'"pass"\n',
    "null": b"null\n",
    "object": b'{"roundsim":1}\n',
    "empty": b"[]\n",
    "not asked": b"[999999999,0]\n",
    "zero": b"[0]\n",
    "negative": b"[-1,0]\n",
    "fraction": b"[1.5,0]\n",
    "true": b"[true,0]\n",
    "great": b"[%s,0]\n" % (b"9" * 5000),
    "infinite": b"[1e999,0]\n",
    "not a number": b"[NaN,0]\n",
    "list": b"[[1],0]\n",
    "seen": b'["seen",1,[]]\n',
    "sees too early": b'["see",999999999,"hand"]\n',
    "sees a list": b'["see",1,["hand"]]\n',
    "sees half a pair": b'["see",1,"\\ud800"]\n',
    "answers too early": b"[1,0]\n[2,0]\n",
    "half a pair": b'[1,"\\ud800"]\n',
    "latin": '[1,"ä"]\n'.encode("latin-1"),
    "two in one": b"[1,0][2,0]\n",
    "long": b'["' + b"x" * (3 << 20) + b'"]\n',
    "half a line": b"[1,",
}


def doors() -> Iterator[int]:
    """Descriptors of sockets and pipes."""
    for handle in range(3, 256):
        with suppress(OSError):
            mode = os.fstat(handle).st_mode
            if stat.S_ISSOCK(mode) or stat.S_ISFIFO(mode):
                yield handle


class Junk(Meek):
    """At its first question at the table it says something else; then it answers."""

    said = False

    def __init__(self, what: str = "words") -> None:
        self.what = what

    def call(self, view: Any) -> Any:
        if not type(self).said:
            type(self).said = True
            for door in doors():
                with suppress(OSError):
                    self.speak(door)
        return super().call(view)

    def speak(self, door: int) -> None:
        if self.what == "closes":
            os.close(door)
        elif self.what == "shuts":
            socket.socket(fileno=os.dup(door)).shutdown(socket.SHUT_RDWR)
        elif self.what == "swallows":  # what is for the shim
            os.set_blocking(door, False)
            os.read(door, 1 << 16)
        else:
            os.write(door, LINES[self.what])


class Forges(Meek):
    """Sends what a worker would say, and what Python sends to a process."""

    def call(self, view: Any) -> Any:
        pickled = b"cos\nmkdir\n(S'sprung'\ntR."
        lines = [{"done": True}, {"error": "BugError", "words": "x", "script": "x"}, {"hoard": 1}, {"said": ["x"]}]
        for door in doors():
            for line in [json.dumps(each).encode() + b"\n" for each in lines]:
                with suppress(OSError):
                    os.write(door, line + struct.pack("!i", len(pickled)) + pickled)
        return super().call(view)


class Floods(Meek):
    """Asks to see something again and again, and hears nothing of what is shown to it."""

    def call(self, view: Any) -> Any:
        number = next((frame.f_locals["number"] for frame in frames() if "number" in frame.f_locals), 1)
        line = json.dumps(["see", number, "history"]).encode() + b"\n"
        while True:
            for door in doors():
                os.write(door, line)
