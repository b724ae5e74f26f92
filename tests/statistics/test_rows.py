"""Rows as columns, by hand."""

from __future__ import annotations

from roundsim.statistics.matrices import zeros
from roundsim.statistics.rows import AT_ONCE, BlockColumns, BlockRow, add_products, batches_by_size, meetings

ROWS = [
    BlockRow(1, 4, (7, 5), [1.5, -1.5], [(4, 3.0)]),
    BlockRow(2, 4, (5, 7), [2.0, -2.0], [(4, 2.5)]),
    BlockRow(3, 8, (7, 5), [0.5, -0.5], [(8, 1.0)]),
    BlockRow(4, 4, (5,), [0.0], []),
]


def test_those_who_sat_in_the_same_places_follow_one_another() -> None:
    pairs, alone = batches_by_size(ROWS)
    assert pairs == BlockColumns(
        (1, 3, 2),
        (4, 8, 4),
        [(7, 7, 5), (5, 5, 7)],
        [(1.5, 0.5, 2.0), (-1.5, -0.5, -2.0)],
        [[(4, 8, 4), (3.0, 1.0, 2.5)]],
        [slice(0, 2), slice(2, 3)],
    )
    assert alone == BlockColumns((4,), (4,), [(5,)], [(0.0,)], [], [slice(0, 1)])


def test_rows_that_were_not_compared() -> None:
    (table,) = batches_by_size([ROWS[1]._replace(ahead=())])
    assert table.ahead == [] and table.values == [(2.0,), (-2.0,)]


def test_many_rows_come_in_several_tables() -> None:
    found = [*batches_by_size(ROWS[:1] * (2 * AT_ONCE + 1))]
    assert [len(table.blocks) for table in found] == [AT_ONCE, AT_ONCE, 1]


def test_products_are_added_where_they_belong() -> None:
    """In the lower triangle, whoever sat first."""
    matrix = zeros(8)
    table, _ = batches_by_size(ROWS)
    add_products(matrix, table, [[2.0, 1.0, 10.0], [5.0, 3.0, 20.0]])
    assert (matrix[7][7], matrix[7][5], matrix[5][5]) == (4 + 1 + 400, 10 + 3 + 200, 25 + 9 + 100)
    assert sum(map(sum, matrix)) == 405 + 213 + 134


def test_meetings() -> None:
    assert [*meetings(ROWS)] == [
        ((5, 7), 1, 4, 4 * -3.0),
        ((5, 7), 2, 4, 4 * 4.0),
        ((5, 7), 3, 8, 8 * -1.0),
    ]
