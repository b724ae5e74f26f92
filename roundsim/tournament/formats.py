"""The formats: what is played in a block.  Who plays, asked or read from a log, is the driver's affair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb, lcm
from operator import add
from typing import Any, Protocol

from ..chance import Source, shuffled
from ..errors import OptionError
from ..options import Rules, Whole, rules_for
from ..sitting import Sitting
from ..table import Deal, State
from .plan import Entry
from .tally import Tally


class Driver(Protocol):
    """Plays the deals of a block: a table of strategies, or a log."""

    def sit(self, name: str, entrants: Sequence[int], keys: Sequence[Any]) -> None:
        """These entrants take the seats; `name` is the sitting's.  A player with a key seen before in this block stays."""

    def play(self, address: str, deal: Deal, first: bool) -> None:
        """Play a deal to its end."""

    def end(self, address: str, deal: Deal) -> None:
        """The end of a sitting has moved counters."""

    def leave(self) -> None:
        """The players leave the table."""


def play_block(driver: Driver, entry: Entry, seed: int, block: int, seating: Sequence[int], tally: Tally) -> None:
    """One block, whatever the format."""
    (freeze_out if entry.format == "freeze-out" else round_robin)(
        driver, entry, f"{seed}/{entry.name}/{block}", block, seating, tally
    )
    tally.blocks += 1


def seatings(entry: Entry, seed: int) -> Iterator[tuple[int, ...]]:
    """Who plays in block 1, 2, 3 and so on, in the order in which they sit."""
    names = (f"{seed}/{entry.name}/{block}/seats" for block in range(1, entry.blocks + 1))
    if entry.format == "freeze-out":
        for name in names:
            yield tuple(shuffled(range(len(entry.strategies)), name))
        return
    groups = (
        sharing(len(entry.strategies), entry.players)
        if len(entry.strategies) <= entry.players
        else meeting(len(entry.strategies), entry.players)
    )
    sides = entry.rules.sides
    partnered: Counter[frozenset[int]] = Counter()
    for name, group in zip(names, groups, strict=False):
        yield tuple(shuffled(group, name) if sides is None else with_partners(group, name, sides, partnered))


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


@cache
def share_scale(seats: int) -> int:
    """A number that every share of a deal or of a table's seats divides."""
    return lcm(*range(1, seats + 1))


def round_robin(driver: Driver, entry: Entry, base: str, block: int, seating: Sequence[int], tally: Tally) -> None:
    """As many sittings as seats, on the same chance: from each to the next everybody moves up one seat."""
    game, rules, seats, scale = entry.deal, entry.rules, entry.players, share_scale(entry.players)
    sources = [Source(f"{base}/{number}") for number in range(1, entry.sitting + 1)]
    nets, won, deals, decisions = [0] * seats, [0] * seats, 0, 0  # by place in the seating
    for number in range(1, seats + 1):
        shift = number - 1
        driver.sit(f"{base}/{number}", [*seating[shift:], *seating[:shift]], ())
        sitting, address = Sitting(game, rules, deals=entry.sitting), f"{block}/{number}/"
        sums, wins = [0] * seats, [0] * seats  # by seat
        for at, source in enumerate(sources, 1):
            deal = sitting.next_deal(source)
            driver.play(f"{address}{at}", deal, at == 1)
            net = deal.net
            sums = list(map(add, sums, net))
            best = max(net)
            share = scale // net.count(best)
            for seat, counters in enumerate(net):
                if counters == best:
                    wins[seat] += share
            decisions += len(deal.actions)
            deals += 1
            if sitting.settle(deal):
                break
        if any(sitting.state.pools.values()):
            end = sitting.end(Source(f"{base}/end"))
            driver.end(f"{address}end", end)
            sums = list(map(add, sums, end.net))
        driver.leave()
        back = seats - shift
        nets = list(map(add, nets, [*sums[back:], *sums[:back]]))
        won = list(map(add, won, [*wins[back:], *wins[:back]]))
    tally.deals += deals
    tally.decisions += decisions
    for entrant in sorted(set(seating)):
        mine = [place for place in range(seats) if seating[place] == entrant]
        tally.add("net", entrant, sum(nets[place] for place in mine) * (scale // len(mine)), deals)
        tally.add("won", entrant, sum(won[place] for place in mine), deals)


@dataclass
class FreezeOutTable:
    """One table of a freeze-out: its players in the order of their seats, and what it carries from deal to deal."""

    players: list[int]
    state: State

    def take_pools(self, other: FreezeOutTable) -> None:
        """What stands at a table that is no more goes to the winner of the next pool here."""
        for pool, counters in other.state.pools.items():
            self.state.pools[pool] += counters


class FreezeOut:
    """A freeze-out (Foster, "The Poker Family"; progressive-poker, section 2): hand by hand, until one is left."""

    def __init__(self, entry: Entry, players: Sequence[int]) -> None:
        self.entry, self.game = entry, entry.deal
        self.stack = dict.fromkeys(players, entry.stack)
        self.places: dict[int, int] = {}  # twice the mean place of those who are out
        self.hand = 0
        self.known: dict[tuple[int, int], Rules] = {}
        self.tables: list[FreezeOutTable] = []
        at = 0
        for size in sizes(len(players), entry.max_seats):
            seated = list(players[at : at + size])
            state = self.game.begin(self.rules(max(size, self.least())), size - 1)
            self.tables.append(FreezeOutTable(seated, state))
            at += size

    def rules(self, players: int) -> Rules:
        """The rules of a table of so many, with blinds, antes and limits as they stand in this hand."""
        every = self.entry.blinds_double_every
        level = min((self.hand - 1) // every, 20) if every and self.hand else 0  # 2**20 is past every upper limit
        if (players, level) not in self.known:
            self.known[players, level] = doubled(self.game, players, self.entry.options, level)
        return self.known[players, level]

    def least(self) -> int:
        return max(2, self.game.seats[0])

    def over(self) -> bool:
        return len(self.stack) < self.least() or self.hand >= self.entry.max_deals

    def sitting(self, table: FreezeOutTable) -> Sitting:
        """The table as it sits down to the next deal."""
        table.state.stacks = [self.stack[player] for player in table.players]
        return Sitting(self.game, self.rules(len(table.players)), table.state)

    def settle_hand(self, before: dict[int, int]) -> None:
        """Those without counters are out, ranked by what they had before the deal; then the tables are put right."""
        out = [player for player in before if not self.stack[player]]
        self.rank(out, before)
        for table in self.tables:
            self.reseat(table, [player for player in table.players if player not in out])
        for player in out:
            del self.stack[player]
        for empty in [table for table in self.tables if not table.players]:
            self.tables.remove(empty)
            if self.tables:  # its pool goes where its first player would have gone
                self.smallest().take_pools(empty)
        if not self.over():
            self.break_up()
            self.balance()

    def rank(self, out: list[int], counters: dict[int, int]) -> None:
        """More counters is better; equal ones share the mean of their places."""
        left = len(self.stack) - len(out)
        for player in out:
            better = sum(counters[other] > counters[player] for other in out)
            equal = sum(counters[other] == counters[player] for other in out)
            self.places[player] = 2 * (left + better + 1) + equal - 1

    def break_up(self) -> None:
        """While fewer tables would do: the smallest is broken up, its players go one by one to the table then smallest."""
        while len(self.tables) > 1 and len(self.stack) <= (len(self.tables) - 1) * self.entry.max_seats:
            fewest = min(self.tables, key=lambda table: (len(table.players), -self.tables.index(table)))
            self.tables.remove(fewest)
            first = None
            for player in fewest.players:
                smallest = self.smallest()
                first = first or smallest
                self.reseat(smallest, [*smallest.players, player])
            assert first
            first.take_pools(fewest)

    def balance(self) -> None:
        """While a table has two more than another: who deals last of all there moves."""
        while True:
            largest = max(self.tables, key=lambda table: len(table.players))
            smallest = self.smallest()
            if len(largest.players) < len(smallest.players) + 2:
                return
            last = self.game.rounds[len(largest.players)][largest.state.dealer][-1]
            player = largest.players[last]
            self.reseat(largest, [other for other in largest.players if other != player])
            self.reseat(smallest, [*smallest.players, player])

    def smallest(self) -> FreezeOutTable:
        """The table with the fewest players; of equal ones that with the lowest number."""
        return min(self.tables, key=lambda table: len(table.players))

    def reseat(self, table: FreezeOutTable, players: list[int]) -> None:
        """Seats are numbered anew; what names a seat goes with its player, or falls back to its start."""
        if players != table.players and players:
            old, state = table.players, table.state
            turn = self.game.rounds[len(old)][state.dealer]
            dealer = next(old[seat] for seat in turn if old[seat] in players)
            new = self.game.begin(self.rules(max(len(players), self.least())), players.index(dealer))
            for name, carry in self.game.carried.items():
                new.carry[name] = moved(carry.names, state.carry[name], new.carry[name], old, players)
            new.pools = state.pools
            table.state = new
        table.players = players


def moved(names: str, value: Any, start: Any, old: list[int], new: list[int]) -> Any:
    """A carried value after the seats have changed from these players to those."""

    def seat(at: int, fall_back: int) -> int:
        return new.index(old[at]) if at >= 0 and old[at] in new else at if at < 0 else fall_back

    if names == "seat":
        return seat(value, start)
    if names == "each":
        return [value[old.index(player)] if player in old else start[at] for at, player in enumerate(new)]
    if names == "seats":
        return [seat(value[old.index(player)], at) if player in old else at for at, player in enumerate(new)]
    return value


def sizes(players: int, most: int) -> list[int]:
    """Tables as equal as possible, the larger ones first."""
    tables = -(-players // most)
    return [players // tables + (at < players % tables) for at in range(tables)]


def doubled(game: type[Deal], players: int, options: dict[str, Any], level: int) -> Rules:
    """The rules with limit, blind and antes doubled so many times, each as far as the game lets it be."""
    rules, values = rules_for(game, players, options), {option.key: option.values for option in game.options}
    for _ in range(level):
        for key in ("limit", "blind", "ante", "jack_ante"):  # the limit first: a blind must not pass it
            if isinstance(whole := values.get(key), Whole):
                high = 2 * getattr(rules, key) if whole.high is None else min(2 * getattr(rules, key), whole.high)
                try:
                    rules = rules_for(game, players, {**options, key: high})
                    options = {**options, key: high}
                except OptionError:
                    continue
    return rules


def freeze_out(driver: Driver, entry: Entry, base: str, block: int, seating: Sequence[int], tally: Tally) -> None:
    """One whole freeze-out; the entrants are the players."""
    game = FreezeOut(entry, seating)
    scale = share_scale(len(seating))
    while not game.over():
        game.hand += 1
        before = dict(game.stack)
        for number, table in enumerate(game.tables, 1):
            if len(table.players) < game.least():
                continue  # one player alone waits
            sitting = game.sitting(table)
            driver.sit(f"{base}/{number}", table.players, table.players)
            source = Source(f"{base}/{game.hand}/table {number}")
            deal = sitting.next_deal(source)
            driver.play(f"{block}/{number}/{game.hand}", deal, game.hand == 1)
            sitting.settle(deal)
            assert deal.stacks is not None
            game.stack.update(zip(table.players, deal.stacks, strict=True))
            tally.deals += 1
            tally.decisions += len(deal.actions)
        game.settle_hand(before)
    driver.leave()
    left = list(game.stack)
    counters = dict(game.stack)
    game.rank(left, counters)
    best = min(game.places.values())
    winners = [player for player, place in game.places.items() if place == best]
    for player in sorted(game.places):
        tally.add("place", player, game.places[player], 1)
        tally.add("won", player, scale // len(winners) if player in winners else 0, 1)
