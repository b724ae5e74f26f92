"""What is to be played: a tournament, its games, its limits; and how it is laid out in blocks and shards."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from .. import games
from ..options import Rules, rules_for
from ..plugins import Strategy
from ..table import Deal

SHARD_DEALS = 1000  # a shard holds whole blocks of so many deals at least
SHARD_FREEZE_OUTS = 10
SLOWER = 25  # so many times fewer are in a shard if somebody imagines deals


@dataclass(frozen=True)
class Limits:
    """What a strategy may take, and what its faults cost."""

    seconds: float = 1.0
    memory: int = 1024
    on_fault: str = "forfeit"
    faults_allowed: int = 0


@dataclass(frozen=True)
class Entry:
    """One game of a tournament: `blocks` in all, `sitting` deals in a sitting, the rest as its format has it.

    `asked`: the deals that were asked for, where they were rounded up to whole blocks."""

    name: str
    game: str
    format: str
    players: int
    options: dict[str, Any]
    strategies: tuple[Strategy, ...]
    blocks: int
    sitting: int = 0
    stack: int = 0
    max_seats: int = 0
    max_deals: int = 0
    blinds_double_every: int = 0
    asked: int = field(default=0, compare=False)

    def __getstate__(self) -> dict[str, Any]:  # rules are made anew where the entry arrives
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @cached_property
    def rules(self) -> Rules:
        return rules_for(self.deal, self.players, self.options)

    @cached_property
    def deal(self) -> type[Deal]:
        return games.find(self.game)

    @property
    def labels(self) -> list[str]:
        """The entrants' names in the standings: 'book', 'random', 'random#2'."""
        seen: Counter[str] = Counter()
        labels = []
        for strategy in map(str, self.strategies):
            seen[strategy] += 1
            labels.append(strategy if seen[strategy] == 1 else f"{strategy}#{seen[strategy]}")
        return labels

    @property
    def block_deals(self) -> int:
        """Deals in a block of a round-robin, if no sitting ends early."""
        return self.players * self.sitting

    @property
    def shard_blocks(self) -> int:
        """Blocks in a shard: it follows from the entry alone."""
        slower = SLOWER if any(strategy.imagines for strategy in self.strategies) else 1
        if self.format == "freeze-out":
            return max(1, SHARD_FREEZE_OUTS // slower)
        return -(-SHARD_DEALS // slower // self.block_deals)

    def shards(self) -> Iterator[tuple[int, int]]:
        """The first and the last block of each shard."""
        for first in range(1, self.blocks + 1, self.shard_blocks):
            yield first, min(first + self.shard_blocks - 1, self.blocks)


@dataclass(frozen=True)
class Tournament:
    """A tournament as its file gives it, checked."""

    name: str
    format: str
    seed: int
    limits: Limits
    entries: tuple[Entry, ...]
    file: str = field(default="", compare=False)

    def identity(self) -> dict[str, Any]:
        """All that decides the deals but their number."""
        return {
            "format": self.format,
            "seed": self.seed,
            "limits": {
                "seconds": float(self.limits.seconds),
                "memory": self.limits.memory,
                "on_fault": self.limits.on_fault,
            },
            "games": [entry_identity(entry) for entry in self.entries],
        }

    def folder_name(self) -> str:
        """NAME-xxxxxx: the same command finds its own folder, a changed strategy gets a new one."""
        text = json.dumps(self.identity(), sort_keys=True)
        return f"{self.name}-{hashlib.sha256(text.encode()).hexdigest()[:6]}"


def entry_identity(entry: Entry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "game": entry.game,
        "rules": entry.deal.version,
        **(
            {"players": entry.players, "sitting": entry.sitting}
            if entry.format == "round-robin"
            else {key: getattr(entry, key) for key in ("stack", "max_seats", "max_deals", "blinds_double_every")}
        ),
        "options": dict(sorted(entry.options.items())),
        "strategies": [
            {
                "name": strategy.name,
                "parameters": dict(strategy.parameters),
                "sha256": strategy.sha256,
                **({"imagines": True} if strategy.imagines else {}),
            }
            for strategy in entry.strategies
        ],
    }
