"""A strategy tried through the wire, in guests as in a run: bots, and whether a third-party strategy plays the same in
the sandbox."""

from __future__ import annotations

import json
import socket
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from .. import games
from ..base.errors import PluginError, printable
from ..base.finding import display_path
from ..base.text import so_many
from ..guests.guest import FLUSHED
from ..guests.isolation import seal_for
from ..guests.launchers import launcher_for
from ..guests.losses import GuestLostError
from ..guests.pool import Guests
from ..refereeing.faults import Fault
from ..refereeing.names import Names
from ..refereeing.referee import Clock, Referee
from ..sandbox.launchers import GuestLauncher, GuestProcess
from ..sources import plugins
from ..sources.plugins import Strategy
from ..table.deal import Deal
from ..tournament.planning.plan import Entry
from ..tournament.results.totals import ShardTotals
from ..workers.cast import Cast
from ..workers.lockstep import Lockstep
from ..workers.noting import Noting
from ..workers.stepped import Foresight, SteppedStrategies, Strikes
from .exchange import FailedError
from .scripts import MAX_SAME_FAILURES, CheckRow, RowSink, not_tried, replay_command, script_path, write_script_file
from .trial import TrialOptions, describe_fault, tournament_of

DIFFERENTLY = "the same deals were played differently the second time"
LAST_PRINTS = 3  # lines that a guest has printed last, and that are repeated with its failure
MAX_LINE_SHOWN = 200  # characters of a line of the wire
KEPT = 1 << 16  # bytes of what was said last
FLUSH_HINT = f"nothing more came: {FLUSHED}"
PRINTS = "standard output is the wire: what else it prints goes to standard error"


class Tap(socket.socket):
    """The socket of a guest, with the last data that was sent and received; `guest`: its process."""

    def __init__(self, guest: GuestProcess) -> None:
        super().__init__(fileno=guest.sock.detach())
        self.guest = guest
        self.sent = self.came = b""
        self.at = 0.0  # when it was sent

    def send(self, data: Any, *flags: int) -> int:
        count = super().send(data, *flags)
        self.sent, self.came, self.at = (self.sent + data[:count])[-KEPT:], b"", monotonic()
        return count

    def recv(self, *given: int) -> bytes:
        came = super().recv(*given)
        self.came = (self.came + came)[-KEPT:]
        return came


class TappedLauncher(GuestLauncher):
    """A guest launcher whose guests print to our output, and whose sockets are tapped into `heard`."""

    def __init__(self, heard: list[Tap], *given: Any) -> None:
        super().__init__(*given)
        self.heard = heard

    def begin(self, request: Mapping[str, Any], *handles: int) -> GuestProcess:
        begun = super().begin({**request, "shown": True}, *handles)
        begun.sock = tap = Tap(begun)
        self.heard.append(tap)
        return begun


class TriedGuests(Guests):
    """The guests of the one strategy that is tried; `heard`: those that spoke, in the order of their start."""

    alone = True

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.guests = list[Tap]()

    def launcher(self, entry: Entry, strategy: Strategy) -> GuestLauncher:
        if strategy.path not in self.launchers:
            tapped = partial(TappedLauncher, self.guests)
            self.launchers[strategy.path] = launcher_for(self.seal, strategy, entry.deal.origin, self.hidden, tapped)
        return self.launchers[strategy.path]

    def last_exchange(self, problem: str) -> Iterator[str]:
        """Yield the last messages to and from a guest that is lost or has broken the wire, with these words; what was
        expected; and the last that it printed, if it has died."""
        if not self.guests:
            return
        tap = max(self.guests, key=lambda heard: heard.at)
        sent, came = tap.sent.decode().rstrip("\n").rpartition("\n")[2], tap.came.decode("utf-8", "replace").strip("\n")
        yield from exchange_rows(sent, came, problem)
        for at, line in enumerate(tap.guest.prints.strip().splitlines()[-LAST_PRINTS:]):
            yield f"{'' if at else 'printed':10}{shorten_line(line)}"


class TrialTables(SteppedStrategies, Noting):
    """A table of a trial in step. `begun`: of all tables, the one at which each deal so far is played."""

    def __init__(self, begun: list[TrialTables], *given: Any) -> None:
        super().__init__(*given)
        self.begun = begun

    def play(self, place: str, deal: Deal, first: bool) -> None:
        self.begun.append(self)
        super().play(place, deal, first)

    def record_fault(self, fault: Fault) -> None:
        raise self.failed(
            fault.kind, describe_fault(fault, f"deal {len(self.begun)}"), fault.seat, fault.phase, fault.words
        )

    def failed(self, kind: str, lines: Sequence[str], seat: int, phase: str, problem: str) -> FailedError:
        """Return the end of the trial, with the script of the sitting if that shows it."""
        script = self.script(f"seat {seat}, phase {phase}: {problem}") if phase in self.entry.deal.phases else ""
        return FailedError(f"{kind} {phase}", *lines, deal=len(self.begun), seat=seat, script=script)


class Wired:
    """A strategy in a game, played through the wire."""

    def __init__(self, strategy: Strategy, name: str, how: TrialOptions) -> None:
        self.tournament = tournament_of(strategy, games.find(name), how)
        (self.entry,) = self.tournament.entries
        self.strategy, self.limits, self.seal = strategy, how.limits, seal_for(self.tournament)

    def lines(self, width: int) -> list[str]:
        """Return the lines of all deals, with `width` tables in step, by fresh guests. FailedError at the first
        fault."""
        guests, entry, lines = TriedGuests(self.seal, self.limits), self.entry, list[str]()
        format = entry.format
        with Clock(self.limits.seconds) as clock:
            cast = Cast(self.tournament, entry, clock.board, ShardTotals(), strangers={0})
            noting, begun, step = Noting(cast, Referee(clock)), list[TrialTables](), Lockstep(width, cast.times)
            strikes = Strikes(noting.conduct, {})
            at = partial(TrialTables, begun, noting, guests, step, Foresight(width=width), strikes)
            try:
                for part, blocks in format.stages(range(1, entry.blocks + 1)):
                    noting.begin_stage()
                    guests.begin_stage()
                    for table in step.play(partial(self.play, at, part, block) for block in blocks):
                        lines += table.lines
            except GuestLostError as lost:
                raise self.how_lost(lost, guests, begun) from None
            except PluginError as error:
                problem = str(error).splitlines()
                raise FailedError("greeting", *problem, *guests.last_exchange(problem[0])) from None
            finally:
                guests.close()
        return lines

    def play(self, at: Callable[[int, int], TrialTables], part: int, block: int) -> TrialTables:
        table, format = at(part, block), self.entry.format
        ledger = format.ledger(range(len(self.entry.strategies)))
        format.play(table, self.entry, Names(1, self.entry.name, block), block, part, ledger)
        return table

    def how_lost(self, lost: GuestLostError, guests: TriedGuests, begun: Sequence[TrialTables]) -> FailedError:
        """Describe the loss of a guest: over which question it was, what was sent, what came, and what was expected."""
        problem = f"late: {lost.words}" if lost.kind == "late" else lost.words
        more = [*guests.last_exchange(problem)]
        if not lost.key or not begun:
            return FailedError(lost.kind, problem, *more)
        _, seat, phase, _ = lost.key
        at = f"deal {len(begun)}, seat {seat}, phase {phase}: {problem}"
        return begun[-1].failed(lost.kind, [at, *more], seat, phase, problem)


def exchange_rows(sent: str, came: str, problem: str) -> Iterator[str]:
    """Yield rows with what was sent to a guest, what came, and what was expected."""
    if not sent:
        return
    yield f"sent      {shorten_line(sent)}"
    if came:
        yield f"came      {shorten_line(came)}"
    yield f"expected  {expected(sent)}"
    if "no JSON" in problem:
        yield PRINTS
    if not came and ("late" in problem or " within " in problem):
        yield FLUSH_HINT


def shorten_line(line: str) -> str:
    text = printable(line.replace("\n", " | "))
    return text if len(text) <= MAX_LINE_SHOWN else f"{text[: MAX_LINE_SHOWN - 3]}..."


def expected(sent: str) -> str:
    """Return the expected answer to one of our lines, in the words of the wire."""
    match json.loads(sent):
        case ["ask", int(number), *_]:
            return f'[{number},0], or the text of a legal action in place of 0: [{number},"..."]'
        case [_, int(number), *_] if number:
            return f"[{number}]"
        case {}:
            return '{"roundsim":1} as its first line'
    return "nothing"


def check_bot(bot: Strategy, names: Sequence[str], how: TrialOptions, report: RowSink) -> int:
    """Report what is found of a bot, and return the number of problems. OSError if a script cannot be written."""
    kinds, plays = Counter[str](), ", ".join(bot.games) or "all"
    report(f"{display_path(Path(bot.path))}  {bot}  sha256 {bot.sha256[:8]}  games: {plays}")
    for at, name in enumerate(names):
        if max(kinds.values(), default=0) >= MAX_SAME_FAILURES:
            report(not_tried(len(names) - at))
            break
        if len(names) > 1:
            report(f"  {name}")
        what = f"{so_many(how.deals, 'deal')} {name}"
        try:
            wired = Wired(bot, name, how)
            lines = wired.lines(1)
            report(CheckRow(what, "ok"))
            what = "same twice"
            same = lines == wired.lines(1)
            report(CheckRow(what, "ok") if same else CheckRow(what, "FAILED", (DIFFERENTLY,)))
            kinds[what] += not same
        except FailedError as failed:
            again = [] if kinds[failed.kind] else script_of(bot, name, how, failed)
            report(CheckRow(what, "FAILED", (*failed.words, *again)))
            kinds[failed.kind] += 1
            if failed.kind == "greeting":
                break
        if how.against:
            report(CheckRow(f"against {how.against}", "-", ("not compared: a bot plays in a separate process",)))
    return kinds.total()


def script_of(bot: Strategy, name: str, how: TrialOptions, failed: FailedError) -> list[str]:
    """Write the script of a failure, if a sitting shows it. Returns how to put it to the bot again."""
    if not failed.script:
        return []
    path = script_path(how.scripts, bot, name, failed.deal)
    write_script_file(path, failed.script)
    return [replay_command(path, failed.seat, plugins.spec(bot), how.game)]
