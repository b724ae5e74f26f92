"""Holm's steps and ranges of ranks by hand."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from roundsim.statistics.groups import adjusted, first_level, holm, levels, ranges


def test_holm_by_hand() -> None:
    """At 0.05: 0.01 <= 0.05/4, then 0.016 <= 0.05/3, then 0.026 > 0.05/2, so that 0.03 is not asked for."""
    assert holm({"a": 0.03, "b": 0.01, "c": 0.026, "d": 0.016}) == {"b", "d"}
    assert holm({"a": 0.03, "b": 0.01, "c": 0.026, "d": 0.016}, 0.12) == {"a", "b", "c", "d"}
    assert holm({"a": 0.05}) == {"a"} and holm({"a": 0.051}) == set()
    assert holm({"a": 0.02, "b": 0.02, "c": 0.001}) == {"a", "b", "c"}
    assert holm({}) == set()


def test_levels_and_adjusted_p_by_hand() -> None:
    """The third of four is not significant at 0.05/2, so the last is at that level too.  Adjusted: 4, 3, 2 times, and
    the last 0.03 as much as the one before it."""
    p = {"a": 0.03, "b": 0.01, "c": 0.026, "d": 0.016}
    assert levels(p) == pytest.approx({"b": 0.0125, "d": 0.05 / 3, "c": 0.025, "a": 0.025})
    assert adjusted(p) == pytest.approx({"b": 0.04, "d": 0.048, "c": 0.052, "a": 0.052})
    assert adjusted({"a": 0.4, "b": 0.6}) == {"a": 0.8, "b": 0.8} and levels({}) == adjusted({}) == {}


@given(st.lists(st.floats(1e-9, 0.2), min_size=1, max_size=6))
def test_an_adjusted_p_is_the_least_level_at_which_it_is_significant(p: list[float]) -> None:
    for each, least in adjusted(dict(enumerate(p))).items():
        assert each in holm(dict(enumerate(p)), least * (1 + 1e-9))
        assert each not in holm(dict(enumerate(p)), least * (1 - 1e-9))


@given(st.lists(st.floats(0, 0.2), min_size=1, max_size=6))
def test_holm_is_bonferroni_on_every_set_of_them(p: list[float]) -> None:
    """Closed testing (Marcus and others 1976): one is significant if each set with it has some p at most 0.05 / its size."""
    sets = [each for size in range(1, len(p) + 1) for each in combinations(range(len(p)), size)]
    passed = {each for each in sets if min(p[i] for i in each) <= 0.05 / len(each)}
    assert holm(dict(enumerate(p))) == {i for i in range(len(p)) if all(each in passed for each in sets if i in each)}


def test_the_first_level() -> None:
    assert first_level(1) == pytest.approx(1.959964, abs=1e-6)
    assert first_level(190) == pytest.approx(stats.norm.isf(0.05 / 380))
    assert first_level(5, 0.5) == first_level(1, 0.1)


def test_ranges_by_hand() -> None:
    """Four who played: 3 over 0 and 1, 4 over 1; 2 did not."""
    assert ranges([0.1, -2.0, None, 1.5, 0.4], {(3, 0), (3, 1), (4, 1)}) == [(2, 4), (3, 4), None, (1, 2), (1, 3)]
    assert ranges([0.0, 0.0, None], set()) == [(1, 2), (1, 2), None]


@pytest.mark.parametrize("worth", list(permutations([3.0, 1.0, 0.0, -4.0])))
def test_if_all_pairs_are_significant_the_range_is_the_rank(worth: tuple[float, ...]) -> None:
    ranks = [1 + sum(other > each for other in worth) for each in worth]
    above = {(i, j) for i, j in permutations(range(4), 2) if worth[i] > worth[j]}
    assert ranges(worth, above) == [(rank, rank) for rank in ranks]
