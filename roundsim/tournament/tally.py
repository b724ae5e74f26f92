"""The sums from which standings are made.  They are whole numbers, so that no order of adding can matter."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from .record import Told

TOLD = 20  # faults of a strategy that are told in full


@dataclass
class Sums:
    """Of a measure over blocks, value x and weight w (deals) each: n, sums of x, x*x, x*w, w, w*w."""

    n: int = 0
    x: int = 0
    xx: int = 0
    xw: int = 0
    w: int = 0
    ww: int = 0

    def add(self, x: int, w: int) -> None:
        self.n += 1
        self.x += x
        self.xx += x * x
        self.xw += x * w
        self.w += w
        self.ww += w * w

    def merge(self, other: Iterable[int]) -> None:
        n, x, xx, xw, w, ww = other
        self.n, self.x, self.xx = self.n + n, self.x + x, self.xx + xx
        self.xw, self.w, self.ww = self.xw + xw, self.w + w, self.ww + ww

    def row(self) -> list[int]:
        return [self.n, self.x, self.xx, self.xw, self.w, self.ww]


@dataclass
class Tally:
    """What some blocks of an entry came to.  Entrants by their place in the entry; faults told in schedule order."""

    blocks: int = 0
    deals: int = 0
    decisions: int = 0
    sums: dict[tuple[str, int], Sums] = field(default_factory=dict)
    faults: dict[tuple[int, str], int] = field(default_factory=dict)
    told: list[Told] = field(default_factory=list)

    def add(self, measure: str, entrant: int, x: int, w: int) -> None:
        self.sums.setdefault((measure, entrant), Sums()).add(x, w)

    def fault(self, told: Told) -> None:
        before = sum(n for (other, _), n in self.faults.items() if other == told.entrant)
        self.faults[told.entrant, told.kind] = self.faults.get((told.entrant, told.kind), 0) + 1
        if before < TOLD:
            self.told.append(told)

    def merge(self, other: Tally) -> None:
        """Add a tally; those of an entry in any order, but for what is told (see `Fold`)."""
        self.blocks, self.deals, self.decisions = (
            self.blocks + other.blocks,
            self.deals + other.deals,
            self.decisions + other.decisions,
        )
        for key, sums in other.sums.items():
            self.sums.setdefault(key, Sums()).merge(sums.row())
        for fault, n in other.faults.items():
            self.faults[fault] = self.faults.get(fault, 0) + n

    def to_json(self) -> dict[str, Any]:
        return {
            "blocks": self.blocks,
            "deals": self.deals,
            "decisions": self.decisions,
            "sums": [[measure, entrant, *sums.row()] for (measure, entrant), sums in sorted(self.sums.items())],
            "faults": [[entrant, kind, n] for (entrant, kind), n in sorted(self.faults.items())],
            "told": [told.to_json() for told in self.told],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Tally:
        return cls(
            data["blocks"],
            data["deals"],
            data["decisions"],
            {(measure, entrant): Sums(*row) for measure, entrant, *row in data["sums"]},
            {(entrant, kind): n for entrant, kind, n in data["faults"]},
            [Told.from_json(told) for told in data["told"]],
        )


class Fold:
    """The tally of a whole entry, from those of its shards in any order; of each entrant the first faults are kept."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.told: dict[int, list[tuple[int, int, Told]]] = {}

    def add(self, shard: int, tally: Tally) -> None:
        self.tally.merge(tally)
        for at, told in enumerate(tally.told):
            kept = self.told.setdefault(told.entrant, [])
            kept.append((shard, at, told))
            kept.sort(key=lambda fault: fault[:2])
            del kept[TOLD:]

    def faults_told(self) -> list[Told]:
        """In schedule order."""
        everything = [fault for kept in self.told.values() for fault in kept]
        return [told for _, _, told in sorted(everything, key=lambda fault: fault[:2])]
