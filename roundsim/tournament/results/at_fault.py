"""In how many of its deals each entrant was at fault, and who was so too often to be placed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from ...refereeing.faults import Fault
from .record import STRIKES, Address

LOSES_SITTING = "constructor", "begin"  # phases in which a fault costs the whole sitting


class PlayedBlock(Protocol):
    """A row, as far as it is needed here: see `totals.BlockRecord`."""

    @property
    def block(self) -> int: ...
    @property
    def seats(self) -> Sequence[int]: ...
    @property
    def deals(self) -> int: ...


@dataclass
class DealsAtFault:
    """Counts by entrant: its deals, those of whole blocks; its faults; the deals of blocks in which it lost a sitting;
    those of shards in which it was barred.

    An entrant that is not asked any more in a sitting or in a shard makes no more faults there: all its deals count
    instead."""

    deals: Counter[int] = field(default_factory=Counter)
    faults: Counter[int] = field(default_factory=Counter)
    lost: Counter[int] = field(default_factory=Counter)
    barred: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(
        cls, rows: Iterable[PlayedBlock], faults: Mapping[tuple[int, str], int], reports: Sequence[Fault]
    ) -> DealsAtFault:
        """Return the counts of a piece of a shard, from its rows, its faults by entrant and kind, and their reports."""
        deals = {row.block: row.deals for row in rows}
        made = cls(deals_by_entrant((row.seats, row.deals) for row in rows))
        barred = {who for (who, kind), n in faults.items() if n >= STRIKES.get(kind, n + 1)}
        barred |= {report.entrant for report in reports if report.phase == "shard"}
        for (who, _), n in faults.items():
            if who in barred:
                made.barred[who] = made.deals[who]
            else:
                made.faults[who] += n
        for report in reports:
            if report.entrant not in barred and (report.phase in LOSES_SITTING or report.kind == "memory"):
                made.faults[report.entrant] -= 1
                made.lost[report.entrant] += deals.get(Address.parse(report.deal).block, 0)
        return made

    def to_json(self) -> list[list[int]]:
        """Return a row for each entrant that has deals: its number, and its four counts."""
        return [[who, n, self.faults[who], self.lost[who], self.barred[who]] for who, n in sorted(self.deals.items())]

    @classmethod
    def from_json(cls, data: Iterable[Sequence[int]], entrants: range) -> DealsAtFault:
        """Read the rows. ValueError if they are not such rows, or of others."""
        made = cls()
        for who, deals, faults, lost, barred in data:
            if who not in entrants or min(deals, faults, lost, barred) < 0:
                raise ValueError(f"deals at fault of entrant {who}")
            made.deals[who] = deals
            if faults or lost or barred:
                made.faults[who], made.lost[who], made.barred[who] = faults, lost, barred
        return made

    def add(self, more: DealsAtFault) -> None:
        for who, n in more.deals.items():
            self.deals[who] += n
        if more.faults or more.barred:
            self.faults.update(more.faults)
            self.lost.update(more.lost)
            self.barred.update(more.barred)

    def over(self, limit: float | None, tables: int, parts: int) -> dict[int, Fraction]:
        """Return the entrants that were at fault in more than this share of their deals, with their shares.

        `tables` play the deals of a block side by side, and an entrant sits at one of them. A block has so many
        `parts`, each a sitting. Without a limit there is nobody."""
        if limit is None:
            return {}
        most = Fraction(str(limit))
        shares = {who: self.share(who, tables, parts) for who in sorted({*self.faults, *self.barred})}
        return {who: share for who, share in shares.items() if share > most}

    def share(self, entrant: int, tables: int, parts: int) -> Fraction:
        not_asked = Fraction(self.lost[entrant], parts) + self.barred[entrant]
        return (tables * self.faults[entrant] + not_asked) / max(1, self.deals[entrant])


def deals_by_entrant(blocks: Iterable[tuple[Iterable[int], int]]) -> Counter[int]:
    """Return how many deals each entrant has in blocks, given as the entrants at their places and their deals."""
    counts = Counter[int]()
    for seats, deals in blocks:
        for entrant in {*seats}:
            counts[entrant] += deals
    return counts
