"""Freeze-out: places from first to last, shares won with their limits, and how long each stayed in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, zip_longest
from math import log10
from typing import NamedTuple

from ....base.text import number, ordinal, percent, so_many
from ....tournament import formats
from ....tournament.format_parts import Logged
from ....tournament.judging.blocks import Blocks
from ....tournament.judging.standings import Figure, Standings
from ....tournament.planning.plan import Entry
from ...terminal import error_text
from ..curves import WIDE, AxisScale, Frame, Mark, apart, clipped, draw_limits, margin, steps
from ..geometry import Axis, Interval, Tick

HEIGHT, TOP, FOOT = 290.0, 8.0, 26.0
LABELLED = 18  # curves that have a label next to them
BAR, TALLEST = 12.0, 18.0  # of places: the distance from one to the next, and the height of the highest
FIRST = 0.8  # hand at which the curves begin, on a logarithmic scale


class Bar(NamedTuple):
    """How often an entrant came in at a place: where its bar begins, how high it is, and the words."""

    x: float
    y: float
    height: float
    words: str


class Placed(NamedTuple):
    """A strategy in the table."""

    strategy: str
    bars: list[Bar]
    placed: str
    won: str
    limits: str
    share: Interval | None
    half: str


class SurvivalCurve(NamedTuple):
    """The share of freeze-outs in which a strategy is still in, by hand: the line, its end, and its label, if it has
    one."""

    strategy: str
    ahead: bool
    line: str
    end: float
    label: Mark | None


class Survival(NamedTuple):
    """All curves, in one frame."""

    frame: Frame
    curves: list[SurvivalCurve]
    words: str


class FreezeOutView(NamedTuple):
    """The section: the table with its axes, the curves, and the notes below them."""

    title: str
    rows: list[Placed]
    shares: Axis
    bars: float
    last: str
    survival: Survival | None
    notes: list[str]


class Section(formats.Section):
    """Counts when strategies are ruined.

    `lasted`: by strategy, after how many hands it was ruined, and (None) how often never. `hands`: the number of hands
    of each freeze-out."""

    template = '{% include "freeze_out.html.j2" %}'

    def __init__(self, entry: Entry) -> None:
        super().__init__(entry)
        self.lasted: dict[str, Counter[int | None]] = {}
        self.hands: list[int] = []

    def block(self, deals: Sequence[Logged]) -> None:
        """Note who is ruined after which hand."""
        left = dict.fromkeys(chain(*(deal.seats for deal in deals)), self.entry.format.settings["stack"])
        out: dict[str, int] = {}
        for deal in deals:
            for label, net in zip(deal.seats, deal.net, strict=True):
                left[label] += net
                if not left[label]:
                    out[label] = int(deal.number)
        for label in left:
            self.lasted.setdefault(label, Counter())[out.get(label)] += 1
        self.hands.append(max(int(deal.number) for deal in deals))

    def view(self, standings: Standings, at: int) -> FreezeOutView | None:
        """Return the section; None before the first freeze-out is over."""
        return freeze_out_view(standings, at, self) if standings.folds[at].tally.blocks else None


def freeze_out_view(standings: Standings, at: int, seen: Section) -> FreezeOutView:
    """Return the section of a game, with what was seen of its deals."""
    entry, fold, rows = standings.tournament.entries[at], standings.folds[at], standings.games[at]
    counts = place_counts(Blocks(entry, fold.blocks))
    most = max(max(row) for row in counts.values())
    players, winners = len(entry.labels), entry.format.measures[1]
    shares = Axis(0, 1, [Tick(percentage, str(percentage)) for percentage in (0, 50, 100)])
    table = []
    for row in rows:
        won, came = row.figures[winners.key], counts[entry.labels.index(row.strategy)]
        table.append(
            Placed(
                row.strategy,
                place_bars(came, most),
                f"places first to last: {', '.join(map(count_text, came))}",
                winners.text(won.value),
                error_text(won, winners),
                around(shares, won),
                half_out(seen.lasted.get(row.strategy, Counter())),
            )
        )
    return FreezeOutView(
        "Places, and who stays in",
        table,
        shares,
        BAR * players - 2,
        ordinal(players),
        survival(
            [row.strategy for row in rows],
            [row.rank is not None and is_ahead(row.first, players) for row in rows],
            seen,
        ),
        [*survival_notes(standings, at, seen)],
    )


def around(axis: Axis, won: Figure) -> Interval | None:
    """Return a share with its two limits, as it is drawn."""
    return None if won.value is None else draw_limits(axis, won.value, won.limits)


def is_ahead(figure: Figure, players: int) -> bool:
    """Whether a mean place is better than the middle one."""
    return figure.value is not None and figure.value < (players + 1) / 2


def place_counts(blocks: Blocks) -> dict[int, list[float]]:
    """Return how often each entrant came in first, second ... last; those who share places have a part of each."""
    by_value = {entrant: [0.0] * len(blocks.entry.labels) for entrant in range(len(blocks.entry.labels))}
    for row in blocks:
        together = Counter(row.values)
        for who, value in zip(row.entrants, row.values, strict=True):
            n, first = together[value], sum([other > value for other in row.values])  # more is better in a row
            for place in range(first, first + n):
                by_value[who][place] += 1 / n
    return by_value


def count_text(n: float) -> str:
    """Return a count: 24; 2.5 for shared places."""
    return f"{n:.1f}".removesuffix(".0")


def place_bars(counts: Sequence[float], most: float) -> list[Bar]:
    """Return a bar for each place; a line if nobody came in there."""
    drawn = []
    for at, n in enumerate(counts):
        height = round(max(0.5, TALLEST * n / most), 1)
        drawn.append(Bar(BAR * at, round(TALLEST + 2 - height, 1), height, f"{ordinal(at + 1)}: {count_text(n)}"))
    return drawn


def still_in(lasted: Counter[int | None]) -> list[tuple[int, float]]:
    """Return the hands after which the strategy was ruined, and the share of freeze-outs in which it was still in
    then."""
    whole, left = lasted.total(), lasted.total()
    steps = [(0, 1.0)]
    for hand in sorted(value for value in lasted if value is not None):
        left -= lasted[hand]
        steps.append((hand, left / whole))
    return steps


def half_out(lasted: Counter[int | None]) -> str:
    """Return the hand by which it was out in half of all freeze-outs; "-" if it never was, "" if unknown."""
    if not lasted:
        return ""
    return next((number(hand) for hand, left in still_in(lasted) if left <= 0.5), "-")


def share_at(lasted: Counter[int | None], hand: int) -> float:
    return [left for at, left in still_in(lasted) if at <= hand][-1]


def survival(names: Sequence[str], better: Sequence[bool], seen: Section) -> Survival | None:
    """Return a curve for each, best first; None if the log was not read."""
    if not seen.hands or not all(seen.lasted.get(name) for name in names):
        return None
    last = max(seen.hands)
    x, y = AxisScale(log10(FIRST), log10(max(last, 10)), 0, WIDE), AxisScale(0, 1, HEIGHT - FOOT, TOP)
    lines = [[(x(log10(hand or FIRST)), y(left)) for hand, left in still_in(seen.lasted[name])] for name in names]
    ends = [line[-1][1] for line in lines]
    stand = apart(ends[:LABELLED], TOP, HEIGHT - FOOT)
    labels = [Mark(at, clipped(name)) for at, name in zip(stand, names, strict=False)]
    curves = [
        SurvivalCurve(name, good, steps([*line, (WIDE, line[-1][1])]), line[-1][1], label)
        for name, good, line, label in zip_longest(names, better, lines, labels)
    ]
    across = [Mark(x(log10(hand)), number(hand)) for hand in hands_marked(last)]
    up = [Mark(y(percentage / 100), str(percentage)) for percentage in (0, 25, 50, 75, 100)]
    frame = Frame(HEIGHT, x, y, across, up, 1, margin(names[:LABELLED]))
    return Survival(frame, curves, describe_survival(names, seen))


def hands_marked(last: int) -> list[int]:
    """Return 1, 10, 100 ...; if these are few, also 2 and 5 of each."""
    every = [digit * 10**power for power in range(len(str(last))) for digit in (1, 2, 5)]
    most = [hand for hand in every if hand <= max(last, 10)]
    return most if len(most) <= 8 else [hand for hand in most if str(hand)[0] == "1"]


def middle(hands: Sequence[int]) -> int:
    """Return the hand by which half of all freeze-outs were over."""
    return sorted(hands)[(len(hands) - 1) // 2]


def describe_survival(names: Sequence[str], seen: Section) -> str:
    """Return the curves in words: After 152 hands still in, in a hundred: book 55, random 0."""
    hand = middle(seen.hands)
    shares = ", ".join(f"{name} {round(100 * share_at(seen.lasted[name], hand))}" for name in names)
    return f"After {so_many(hand, 'hand')} still in, in a hundred: {shares}."


def survival_notes(standings: Standings, at: int, seen: Section) -> list[str]:
    """Return notes on how long it went on, and on what a share of 0 means."""
    lines, rows, n = [], standings.games[at], standings.folds[at].tally.blocks
    if seen.hands:
        low, high, half = min(seen.hands), max(seen.hands), middle(seen.hands)
        lengths = so_many(low, "hand") if low == high else f"{number(low)} to {so_many(high, 'hand')}"
        lines.append(f"{lengths} each, half of them over by hand {number(half)}.")
    never = [row.figures["won"] for row in rows if row.figures["won"].value == 0]
    if limits := next((bounds.limits for bounds in never), None):
        lines.append(
            f"A strategy that won none of {number(n)} may still win {percent(limits[1])} of all (Clopper–Pearson)."
        )
    return lines
