"""The standings of a league: one fit over all its rounds, in which each version is a player of its own."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, combinations
from math import sqrt
from statistics import fmean
from typing import NamedTuple

from ..base.errors import LogError
from ..processes import pool
from ..processes.start import cores
from ..statistics import differences, groups
from ..statistics.differences import Difference, Equations, Worths, mean_difference
from ..statistics.rows import BlockTable
from ..statistics.stopping import Mixture
from ..tournament.judging.blocks import Blocks
from ..tournament.judging.standings import spread_of, unplaced
from ..tournament.judging.verdicts import Comparison, Pair
from ..tournament.planning.plan import Entry
from ..tournament.storage.totals import finished_totals
from .rounds import RoundFolder, RoundRecord, game_table, table_key
from .rules import LeagueRules
from .thin import is_thin, thin_totals

MOMENT = {"dead", "late"}  # kinds of faults that a slow machine may be to blame for
POINTS = 60  # rounds whose standings a history shows
MANY = 16  # rounds for each process at least, or it is not worth its start


class Version(NamedTuple):
    """A version: its sha256, and the name of a strategy of the house, "" for an entry, which may be renamed."""

    house: str
    sha256: str


class Faults(NamedTuple):
    """Faults of a player in a round: whether they were too many for it to be placed, and whether a slow machine may be
    to blame for each of them."""

    too_many: bool
    excused: bool


class FaultLine(NamedTuple):
    """A kind of fault in a round: how often, and the first: its line, its words, its deal."""

    kind: str
    n: int
    line: str
    text: str
    deal: str


class RoundPart(NamedTuple):
    """The results of a table in a round. `key`: what makes them comparable; `players`: by their numbers in the tables;
    `worst`: the net and the address of the costliest deal of each; `spread`: the standard deviation of a deal's net."""

    key: str
    players: Sequence[Version]
    tables: Sequence[BlockTable]
    faults: Sequence[Faults]
    fault_lines: Sequence[Sequence[FaultLine]]
    worst: Sequence[tuple[int, str] | None]
    deals: int
    spread: float


def parts_of(folder: RoundFolder) -> list[RoundPart] | LogError:
    """Return the results of each table of a round; LogError if its run is damaged."""
    record, parts = folder.record, list[RoundPart]()
    entered = {one.name: one.sha256 for one in record.field}
    try:
        tournament = folder.run.tournament()
        thin = is_thin(folder.run)
        folds = thin_totals(tournament, folder.run) if thin else finished_totals(tournament, folder.run, 1)[0]
    except LogError as error:
        return error
    for game, entry, fold in zip(record.games, tournament.entries, folds, strict=True):
        both = zip(entry.labels, entry.strategies, strict=True)
        players = [
            Version("", entered[label]) if label in entered else Version(label, strategy.sha256)
            for label, strategy in both
        ]
        out = unplaced(entry, fold, tournament.limits)
        kinds = defaultdict[int, set[str]](set)
        for who, kind in fold.tally.faults:
            kinds[who].add(kind)
        faults = [Faults(who in out, kinds[who] <= MOMENT) for who in range(len(players))]
        key = table_key(game, record.rules[entry.game])
        lines: list[list[FaultLine]] = [[] for _ in players]
        for who, kind, n, first in fold.fault_counts():
            facts = ("".join(first.where[-1:]), first.words, first.deal) if first else ("", "", "")
            lines[who].append(FaultLine(kind, n, *facts))
        places = [fold.tally.worst.get(who) for who in range(len(players))]
        worst = [deal and (deal.net, f"{entry.name}/{deal.place}") for deal in places]
        spread = spread_of(entry, fold.tally)
        tables = [*map(in_arrays, Blocks(entry, fold.blocks).tables)]
        parts.append(RoundPart(key, players, tables, faults, lines, worst, fold.tally.deals, spread))
    return parts


def in_arrays(table: BlockTable) -> BlockTable:
    """Return a table that takes less memory, and less time between processes."""
    return table._replace(blocks=array("q", table.blocks), values=[array("d", column) for column in table.values])


@dataclass
class LeagueGame:
    """A game at one number of seats, with the results of all rounds.

    `entry`: as the league plays it. `numbers`: of all players, in the order of their first round. `rounds`: by the
    place of a round, its blocks. `faults`: of each player, by the place of each of its rounds."""

    entry: Entry
    numbers: dict[Version, int] = field(default_factory=dict)
    rounds: dict[int, list[BlockTable]] = field(default_factory=dict)
    faults: defaultdict[Version, dict[int, Faults]] = field(default_factory=lambda: defaultdict(dict))
    fault_lines: defaultdict[Version, list[tuple[int, FaultLine]]] = field(default_factory=lambda: defaultdict(list))
    worst: defaultdict[Version, list[tuple[int, int, str]]] = field(default_factory=lambda: defaultdict(list))
    deals: int = 0
    squares: float = 0.0

    def add(self, at: int, part: RoundPart) -> None:
        numbers = [self.numbers.setdefault(player, len(self.numbers)) for player in part.players]
        self.rounds.setdefault(at, []).extend(
            table._replace(entrants=[[numbers[who] for who in column] for column in table.entrants])
            for table in part.tables
        )
        played = {player for table in part.tables for column in table.entrants for player in column}
        for who in sorted(played):
            self.fault_lines[part.players[who]] += [(at, line) for line in part.fault_lines[who]]
            if deal := part.worst[who]:
                self.worst[part.players[who]].append((deal[0], at, deal[1]))
            own, now = self.faults[part.players[who]], part.faults[who]
            before = own.get(at, Faults(False, True))
            own[at] = Faults(before.too_many or now.too_many, before.excused and now.excused)
        self.deals += part.deals
        self.squares += part.deals * part.spread**2

    @property
    def spread(self) -> float:
        """The standard deviation of a deal's net, over all rounds."""
        return sqrt(self.squares / self.deals) if self.deals else 0.0

    def number(self, player: Version) -> int | None:
        """Return the number of a player, of a strategy of the house the newest version; None if it has not played."""
        if not player.house:
            return self.numbers.get(player)
        own = [number for known, number in self.numbers.items() if known.house == player.house]
        return own[-1] if own else None

    def is_unplaced(self, player: Version) -> bool:
        """Whether a player had too many faults in all its rounds."""
        faults = self.faults[player].values()
        return bool(faults) and all(own.too_many for own in faults)

    def is_out(self, player: Version) -> bool:
        """Whether an unplaced player plays no further round; after its first one a slow machine may be to blame."""
        faults = [*self.faults[player].values()]
        return self.is_unplaced(player) and not (len(faults) == 1 and faults[0].excused)

    def tables(self, memory: int = 0) -> list[BlockTable]:
        """Return the blocks of all rounds, or of the newest ones."""
        return [*chain.from_iterable([*self.rounds.values()][-memory:])]

    @cached_property
    def blocks(self) -> Counter[int | None]:
        """The number of blocks of each player, by number."""
        return Counter(chain.from_iterable(chain.from_iterable(table.entrants for table in self.tables())))


def league_games(rules: LeagueRules, rounds: Sequence[RoundFolder]) -> list[LeagueGame]:
    """Return each game that the league plays now, with its results in the finished rounds. LogError."""
    games = {table_key(game_table(entry), entry.deal.version): LeagueGame(entry) for entry in rules.tables.entries}
    played = [(at, folder) for at, folder in enumerate(rounds) if is_of_now(folder.record, games)]
    folders = [folder for _, folder in played]
    by_round = pool.run_in_order(parts_of, folders, min(cores(), len(played) // MANY))
    for (at, _), parts in zip(played, by_round, strict=True):
        if isinstance(parts, LogError):
            raise parts
        for part in parts:
            if part.key in games:
                games[part.key].add(at, part)
    return [*games.values()]


def is_of_now(record: RoundRecord, keys: Iterable[str]) -> bool:
    """Whether a round has a table that the league plays now; a round of another version of the rules cannot be read."""
    return any(table_key(game, record.rules.get(game["game"], 0)) in keys for game in record.games)


class Compared(Comparison):
    """Some players, numbered by their places in a list: their worths, whether each is ranked, and how far one is above
    another."""

    def __init__(
        self, worths: Sequence[float], ranked: Sequence[bool], gap: Callable[[int, int], Difference | None]
    ) -> None:
        super().__init__("deal", may_stop=False)
        self.worths, self.ranked, self.gap = worths, ranked, gap

    @property
    def worth(self) -> Sequence[float | None]:
        return [worth if ranked else None for worth, ranked in zip(self.worths, self.ranked, strict=True)]

    @cached_property
    def pairs(self) -> dict[Pair, Difference]:
        there = [at for at, ranked in enumerate(self.ranked) if ranked]
        return {(i, j): gap for i, j in combinations(there, 2) if (gap := self.gap(i, j))}

    def more_deals(self, one: int, other: int) -> tuple[str, int] | None:
        return None


def compared_versions(fit: Worths, players: Sequence[int], least: int) -> Compared:
    """Compare some players of a game, by number; one with under `least` blocks is not ranked."""
    worths, ranked = [fit.fitted[who] for who in players], [fit.blocks[who] >= least for who in players]
    return Compared(worths, ranked, lambda i, j: fit.between(players[i], players[j]))


def compared_over_all(games: Sequence[Compared], units: Sequence[float]) -> Compared:
    """Compare the same players in several games: the mean of their differences, each in its unit."""

    def gap(i: int, j: int) -> Difference | None:
        gaps = [own for game in games if (own := game.gap(i, j))]
        return mean_difference(gaps, units) if len(gaps) == len(games) else None

    own = zip(
        *[[worth / unit if unit else 0.0 for worth in game.worths] for game, unit in zip(games, units, strict=True)],
        strict=True,
    )
    ranked = [all(own_ranked) for own_ranked in zip(*[game.ranked for game in games], strict=True)]
    return Compared([fmean(worths) for worths in own], ranked, gap)


def compared_only(whole: Compared, places: Sequence[int]) -> Compared:
    """Return some players of a comparison, in this order."""
    worths, ranked = [whole.worths[at] for at in places], [whole.ranked[at] for at in places]
    return Compared(worths, ranked, lambda i, j: whole.gap(places[i], places[j]))


class Looks:
    """The differences of all that sat together, with limits that hold at any look: a league is looked at again and
    again."""

    def __init__(self) -> None:
        self.mixtures = defaultdict[Pair, Mixture](Mixture)

    def add(self, tables: Iterable[BlockTable]) -> None:
        """Add the blocks of a round."""
        gaps = defaultdict[Pair, list[float]](list)
        for table in tables:
            for (mine, x), (others, y) in combinations(zip(table.entrants, table.values, strict=True), 2):
                for i, j, one, other in zip(mine, others, x, y, strict=True):
                    gaps[min(i, j), max(i, j)].append(one - other if i < j else other - one)
        for pair, own in gaps.items():
            self.mixtures[pair].add_all(own)

    def sure(self, players: Sequence[int]) -> set[Pair]:
        """Return the pairs of these players whose first is ahead, at any look and over all of these pairs."""
        both = [(min(pair), max(pair)) for pair in combinations(players, 2)]
        p = {pair: self.mixtures[pair].p for pair in both if pair in self.mixtures}
        return {pair if (self.mixtures[pair].mean or 0) > 0 else (pair[1], pair[0]) for pair in groups.holm(p)}


class Moment(NamedTuple):
    """The state after a round: the place of the round, and the worth and the blocks of each player then, by number."""

    at: int
    worths: Mapping[int, float]
    blocks: Mapping[int, int]


def moments_of(game: LeagueGame, shown: int = POINTS) -> tuple[list[Moment], Equations]:
    """Return the state after the rounds, or after some of them if they are many, always with the last two, and the
    equations of all rounds."""
    moments, equations = list[Moment](), Equations(len(game.numbers))
    every = -(-len(game.rounds) // shown)
    for number, (at, tables) in enumerate(game.rounds.items(), 1):
        for table in tables:
            equations.add(table)
        if number % every == 0 or number > len(game.rounds) - 2:
            worths, _, _ = equations.solve()
            blocks = Counter(equations.blocks)
            moments.append(Moment(at, {who: worths[who] for who in sorted(blocks)}, blocks))
    return moments, equations


def fitted_worths(game: LeagueGame, memory: int = 0, equations: Equations | None = None) -> Worths:
    """Return the worths of all players over the rounds that count. `equations`: those of these rounds, if they are there
    already."""
    return differences.fit(game.tables(memory), len(game.numbers), equations=equations)
