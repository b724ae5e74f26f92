"""The deals of a run, one after the other, with what each seat saw when it was asked: `roundsim.deals`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from typing import Any

from ..table.actions import Action
from ..table.cards import Card
from ..table.chance import Chance
from ..table.deal import Deal
from ..table.events import EventLog, Moved
from ..table.imagined import copied
from ..table.legal import count
from ..table.playthrough import replay_deal
from ..tournament.storage.folder import RunFolder
from .log_driver import LogDriver, walk
from .logged import LoggedBlock, entries_called, logged_blocks


class PlayedDeal:
    """A deal of a run, which can be replayed as often as needed.

    `address`: "nap/17/2/3"; `strategies`: their names by seat; `entrants`: by seat the number of the strategy in the
    list of the run, from 0; `net`: the counters of each seat; `end_net`: what the end of the sitting moved, if this was
    its last deal, else all 0; `actions`: as in the log."""

    def __init__(self, entry: str, driver: LogDriver) -> None:
        """Note a deal that is not yet played."""
        deal = driver.deal
        self.address, self.actions = f"{entry}/{driver.place}", driver.line.actions
        self.entrants, self.strategies = tuple(driver.who), tuple(driver.seated)
        self.dealer, self.eldest, self.players = deal.dealer, deal.eldest, deal.players
        self.net: Sequence[int] = ()
        self.end_net: Sequence[int] = (0,) * deal.players
        self.deal_class, self.rules, self.chance = type(deal), deal.rules, deal.chance
        self.before = copied(deal.state, {})

    def fresh(self) -> Deal:
        """Return the deal before its first question."""
        return self.chance.new_deal(partial(self.deal_class, self.rules, copied(self.before, {})))

    def walk(self) -> Iterator[tuple[Any, Action]]:
        """Yield each question that had a choice: the view of the seat that was asked, and its answer.

        A view holds until the next one is yielded."""
        deal, chance = self.fresh(), Chance()
        for ask, action in walk(deal, self.actions):
            if count(ask.legal) > 1:
                yield deal.View(deal, ask.seat, ask.phase, ask.legal, chance), action

    @cached_property
    def ending(self) -> tuple[Deal, Sequence[Moved]]:
        """The deal at its end, and the moves of counters."""
        deal = self.fresh()
        heard = EventLog(deal)
        replay_deal(deal, self.actions)
        return deal, [event for event in heard.take() if isinstance(event, Moved)]

    @cached_property
    def hands(self) -> Sequence[Sequence[Card]]:
        """By seat, the hand as it was dealt: the first cards that it had; () if it never had any."""
        deal, hands = self.fresh(), dict[int, Sequence[Card]]()
        for _ in walk(deal, self.actions):
            for seat, hand in enumerate(deal.hands):
                if hand:
                    hands.setdefault(seat, tuple(hand))
            if len(hands) == deal.players:
                break
        return [hands.get(seat, ()) for seat in range(deal.players)]

    @property
    def moves(self) -> Sequence[Moved]:
        """The moves of counters, in order: `payer`, `payee` (seats, or names of pools), `counters`, `why`, `cited`."""
        return self.ending[1]

    @property
    def over(self) -> Deal:
        """The deal at its end, with all that the rules know of it: the names of `roundsim rules GAME`."""
        return self.ending[0]

    def __repr__(self) -> str:
        return f"<deal {self.address}>"


def deals_of_block(block: LoggedBlock, until: str = "") -> Sequence[PlayedDeal]:
    """Return the deals of a block, up to the place `until`. LogError if the rules do not agree."""
    deals = list[PlayedDeal]()

    def visit(driver: LogDriver) -> None:
        deals.append(played := PlayedDeal(block.entry.name, driver))
        driver.replay()
        played.net = tuple(driver.deal.net)

    def visit_end(driver: LogDriver) -> None:
        deals[-1].end_net = tuple(driver.deal.net)

    block.replay(visit, visit_end, until)
    return deals


def played_deal(block: LoggedBlock, place: str) -> PlayedDeal:
    """Return a deal of a block. LogError if the rules do not agree."""
    return deals_of_block(block, place)[-1]


def played_deals(folder: RunFolder, game: str | None = None) -> Iterator[PlayedDeal]:
    """Yield the deals of a run as they were played; of one game, if it is named. InputError, LogError."""
    tournament = folder.tournament()
    for number in entries_called(tournament, game):
        for block in logged_blocks(folder, tournament, number):
            yield from deals_of_block(block)
