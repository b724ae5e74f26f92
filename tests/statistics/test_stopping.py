"""The rule against its formula written out over all differences, and against chance."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from random import Random
from statistics import pstdev

import pytest
from helpers.command import seldom

from roundsim.statistics.stopping import Decision, Mixture


def fed(differences: Sequence[float], alpha: float = 0.05) -> Mixture:
    mixture = Mixture(alpha)
    for each in differences:
        mixture.add(each)
    return mixture


def evidence(differences: Sequence[float], delta: float, alpha: float) -> float:
    """The evidence, which must reach ln(1 / alpha)."""
    s = sum(d - delta for d in differences)
    v = sum((d - delta) ** 2 for d in differences)
    tuned = (-2 * log(alpha) + log(-2 * log(alpha)) + 1) / 300
    until_80 = [at for at, d in enumerate(differences, 1) if d][79]
    r = sum((d - delta) ** 2 for d in differences[:until_80]) / 80 / tuned
    return log(r / (r + v)) / 2 + s * s / (2 * (r + v))


def drawn(n: int, mean: float, seed: int, tail: float = 1.0, none: float = 0.0) -> list[float]:
    """Differences of blocks; `none`: the share of those without one."""
    chance = Random(seed)
    found = [mean + chance.gauss(0, 1) * chance.choice([1.0, tail]) for _ in range(n)]
    return [each if chance.random() >= none else 0.0 for each in found]


def verdict(differences: Sequence[float]) -> tuple[Decision, int]:
    """The first verdict, and after how many blocks it came."""
    mixture = Mixture()
    for blocks, each in enumerate(differences, 1):
        mixture.add(each)
        if (side := mixture.decision()) is not Decision.UNDECIDED:
            return side, blocks
    return Decision.UNDECIDED, len(differences)


@pytest.mark.parametrize("steps", [12, *seldom(400)])
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 190, 1e-7])
@pytest.mark.parametrize(
    ("n", "mean", "tail", "none"),
    [(80, 0.0, 1, 0), (81, 0.5, 6, 0), (250, -0.2, 1, 0), (700, 3.0, 9, 0), (900, 0.4, 1, 0.8), (2500, -0.1, 3, 0.95)],
)
def test_decided_and_interval_are_what_the_formula_says(
    alpha: float, n: int, mean: float, tail: float, none: float, steps: int
) -> None:
    differences = drawn(n, mean, n, tail, none)
    mixture, centre = fed(differences, alpha), sum(differences) / n
    low, high = mixture.interval() or (0, 0)
    assert low < centre < high
    for limit in low, high:
        assert evidence(differences, limit, alpha) == pytest.approx(log(1 / alpha), abs=1e-6)
    around = [limit + step for limit in (low, high) for step in (-1e-3, 1e-3)]
    for delta in [*around, *(centre + 10 * step / steps for step in range(-steps, steps + 1))]:
        truth = evidence(differences, delta, alpha) >= log(1 / alpha)
        side = Decision.BETTER if centre > delta else Decision.WORSE
        assert mixture.decision(delta) is (side if truth else Decision.UNDECIDED)
        assert truth == (not low < delta < high)


@pytest.mark.parametrize(("n", "mean"), [(80, 0.3), (300, 0.0), (700, -0.2)])
def test_worse_may_need_more_evidence_than_better(n: int, mean: float) -> None:
    """With 0.0125 for worse it takes 80 in place of 20, and so the upper limit is further off."""
    differences, mixture = drawn(n, mean, n), Mixture(0.05, 0.0125)
    for each in differences:
        mixture.add(each)
    (low, high), (same, nearer) = mixture.interval() or (0, 0), fed(differences).interval() or (0, 0)
    assert low == same and high > nearer
    assert evidence(differences, high, 0.05) == pytest.approx(log(80), abs=1e-6)
    decided = [mixture.decision(delta) for delta in (low - 1e-6, low + 1e-6, high - 1e-6, high + 1e-6)]
    assert decided == [Decision.BETTER, Decision.UNDECIDED, Decision.UNDECIDED, Decision.WORSE]
    assert [mixture.is_within(worth) for worth in (max(-low, high) - 1e-6, max(-low, high) + 1e-6)] == [False, True]


@pytest.mark.parametrize(("n", "mean", "none"), [(80, 0.0, 0), (250, -0.2, 0), (900, 0.1, 0.8), (90, 0.0, 0.5)])
def test_a_difference_is_within_a_worth_if_its_limits_are(n: int, mean: float, none: float) -> None:
    mixture = fed(drawn(n, mean, n, none=none))
    limits = mixture.interval()
    for step in range(1, 50):
        worth = step / 12.5
        within = limits is not None and -worth < limits[0] and limits[1] < worth
        assert mixture.is_within(worth) == within
    assert mixture.is_within(1e9) == (mixture.changed >= 80)
    assert not fed([0.0] * 79 + [9.0, -1.0] * 40).is_within(0.01)


@pytest.mark.parametrize(("n", "mean", "none"), [(80, 0.0, 0), (200, 0.05, 0), (500, -0.02, 0.5), (900, 0.1, 0)])
def test_it_is_hopeless_if_the_mean_that_would_be_needed_is_excluded(n: int, mean: float, none: float) -> None:
    """The mean of the blocks to come is tried: the cap is reached with it, and it is decided against now."""
    differences = drawn(n, mean, n, none=none)
    mixture = fed(differences)
    low, high = mixture.interval() or (0, 0)
    for cap in n + 40, 2 * n, 5 * n:
        found = []
        for limit in low, high:
            spread = pstdev(differences)
            more = (cap - n) // 2 * [limit - spread, limit + spread]
            found.append(fed([*differences, *more]).decision() is Decision.UNDECIDED)
        assert mixture.is_hopeless(cap) == all(found)
    assert not mixture.is_hopeless(n) and not fed(differences[:50]).is_hopeless(10_000)


@pytest.mark.parametrize("side", [1, -1])
def test_a_clear_difference_is_not_hopeless_while_one_block_has_too_large_a_share(side: int) -> None:
    mixture = fed([side * 1.0] * 119 + [side * 5.46])
    assert mixture.decision() is Decision.UNDECIDED and mixture.evidence() > 10
    assert not mixture.is_hopeless(2000)


def test_the_counts_of_a_mixture() -> None:
    mixture = fed([0.0, 2.0, 4.0, -3.0])
    assert (mixture.blocks, mixture.gained, mixture.lost, mixture.changed) == (4, 2, 1, 3)
    assert mixture.effect == pytest.approx(0.75 / (6.6875**0.5))  # the mean of squares is 7.25, of the mean 0.5625
    assert fed([1.0, 1.0]).effect is None and Mixture().effect is None


def test_no_decision_comes_before_block_80_and_none_without_a_difference() -> None:
    differences = drawn(80, 5.0, 1)
    early, late = fed(differences[:79]), fed(differences)
    assert (early.decision(), early.interval()) == (Decision.UNDECIDED, None)
    assert [late.decision(each) for each in (0.0, 5.0, 10.0)] == [Decision.BETTER, Decision.UNDECIDED, Decision.WORSE]
    assert Mixture().interval() is None
    nothing, always = fed([0.0] * 500), fed([0.1] * 80)
    assert (nothing.decision(), nothing.interval(), nothing.changed) == (Decision.UNDECIDED, None, 0)
    assert [always.decision(each) for each in (0.0, 0.1, 0.2)] == [Decision.BETTER, Decision.UNDECIDED, Decision.WORSE]
    assert always.interval() == (0.1, 0.1)


def test_the_other_way_round_it_is_the_other_verdict() -> None:
    differences = drawn(300, 0.4, 2)
    better, worse = fed(differences), fed([-each for each in differences])
    low, high = better.interval() or (0, 0)
    assert (better.decision(), worse.decision()) == (Decision.BETTER, Decision.WORSE)
    assert low > 0 and worse.interval() == pytest.approx((-high, -low))


def test_blocks_without_a_difference_do_not_count_to_80() -> None:
    """They are no evidence for or against 0 either: it is the test on the other blocks alone."""
    gains = [1.0, 2.0] * 40
    rare = [each for gain in gains for each in (0.0, gain, 0.0)]
    assert fed(rare[:-4]).changed == 79
    assert (fed(rare[:-4]).decision(), fed(rare[:-4]).interval()) == (Decision.UNDECIDED, None)
    assert fed(rare).decision() is fed(gains).decision() is Decision.BETTER
    for seed in range(10):
        differences = drawn(700, 0.1, seed, none=0.7)
        assert fed(differences).decision() is fed([each for each in differences if each]).decision()


def test_no_decision_comes_while_one_block_has_over_a_fifth_of_the_squares() -> None:
    """100 gains of 1, and one of 5: 25 of 125 squares; one of 5.1: 26.01 of 126.01."""
    even, most, more = fed([1.0] * 100), fed([*[1.0] * 100, 5.0]), fed([*[1.0] * 100, 5.1])
    assert [each.largest_share() for each in (even, most, more)] == pytest.approx([0.01, 0.2, 26.01 / 126.01])
    assert [each.decision() for each in (even, more)] == [Decision.BETTER, Decision.UNDECIDED]
    for each in [1.0] * 5:
        more.add(each)  # 26.01 of 131.01
    assert more.decision() is Decision.BETTER
    assert fed([-3.0, *[0.1] * 99]).largest_share(1.0) == pytest.approx(16 / (16 + 99 * 0.81))
    assert Mixture().largest_share() == fed([0.0]).largest_share() == 0


@pytest.mark.soak
@pytest.mark.parametrize(("gain", "times"), [(1.0, 0.5), (0.25, 0.8)])
def test_rare_differences_are_seldom_decided_wrongly(gain: float, times: float) -> None:
    """One block in ten differs: it gains or loses 1 equally often, or gains a quarter four times as often as it loses 1.

    300 runs of 3 000 blocks; 0.05 and three standard errors are 26."""
    wrong = 0
    for seed in range(300):
        chance, mixture = Random(seed), Mixture()
        for _ in range(3000):
            if chance.random() < 0.1:
                mixture.add(gain if chance.random() < times else -1.0)
                if mixture.decision() is not Decision.UNDECIDED:
                    wrong += 1
                    break
            else:
                mixture.add(0.0)
    assert wrong <= 26


@pytest.mark.soak
@pytest.mark.parametrize("tail", [1, *seldom(8)])
def test_few_equal_pairs_are_ever_significant(tail: float) -> None:
    """300 comparisons of 600 blocks, asked after every block; at 0.05, 15 verdicts may be wrong."""
    assert sum(verdict(drawn(600, 0.0, seed, tail))[0] is not Decision.UNDECIDED for seed in range(300)) <= 15


def test_a_true_difference_is_found_on_the_right_side_and_in_time() -> None:
    """0.2 of a spread: some 240 blocks on average, and never the wrong side."""
    found = [verdict(drawn(1500, 0.2, 1000 + seed)) for seed in range(50)]
    assert {side for side, _ in found} == {Decision.BETTER}
    assert 190 < sum(blocks for _, blocks in found) / 50 < 300


@pytest.mark.parametrize("alpha", [0.05, 0.05 / 190])
def test_p_is_at_most_alpha_if_it_is_decided(alpha: float) -> None:
    """At any block: 1 before 80 have changed; else 1 divided by the evidence, if that decides nothing by itself."""
    mixture, decided = Mixture(alpha), set()
    for block, each in enumerate(drawn(400, 0.3, 3), 1):
        mixture.add(each)
        assert (mixture.p <= alpha) == (mixture.decision() is not Decision.UNDECIDED)
        decided.add(mixture.decision())
        assert block >= 80 or mixture.p == 1
    assert decided == {Decision.UNDECIDED, Decision.BETTER} and mixture.p < 1
    outlier = fed([100.0, *([3.0, 4.0] * 100)], alpha)
    assert outlier.evidence() > log(1 / alpha) and outlier.p == 1


def test_p_by_hand() -> None:
    """100 blocks of 1 and 100 of -0.5: S is 50, V is 125, r is 80 blocks' mean square, 0.625, times 300 / 8.78."""
    mixture = fed([1.0, -0.5] * 100)
    r = 0.625 * 300 / 8.782
    assert mixture.p == pytest.approx((1 + 125 / r) ** 0.5 * 2.718281828 ** (-2500 / 2 / (r + 125)), rel=1e-3)


@pytest.mark.parametrize("differences", [drawn(300, 0.2, 7, 3, 0.3), [2.0] * 95 + [0.0, -1.0, 3.0] * 30])
@pytest.mark.parametrize("many", [1, 7, 79, 300])
def test_several_at_once_are_as_one_by_one(differences: Sequence[float], many: int) -> None:
    mixture, one_by_one = Mixture(), fed(differences)
    for at in range(0, len(differences), many):
        mixture.add_all(differences[at : at + many])
    assert (mixture.gained, mixture.lost, mixture.blocks) == (one_by_one.gained, one_by_one.lost, one_by_one.blocks)
    assert mixture.evidence(0.1) == pytest.approx(one_by_one.evidence(0.1))
    assert mixture.largest_share() == pytest.approx(one_by_one.largest_share())
