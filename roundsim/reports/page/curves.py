"""Geometry of curves over hands, blocks and rounds: scales, lines in steps, labels at their ends.

A frame is a thousand units wide, and is stretched to its place; heights are pixels. Figures and labels are in its
margins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from ...base.text import number
from . import geometry

WIDE = 1000.0
LETTERS = 5  # of a label, for which a margin grows by a step
LINE = 13.0  # distance between labels, one below the other


class AxisScale(NamedTuple):
    """A scale from numbers to positions."""

    low: float
    high: float
    first: float
    last: float

    def __call__(self, value: float) -> float:
        within = (value - self.low) / (self.high - self.low or 1)
        return round(self.first + within * (self.last - self.first), 1)

    def marks(self, most: int = 5, sign: bool = False) -> list[Mark]:
        """Return round figures on it."""
        ticks = geometry.ticks_of(self.low, self.high, sign, most)
        return [Mark(self(value), in_thousands(text)) for value, text in ticks]


class Mark(NamedTuple):
    """A figure at an axis, or a label, and its position."""

    at: float
    text: str


class Frame(NamedTuple):
    """The frame of some curves: its height, with `foot` left for figures, its scales, and the figures at both axes.

    The widths of the left and right margins are in steps of letters."""

    height: float
    x: AxisScale
    y: AxisScale
    across: Sequence[Mark]
    up: Sequence[Mark]
    left: int
    right: int


def in_thousands(text: str) -> str:
    """Return a number such as "5 000"."""
    return number(int(text)) if text.isdecimal() else text


def margin(names: Iterable[str]) -> int:
    """Return the number of letter steps in which the longest has room."""
    return max((-(-len(clipped(name)) // LETTERS) for name in names), default=0)


def draw_limits(axis: geometry.Axis, mean: float, limits: tuple[float, float] | None) -> geometry.Interval:
    """Return a mean between two limits, as it is drawn in a row; what lies beyond the axis is drawn at its edge."""
    at, *ends = (geometry.short(min(100.0, max(0.0, axis.at(limit)))) for limit in (mean, *(limits or ())))
    line = "M{0} 15H{1}M{0} 11v8M{1} 11v8".format(*ends) if ends else ""
    return geometry.Interval(line, f"M{at} 15h0")


def steps(points: Sequence[geometry.Point]) -> str:
    """Return a line that stays at each point's height until the next point."""
    (x, y), *rest = points
    changes = [(at, to) for (_, before), (at, to) in pairwise(points) if to != before]
    end = f"H{geometry.short(rest[-1][0])}" if rest else ""
    turns = "".join(f"H{geometry.short(at)}V{geometry.short(to)}" for at, to in changes)
    return f"M{geometry.short(x)} {geometry.short(y)}{turns}{end}"


def apart(wanted: Sequence[float], first: float, last: float, gap: float = LINE) -> list[float]:
    """Move labels apart: no two nearer than the gap, none beyond the edges if there is room."""
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    places = list(wanted)
    for before, at in pairwise(order):
        places[at] = max(places[at], places[before] + gap)
    edge = last
    for at in reversed(order):
        places[at] = min(places[at], edge)
        edge = places[at] - gap
    below = max(0.0, first - min(places, default=first))
    return [round(place + below, 1) for place in places]


def clipped(name: str, most: int = 20) -> str:
    """Shorten a name in its middle, so that it fits next to a line: names often differ at their end."""
    return name if len(name) <= most else f"{name[: most // 2]}…{name[1 - most // 2 :]}"
