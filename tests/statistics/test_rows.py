"""Rows as columns, by hand."""

from __future__ import annotations

from roundsim.statistics.matrices import zeros
from roundsim.statistics.rows import BlockRow, BlockTable, add_products, tables_of

ROWS = [
    BlockRow(1, 4, (7, 5), [1.5, -1.5], [(4, 3.0)]),
    BlockRow(2, 4, (5, 7), [2.0, -2.0], [(4, 2.5)]),
    BlockRow(3, 8, (7, 5), [0.5, -0.5], [(8, 1.0)]),
    BlockRow(4, 4, (5,), [0.0], []),
]


def test_those_who_sat_in_the_same_places_follow_one_another() -> None:
    pairs, alone = tables_of(ROWS)
    assert pairs == BlockTable(
        (2, 1, 3),
        (4, 4, 8),
        [(5, 7, 7), (7, 5, 5)],
        [(2.0, 1.5, 0.5), (-2.0, -1.5, -0.5)],
        [[(4, 4, 8), (2.5, 3.0, 1.0)]],
        [slice(0, 1), slice(1, 3)],
    )
    assert alone == BlockTable((4,), (4,), [(5,)], [(0.0,)], [], [slice(0, 1)])
    assert [*pairs.rows()] == [ROWS[1], ROWS[0], ROWS[2]]


def test_rows_that_were_not_compared() -> None:
    row = ROWS[1]._replace(ahead=[])
    (table,) = tables_of([row])
    assert table.ahead == [] and table.values == [(2.0,), (-2.0,)] and [*table.rows()] == [row]


def test_products_are_added_where_they_belong() -> None:
    """In the lower triangle, whoever sat first."""
    matrix = zeros(8)
    table, _ = tables_of(ROWS)
    add_products(matrix, table, [[10.0, 2.0, 1.0], [20.0, 5.0, 3.0]])
    assert (matrix[7][7], matrix[7][5], matrix[5][5]) == (4 + 1 + 400, 10 + 3 + 200, 25 + 9 + 100)
    assert sum(map(sum, matrix)) == 405 + 213 + 134


def test_meetings() -> None:
    table, alone = tables_of(ROWS)
    assert [*table.meetings()] == [((5, 7), slice(0, 1), [4.0]), ((5, 7), slice(1, 3), [-3.0, -1.0])]
    assert [*alone.meetings()] == []
