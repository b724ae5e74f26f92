"""The differences of several games as one sequence, against scales worked out by hand, and against chance."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random

import pytest
from helpers.command import seldom

from roundsim.statistics.pooled import Pooled, Scale
from roundsim.statistics.stopping import Decision, Mixture


def scale_of(differences: Sequence[float]) -> float | None:
    scale = Scale()
    for each in differences:
        scale.add(each)
    return scale.value


def test_a_scale_is_the_root_mean_square_up_to_the_80th_change() -> None:
    """80 of 3 in 160 blocks: 720 / 160 is 4.5; 40 of 1 and 40 of 7 in 80: 2 000 / 80 is 25."""
    assert scale_of([0.0, 3.0] * 79) is None
    assert scale_of([0.0, 3.0] * 80) == scale_of([0.0, -3.0] * 80) == pytest.approx(sqrt(4.5))
    assert scale_of([1.0, -7.0] * 40) == scale_of([*[1.0, -7.0] * 40, 1000.0]) == 5.0


def test_games_take_turns_and_each_is_divided_by_its_scale() -> None:
    """Scales of 5 and 2: 1, 4 become 0.2, 2 and so on."""
    pooled, by_hand = Pooled(2, 0.05), Mixture(0.05)
    for one, other in zip([1.0, -7.0] * 60, [4.0, 0.0] * 60, strict=True):
        pooled.add([one, other / sqrt(2)])
    for one, other in zip([0.2, -1.4] * 60, [2.0 / sqrt(2), 0.0] * 60, strict=True):
        by_hand.add(one)
        by_hand.add(other)
    assert pooled.waiting  # the other game has changed 60 times
    for _ in range(40):
        pooled.add([5.0, 2.0 * sqrt(2)])
    assert not pooled.waiting and pooled.scales[0].value == 5.0


def test_rounds_wait_for_a_scale_unless_there_is_no_difference() -> None:
    """The other game is alike for 100 rounds, and then changes in each."""
    pooled = Pooled(2, 0.05)
    for n in range(1, 101):
        pooled.add([1.0, 0.0])
        assert (pooled.mixture.blocks, len(pooled.waiting)) == ((0, n) if n < 80 else (2 * n, 0))
    assert pooled.decision() is Decision.BETTER
    for n in range(1, 80):
        pooled.add([1.0, 1.0])
        assert (pooled.mixture.blocks, len(pooled.waiting)) == (200, n)
        assert pooled.decision() is Decision.UNDECIDED
    pooled.add([1.0, 1.0])
    assert (pooled.mixture.blocks, len(pooled.waiting)) == (360, 0)
    assert pooled.scales[1].value == pytest.approx(sqrt(80 / 180))


def test_a_block_in_which_the_two_do_not_meet_is_none() -> None:
    pooled = Pooled(2, 0.05)
    for _ in range(80):
        pooled.add([2.0, None])
    assert (pooled.mixture.blocks, pooled.mixture.mean) == (80, 1.0)


def test_small_gains_in_each_of_three_games_add_up() -> None:
    """A fifth of a standard deviation in 200 blocks of each: 4.9 standard errors together, 2.8 in a game alone."""
    together = each_alone = 0
    for seed in range(20):
        chance, pooled, alone = Random(seed), Pooled(3, 0.05), [Mixture() for _ in range(3)]
        for _ in range(200):
            differences = [size * (0.2 + chance.gauss(0, 1)) for size in (1.0, 40.0, 0.03)]
            pooled.add(differences)
            for mixture, difference in zip(alone, differences, strict=True):
                mixture.add(difference)
        together += pooled.decision() is Decision.BETTER
        each_alone += all(mixture.decision() is Decision.BETTER for mixture in alone)
    assert together >= 16 and each_alone <= 4


@pytest.mark.parametrize("runs", [40, *seldom(2000)])
def test_equal_strategies_rarely_differ_significantly(runs: int) -> None:
    """A look after every round; one game has few changes, the other long tails. Promise: 0.05."""
    wrong = 0
    for seed in range(runs):
        chance, pooled = Random(seed), Pooled(2, 0.05)
        for _ in range(400):
            rare = chance.choice([-9.0, 9.0]) if chance.random() < 0.3 else 0.0
            pooled.add([rare, chance.gauss(0, 1) * chance.choice([1.0, 6.0])])
            if pooled.decision() is not Decision.UNDECIDED:
                wrong += 1
                break
    assert wrong / runs <= 0.05 + 3 * sqrt(0.05 * 0.95 / runs)
