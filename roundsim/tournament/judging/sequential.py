"""Verdicts of a run that a rule may stop: valid at whatever block it stops."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from ...statistics import cycles
from ...statistics.differences import Difference
from ...statistics.distributions import LEAST_BLOCKS
from ...statistics.groups import LEVEL
from ..planning.plan import Entry, Seed
from ..planning.stopping_rule import Contrast, Separated
from ..results.entry_totals import EntryTotals
from .blocks import Blocks
from .stopping import Outcome
from .verdicts import Pair, Verdicts


class SequentialVerdicts(Verdicts):
    """The verdicts on the blocks that the rule has counted.

    Each two are compared on the blocks where both sit, as by the rule `separated`: at the level of the rule divided by
    the number of pairs. If the rule compares two by the measure that ranks, its own figures are theirs, at the level of
    the rule. So table and rule never disagree."""

    def __init__(
        self, entry: Entry, fold: EntryTotals, seed: Seed, out: Collection[int], level: float, outcome: Outcome
    ) -> None:
        super().__init__(entry, fold, seed, out)
        self.fold, self.level, self.outcome = fold, level, outcome

    @cached_property
    def pairs(self) -> dict[Pair, Difference]:
        if not self.some:
            return {}
        every = Separated(self.entrants, self.level)
        for row in Blocks(self.entry, self.fold.blocks, last=self.outcome.block):
            every.add(row)
        compared = {
            pair: Difference.at_any_look(mixture)
            for pair, mixture in every.mixtures.items()
            if mixture.blocks >= LEAST_BLOCKS and self.out.isdisjoint(pair)
        }
        rule, pair = self.outcome.rule, (0, 0)
        if isinstance(rule, Contrast) and self.outcome.measure == self.entry.format.measures[0]:
            pair = min(rule.one, rule.other), max(rule.one, rule.other)
        if isinstance(rule, Contrast) and pair in compared:
            difference = Difference.at_any_look(rule.mixture)
            compared[pair] = difference if rule.one < rule.other else difference.reversed()
        return compared

    @cached_property
    def differences(self) -> dict[Pair, Difference]:
        return self.pairs

    @cached_property
    def adjusted(self) -> dict[Pair, float]:
        return {pair: min(1.0, difference.p * LEVEL / difference.level) for pair, difference in self.pairs.items()}

    @cached_property
    def cycles(self) -> list[tuple[int, int, int]]:
        return cycles.cycles_of(self.above, self.entrants)

    def more_deals(self, one: int, other: int) -> None:
        """Return None: no number of deals is needed, since the run may be looked at at any time."""
