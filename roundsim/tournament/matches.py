"""Formats of matches: who sits down, what counts, and what the report shows; the rest is the same for all of them."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import ClassVar, Generic, NamedTuple, TypeVar

from ..base.errors import DeclarationError, PluginError
from ..base.finding import display_path
from ..base.text import plain, so_many
from ..refereeing.names import Names
from ..refereeing.sitting import Sitting
from ..table.chance import Source
from ..table.deal import Deal
from .format_parts import Driver, Key, Logged, key
from .formats import Format, Measure, Section, times_and_deals
from .judging.standings import Standings
from .planning.plan import Entry
from .planning.reader import EntryReader
from .results.totals import MAX_FIGURE, ShardTotals
from .tables import Event

Who = TypeVar("Who", int, str)


class Match(NamedTuple, Generic[Who]):
    """A match that was played: its players by seat, and the counters that each won in it.

    Players are the numbers of entrants; in what the report shows they are names.

    >>> from roundsim.format import Match
    >>> Match(players=(4, 7), nets=(-5, 5)).winner
    7"""

    players: tuple[Who, ...]
    nets: tuple[int, ...]

    @property
    def winner(self) -> Who:
        """The player who won most counters; of equals, the one who sits first."""
        return self.players[self.nets.index(max(self.nets))]


class Shown(NamedTuple):
    """A table of the report: its title, the headings of its columns, and its rows."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[object, ...]]


MOST_SEATS = 24
Matches = Generator[Sequence[int], Match[int], None]


class MatchSection(Section):
    """The section of the report in which a format shows its matches."""

    with_ends = True
    template = """<h3>{{ view.title }}</h3>
<table class="std"><thead><tr>{% for column in view.columns %}<th{% if loop.first %} class="l"{% endif %}>{{ column }}</th>
{%- endfor %}</tr></thead><tbody>
{% for row in view.rows %}<tr><th scope="row">{{ row[0] }}</th>{% for cell in row[1:] %}<td>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}</tbody></table>"""

    def __init__(self, entry: Entry) -> None:
        super().__init__(entry)
        self.blocks: list[list[Match[str]]] = []

    def block(self, deals: Sequence[Logged]) -> None:
        tables = [[*table] for _, table in groupby(deals, lambda deal: deal.place.rpartition("/")[0])]
        self.blocks.append([Match(tuple(table[0].seats), total_nets(deal.net for deal in table)) for table in tables])

    def view(self, standings: Standings, at: int) -> Shown | None:
        shown: object = self.entry.format.shown(self.blocks) if isinstance(self.entry.format, MatchFormat) else None
        if not isinstance(shown, Shown | None):
            raise TypeError(f"shown returns {shown!r:.60}, not a Shown")
        if shown and (wrong := [row for row in shown.rows if len(row) != len(shown.columns)]):
            raise ValueError(f"shown has {len(shown.columns)} columns, and the row {wrong[0]!r:.60}")
        return shown


@dataclass(frozen=True)
class MatchFormat(Format):
    """A format of matches between a few players at one table at a time.

    A subclass has a `name` and `scored`, what its standings rank by, and the methods `sits` and `score`; `shown` if the
    report has a table of it. `unit`: what a block is called; `players`: at a table, 2 unless it says so."""

    match: int = key("deals in a match", 1, 1000, 4)

    players: ClassVar[int] = 2
    unit = "block"
    amount = "times"
    amount_key = Key("how many blocks", 1, 10**9, 40, "--times")
    answers = "sits", "score"
    section = MatchSection

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if type(cls.players) is not int or not 1 < cls.players <= MOST_SEATS:
            raise DeclarationError(f"{cls.__name__}: players must be a whole number from 2 to {MOST_SEATS}")
        if "scored" in vars(cls) and "measures" not in vars(cls):
            cls.measures = (
                Measure("score", "score", cls.scored, plain, error_data="error", error_shown=True, gain=cls.scored),
            )

    def sits(self, players: Sequence[int]) -> Matches:
        """Yield who sits down for each match of a block, in seat order, and receive the `Match` when it is over.

        `players`: all of the block, in the order in which they are drawn."""
        raise NotImplementedError

    def score(self, players: Sequence[int], played: Sequence[Match[int]]) -> Sequence[int]:
        """Return the score of each player in a block, in whole numbers, after all its matches."""
        raise NotImplementedError

    def shown(self, blocks: Sequence[Sequence[Match[str]]]) -> Shown | None:
        """Return a table for the report, of the matches of all blocks; None shows nothing."""
        return None

    @classmethod
    def read(cls, reader: EntryReader) -> Entry | None:
        if len(reader.strategies) < cls.players:
            reader.wrong(f"a {cls.unit} needs at least {cls.players} strategies", "strategies")
        return reader.entry(cls(**reader.fields()), reader.options_for([cls.players], {}))

    def table_size(self, game: type[Deal]) -> int:
        return self.players

    def plan(self, entry: Entry) -> str:
        blocks, match = so_many(entry.blocks, self.unit), so_many(self.match, "deal")
        return f"{blocks} of {len(entry.strategies)}, {match} in a match"

    def heading(self, entry: Entry, tally: ShardTotals) -> list[str]:
        name = self.name.replace("-", " ")
        return [f"{name}, {len(entry.strategies)} players", times_and_deals(tally, self.unit)]

    def ledger(self, seating: Sequence[int]) -> Event:
        return Event(seating)

    def play(self, driver: Driver, entry: Entry, names: Names, block: int, part: int, ledger: Event) -> None:
        matches: object = self.sits(ledger.seating)
        if not isinstance(matches, Generator):
            raise self.mistake(f"sits returns {matches!r:.60}; it must yield who sits down for each match")
        played, match = list[Match[int]](), None
        while True:
            try:
                players = next(matches) if match is None else matches.send(match)
            except StopIteration:
                break
            self.check_players(players, ledger.seating)
            match = self.play_match(driver, entry, names, block, len(played) + 1, players, ledger)
            played.append(match)
        if not played:
            raise self.mistake("sits yields no match")
        driver.leave()
        score: object = self.score(ledger.seating, played)
        listed = [*score] if isinstance(score, list | tuple) else []
        if [type(points) for points in listed] != [int] * len(ledger.seating) or max(map(abs, listed)) > MAX_FIGURE:
            raise self.mistake(f"score returns {score!r:.60}, not {len(ledger.seating)} whole numbers, one a player")
        ledger.values = [listed]

    def check_players(self, players: object, seating: Sequence[int]) -> None:
        """Raise PluginError unless these are different players of the block, as many as sit at the table."""
        listed = [*players] if isinstance(players, list | tuple) else []
        known = {player for player in listed if type(player) is int} & {*seating}
        if len(listed) != self.players or len(known) != self.players:
            raise self.mistake(f"sits yields {players!r:.60}, not {self.players} different players of the block")

    def mistake(self, words: str) -> PluginError:
        """Return the error for a mistake of the format's author."""
        where = f"{display_path(Path(self.origin.path))}: " if self.origin else ""
        return PluginError(f"{where}{type(self).__name__}: {words}")

    def play_match(
        self, driver: Driver, entry: Entry, names: Names, block: int, table: int, players: Sequence[int], ledger: Event
    ) -> Match[int]:
        """Play a match of a block at its own table, and return it."""
        sitting, nets, place = (
            Sitting(entry.deal, entry.rules, deals=self.match, compiled=driver.compiled),
            list[Sequence[int]](),
            f"{block}/{table}",
        )
        driver.sit(place, names, players, players)
        for number in range(1, self.match + 1):
            deal = sitting.next_deal(Source(names.hand(number, table)))
            driver.play(f"{place}/{number}", deal, number == 1)
            ledger.enter(f"{place}/{number}", players, deal)
            nets.append(deal.net)
            if sitting.settle(deal):
                break
        if any(sitting.state.pools.values()):
            end = sitting.end(Source(names.last(table)))
            driver.end(f"{place}/end", end)
            nets.append(end.net)
        return Match(tuple(players), total_nets(nets))


def total_nets(nets: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """Return by seat the sum over deals."""
    return tuple(map(sum, zip(*nets, strict=True)))
