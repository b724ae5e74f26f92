"""Geometry of drawings: scales with their ticks, intervals on them, curves with their bands, bars.

Everything is an SVG path that is stretched to its place, except strokes and texts."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import NamedTuple

EDGE = 0.04  # part of an axis that is left free at each end
Span = tuple[float, float]
Point = tuple[float, float]


class Tick(NamedTuple):
    at: float  # in hundredths of the axis
    text: str


class Axis(NamedTuple):
    """A scale from left to right, in hundredths of its length.

    `grid`: the path of its ticks; `zero`: that of 0, if it is on the scale."""

    low: float
    high: float
    ticks: Sequence[Tick]

    def at(self, value: float) -> float:
        return 100 * (value - self.low) / (self.high - self.low)

    @property
    def grid(self) -> str:
        return "".join(f"M{short(tick.at)} 0V30" for tick in self.ticks)

    @property
    def zero(self) -> str:
        return f"M{short(self.at(0))} 0V30" if self.low < 0 < self.high else ""


class Interval(NamedTuple):
    """A mean with its error on an axis: the paths of its line and its dot; "left" or "right" if it is off the scale."""

    line: str
    dot: str
    off: str = ""


def short(x: float) -> str:
    """Round to a tenth, without zeros that say nothing: 17.4, 20."""
    text = f"{x:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def tick_step(length: float, most: int = 5) -> float:
    """Return the smallest of 1, 2 or 5 times a power of ten that gives at most `most` steps in this length."""
    power = 10.0 ** floor(log10(length / most))
    return next(step for step in (power, 2 * power, 5 * power, 10 * power) if length / step <= most)


def ticks_of(low: float, high: float, sign: bool, most: int = 5) -> list[tuple[float, str]]:
    """Return round numbers in this range, each with its text."""
    step = tick_step(high - low or 1, most)
    digits = max(0, -floor(log10(step) + 1e-9))
    values = [step * n for n in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]
    return [(value, f"{value:{'+' * (sign and bool(round(value, digits)))}.{digits}f}") for value in values]


def axis_of(spans: Sequence[Span], sign: bool = True, most: int = 6) -> Axis:
    """Return an axis on which all spans have room."""
    low, high = min((low for low, _ in spans), default=0.0), max((high for _, high in spans), default=0.0)
    if not high > low:
        low, high = low - 1, high + 1
    edge = EDGE * (high - low)
    low, high = low - edge, high + edge
    bare = Axis(low, high, ())
    return bare._replace(ticks=[Tick(bare.at(value), text) for value, text in ticks_of(low, high, sign, most)])


def off_scale(spans: Sequence[Span]) -> int:
    """Return how many of the last spans are better left off an axis: without each, the axis is at most half as long."""
    left = [*spans]
    while len(left) > 2 and length_of(left[:-1]) <= length_of(left) / 2:
        left.pop()
    return len(spans) - len(left)


def length_of(spans: Sequence[Span]) -> float:
    return max(high for _, high in spans) - min(low for low, _ in spans)


def span_of(mean: float, error: float | None) -> Span:
    return mean - (error or 0), mean + (error or 0)


def interval(axis: Axis, mean: float, error: float | None) -> Interval:
    """Return a mean and its error as they are drawn in a row."""
    at = axis.at(mean)
    if not -0.5 <= at <= 100.5:
        return Interval("", "", "left" if at < 0 else "right")
    dot = f"M{short(at)} 15h0"
    if error is None:
        return Interval("", dot)
    low, high = (short(min(100.0, max(0.0, axis.at(end)))) for end in span_of(mean, error))
    return Interval(f"M{low} 15H{high}M{low} 11v8M{high} 11v8", dot)


def bar_across(axis: Axis, value: float) -> str:
    """Return a bar in a row, from 0 to a value."""
    zero, end = short(axis.at(0)), short(axis.at(value))
    return f"M{zero} 8H{end}V22H{zero}z"


def polyline(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{short(x)} {short(y)}" for x, y in points) if points else ""


def band(low: Sequence[Point], high: Sequence[Point]) -> str:
    """Return the area between two curves."""
    return f"{polyline([*high, *reversed(low)])}Z" if low else ""


def bars(tops: Sequence[tuple[float, float]], floor: float) -> str:
    """Return bars on a floor, as strokes of their width. Each bar is a position and a height."""
    return "".join(f"M{short(x)} {short(floor)}v{short(-height)}" for x, height in tops)
