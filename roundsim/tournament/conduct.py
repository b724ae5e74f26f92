"""How long a strategy that was at fault is not asked, in a shard that is played and in one that is read again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set

from .record import BARRED, OUT

STRIKES = {"late": 10, "dead": 3, "memory": 3}  # of one strategy in one shard: then it is not asked there again


class Conduct:
    """The faults of the entrants of a shard, as they are made."""

    def __init__(self) -> None:
        self.faults: Counter[tuple[int, str]] = Counter()
        self.barred: Set[int] = set()

    def note_fault(self, entrant: int, kind: str, phase: str) -> None:
        """In phase "shard" it is found that it is not to be asked in the whole shard."""
        self.faults[entrant, kind] += 1
        if phase == "shard" or self.faults[entrant, kind] >= STRIKES.get(kind, self.faults.total() + 1):
            self.barred |= {entrant}

    def sits_down(self, entrant: int) -> str:
        """BARRED, or "" for one who is asked."""
        return BARRED if entrant in self.barred else ""

    def after_deal(self, entrant: int, out: str, forfeits: str) -> str:
        """OUT, BARRED or "": with the next deal a strategy is asked again, but for one that is out for the sitting, has
        filled the memory, or is barred."""
        return out or self.sits_down(entrant) or (OUT if forfeits == "memory" else "")
