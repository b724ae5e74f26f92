"""Round-robin: sittings of the same entrants on the same chance, in which each has every seat once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from operator import add, eq, gt
from typing import TYPE_CHECKING

from ... import words
from ...refereeing.sitting import Sitting
from ...table.chance import Source, shuffled
from ...table.deal import Deal
from ...words import plain, share, signed, so_many
from ..record import Names
from ..tally import Played, extreme
from . import SHARD_DEALS, Driver, Format, Key, Measure, key, share_scale

if TYPE_CHECKING:
    from ..file import EntryReader
    from ..plan import Entry
    from ..tally import Tally


def players_by_default(game: type[Deal], strategies: int) -> int:
    """One for each strategy if the game allows it, else the lower end of what is usual."""
    return strategies if game.seats[0] <= strategies <= game.seats[1] else game.usual[0]


def parts_of_a_seat(entry: Entry) -> int:
    """Who has several seats at a table has the mean of them."""
    return share_scale(entry.format.table_size(entry.deal))


@dataclass(frozen=True)
class RoundRobin(Format):
    """A block: as many sittings as seats, on the same deals; from each to the next everybody moves up one seat."""

    players: int = key("players at a table", 1, 99, players_by_default, "--seats")
    sitting: int = key("deals in a sitting", 1, 10**6, flag="--sitting")

    name = "round-robin"
    unit = "deal"
    amount = "deals"
    amount_key = Key("deals of each game, rounded up to whole blocks", 1, 10**12, 1000, "--deals")
    measures = (
        Measure(
            "net",
            "net_per_deal",
            "net/deal",
            signed,
            parts_of_a_seat,
            "error",
            error_shown=True,
            error_text=plain,
            mean_of_places=True,
        ),
        Measure("won", "won", "deals won", share, parts_of_a_seat),
    )
    told = "net a deal"
    by_deals = True
    one_script = True

    @classmethod
    def read(cls, reader: EntryReader) -> Entry | None:
        players, deals = reader.whole("players"), reader.whole("deals")
        with reader.noting_refusals():
            sitting = reader.whole("sitting", reader.game.rules_for(players, reader.options).sitting)
            blocks = -(-deals // (players * sitting))
            return reader.entry(cls(players, sitting), reader.options, blocks, asked=deals)
        return None

    @property
    def seats(self) -> int:
        return self.players

    def table_size(self, game: type[Deal]) -> int:
        return self.players

    def units(self, entry: Entry) -> int:
        """The deals of a block, if no sitting ends early."""
        return self.players * self.sitting

    def blocks_in_shard(self, entry: Entry, slower: int) -> int:
        return -(-SHARD_DEALS // slower // self.units(entry))

    def plan(self, entry: Entry) -> str:
        deals, blocks = so_many(entry.blocks * self.units(entry), "deal"), so_many(entry.blocks, "block")
        return f"{deals} in {blocks} of {self.units(entry)} {self.sittings()}"

    def sittings(self) -> str:
        return f"({so_many(self.players, 'seat')} x {so_many(self.sitting, 'deal')})"

    def heading(self, entry: Entry, tally: Tally) -> list[str]:
        """4 seats · 2 000 deals in 125 blocks of 16 (4 seats x 4 deals)"""
        in_block, deals, blocks = self.units(entry), so_many(tally.deals, "deal"), so_many(tally.blocks, "block")
        seats = so_many(self.players, "seat")
        more = entry.blocks * in_block - entry.asked if entry.asked else in_block  # a run that has grown has more
        if tally.deals < tally.blocks * in_block:
            asked = f"{words.number(entry.asked)} asked for; " if more < in_block else ""
            return [seats, f"{deals} in {blocks} of at most {in_block} ({asked}sittings may end early)"]
        if 0 < more < in_block:
            deals += f" ({words.number(entry.asked)} rounded up)"
        return [seats, f"{deals} in {blocks} of {in_block} {self.sittings()}"]

    def seatings(self, entry: Entry, seed: int) -> Iterator[tuple[int, ...]]:
        entrants, sides = len(entry.strategies), entry.rules.sides
        groups = (sharing if entrants <= self.players else meeting)(entrants, self.players)
        partnered: Counter[frozenset[int]] = Counter()
        for block, group in zip(range(1, entry.blocks + 1), groups, strict=False):
            name = Names(seed, entry.name, block).seats
            yield tuple(shuffled(group, name) if sides is None else with_partners(group, name, sides, partnered))

    def play(self, driver: Driver, entry: Entry, names: Names, block: int, seating: Sequence[int]) -> Played:
        game, rules, seats = entry.deal, entry.rules, self.players
        sources = [Source(names.deal(number)) for number in range(1, self.sitting + 1)]
        places, nets, decisions = list[str](), list[list[int]](), 0  # by deal; nets by place in the seating
        left = [0] * seats  # what the ends of the sittings moved, by place
        for number in range(1, seats + 1):
            shift, back = number - 1, seats - number + 1
            driver.sit(f"{block}/{number}", names, [*seating[shift:], *seating[:shift]], ())
            sitting, address = Sitting(game, rules, deals=self.sitting), f"{block}/{number}/"
            for at, source in enumerate(sources, 1):
                deal, place = sitting.next_deal(source), f"{address}{at}"
                driver.play(place, deal, at == 1)
                net = deal.net
                places.append(place)
                nets.append([*net[back:], *net[:back]])
                decisions += len(deal.actions)
                if sitting.settle(deal):
                    break
            if any(sitting.state.pools.values()):
                end = sitting.end(Source(names.end))
                driver.end(f"{address}end", end)
                left = list(map(add, left, [*end.net[back:], *end.net[:back]]))
            driver.leave()
        columns = list(zip(*nets, strict=True))
        return Played(
            len(nets),
            decisions,
            ([sum(column) + rest for column, rest in zip(columns, left, strict=True)], shares_won(nets, seats)),
            [extreme(max, column, places) for column in columns],
            [extreme(min, column, places) for column in columns],
            [2 * sum(map(gt, one, other)) + sum(map(eq, one, other)) for one, other in combinations(columns, 2)],
        )


def shares_won(nets: Iterable[Sequence[int]], seats: int) -> list[int]:
    """By place, the deals that it won, in parts of one: those with equal nets share a deal."""
    won, whole = [0] * seats, share_scale(seats)
    for net in nets:
        best = max(net)
        share = whole // net.count(best)
        for place, counters in enumerate(net):
            if counters == best:
                won[place] += share
    return won


def with_partners(
    group: Sequence[int], name: str, sides: Sequence[int], partnered: Counter[frozenset[int]]
) -> list[int]:
    """Of some drawn orders the one in which those are partners who have been partners least."""

    def pairs(order: Sequence[int]) -> list[frozenset[int]]:
        seats = combinations(range(len(sides)), 2)
        return [frozenset((order[one], order[other])) for one, other in seats if sides[one] == sides[other]]

    orders = [shuffled(group, f"{name}/{number}") for number in range(12)]
    best = min(orders, key=lambda order: sum(partnered[pair] for pair in pairs(order)))
    partnered.update(pairs(best))
    return best


def sharing(entrants: int, seats: int) -> Iterator[list[int]]:
    """Fewer entrants than seats: each sits as often as the others, over the blocks."""
    turn = 0
    while True:
        extra = [(turn + i) % entrants for i in range(seats % entrants)]
        yield list(range(entrants)) * (seats // entrants) + extra
        turn += len(extra)


def meeting(entrants: int, seats: int) -> Iterator[list[int]]:
    """More entrants than seats: those who have played least play, and of these the ones who have met least."""
    played, met = [0] * entrants, [[0] * entrants for _ in range(entrants)]
    while True:
        group = next_group(played, met, seats)
        for entrant in group:
            played[entrant] += 1
        for one, other in combinations(group, 2):
            met[one][other] += 1
            met[other][one] += 1
        yield group


def next_group(played: Sequence[int], met: Sequence[Sequence[int]], seats: int) -> list[int]:
    """Such that those who are left, and play next, have met little too: else the last are left over, ever the same."""
    everyone, least = range(len(played)), min(played)
    due = [entrant for entrant in everyone if played[entrant] == least]
    sure, choice = ([], due) if len(due) > seats else (due, [each for each in everyone if played[each] > least])
    more, low = seats - len(sure), min(met[one][other] for one, other in combinations(everyone, 2))

    def meetings(group: Sequence[int]) -> int:
        return sum([(met[one][other] - low) ** 2 for one, other in combinations(group, 2)])

    def cost(chosen: Iterable[int]) -> int:
        left = sure + [entrant for entrant in choice if entrant not in chosen]  # they will have played least
        return meetings([*sure, *chosen]) * (max(len(left), seats) - 1) + meetings(left) * (seats - 1)

    if comb(len(choice), more) <= 100:
        return sure + list(min(combinations(choice, more), key=cost))
    chosen, best = choice[:more], cost(choice[:more])
    while True:  # one is exchanged for another as long as that is better
        rest = [entrant for entrant in choice if entrant not in chosen]
        better = min(([*chosen[:at], each, *chosen[at + 1 :]] for at in range(more) for each in rest), key=cost)
        if cost(better) >= best:
            return sure + chosen
        chosen, best = better, cost(better)
