"""A guest that says almost anything, drawn by a seed: as a bot, `python3 speaker.py SEED`, or as a strategy that also writes
past its shim, `speaker.py:Meddling(seed=SEED)`."""

from __future__ import annotations

import json
import os
import random
import sys
from contextlib import suppress
from typing import Any

threads = True
DEEP = 100_000
TEXTS = (
    "\\ud800",
    "\\udfff\\ud800",
    "\\u0000",
    "\\u001b[31m",
    "pass",
    "hand",
    "imagine",
    "__class__",
    "",
    "é",
    "x" * 200_000,
)
WHOLE = "-1", "-0", "1E0", "1" * 18, "1" * 19, "1" * 4000, "1" * 5000
ODD = "NaN", "Infinity", "-Infinity", "1e999", "0.5", "true", "false", "null", "undefined", "'single'", ""
NESTED = (
    "[]",
    "{}",
    '{"a":{"b":[1]}}',
    "[" * 300 + "]" * 300,
    "[" * DEEP + "]" * DEEP,
    '{"a":' * 300 + "1" + "}" * 300,
    "[",
)
VALUES = *[f'"{text}"' for text in TEXTS], *WHOLE, *ODD, *NESTED
KINDS = ("exception", "illegal", "memory", "full", "late", "dead", "shard")
NAMES = ("hand", "history", "trick", "legal", "options", "chance", "seat", "phase", "nothing", "_asked", "\\ud800")
HELLO = ("roundsim", "name", "wants", "hears", "plain", "imagines", "error", "path")


class Speaker:
    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.rate = self.draw.choice((1, 0.5, 0.1, 0.02))

    def value(self) -> str:
        return self.draw.choice(VALUES)

    def hello(self) -> str:
        """Mostly a good one, sometimes with odd fields, sometimes no hello at all."""
        if self.draw.random() < 0.6:
            heard = [each for each in ("anew", "sit", "begin", "settled", "leave") if self.draw.random() < 0.3]
            return json.dumps({"roundsim": 1, "wants": ["hand"], "hears": heard}) + "\n"
        if self.draw.random() < 0.2:
            return self.value() + "\n"
        given = [f'"{key}":{self.value()}' for key in HELLO[1:] if self.draw.random() < 0.3]
        first = '"roundsim":' + ("1" if self.draw.random() < 0.8 else self.value())
        return "{" + ",".join([first, *given]) + "}\n" * self.draw.choice((1, 1, 1, 2))

    def number(self, n: int) -> str:
        return self.draw.choice((str(n),) * 6 + (str(n + 1), str(n - 1), str(n + 1000), self.value()))

    def line(self, n: int) -> str:
        """A line about question n that is hardly ever right."""
        match self.draw.randrange(7):
            case 0:
                return f"[{self.number(n)},{self.value()}]"
            case 1:
                return f"[{self.number(n)}]"
            case 2:
                kind = f'"{self.draw.choice(KINDS)}"' if self.draw.random() < 0.7 else self.value()
                return f"[{self.number(n)},null,[{kind},{self.value()},{self.value()}]]"
            case 3:
                more = f",{self.value()}" if self.draw.random() < 0.4 else ""
                name = f'"{self.draw.choice(NAMES)}"' if self.draw.random() < 0.7 else self.value()
                return f'["see",{self.number(n)},{name}{more}]'
            case 4:
                return f'["see",{self.number(n)},"imagine","{self.draw.getrandbits(64):016x}"]'
            case 5:
                return self.value()
            case _:
                return f"[{self.value()},{self.value()},{self.value()}]"

    def reply(self, n: int, honest: str) -> str:
        """The text that is written when question n is asked."""
        if self.draw.random() > self.rate:
            return honest
        match self.draw.randrange(8):
            case 0:
                return honest * 2
            case 1:
                return honest + honest.replace(str(n), str(n + 1), 1)
            case 2:
                return honest[: self.draw.randrange(len(honest))] + "\n" + honest
            case 3:
                return honest.replace("\n", "\r\n")
            case 4 if self.draw.random() < 0.05:
                return ""
            case _:
                return self.line(n) + "\n" + honest * self.draw.randrange(2)


def write(handle: int, text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    while data:
        data = data[os.write(handle, data) :]


def bot(seed: int) -> None:
    speaker = Speaker(seed)
    sys.stdin.readline()
    write(1, speaker.hello())
    for line in sys.stdin:
        word, number, *_ = json.loads(line)
        if number and word != "seen":
            write(1, speaker.reply(number, f"[{number},0]\n" if word == "ask" else f"[{number}]\n"))


class Meddling:
    """Plays, and writes to every descriptor of its process that takes it."""

    games = ["nap"]

    def __init__(self, seed: int = 1) -> None:
        self.speaker, self.asked = Speaker(seed), 0

    def act(self, view: Any) -> Any:
        self.asked += 1
        if self.speaker.draw.random() < self.speaker.rate:
            words = self.speaker.line(self.asked) + self.speaker.draw.choice(("\n", "\n", ""))
            for handle in range(3, 32):
                with suppress(OSError):
                    write(handle, words)
        return view.legal[0]


if __name__ == "__main__":
    bot(int(sys.argv[1]))
