"""The deals of a run, one after the other, with what each seat saw when it was asked: `roundsim.deals`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from ..table.actions import Action
from ..table.cards import Card
from ..table.chance import Chance, Source
from ..table.deal import Deal
from ..table.events import EventLog, Moved
from ..table.imagined import copied
from ..table.legal import count
from ..table.playthrough import Playthrough, Record, replay_deal
from ..tournament.results.record import LogLine
from ..tournament.storage.folder import RunFolder
from .log_driver import LogDriver
from .logged import LoggedBlock, entries_called, logged_blocks


class Ending(NamedTuple):
    """A deal replayed to its end: the deal itself, and the moves of counters."""

    deal: Deal
    moves: Sequence[Moved]


class PlayedDeal:
    """A deal of a run, which can be replayed as often as needed.

    `address`: "nap/17/2/3"; `strategies`: their names by seat; `entrants`: by seat the number of the strategy in the
    list of the run, from 0; `net`: the counters of each seat; `end_net`: what the end of the sitting moved, if this was
    its last deal, else all 0; `actions`: as in the log."""

    def __init__(self, address: str, deal: Deal, line: LogLine, entrants: Sequence[int], labels: Sequence[str]) -> None:
        """Note a deal that is not yet played."""
        self.address, self.actions, self.entrants = address, line.actions, tuple(entrants)
        self.strategies = tuple([labels[entrant] for entrant in entrants])
        self.dealer, self.eldest, self.players = deal.dealer, deal.eldest, deal.players
        self.net: Sequence[int] = ()
        self.end_net: Sequence[int] = (0,) * deal.players
        self.deal_class, self.rules, self.before, self.name = (
            type(deal),
            deal.rules,
            copied(deal.state, {}),
            deal.chance.name,
        )

    def fresh(self) -> Deal:
        """Return the deal before its first question."""
        return self.deal_class(self.rules, copied(self.before, {}), Source(self.name))

    def walk(self) -> Iterator[tuple[Any, Action]]:
        """Yield each question that had a choice: the view of the seat that was asked, and its answer.

        A view holds until the next one is yielded."""
        deal = self.fresh()
        playing, record, chance = Playthrough(deal), Record(deal, self.actions), Chance()
        while ask := playing.ask:
            action = record.answer(ask)
            if count(ask.legal) > 1:
                yield deal.View(deal, ask.seat, ask.phase, ask.legal, chance), action
            playing.answer(action)

    @cached_property
    def ending(self) -> Ending:
        deal = self.fresh()
        heard = EventLog(deal)
        playing, record = Playthrough(deal), Record(deal, self.actions)
        while ask := playing.ask:
            playing.answer(record.answer(ask))
        return Ending(deal, [each for each in heard.take() if isinstance(each, Moved)])

    @cached_property
    def hands(self) -> Sequence[Sequence[Card]]:
        """By seat, the hand as it was dealt: the first cards that it had; () if it never had any."""
        deal, hands = self.fresh(), dict[int, Sequence[Card]]()
        playing, record = Playthrough(deal), Record(deal, self.actions)
        while (ask := playing.ask) and len(hands) < deal.players:  # no further than to the last hand
            for seat, hand in enumerate(deal.hands):
                if hand:
                    hands.setdefault(seat, tuple(hand))
            playing.answer(record.answer(ask))
        return [hands.get(seat, ()) for seat in range(deal.players)]

    @property
    def moves(self) -> Sequence[Moved]:
        """The moves of counters, in order: `payer`, `payee` (seats, or names of pools), `counters`, `why`, `cited`."""
        return self.ending.moves

    @property
    def over(self) -> Deal:
        """The deal at its end, with all that the rules know of it: the names of `roundsim rules GAME`."""
        return self.ending.deal

    def __repr__(self) -> str:
        return f"<deal {self.address}>"


class Collecting(LogDriver):
    """A log replayed that collects its deals."""

    def __init__(self, entry: str, path: Path, lines: Sequence[str], labels: Sequence[str], above: int) -> None:
        super().__init__(path, lines, labels, above)
        self.entry, self.deals = entry, list[PlayedDeal]()

    def go_through(self, place: str, deal: Deal, line: LogLine) -> None:
        played = PlayedDeal(f"{self.entry}/{place}", deal, line, self.who, self.labels)
        replay_deal(deal, line.actions)
        played.net = tuple(deal.net)
        self.deals.append(played)

    def end(self, place: str, deal: Deal) -> None:
        super().end(place, deal)
        self.deals[-1].end_net = tuple(deal.net)


def deals_of_block(block: LoggedBlock) -> Sequence[PlayedDeal]:
    """Return the deals of a block. LogError if the rules do not agree."""

    def collecting(*log: Any) -> Collecting:
        return Collecting(block.entry.name, *log)

    return block.gone_through(collecting).deals


def played_deals(folder: RunFolder, game: str | None = None) -> Iterator[PlayedDeal]:
    """Yield the deals of a run as they were played; of one game, if it is named. InputError, LogError."""
    tournament = folder.tournament()
    for number in entries_called(tournament, game):
        for block in logged_blocks(folder, tournament, number):
            yield from deals_of_block(block)
