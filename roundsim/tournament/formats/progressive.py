"""Progressive: an evening at several tables, the winners moving up (Foster, "The Poker Family", section Progressive
Poker).

Table 1 is the head, the last the booby table.  Players have totals of counters, which may be rebought, and yellows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...base.text import number, percent, plain, so_many
from ...refereeing.names import Names
from ...refereeing.sitting import Sitting
from ...table.chance import Source, shuffled
from ...table.deal import Deal
from ..format_parts import Driver, Key, key
from ..tables import Event, EventTable, stack_options
from . import SHARD_DEALS, Format, Measure, share_scale, times_and_deals

if TYPE_CHECKING:
    from ..planning.plan import Entry
    from ..planning.reader import EntryReader
    from ..results.totals import ShardTotals

ONE_TABLE = 7  # up to this many players sit at one table, and nobody moves
ENDS = 4  # seats at the head and at the booby table
BELOW, ABOVE = 0, 1  # where a player comes from, seen from its new table

Draw = Callable[[str, Sequence[int]], int]  # draws one of these by lot, under a name


def parts_of_a_prize(entry: Entry) -> int:
    return share_scale(len(entry.strategies))


def prize_measure(key: str, column: str) -> Measure:
    return Measure(key, column, column, percent, parts_of_a_prize, column, of_winners=True)


@dataclass(frozen=True)
class Progressive(Format):
    """A block: one evening of several rounds. The entrants are the players."""

    stake: int = key("counters of each player at first, and of a fresh stake", 1, 100_000, 50)
    rounds: int = key("rounds of an evening, of one deal at each table", 1, 100_000, 100)

    name = "progressive"
    unit = "evening"
    amount = "times"
    amount_key = Key("how many evenings", 1, 10**9, 40, "--times")
    measures = (
        Measure(
            "yellows",
            "yellows",
            "yellows",
            lambda value: plain(value, 2),
            error_data="yellows_error",
            error_shown=True,
            gain="yellows",
        ),
        Measure(
            "counters",
            "counters",
            "counters",
            lambda value: plain(value, 1),
            error_data="counters_error",
            error_shown=True,
            gain="counters",
        ),
        Measure(
            "fresh",
            "fresh_stakes",
            "fresh",
            lambda value: plain(value, 2),
            error_data="fresh_stakes_error",
            gain="fresh stakes",
            less_is_better=True,
        ),
        prize_measure("won", "head"),
        prize_measure("most", "most"),
        prize_measure("booby", "booby"),
    )
    ranked_by = 3
    scored = "yellows of an evening"

    @classmethod
    def read(cls, reader: EntryReader) -> Entry | None:
        game, players = reader.game, len(reader.strategies)
        made = cls(**reader.fields())
        least = made.table_size(game)
        if players < least and not reader.failed:
            reader.wrong(f"progressive play needs {least} strategies at least", "strategies")
        sizes = table_sizes(max(players, least))
        if wrong := [size for size in sizes if not game.seats[0] <= size <= game.seats[1]]:
            tables = ", ".join(map(str, sizes))
            problem = f"{players} strategies sit at tables of {tables}, and {game.id} is not for {wrong[0]}"
            reader.wrong(problem, "strategies")
            return None
        return reader.entry(made, made.check_options(reader, sizes))

    def check_options(self, reader: EntryReader, sizes: Sequence[int]) -> dict[str, Any]:
        """Return the options with those that the format sets itself, if the game has stacks with them."""
        game, own = reader.game, self.set_options(reader.game)
        free = {key: value for key, value in reader.options.items() if key not in own}
        with reader.noting_refusals():
            stacks = game.rules_for(sizes[0], free).first_stacks is not None
            return reader.options_for(sizes, own if stacks else {})
        return reader.options

    def set_options(self, game: type[Deal]) -> dict[str, Any]:
        return stack_options(game, self.stake)

    def deals_in_block(self, entry: Entry) -> int:
        return self.rounds * self.tables_at_once(entry)

    def blocks_in_shard(self, entry: Entry, slower: int) -> int:
        return max(1, SHARD_DEALS // self.deals_in_block(entry) // slower)

    def tables_at_once(self, entry: Entry) -> int:
        return len(table_sizes(len(entry.strategies)))

    def plan(self, entry: Entry) -> str:
        return f"{so_many(entry.blocks, 'evening')} of {so_many(self.rounds, 'round')}, {self.tables(entry)}"

    def tables(self, entry: Entry) -> str:
        sizes = table_sizes(len(entry.strategies))
        return f"{so_many(len(sizes), 'table')} of {', '.join(map(str, sizes))}"

    def heading(self, entry: Entry, tally: ShardTotals) -> list[str]:
        """progressive, 4 tables of 4, 6, 6, 4 · stake 50, 100 rounds · 40 evenings, 16 000 deals"""
        stake = f"stake {number(self.stake)}, {so_many(self.rounds, 'round')}"
        return [f"progressive, {self.tables(entry)}", stake, times_and_deals(tally, "evening")]

    def ledger(self, seating: Sequence[int]) -> Event:
        return Event(seating)

    def play(self, driver: Driver, entry: Entry, names: Names, block: int, part: int, ledger: Event) -> None:
        evening = Evening(entry, self, names, ledger.seating)
        for at in range(1, self.rounds + 1):
            for table in range(1, len(evening.tables) + 1):
                players, sitting = evening.sit_down(table, driver)
                place = f"{block}/{table}/{at}"
                driver.sit(f"{block}/{table}", names, players, players)
                deal = sitting.next_deal(Source(names.hand(at, table)))
                driver.play(place, deal, at == 1)
                ledger.enter(place, players, deal)
                sitting.settle(deal)
                evening.settle(table, deal)
            evening.bell()
        for table in range(1, len(evening.tables) + 1):
            players, sitting = evening.sit_down(table, driver)
            if any(sitting.state.pools.values()):
                driver.sit(f"{block}/{table}", names, players, players)
                end = sitting.end(Source(names.last(table)))
                driver.end(f"{block}/{table}/end", end)
                evening.count(table, end)
        driver.leave()
        ledger.values = list(evening.reckon(ledger.seating))


class Evening:
    """An evening in progress, round by round.

    By player: `total` counters, `yellows`, `fresh` stakes. By table, in this round: `winners`, None where nobody has
    won; `called`: the players in the call at the head table."""

    def __init__(self, entry: Entry, format: Progressive, names: Names, players: Sequence[int]) -> None:
        self.entry, self.format, self.names, self.game = entry, format, names, entry.deal
        self.total = dict.fromkeys(players, format.stake)
        self.yellows, self.fresh = dict.fromkeys(players, 0), dict.fromkeys(players, 0)
        self.tables: list[EventTable] = []
        self.winners: list[int | None] = []
        self.called: list[int] = []
        self.round, left = 1, list(players)
        sizes = table_sizes(len(left))
        self.rules = {size: self.game.rules_for(size, entry.options) for size in sizes}
        for size in sizes:
            seated, left = left[:size], left[size:]
            self.tables.append(EventTable(seated, self.game.begin(self.rules[size], size - 1)))

    def sit_down(self, table: int, driver: Driver) -> tuple[list[int], Sitting]:
        """Return the players of a table, and the table as it sits down to a deal.

        With stacks each plays with its own counters."""
        at = self.tables[table - 1]
        if at.state.stacks is not None:
            at.state.stacks = [self.total[player] for player in at.players]
        to_come = self.format.rounds - self.round + 1
        rules = self.rules[len(at.players)]
        return at.players, Sitting(self.game, rules, at.state, to_come, driver.compiled)

    def settle(self, table: int, deal: Deal) -> None:
        """Find the winner: the largest net above 0, the nearest to the dealer's left of equal ones (item 3).

        The deal passes to the next seat, whoever sits there (item 9)."""
        at = self.tables[table - 1]
        self.count(table, deal)
        best = max(deal.net)
        first = next(seat for seat in deal.round_from(deal.next_to(deal.dealer)) if deal.net[seat] == best)
        self.winners.append(at.players[first] if best > 0 else None)
        if table == 1:
            self.called = [at.players[seat] for seat in deal.in_the_call]
        at.state.dealer = deal.next_to(deal.dealer)

    def count(self, table: int, deal: Deal) -> None:
        for player, net in zip(self.tables[table - 1].players, deal.net, strict=True):
            self.total[player] += net

    def bell(self) -> None:
        """End the round after all tables have finished their deal.

        The winner at the head table gets a yellow, and players move."""
        if (head := self.winners[0]) is not None:
            self.yellows[head] += 1
        if len(self.tables) > 1:
            seated = [table.players for table in self.tables]
            moved = move(seated, self.winners, self.relegated(), self.total, self.draw)
            for table, players in zip(self.tables, moved, strict=True):
                self.seat(table, players)
        self.rescue()
        self.winners, self.called = [], []
        self.round += 1

    def relegated(self) -> int | None:
        """Return the poorest player at the head table who is neither the winner nor in the call (item 6)."""
        exposed = [player for player in self.tables[0].players if player not in (self.winners[0], *self.called)]
        return poorest(exposed, self.total, self.draw, "relegation") if exposed else None

    def rescue(self) -> None:
        """Give a ruined player a fresh stake, and swap its seat with that of the richest at the booby table (item 8)."""
        booby, least = self.tables[-1], next(iter(self.rules.values())).minimum_stake
        with_stacks = booby.state.stacks is not None
        for player in [player for table in self.tables for player in table.players]:
            if self.total[player] > (least - 1 if with_stacks else 0):
                continue
            self.total[player] += self.format.stake
            self.fresh[player] += 1
            if player not in booby.players:
                richest = self.richest(booby.players, f"ruin {player}")
                home = next(table for table in self.tables if player in table.players)
                for table, goes, comes in (home, player, richest), (booby, richest, player):
                    self.seat(table, [comes if other == goes else other for other in table.players])

    def richest(self, players: Sequence[int], what: str) -> int:
        most = max(self.total[player] for player in players)
        return self.draw(what, [player for player in players if self.total[player] == most])

    def seat(self, table: EventTable, players: list[int]) -> None:
        if players != table.players:
            last = table.state.last_dealer
            table.seat(self.game, self.rules[len(players)], players, table.state.dealer)
            table.state.last_dealer = last

    def draw(self, what: str, among: Sequence[int]) -> int:
        """Draw one of those who are equal."""
        return among[0] if len(among) == 1 else shuffled(sorted(among), self.names.drawn(f"{self.round} {what}"))[0]

    def reckon(self, players: Sequence[int]) -> Iterator[list[int]]:
        """Yield the figures of each player, in the order of the measures, then order and prizes.

        The order is by more yellows, a larger final count, fewer fresh stakes (section 1.3)."""
        final = {player: self.total[player] - self.format.stake * self.fresh[player] for player in players}
        head = prize_winners(final, lambda player: (self.yellows[player], final[player], -self.fresh[player]))
        most = prize_winners(final, lambda player: (final[player], self.yellows[player]))
        booby = prize_winners(final, lambda player: (-final[player], -self.yellows[player]))
        for figures in self.yellows, final, self.fresh:
            yield [figures[player] for player in players]
        for winners in head, most, booby:
            yield [share_scale(len(players)) // len(winners) if player in winners else 0 for player in players]


def prize_winners(players: Collection[int], merit: Callable[[int], tuple[int, ...]]) -> list[int]:
    """Return the best player, or those who are equally good and share the prize."""
    best = max(map(merit, players))
    return [player for player in players if merit(player) == best]


def poorest(players: Sequence[int], total: Mapping[int, int], draw: Draw, what: str) -> int:
    least = min(total[player] for player in players)
    return draw(what, [player for player in players if total[player] == least])


def table_sizes(players: int) -> list[int]:
    """Four at the head and at the booby table, six between as nearly as can be, four to seven (section 1.1)."""
    if players <= ONE_TABLE:
        return [players]
    middle = players - 2 * ENDS
    tables = (middle + 3) // 6  # to the nearest whole number, halves up
    while middle > 7 * tables:
        tables += 1
    while middle < 4 * tables:
        tables -= 1
    if not tables:
        return [ENDS, ENDS + middle]
    return [ENDS, *[middle // tables + (at < middle % tables) for at in range(tables)], ENDS]


def move(
    tables: Sequence[Sequence[int]],
    winners: Sequence[int | None],
    relegated: int | None,
    total: Mapping[int, int],
    draw: Draw,
) -> list[list[int]]:
    """Return the players of each table, by seat, after all moves (items 5 to 7).

    Winners move up, the relegated move down to the last table, and the tables are balanced."""
    last = len(tables) - 1
    stay = [list(players) for players in tables]
    come: list[list[tuple[int, int]]] = [[] for _ in tables]  # (where from, player), the promoted and relegated first
    for at in range(1, len(tables)):
        if (winner := winners[at]) is not None:
            stay[at].remove(winner)
            come[at - 1].append((BELOW, winner))
    if relegated is not None:
        stay[0].remove(relegated)
        come[last].append((ABOVE, relegated))
    for at in range(last):
        more = len(stay[at]) + len(come[at]) - len(tables[at])
        if more > 0:
            goes = poorest(stay[at], total, draw, f"down from {at + 1}")
            stay[at].remove(goes)
            come[at + 1].append((ABOVE, goes))
        elif more < 0:
            most = max(total[player] for player in stay[at + 1])
            goes = draw(f"up from {at + 2}", [player for player in stay[at + 1] if total[player] == most])
            stay[at + 1].remove(goes)
            come[at].append((BELOW, goes))
    return [take_seats(tables[at], stay[at], come[at]) for at in range(len(tables))]


def take_seats(before: Sequence[int], stay: Collection[int], come: Sequence[tuple[int, int]]) -> list[int]:
    """Give arrivals the vacated seats in order, those from below first."""
    arriving = iter(sorted(come, key=lambda arrival: arrival[0]))
    return [player if player in stay else next(arriving)[1] for player in before]
