"""Where the counters came from: what each reason brought the leader of a game, and the strategies next to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...base.text import signed, so_many
from .extras import ReasonFigure, ReasonLine
from .game import GameResult
from .render import fig


class ReasonCell(NamedTuple):
    """The figure of a strategy, and its difference to the leader; `tint`: up, down, or "" where 0 is possible."""

    strategy: str
    value: str
    difference: str
    tint: str


class ReasonRow(NamedTuple):
    reason: str
    cells: Sequence[ReasonCell]


class ReasonsSection(NamedTuple):
    """`deals`: the deals that were read, in words."""

    strategies: Sequence[str]
    deals: str
    rows: Sequence[ReasonRow]
    in_all: ReasonRow


def reasons_section(game: GameResult) -> ReasonsSection | None:
    """Return the section; None if there are no reasons."""
    if not (reasons := game.look.reasons):
        return None
    *rows, in_all = [reason_row(reasons.strategies, line) for line in reasons.lines]
    deals = fig(f"the {'' if reasons.all_deals else 'first '}{so_many(reasons.deals, 'deal')}")
    return ReasonsSection(reasons.strategies, deals, rows, in_all)


def reason_row(strategies: Sequence[str], line: ReasonLine) -> ReasonRow:
    return ReasonRow(line.reason, [*map(reason_cell, strategies, line.figures)])


def reason_cell(strategy: str, figure: ReasonFigure | None) -> ReasonCell:
    if not figure:
        return ReasonCell(strategy, "-", "", "")
    difference, error = figure.difference, figure.error
    if difference is None:
        return ReasonCell(strategy, fig(signed(figure.value)), "", "")
    sure = error is not None and abs(difference) > error
    tint = ("up" if difference > 0 else "down") if sure else ""
    return ReasonCell(strategy, fig(signed(figure.value)), fig(signed(difference)), tint)
