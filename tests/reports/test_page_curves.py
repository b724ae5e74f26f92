"""The geometry of curves: settled by hand."""

from __future__ import annotations

from roundsim.reports.page import curves


def test_a_line_in_steps_stays_where_it_is_until_the_next_point() -> None:
    assert curves.steps([(0, 8), (10, 8), (20, 30.55), (40, 30.55)]) == "M0 8H20V30.6H40"
    assert curves.steps([(0, 8)]) == "M0 8"


def test_labels_stand_apart_and_within_the_edges() -> None:
    assert curves.apart([50, 20, 21], 0, 100, gap=10) == [50, 20, 30]
    assert curves.apart([100, 100, 40], 0, 100, gap=10) == [90, 100, 40]
    assert curves.apart([0, 0, 0], 8, 100, gap=10) == [8, 18, 28]


def test_a_scale_has_round_figures() -> None:
    scale = curves.AxisScale(0, 10_000, 0, 1000)
    assert [*scale.marks(4)] == [(0, "0"), (500, "5 000"), (1000, "10 000")]
    assert curves.AxisScale(-0.3, 0.3, 100, 0).marks(4, sign=True) == [(83.3, "-0.2"), (50, "0.0"), (16.7, "+0.2")]
