"""Packed blocks as rows, by hand."""

from __future__ import annotations

from array import array

from roundsim.statistics.rows import BlockRow
from roundsim.tournament.judging import blocks
from roundsim.tournament.judging.blocks import BlockLayout

NET = [1, 4, 3, 5, 7, 10, -2, -8, 7, 1, 2, 0, 0, 0]  # ahead: twice the deals of 0 before 1, 0 before 2, 1 before 2
OTHER = [2, 4, 5, 1, 5, 10, -2, -8, 7, 1, 2, 0, 0, 0]  # here entrant 5 has the first seat and the last


def test_rows_of_two_blocks() -> None:
    layout = BlockLayout(14, 3, 5, 1, True, True)
    one, two = blocks.block_rows(array("q", [*NET, *OTHER]), layout, True)
    assert one == BlockRow(1, 4, (3, 5, 7), [2.5, -0.5, -2.0], [(4, 3.5), (4, 0.5), (4, 1.0)])
    assert two == BlockRow(2, 4, (5, 1), [(10 - 8) / 8, -0.5], [(8, 3.5 + 4 - 1.0)])


def test_a_measure_in_parts_that_are_added_up() -> None:
    """Less is better, a part is a sixth, and a block of a stage weighs one."""
    layout = BlockLayout(14, 3, 5, -6, False, False)
    one, two = blocks.block_rows(array("q", [*NET, *OTHER]), layout, False)
    assert one == BlockRow(1, 1, (3, 5, 7), [-10 / 6, 2 / 6, 8 / 6], ())
    assert two == BlockRow(2, 1, (5, 1), [-2 / 6, 2 / 6], ())
