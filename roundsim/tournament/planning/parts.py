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
    number, and a run that grows moves nothing. Modules of strategies are loaded, and faults are counted, by piece.

    `climbs`: before these come shards of 1, 1, 2, 2, 4, 4, 8, 8, ... blocks, up to a piece: a run that may stop has its
    first result soon, and has played little more than the verdict needs."""

    start: int
    stop: int
    piece: int
    climbs: bool = False

    @property
    def steps(self) -> int:
        """The number of the shards that are smaller than a piece."""
        return 2 * (self.piece - 1).bit_length() if self.climbs else 0

    def __len__(self) -> int:
        """The number of its shards."""
        return self.number(self.stop - 1) + 1 if self.stop > self.start else 0

    def number(self, block: int) -> int:
        """Return the index of the shard that contains a block."""
        at, above = block - self.start, block - self.first(self.steps)
        if above < 0:
            doubled = (at // 2 + 1).bit_length() - 1
            return 2 * doubled + (at - blocks_before(2 * doubled) >> doubled)
        pieces = above // self.piece
        return self.steps + min(pieces, SMALL_SHARDS) + max(pieces - SMALL_SHARDS, 0) // PIECES

    def first(self, number: int) -> int:
        """Return the first block of the shard with this index."""
        pieces, climbed = max(number - self.steps, 0), blocks_before(min(number, self.steps))
        return self.start + climbed + self.piece * (pieces + (PIECES - 1) * max(pieces - SMALL_SHARDS, 0))

    def shard(self, number: int) -> range:
        """Return the blocks of the shard with this index."""
        return range(self.first(number), min(self.first(number + 1), self.stop))

    def block_count(self, own: slice) -> int:
        """Return the number of blocks in some of its shards. Only the smallest are counted one by one."""
        ends = [min(len(self), most) for most in (self.steps, self.steps + SMALL_SHARDS, len(self))]
        few, small, every = (len(range(end)[own]) for end in ends)
        climbed = sum(self.first(number + 1) - self.first(number) for number in range(ends[0])[own])
        lacking = self.first(len(self)) - self.stop if len(self) - 1 in range(len(self))[own] else 0
        return climbed + self.piece * (small - few + PIECES * (every - small)) - lacking


def blocks_before(number: int) -> int:
    """Return the number of blocks in the first shards of 1, 1, 2, 2, 4, 4, ... blocks."""
    doubled, more = divmod(number, 2)
    return (2 + more << doubled) - 2
