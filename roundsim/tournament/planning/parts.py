"""The layout of blocks in shards, and parts of a tournament: its shards are dealt out, to be played on several machines
into a folder each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from ...base.errors import InputError

MOST = 1000
SMALL_SHARDS = 1000  # the first shards of a stretch, of one piece each
PIECES = 10  # of each later shard
FORM = re.compile(r"([1-9]\d{0,3})/([1-9]\d{0,3})", re.ASCII)


class Part(NamedTuple):
    """Part `number` of `of`; as a text "3/8"."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Part:
        """Parse a part. InputError if it is not one."""
        if (match := FORM.fullmatch(text)) and int(match[1]) <= int(match[2]) <= MOST:
            return cls(int(match[1]), int(match[2]))
        raise InputError(f"a part is written K/N, as 3/8: the K-th of N, of {MOST} at most; not {text[:60]!r}")

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    @property
    def words(self) -> str:
        return f"part {self.number} of {self.of}"

    def own(self, entry: int) -> slice:
        """Return the shards of an entry that this part plays. For each entry another part has the first shard.

        It does not depend on the number of shards, so a part keeps its shards when the run grows."""
        return slice((self.number - 1 - entry) % self.of, None, self.of)


def which(entry: int, shard: int, of: int) -> int:
    """Return the part, of `of`, that plays this shard of an entry; both count from 0.

    It is the inverse of `Part.own`."""
    return (shard + entry) % of + 1


@dataclass(frozen=True)
class Stretch:
    """Blocks `start` to `stop` - 1 of an entry, in pieces of `piece` blocks.

    The first thousand shards are one piece each, and every later one ten. So the size of a shard depends only on its
    number, and a run that grows moves nothing. Modules of strategies are loaded, and faults are counted, by piece."""

    start: int
    stop: int
    piece: int

    def __len__(self) -> int:
        """The number of its shards."""
        return self.number(self.stop - 1) + 1

    def number(self, block: int) -> int:
        """Return the index of the shard that contains a block."""
        pieces = (block - self.start) // self.piece
        return min(pieces, SMALL_SHARDS) + max(pieces - SMALL_SHARDS, 0) // PIECES

    def first(self, number: int) -> int:
        """Return the first block of the shard with this index."""
        return self.start + self.piece * (number + (PIECES - 1) * max(number - SMALL_SHARDS, 0))

    def shard(self, number: int) -> range:
        """Return the blocks of the shard with this index."""
        return range(self.first(number), min(self.first(number + 1), self.stop))

    def block_count(self, own: slice) -> int:
        """Return the number of blocks in some of its shards, which are not counted one by one."""
        small, every = (len(range(many)[own]) for many in (min(len(self), SMALL_SHARDS), len(self)))
        lacking = self.first(len(self)) - self.stop if len(self) - 1 in range(len(self))[own] else 0
        return self.piece * (small + PIECES * (every - small)) - lacking
