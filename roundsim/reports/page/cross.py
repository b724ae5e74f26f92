"""Differences of all pairs: a heat map with figures, and each difference in words below it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import floor, sqrt
from typing import NamedTuple

from ...base.text import number, plain, signed
from ...statistics.differences import Difference
from ..stopping_rule import limits_text
from ..terminal import difference_text, why_open
from .extras import Link
from .game import GameResult
from .render import fig

TINTS = 4
CROSSED = 24  # strategies; if there are more, the first ones
ACROSS = 100  # letters for which there is room
FIGURES = 8  # up to this many strategies, cells show their errors
MOST_SHOWN = 4  # cycles that are shown, and also company effects


class DifferenceCell(NamedTuple):
    """How far the strategy of a row is above that of a column.

    `tint`: b1 to b4 ahead, o1 to o4 behind, eq not significant, no not compared. `pair`: the id of its words."""

    tint: str
    value: str
    error: str
    pair: str


class PairText(NamedTuple):
    """Two strategies in words, the one that ranks higher first."""

    id: str
    one: str
    other: str
    value: str
    words: str
    links: Sequence[tuple[str, Link]]


class Cross(NamedTuple):
    """Rows of cells by rank, None on the diagonal."""

    names: Sequence[str]
    rows: Sequence[Sequence[DifferenceCell | None]]
    pairs: Sequence[PairText]
    left_out: int
    small: bool
    sentence: str
    said: Sequence[str]

    @property
    def numbered(self) -> bool:
        """Whether its columns have numbers, because there is no room for names."""
        return self.small or sum(max(len(name) + 5, 10) for name in self.names) > ACROSS


def cross_table(game: GameResult) -> Cross | None:
    """Return the heat map; None if nobody is compared, or only one with its replacement."""
    order = game.order[:CROSSED]
    sizes = [abs(difference.value) for difference in game.verdicts.differences.values()]
    if len(order) < 2 or not sizes or game.replayed:
        return None
    small = len(order) > FIGURES
    rows = [
        [None if one == other else difference_cell(game, one, other, max(sizes), small) for other in order]
        for one in order
    ]
    pairs = [pair(game, one, other) for one, other in combinations(order, 2)]
    names = [game.label(entrant) for entrant in order]
    return Cross(names, rows, pairs, len(game.order) - len(order), small, sentence(game), [*company_sentences(game)])


def difference_cell(game: GameResult, one: int, other: int, most: float, small: bool) -> DifferenceCell:
    difference = game.verdicts.between(one, other)
    id = id_of(game, one, other)
    if not difference:
        return DifferenceCell("no", "-", "", id)
    value = (
        f"{round(difference.value, int(most < 100)) + 0.0:+.{int(most < 100)}f}"
        if small
        else signed(difference.value + 0.0)
    )
    return DifferenceCell(
        tint(game, one, other, difference, most), fig(value), "" if small else fig(error_of(difference)), id
    )


def error_of(difference: Difference) -> str:
    """Return ±0.233, or the limits at any look, if there are any yet."""
    if difference.any_look:
        return limits_text(difference.limits) if difference.limits else "-"
    return f"±{plain(difference.error)}"


def tint(game: GameResult, one: int, other: int, difference: Difference, most: float) -> str:
    if not game.verdicts.are_apart(one, other) or not most:
        return "eq"
    level = min(TINTS, 1 + floor(TINTS * sqrt(abs(difference.value) / most)))
    return f"{'b' if difference.value > 0 else 'o'}{level}"


def id_of(game: GameResult, one: int, other: int) -> str:
    low, high = sorted((one, other))
    return f"{game.anchor}-{low + 1}-{high + 1}"


def pair(game: GameResult, one: int, other: int) -> PairText:
    difference, links = game.verdicts.between(one, other), game.look.pairs
    names = game.label(one), game.label(other)
    text = difference_text(difference._replace(value=difference.value + 0.0)) if difference else "not compared"
    value = fig(f"{text} {game.measure.gain}") if difference else text
    deals = [(name, links[both]) for name, both in zip(names, (names, names[::-1]), strict=True) if both in links]
    return PairText(id_of(game, one, other), *names, value, "; ".join(pair_verdict(game, one, other)), deals)


def pair_verdict(game: GameResult, one: int, other: int) -> Iterator[str]:
    """Yield whether the difference is significant, how many deals that would take, and the block that decides its
    sign."""
    verdicts = game.verdicts
    difference, apart = verdicts.between(one, other), verdicts.are_apart(one, other)
    if not difference:
        yield "they have met too seldom, or never"
    elif apart:
        yield "significant"
    elif more := verdicts.more_deals(one, other):
        yield fig(f"not significant: {more[0]} {number(more[1])} more {game.entry.format.unit}s")
    else:
        yield f"not significant{why_open(difference)}"
    if block := verdicts.hanging.get((min(one, other), max(one, other))):
        yield f"the sign depends on block {number(block)} alone"


def sentence(game: GameResult) -> str:
    """Return how many pairs have a significant difference."""
    pairs, apart = len(game.verdicts.differences), len(game.verdicts.apart)
    if pairs == apart:
        return "The difference is significant." if pairs == 1 else f"All {pairs} differences are significant."
    if not apart:
        return "The difference is not significant." if pairs == 1 else f"None of {pairs} differences is significant."
    return f"{apart} of {pairs} differences {'is' if apart == 1 else 'are'} significant."


def company_sentences(game: GameResult) -> Iterator[str]:
    """Yield cycles and company effects."""
    for cycle in game.verdicts.cycles[:MOST_SHOWN]:
        yield f"A cycle: {' over '.join(game.label(entrant) for entrant in (*cycle, cycle[0]))}."
    for effect in game.verdicts.company[:MOST_SHOWN]:
        more = f"{plain(abs(effect.difference))} {'more' if effect.difference > 0 else 'less'}"
        neighbour = game.label(effect.beside)
        yield f"{game.label(effect.entrant)} has {more} with {neighbour} at the table than the worth of both predicts."
