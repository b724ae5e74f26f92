"""A guest: a third-party strategy in a separate process, as a worker uses it. docs/wire.md describes the lines.

A guest plays one seat of an entrant in one part of the blocks. So no process ever holds two seats of a deal, or meets a
deal twice."""

from __future__ import annotations

import json
import math
import os
import reprlib
import select
import socket
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from time import monotonic, process_time
from typing import Any, NoReturn, TypeVar, cast

from ..base.errors import exception_words, scrubbed
from ..base.importing import LOAD_SECONDS
from ..base.text import exit_words
from ..processes.start import Stopwatch, queued_seconds
from ..refereeing.referee import ENTERED, QUOTE
from ..sandbox.launchers import GuestProcess
from ..tournament.planning.plan import Limits
from ..tournament.results.record import STRIKES
from .encoding import encode_lines, imagined_as_sent
from .hello import read_hello
from .inside.lines import decode
from .losses import (
    SOURCE_MARK,
    BrokenError,
    GuestLostError,
    NotLoadedError,
    UnaskedError,
    mistaken_encoding,
    own_frames,
    traceback_text,
)
from .question import GuestKey, GuestQuestion, Wants

LONGEST_LINE = 1 << 20  # bytes
MOST_UNSENT = 1 << 23  # bytes
GLANCE = 0.25  # seconds between two looks at the clock of a guest that does not answer, or a quarter of its limit
SHARE, SLIP = 1.5, 0.1  # of its limit, and seconds more, that a guest may use: its own clock has ended it by then
IDLE, PAUSE = 12, 1  # times its limit, and seconds more, for which it may neither answer nor compute
MOMENT = 0.005  # seconds of waiting that are not looked into
SLACK = 5  # seconds more than a module has to be loaded
REPORTED_FAULTS = ("exception", "memory", "full", "late", "illegal")  # faults that a guest may report of itself
OF_BOTS = ("exception", "illegal")  # those that a bot may choose
FLUSHED = "is each line ended, and flushed (fflush, flush=True)?"
SILENT = "no answer within the limit: it has answered nothing since its hello"
MOST_SEEN = 64  # names that a guest may ask to see at one question: more than twice as many as any view has
Method = TypeVar("Method", bound=Callable[..., Any])


def serving(method: Method) -> Method:
    """Whatever is raised while a guest is served, by our code or by the game over what it has written, is its fault."""

    @wraps(method)
    def served(guest: Guest, *given: Any) -> Any:
        try:
            return method(guest, *given)
        except (GuestLostError, MemoryError):
            raise
        except BrokenError as broken:
            guest.lost("broken", f"broke the protocol: {broken}", guest.only_key())
        except Exception as error:
            guest.lost("broken", f"broke the protocol: {exception_words(error)}", guest.only_key(), own_frames(error))

    return cast(Method, served)


@dataclass(slots=True)
class IdleTime:
    """The time for which the guests of each entrant have been idle in a shard when they were asked: `taken`, in
    milliseconds. `most`: what each may take, in seconds."""

    most: float = math.inf
    taken: Counter[int] = field(default_factory=Counter)

    def is_over(self, entrant: int, more: float = 0) -> bool:
        return self.taken[entrant] / 1000 + more > self.most


class Guest:
    """A process with a strategy, and the lines to and from it. `open`: the questions that it has been asked; `out`: lines
    to be sent; `held`: lines that are sent when the open questions are answered, and `later` the questions in them."""

    __slots__ = (
        *("begun", "sock", "poll", "entrant", "limits", "hears", "wants", "plain", "imagines", "draws"),
        *("open", "out", "unsent", "waits", "tail", "number", "sittings", "stage", "looking"),
        *("held", "later", "cpu", "glance", "is_bot", "seen", "lates", "begun_at"),
        *("answered", "last", "idle_time", "waited", "queue", "queue_before"),
    )

    def __init__(self, begun: GuestProcess, entrant: int, limits: Limits, wants: Wants) -> None:
        self.begun, self.sock, self.entrant, self.limits, self.wants = begun, begun.sock, entrant, limits, wants
        self.open: dict[int, GuestQuestion] = {}
        self.out: list[Any] = []
        self.unsent, self.waits = b"", False
        self.tail, self.number, self.sittings, self.stage = b"", 0, 0, 0
        self.hears: frozenset[str] = frozenset()
        self.plain = self.imagines = self.draws = self.is_bot = False
        self.answered = False  # whether it has answered anything in this stage
        self.idle_time, self.waited = IdleTime(), 0.0
        self.queue = self.queue_before = self.queued()
        self.last: GuestKey | None = None  # the question that it has answered last, if it is asked one at a time
        self.looking = 0.0  # seconds for which we have looked up or imagined what it asked for
        self.seen = Counter[int]()  # names that it has asked to see, by question
        self.lates, self.begun_at = 0, monotonic()
        self.held, self.later = deque[Any](), dict[int, GuestQuestion]()
        self.cpu = -1.0  # seconds of CPU that it had had when it was asked
        self.glance = min(GLANCE, limits.seconds / 4)
        self.poll = select.poll()
        self.poll.register(self.sock, select.POLLIN)

    def hello(self, line: Mapping[str, Any], names: Sequence[str], what: str) -> None:
        """Greet it, and read what it needs. `what`: its source. NotLoadedError, GuestLostError."""
        self.unsent = json.dumps(line, separators=(",", ":")).encode() + b"\n"
        lines = self.first_lines()
        self.cpu = -1.0  # what it took to load is not its first answer's
        try:
            if not lines:
                late = f"within {LOAD_SECONDS:g} s{f': {FLUSHED}' if self.is_bot else ''}"
                raise BrokenError(f"{SOURCE_MARK} cannot be loaded: {self.silence()} {late}")
            self.hears, self.imagines, self.plain, self.wants.always = read_hello(lines, names, what)
        except Exception as error:
            why = (
                str(error)
                if isinstance(error, BrokenError)
                else f"{SOURCE_MARK} cannot be loaded: {exception_words(error)}"
            )
            raise NotLoadedError(self.entrant, what, why) from None

    @serving
    def first_lines(self) -> Sequence[Any]:
        """Return what it says first; nothing if that takes too long. GuestLostError."""
        since = Stopwatch(self.begun.pid)
        lines: Sequence[Any] = ()
        try:
            self.send()
        except GuestLostError:  # it may have ended before, and have said why
            self.unsent = b""
            return self.lines()
        while not lines and since.wall() <= LOAD_SECONDS + SLACK:
            lines = self.lines()
        return lines

    def silence(self) -> str:
        """Return what a guest has not done that does not greet in time."""
        if not self.is_bot:
            return "not loaded"
        return "its first line has not ended" if self.tail else "it has said nothing since its start,"

    def ask(self, question: GuestQuestion, word: str, *more: object) -> None:
        """Put a question, which is sent with the others."""
        number = self.number = self.number + 1
        self.open[number] = question
        self.out.append((word, number, *more))

    @serving
    def send(self) -> None:
        """Send everything that was put, as far as the guest takes it at once. GuestLostError."""
        if self.out:
            if self.cpu < 0:
                self.cpu = self.begun.cpu()
            self.unsent += encode_lines(self.out)
            self.out.clear()
        if self.unsent:
            try:
                self.unsent = self.unsent[self.sock.send(self.unsent, socket.MSG_DONTWAIT) :]
            except BlockingIOError:
                pass
            except OSError:
                self.died()
            if len(self.unsent) > MOST_UNSENT:
                raise BrokenError("it asks but does not read the answers")
            if self.waits != bool(self.unsent):
                self.waits = bool(self.unsent)
                self.poll.modify(self.sock, select.POLLIN | select.POLLOUT * self.waits)

    def hold(self) -> None:
        """Hold back what was put, if this guest is asked one question at a time."""
        if self.wants.alone:
            self.held.extend(self.out)
            self.later, self.open, self.out = self.open, {}, []
            self.release()

    def release(self) -> None:
        """Put the questions that are held, up to the next one that waits. Put none once the number of late answers bars
        the entrant: then the other tables, which come later in the log, are played again without asking it."""
        if not self.held:
            return
        faults = [question.fault_details for question in self.later.values() if question.fault_details]
        late = [kind for kind, _, _ in faults].count("late")
        while self.held and not self.open:
            line = self.held.popleft()
            number = line[1]
            if number and late >= STRIKES["late"]:
                self.later[number].fault_details = "late", "it is not asked any more", ""
                continue
            self.out.append(line)
            if number:
                self.open[number] = self.later[number]

    @serving
    def answer_all(self, seconds: float = 0) -> float:
        """Send what was put, wait until every question is answered, and return the seconds for each, of CPU and of idle
        waiting. GuestLostError. `seconds`: the limit for an answer, if it is not the usual one."""
        self.send()
        seconds, count, only = seconds or self.limits.seconds, len(self.open), self.only_key()
        question: GuestQuestion | None = None  # that it has answered last
        self.waited, seen = 0.0, monotonic()
        self.looking = 0.0
        self.seen.clear()
        take = self.open.pop
        while self.open:
            try:
                for line in self.lines():
                    if type(line) is list and len(line) == 2:
                        number, answer = line
                        kind = type(answer)
                        if (kind is int or kind is str) and type(number) is int and (answered := take(number, None)):
                            question = answered
                            question.said = answer
                            continue
                    self.receive(line)
            except UnaskedError as unasked:
                answered_before = not self.open or unasked.number < min(self.open)
                after = question.key if question else self.last
                key = after if self.wants.alone and answered_before else self.only_key()
                self.lost("broken", f"broke the protocol: {unasked}", key)
            before, seen = seen, monotonic()
            self.waited += min(seen - before, 2 * self.glance)  # if we are stopped for a while, that is not its time
            if self.open and self.waited > self.glance:
                idle = self.idle()
                late = self.used() > SHARE * seconds * count + SLIP or idle > IDLE * seconds + PAUSE
                if late or self.idle_time.is_over(self.entrant, idle):
                    self.spend(idle, only)
                    self.lost("late", self.late_words(count), only)
        idle, used = self.idle(), self.used()
        self.spend(idle, only)
        self.cpu, self.answered = -1.0, self.answered or count > 0
        if self.wants.alone:
            self.last = only
        if used > SHARE * seconds + SLIP:
            if only:
                self.lost("late", ENTERED["late"], only)
            self.wants.alone = True
        return (used + idle) / max(count, 1)

    def idle(self) -> float:
        """Return the seconds for which we have waited for it, and neither it nor we have waited for a processor; nor has it
        computed, if the system reports that."""
        if (idle := self.waited - self.used()) < MOMENT:
            return 0.0
        self.queue = self.queued()
        return max(idle - (self.queue - self.queue_before), 0.0)

    def queued(self) -> float:
        """Return the seconds for which it, or we, have ever waited for a processor."""
        return queued_seconds(self.begun.pid) + queued_seconds(os.getpid())

    def spend(self, idle: float, only: GuestKey | None) -> None:
        """Count idle time, where the system reports CPU time. GuestLostError if its entrant has no more."""
        self.queue_before = self.queue
        self.idle_time.taken[self.entrant] += round(1000 * idle) * (self.begun.cpu() > 0)
        if self.idle_time.is_over(self.entrant):
            self.lost("idle", f"it was idle for more than {self.idle_time.most:.3g} s", only)

    def used(self) -> float:
        """Return the seconds of CPU since it was asked, and those that we spent on its requests."""
        return self.begun.cpu() - self.cpu + self.looking if self.cpu >= 0 else 0.0

    def lines(self) -> Sequence[Any]:
        """Return the lines that have arrived, parsed; none after a while without any. BrokenError, GuestLostError."""
        return self.parsed(came) if (came := self.come()) else ()

    def come(self) -> bytes:
        """Return what has arrived, whole lines only; nothing after a while without any. BrokenError, GuestLostError."""
        came = None if self.unsent else self.read()
        if came is None:
            ready = self.poll.poll(1000 * self.glance)
            if self.unsent and ready:
                self.send()
            if not ready or ready[0][1] == select.POLLOUT or (came := self.read()) is None:
                return b""
        if not came:
            self.died()
        whole, line_end, rest = came.rpartition(b"\n")
        if not line_end:
            self.tail += came
            if len(self.tail) > LONGEST_LINE:
                raise BrokenError(f"a line of over {LONGEST_LINE} bytes")
            return b""
        lines, self.tail = self.tail + whole, rest
        if not lines:  # among others it would be no JSON either
            raise BrokenError("an empty line")
        return lines

    def read(self) -> bytes | None:
        """Return the bytes that are there, b"" at the end; None if there are none yet."""
        try:
            return self.sock.recv(1 << 16, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def parsed(self, lines: bytes) -> Sequence[Any]:
        """Parse lines. BrokenError if they are not JSON."""
        try:
            return decode(lines)
        except ValueError:
            raise BrokenError(f"no JSON{mistaken_encoding(lines)}: {lines[:60]!r}") from None

    def receive(self, line: Any) -> None:
        """Handle a line of the guest that is not an answer to an open question. BrokenError."""
        match line:
            case [bool(), *_]:
                raise BrokenError(f"no answer: {reprlib.repr(line)[:60]}")
            case ["see", int(number), str(name), *more] if number in self.open:
                self.show(number, name, more)
            case [int(number)] if number in self.open:
                self.open.pop(number)
            case [int(number), None, [str(kind), str(message), str(where)]] if number in self.open:
                if kind not in REPORTED_FAULTS:
                    raise BrokenError(f"a fault cannot be {kind[:20]!r}")
                self.open.pop(number).fault_details = (
                    self.kind_of(kind),
                    scrubbed(message[:QUOTE]),
                    traceback_text(where),
                )
            case [int(number), *_] | ["see", int(number), *_] if number not in self.open:
                raise UnaskedError(number)
            case _:
                raise BrokenError(f"no answer: {reprlib.repr(line)[:60]}")

    def show(self, number: int, name: str, more: Sequence[Any]) -> None:
        """Send the value that a question's view shows under a name. From now on all questions of its phase include
        it."""
        view, start = self.open[number].view, process_time()
        self.seen[number] += name != "imagine"
        if self.seen[number] > MOST_SEEN:
            raise BrokenError(f"asks to see more than {MOST_SEEN} names at a question")
        if view and name == "imagine":
            self.out.append(("seen", number, name, *imagined_as_sent(view, more)))
        elif view is None or name.startswith("_") or not isinstance(getattr(type(view), name, None), property):
            self.out.append(("seen", number, name, None, "there is no such name"))
        else:
            self.out.append(("seen", number, name, getattr(view, name)))
            self.wants.add(view.phase, name)
        self.looking += process_time() - start
        self.send()

    def kind_of(self, kind: str) -> str:
        """The kind of a fault that it reports: what costs others, or counts apart, only where we have seen that, too.

        `memory` of a Python strategy is the exception that it raised, as it would be in process."""
        if self.is_bot and kind not in OF_BOTS or kind == "late" and not self.was_late():
            return "exception"
        peak = self.begun.peak() if kind == "full" else None
        return "memory" if peak is not None and 2 * peak < self.limits.memory << 20 else kind

    def was_late(self) -> bool:
        """Whether it has used the time of one late answer more: its whole limit each, but that with a used-up bank every
        answer is late. It is what our clocks say of its process; an honest guest has never used less."""
        seconds, bank, cpu = self.limits.seconds, self.limits.bank, self.begun.cpu()
        self.lates = 1 if bank else self.lates + 1
        wall = (monotonic() - self.begun_at) / (10 * seconds)
        return not cpu or self.lates <= cpu / min(seconds, bank or seconds) + wall

    def late_words(self, asked: int) -> str:
        """Return the words for a guest that has not answered all of the questions that it was asked. They depend only on
        what it has answered in this stage, so they are the same on any number of processes."""
        silent = self.is_bot and not self.answered and len(self.open) == asked
        return SILENT if silent else ENTERED["late"]

    def died(self) -> NoReturn:
        """Raise GuestLostError for a guest that has ended. The exit code is in the words for a bot only, because those for
        a strategy in Python are the same as in process."""
        code = self.begun.exit_code(IDLE * self.limits.seconds + PAUSE) if self.is_bot else None
        self.lost("dead", ENTERED["dead"] + ("" if code is None else f": {exit_words(code)}"), self.only_key())

    def only_key(self) -> GuestKey | None:
        """The open question, if there is only one."""
        return next(iter(self.open.values())).key if len(self.open) == 1 else None

    def lost(self, kind: str, message: str, key: GuestKey | None, where: str = "") -> NoReturn:
        """Raise GuestLostError over a question. If it is not known which it was, the guests of this strategy are asked one
        at a time from now on."""
        self.wants.alone = self.wants.alone or not key
        raise GuestLostError(self.entrant, kind, message, key, where)

    def end(self) -> None:
        self.begun.end()
