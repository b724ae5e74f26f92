"""`roundsim replay --strategy`: ask a strategy the questions of a deal again. A third-party strategy is asked in a
guest."""

from __future__ import annotations

import pdb
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..base import importing
from ..base.errors import SignalError, StrategyError, exception_words
from ..guests.encoding import legal_as_sent
from ..guests.guest import Guest
from ..guests.isolation import is_isolated
from ..guests.losses import GuestLostError
from ..guests.question import GuestQuestion, Wants
from ..refereeing.referee import Player, RemoteFaultError, traceback_of
from ..sandbox.kinds import Sandbox, best
from ..sources import plugins
from ..sources.plugins import Strategy
from ..sources.strategy import Seated, uses_random
from ..table.actions import Action
from ..table.chance import Chance, hash_number, module_random
from ..table.deal import Ask, Deal
from ..table.imagine import remember
from ..table.legal import accept, count
from ..table.view import TableView
from ..tournament.formats.round_robin import RoundRobin
from ..tournament.planning.plan import Limits
from ..trial.trial import entry_of
from ..trial.wired import TriedGuests
from .narrator import Say

PATIENCE = 60.0  # seconds of CPU for an answer: here nobody is late


def critic_of(text: str, game: type[Deal], debug: bool, say: Say) -> Critic:
    """Return the critic for the one strategy that a text names. It is asked where it would play in a run, but in this
    process if it is debugged. StrategyError, PluginError."""
    plugins.describe_ahead([text], sealed=not debug)
    return critic_like(find_one(text, game.id), game, debug, say)


def find_one(text: str, game: str) -> Strategy:
    """Return the one strategy that a text names. StrategyError, PluginError."""
    strategies = plugins.find(text, game)
    if len(strategies) > 1:
        raise StrategyError(
            f"{text}: name one of {', '.join(strategy.attribute for strategy in strategies)}, {text}:NAME"
        )
    return strategies[0]


def critic_like(strategy: Strategy, game: type[Deal], debug: bool, say: Say) -> Critic:
    """Return a critic that asks a strategy where it would play in a run."""
    if not debug and is_isolated(strategy, "auto", seal := best()):
        return FarCritic(strategy, game, say, seal)
    return Critic(strategy, game, debug, say)


class Critic:
    """Asks a strategy the questions of its seat again, through a whole sitting, and notes where it answers
    differently."""

    seated: Seated

    def __init__(self, strategy: Strategy, game: type[Deal], debug: bool, say: Say) -> None:
        self.name, self.imagines, self.debug, self.say = str(strategy), strategy.imagines, debug, say
        self.player = Player({}, Chance())
        self.differs = 0
        self.load(strategy, game)

    def load(self, strategy: Strategy, game: type[Deal]) -> None:
        """Load the strategy. PluginError."""
        with importing.showing_prints():
            thing = plugins.load_strategy(strategy, 1)
            self.seated = Seated(thing, dict(strategy.parameters), game, uses_random(Path(strategy.path)))

    def watch(self, deal: Deal) -> None:
        """Prepare for a deal that is about to be replayed."""
        if self.imagines:
            remember(deal, range(deal.players))

    def begin(self, deal: Deal, seat: int, name: str, player: str = "") -> None:
        """Take a seat in the sitting of this name, unless it has one. `player`: the name of the chance of one who goes
        from table to table."""
        if not self.player.answers:
            self.take_chance(seat, name, player)
            module_random().begin(f"{player or f'{name}/{seat}'}/random" if self.seated.draws else name)
            self.guarded(self.seated.take_seat, self.player)
            self.notify("begin", deal)

    def take_chance(self, seat: int, name: str, player: str) -> None:
        self.player.seat = seat
        if player:
            self.player.chance.begin(player)
        else:
            self.player.chance.take_seat(name, seat, hash_number(name))

    def notify(self, what: str, deal: Deal) -> None:
        """Call its `begin` or `settled`, if it has one."""
        if call := self.player.call_of(what, deal):
            self.guarded(*call)

    def leave(self) -> None:
        """Leave the seat: a fresh object takes the next."""
        self.player = Player({}, self.player.chance)

    def ask(self, deal: Deal, ask: Ask, recorded: str) -> None:
        """Report its answer to a question if it is another one than the recorded."""
        answer = self.action(deal, ask)
        if answer is not None and answer != recorded:
            self.differs += 1
            self.say(f"      {self.name} answers here: {answer!r}")

    def action(self, deal: Deal, ask: Ask) -> Action | None:
        """Return its answer to a question. None if it fails or its answer is refused, which is reported, or if it could
        not be made."""
        if ask.phase not in self.player.answers:
            return None
        before, refused = self.differs, ""
        answer = self.guarded(self.player, deal.View(deal, ask.seat, ask.phase, ask.legal, self.player.chance))
        if self.differs > before:
            return None
        try:
            if isinstance(answer, str):
                return accept(ask.legal, answer)
        except ValueError:
            refused = f", which is refused: {deal.refusal(ask, Action(answer))}"
        self.differs += 1
        self.say(f"      {self.name} answers here: {answer!r}{refused}")
        return None

    def settled(self, deal: Deal, seat: int) -> None:
        self.player.seat = seat
        self.notify("settled", deal)

    def guarded(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what the strategy returns. If it fails, whatever it raises, report the failure and return None."""
        try:
            return function(*arguments)
        except (KeyboardInterrupt, SignalError):
            raise
        except BaseException as error:
            if self.debug:
                pdb.post_mortem(error.__traceback__)
            self.report_failure(exception_words(error), traceback_of(error))
            return None

    def report_failure(self, message: str, where: str) -> None:
        lines = [f"      {self.name} fails here: {message}", *[f"        {line}" for line in where.splitlines()]]
        self.say("\n".join(lines))
        self.differs += 1

    def close(self) -> None:
        """Stop asking it."""


class FarCritic(Critic):
    """A critic that asks a guest, in a sandbox if one works. Its prints are shown."""

    guest: Guest | None = None

    def __init__(self, strategy: Strategy, game: type[Deal], say: Say, seal: Sandbox) -> None:
        self.guests = TriedGuests(seal, Limits(PATIENCE))
        super().__init__(strategy, game, False, say)

    def load(self, strategy: Strategy, game: type[Deal]) -> None:
        self.strategy, self.game = strategy, game

    def begin(self, deal: Deal, seat: int, name: str, player: str = "") -> None:
        if self.player.answers:
            return
        self.player.answers = dict.fromkeys(deal.phases, self.answer)
        self.take_chance(seat, name, player)
        if not self.guest:
            entry = entry_of(self.game, RoundRobin(deal.players, 1), deal.rules.changed(), (self.strategy,))
            self.guest = self.guests.begin(entry, 0, self.strategy, Wants())
        guest = self.guest
        random = Chance(f"{player or f'{name}/{seat}'}/random").as_sent()[1] if guest.draws else None
        seated = 1, seat, *self.player.chance.as_sent(), random
        if "sit" not in guest.hears:
            guest.out.append(("sit", 0, *seated))
        elif not self.guarded(self.seat, *seated):
            self.player.answers = {"": self.answer}  # it could not be made
            return
        self.notify_guest("begin", deal, seat)

    def seat(self, *seated: Any) -> bool:
        self.put("sit", None, *seated)
        return True

    def settled(self, deal: Deal, seat: int) -> None:
        self.notify_guest("settled", deal, seat, deal.net[seat])

    def notify_guest(self, what: str, deal: Deal, seat: int, *net: int) -> None:
        if self.guest and what in self.guest.hears and "" not in self.player.answers:
            view = deal.View(deal, seat, what, (), self.player.chance)
            self.guarded(self.put, what, view, 1, *net, self.guest.wants.shown(what, view))

    def answer(self, view: TableView) -> Any:
        """Return its answer: one of the legal actions, if it gave an index, or a text."""
        assert self.guest
        sent = legal_as_sent(view.legal, self.guest.plain)
        shown = self.guest.wants.shown(view.phase, view)
        answer = self.put("ask", view, 1, view.phase, sent, shown)
        return view.legal[answer] if type(answer) is int and 0 <= answer < count(view.legal) else answer

    def put(self, word: str, view: TableView | None, *line: object) -> Any:
        """Put a question, and wait for the answer. RemoteFaultError, GuestLostError."""
        assert self.guest
        seat, phase = (view.seat, view.phase) if view else (0, "constructor")
        question = GuestQuestion(("", seat, phase, 0), view)
        self.guest.ask(question, word, *line)
        self.guest.answer_all()
        if question.fault_details:
            raise RemoteFaultError(question.fault_details)
        return question.said

    def guarded(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Do the same with failures that the guest reports. A guest that is lost is not asked any more."""
        try:
            return function(*arguments)
        except RemoteFaultError as error:
            _, message, where = error.details
        except GuestLostError as lost:
            message, where = lost.words, ""
            self.player.answers, self.guest = {"": self.answer}, None
        self.report_failure(message, where)
        return None

    def close(self) -> None:
        self.guests.close()
