"""A table at which your own program deals: a sitting played question by question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, Self

from .. import games
from ..base.errors import IllegalError, InputError
from ..table.chance import Chance, Source, hash_number
from ..table.deal import Ask, Deal
from ..table.imagine import remember
from ..table.legal import count
from ..table.playthrough import Playthrough
from ..table.view import TableView
from .names import Names
from .referee import Referee, why_illegal
from .sitting import Sitting

OVER = "over"  # instead of a phase, when the sitting is over


class Table:
    """A sitting of a game, played question by question. Questions with only one legal answer are answered
    automatically.

    >>> import roundsim
    >>> table = roundsim.Table("nap", options={"misery": True}, deals=8)
    >>> while not table.over:
    ...     table.say(table.view().legal[0])
    >>> len(table.nets), sum(table.nets)
    (4, 0)

    `nets`: the counters that each seat has won so far, in the deals that are over; when the sitting is over, with its
    end. `game`: its id, its path or its class. `players`: by default the usual number. `deals`: by default the number
    in a sitting of a round-robin. With `imagines` a view can be asked to `imagine`.

    Raises UnknownGameError if there is no such game, OptionError if it refuses the options or the number of players,
    InputError if there are no deals."""

    def __init__(
        self,
        game: str | type[Deal],
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        deals: int | None = None,
        *,
        imagines: bool = False,
    ) -> None:
        self.game = games.named(game) if isinstance(game, str) else game
        self.rules = self.game.rules_for(self.game.usual[0] if players is None else players, options)
        self.players, self.imagines = self.rules.players, imagines
        self.deals = self.rules.sitting if deals is None else deals
        if self.deals < 1:
            raise InputError(f"deals = {deals}: at least one is played")
        self.begin()

    def begin(self, seed: int | str = 1, block: int = 1) -> None:
        """Start a new sitting. The cards are those of this block in a run of the game with this seed."""
        self.names, self.dealt, self.over = Names(seed, self.game.id, block), 0, False
        self.sitting = Sitting(self.game, self.rules, deals=self.deals, compiled=not self.imagines)
        self.nets = (0,) * self.players
        self._take_seats(name := self.names.sitting(1), hash_number(name))
        self._deal()
        self._go_on()

    def _take_seats(self, name: str, bits: int) -> None:
        """Begin the chance of every seat, by the name of the sitting and its bits."""
        self.chances = {seat: Chance() for seat in range(self.players)}
        for seat, chance in self.chances.items():
            chance.take_seat(name, seat, bits)

    def another(self) -> Self:
        """Return another table of the same rules; `begin` starts its first sitting."""
        return copy(self)

    @property
    def ask(self) -> Ask | None:
        """The open question, with its seat, phase and legal actions; None when the sitting is over."""
        return None if self.over else self._telling.ask

    @property
    def deal(self) -> Deal:
        """The current deal, or the last: all that lies on the table, hidden cards too."""
        return self._telling.deal

    def view(self, seat: int | None = None) -> TableView:
        """Return the view of a seat: the one that is asked, or (`legal` is then empty) another.

        Raises IndexError if there is no such seat."""
        ask = self.ask
        asked = ask.seat if ask else self.deal.eldest
        here = asked if seat is None else range(self.players)[seat]
        phase, legal = (ask.phase, ask.legal) if ask else (OVER, ())
        return self.game.View(self.deal, here, phase, legal if here == asked else (), self.chances[here])

    def say(self, action: str) -> None:
        """Answer the open question with an action or its text.

        Raises IllegalError, and nothing changes, if it is not legal, or if the sitting is over."""
        ask = self.ask
        if ask is None:
            raise IllegalError(f"{self.game.title}: the sitting is over")
        try:
            own = Referee.accepted(ask.legal, action)
        except ValueError:
            why = why_illegal(self.deal, ask, action)
            raise IllegalError(f"{self.game.title}, seat {ask.seat}, phase {ask.phase}: {why}") from None
        self._telling.answer(own)
        self._go_on()

    def _source(self) -> Source:
        """The chance of the next deal; of the end of the sitting, when that is over."""
        return Source(self.names.end if self.over else self.names.deal(self.dealt))

    def _deal(self) -> None:
        self.dealt += 1
        deal = self.sitting.next_deal(self._source())
        if self.imagines:
            remember(deal, range(self.players))
        self._telling = self._played(deal)

    def _played(self, deal: Deal) -> Playthrough:
        return Playthrough(deal)

    def _go_on(self) -> None:
        """Go on to the next question that leaves a choice."""
        while not self.over:
            while ask := self._telling.ask:
                if count(ask.legal) > 1:
                    return
                self._telling.answer(ask.legal[0])
            self._settle()

    def _settle(self) -> None:
        """Settle the deal; then the sitting is over, or the next deal begins."""
        self.over = self.sitting.settle(self.deal) or self.dealt == self.deals
        self._enter(self.deal.net)
        if not self.over:
            self._deal()
        elif any(self.sitting.state.pools.values()):
            self._enter(self.sitting.end(self._source()).net)

    def _enter(self, net: Sequence[int]) -> None:
        self.nets = tuple([won + counters for won, counters in zip(self.nets, net, strict=True)])
