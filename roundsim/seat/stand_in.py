"""The net that the book would have won in the seat of a person, on the same cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from ..refereeing.names import Names
from ..refereeing.referee import Clock, Referee
from ..refereeing.sitting import Sitting
from ..sources import plugins
from ..sources.homes import in_house
from ..table.chance import Source
from ..table.deal import Deal
from ..table.imagined import copied
from ..table.playthrough import replay_deal
from ..tournament.formats.sittings import Sittings
from ..tournament.planning.plan import Tournament
from ..tournament.results.totals import ShardTotals
from ..workers.cast import Cast
from ..workers.strategies import Strategies

BOOK = "book"


def stand_in(tournament: Tournament) -> StandIn | None:
    """Return the book that plays for the person afterwards: in sittings, among strategies of the house."""
    (entry,) = tournament.entries
    strangers = [strategy for strategy in entry.strategies if not in_house(Path(strategy.path))]
    has_book = BOOK in plugins.field_of(entry.game)
    return StandIn(tournament) if has_book and not strangers and isinstance(entry.format, Sittings) else None


class StandIn:
    """A second table, at which the book has the seat of the person, the first of the entrants.

    The same strategies sit at the other seats, with chances of the same names. Each deal begins as the person's did: with
    the pools and the dealer that their own answers led to. Nothing of it is kept. `begun` makes its last deal before the
    first question, `actions` are those of that deal."""

    begun: Callable[[], Deal]
    actions: Sequence[str]

    def __init__(self, tournament: Tournament) -> None:
        (entry,) = tournament.entries
        (book,) = plugins.find(BOOK, entry.game)
        self.seed, self.entry = tournament.seed, replace(entry, strategies=(book, *entry.strategies[1:]))
        clock = Clock(tournament.limits.seconds)
        cast = Cast(tournament, self.entry, clock.board, ShardTotals())
        self.table, self.sitting = Strategies(cast, Referee(clock)), Sitting(entry.deal, entry.rules)

    def won(self, place: str, deal: Deal) -> int:
        """Return what the book wins in a deal that the person has played. Every deal of a sitting must come, in turn."""
        block, _, number = map(int, place.split("/"))
        names, entry = Names(self.seed, self.entry.name, block), self.entry
        source, seating = deal.chance.name, next(entry.format.seatings(entry, self.seed, block))
        if number == 1:
            self.sitting = Sitting(entry.deal, entry.rules, deals=entry.format.units(entry))
            self.table.sit(f"{block}/1", names, seating, ())
        sitting = self.sitting
        state, to_come = copied(sitting.state, {}), sitting.to_come

        def begun() -> Deal:
            return Sitting(entry.deal, entry.rules, copied(state, {}), to_come).next_deal(Source(source))

        again = begun()
        self.table.play(place, again, number == 1)
        self.begun, self.actions = begun, again.actions
        self.table.lines.clear()
        played = replay_deal(sitting.next_deal(Source(source)), deal.actions)
        sitting.settle(played)
        return again.net[seating.index(0)]
