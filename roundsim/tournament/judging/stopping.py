"""The rules to stop by, tested as shards come in (see `planning.stopping_rule`), and what they decide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...statistics.rows import BlockRow
from ...statistics.stopping import Decision
from ..formats import Measure
from ..planning.plan import Entry, Stopping
from ..planning.stopping_rule import Contrast, stopping_rule
from ..results.entry_totals import EntryTotals
from .blocks import Blocks


class Outcome(NamedTuple):
    """The result of a rule at `block`.

    A contrast has its `rule`, with all its figures."""

    decision: Decision
    block: int
    measure: Measure
    rule: Contrast | None = None


def verdict(outcomes: Sequence[Outcome]) -> Decision:
    """Return the decision over all games: WORSE if any is, BETTER if all are; else UNDECIDED if any is."""
    decisions = {each.decision for each in outcomes}
    return next(each for each in Decision if each in decisions)


class RuleWatch:
    """The rule of an entry that is being played: `ended` when it is decided, with `block`."""

    def __init__(self, entry: Entry, stopping: Stopping) -> None:
        self.entry = entry
        self.rule, self.measure = stopping_rule(entry, stopping)
        self.block, self.shards = 0, (blocks[0] for blocks in entry.shards())
        self.shard = next(self.shards, 0)
        self.ended = self.rule.decision() is not Decision.UNDECIDED

    def follow(self, fold: EntryTotals) -> bool:
        """Test the rule on the blocks added since the last call; return whether it is decided."""
        while not self.ended and self.shard in fold.blocks.shards:
            self.ended = self.look(list(Blocks(self.entry, fold.blocks.only(self.shard), self.measure)), fold)
            self.shard = next(self.shards, 0)
        return self.ended

    def look(self, rows: Sequence[BlockRow], fold: EntryTotals) -> bool:
        together = self.shard in fold.faulty
        for row in rows:
            self.rule.add(row)
            self.block = row.block
            if (row is rows[-1] or not together) and self.rule.decision() is not Decision.UNDECIDED:
                return True
        return False

    def outcome(self) -> Outcome:
        decision = self.rule.decision() if self.ended else Decision.UNDECIDED
        return Outcome(decision, self.block, self.measure, self.rule if isinstance(self.rule, Contrast) else None)


def watches(entries: Sequence[Entry], stopping: Stopping | None) -> Iterator[RuleWatch]:
    """Yield a watch for each entry; none if there is no rule."""
    return (RuleWatch(entry, stopping) for entry in entries if stopping)


def outcome(entry: Entry, stopping: Stopping, fold: EntryTotals) -> Outcome:
    """Return the result of the rule on what was played."""
    watch = RuleWatch(entry, stopping)
    watch.follow(fold)
    return watch.outcome()
