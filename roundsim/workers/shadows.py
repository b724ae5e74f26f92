"""Shadows: a second strategy is asked at each seat of a table, and its answers are compared with those that are played.

Where all answers of a sitting are alike, the sitting with the second strategy at that seat would be the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any

from ..guests.question import GuestQuestion
from ..refereeing.faults import FaultDetails
from ..refereeing.names import Names
from ..refereeing.referee import Answer, RemoteFaultError
from ..table.actions import Action
from ..table.deal import Deal
from ..table.view import TableView, inside
from ..tournament.format_parts import Difference
from ..tournament.results.record import OUT

if TYPE_CHECKING:
    from .cast import Sitter
    from .strategies import Strategies

OWN_NUMBERS = 1 << 62  # from here on the questions to shadows are numbered: those of the deals have smaller numbers


class Shadows:
    """The shadows of a table. `table` seats them, at a sitting "17/-2" of their own, whose lines nobody reads.

    `differing`: for each seat where a shadow has answered differently, where; None if it was at fault. `in_step`: whether
    players or shadows may be guests."""

    def __init__(self, table: Strategies, in_step: bool = False) -> None:
        self.table, self.referee, self.in_step = table, table.referee, in_step
        self.referee.questions += OWN_NUMBERS
        self.differing: dict[int, Difference | None] = {}

    def sit(self, table: str, names: Names, entrants: Sequence[int], absent: Set[int]) -> None:
        self.differing = self.table.shadows_at_fault = {}
        self.table.absent = absent
        self.table.sit(table, names, entrants, ())
        self.table.lines.clear()
        for seat, sitter in enumerate(self.table.sitters):
            if sitter.out:
                self.differs(seat, None)

    def join(self, player: Sitter) -> None:
        """Have the shadow of a player asked whenever the player is."""
        wrap = self.asking_in_step if self.in_step else self.asking
        ask = wrap(player.answers, self.table.sitters[player.seat])
        player.answers = dict.fromkeys(player.answers, ask)

    def asking(self, answers: Mapping[str, Answer], shadow: Sitter) -> Answer:
        """Return what answers for a player in any phase, and asks its shadow as well until that differs."""
        differing = self.differing

        def ask(view: TableView) -> Any:
            said = answers[view.phase](view)
            if view.seat not in differing:
                other = self.asked(shadow, view)
                if other is not said or type(said) is not Action:  # most often both are the same of the legal actions
                    self.compare(view, said, other)
            return said

        return ask

    def asking_in_step(self, answers: Mapping[str, Answer], shadow: Sitter) -> Answer:
        """The same where players or shadows may be guests, so that both think at the same time."""
        differing = self.differing

        def ask(view: TableView) -> ShadowAnswer:
            said = answers[view.phase](view)
            return ShadowAnswer(self, view, said, None if view.seat in differing else self.asked(shadow, view))

        return ask

    def differs(self, seat: int, where: Difference | None) -> None:
        """Note where a shadow differs, and let it go."""
        self.differing.setdefault(seat, where)
        sitter = self.table.sitters[seat]
        sitter.let_go()
        sitter.out, self.table.flawed = OUT, True

    def begin(self, place: str, deal: Deal, first: bool) -> None:
        """Before a deal of the table."""
        self.number = int(place.rpartition("/")[2])
        self.table.place, self.table.deal = f"{self.table.table}/{self.number}", deal
        if self.table.watching and first:
            self.table.call_beside("begin", self.table.place, deal)

    def settled(self, deal: Deal) -> None:
        """After a deal of the table."""
        if self.table.watching:
            self.table.call_beside("settled", self.table.place, deal)

    def asked(self, shadow: Sitter, view: TableView) -> Any:
        """Return the answer of a shadow to a question that a player sees; None if it is at fault."""
        deal, phase = inside(view), view.phase
        own = tuple.__new__(deal.View, (deal, view.seat, phase, view.legal, shadow.chance))
        said, problem = self.referee.call_outside_deal(shadow.answers[phase], own)
        if problem:
            self.strike(view.seat, problem)
        return said

    def strike(self, seat: int, problem: FaultDetails) -> None:
        self.table.strike(self.table.who[seat], problem[0])

    def compare(self, view: TableView, answer: Any, other: Any) -> None:
        """Compare the answer of a player and that of its shadow."""
        try:
            played = self.referee.accepted(view.legal, answer)
        except Exception:
            return  # the player is at fault, as the table finds out next
        try:
            same = self.referee.accepted(view.legal, other) == played
        except Exception:
            self.differs(view.seat, None)
            return
        if not same:
            self.differs(view.seat, Difference(self.number, len(inside(view).actions) + 1))


class ShadowAnswer:
    """The answers of a player and of its shadow, each perhaps a question that waits for a guest."""

    __slots__ = ("shadows", "view", "said", "other")

    def __init__(self, shadows: Shadows, view: TableView, said: Any, other: Any) -> None:
        self.shadows, self.view, self.said, self.other = shadows, view, said, other

    def result(self) -> Any:
        """Return the answer of the player, which is played. RemoteFaultError."""
        said = self.said.result() if type(self.said) is GuestQuestion else self.said
        other = self.other
        if self.view.seat not in self.shadows.differing:
            try:
                other = other.result() if type(other) is GuestQuestion else other
            except RemoteFaultError as fault:
                other = None
                self.shadows.strike(self.view.seat, fault.details)
            self.shadows.compare(self.view, said, other)
        return said
