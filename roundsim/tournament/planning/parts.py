"""Parts of a tournament: its shards are dealt out, to be played on several machines into a folder each."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...base.errors import InputError

MOST = 1000
FORM = re.compile(r"([1-9]\d{0,3})/([1-9]\d{0,3})", re.ASCII)


class Part(NamedTuple):
    """Part `number` of `of`; as a text "3/8"."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Part:
        """Parse a part. InputError if it is not one."""
        if (found := FORM.fullmatch(text)) and int(found[1]) <= int(found[2]) <= MOST:
            return cls(int(found[1]), int(found[2]))
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
