"""A whole entry: its tally and its blocks, folded from those of its shards, which come in any order."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import chain

from .record import Told
from .tally import TOLD, Block, Tally


class Packed:
    """Of each block its number, deals, seats and figures, as `tally.Block` has them: some 150 bytes for four seats."""

    def __init__(self) -> None:
        self.shards: dict[int, array[int]] = {}
        self.places = self.size = 0

    def add(self, shard: int, rows: Iterable[Block]) -> None:
        """The blocks of a shard; shards come in any order."""
        packed = self.shards[shard] = array("q")
        for row in rows:
            begun = len(packed)
            packed.extend((row.block, row.deals))
            packed.extend(chain(row.seats, *row.values, row.ahead, row.from_dealer))
            self.places, self.size = len(row.seats), len(packed) - begun

    def only(self, shard: int) -> Packed:
        """What is there of one shard."""
        part = Packed()
        part.shards, part.places, part.size = {shard: self.shards[shard]}, self.places, self.size
        return part

    def __iter__(self) -> Iterator[array[int]]:
        for shard in sorted(self.shards):
            packed = self.shards[shard]
            for at in range(0, len(packed), self.size or 1):
                yield packed[at : at + self.size]


class Fold:
    """The tally of an entry and its blocks; of each entrant the first faults are kept.  `faulty`: shards with faults."""

    def __init__(self) -> None:
        self.tally, self.blocks, self.faulty = Tally(), Packed(), set[int]()
        self.told: dict[int, list[tuple[int, int, Told]]] = {}

    def add(self, shard: int, tally: Tally) -> None:
        self.tally.merge(tally)
        self.blocks.add(shard, tally.rows)
        if tally.faults:
            self.faulty.add(shard)
        for at, told in enumerate(tally.told):
            kept = self.told.setdefault(told.entrant, [])
            kept.append((shard, at, told))
            kept.sort(key=lambda fault: fault[:2])
            del kept[TOLD:]

    def faults_told(self) -> list[Told]:
        """In schedule order."""
        everything = [fault for kept in self.told.values() for fault in kept]
        return [told for _, _, told in sorted(everything, key=lambda fault: fault[:2])]
