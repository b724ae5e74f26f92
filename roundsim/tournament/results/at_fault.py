"""In how many of its deals each entrant was at fault, and who was so too often to be placed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from ..conduct import STRIKES
from .totals import ShardTotals


@dataclass
class DealsAtFault:
    """Counts by entrant: its deals, those of whole blocks; its faults; the deals of shards in which it was barred.

    An entrant that is barred in a shard has few faults there, because it is not asked any more: all its deals of the
    shard count instead."""

    deals: Counter[int] = field(default_factory=Counter)
    faults: Counter[int] = field(default_factory=Counter)
    barred: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, shard: ShardTotals) -> DealsAtFault:
        """Return the counts of a shard."""
        made = cls(deals_by_entrant((row.seats, row.deals) for row in shard.rows))
        barred = {who for (who, kind), n in shard.faults.items() if n >= STRIKES.get(kind, n + 1)}
        barred |= {report.entrant for report in shard.fault_reports if report.phase == "shard"}
        for (who, _), n in shard.faults.items():
            if who in barred:
                made.barred[who] = made.deals[who]
            else:
                made.faults[who] += n
        return made

    def add(self, more: DealsAtFault) -> None:
        self.deals.update(more.deals)
        self.faults.update(more.faults)
        self.barred.update(more.barred)

    def over(self, limit: float | None, tables: int) -> dict[int, Fraction]:
        """Return the entrants that were at fault in more than this share of their deals, with their shares.

        `tables` play the deals of a block side by side, and an entrant sits at one of them. Without a limit there is
        nobody."""
        if limit is None:
            return {}
        most = Fraction(str(limit))
        shares = {who: self.share(who, tables) for who in sorted({*self.faults, *self.barred})}
        return {who: share for who, share in shares.items() if share > most}

    def share(self, entrant: int, tables: int) -> Fraction:
        return Fraction(tables * self.faults[entrant] + self.barred[entrant], max(1, self.deals[entrant]))


def deals_by_entrant(blocks: Iterable[tuple[Iterable[int], int]]) -> Counter[int]:
    """Return how many deals each entrant has in blocks, given as the entrants at their places and their deals."""
    found = Counter[int]()
    for seats, deals in blocks:
        for entrant in {*seats}:
            found[entrant] += deals
    return found
