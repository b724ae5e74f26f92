"""A table for learners: strategies answer on all other seats, and only the questions of learners stay open."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, Self

from ..base.errors import IllegalError, InputError
from ..refereeing.referee import Clock, Player, Referee, questions, why_illegal
from ..refereeing.sitting import Sitting
from ..refereeing.table import Table
from ..sources import plugins
from ..sources.strategy import Seated, sit_again
from ..table.actions import Action
from ..table.chance import Chance
from ..table.deal import Ask, Deal
from ..table.playthrough import Playthrough
from ..table.view import TableView

TRIES = 50  # sittings in a row in which nobody is asked, before a table is given up


def next_asked(table: Table, block: int, begin: Callable[[int], None], who: str = "nobody") -> int:
    """Begin the sittings after this one, up to the first in which somebody is asked something. Return its number.

    InputError with `who` has nothing to decide."""
    for number in range(block + 1, block + 1 + TRIES):
        begin(number)
        if not table.over:
            return number
    given = ", ".join([f"{key} = {value}" for key, value in table.rules.changed().items()])
    at = f"{table.game.title}{f' with {given}' if given else ''}"
    raise InputError(f"{at}: {who} has anything to decide in {TRIES} sittings")


class Learner:
    """The learner at a table: it keeps the view of its question, until its answer is there."""

    __slots__ = ("view", "action")
    view: TableView | None
    action: Action

    def ask(self, view: TableView) -> Learner:
        self.view = view
        return self

    def result(self) -> Action:
        return self.action


class Host(Referee):
    """A referee that records no fault: what a strategy raises is raised, and an illegal answer is an IllegalError."""

    def went_wrong(self, deal: Deal, ask: Ask, player: Player, number: int, answer: object, error: Any) -> NoReturn:
        if self.board[0]:  # it has not answered
            self.board[0] = 0
            raise error
        why = why_illegal(deal, ask, answer)
        raise IllegalError(f"{deal.title}, seat {ask.seat}, phase {ask.phase}: {why}") from None


HOST = Host(Clock(math.inf), pending=Learner)


class Asking(Playthrough):
    """A deal whose questions go to players; `ask` is the open question of a learner."""

    __slots__ = ("learner", "questions")

    def __init__(self, deal: Deal, players: Sequence[Player], learner: Learner) -> None:
        self.deal, self.learner = deal, learner
        self.questions = questions(HOST, deal, players)
        self.go_on()

    @property
    def ask(self) -> Ask | None:  # type: ignore[override]
        view = self.learner.view
        return None if view is None else Ask(view.seat, view.phase, view.legal)

    def answer(self, action: Action) -> None:
        self.learner.action = action
        self.go_on()

    def go_on(self) -> None:
        """Let the others answer, until a learner is asked or the deal is over."""
        self.learner.view = None
        next(self.questions, None)


class OtherSeats(Table):
    """A table with strategies on all seats but the `own`. They hear when a sitting begins, and the result of each deal.

    Until strategies are set, and without an own seat, all seats learn."""

    others: Sequence[Seated] = ()
    own: int | None = None
    hears = False
    chances: dict[int, Chance] = {}
    chairs: list[Player]
    sitters: list[Player]
    _telling: Asking

    def seat_strategies(self, names: Sequence[str]) -> None:
        """Set the strategies of the other seats; if there are more seats, the list is repeated.

        InputError, StrategyError, PluginError."""
        seats = self.players - 1
        if not 1 <= len(names) <= seats:
            raise InputError(f"others = {names}: at this table sit 1 to {seats} others")
        strategies = [self.one_called(name) for name in names]
        self.imagines = any(strategy.imagines for strategy in strategies)
        who = [strategies[place % len(strategies)] for place in range(seats)]  # a module for each
        self.others = [plugins.seated(strategy, self.game, place) for place, strategy in enumerate(who, 1)]
        self.hears = any(seated.hears for seated in self.others)

    def one_called(self, name: str) -> plugins.Strategy:
        """Return the strategy that a text names."""
        strategies = plugins.find(name, self.game.id)
        if len(strategies) > 1:
            raise InputError(
                f"others: {name} holds {', '.join(strategy.name for strategy in strategies)}: name one of them"
            )
        return strategies[0]

    def another(self) -> Self:
        """Return another table of the same strategies, which share the modules of this one."""
        other = super().another()
        other.chances = {}
        return other

    def sit_down(self, seed: int, block: int, own: int | None) -> None:
        """Begin a sitting, with fresh objects of the strategies, and play up to a learner's first question."""
        self.own = own
        self.begin(seed, block)

    def answer(self, action: Action) -> None:
        """Answer the open question with one of its legal actions."""
        learner = self.learner
        learner.action, learner.view = action, None
        next(self._telling.questions, None)
        if learner.view is None:
            self._go_on()

    def _take_seats(self, name: str, bits: int) -> None:
        if not self.chances:
            self.learner, self.chances = Learner(), {seat: Chance() for seat in range(self.players)}
            self.learns = Player(dict.fromkeys(self.rules.played_by.phases, self.learner.ask), Chance())
            self.chairs = [Player({}, chance) for chance in self.chances.values()]
        strategies = self._by_seat()
        self.sitters = [*self.chairs]
        for seat in sit_again(self.sitters, strategies, self.chances, name, bits):
            self.sitters[seat] = self._player(seat, strategies[seat], name, bits)

    def _by_seat(self) -> list[Seated | None]:
        """Return the strategy at each seat, None where a learner sits."""
        if self.own is None or not self.others:
            return [None] * self.players
        first = self.players - self.own
        return [*self.others[first - 1 :], None, *self.others[: first - 1]]

    def _player(self, seat: int, seated: Seated | None, name: str, bits: int) -> Player:
        chance = self.chances[seat]
        chance.take_seat(name, seat, bits)
        if seated is None:
            return self.learns
        player = Player({}, chance, seat=seat)
        seated.take_seat(player)
        return player

    def _deal(self) -> None:
        if self.hears and not self.dealt:  # `begin` gets the view of the first deal before that begins
            self._notify("begin", Sitting(self.game, self.rules, deals=self.deals).next_deal(self._source()))
        super()._deal()

    def _played(self, deal: Deal) -> Asking:
        return Asking(deal, self.sitters, self.learner)

    def _go_on(self) -> None:
        while not self.over and self.learner.view is None:
            self._settle()

    def _settle(self) -> None:
        if self.hears:
            self._notify("settled", self.deal)
        super()._settle()

    def _notify(self, what: str, deal: Deal) -> None:
        for player in self.sitters:
            method, *given = player.call_of(what, deal) or [None]
            if method:
                method(*given)
