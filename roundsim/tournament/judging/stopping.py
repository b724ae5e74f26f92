"""The rules to stop by, tested as shards come in (see `planning.stopping_rule`), and what they decide."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from ...base.text import plain, signed
from ...statistics.rows import BlockRow
from ...statistics.stopping import EARLIEST, Decision
from ..formats import Measure
from ..planning.plan import Entry, Stopping, Tournament
from ..planning.stopping_rule import Contrast, PooledContrast, StoppingRule, stopping_rule
from ..results.at_fault import DealsAtFault, deals_by_entrant
from ..results.entry_totals import EntryTotals
from .blocks import Blocks

SCORE = Measure("score", "score", "score", signed, error_data="error", error_shown=True, error_text=plain)


class Outcome(NamedTuple):
    """The result of a rule at `block`.

    A contrast has its `rule`, with all its figures."""

    decision: Decision
    block: int
    measure: Measure
    rule: Contrast | PooledContrast | None = None


class Outcomes(NamedTuple):
    """The result of a rule in each game; of a gate over all games, the same decision in each, and its own figures."""

    games: list[Outcome]
    over_all: Outcome | None = None


def verdict(outcomes: Sequence[Outcome]) -> Decision:
    """Return the decision over all games: VOID or WORSE if any is, BETTER if all are; else UNDECIDED if any is."""
    decisions = {outcome.decision for outcome in outcomes}
    return next(decision for decision in Decision if decision in decisions)


class RuleWatch:
    """The rule of an entry that is being played: `ended` when it is decided, with `block`.

    `placed_within`: as in the limits of the run; `at_fault`: the faults up to the end of a shard."""

    def __init__(self, entry: Entry, stopping: Stopping, placed_within: float | None = None) -> None:
        self.entry, self.placed_within, self.at_fault = entry, placed_within, DealsAtFault()
        self.rule, self.measure = stopping_rule(entry, stopping)
        self.block, self.shards = 0, (blocks[0] for blocks in entry.shards())
        self.shard = next(self.shards, 0)
        self.ended = self.rule.decision() is not Decision.UNDECIDED

    @property
    def deciding(self) -> StoppingRule | PooledContrast:
        """The rule that ends the entry."""
        return self.rule

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


class PooledWatch(RuleWatch):
    """One game of a gate over all games. The pool decides, as soon as it has a block of each game."""

    def __init__(self, entry: Entry, stopping: Stopping, placed_within: float | None, pool: Pool) -> None:
        super().__init__(entry, stopping, placed_within)
        self.pool, self.fold, self.may_stop = pool, EntryTotals(), True
        self.rows = deque[tuple[BlockRow, DealsAtFault | None]]()  # of its shard; without deals if that has faults

    @property
    def deciding(self) -> PooledContrast:
        return self.pool.rule

    def follow(self, fold: EntryTotals) -> bool:
        self.fold = fold
        self.pool.follow()
        return self.ended

    def has_next(self) -> bool:
        """Whether its next block has been added."""
        if not self.rows and self.shard in self.fold.blocks.shards:
            blocks = Blocks(self.entry, self.fold.blocks.only(self.shard), self.measure)
            if faulty := self.fold.faulty.get(self.shard):
                self.leave_out(faulty)
                self.rows.extend((row, None) for row in blocks)
            else:
                deals = (DealsAtFault(deals_by_entrant([(seats, n)])) for _, seats, n in blocks.deals())
                self.rows.extend(zip(blocks, deals, strict=True))
            self.shard = next(self.shards, 0)
        return bool(self.rows)

    def take(self) -> BlockRow:
        """Take its next block. It may stop there unless that is inside a shard with faults, which is never cut."""
        row, deals = self.rows.popleft()
        if deals:
            self.leave_out(deals)
        self.block, self.may_stop = row.block, deals is not None or not self.rows
        return row


class Pool:
    """A gate over all games: the watch of each, and the rule that ends all of them at the same block.

    It looks after each round, a block of each game, if all games may stop there."""

    def __init__(self, entries: Sequence[Entry], stopping: Stopping, placed_within: float | None) -> None:
        self.watches = [PooledWatch(entry, stopping, placed_within, self) for entry in entries]
        contrasts = [watch.rule for watch in self.watches if isinstance(watch.rule, Contrast)]
        self.rule, self.block = PooledContrast(contrasts, stopping.level), 0
        self.end(self.rule.same)

    @property
    def ended(self) -> bool:
        return all(watch.ended for watch in self.watches)

    def end(self, ended: bool) -> None:
        for watch in self.watches:
            watch.ended = ended

    def follow(self) -> None:
        """Test the rule on the rounds added since the last call."""
        while not self.ended and all([watch.has_next() for watch in self.watches]):
            self.rule.add([watch.take() for watch in self.watches])
            self.block += 1
            decided = self.rule.decision() is not Decision.UNDECIDED
            if all(watch.may_stop for watch in self.watches):
                self.end(decided or self.rule.void and all(watch.may_be_void() for watch in self.watches))

    def outcomes(self) -> Outcomes:
        last = min(watch.entry.blocks for watch in self.watches)
        decision = self.rule.decision() if self.ended else Decision.UNDECIDED
        if self.rule.void and (self.ended or self.block == last):
            decision = Decision.VOID
        shown = decision is not Decision.VOID
        games = [
            Outcome(
                decision, self.block, watch.measure, watch.rule if shown and isinstance(watch.rule, Contrast) else None
            )
            for watch in self.watches
        ]
        known = shown and not self.rule.pooled.waiting
        return Outcomes(games, Outcome(decision, self.block, SCORE, self.rule if known else None))


def watches(tournament: Tournament) -> Sequence[RuleWatch]:
    """Return a watch for each entry; none if there is no rule."""
    if not tournament.stopping:
        return []
    return watches_of(tournament.entries, tournament.stopping, tournament.limits.placed_within)


def watches_of(entries: Sequence[Entry], stopping: Stopping, placed_within: float | None) -> Sequence[RuleWatch]:
    if stopping.over_all:
        return Pool(entries, stopping, placed_within).watches
    return [RuleWatch(entry, stopping, placed_within) for entry in entries]


def all_ended(watched: Sequence[RuleWatch], folds: Sequence[EntryTotals]) -> bool:
    """Whether the rules need no more blocks. Each rule looks at the blocks added since the last call."""
    for watch, fold in zip(watched, folds, strict=True):
        watch.follow(fold)
    return all(watch.ended for watch in watched)


def outcomes(
    entries: Sequence[Entry], stopping: Stopping, folds: Sequence[EntryTotals], placed_within: float | None = None
) -> Outcomes:
    """Return the results of the rule on what was played."""
    watched = watches_of(entries, stopping, placed_within)
    all_ended(watched, folds)
    if isinstance(watched[0], PooledWatch):
        return watched[0].pool.outcomes()
    return Outcomes([watch.outcome() for watch in watched])
