"""What is to be played: a tournament, its games, its limits; and how it is laid out in blocks and shards."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from .. import games
from ..contract.plugins import Strategy
from ..table.deal import Deal
from ..table.options import Rules
from .formats import Format

Seed = int | str
NAME = re.compile(r"[^/\\\x00-\x1f]*[^/\\\x00-\x1f.][^/\\\x00-\x1f]*")
BITS = re.compile("[0-9a-f]{32}")
ON_FAULT = ("forfeit", "abort")
FAR = 2000  # blocks; a schedule that is so far on is begun near there
SLOWER = 25  # so many times fewer blocks are in a shard if somebody imagines deals


def is_seed(value: Any) -> bool:
    """A whole number below 2**63, or 128 bits as text, which nobody finds by trying."""
    return type(value) is int and 0 <= value < 1 << 63 or isinstance(value, str) and bool(BITS.fullmatch(value))


def is_name(value: Any) -> bool:
    """Whether it can be the name of a folder."""
    return isinstance(value, str) and bool(NAME.fullmatch(value))


@dataclass(frozen=True)
class Limits:
    """What a strategy may take, and what its faults cost.

    `seconds` of CPU for an answer, `memory` in MiB; `bank`: seconds of CPU for a sitting, 0 for any."""

    seconds: float = 1.0
    memory: int = 1024
    bank: float = 0.0
    on_fault: str = "forfeit"
    faults_allowed: int = 0


@dataclass(frozen=True)
class Stopping:
    """When a run may stop before all is played: a rule (see `stopping`), and how often it may be wrong."""

    until: str
    level: float = 0.05


@dataclass(frozen=True)
class Entry:
    """One game of a tournament: `blocks` in all, played as its `format` says.

    `asked`: the deals that were asked for, where they were rounded up to whole blocks.  `cap`: the most blocks, where it may
    stop before them; 0 where it does not."""

    name: str
    game: str
    format: Format
    options: dict[str, Any]
    strategies: tuple[Strategy, ...]
    blocks: int
    asked: int = field(default=0, compare=False)
    cap: int = field(default=0, compare=False)
    home: str = field(default="", compare=False)  # of a game from outside: path:Class, for workers

    def __getstate__(self) -> dict[str, Any]:  # rules are made anew where the entry arrives
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @cached_property
    def rules(self) -> Rules:
        """The rules of its table; where tables are of several sizes, of the smallest."""
        return self.deal.rules_for(self.format.table_size(self.deal), self.options)

    @cached_property
    def deal(self) -> type[Deal]:
        return games.find(self.home or self.game)

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
    def shard_blocks(self) -> int:
        """Blocks in a shard: it follows from the entry alone."""
        return self.format.blocks_in_shard(self, SLOWER if any(each.imagines for each in self.strategies) else 1)

    @property
    def shard_count(self) -> int:
        return -(-self.blocks // self.shard_blocks)

    def shards(self) -> Iterator[tuple[int, int]]:
        """The first and the last block of each shard."""
        for first in range(1, self.blocks + 1, self.shard_blocks):
            yield first, min(first + self.shard_blocks - 1, self.blocks)


@dataclass(frozen=True)
class Tournament:
    """A tournament as its file gives it, checked."""

    name: str
    format: str
    seed: Seed
    limits: Limits
    entries: tuple[Entry, ...]
    stopping: Stopping | None = None
    file: str = field(default="", compare=False)

    def identity(self) -> dict[str, Any]:
        """All that decides the deals but their number, and by what rule that is decided."""
        stopping = {"stopping": asdict(self.stopping)} if self.stopping else {}
        return {**self.frame(), **stopping, "games": [entry_identity(entry) for entry in self.entries]}

    def frame(self) -> dict[str, Any]:
        """What of it is the same for all entries."""
        limits = {
            "seconds": float(self.limits.seconds),
            "memory": self.limits.memory,
            "bank": float(self.limits.bank),
            "on_fault": self.limits.on_fault,
        }
        return {"format": self.format, "seed": self.seed, "limits": limits}

    def folder_name(self) -> str:
        """NAME-xxxxxx: the same command finds its own folder, a changed strategy gets a new one."""
        text = json.dumps(self.identity(), sort_keys=True)
        return f"{self.name}-{hashlib.sha256(text.encode()).hexdigest()[:6]}"


class Keys:
    """The keys of an entry's blocks, each a hash of all that decides what is played in it: format, seed, limits, game,
    rules and options, the block's number, and who sits there, in order.  What else the run holds is in none."""

    def __init__(self, tournament: Tournament, number: int) -> None:
        self.entry = tournament.entries[number]
        identity = entry_identity(self.entry)
        self.strategies = [json.dumps(each, sort_keys=True) for each in identity.pop("strategies")]
        self.start = json.dumps({**tournament.frame(), "game": identity}, sort_keys=True)

    def __call__(self, block: int, seating: Sequence[int]) -> str:
        text = "\n".join([self.start, str(block), *[self.strategies[entrant] for entrant in seating]])
        return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


@dataclass(frozen=True)
class Task:
    """A shard: blocks `first` to `last` of an entry, who sits in each; and for those who play it what must not be asked.

    `entered`: faults to be entered, by question (see Referee).  The entrants of `without` have filled the memory in it,
    and are not asked; `weighed`: it is to be found out who does.  `alone`: each stage in a fresh process; `stage`: how many
    have been played so."""

    entry: int
    shard: int
    first: int
    last: int
    seatings: tuple[tuple[int, ...], ...]
    entered: dict[int, str] = field(default_factory=dict)
    without: frozenset[int] = frozenset()
    weighed: bool = False
    alone: bool = False
    stage: int = 0


class Underway(NamedTuple):
    """A shard that is being played: its `units`, deals or freeze-outs, so far, how many of them were played `before` it was
    taken up; its `deals`; the `slowest` strategy, the `seconds` of a decision; who is `asked` just now, if that is known."""

    units: int
    before: int
    deals: int
    slowest: str
    seconds: float
    asked: str


class Schedule:
    """The shards of an entry as they are to be played, asked for in rising order."""

    def __init__(self, tournament: Tournament, number: int) -> None:
        self.number, self.entry, self.keys = number, tournament.entries[number], Keys(tournament, number)
        self.seed, self.seated = tournament.seed, 0
        self.everyone = self.entry.format.seatings(self.entry, self.seed)

    def task(self, first: int) -> Task:
        """The shard that begins with this block."""
        size, skip = self.entry.shard_blocks, first - 1 - self.seated
        if skip > FAR:
            self.everyone, skip = self.entry.format.seatings(self.entry, self.seed, first), 0
        self.seated = last = min(first + size - 1, self.entry.blocks)
        seatings = tuple(islice(self.everyone, skip, skip + last - first + 1))
        return Task(self.number, (first - 1) // size, first, last, seatings)


def entry_identity(entry: Entry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "game": entry.game,
        "rules": entry.deal.version,
        **({"source": source_of(entry)} if entry.deal.origin else {}),
        **entry.format.settings,
        "options": dict(sorted(entry.options.items())),
        "strategies": [
            {
                "name": strategy.name,
                "parameters": dict(strategy.parameters),
                "sha256": strategy.sha256,
                **({"imagines": True} if strategy.imagines else {}),
                **({"attribute": strategy.attribute} if strategy.named else {}),
            }
            for strategy in entry.strategies
        ],
    }


def source_of(entry: Entry) -> dict[str, str]:
    """Of a game from outside: its file and class, and the sha256 of its source."""
    origin = entry.deal.origin
    assert origin
    return {"module": f"{Path(origin.path).name}:{origin.attribute}", "sha256": origin.sha256}
