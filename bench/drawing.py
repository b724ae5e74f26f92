"""Figures as a table in Markdown and as a picture in SVG, both as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import accumulate
from math import ceil, floor, log10
from typing import NamedTuple

from roundsim.base.text import number


def markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table, its first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        first, *rest = zip(cells, widths, strict=True)
        return f"| {' | '.join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in rest)])} |"

    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join([line(heads), line(rule), *map(line, rows)])


def figure(value: float) -> str:
    """Return a figure: 1 000 000, 0.25, 1270, 3.4: three digits, or all of a whole number."""
    return number(round(value)) if value >= 100 or value == round(value) else f"{value:.3g}"


class Point(NamedTuple):
    """The measurement at `x`: the median, the smallest and the largest of the rounds."""

    x: float
    y: float
    low: float
    high: float


class Line(NamedTuple):
    """Points that belong together, under their name; `dashed` if they were not measured."""

    name: str
    points: Sequence[Point]
    dashed: bool = False


class Chart(NamedTuple):
    """A picture: its name, its axis titles, its lines. With `log_x` or `log_y` equal steps are equal ratios.

    `note`: the text printed below its table."""

    title: str
    across: str
    up: str
    lines: Sequence[Line]
    log_x: bool = False
    log_y: bool = False
    note: str = ""

    @property
    def xs(self) -> list[float]:
        return sorted({point.x for line in self.lines for point in line.points})

    def table(self) -> str:
        """Return the figures as a table, a row for each place on the axis."""
        measured = [line for line in self.lines if not line.dashed]
        rows = [
            [figure(x), *(figure({point.x: point.y for point in line.points}[x]) for line in measured)] for x in self.xs
        ]
        return markdown([self.across, *(line.name for line in measured)], rows)


class Scale:
    """A scale from figures to positions: the first tick is at `first`, the last at `last`."""

    def __init__(self, ticks: Sequence[float], first: float, last: float, log: bool) -> None:
        self.ticks, self.log, self.first, self.last = ticks, log, first, last
        self.low, self.high = self.of(ticks[0]), self.of(ticks[-1])

    def of(self, value: float) -> float:
        return log10(value) if self.log else value

    def at(self, value: float) -> float:
        share = (self.of(value) - self.low) / (self.high - self.low or 1)
        return round(self.first + share * (self.last - self.first), 1)


def ratios(low: float, high: float) -> list[float]:
    """Return 1, 2, 5, 10, 20 ... from below the least to above the most; 1, 10, 100 ... if that is over a
    hundredfold."""
    digits = (1,) if high > 100 * low else (1, 2, 5)
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    all = [float(f"{digit}e{power}") for power in powers for digit in digits]
    return all[sum(tick <= low for tick in all) - 1 : sum(tick < high for tick in all) + 1]


def steps(high: float) -> list[float]:
    """Return about four to ten even steps from 0 to above the most, each 1, 2 or 5 times a power of ten."""
    power = floor(log10(high / 4))
    step = max(each for digit in (1, 2, 5) if (each := float(f"{digit}e{power}")) <= high / 4)
    return [n * step for n in range(ceil(high / step - 1e-9) + 1)]


WIDE, HIGH = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 76, 590, 66, 340  # of the drawing; names of lines are to its right
APART = 17  # distance between lines of text

STYLE = """\
svg { --paper: #fcfbf7; --ink: #1c1a16; --soft: #625d52; --hair: #ddd8ca }
.l0 { --own: #2b6aa8 } .l1 { --own: #a3560a } .l2 { --own: #3f7a3a } .l3 { --own: #8a3f86 }
@media (prefers-color-scheme: dark) {
  svg { --paper: #161512; --ink: #ece7db; --soft: #aca595; --hair: #383429 }
  .l0 { --own: #7db4e6 } .l1 { --own: #e6a35a } .l2 { --own: #8cc687 } .l3 { --own: #d79bd3 }
}
.paper { fill: var(--paper) }
text { font: 13px system-ui, sans-serif; fill: var(--soft) }
.title { font-size: 15px; font-weight: 600; fill: var(--ink) }
.left { text-anchor: end } .middle { text-anchor: middle }
.grid { stroke: var(--hair) }
.line { fill: none; stroke: var(--own); stroke-width: 2 } .dashed { stroke-dasharray: 5 4; stroke-width: 1.4 }
.spread { stroke: var(--own); stroke-width: 1.2 }
.dot { fill: var(--own) }
.name { fill: var(--own) }"""


def svg(chart: Chart) -> str:
    """Return the picture, readable in light and dark mode."""
    return "\n".join(parts(chart)) + "\n"


def parts(chart: Chart) -> Iterator[str]:
    every = [value for line in chart.lines for point in line.points for value in point[1:]]
    across = Scale(chart.xs, LEFT + 12, RIGHT - 12, chart.log_x)
    up = Scale(ratios(min(every), max(every)) if chart.log_y else steps(max(every)), BOTTOM, TOP, chart.log_y)
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" role="img">'
    yield f"<title>{escape(chart.title)}</title>"
    yield f"<style>\n{STYLE}\n</style>"
    yield f'<rect class="paper" width="{WIDE}" height="{HIGH}" rx="6"/>'
    yield text(20, 26, "title", chart.title)
    yield text(20, 46, "axis", chart.up)
    yield text((LEFT + RIGHT) / 2, HIGH - 16, "middle axis", chart.across)
    for tick in up.ticks:
        yield f'<line class="grid" x1="{LEFT}" x2="{RIGHT}" y1="{up.at(tick)}" y2="{up.at(tick)}"/>'
        yield text(LEFT - 8, up.at(tick) + 4, "left up", figure(tick))
    for tick in across.ticks:
        yield f'<line class="grid" x1="{across.at(tick)}" x2="{across.at(tick)}" y1="{BOTTOM}" y2="{BOTTOM + 5}"/>'
        yield text(across.at(tick), BOTTOM + 21, "middle across", figure(tick))
    ends = beside([up.at(line.points[-1].y) for line in chart.lines])
    for place, (line, end) in enumerate(zip(chart.lines, ends, strict=True)):
        yield from drawn(line, place, end, across, up)
    yield "</svg>"


def text(x: float, y: float, kind: str, words: str) -> str:
    return f'<text class="{kind}" x="{x}" y="{round(y, 1)}">{escape(words)}</text>'


def drawn(line: Line, place: int, end: float, across: Scale, up: Scale) -> Iterator[str]:
    """Yield a line, its points with their spread, and its name at its end."""
    places = " ".join(f"{across.at(point.x)},{up.at(point.y)}" for point in line.points)
    yield f'<g class="l{place % 4}">'
    yield f'<polyline class="line{" dashed" * line.dashed}" points="{places}"/>'
    for point in () if line.dashed else line.points:
        x = across.at(point.x)
        yield f'<line class="spread" x1="{x}" x2="{x}" y1="{up.at(point.low)}" y2="{up.at(point.high)}"/>'
        yield f'<circle class="dot" cx="{x}" cy="{up.at(point.y)}" r="3.5"/>'
    yield f"{text(RIGHT + 4, end + 4, 'name', line.name)}\n</g>"


def beside(places: Sequence[float]) -> list[float]:
    """Return positions for names, as near to these places as the line height allows."""
    order = sorted(range(len(places)), key=places.__getitem__)
    down = [*accumulate((places[each] for each in order), lambda last, place: max(place, last + APART))]
    return [down[order.index(each)] for each in range(len(places))]
