"""`roundsim replay`: show a deal of a run or of a script, write it as a script, or put it to a strategy again."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing, nullcontext
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import Any

from ..base.errors import LogError, ScriptError, StrategyError, did_you_mean
from ..base.text import so_many
from ..refereeing.faults import Fault
from ..refereeing.recording import Recording, script_deal, state_keys, write_script
from ..refereeing.script import Script, ScriptLines, load_script
from ..refereeing.sitting import Sitting
from ..table.actions import Action
from ..table.deal import Ask, Deal
from ..table.legal import count
from ..table.playthrough import Answerer, Record
from ..tournament.results.record import Address, LogLine
from ..tournament.storage.folder import RunFolder
from ..tournament.storage.writing import write_named
from .critic import Critic, critic_of
from .log_driver import LogDriver
from .logged import Original, address_in, original_of, replay_to
from .narrator import Narrator, Say, by_seat, nets


@dataclass
class Wish:
    """The request for a replay: `seat`, by number or strategy, whose view it takes; for a script the `deal`; a `script`
    to write ("-": print it); a `strategy` to ask again, in the debugger if it fails."""

    seat: str | None = None
    deal: int | None = None
    script: Path | None = None
    strategy: str | None = None
    debug: bool = False


INDENT = " " * 9  # of lines that continue one of `by_seat`


def silent(line: str) -> None:
    """Discard the words."""


def replay_run_or_script(what: str, say: Say, wish: Wish | None = None) -> None:
    """Show a deal of a run, RUN:ADDRESS, or the deals of a script file."""
    wish = wish or Wish()
    folder, colon, address = what.rpartition(":")
    if colon and not Path(what).exists():
        FromRun(RunFolder(folder), address, say, wish).replay()
    elif Path(what).is_dir():
        first = RunFolder(what).tournament().entries[0].name
        raise LogError(f"{what} is a run: name a deal of it, {what}:ENTRY/BLOCK/SITTING/DEAL, as {what}:{first}/1/1/1")
    else:
        replay_script(load_script(what), say, wish)


class FromRun:
    """A deal of a run, and those of its sitting before it, replayed as requested."""

    def __init__(self, folder: RunFolder, address: str, say: Say, wish: Wish) -> None:
        self.folder, self.address, self.say, self.wish = folder, address, say, wish
        tournament = folder.tournament()
        self.format = tournament.entries[address_in(tournament, address)[1]].format
        self.top: dict[str, Any] = {}
        self.deals: list[dict[str, Any]] = []
        self.critic: Critic | None = None

    def replay(self) -> None:
        try:
            replay_to(self.folder, self.address, self.pass_by, self.narrate_end)
        finally:
            if self.critic:
                self.critic.close()
        if self.wish.script:
            self.write(self.wish.script)
        elif self.critic and not self.critic.differs:
            self.say(f"{self.critic.name} answers the same everywhere")

    def pass_by(self, driver: LogDriver, at: Address, faults: Sequence[Fault]) -> None:
        """Replay a deal of the sitting. Show it if it is the requested one, unless it is to be written; ask a strategy
        in all deals."""
        wish, wanted, deal, line = self.wish, str(at) == self.address and not self.wish.script, driver.deal, driver.line
        if not self.top:
            self.top = deepcopy(state_keys(deal))
        deal.chance = source = Recording(deal.chance)
        if wish.strategy is not None:
            self.critic = self.critic or critic_of(wish.strategy, type(deal), wish.debug, self.say)
        if wanted or self.critic:
            say, original = self.say if wanted else silent, original_of(self.format, driver.lines, at, line.actions)
            for text in driver.practised:
                course = f"{LogLine.parse(text).head.split(' ', 3)[3]} | {', '.join(LogLine.parse(text).actions)}"
                say(fill(f"practised, does not count: nets {course}", 80, subsequent_indent=INDENT))
            self.narrate(driver, faults_by_action(line, faults, at), say, original)
            if original:
                say(by_seat("before", [f"{net:+d}" for net in original.net]))
            if original and original.step is not None and wish.seat is None:
                course = f"from action {original.step + 1} on: {', '.join(original.course)}"
                say(fill(course, 80, initial_indent=INDENT, subsequent_indent=INDENT))
        else:
            driver.replay()
        self.deals.append(script_deal(deal, source))

    def narrate(self, driver: LogDriver, faults: dict[int, str], say: Say, original: Original | None = None) -> None:
        """Show a deal, and where it begins to differ from the one that it plays again."""
        wish, critic, deal, record = self.wish, self.critic, driver.deal, Record(driver.deal, driver.line.actions)
        watched = wish.seat if wish.seat is not None else critic.name if critic else None
        mine = None if watched is None else seat_of(watched, driver.seated)
        if critic and mine is not None:
            critic.say = say
            critic.watch(deal)
            critic.begin(deal, mine, driver.name)

        def answer(ask: Ask) -> Action | None:
            action = record.answer(ask)
            if original and len(deal.actions) == original.step:
                before = f": before it was {original.course[0]}" if wish.seat is None or ask.seat == mine else ""
                say(f"      here {driver.seated[ask.seat]} answers differently{before}")
            if critic and ask.seat == mine and count(ask.legal) != 1:
                critic.ask(deal, ask, action)
            return action

        Narrator(deal, say, mine if wish.seat is not None else None, driver.seated, faults).narrate(answer)
        record.end()
        if critic and mine is not None:
            critic.settled(deal, mine)

    def narrate_end(self, driver: LogDriver) -> None:
        if self.wish.script:
            reason = "is the end of a sitting and no deal: a script is written of the deal before it"
            raise LogError(f"{self.address} {reason}")
        deal = driver.deal
        self.say(f"{deal.title} · {deal.players} seats · the end of the sitting: what is left in the pools is settled")
        self.say(by_seat("seats", driver.seated))
        self.say(nets(deal))

    def write(self, script: Path) -> None:
        text = write_script(self.top, self.deals, f"{self.address} of {self.folder.path.name}")
        if str(script) == "-":
            self.say(text.rstrip("\n"))
        else:
            write_named(script, text.encode())
            self.say(f"wrote {script}")


def faults_by_action(line: LogLine, faults: Sequence[Fault], at: Address) -> dict[int, str]:
    """Return the forfeited actions of a deal, with the words of the fault if they are known, else its kind."""
    messages = {(fault.action - 1, fault.kind): fault.words for fault in faults if fault.deal == str(at)}
    return {place: messages.get((place, kind), kind) for place, kind in line.marks.items()}


def replay_script(script: Script, say: Say, wish: Wish) -> None:
    """Show the deals of a script, by its written actions, up to a line that does not fit; the result need not be the
    expected one."""
    if wish.deal is not None and wish.deal > len(script.deals):
        raise ScriptError(f"{script.path}: it has {so_many(len(script.deals), 'deal')}")
    mine = None if wish.seat is None else seat_of(wish.seat, [str(at) for at in range(script.rules.players)])
    critic = critic_of(wish.strategy, script.game, wish.debug, say) if wish.strategy is not None else None
    sitting = Sitting(script.game, script.rules, script.state)
    with closing(critic) if critic else nullcontext():
        for at, entry in enumerate(script.deals, 1):
            deal, tell_it = sitting.next_deal(script.source(at)), say if wish.deal in (None, at) else silent
            if script.game.end_key and entry.get(script.game.end_key):
                deal.end()
                tell_it("the end of the sitting")
                tell_it(nets(deal))
            else:
                answers = by_script(deal, ScriptLines(script.lines(at)), critic, mine, tell_it)
                if not Narrator(deal, tell_it, mine).narrate(answers):
                    return
            sitting.settle(deal)
            if critic and mine is not None:
                critic.settled(deal, mine)
            if at < len(script.deals):
                tell_it("")


def by_script(deal: Deal, written: ScriptLines, critic: Critic | None, mine: int | None, say: Say) -> Answerer:
    """Return answers from the written lines, and ask a strategy about them; break off where a line does not fit."""
    if critic:
        critic.say = say
        critic.watch(deal)

    def answer(ask: Ask) -> Action | None:
        action = written.answer(ask)
        if critic and mine in (None, ask.seat) and count(ask.legal) != 1:
            critic.begin(deal, ask.seat, "script")
            critic.ask(deal, ask, action or "")
        seat, text = written.next
        if action is None and seat is not None:
            say(f"      the script goes on with '{seat} {text}'")
        return action

    return answer


def seat_of(text: str, labels: Sequence[str]) -> int:
    """Return a seat by its number, or by the strategy that sits there."""
    if text.isdecimal() and int(text) < len(labels):
        return int(text)
    for at, label in enumerate(labels):
        if text in (label, label.partition("(")[0]):
            return at
    raise StrategyError(
        f"no seat {text!r}{did_you_mean(text, labels)}: 0 to {len(labels) - 1}, or one of {', '.join(labels)}"
    )
