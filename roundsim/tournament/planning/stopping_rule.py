"""When a run may stop early: a rule that is tested after every block, in schedule order.

    mine - book > 0      significantly different from 0, or another number, to either side; also < and !=
    separated            each significantly different from the next in the standings
    ±0.05                no interval of a mean is wider

A contrast ends without a difference if both strategies have the same source, if a thousand sittings came out alike, or
if the difference is surely below what it is `worth` to know.

A measure of the format may precede the rule, as in "won: ±0.01"; else it is the measure that ranks. More is always
better: places of a freeze-out count as the number of places ahead. Only blocks with no missing block before them count,
so the decision does not depend on which worker is faster. Blocks of a shard with faults count together, because such a
shard is never cut.

Strategies that are not placed, because of their faults up to the end of a shard, do not count. A difference from one of
them is void, and ends the run: at its first fault if none is allowed, else when 80 blocks have been played."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import combinations, pairwise, starmap
from math import ceil, inf, sqrt
from typing import NamedTuple, Protocol

from ...base.errors import OptionError, did_you_mean
from ...base.values import Either, Number, Text
from ...sources.plugins import Strategy
from ...statistics.differences import value_of
from ...statistics.distributions import student
from ...statistics.few_values import Counts, count_few, half_width, with_bounds
from ...statistics.pooled import Pooled
from ...statistics.rows import BlockRow
from ...statistics.stopping import EARLIEST, Decision, Mixture
from ..formats import Measure
from .plan import Entry, Stopping

LEVEL = Stopping.level  # how often it may be wrong
ALIKE = 1000  # sittings that come out alike: two strategies are then taken to be the same
EVERY = 20  # blocks: a rule looks whether there is any hope left
NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)"
MEASURE = re.compile(r"(\w+):\s*(.*)", re.S)
CONTRAST = re.compile(rf"(.+?)\s+-\s+(.+?)\s*(>|<|!=)\s*({NUMBER})")
WIDTH = re.compile(rf"(?:±|\+-|\+/-)\s*({NUMBER})")
DECIDED_FOR = {">": {Decision.BETTER}, "<": {Decision.WORSE}, "!=": {Decision.WORSE, Decision.BETTER}}
NO_SCORE = "over all games a gate compares scores: it has neither a margin nor a worth, which are in counters a deal"
DEVIATIONS = "sd"
POSITIVE = r"(?=.*[1-9])(?:\d+(?:\.\d*)?|\.\d+)"
WORTH = Either(
    Number(1e-18, 10**18, "a number above 0"),
    Text(pattern=POSITIVE + DEVIATIONS),
    words="a number above 0, or as in '0.2sd'",
)
FORMS = "'mine - book > 0', 'separated' or '±0.05'"


class StoppingRule(Protocol):
    """A rule that sees block by block."""

    def add(self, row: BlockRow) -> None: ...
    def leave_out(self, out: Collection[int]) -> None:
        """Set the entrants that are not placed, because of their faults so far."""

    def decision(self) -> Decision:
        """Return BETTER if the rule holds, WORSE if it does not, UNDECIDED if that is not known yet."""


class Contrast:
    """How far one entrant is above another, compared with a number.

    `same`: both are the same strategy. `trials`: of each in a block. `cap`: the most blocks, if there are so many at most.
    `evidence`: the most at any look so far (see
    `Mixture`). `void`: whether one of them is not placed."""

    def __init__(self, one: int, other: int, sign: str, delta: float, stopping: Stopping, entry: Entry) -> None:
        self.one, self.other, self.sign, self.delta = one, other, sign, delta
        self.same = are_same(entry.strategies[one], entry.strategies[other])
        self.stopping, self.trials, self.cap = stopping, entry.format.trials, entry.cap
        self.mixture, self.evidence, self.void = Mixture(stopping.level, stopping.level_worse), -inf, False

    def difference(self, row: BlockRow) -> float | None:
        """Return how far the one is above the other in a block; None if they did not meet in it."""
        if self.one in row.entrants and self.other in row.entrants:
            return value_of(row, self.one) - value_of(row, self.other)
        return None

    def add(self, row: BlockRow) -> None:
        if (difference := self.difference(row)) is not None:
            self.mixture.add(difference)

    def leave_out(self, out: Collection[int]) -> None:
        self.void = self.one in out or self.other in out

    def decision(self) -> Decision:
        if self.same or self.are_alike:
            decision = Decision.BETTER if self.delta < 0 else Decision.WORSE if self.delta > 0 else Decision.EQUAL
        else:
            self.evidence = max(self.evidence, self.mixture.evidence(self.delta))
            decision = self.mixture.decision(self.delta)
            if decision is Decision.UNDECIDED and (self.is_not_worth_it or self.is_hopeless):
                decision = Decision.EQUAL
        if decision in (Decision.UNDECIDED, Decision.EQUAL):
            return decision
        return Decision.BETTER if decision in DECIDED_FOR[self.sign] else Decision.WORSE

    @property
    def is_not_worth_it(self) -> bool:
        """Whether the difference is surely too small to matter."""
        worth = self.stopping.worth or (self.stopping.worth_sd or 0.0) * self.mixture.deviation
        return self.mixture.is_within(worth)

    @property
    def is_hopeless(self) -> bool:
        """Whether no difference can be found any more in the blocks that are left."""
        looks = not self.delta and self.mixture.blocks % EVERY == 0
        return looks and self.mixture.is_hopeless(self.cap)

    @property
    def are_alike(self) -> bool:
        """Whether all of a thousand sittings came out alike."""
        return not self.mixture.changed and self.mixture.blocks * self.trials >= ALIKE


class PooledContrast:
    """How far one entrant is above another over all games, as a score (see `statistics.pooled`).

    `contrasts`: those of the games. It has the same figures as each of them."""

    delta = 0.0

    def __init__(self, contrasts: Sequence[Contrast], level: float) -> None:
        self.contrasts, self.pooled, self.evidence = contrasts, Pooled(len(contrasts), level), -inf

    @property
    def mixture(self) -> Mixture:
        return self.pooled.mixture

    @property
    def same(self) -> bool:
        return all(contrast.same for contrast in self.contrasts)

    @property
    def are_alike(self) -> bool:
        return all(contrast.same or contrast.are_alike for contrast in self.contrasts)

    @property
    def void(self) -> bool:
        return any(contrast.void for contrast in self.contrasts)

    def add(self, rows: Sequence[BlockRow]) -> None:
        """Add a round: a block of each game."""
        pairs = [*zip(self.contrasts, rows, strict=True)]
        for contrast, row in pairs:
            contrast.add(row)
        self.pooled.add([contrast.difference(row) for contrast, row in pairs])

    def decision(self) -> Decision:
        if self.are_alike:
            return Decision.EQUAL
        if not self.pooled.waiting:
            self.evidence = max(self.evidence, self.mixture.evidence())
        return self.pooled.decision()


class Separated:
    """Each entrant against the next that is placed, at a level for all pairs, because the order is not known in
    advance."""

    def __init__(self, entrants: int, level: float) -> None:
        pairs = [*combinations(range(entrants), 2)]
        self.mixtures = {pair: Mixture(level / len(pairs)) for pair in pairs}
        self.weights, self.sums = [0.0] * entrants, [0.0] * entrants
        self.placed: Sequence[int] = range(entrants)

    def add(self, row: BlockRow) -> None:
        for (one, x), (other, y) in combinations(sorted(zip(row.entrants, row.values, strict=True)), 2):
            self.mixtures[one, other].add(x - y)
        for entrant, value in zip(row.entrants, row.values, strict=True):
            self.weights[entrant] += row.weight
            self.sums[entrant] += row.weight * value

    def leave_out(self, out: Collection[int]) -> None:
        self.placed = [entrant for entrant in range(len(self.sums)) if entrant not in out]

    def decision(self) -> Decision:
        if len(self.placed) < 2 or not all(self.weights[entrant] for entrant in self.placed):
            return Decision.UNDECIDED
        order = sorted(self.placed, key=lambda entrant: self.sums[entrant] / self.weights[entrant])
        decisions = (self.mixtures[min(pair), max(pair)].decision() for pair in pairwise(order))
        return Decision.UNDECIDED if Decision.UNDECIDED in decisions else Decision.BETTER


class Width:
    """The widest interval of a mean of those that are placed, after a minimum number of blocks of each.

    `bounds`: the least and the largest value of a block, if they are known."""

    def __init__(self, entrants: int, most: float, bounds: Collection[float] = ()) -> None:
        self.most, self.bounds = most, bounds
        self.placed: Sequence[int] = range(entrants)
        self.sums = [[0.0] * 6 for _ in range(entrants)]
        self.few: list[Counter[float] | None] = [Counter() for _ in range(entrants)]

    def add(self, row: BlockRow) -> None:
        w = row.weight
        for entrant, value in zip(row.entrants, row.values, strict=True):
            x = w * value
            self.sums[entrant] = [
                a + b for a, b in zip(self.sums[entrant], (1, x, x * x, x * w, w, w * w), strict=True)
            ]
            if (few := self.few[entrant]) is not None:
                self.few[entrant] = count_few(few, Counter([value]))

    def leave_out(self, out: Collection[int]) -> None:
        self.placed = [entrant for entrant in range(len(self.sums)) if entrant not in out]

    @property
    def widest(self) -> float:
        """The half-width of the widest interval; infinite if nobody is placed."""
        each = ((self.sums[entrant], self.few[entrant], self.bounds) for entrant in self.placed)
        return max(starmap(mean_half_width, each), default=inf)

    def decision(self) -> Decision:
        return Decision.BETTER if self.widest <= self.most else Decision.UNDECIDED


def mean_half_width(sums: Sequence[float], few: Counts | None = None, bounds: Collection[float] = ()) -> float:
    """Return the half-width of the interval of a mean, as in the standings; infinite if all blocks are alike.

    `few`: how many blocks have each value, if there are few different ones."""
    n, x, xx, xw, w, ww = sums
    if n < EARLIEST:
        return inf
    if few and ww * n == w * w:  # all weigh the same
        return half_width(with_bounds(few, bounds)) or inf
    if few and len(few) == 1:
        return inf
    squares = max(0.0, xx - 2 * x / w * xw + (x / w) ** 2 * ww)
    return student(n - 1) * sqrt(squares * n / (n - 1)) / w


def stopping_rule(entry: Entry, stopping: Stopping) -> tuple[StoppingRule, Measure]:
    """Return the rule for an entry, and its measure. OptionError says what is wrong with it."""
    format, labels = entry.format, entry.labels
    known = {measure.key: measure for measure in format.measures}
    match = MEASURE.fullmatch(stopping.until)
    key, text = match.groups() if match else (format.measures[0].key, stopping.until)
    if key not in known:
        raise OptionError([f"a {format.name} has no measure {key}{did_you_mean(key, known)}: {', '.join(known)}"])
    if len(labels) < 2 and not WIDTH.fullmatch(text) or format.seats == 1:
        raise OptionError(
            [f"{entry.name}: one {'seat' if format.seats == 1 else 'strategy'} alone is not to be compared"]
        )
    if compared := comparison(text):
        one, other, relation, number = compared
        for name in one, other:
            if name not in labels:
                raise OptionError(
                    [f"{entry.name}: no {name} at the table{did_you_mean(name, labels)}: {', '.join(labels)}"]
                )
        if one == other:
            raise OptionError([f"{one} is compared with itself"])
        first, second = labels.index(one), labels.index(other)
        if stopping.over_all and (relation != ">" or float(number) or stopping.worth or stopping.worth_sd):
            raise OptionError([NO_SCORE])
        return Contrast(first, second, relation, float(number), stopping, entry), known[key]
    if stopping.over_all:
        raise OptionError([f"{stopping.until!r} is no gate: only a gate is over all games"])
    if text == "separated":
        return Separated(len(labels), stopping.level), known[key]
    if match := WIDTH.fullmatch(text):
        measure = known[key]
        sign, ends = -1 if measure.less_is_better else 1, measure.bounds(entry) if measure.bounds else ()
        return Width(len(labels), float(match[1]), [sign * end for end in ends]), measure
    raise OptionError([f"{stopping.until!r} is no rule to stop by: write {FORMS}"])


def blocks_needed(entry: Entry, rule: StoppingRule) -> int:
    """Return the blocks that are needed before anything is decided: 80 of each entrant that the rule looks at."""
    entrants = len(entry.strategies)
    if isinstance(rule, Contrast) and max(rule.one, rule.other) < entry.format.in_every_block:
        return EARLIEST
    seats = min(entry.format.seats or entrants, entrants)
    if isinstance(rule, Width):
        return ceil(EARLIEST * entrants / seats)
    return ceil(EARLIEST * entrants * (entrants - 1) / (seats * (seats - 1)))


def stoppable(entry: Entry, stopping: Stopping, usual: bool) -> Entry:
    """Return the entry, which may stop by this rule. OptionError if it cannot.

    `usual`: the user did not say how much to play."""
    if not entry.format.open_ended:
        raise OptionError([f"a {entry.format.name} does not stop early: who goes on is known when a round is played"])
    if usual:
        entry = replace(entry, blocks=max(entry.blocks, entry.format.cap), asked=0)
    rule, _ = stopping_rule(entry, stopping)
    needed, units, amount = blocks_needed(entry, rule), entry.format.units(entry), entry.format.amount
    if entry.blocks < needed:
        problem = f"{amount} = {entry.blocks * units} is too few to stop by: {needed * units} are needed at least"
        raise OptionError([f"{entry.name}: {problem}"])
    return replace(entry, cap=entry.blocks)


def are_same(one: Strategy, other: Strategy) -> bool:
    """Whether two strategies are recorded as the same source with the same parameters.

    The record of a strategy with a name of its own has the attribute; any other has its own name."""
    first, second = ((strategy.sha256, strategy.named, dict(strategy.parameters)) for strategy in (one, other))
    return first == second and (one.attribute == other.attribute if one.named else one.name == other.name)


def gate_rule(
    mine: str, baseline: str, margin: float, worth: float | str | None, games: int, over_all: bool = False
) -> Stopping:
    """Return the rule of a gate: mine is better than the baseline or, with a margin, not worse by more.

    Over all its `games` games the chance of an error is at most that of one rule. It is better only if it is better in
    each, so each may be tested for that at the whole level. It is worse if it is worse in one, so for that they share
    the level.

    `worth`: in counters a deal; a text, "0.2sd", in standard deviations of a block.

    `over_all`: it tests the score over all games, at the whole level. OptionError for a margin and a worth, for either
    of them over all games, and for only one game over all."""
    if worth is not None and not WORTH.fits(worth):
        raise OptionError([f"worth must be {WORTH}, not {worth!r}"])
    if margin and worth:
        raise OptionError(["a gate with a margin passes without a difference: give a margin or a worth"])
    if over_all and (margin or worth):
        raise OptionError([NO_SCORE])
    if over_all and games < 2:
        raise OptionError(["over all games: there is only one"])
    shared = LEVEL / games if games > 1 and not over_all else None
    in_deviations = float(worth.removesuffix(DEVIATIONS)) if isinstance(worth, str) else None
    return Stopping(
        f"{mine} - {baseline} > {-margin or 0.0:.15g}",
        worth=None if isinstance(worth, str) else worth,
        worth_sd=in_deviations,
        level_worse=shared,
        over_all=over_all,
    )


class ComparedStrategies(NamedTuple):
    """The comparison that a rule makes: one strategy with another, by a sign and a number, as it is written."""

    one: str
    other: str
    sign: str
    number: str


def comparison(text: str) -> ComparedStrategies | None:
    """Return what the text of a rule compares, "mine - book > 0"; None if it is another rule."""
    match = CONTRAST.fullmatch(text)
    return ComparedStrategies(*match.groups()) if match else None


def gate_of(stopping: Stopping | None) -> ComparedStrategies | None:
    """Return what a gate compares, by the ranking measure with the sign `>`; None if it is no gate."""
    compared = comparison(stopping.until) if stopping else None
    return compared if compared and compared.sign == ">" else None


def is_gate(stopping: Stopping | None) -> bool:
    return gate_of(stopping) is not None
