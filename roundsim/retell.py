"""`roundsim replay`: a deal of a run or of a script told, written as a script, or put to a strategy again."""

from __future__ import annotations

import pdb
from collections.abc import Callable, Generator, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

from . import plugins
from .actions import Action, accept, count
from .chance import Chance, number, shared
from .errors import LogError, ScriptError, StrategyError, did_you_mean
from .imagine import remember
from .recording import Recording, script_deal, state_keys, write_script
from .referee import exception_words, replay, traceback_of
from .replay import Visit, by_seat, nets, tell, visit
from .script import Script, load
from .sitting import Sitting
from .strategy import Seated
from .table import Ask, Deal
from .tournament.folder import RunFolder

Say = Callable[[str], Any]


class Critic:
    """Asks a strategy again what it was asked at its seat, through a whole sitting, and notes where it answers otherwise."""

    def __init__(self, text: str, game: type[Deal], debug: bool) -> None:
        with plugins.showing_prints():
            found = plugins.find(text, game.id)
        self.seated = Seated(plugins.load(found[0]), dict(found[0].parameters), game)
        self.name, self.debug = str(found[0]), debug
        self.answers: dict[str, Any] = {}
        self.thing: Any = None
        self.differs = 0
        self.chance = Chance()

    def watch(self, deal: Deal) -> None:
        """A deal is about to be told."""
        if self.seated.imagines:
            remember(deal, range(deal.players))

    def begin(self, deal: Deal, seat: int, name: str) -> None:
        if not self.answers:
            self.chance.take_seat(name, seat, number(name))
            shared().begin(name, 0)
            self.answers, self.thing = self.seated.take_seat()
            if hasattr(self.thing, "begin"):
                self.thing.begin(deal.View(deal, seat, "begin", (), self.chance))

    def ask(self, deal: Deal, ask: Ask, recorded: str, say: Say) -> None:
        view = deal.View(deal, ask.seat, ask.phase, ask.legal, self.chance)
        try:
            said = self.answers[ask.phase](view)
        except Exception as error:
            if self.debug:
                pdb.post_mortem(error.__traceback__)
            where = "".join(f"\n        {line}" for line in traceback_of(error).splitlines())
            say(f"      {self.name} fails here: {exception_words(error)}{where}")
            return
        refused = ""
        try:
            same = isinstance(said, str) and accept(ask.legal, said) == recorded
        except ValueError:
            same, refused = False, f", which is refused: {deal.refusal(ask, Action(said))}"
        self.differs += not same
        if not same:
            say(f"      {self.name} answers here: {said!r}{refused}")

    def settled(self, deal: Deal, seat: int) -> None:
        if hasattr(self.thing, "settled"):
            self.thing.settled(deal.View(deal, seat, "settled", (), self.chance), deal.net[seat])


def retell(
    what: str,
    say: Say,
    seat: str | None = None,
    number: int | None = None,
    script: Path | None = None,
    strategy: str | None = None,
    debug: bool = False,
) -> int:
    """Tell a deal of a run, RUN:ADDRESS, or the deals of a script file."""
    folder, colon, address = what.rpartition(":")
    if colon and not Path(what).exists():
        retell_run(RunFolder(folder), address, say, seat, script, strategy, debug)
    elif Path(what).is_dir():
        first = RunFolder(what).tournament().entries[0].name
        raise LogError(f"{what} is a run: name a deal of it, {what}:ENTRY/BLOCK/SITTING/DEAL, as {what}:{first}/1/1/1")
    else:
        retell_script(load(what), say, seat, number, strategy, debug)
    return 0


def retell_run(
    folder: RunFolder, address: str, say: Say, seat: str | None, script: Path | None, strategy: str | None, debug: bool
) -> None:
    top: dict[str, Any] = {}
    deals: list[dict[str, Any]] = []
    critic: list[Critic] = []

    def play_deal(record: Visit, at: str, deal: Deal, actions: list[str]) -> None:
        wanted = address.endswith(f"/{at}")
        labels = [record.labels[entrant] for entrant in record.who]
        if not top:
            top.update(deepcopy(state_keys(deal)))
        deal.chance = source = Recording(deal.chance)
        if strategy is not None and not critic:
            critic.append(Critic(strategy, type(deal), debug))
        if critic:
            critic[0].watch(deal)
        mine = seat_of(seat, labels) if seat is not None else seat_of(critic[0].name, labels) if critic else None
        if critic:
            assert mine is not None
            critic[0].begin(deal, mine, record.name)
        answers = iter(actions)

        def answer(ask: Ask) -> Any:
            action = accept(ask.legal, next(answers))
            if critic and ask.seat == mine and count(ask.legal) != 1:
                critic[0].ask(deal, ask, action, say if wanted and not script else lambda words: None)
            return action

        if wanted and not script or critic:
            for line in tell(deal, answer, mine if seat is not None else None, labels, faults_of(record, address)):
                if wanted and not script:
                    say(line)
            if critic and mine is not None:
                critic[0].settled(deal, mine)
        else:
            replay(deal, actions)
        deals.append(script_deal(deal, source))

    def tell_end(record: Visit, deal: Deal) -> None:
        if script:
            raise LogError(f"{address} is the end of a sitting and no deal: a script is written of the deal before it")
        say(f"{deal.title} · {deal.players} seats · the end of the sitting: what is left in the pools is settled")
        say(by_seat("seats", [record.labels[entrant] for entrant in record.who]))
        say(nets(deal))

    visit(folder, address, play_deal, tell_end)
    if critic and not critic[0].differs and not script:
        say(f"{critic[0].name} answers the same everywhere")
    if script:
        text = write_script(top, deals, f"{address} of {folder.path.name}")
        if str(script) == "-":
            say(text.rstrip("\n"))
        else:
            script.write_text(text, "utf-8")
            say(f"wrote {script}")


def faults_of(record: Visit, address: str) -> dict[int, str]:
    """The forfeited actions of a deal, with the words of the fault where they are told, else its kind."""
    told = {each["action"] - 1: each for each in record.told if each["deal"] == address}
    return {
        at: str(told[at]["words"]) if at in told and told[at]["kind"] == kind else kind
        for at, kind in record.marks.items()
    }


def retell_script(
    script: Script, say: Say, seat: str | None, number: int | None, strategy: str | None, debug: bool
) -> None:
    """The deals of a script, by its written actions; it need not come to what it expects."""
    labels = [str(at) for at in range(script.rules.players)]
    mine = seat_of(seat, labels) if seat is not None else None
    critic = Critic(strategy, script.game, debug) if strategy is not None else None
    sitting = Sitting(script.game, script.rules, script.state)
    if number is not None and number > len(script.deals):
        raise ScriptError(f"{script.path}: it has {len(script.deals)} deals")
    for at, entry in enumerate(script.deals, 1):
        deal, lines = sitting.next_deal(script.source(at)), script.lines(at)
        if critic:
            critic.watch(deal)
        tell_it = say if number in (None, at) else lambda words: None
        if script.game.end_key and entry.get(script.game.end_key):
            deal.end()
            tell_it("the end of the sitting")
            tell_it(nets(deal))
        elif not run_through(tell(deal, follower(deal, lines, critic, mine, tell_it), mine), tell_it):
            return
        sitting.settle(deal)
        if critic and mine is not None:
            critic.settled(deal, mine)
        if at < len(script.deals):
            tell_it("")


def run_through(story: Generator[str, None, bool], say: Say) -> bool:
    """Tell a story to its end; whether it came there, or broke off."""
    while True:
        try:
            say(next(story))
        except StopIteration as end:
            return bool(end.value)


def follower(
    deal: Deal, lines: Sequence[tuple[int, str]], critic: Critic | None, mine: int | None, say: Say
) -> Callable[[Ask], Any]:
    """Answers by the written lines; forced actions may be left out.  Breaks off where a line does not fit."""
    written = list(lines)

    def answer(ask: Ask) -> Any:
        action = None
        if written and written[0][0] == ask.seat:
            try:
                action = accept(ask.legal, written[0][1])
                written.pop(0)
            except ValueError:
                pass
        if action is None and count(ask.legal) == 1:
            action = ask.legal[0]
        if critic and mine in (None, ask.seat) and count(ask.legal) != 1:
            critic.begin(deal, ask.seat, "script")
            critic.ask(deal, ask, action or "", say)
        if action is None and written:
            say(f"      the script goes on with '{written[0][0]} {written[0][1]}'")
        return action

    return answer


def seat_of(text: str, labels: Sequence[str]) -> int:
    """A seat by its number, or by the strategy that sits there."""
    if text.isdecimal() and int(text) < len(labels):
        return int(text)
    for at, label in enumerate(labels):
        if text in (label, label.partition("(")[0]):
            return at
    raise StrategyError(
        f"no seat {text!r}{did_you_mean(text, labels)}: 0 to {len(labels) - 1}, or one of {', '.join(labels)}"
    )
