"""Tables that players move between: what the formats with several tables share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..table.deal import Deal, State
from ..table.options import Rules
from .results.totals import BlockLedger, BlockResult, Extreme

# how a format sets an option by its role; None: to the stack
ROLES = {"stack": None, "freeze-out": True, "rebuy": False}


def stack_options(game: type[Deal], stack: int) -> dict[str, Any]:
    """Return the options of a game that give each player a stack of this many counters, and no rebuys; {} for a game
    without stacks."""
    roles = {option.key: option.role for option in game.options if option.role in ROLES}
    return {key: stack if ROLES[role] is None else ROLES[role] for key, role in roles.items()}


@dataclass
class EventTable:
    """A table: its players in seat order, and what it carries from deal to deal."""

    players: list[int]
    state: State

    def take_pools(self, other: EventTable) -> None:
        """Add the pools of a table that was broken up; the winner of the next pool here gets them."""
        for pool, counters in other.state.pools.items():
            self.state.pools[pool] += counters

    def seat(self, game: type[Deal], rules: Rules, players: list[int], dealer: int) -> None:
        """Seat other players. References to a seat follow its player, or fall back to the start value."""
        new = game.begin(rules, dealer)
        for name, carry in game.carried.items():
            new.carry[name] = remap_carried(carry.names, self.state.carry[name], new.carry[name], self.players, players)
        new.pools = self.state.pools
        self.state, self.players = new, players


class Event(BlockLedger):
    """The deals of an event in which players move from table to table, and the results of each player.

    `enter` notes a deal of some of them, as it was played. `values`, set at the end: a row for each measure, by place
    in its seating."""

    def __init__(self, seating: Sequence[int]) -> None:
        super().__init__(seating)
        self.deals = self.decisions = 0
        self.nets: dict[int, list[int]] = {player: [] for player in seating}
        self.places: dict[int, list[str]] = {player: [] for player in seating}
        self.values: Sequence[Sequence[int]] = ()

    def enter(self, place: str, players: Iterable[int], deal: Deal) -> None:
        self.deals += 1
        self.decisions += len(deal.actions)
        for player, net in zip(players, deal.net, strict=True):
            self.nets[player].append(net)
            self.places[player].append(place)

    def reckon(self) -> BlockResult | None:
        values, self.values = self.values, ()
        best, worst = (
            [Extreme.of(most, self.nets[player], self.places[player]) for player in self.nets] for most in (max, min)
        )
        return BlockResult(self.deals, self.decisions, values, best, worst) if values else None


def remap_carried(names: str, value: Any, start: Any, old: list[int], new: list[int]) -> Any:
    """Return a carried value after the seats have changed from these players to those."""

    def seat(at: int, fall_back: int) -> int:
        return new.index(old[at]) if at >= 0 and old[at] in new else at if at < 0 else fall_back

    if names == "seat":
        return seat(value, start)
    if not value and names in ("each", "seats"):  # a list that is not kept with these options
        return value
    if names == "each":
        return [value[old.index(player)] if player in old else start[at] for at, player in enumerate(new)]
    if names == "seats":
        return [seat(value[old.index(player)], at) if player in old else at for at, player in enumerate(new)]
    return value
