"""The verdict about a claim: its condition, `dealer - eldest < 0`, on the sums of its blocks; valid at any look, and for
all claims of a page at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import inf, log, sqrt
from typing import Any, NamedTuple

from ..base.errors import did_you_mean
from ..statistics.distributions import LEAST_BLOCKS, student
from ..statistics.few_values import Counts, half_width
from ..statistics.moments import Moments
from ..statistics.stopping import EARLIEST, Decision, Mixture

RIGHT, WRONG, ALIKE, OPEN, DEPENDS, UNTESTABLE = "right", "wrong", "no difference", "open", "depends", "untestable"
PROGRAM = "as its program says"  # decided by what a player or a rule never does, or always
CLAIMS = 500  # at most, on the page: they share the chance of one error
LEVEL = 0.05 / CLAIMS
LOOKS = 4  # at a claim, at most
SAME = 1000  # blocks that all have exactly the number on the right: there is no difference
SMALL = 50  # a difference is none if it is less than this part of the spread of a single number
NUMBER = r"\d+(?:\.\d*)?|\.\d+"
NAME = r"[^\W\d]\w*(?:\.\w+)?"
TERM = re.compile(rf"\s*([+-])?\s*(?:({NUMBER})\s*\*\s*)?({NAME})")
END = re.compile(rf"\s*(>|<|=)\s*([+-]?\s*(?:{NUMBER}))\s*")
FORM = "write NAME - NAME > 0, with <, > or =, numbers as in 2*NAME, and a number on the right"


@dataclass(frozen=True)
class Condition:
    """`terms`: the factor of each name; `sign`: >, < or =; `bound`: the number on the right."""

    terms: tuple[tuple[str, float], ...]
    sign: str
    bound: float

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Parse a condition. Raises ValueError with what is wrong."""
        at, terms = 0, dict[str, float]()
        while term := TERM.match(text, at):
            sign, factor, name = term.groups()
            if terms and not sign:
                break
            terms[name] = terms.get(name, 0.0) + float(factor or 1) * (-1 if sign == "-" else 1)
            at = term.end()
        end = END.fullmatch(text, at)
        if not terms or not end:
            raise ValueError(f"{text!r} is no condition: {FORM}")
        return cls(tuple(terms.items()), end[1], float(end[2].replace(" ", "")))

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.terms]

    def unknown(self, known: Collection[str]) -> str:
        """Return a message about the first name that is not known; "" if all are."""
        for name in self.names:
            if name not in known:
                return f"no figure {name!r}{did_you_mean(name, known)}: there are {', '.join(known)}"
        return ""

    def value(self, figures: Mapping[str, Any]) -> float:
        """Return the value of the left side."""
        return float(sum(factor * figures[name] for name, factor in self.terms))

    def holds(self, figures: Mapping[str, Any]) -> bool:
        """Return whether exact figures fulfil it."""
        value = self.value(figures)
        return (
            value > self.bound if self.sign == ">" else value < self.bound if self.sign == "<" else value == self.bound
        )


def name_of(label: str, name: str) -> str:
    """Return the name of a figure: of a run that is compared, by its label; in the condition `stand` or `stand.trick`."""
    return f"{label}.{name}" if label and name else label or name


class Sum(NamedTuple):
    """The numbers that a block yields under a name: how many, their sum, and that of their squares."""

    n: int
    total: float
    squares: float

    def plus(self, other: Sum) -> Sum:
        return Sum(self.n + other.n, self.total + other.total, self.squares + other.squares)


NONE = Sum(0, 0.0, 0.0)
BlockSums = Mapping[str, Sum]


class Judged(NamedTuple):
    """The verdict of some blocks about a condition.

    `value`: of its left side; `error`: half the width of its 95 % interval, infinite under ten blocks; `low`, `high`: its
    limits at the level of the verdicts, valid at any look; `figures`: the mean of each name; `n`: how many numbers the
    rarest name has."""

    verdict: str
    value: float | None
    error: float
    low: float
    high: float
    figures: Mapping[str, float]
    n: int


def judge_blocks(condition: Condition, blocks: Sequence[BlockSums], matters: float | None = None) -> Judged:
    """Return the verdict about a condition after these blocks: open while the rarest name has fewer than 80 numbers.

    `matters`: the least difference that does."""
    totals = {name: NONE for name in condition.names}
    for block in blocks:
        for name in totals:
            totals[name] = totals[name].plus(block.get(name, NONE))
    figures = {name: total.total / total.n for name, total in totals.items() if total.n}
    rarest = min(total.n for total in totals.values())
    if not rarest:
        return Judged(OPEN, None, inf, -inf, inf, figures, 0)
    value, mixture = condition.value(figures), Mixture(LEVEL)
    around = influences(condition, blocks, totals, figures)
    alike = all(len({block.get(name, NONE).n for name in totals}) == 1 for block in blocks)
    for number, block in zip(around, blocks, strict=True):
        # exact where all names count the same: a block without any says nothing
        share = block.get(condition.names[0], NONE).n * len(blocks) / rarest if alike else 1
        mixture.add(number + (value - condition.bound) * share)
    spread = max(abs(factor) * deviation_of(totals[name]) for name, factor in condition.terms)
    low, high = mixture.interval() or (-inf, inf)
    moments = Moments.of(around)
    error = student(moments.n - 1) * moments.standard if moments.n >= LEAST_BLOCKS else inf
    error = error or error_of_shares(condition, totals)
    matters = spread / SMALL if matters is None else matters
    verdict = word(condition.sign, mixture, matters, chernoff_test(condition, totals)) if rarest >= EARLIEST else OPEN
    if verdict in (RIGHT, WRONG) and value != condition.bound and any(map(is_none_or_all, totals.values())):
        verdict = PROGRAM
    return Judged(verdict, value, error, low + condition.bound, high + condition.bound, figures, rarest)


def influences(
    condition: Condition, blocks: Sequence[BlockSums], totals: BlockSums, figures: Mapping[str, float]
) -> list[float]:
    """Return by how much each block moves the value of the left side, linearised: their mean is 0."""
    weights = [(name, factor * len(blocks) / totals[name].n, figures[name]) for name, factor in condition.terms]
    return [
        sum(weight * (sums.total - figure * sums.n) for name, weight, figure in weights if (sums := block.get(name)))
        for block in blocks
    ]


def deviation_of(total: Sum) -> float:
    """Return the standard deviation of single numbers."""
    return sqrt(max(0.0, total.squares / total.n - (total.total / total.n) ** 2))


def error_of_shares(condition: Condition, totals: BlockSums) -> float:
    """Return half the width of the interval where all blocks are alike: that of exact limits of shares (Clopper and Pearson
    1934). It is infinite if anything else is counted."""
    if not all(map(is_none_or_all, totals.values())):
        return inf
    counts: dict[str, Counts] = {name: {0: n - int(total), 1: int(total)} for name, (n, total, _) in totals.items()}
    return sum((abs(factor) * (half_width(counts[name]) or 0.0) for name, factor in condition.terms), 0.0)


def is_none_or_all(total: Sum) -> bool:
    """Return whether all numbers are 0, or all are 1."""
    return total.squares == total.total and total.total in (0, total.n)


def chernoff_test(condition: Condition, totals: BlockSums) -> Callable[[float], bool]:
    """Return whether a share may be decided not to be the bound, or that much more: only if so few, or so many, deals
    would be too improbable (Chernoff 1952). The mixture takes what never came for what cannot come.

    For all else it is always true."""
    (name, factor), *others = condition.terms
    n, total, squares = totals[name]
    if others or factor != 1 or total != squares:  # not all are 0 or 1
        return lambda more: True
    return lambda more: n * divergence(total / n, condition.bound + more) >= -log(LEVEL / LOOKS)


def divergence(share: float, other: float) -> float:
    """Return the relative entropy of a share against another one."""
    if not 0 < other < 1:
        return 0.0 if share == other else inf
    parts = (share, other), (1 - share, 1 - other)
    return sum(one * log(one / its) for one, its in parts if one)


def word(sign: str, mixture: Mixture, matters: float, tells_apart: Callable[[float], bool]) -> str:
    """Return the verdict about a left side that is compared with 0. `tells_apart`: the test of a share, `chernoff_test`."""
    within = mixture.is_within(matters) and tells_apart(matters) and tells_apart(-matters)
    if within or not mixture.changed and mixture.blocks >= SAME:
        return RIGHT if sign == "=" else ALIKE
    if sign == "=":
        above = mixture.decision(matters) is Decision.BETTER and tells_apart(matters)
        below = mixture.decision(-matters) is Decision.WORSE and tells_apart(-matters)
        return WRONG if above or below else OPEN
    decision = mixture.decision()
    if decision is Decision.UNDECIDED or not tells_apart(0.0):
        return OPEN
    return RIGHT if (decision is Decision.BETTER) == (sign == ">") else WRONG


def together(verdicts: Collection[str]) -> str:
    """Return the verdict over all tables and companies. Where a program says nothing of a claim, the others count."""
    different = {*verdicts} - {PROGRAM} or {*verdicts}
    if len(different) == 1:
        return different.pop()
    return DEPENDS if len(different - {OPEN}) > 1 else OPEN
