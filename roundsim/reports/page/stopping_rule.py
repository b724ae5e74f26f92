"""The stopping rule, of a gate or of `--until`: the path to its verdict, with the band that is valid at every look."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from math import inf
from typing import NamedTuple

from ...base.text import number, plain, signed, so_many
from ...statistics.rows import BlockRow
from ...statistics.stopping import Decision, Mixture
from ...tournament.judging.standings import Standings
from ...tournament.judging.stopping import RuleWatch
from ...tournament.judging.verdicts import Verdicts
from ...tournament.planning.plan import Entry
from ...tournament.planning.stopping_rule import Contrast, Separated, StoppingRule, Width, gate_of
from ..stopping_rule import rule_answer, stopped, word_of
from . import geometry
from .curves import WIDE, AxisScale, Frame, Mark, apart

LOOKS = 150  # that are drawn of one path, and the last; fewer if there are several paths
GRAIN = 1e-9  # an error where there is none
MOST_SHOWN = 7  # looks that are listed with their figures, and the last
PATHS = 6  # of neighbours in the standings: those with the smallest differences
HEIGHT, TOP, FOOT = 230.0, 10.0, 26.0

BandLimits = tuple[float, float] | None
Pair = tuple[int, int]


class At(NamedTuple):
    """A look at a block: the figure, and its limits, if there are any yet."""

    block: int
    value: float
    limits: BandLimits


class LookRow(NamedTuple):
    """A look with its figures: how much had been played, the figure, the limits."""

    after: str
    value: str
    limits: str


class RulePath(NamedTuple):
    """A figure from look to look, as it is drawn; `bound`: the number that it is compared with."""

    title: str
    words: str
    unit: str
    width: bool
    frame: Frame
    line: str
    band: str
    bound: Mark
    under: float
    zero: float | None
    first: float | None
    whisker: str
    end: tuple[float, float]
    label: Mark
    looks: list[LookRow]


class StoppingView(NamedTuple):
    """The section: the rule, its result in words, and the paths."""

    title: str
    rule: str
    verdict: str
    sentence: str
    paths: list[RulePath]
    notes: list[str]


class Noted:
    """Follows a rule as it was followed in play, and keeps its figures at a number of looks.

    `ends`: whether it is the rule that ended play. In a gate over all games that of a single game is not."""

    def __init__(self, rule: StoppingRule, figures: Sequence[Pair], last: int, ends: bool = True) -> None:
        few = LOOKS // min(3, max(1, len(figures)))
        self.rule, self.ends, self.every, self.block, self.due = rule, ends, max(1, last // few), 0, 1
        self.looks: dict[Pair, list[At]] = {pair: [] for pair in figures}

    def add(self, row: BlockRow) -> None:
        self.rule.add(row)
        self.block = row.block

    def leave_out(self, out: Collection[int]) -> None:
        self.rule.leave_out(out)

    def decision(self) -> Decision:
        if self.block >= self.due:
            self.note()
        decision = self.rule.decision()
        return decision if self.ends else Decision.UNDECIDED

    def note(self) -> None:
        self.due = self.block + self.every
        for pair, looks in self.looks.items():
            seen = rule_figure(self.rule, pair)
            if seen and not (looks and looks[-1].block == self.block):
                looks.append(At(self.block, *seen))


def rule_figure(rule: StoppingRule, pair: Pair) -> tuple[float, BandLimits] | None:
    """Return how far the one is above the other, by the rule; for a width, the widest error; None before there is
    any."""
    if isinstance(rule, Contrast):
        return seen(rule.mixture, 1)
    if isinstance(rule, Separated):
        return seen(rule.mixtures[min(pair), max(pair)], 1 if pair[0] < pair[1] else -1)
    assert isinstance(rule, Width)
    return (rule.widest, None) if rule.widest < inf else None


def seen(mixture: Mixture, sign: int) -> tuple[float, BandLimits] | None:
    if mixture.mean is None:
        return None
    low, high = mixture.interval() or (None, None)
    if low is None or high is None:
        return sign * mixture.mean, None
    return sign * mixture.mean, (low, high) if sign > 0 else (-high, -low)


def stopping_section(standings: Standings, at: int) -> StoppingView | None:
    """Return the section of a game; None without a rule, or before the first look."""
    stopping = standings.tournament.stopping
    if not stopping or not standings.outcomes[at].block:
        return None
    entry, outcome = standings.tournament.entries[at], standings.outcomes[at]
    watch = RuleWatch(entry, stopping, standings.tournament.limits.placed_within)
    pairs = decisive_pairs(watch.rule, standings, at)
    noted = watch.rule = Noted(watch.rule, closest(pairs, standings.verdicts[at]), outcome.block, not stopping.over_all)
    watch.follow(standings.folds[at])
    noted.note()
    verdict, sentence = describe_decision(standings, at)
    return StoppingView(
        "The path to the verdict",
        stopping.until,
        verdict,
        sentence,
        [
            path(rule_title(noted.rule, entry, pair), looks, noted.rule, entry)
            for pair, looks in noted.looks.items()
            if looks
        ],
        [*band_notes(noted.rule, len(pairs) - len(noted.looks), stopping.level)],
    )


def decisive_pairs(rule: StoppingRule, standings: Standings, at: int) -> list[Pair]:
    """Return the pairs that decide; for the rule `separated`, the neighbours in the standings."""
    if isinstance(rule, Contrast):
        return [(rule.one, rule.other)]
    if isinstance(rule, Separated):
        labels = standings.tournament.entries[at].labels
        return [*pairwise(labels.index(row.strategy) for row in standings.games[at] if row.rank is not None)]
    return [(0, 0)]


def closest(pairs: Sequence[Pair], verdicts: Verdicts) -> list[Pair]:
    """Return the pairs that are drawn, in their order: those with the least significant differences."""

    def surely(pair: Pair) -> float:
        difference = verdicts.between(*pair) if len(pairs) > PATHS else None
        return abs(difference.value) / (difference.standard or GRAIN) if difference else 0.0

    return sorted(sorted(pairs, key=surely)[:PATHS], key=pairs.index)


def rule_title(rule: StoppingRule, entry: Entry, pair: Pair) -> str:
    if isinstance(rule, Width):
        return "the widest interval of a mean, to either side"
    return " less ".join(entry.labels[entrant] for entrant in pair)


def describe_decision(standings: Standings, at: int) -> tuple[str, str]:
    """Return the verdict in a word or two, and its figures, as in the terminal."""
    entry, outcome, stopping = standings.tournament.entries[at], standings.outcomes[at], standings.tournament.stopping
    assert stopping
    if gate := gate_of(stopping):
        word = word_of(outcome.decision, gate.number)
        return "over all games " * stopping.over_all + word, stopped(entry, outcome)
    return rule_answer(entry, outcome, stopping), stopped(entry, outcome)


def path(title: str, looks: Sequence[At], rule: StoppingRule, entry: Entry) -> RulePath:
    """Return a figure, its band and its bound in one frame.

    In the first third, when little is known, outliers are cut off."""
    units, signs = entry.format.units(entry), not isinstance(rule, Width)
    delta = rule.delta if isinstance(rule, Contrast) else rule.most if isinstance(rule, Width) else 0.0
    low, high = extent(looks if not signs else looks[len(looks) // 3 :], delta)
    x = AxisScale(0 if signs or len(looks) == 1 else looks[0].block * units, looks[-1].block * units, 0, WIDE)
    y = AxisScale(low, high, HEIGHT - FOOT, TOP)
    banded = [(x(look.block * units), *look.limits) for look in looks if look.limits]
    line = [(x(look.block * units), y(look.value)) for look in looks]
    bound, end = Mark(y(delta), f"{delta:g}"), line[-1]
    label, under = places_of(end[1], bound.at)
    return RulePath(
        title,
        looks_text(looks, title, units, entry, signs),
        f"{entry.format.unit}s",
        not signs,
        Frame(HEIGHT, x, y, x.marks(4), y.marks(5, signs), 1, 2),
        geometry.polyline(line),
        geometry.band([(at, y(below)) for at, below, _ in banded], [(at, y(above)) for at, _, above in banded]),
        bound,
        under,
        y(0) if low < 0 < high and delta else None,
        banded[0][0] if banded else None,
        f"M{WIDE:g} {y(banded[-1][1])}V{y(banded[-1][2])}" if banded else "",
        end,
        Mark(label, look_figure(looks[-1], signs)),
        [look_row(look, units, signs) for look in sparse_looks(looks)],
    )


def places_of(end: float, bound: float) -> list[float]:
    """Return the positions of the figures at the ends of the path and of the bound, next to each other."""
    return apart([end, bound], TOP, HEIGHT - FOOT)


def look_figure(look: At, signs: bool) -> str:
    return signed(look.value) if signs else plain(look.value)


def extent(looks: Sequence[At], delta: float) -> tuple[float, float]:
    """Return the range that is drawn: it contains the bound and these looks."""
    ends = [delta, *[end for look in looks for end in (look.limits or (look.value,))]]
    low, high = min(ends), max(ends)
    edge = 0.06 * (high - low) or 1.0
    return low - edge, high + edge


def sparse_looks(looks: Sequence[At]) -> list[At]:
    """Return few looks that describe the path: each after about twice as much as the one before it, and the last."""
    shown = [looks[-1]]
    for look in reversed(looks):
        if look.block <= 0.62 * shown[-1].block and look.limits and len(shown) <= MOST_SHOWN:
            shown.append(look)
    return shown[::-1]


def look_row(look: At, units: int, signs: bool) -> LookRow:
    """Return a row such as 1 408, +0.312, +0.021 to +0.603."""
    limits = " to ".join(map(signed, look.limits)) if look.limits else ""
    return LookRow(number(look.block * units), look_figure(look, signs), limits)


def looks_text(looks: Sequence[At], title: str, units: int, entry: Entry, signs: bool) -> str:
    """Return a text for those who cannot see the picture: some looks with their limits."""
    lines = []
    for look in sparse_looks(looks):
        limits = f", between {signed(look.limits[0])} and {signed(look.limits[1])}" if look.limits else ""
        lines.append(f"after {so_many(look.block * units, entry.format.unit)} {look_figure(look, signs)}{limits}")
    return f"{title}: {'; '.join(lines)}."


def band_notes(rule: StoppingRule, more: int, level: float) -> list[str]:
    """Return notes about the band, and about pairs that are not drawn."""
    lines = []
    if isinstance(rule, Width):
        lines.append("There is no look before every strategy has had 80 blocks.")
    else:
        right = f"except in {100 * level:g} runs of 100"
        lines.append(f"From 80 changed blocks on, the band contains the true difference at all looks at once, {right}.")
    if more:
        verb = "is" if more == 1 else "are"
        lines.append(f"{so_many(more, 'more pair')} of neighbours in the standings {verb} further apart.")
    return lines
