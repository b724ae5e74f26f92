"""Rows as columns, by hand."""

from __future__ import annotations

from roundsim.statistics.rows import AT_ONCE, Row, Table, tables

ROWS = [
    Row(1, 4, (7, 5), [1.5, -1.5], [(4, 3.0)]),
    Row(2, 4, (5, 7), [2.0, -2.0], [(4, 2.5)]),
    Row(3, 8, (7, 5), [0.5, -0.5], [(8, 1.0)]),
    Row(4, 4, (5,), [0.0], []),
]


def test_those_who_sat_together_have_columns() -> None:
    """Whoever sat first: entrant 5 comes first, and is ahead where 7 is not."""
    first, second, alone = tables(ROWS)
    assert first == Table([5, 7], (1, 3), (4, 8), [(-1.5, -0.5), (1.5, 0.5)], [((4, 8), [1.0, 7.0])])
    assert second == Table([5, 7], (2,), (4,), [(2.0,), (-2.0,)], [((4,), (2.5,))])
    assert alone == Table([5], (4,), (4,), [(0.0,)], [])


def test_rows_that_were_not_compared() -> None:
    (table,) = tables([ROWS[1]._replace(ahead=())])
    assert table.ahead == [] and table.values == [(2.0,), (-2.0,)]


def test_many_rows_come_in_several_tables() -> None:
    found = [*tables(ROWS[:1] * (2 * AT_ONCE + 1))]
    assert [len(table.blocks) for table in found] == [AT_ONCE, AT_ONCE, 1]
