"""The schema of the wire describes it: real exchanges, and every line that docs/wire.md shows.

exchange.jsonl has what was said to and by a guest in each of the games below, and by a bot.  It is recorded again by
`python tests/guests/test_wire.py`, in an environment where roundsim can be imported and with tests/ on PYTHONPATH."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from contextlib import closing
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pytest
from helpers.command import PATIENCE, ROOT, seldom
from helpers.schemas import Page

from roundsim.base.finding import sha256
from roundsim.guests.guest import Guest
from roundsim.guests.pool import Guests
from roundsim.refereeing.referee import Clock
from roundsim.sandbox.kinds import best
from roundsim.tournament.planning.file import read_tournament
from roundsim.tournament.planning.key_lines import KeyLines
from roundsim.tournament.planning.plan import Schedule
from roundsim.workers.shard import Playing
from roundsim.workers.stepped import Foresight

MINE = '''
"""Looks, imagines, fails, and remembers."""

import random

games = ["*"]
asked = 0


class Mine:
    imagines = True

    def __init__(self, depth=3):
        self.depth = depth + random.randrange(3)

    def begin(self, view):
        self.options = view.options

    def act(self, view):
        global asked
        asked += 1
        if asked == 5:
            raise KeyError(self.depth)
        deal = view.imagine() if asked % 4 == 1 else None
        seen = len(str(view)) if deal is None or deal.view is None else len(str(deal.view))
        return view.legal[(seen + self.depth) % min(len(view.legal), 50)]

    def settled(self, view, net):
        self.depth += abs(net)

    def __del__(self):
        self.depth = 0
'''
GAMES: list[dict[str, Any]] = [  # of all kinds of legal actions that are not sent one by one
    {"game": "nap", "players": 3},
    {"game": "draw-poker", "players": 2, "options": {"stakes": "table"}},
    {"game": "ambigu", "players": 2},
    {"game": "loto", "players": 2, "options": {"method": 2}},
    {"game": "my-bird-sings", "players": 3, "options": {"whole_pack": True}},
    {"game": "pope-joan", "players": 3, "options": {"winner": "game"}},
    {"game": "speculation", "players": 3},
]
BOT = ROOT / "examples" / "bots" / "py"
PAGE = Page("wire")
FILE = Path(__file__).parent / "exchange.jsonl"
EXCHANGE = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
SIDES = ("engine", "guest")
MARKS = {"> ": "engine", "< ": "guest"}


def kinds(side: str) -> list[str]:
    """The kinds of line that a side may say."""
    return [each["$ref"].rpartition("/")[2] for each in PAGE.schema["$defs"][side]["oneOf"]]


@pytest.mark.parametrize("step", [4, *seldom(1)])
@pytest.mark.parametrize("side", SIDES)
def test_every_line_of_the_exchange_is_described(side: str, step: int) -> None:
    known = PAGE.judge(side)
    lines = [said["line"] for said in EXCHANGE if said["from"] == side][::step]
    assert [line for line in lines if not known.is_valid(line)] == [] != lines


def test_the_exchange_has_every_kind_and_answers_each_question_once() -> None:
    for side in SIDES:
        lines = [said["line"] for said in EXCHANGE if said["from"] == side]
        for kind in {*kinds(side)} - {"move"}:  # nobody goes to another seat there: test_same_bytes has freeze-outs
            assert any(map(PAGE.judge(kind).is_valid, lines)), kind
    assert {"begin", "settled", "leave", "anew", "seen", "sit"} <= {line[0] for line in lines_of("engine")}
    imagined = [line[3] for line in lines_of("engine") if line[0] == "seen" and line[2] == "imagine"]
    assert imagined and all(isinstance(each, dict) or each is None for each in imagined)
    known = PAGE.judge("fault")
    faults = [line[2] for line in lines_of("guest") if known.is_valid(line)]
    assert {fault[0] for fault in faults} == {"exception"} and "mine.py:23 in act" in {fault[2] for fault in faults}
    asked = [line[4] for line in lines_of("engine") if line[0] == "ask"]
    found = {legal["kind"] if isinstance(legal, dict) else "list" for legal in asked}
    described = {kind for each in PAGE.schema["$defs"].values() for kind in kinds_of(each)}
    assert found == {*described, "list"}
    for guest in range(len(GAMES) + 1):
        opened, answered = list[int](), list[int]()
        for said in EXCHANGE:
            line = said["line"]
            if said["guest"] != guest or isinstance(line, dict):
                continue
            if said["from"] == "engine" and line[0] != "seen" and line[1]:
                opened.append(line[1])
            elif said["from"] == "guest" and line[0] != "see":
                assert line[0] in opened
                answered.append(line[0])
        assert opened == sorted({*opened}) == sorted(answered) != []


def lines_of(side: str) -> list[list[Any]]:
    """Return the lines of a side in the exchange, without hellos."""
    return [said["line"] for said in EXCHANGE if said["from"] == side and isinstance(said["line"], list)]


def kinds_of(part: Any) -> list[str]:
    known = part.get("properties", {}).get("kind", {})
    return known.get("enum") or [known["const"]] if known else []


def request(game: dict[str, Any], path: Path) -> dict[str, Any]:
    """Return the request of the shim for a guest of the exchange."""
    what = {"game": game["game"], "players": game["players"], "given": game.get("options", {}), "path": str(path)}
    limits = {"bank": 0, "seconds": 60.0, "memory": 1024}
    return {**what, **limits, "attribute": "Mine", "sha256": sha256(path), "draws": True, "imagines": True}


SERVE = """
import json, socket, sys
from roundsim.guests.inside import shim

asked = json.loads(sys.argv[1])
shim.prepare(asked)
shim.serve_engine(socket.socket(fileno=int(sys.argv[2])), asked)
"""


@pytest.mark.parametrize("guest", range(len(GAMES)), ids=[game["game"] for game in GAMES])
def test_the_shim_answers_as_it_did(tmp_path: Path, guest: int) -> None:
    """It gives the same answers to the same lines; and without any more input it ends."""
    (path := tmp_path / "mine.py").write_text(MINE)
    ours, theirs = socket.socketpair()
    words = [sys.executable, "-c", SERVE, json.dumps(request(GAMES[guest], path)), str(theirs.fileno())]
    with subprocess.Popen(words, cwd=ROOT, pass_fds=[theirs.fileno()]) as process, ours, theirs:
        theirs.close()
        ours.settimeout(PATIENCE)
        with ours.makefile("rb") as said:
            rows = [row for row in EXCHANGE if row["guest"] == guest]
            for side, lines in groupby(rows, lambda row: row["from"]):
                if side == "engine":
                    ours.sendall(b"".join(as_sent(row["line"]) + b"\n" for row in lines))
                else:
                    for row in lines:
                        assert json.loads(said.readline()) == row["line"]
            ours.shutdown(socket.SHUT_WR)
            assert said.readline() == b""
        assert process.wait(PATIENCE) == 0


def as_sent(line: Any) -> bytes:
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode()


class Tap:
    """A guest's socket that notes all lines."""

    def __init__(self, sock: socket.socket, guest: int, rows: list[dict[str, Any]]) -> None:
        self.sock, self.guest, self.rows = sock, guest, rows
        self.tails = {"engine": b"", "guest": b""}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.sock, name)

    def send(self, data: bytes, *flags: int) -> int:
        sent = self.sock.send(data, *flags)
        self.note("engine", data[:sent])
        return sent

    def recv(self, size: int, *flags: int) -> bytes:
        came = self.sock.recv(size, *flags)
        self.note("guest", came)
        return came

    def note(self, side: str, data: bytes) -> None:
        *lines, self.tails[side] = (self.tails[side] + data).split(b"\n")
        self.rows += [{"guest": self.guest, "from": side, "line": json.loads(line)} for line in lines]


def recorded(game: dict[str, Any], strategy: str, guest: int, folder: Path, seed: int) -> list[dict[str, Any]]:
    """Play a few deals twice, and return the lines of the first guest of a strategy. The second time it starts again."""
    others = ["random"] * (game["players"] - 1)
    tops = {"seed": seed, "strategies": [strategy, *others]}
    few = {**game, "deals": 1, "sitting": 2}
    tournament = read_tournament(
        {"tournament": tops, "limits": {"seconds": 60}, "games": [few]}, KeyLines("here"), folder, "here"
    )
    rows, first, usual = list[dict[str, Any]](), list[Any](), Guest.__init__

    def tapped(self: Any, begun: Any, *more: Any) -> None:
        if not first:
            first.append(self)
            begun.sock = Tap(begun.sock, guest, rows)
        usual(self, begun, *more)

    every = Guests(best(), tournament.limits)
    with patch.object(Guest, "__init__", tapped), Clock(60) as clock, closing(every):
        for _ in range(2):
            shard = Playing(tournament, Schedule(tournament, 0).task(1), clock, guests=every, foresight=Foresight())
            shard.play()
    return rows


def lazy_kinds(rows: list[dict[str, Any]]) -> set[str]:
    asked = [row["line"][4] for row in rows if isinstance(row["line"], list) and row["line"][0] == "ask"]
    return {legal["kind"] for legal in asked if isinstance(legal, dict)}


KINDS = [set[str](), {"amounts", "subsets"}, {"discards"}, {"arrangements"}, {"any-order"}, {"multisets"}, {"either"}]


def record() -> None:
    """Record each game with the first seed by which its kinds of legal actions are asked for."""
    rows = list[dict[str, Any]]()
    with TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "mine.py").write_text(MINE)
        for guest, game in enumerate(GAMES):
            tries = (recorded(game, "mine.py:Mine(depth=2)", guest, folder, seed) for seed in range(1, 200))
            rows += next(found for found in tries if lazy_kinds(found) >= KINDS[guest])
        rows += recorded(GAMES[0], str(BOT), len(GAMES), folder, 1)
    FILE.write_bytes(b"".join(as_sent(row) + b"\n" for row in rows))


def test_recording_gives_the_exchange(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    again = recorded(GAMES[0], "mine.py:Mine(depth=2)", 0, tmp_path, 1)
    assert again == [row for row in EXCHANGE if row["guest"] == 0] != []


def shown_lines() -> list[str]:
    page = (ROOT / "docs" / "wire.md").read_text("utf-8")
    return [line for line in page.splitlines() if line[:2] in MARKS]


def test_the_page_describes_every_key_and_shows_lines_of_every_kind() -> None:
    shown = [(MARKS[line[:2]], json.loads(line[2:])) for line in shown_lines()]
    for (side, said), line in zip(shown, shown_lines(), strict=True):
        assert PAGE.wrong(said, side) == [], line
        if side == "engine":
            assert line[2:] == json.dumps(said, separators=(",", ":"), ensure_ascii=False)
    for side in SIDES:
        lines = [said for of, said in shown if of == side]
        for kind in kinds(side):
            assert any(map(PAGE.judge(kind).is_valid, lines)), kind
    PAGE.must_describe_every_key()
    for side, wrong in WRONG.items():
        assert [said for said in json.loads(wrong) if not PAGE.wrong(said, side)] == []


WRONG = {  # lists of lines, in JSON
    "guest": r"""
        [{}, {"roundsim": 0}, {"roundsim": 1, "want": ["hand"]}, {"roundsim": 1, "hears": ["ask"]},
        {"roundsim": 1, "wants": "hand"}, [0, "pass"], [17, -1], [17, 1.5], [17, true], [17, null], ["17", "pass"],
        [17, "pass", "pass"], [17, null, ["dead", "it died", ""]], [17, null, ["exception", "KeyError: 3"]],
        ["see", 17], ["see", 17, "imagine", "12"], ["seen", 17, "hand", []], [], "pass"]
        """,
    "engine": r"""
        [{"roundsim": 1}, ["ask", 0, 5, "call", ["pass"], {}], ["ask", 17, 5, "call", [], {}],
        ["ask", 17, 5, "call", ["say \"no\""], {}], ["leave", 0], [17, "pass"],
        ["ask", 17, 5, "call", {"kind": "subsets", "first": "stand", "count": 1}, {}],
        ["ask", 17, 5, "call", {"kind": "others", "first": "stand", "count": 1}, {}],
        ["seen", 17, "trik", [], "there is no such name"], ["sit", 0, 5, 2, "9e1c", "HASH", null]]
        """.replace("HASH", 128 * "0"),
}


if __name__ == "__main__":
    record()
