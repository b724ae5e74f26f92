"""Freeze-out: hand by hand, until one has all the counters (Foster, "The Poker Family", section Freeze Out)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...base.errors import OptionError
from ...base.text import percent, plain, so_many
from ...base.values import Whole
from ...refereeing.names import Names
from ...refereeing.sitting import Sitting
from ...table.chance import Source
from ...table.deal import Deal
from ...table.options import Rules
from ..format_parts import Driver, Key, key
from ..tables import Event, EventTable, stack_options
from . import Format, Measure, share_scale, times_and_deals

if TYPE_CHECKING:
    from ..planning.plan import Entry
    from ..planning.reader import EntryReader
    from ..results.packed_rows import Batch
    from ..results.totals import ShardTotals


def two(value: float | None) -> str:
    return plain(value, 2)


@dataclass(frozen=True)
class FreezeOut(Format):
    """A block: one whole freeze-out with all its tables.  The entrants are the players."""

    stack: int = key("counters of each player at first", 2, 10**6, 100)
    max_seats: int = key("players at a table at most", 2, 13, lambda game, strategies: game.usual[1], "--seats")
    max_deals: int = key("hand numbers after which it ends", 1, 10**6, 10_000)
    blinds_double_every: int = key("hand numbers after which blind, antes, fees and limits double; 0: never", 0, 10**6)

    name = "freeze-out"
    unit = "freeze-out"
    amount = "times"
    amount_key = Key("how many freeze-outs", 1, 10**9, 100, "--times")
    measures = (
        Measure(
            "place",
            "mean_place",
            "mean place",
            two,
            lambda entry: 2,
            "error",
            error_shown=True,
            gain="places",
            bounds=lambda entry: (1, len(entry.strategies)),
            less_is_better=True,
        ),
        Measure(
            *("won", "won", "won", percent),
            lambda entry: share_scale(len(entry.strategies)),
            "won",
            error_shown=True,
            of_winners=True,
        ),
    )
    scored = "mean place, turned round,"
    shard_blocks = 10

    @classmethod
    def read(cls, reader: EntryReader) -> Entry | None:
        game, strategies = reader.game, len(reader.strategies)
        made = cls(**reader.fields())
        least, most = made.table_size(game), game.seats[1]
        if not game.seats[0] <= made.max_seats <= most:
            problem = f"max_seats = {made.max_seats}: {game.id} is for {game.seats[0]} to {most}"
            reader.wrong(problem, "max_seats")
        if strategies < least and not reader.failed:
            reader.wrong(f"a freeze-out needs {least} strategies at least", "strategies")
        sizes = range(least, min(made.max_seats, strategies) + 1) if not reader.failed else range(least, least + 1)
        options = made.check_options(reader, sizes)
        return reader.entry(made, options)

    def check_options(self, reader: EntryReader, sizes: range) -> dict[str, Any]:
        """The options with those that the format sets itself; a game without stacks is refused."""
        game, own = reader.game, self.set_options(reader.game)
        with reader.noting_refusals(but=own):
            free = {key: value for key, value in reader.options.items() if key not in own}
            with_stakes = "stakes" in [option.key for option in game.options]
            if game.rules_for(sizes[0], free if with_stakes else free | own).first_stacks is None:
                condition, hint = ("with these options ", '; give it stakes = "table"') if with_stakes else ("", "")
                reader.wrong(f"{game.id} has no stacks {condition}and cannot be played as a freeze-out{hint}", "game")
                return reader.options
        return reader.options_for(sizes, own)

    def set_options(self, game: type[Deal]) -> dict[str, Any]:
        return stack_options(game, self.stack)

    def tables_at_once(self, entry: Entry) -> int:
        return len(sizes(len(entry.strategies), self.max_seats))

    def plan(self, entry: Entry) -> str:
        times, most = so_many(entry.blocks, "freeze-out"), self.max_seats
        return f"{times} of {len(entry.strategies)} at tables of up to {most}, stack {self.stack}"

    def heading(self, entry: Entry, tally: ShardTotals) -> list[str]:
        """freeze-out of 8, stack 100 · 200 times, 12 345 deals"""
        return [f"freeze-out of {len(entry.strategies)}, stack {self.stack}", times_and_deals(tally, "time")]

    def check_rows(self, entry: Entry, rows: Batch) -> None:
        most = 2 * len(entry.strategies)
        if any(min(places) < 2 or max(places) > most for places in rows.values[0]):
            raise ValueError("rows with a place that there is not")

    def ledger(self, seating: Sequence[int]) -> Event:
        return Event(seating)

    def play(self, driver: Driver, entry: Entry, names: Names, block: int, part: int, ledger: Event) -> None:
        seating = ledger.seating
        game = FreezeOutGame(entry, self, seating)
        while not game.over():
            game.hand += 1
            before = dict(game.stack)
            for number, table in enumerate(game.tables, 1):
                if len(table.players) < game.least():
                    continue  # one player alone waits
                sitting, place = game.sitting(table, driver), f"{block}/{number}/{game.hand}"
                driver.sit(f"{block}/{number}", names, table.players, table.players)
                deal = sitting.next_deal(Source(names.hand(game.hand, number)))
                driver.play(place, deal, game.hand == 1)
                ledger.enter(place, table.players, deal)
                sitting.settle(deal)
                assert deal.stacks is not None
                game.stack.update(zip(table.players, deal.stacks, strict=True))
            game.settle_hand(before)
        driver.leave()
        game.rank(list(game.stack), dict(game.stack))
        places = [game.places[player] for player in seating]
        share = share_scale(len(seating)) // places.count(min(places))
        ledger.values = places, [share if place == min(places) else 0 for place in places]


class FreezeOutGame:
    """A freeze-out in progress, hand by hand, until one player is left."""

    def __init__(self, entry: Entry, format: FreezeOut, players: Sequence[int]) -> None:
        self.entry, self.format, self.game = entry, format, entry.deal
        self.stack = dict.fromkeys(players, format.stack)
        self.places: dict[int, int] = {}  # twice the mean place of those who are out
        self.hand = 0
        self.known: dict[tuple[int, int], Rules] = {}
        self.tables: list[EventTable] = []
        at = 0
        for size in sizes(len(players), format.max_seats):
            seated = list(players[at : at + size])
            state = self.game.begin(self.rules(max(size, self.least())), size - 1)
            self.tables.append(EventTable(seated, state))
            at += size

    def rules(self, players: int) -> Rules:
        """Return the rules of a table for this many players, with blinds, antes, fees and limits as in this hand."""
        every = self.format.blinds_double_every
        level = min((self.hand - 1) // every, 20) if every and self.hand else 0  # 2**20 is past every upper limit
        if (players, level) not in self.known:
            self.known[players, level] = doubled(self.game, players, self.entry.options, level)
        return self.known[players, level]

    def least(self) -> int:
        return max(2, self.game.seats[0])

    def over(self) -> bool:
        return len(self.stack) < self.least() or self.hand >= self.format.max_deals

    def sitting(self, table: EventTable, driver: Driver) -> Sitting:
        """Return the table as it sits down to the next deal."""
        table.state.stacks = [self.stack[player] for player in table.players]
        return Sitting(self.game, self.rules(len(table.players)), table.state, compiled=driver.compiled)

    def settle_hand(self, before: dict[int, int]) -> None:
        """Rank those without counters, by what they had before the deal, as out; then adjust the tables."""
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
        """Rank players: more counters is better; equal ones share the mean of their places."""
        left = len(self.stack) - len(out)
        for player in out:
            better = sum(counters[other] > counters[player] for other in out)
            equal = sum(counters[other] == counters[player] for other in out)
            self.places[player] = 2 * (left + better + 1) + equal - 1

    def break_up(self) -> None:
        """Break up the smallest table while fewer would do; its players go one by one to the table then smallest."""
        while len(self.tables) > 1 and len(self.stack) <= (len(self.tables) - 1) * self.format.max_seats:
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
        """While a table has two more than another, move the player there who would deal last."""
        while True:
            largest = max(self.tables, key=lambda table: len(table.players))
            smallest = self.smallest()
            if len(largest.players) < len(smallest.players) + 2:
                return
            last = self.game.rounds[len(largest.players)][largest.state.dealer][-1]
            player = largest.players[last]
            self.reseat(largest, [other for other in largest.players if other != player])
            self.reseat(smallest, [*smallest.players, player])

    def smallest(self) -> EventTable:
        """Return the table with the fewest players; of equal ones that with the lowest number."""
        return min(self.tables, key=lambda table: len(table.players))

    def reseat(self, table: EventTable, players: list[int]) -> None:
        """Number the seats again. References to a seat follow its player, or fall back to the start value."""
        if players != table.players and players:
            old = table.players
            turn = self.game.rounds[len(old)][table.state.dealer]
            dealer = next(old[seat] for seat in turn if old[seat] in players)
            table.seat(self.game, self.rules(max(len(players), self.least())), players, players.index(dealer))
        table.players = players


def sizes(players: int, most: int) -> list[int]:
    """Return tables as equal as possible, the larger ones first."""
    tables = -(-players // most)
    return [players // tables + (at < players % tables) for at in range(tables)]


def doubled(game: type[Deal], players: int, options: dict[str, Any], level: int) -> Rules:
    """Return the rules with limit, blind, antes and fees doubled `level` times, each as far as the game allows (ours)."""
    rules = game.rules_for(players, options)
    growing = [(option.key, option.values) for option in game.options if option.role == "doubles"]
    for _ in range(level):
        refused = growing
        for _ in range(2):  # a blind must not pass the limit, which may grow after it
            left, refused = refused, []
            for name, values in left:
                high = values.high if isinstance(values, Whole) else None
                more = 2 * getattr(rules, name) if high is None else min(2 * getattr(rules, name), high)
                try:
                    rules = game.rules_for(players, {**options, name: more})
                    options = {**options, name: more}
                except OptionError:
                    refused.append((name, values))
    return rules
