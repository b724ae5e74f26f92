"""The rules to stop by, tested as shards come in (see `planning.stopping_rule`), and what they decide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...statistics.rows import BlockRow
from ...statistics.stopping import EARLIEST, Decision
from ..formats import Measure
from ..planning.plan import Entry, Stopping, Tournament
from ..planning.stopping_rule import Contrast, stopping_rule
from ..results.at_fault import DealsAtFault, deals_by_entrant
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
    """Return the decision over all games: VOID or WORSE if any is, BETTER if all are; else UNDECIDED if any is."""
    decisions = {each.decision for each in outcomes}
    return next(each for each in Decision if each in decisions)


class RuleWatch:
    """The rule of an entry that is being played: `ended` when it is decided, with `block`.

    `placed_within`: as in the limits of the run; `at_fault`: the faults up to the end of a shard."""

    def __init__(self, entry: Entry, stopping: Stopping, placed_within: float | None = None) -> None:
        self.entry, self.placed_within, self.at_fault = entry, placed_within, DealsAtFault()
        self.rule, self.measure = stopping_rule(entry, stopping)
        self.block, self.shards = 0, (blocks[0] for blocks in entry.shards())
        self.shard = next(self.shards, 0)
        self.ended = self.rule.decision() is not Decision.UNDECIDED

    def follow(self, fold: EntryTotals) -> bool:
        """Test the rule on the blocks added since the last call; return whether it is decided."""
        while not self.ended and self.shard in fold.blocks.shards:
            blocks = Blocks(self.entry, fold.blocks.only(self.shard), self.measure)
            if self.shard in fold.faulty:
                self.leave_out(fold.faulty[self.shard])
            self.ended = self.look(list(blocks), fold)
            if self.shard not in fold.faulty:  # it may be cut: what comes after its last block must not count
                played = ((seats, deals) for block, seats, deals in blocks.deals() if block <= self.block)
                self.leave_out(DealsAtFault(deals_by_entrant(played)))
            self.ended = self.ended or self.is_void() and self.may_be_void()
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

    def leave_out(self, more: DealsAtFault) -> None:
        """Count further deals, and set who is not placed."""
        self.at_fault.add(more)
        format, within = self.entry.format, self.placed_within
        self.rule.leave_out(self.at_fault.over(within, format.tables_at_once(self.entry), format.parts))

    def is_void(self) -> bool:
        return isinstance(self.rule, Contrast) and self.rule.void

    def may_be_void(self) -> bool:
        """Whether so much has been played that too large a share of faults is no accident."""
        return not self.placed_within or self.block >= EARLIEST

    def outcome(self) -> Outcome:
        if self.is_void() and (self.ended or self.block == self.entry.blocks):
            return Outcome(Decision.VOID, self.block, self.measure)
        decision = self.rule.decision() if self.ended else Decision.UNDECIDED
        return Outcome(decision, self.block, self.measure, self.rule if isinstance(self.rule, Contrast) else None)


def watches(tournament: Tournament) -> Iterator[RuleWatch]:
    """Yield a watch for each entry; none if there is no rule."""
    stopping, placed_within = tournament.stopping, tournament.limits.placed_within
    return (RuleWatch(entry, stopping, placed_within) for entry in tournament.entries if stopping)


def outcome(entry: Entry, stopping: Stopping, fold: EntryTotals, placed_within: float | None = None) -> Outcome:
    """Return the result of the rule on what was played."""
    watch = RuleWatch(entry, stopping, placed_within)
    watch.follow(fold)
    return watch.outcome()
