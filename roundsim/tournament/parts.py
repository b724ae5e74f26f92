"""Parts of a tournament: its shards dealt round, to be played on several machines into a folder each."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..errors import InputError

MOST = 1000
FORM = re.compile(r"([1-9]\d{0,3})/([1-9]\d{0,3})", re.ASCII)


class Part(NamedTuple):
    """Part `number` of so many; as a text 3/8."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Part:
        """InputError for what is none."""
        if (found := FORM.fullmatch(text)) and int(found[1]) <= int(found[2]) <= MOST:
            return cls(int(found[1]), int(found[2]))
        raise InputError(f"a part is written K/N, as 3/8: the K-th of N, of {MOST} at most; not {text[:60]!r}")

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    @property
    def words(self) -> str:
        return f"part {self.number} of {self.of}"

    def own(self, entry: int) -> slice:
        """Which shards of an entry it has: with each entry another part has the first.

        What is played besides does not change it: a part keeps its shards when the run grows."""
        return slice((self.number - 1 - entry) % self.of, None, self.of)


def which(entry: int, shard: int, of: int) -> int:
    """The number of the part, of so many, that has this shard of an entry, both counted from 0: `Part.own` the other way."""
    return (shard + entry) % of + 1
