"""The shim in a guest: it asks a strategy through the wire (docs/wire.md) as a worker would.

The engine trusts nothing here. The strategy gets what it would get in process: the same views, the same clock, the same
words for what went wrong."""

from __future__ import annotations

import gc
import inspect
import json
import os
import signal
import socket
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, NoReturn

from ... import games
from ...base import finding, importing
from ...base.errors import PluginError
from ...processes.memory import collect_seldom, free, is_free
from ...refereeing.board import CELLS, QUESTION
from ...refereeing.faults import FaultDetails
from ...refereeing.referee import Clock, Player, Referee, exact_text, no_answer
from ...refereeing.wrappers import wrappers_of
from ...sources.strategy import Seated
from ...table import chance
from ...table.actions import Action
from ...table.chance import Chance
from .lines import decode, encode_answers
from .views import action, guest_view, legal_of, show, table_type

VERSION = 1
new_view: Any = tuple.__new__
new_chance: Any = Chance.__new__  # one that begins as it was sent needs no beginning before
ALARM = {signal.SIGALRM}


class Wire:
    """The lines from the engine as they arrive, and those to it, which are sent when no line is left to answer."""

    __slots__ = ("sock", "lines", "tail", "out")

    def __init__(self, sock: socket.socket) -> None:
        self.sock, self.tail = sock, b""
        self.lines, self.out = deque[Any](), list[Any]()

    def hello(self) -> Any:
        """Return the first line, in which numbers may be of any size."""
        while b"\n" not in self.tail:
            self.tail += self.receive()
        line, _, self.tail = self.tail.partition(b"\n")
        return json.loads(line)

    def wait(self) -> None:
        """Wait for lines; send what is to be sent first."""
        self.flush()
        while not self.lines:
            self.read()

    def flush(self) -> None:
        if self.out:
            self.sock.sendall(encode_answers(self.out))
            self.out.clear()

    def receive(self) -> bytes:
        """Wait for more; end with the engine."""
        return self.sock.recv(1 << 16) or os._exit(0)

    def read(self) -> None:
        """Wait for more, and read the whole lines in it."""
        whole, line_end, rest = self.receive().rpartition(b"\n")
        if line_end:
            self.lines += decode(self.tail + whole)
            self.tail = rest
        else:
            self.tail += rest

    def see(self, number: int, name: str, *more: str) -> Any:
        """Return the value that a question shows under a name; the clock does not strike while we wait. ValueError if
        it has none."""
        signal.pthread_sigmask(signal.SIG_BLOCK, ALARM)
        try:
            self.out.append(("see", number, name, *more))
            self.flush()
            passed = 0
            while True:
                while len(self.lines) == passed:
                    self.read()
                if self.lines[passed][0] == "seen":
                    line = self.lines[passed]
                    del self.lines[passed]
                    if len(line) > 4:
                        raise ValueError(line[4])
                    return line[3]
                passed += 1
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, ALARM)


class Shim:
    """A strategy's module, and its players in the sittings that go on."""

    def __init__(self, wire: Wire, request: Mapping[str, Any], clock: Clock) -> None:
        self.wire, self.request, self.clock, self.referee = wire, request, clock, Referee(clock)
        self.board = clock.board
        self.game = games.named(request["game"])
        self.rules = self.game.rules_for(request["players"], request["given"])
        self.view, self.table = guest_view(self.rules), table_type(self.rules, wire.see)
        self.random = chance.module_random() if request["draws"] else None
        self.seats: dict[int, Player] = {}
        self.free = free(request["memory"] << 20)
        self.parameters: dict[str, Any] = {}

    def load(self) -> None:
        """Load the module again. PluginError."""
        path, sha = Path(self.request["path"]), self.request["sha256"]
        importing.reload_next_time([str(path)])
        if finding.sha256(path) != sha:
            raise PluginError(f"{finding.display_path(path)} has changed since the run began")
        thing = getattr(importing.module_at(path, sha, 1), self.request["attribute"], None)
        if thing is None:
            problem = f"there is no {self.request['attribute']} in it this time"
            raise PluginError(f"{finding.display_path(path)} cannot be loaded: {problem}")
        self.seated = Seated(thing, self.parameters, self.game, self.request["draws"])

    def hears(self) -> list[str]:
        """Return the messages that this strategy wants and answers. A seat is taken without an answer if that cannot
        fail."""
        thing, heard = self.seated.make, ["anew"]
        if self.seated.is_class:
            ways = [inspect.getattr_static(thing, name, None) for name in (*self.seated.names, "begin", "settled")]
            made = [getattr(thing, name) is getattr(object, name) for name in ("__init__", "__new__")]
            plain = type(thing) is type and all(made)
            heard += ["sit"] * (not plain or any(type(way) not in (FunctionType, type(None)) for way in ways))
            heard += [what for what in ("begin", "settled") if hasattr(thing, what)]
        return heard + ["leave"] * self.seated.ends

    def serve(self) -> NoReturn:
        self.hello(self.wire.hello())
        wait, lines, take = self.wire.wait, self.wire.lines, self.wire.lines.popleft
        while True:
            wait()
            while lines:
                line = take()
                if line[0] == "ask":
                    self.ask(line)
                else:
                    self.receive(*line)

    def receive(self, word: str, number: int, *more: Any) -> None:
        """Handle a line that is not a question of a deal."""
        problem = getattr(self, f"on_{word}")(number, *more)
        if number:
            self.wire.out.append((number, None, self.weighed(problem)) if problem else (number,))

    def hello(self, line: Mapping[str, Any]) -> None:
        self.parameters, shown = dict(line["parameters"]), finding.display_path(Path(self.request["path"]))
        try:
            self.load()
            self.wire.out.append({"roundsim": VERSION, "hears": self.hears(), "imagines": self.seated.imagines})
        except PluginError as error:
            self.wire.out.append({"roundsim": VERSION, "error": str(error)[:10_000], "path": shown})

    def ask(self, line: Sequence[Any]) -> None:
        """Answer a question. Keep nothing of it, so that an object is cleared away when its sitting is over."""
        _, number, sitting, phase, legal, shown = line
        seat, referee, board, few = self.seats[sitting], self.referee, self.board, type(legal) is list
        actions = tuple(map(action, legal)) if few else legal_of(legal)
        table = self.table()
        table.number = number
        view = new_view(self.view, (table, seat.seat, phase, actions, seat.chance))
        if shown:
            show(view, shown)
        referee.questions = question = referee.questions + 1
        try:  # `call_outside_deal` would do, with one more call for each question
            board[QUESTION] = question
            answer = seat.answers[phase](view)
            board[QUESTION] = 0
            problem = None
        except BaseException as error:  # whatever it raises is its own
            answer, problem = None, referee.raised(error, question)
        table.number = 0
        if few and type(answer) is Action:
            try:
                self.wire.out.append((number, actions.index(answer)))
                return
            except ValueError:
                pass
        if problem is None and (refusal := no_answer(actions, answer)):
            problem = "illegal", refusal, ""
        self.wire.out.append((number, None, self.weighed(problem)) if problem else (number, exact_text(answer)))

    def weighed(self, problem: FaultDetails) -> FaultDetails:
        """Decide whether memory was short for a moment, or is full of what the strategy keeps: half of what was free is
        not available."""
        if problem[0] != "memory":
            return problem
        gc.collect()
        return problem if is_free(self.free // 2) else ("full", *problem[1:])

    def on_anew(self, number: int, sitting: int) -> FaultDetails | None:
        self.seats.clear()
        self.load()
        return None

    def on_sit(
        self, number: int, sitting: int, place: int, bits: str, hash: str, random: str | None
    ) -> FaultDetails | None:
        """Create a fresh object for a sitting."""
        player = self.seats[sitting] = Player({}, chance_sent(bits, hash), seat=place)
        drawn = chance_sent("", random) if self.random and random else None
        wrappers = wrappers_of(self.random, drawn, self.request["bank"], self.clock)
        return self.seated.take_seat(player, self.referee.call_outside_deal, wrappers)

    def on_move(self, number: int, sitting: int, place: int) -> None:
        """Move a player to another seat."""
        self.seats[sitting].seat = place

    def on_begin(self, number: int, sitting: int, shown: dict[str, Any]) -> FaultDetails | None:
        return self.outside_deal("begin", number, sitting, shown)

    def on_settled(self, number: int, sitting: int, net: int, shown: dict[str, Any]) -> FaultDetails | None:
        return self.outside_deal("settled", number, sitting, shown, net)

    def outside_deal(
        self, what: str, number: int, sitting: int, shown: dict[str, Any], *more: int
    ) -> FaultDetails | None:
        seat = self.seats[sitting]
        table = self.table()
        table.number = number
        view = new_view(self.view, (table, seat.seat, what, (), seat.chance))
        show(view, shown)
        _, problem = self.referee.call_outside_deal(getattr(seat, what), view, *more)
        table.number = 0
        return problem

    def on_leave(self, number: int, sitting: int) -> FaultDetails | None:
        """Release the object, which may call a method of its own."""
        if not number:
            self.seats.pop(sitting, None)
            return None
        raised: list[Any] = []

        def clear_away() -> None:
            self.seats.pop(sitting, None)
            if raised:
                raise raised.pop().exc_value

        hook, sys.unraisablehook = sys.unraisablehook, raised.append
        try:
            return self.referee.call_outside_deal(clear_away)[1]
        finally:
            sys.unraisablehook = hook


def chance_sent(bits: str, hash: str) -> Chance:
    """Return a chance as the engine sent it."""
    own: Chance = new_chance(Chance)
    own.begin_as(bits, hash)
    return own


def prepare(request: Mapping[str, Any]) -> None:
    """Load our modules that a guest needs, before it is separated from us."""
    game = games.named(request["game"])
    guest_view(game.rules_for(request["players"], request["given"]))


def serve_engine(sock: socket.socket, request: Mapping[str, Any]) -> NoReturn:
    """Serve the engine until it says nothing more."""
    collect_seldom()
    importing.prints = bool(request.get("shown"))
    if importing.prints:
        sys.stdout = sys.stderr  # which the guest launcher passes on
    with Clock(request["seconds"], [0] * CELLS, lost=lambda: None) as clock:
        Shim(Wire(sock), request, clock).serve()
