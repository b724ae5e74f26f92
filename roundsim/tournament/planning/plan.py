"""The plan of a run: a tournament with its games and limits, and its layout in blocks and shards."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import islice, pairwise
from typing import Any, NamedTuple

from ... import games
from ...base.errors import InputError
from ...base.finding import display_path
from ...sources.plugins import Strategy
from ...table.deal import Deal
from ...table.options import Rules
from .. import formats
from ..formats import Format
from ..results.totals import BlockResult
from ..seating import LAP
from .parts import Part, Stretch
from .record import FRAME_KEYS, RUN_KEYS, game_keys, recorded, strategy_identity

Seed = int | str
Seatings = Sequence[tuple[int, ...]]
ON_FAULT = ("forfeit", "abort")
ISOLATE = ("auto", "on", "off")
PLACED_WITHIN = 0.01  # of its deals, unless the run is a gate
SLOWER = 25  # a shard has this many times fewer blocks if a strategy imagines deals


@dataclass(frozen=True)
class Limits:
    """The limits of a strategy, and what its faults cost.

    `seconds`: CPU time for an answer. `memory`: in MiB. `bank`: seconds of CPU time for a sitting, 0 for no limit.
    `placed_within`: a strategy with faults in a larger share of its deals is not placed; None, in older runs: all are.
    `isolate`: who runs in the sandbox: `on` all, `off` nobody, `auto` third-party strategies where a sandbox works.
    Only the demand, "on", is recorded."""

    seconds: float = 1.0
    memory: int = 1024
    bank: float = 0.0
    on_fault: str = "forfeit"
    faults_allowed: int = 0
    placed_within: float | None = PLACED_WITHIN
    isolate: str = field(default="auto", compare=False)

    @property
    def seals(self) -> bool:
        """Whether any strategy runs in the sandbox, where one works."""
        return self.isolate != "off"

    def isolating(self, isolate: str | None) -> Limits:
        """Return the same limits with another `isolate`, unless it is None. InputError."""
        if isolate not in (None, *ISOLATE):
            raise InputError(f"isolate must be {' or '.join(ISOLATE)}, not {isolate!r}")
        return replace(self, isolate=isolate or self.isolate)


@dataclass(frozen=True)
class Stopping:
    """When a run may stop early: a rule (see `stopping_rule`), and how often it may be wrong.

    `version`: of the statistics that decide; it goes up when the same blocks are decided differently. `worth`: the
    least difference that matters, if there is one; `worth_sd`: the same in standard deviations of a block.
    `level_worse`: how often WORSE may be wrong in each of several games, if that is less. `over_all`: whether it is a gate
    that tests the score over all games."""

    until: str
    level: float = 0.05
    version: int = 6
    worth: float | None = None
    worth_sd: float | None = None
    level_worse: float | None = None
    over_all: bool = False


@dataclass(frozen=True)
class Entry:
    """One game of a tournament: `blocks` in total, played as its `format` defines.

    `asked`: the deals that were requested, if they were rounded up to whole blocks. `cap`: the most blocks, if it may
    stop before them; else 0. `joined`: for each strategy the number of blocks when it joined; () if all were there from
    the start. `own`: which of its shards are played, if it is part of a tournament."""

    name: str
    game: str
    format: Format
    options: dict[str, Any]
    strategies: tuple[Strategy, ...]
    blocks: int
    asked: int = field(default=0, compare=False)
    cap: int = field(default=0, compare=False)
    joined: tuple[int, ...] = ()
    own: slice = field(default_factory=lambda: slice(None))
    home: str = field(default="", compare=False)  # path:Class of a third-party game, for workers

    def __getstate__(self) -> dict[str, Any]:  # the receiving process computes the rules again
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def rules(self) -> Rules:
        """The rules of its table; if tables have several sizes, those of the smallest."""
        return self.deal.rules_for(self.format.table_size(self.deal), self.options)

    @cached_property
    def deal(self) -> type[Deal]:
        return games.at_path(self.home) if self.home else games.find(self.game)

    @property
    def flag(self) -> str:
        """The options that a command needs to read a run of this entry.

        " --game old_maid.py" for a game from a file, " --as two_rounds.py" for a format from a file."""
        files = ("--game", games.GAMES.file_of(self.deal)), ("--as", formats.FORMATS.file_of(type(self.format)))
        return "".join([f" {flag} {shlex.quote(display_path(path))}" for flag, path in files if path])

    @cached_property
    def labels(self) -> list[str]:
        """The entrants' names in the standings: 'book', 'random', 'random#2'."""
        seen: Counter[str] = Counter()
        labels = []
        for strategy in map(str, self.strategies):
            seen[strategy] += 1
            labels.append(strategy if seen[strategy] == 1 else f"{strategy}#{seen[strategy]}")
        return labels

    @property
    def since(self) -> tuple[int, ...]:
        """For each strategy the number of blocks before its first."""
        return self.joined or (0,) * len(self.strategies)

    @cached_property
    def stretches(self) -> list[Stretch]:
        """Its stretches. A new one begins where strategies joined, so earlier shards do not change."""
        starts = sorted({0, *self.joined})
        return [self.stretch(before, end) for before, end in pairwise([*starts, self.blocks])]

    def stretch(self, before: int, end: int) -> Stretch:
        imagine = any(
            strategy.imagines for strategy, since in zip(self.strategies, self.since, strict=True) if since <= before
        )
        piece = self.format.blocks_in_shard(self, SLOWER if imagine else 1)
        return Stretch(before + 1, end + 1, piece, climbs=bool(self.cap))

    @property
    def shard_count(self) -> int:
        return sum(len(range(len(stretch))[self.own]) for stretch in self.stretches)

    @property
    def block_count(self) -> int:
        """The number of blocks in its shards. A part does not have all."""
        return sum(stretch.block_count(self.own) for stretch in self.stretches)

    def shards(self) -> Iterator[range]:
        """Yield the blocks of each shard, in schedule order."""
        for stretch in self.stretches:
            for number in range(len(stretch))[self.own]:
                yield stretch.shard(number)

    def shard(self, block: int) -> range | None:
        """Return the blocks of the shard that contains a block; None if there is no such block."""
        stretch = self.stretch_of(block)
        return stretch.shard(stretch.number(block)) if stretch else None

    def stretch_of(self, block: int) -> Stretch | None:
        """Return the stretch that contains a block; None if there is no such block."""
        return next((stretch for stretch in self.stretches if stretch.start <= block < stretch.stop), None)

    def begins(self, block: int) -> bool:
        """Whether one of its shards begins with this block."""
        stretch = self.stretch_of(block)
        number = stretch.number(block) if stretch else 0
        return bool(stretch and stretch.first(number) == block and number in range(len(stretch))[self.own])

    def pieces(self, blocks: range) -> Iterator[range]:
        """Yield the blocks of each piece of a shard."""
        if stretch := self.stretch_of(blocks.start):
            for first in blocks[:: stretch.piece]:
                yield range(first, min(first + stretch.piece, blocks.stop))

    def number(self, block: int) -> int:
        """Return the index of the shard that contains a block, in the whole tournament; 0 if there is no such block."""
        before = 0
        for stretch in self.stretches:
            if stretch.start <= block < stretch.stop:
                return before + stretch.number(block)
            before += len(stretch)
        return 0

    def first_block(self, number: int) -> int:
        """Return the first block of the shard with this index."""
        for stretch in self.stretches:
            if number < len(stretch):
                return stretch.first(number)
            number -= len(stretch)
        raise IndexError


@dataclass(frozen=True)
class Tournament:
    """A tournament as given by its file, checked. `title`: that of its page, "" if it is the name."""

    name: str
    format: str
    seed: Seed
    limits: Limits
    entries: tuple[Entry, ...]
    stopping: Stopping | None = None
    part: Part | None = None
    title: str = field(default="", compare=False)
    file: str = field(default="", compare=False)

    def only(self, part: Part | None) -> Tournament:
        """Return what a part plays of it; without a part, the whole.

        InputError if a part cannot be played without the others."""
        if part and self.stopping:
            raise InputError(
                f"{part.words}: a run with a stopping rule is not played in parts: no part knows the others"
            )
        if part and not all(entry.format.open_ended for entry in self.entries):
            raise InputError(f"{part.words}: a {self.format} is not played in parts: each round depends on the last")
        own = [part.own(number) if part else slice(None) for number in range(len(self.entries))]
        entries = tuple(replace(entry, own=shards) for entry, shards in zip(self.entries, own, strict=True))
        return replace(self, entries=entries, part=part)

    @property
    def series(self) -> list[list[int]]:
        """For each game in the file the numbers of its entries: one, or one for each round known so far."""
        series = list[list[int]]()
        for number, entry in enumerate(self.entries):
            series += [[]] if not series or not entry.format.before else []
            series[-1].append(number)
        return series

    @property
    def shards_to_come(self) -> int:
        """The shards of the rounds that are not known yet, assuming that they are like the last known one."""
        last = [(self.entries[numbers[-1]], len(numbers)) for numbers in self.series]
        return sum((entry.format.last_round - known) * entry.shard_count for entry, known in last)

    @property
    def shard_count(self) -> int:
        return sum(entry.shard_count for entry in self.entries)

    def identity(self) -> dict[str, Any]:
        """Return all that decides the deals, with the stopping rule, but without the number of blocks if that is open."""
        games = [
            {**entry_identity(entry), **({} if entry.format.open_ended else {"blocks": entry.blocks})}
            for entry in self.entries
            if not entry.format.before
        ]
        identity = recorded(RUN_KEYS, self, identity=True, games=games)
        placed_within = self.limits.placed_within
        if placed_within is not None and (self.stopping or not all(entry.format.open_ended for entry in self.entries)):
            identity["limits"]["placed_within"] = placed_within  # it decides how much is played, or who goes on
        return identity

    def frame(self) -> dict[str, Any]:
        """Return the settings that all entries share."""
        return recorded(FRAME_KEYS, self, identity=True)

    def folder_name(self) -> str:
        """Return NAME-xxxxxx, for a part with ".3of8".

        The same command finds its own folder again; a changed strategy gets a new one."""
        text = json.dumps(replace(self, part=None).identity(), sort_keys=True)
        suffix = f".{self.part.number}of{self.part.of}" if self.part else ""
        return f"{self.name}-{hashlib.sha256(text.encode()).hexdigest()[:6]}{suffix}"


class Reused(NamedTuple):
    """A block of an earlier run, with the labels of this run: its lines, and its result."""

    text: str
    played: BlockResult


@dataclass(frozen=True)
class Task:
    """A shard to play, or a piece of one: blocks `first` to `last` of an entry, and what workers need not play.

    `seats`: the entrants of each block; () in a shard that is only read. `entered`: faults to enter, by question (see
    Referee). `reused`: blocks that are not played but taken from an earlier run. `piece`: the number of the
    piece in its shard."""

    entry: int
    first: int
    last: int
    entered: dict[int, str] = field(default_factory=dict)
    reused: dict[int, Reused] = field(default_factory=dict)
    piece: int = 0
    seats: Seatings = ()

    @property
    def blocks(self) -> range:
        return range(self.first, self.last + 1)

    def pieces(self, entry: Entry) -> list[Task]:
        """Return its pieces, each with the faults and the blocks of all."""
        every = enumerate(entry.pieces(self.blocks))
        return [
            replace(self, first=blocks[0], last=blocks[-1], piece=number, seats=self.seatings(blocks))
            for number, blocks in every
        ]

    def seatings(self, blocks: range) -> Seatings:
        """Return the entrants of these blocks of it."""
        return self.seats[blocks.start - self.first : blocks.stop - self.first]


class ShardProgress(NamedTuple):
    """Progress of a shard that is being played.

    `units`: deals or freeze-outs so far; `before`: how many of them were played before it was resumed; `deals`: its
    deals. `slowest`: the slowest strategy; `seconds`: its time for a decision. `asked`: who is being asked now, if that
    is known. `again`: why it is being played again, if it is. `of`: about how many deals it will have, 0 if unknown."""

    units: int
    before: int
    deals: int
    slowest: str
    seconds: float
    asked: str
    again: str = ""
    of: int = 0


class Schedule:
    """The shards of an entry, who sits in their blocks, and the keys of both.

    A key is a hash of all that decides what is played there: format, seed, limits, game, rules and options, the numbers
    of the blocks, and the entrants. Other content of the run does not matter."""

    def __init__(self, tournament: Tournament, number: int) -> None:
        self.number, self.entry, self.seed = number, tournament.entries[number], tournament.seed
        identity = entry_identity(self.entry)
        del identity["strategies"]
        self.strategies = [
            json.dumps(strategy_identity(strategy), sort_keys=True) for strategy in self.entry.strategies
        ]
        start = json.dumps({**tournament.frame(), "game": identity}, sort_keys=True)
        self.start = hashlib.blake2b(f"{start}\n".encode(), digest_size=12)
        self.drawing, self.next = self.entry.format.seatings(self.entry, self.seed), 1

    def shard(self, first: int) -> Task:
        """Return the shard that begins with this block, as it is read: without its seats."""
        blocks = self.entry.shard(first)
        assert blocks and blocks[0] == first
        return Task(self.number, first, blocks[-1])

    def task(self, first: int) -> Task:
        """Return the shard that begins with this block, as it is played. Ask in rising order."""
        shard = self.shard(first)
        return replace(shard, seats=self.seatings(shard.blocks))

    def seatings(self, blocks: range) -> Seatings:
        """Return the entrants of each of these blocks, in seating order. In rising order each block is drawn once."""
        if not 0 <= blocks.start - self.next < LAP:
            self.drawing, self.next = self.entry.format.seatings(self.entry, self.seed, blocks.start), blocks.start
        skip, self.next = blocks.start - self.next, blocks.stop
        return tuple(islice(self.drawing, skip, skip + len(blocks)))

    def key(self, block: int, seating: Sequence[int]) -> str:
        """Return the key of a block with these entrants, in order."""
        return self.hashed([str(block), *[self.strategies[entrant] for entrant in seating]])

    def shard_key(self, blocks: range) -> str:
        """Return the key of a shard of these blocks. The entrants of a block follow from the strategies that were there,
        and from when they joined."""
        there = [
            f"{since} {strategy}"
            for since, strategy in zip(self.entry.since, self.strategies, strict=True)
            if since < blocks.start
        ]
        return self.hashed([f"{blocks.start}-{blocks.stop - 1}", *there])

    def hashed(self, texts: Sequence[str]) -> str:
        whole = self.start.copy()
        whole.update("\n".join(texts).encode())
        return whole.hexdigest()


def entry_identity(entry: Entry) -> dict[str, Any]:
    return recorded(game_keys(type(entry.format)), entry, identity=True)
