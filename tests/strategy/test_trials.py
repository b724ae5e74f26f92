"""The best of several answers by trial."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from roundsim.strategy.trials import best_answer

NETS = {"usual": 0, "worse": -2, "better": 1, "best": 2}


def test_the_worse_half_is_dropped_and_the_best_is_left() -> None:
    tried = list[list[str]]()

    def play_out(answers: Iterable[str]) -> Mapping[str, int]:
        tried.append([*answers])
        return {each: NETS[each] for each in tried[-1]}

    assert best_answer(["usual", "better"], play_out, 8, 2.0) == "better"
    assert tried == [["usual", "better"]] * 4
    tried.clear()
    assert best_answer([*NETS], play_out, 16, 2.0) == "best"
    assert tried == [[*NETS]] * 2 + [["usual", "best"]] * 4


def test_a_trial_that_ends_leaves_the_first_answer() -> None:
    assert best_answer(["usual", "better"], lambda answers: None, 8, 2.0) == "usual"
