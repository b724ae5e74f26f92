"""How long a strategy is not asked after a fault, both when a shard is played and when it is replayed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set

from .results.record import BARRED, OUT, STRIKES


class Conduct:
    """The faults of the entrants of a shard, added as they happen."""

    def __init__(self) -> None:
        self.faults: Counter[tuple[int, str]] = Counter()
        self.barred: Set[int] = set()

    def note_fault(self, entrant: int, kind: str, phase: str) -> None:
        """Note a fault. In phase "shard" the entrant is not asked in the whole shard."""
        self.faults[entrant, kind] += 1
        if phase == "shard" or self.faults[entrant, kind] >= STRIKES.get(kind, self.faults.total() + 1):
            self.barred |= {entrant}

    def sits_down(self, entrant: int) -> str:
        """Return BARRED, or "" for an entrant that is asked."""
        return BARRED if entrant in self.barred else ""

    def after_deal(self, entrant: int, out: str, forfeits: str) -> str:
        """Return OUT, BARRED or "" after a deal.

        A strategy is asked again in the next deal unless it is out for the sitting, has filled the memory, or is
        barred."""
        return out or self.sits_down(entrant) or (OUT if forfeits == "memory" else "")
