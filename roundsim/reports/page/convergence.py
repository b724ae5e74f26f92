"""How the means settled, with a band that holds at every look, and how the nets are spread: a small picture of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import floor, sqrt
from typing import NamedTuple

from ...base.text import percent, plain, so_many
from ...statistics.stopping import Mixture
from ...tournament.judging.blocks import Blocks
from .extras import Link
from .game import GameResult
from .geometry import Point, axis_of, band, bars, polyline, short, tick_step
from .render import fig

SHOWN = 24  # strategies; if there are more, the first ones
LOOKS = 24  # of a path
WIDTH, HEIGHT, FLOOR = 200.0, 84.0, 64.0
BARS = 48  # of a spread, at most
TAIL = 0.002  # share of all nets that is collected at each end, if tails are long


class LookStep(NamedTuple):
    """A look: the block, the mean so far, and its limits, if there are any yet."""

    block: int
    mean: float
    limits: tuple[float, float] | None


@dataclass
class MeanPath:
    """The means of an entrant, block by block."""

    mixture: Mixture = field(default_factory=Mixture)
    steps: list[LookStep] = field(default_factory=list)
    blocks: int = 0

    def look(self, block: int) -> None:
        if self.mixture.mean is not None:
            self.steps.append(LookStep(block, self.mixture.mean, self.mixture.interval()))


class SettledCurve(NamedTuple):
    """A path as drawn: its line, its band, the position of the final mean, and words."""

    line: str
    band: str
    end: str
    label: str


class Spread(NamedTuple):
    """The nets as drawn: bars of losses, of 0, of wins, the mean's mark; the width of a bar, and words."""

    lost: str
    none: str
    won: str
    mean: str
    wide: str
    label: str


class SettledFigure(NamedTuple):
    strategy: str
    curve: SettledCurve | None
    spread: Spread | None
    links: Sequence[tuple[str, Link]]


class Settled(NamedTuple):
    """Figures of one scale.

    `guide`: the path of two lines at this distance above and below the end; `last`: the number of blocks."""

    figures: Sequence[SettledFigure]
    guide: str
    scale: str
    last: str
    ticks: Sequence[tuple[str, str]]
    tails: bool
    banded: bool
    left_out: int


def settled(game: GameResult) -> Settled | None:
    """Return the pictures; None if nobody is placed.

    Nor are there any of replays: the sittings that they do not change are not in the log again."""
    order = game.order[:SHOWN]
    if not order or game.replayed:
        return None
    paths = paths_of(game, order)
    reach = reach_of([paths[entrant].steps for entrant in order])
    step = tick_step(2 * reach, 4)
    names = [game.label(entrant) for entrant in order]
    scale = SpreadScale.of([game.look.spread[name] for name in names if game.look.spread.get(name)])
    last = max(paths[entrant].steps[-1].block for entrant in order)
    figures = []
    for entrant, name in zip(order, names, strict=True):
        curve = curve_of(game, name, paths[entrant].steps, last, reach)
        nets = game.look.spread.get(name)
        links = game.look.links.get(name, {})
        shown = [(word, links[word]) for word in ("worst", "best") if word in links]
        figures.append(SettledFigure(name, curve, scale and nets and scale.spread(name, nets) or None, shown))
    off = short(HEIGHT / 2 * step / reach)
    guide = f"M0 {short(HEIGHT / 2)}m0 -{off}H{short(WIDTH)}M0 {short(HEIGHT / 2)}m0 {off}H{short(WIDTH)}"
    banded = any(step.limits for entrant in order for step in paths[entrant].steps)
    ticks, tails = (scale.ticks, scale.tails) if scale else ([], False)
    end = fig(so_many(last, "block" if game.entry.format.by_deals else game.entry.format.unit))
    return Settled(figures, guide, f"±{step:g}", end, ticks, tails, banded, len(game.order) - len(order))


def paths_of(game: GameResult, entrants: Sequence[int]) -> dict[int, MeanPath]:
    """Return the means of some entrants at equal distances, and at the end."""
    paths, total = {entrant: MeanPath() for entrant in entrants}, max(1, game.fold.tally.blocks)
    sign, every = -1 if game.measure.less_is_better else 1, max(1, total // LOOKS)
    block, seen = 0, 0
    for seen, row in enumerate(Blocks(game.entry, game.fold.blocks), 1):
        block = row.block
        for entrant, value in zip(row.entrants, row.values, strict=True):
            if entrant in paths:
                paths[entrant].mixture.add(sign * value)
        if (total - seen) % every == 0:
            for path in paths.values():
                path.look(block)
    return paths


def reach_of(paths: Sequence[Sequence[LookStep]]) -> float:
    """Return how far from its end a picture reaches: as far as the later two thirds of all paths go."""
    far = [0.0]
    for steps in paths:
        end = steps[-1].mean
        for step in steps[len(steps) // 3 :]:
            low, high = step.limits or (step.mean, step.mean)
            far += [abs(low - end), abs(high - end)]
    return max(far) * 1.06 or 1.0


def curve_of(game: GameResult, name: str, steps: Sequence[LookStep], last: int, reach: float) -> SettledCurve:
    end = steps[-1].mean

    def point(block: int, value: float) -> Point:
        """Keep a point near the picture, where it is cut off."""
        y = HEIGHT / 2 * (1 - (value - end) / reach)
        return WIDTH * block / last, min(2 * HEIGHT, max(-HEIGHT, y))

    path = polyline([point(step.block, step.mean) for step in steps])
    sure = [(step.block, *step.limits) for step in steps if step.limits]
    drawn = band([point(block, low) for block, low, _ in sure], [point(block, high) for block, _, high in sure])
    text = fig(game.measure.text(end))
    first = fig(game.measure.text(steps[0].mean))
    sentence = f"mean of {name}: {first} after {so_many(steps[0].block, 'block')}, {text} at the end"
    if limits := steps[-1].limits:
        sentence += f", {' to '.join(fig(game.measure.text(limit)) for limit in limits)} at any look"
    return SettledCurve(path, drawn, text, sentence)


@dataclass(frozen=True)
class SpreadScale:
    """The common scale for all spreads: nets from `low` in steps of `width`, those beyond collected at the ends.

    `most`: the largest share of a bar."""

    low: int
    width: int
    count: int
    most: float
    tails: bool

    @classmethod
    def of(cls, every: Sequence[Mapping[int, int]]) -> SpreadScale | None:
        """Return the scale; None if nothing was counted."""
        together = sum((Counter(nets) for nets in every), Counter[int]())
        if not together:
            return None
        low, high, tails = min(together), max(together), False
        if high - low >= BARS:
            low, high = middle_nets(together)
            tails = low > min(together) or high < max(together)
        width = max(1, round(tick_step(high - low + 1, BARS)))
        low = width * floor(low / width)
        scale = cls(low, width, (high - low) // width + 1, 1.0, tails)
        most = max(max(scale.shares(nets)) for nets in every)
        return cls(low, width, scale.count, most, tails)

    def shares(self, nets: Mapping[int, int]) -> list[float]:
        """Return the share of all nets that falls into each bar."""
        total, counts = sum(nets.values()), [0] * self.count
        for net, times in nets.items():
            counts[self.bar(net)] += times
        return [n / total for n in counts]

    def bar(self, net: int) -> int:
        return min(self.count - 1, max(0, (net - self.low) // self.width))

    def x(self, net: float) -> float:
        """Return the left edge of a net's bar; for a mean, its position."""
        return WIDTH * min(self.count, max(0.0, (net - self.low) / self.width)) / self.count

    @property
    def ticks(self) -> list[tuple[str, str]]:
        """Return the labels of the axis: round numbers, each in the middle of its bar."""
        high = self.low + self.width * self.count
        axis = axis_of([(self.low, high)])
        half = self.width / 2 if self.width == 1 else 0
        values = [(axis.low + tick.at / 100 * (axis.high - axis.low), tick.text) for tick in axis.ticks]
        return [(short(self.x(value + half)), fig(text)) for value, text in values if self.low <= value <= high]

    def spread(self, name: str, nets: Mapping[int, int]) -> Spread:
        wide = WIDTH / self.count
        lost, none, won = list[Point](), list[Point](), list[Point]()
        for at, part in enumerate(self.shares(nets)):
            if part:
                first = self.low + at * self.width
                kind = lost if first + self.width <= 0 else won if first > 0 else none if self.width == 1 else won
                kind.append(((at + 0.5) * wide, max(0.6, (FLOOR - 4) * part / self.most)))
        total = sum(nets.values())
        mean = sum(net * times for net, times in nets.items()) / total
        spread = sqrt(sum(times * (net - mean) ** 2 for net, times in nets.items()) / total)
        ahead = sum(times for net, times in nets.items() if net > 0) / total
        sentence = f"nets of {name} in {so_many(total, 'deal')}: above 0 in {percent(ahead)}, "
        sentence += f"standard deviation {plain(spread, 2)}"
        mark = f"M{short(self.x(mean + (0.5 if self.width == 1 else 0)))} {short(FLOOR - 3)}v8"
        return Spread(bars(lost, FLOOR), bars(none, FLOOR), bars(won, FLOOR), mark, short(0.7 * wide), sentence)


def middle_nets(nets: Mapping[int, int]) -> tuple[int, int]:
    """Return the nets between the tails; 0 is always included."""
    total, low, high = sum(nets.values()), 0, 0
    below = 0
    ordered = sorted(nets)
    for net in ordered:
        below += nets[net]
        if below > TAIL * total:
            low = min(0, net)
            break
    above = 0
    for net in reversed(ordered):
        above += nets[net]
        if above > TAIL * total:
            high = max(0, net)
            break
    return low, high
