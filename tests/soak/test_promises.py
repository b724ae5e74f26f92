"""The promises of statistics, tried with a twentieth of the tournaments of `bench/bench.py verdicts`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from pools import Line, Pool
from verdicts import FIELDS, coverage, false_pairs, halves, planning, stopping, table, tried

from roundsim.statistics.distributions import student, student_tail
from roundsim.statistics.groups import holm
from roundsim.statistics.stopping import Mixture

pytestmark = pytest.mark.soak

TWENTIETH = 0.05
TAIL = "roundsim.statistics.differences.student_tail"


@pytest.mark.parametrize("name", FIELDS)
def test_a_promise_holds(name: str) -> None:
    lines = tried(name, TWENTIETH)
    assert all(line.holds for line in lines), table(lines)


@pytest.mark.parametrize(
    ("trial", "name", "what", "broken"),
    [
        (false_pairs, "loo-copies", "verdicts.holm", lambda p: {pair for pair in p if p[pair] <= 0.05}),
        (false_pairs, "loo-copies", TAIL, lambda t, freedom: student_tail(t, 10_000)),
        (halves, "loo-copies", "verdicts.holm", partial(holm, level=0.05 / 3)),
        (stopping, "draw-poker", "verdicts.Mixture", partial(Mixture, 0.05 / 3)),
        (stopping, "one-deal", "verdicts.Mixture", partial(Mixture, 3 * 0.05)),
        (planning, "loo", TAIL, lambda t, freedom: student_tail(t, freedom) / 3),
        (planning, "loo", "roundsim.statistics.planning.POWER", 0.95),
        (coverage, "loo", "roundsim.tournament.judging.standings.student", partial(student, level=1 - 3 * 0.05)),
    ],
)
def test_a_broken_formula_breaks_a_promise(
    monkeypatch: pytest.MonkeyPatch, trial: Callable[[Pool], Iterator[Line]], name: str, what: str, broken: Any
) -> None:
    monkeypatch.setattr(what, broken)
    lines = [*trial(Pool(FIELDS[name], TWENTIETH))]
    assert not all(line.holds for line in lines), table(lines)
