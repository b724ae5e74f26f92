"""Compare two runs: what differs between them, and how far their results differ in the deals that both played.

The first of them is `there`, the second is `here`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ...base.errors import LogError
from ...base.text import in_toml
from ...statistics.groups import holm
from ...statistics.paired import Paired, paired
from ...statistics.rows import BlockRow
from ..planning.plan import Entry
from ..results.entry_totals import EntryTotals
from ..storage.folder import RunFolder
from ..storage.totals import finished_totals
from .blocks import Blocks, Reiterable
from .standings import unplaced

DIGITS = 8  # of a hash, for people
# These, and the settings of the format, must be the same, or the runs have nothing in common.
CHANCE = ("seed", "format", "game", "strategy")
Where = tuple[str, ...]
Data = Mapping[str, Any]
Pairs = Sequence[tuple[int, int]]


class Differs(NamedTuple):
    """A difference: where it is in `run.toml`, and both values; None where one is not given."""

    where: Where
    there: Any
    here: Any

    def __str__(self) -> str:
        """nap: strategy mine: sha256 12ab34cd there, 9f3c77aa here"""
        both = ["-" if value is None else in_toml(value) for value in (self.there, self.here)]
        if self.where[-1] == "sha256":
            both = [text[:DIGITS] for text in both]
        return f"{': '.join(self.where)} {both[0]} there, {both[1]} here"


class RunGame(NamedTuple):
    """A game of a run: its entry, its fold, its record in `run.toml`, and the entrants that are not placed."""

    entry: Entry
    fold: EntryTotals
    data: Data
    out: Collection[int] = ()


class DiffSide(NamedTuple):
    """One side of the comparison: its path, `run.toml`, its games by name, and how many shards it still lacks."""

    path: Path
    data: Data
    games: dict[str, RunGame]
    missing: int

    @classmethod
    def of(cls, folder: RunFolder) -> DiffSide:
        """Read a side. LogError if it is not a run."""
        data, tournament = folder.read_run(), folder.tournament()
        folds, missing = finished_totals(tournament, folder)
        out = [unplaced(*pair, tournament.limits) for pair in zip(tournament.entries, folds, strict=True)]
        games = map(RunGame, tournament.entries, folds, data["games"], out)
        return cls(folder.path, data, {game.entry.name: game for game in games}, missing)


class ComparedEntry(NamedTuple):
    """A game that is in both runs.

    It has both entries, the number of common blocks, the entrants compared in them by their numbers there and here, and
    the result. It also says which differences, by number there, are significant over all comparisons (Holm 1979).
    Entrants that are `out`, not placed there or here because of their faults, are not among these."""

    there: Entry
    here: Entry
    blocks: int
    entrants: list[tuple[int, int, Paired]]
    significant: set[int]
    out: set[int]


class Diff(NamedTuple):
    """Two runs compared: what differs, and the games of both. `same`: both are one and the same run."""

    there: DiffSide
    here: DiffSide
    differs: list[Differs]
    games: list[ComparedEntry]
    same: bool


def diff(one: RunFolder, other: RunFolder) -> Diff:
    """Compare two runs. LogError if one is not a run, or they have nothing in common."""
    there, here = DiffSide.of(one), DiffSide.of(other)
    differs = list(run_differences(there, here))
    both = [(game, here.games[name]) for name, game in there.games.items() if name in here.games]
    games = [compare_entries(*pair, there.data["seed"] == here.data["seed"]) for pair in both]
    if not any(game.blocks for game in games):
        settings = {*[key for game in games for side in (game.there, game.here) for key in side.format.settings]}
        why = "; ".join(str(difference) for difference in differs if difference.where[-1] in (*CHANCE, *settings))
        raise LogError(f"{one.path} and {other.path} have no deals in common: {why or 'no block was played in both'}")
    same = not differs and all(game.fold.blocks.same(twin.fold.blocks) for game, twin in both)
    return Diff(there, here, differs, games, same)


def run_differences(one: DiffSide, other: DiffSide) -> Iterator[Differs]:
    """Yield what differs between two runs."""
    yield from unlike(without_key(one.data, "games"), without_key(other.data, "games"))
    yield from lone(("game",), one.games, other.games)
    for name in filter(other.games.__contains__, one.games):
        yield from in_game(one.games[name], other.games[name])


def in_game(one: RunGame, other: RunGame) -> Iterator[Differs]:
    """Yield what differs between the two records of a game."""
    name, labels, others = one.entry.name, one.entry.labels, other.entry.labels
    yield from unlike(without_key(one.data, "strategies"), without_key(other.data, "strategies"), (name,))
    if not by_place(one.entry, other.entry):
        yield from lone((name, "strategy"), labels, others)
    for i, j in compared_pairs(one.entry, other.entry):
        yield from unlike(one.data["strategies"][i], other.data["strategies"][j], (name, f"strategy {labels[i]}"))


def lone(where: Where, one: Collection[str], other: Collection[str]) -> Iterator[Differs]:
    """Yield the names that only one of two has."""
    for name in dict.fromkeys([*one, *other]):
        if name not in one or name not in other:
            yield Differs(where, *(name if name in side else None for side in (one, other)))


def without_key(data: Data, key: str) -> Data:
    return {other: value for other, value in data.items() if other != key}


def unlike(one: Any, other: Any, where: Where = ()) -> Iterator[Differs]:
    """Yield the values of two records that differ."""
    if {type(one), type(other)} <= {dict, type(None)}:
        one, other = one or {}, other or {}
        for key in dict.fromkeys([*one, *other]):
            yield from unlike(one.get(key), other.get(key), (*where, key))
    elif one != other or type(one) is not type(other):
        yield Differs(where, one, other)


def compared_pairs(one: Entry, other: Entry) -> Pairs:
    """Return the pairs of entrants to compare."""
    if by_place(one, other):
        return [(i, i) for i in range(len(one.labels))]
    return [(i, other.labels.index(label)) for i, label in enumerate(one.labels) if label in other.labels]


def by_place(one: Entry, other: Entry) -> bool:
    """Whether to compare the entrants with the same number, because seats are drawn by number.

    Otherwise those with the same label are compared: if one list is longer, or if the lists are the remains of
    others."""
    return len(one.labels) == len(other.labels) and not one.format.before


def compare_entries(one: RunGame, other: RunGame, same_seed: bool) -> ComparedEntry:
    """Compare a game on the blocks that both runs have played."""
    alike = same_seed and (one.entry.game, one.entry.format) == (other.entry.game, other.entry.format)
    pairs = compared_pairs(one.entry, other.entry) if alike else []
    rows = Reiterable(partial(common, one, other, dict(pairs)))
    found = paired(rows)
    out = {i for i, j in pairs if i in one.out or j in other.out}
    significant = holm(
        {who: compared.difference.p for who, compared in found.items() if compared.difference and who not in out}
    )
    entrants = [(i, j, found[i]) for i, j in pairs if i in found]
    return ComparedEntry(one.entry, other.entry, sum(1 for _ in rows), entrants, significant, out)


def common(one: RunGame, other: RunGame, partners: Mapping[int, int]) -> Iterator[tuple[BlockRow, BlockRow]]:
    """Yield the blocks of both in which the same seats were taken by partners."""
    games = [Blocks(game.entry, game.fold.blocks) for game in (one, other)]
    numbers = set.intersection(*({block for block, *_ in blocks.deals()} for blocks in games))
    for (seats, row), (others, twin) in zip(*(rows_within(blocks, numbers) for blocks in games), strict=True):
        if [partners.get(seat) for seat in seats] == [*others]:
            yield row, twin


def rows_within(blocks: Blocks, numbers: Collection[int]) -> Iterator[tuple[tuple[int, ...], BlockRow]]:
    """Yield the seating and the row of the blocks with these numbers."""
    for (block, seats, _), row in zip(blocks.deals(), blocks, strict=True):
        if block in numbers:
            yield seats, row
