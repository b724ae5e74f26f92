"""How much more, by hand."""

from __future__ import annotations

import pytest

from roundsim.statistics.differences import Difference
from roundsim.statistics.planning import more_blocks


def difference(value: float, standard: float, blocks: int) -> Difference:
    return Difference.of(value, standard, blocks - 1)


@pytest.mark.parametrize(
    ("value", "more"),
    [
        (0.25, ("about", 36)),  # half a block's spread of 1: (2.80 / 0.25)² are 126, less 90
        (-0.25, ("about", 36)),
        (0.1, ("more than", 620)),  # (2.80 / 0.1054)² are 706
        (0.0, ("more than", 620)),
        (3.0, ("about", 1)),
    ],
)
def test_blocks_of_a_spread_of_one(value: float, more: tuple[str, int]) -> None:
    assert more_blocks(difference(value, 1 / 90**0.5, 90), 1.96) == more


def test_deals_and_more_pairs() -> None:
    assert more_blocks(difference(0.25, 1 / 90**0.5, 90), 1.96, deals=16) == ("about", 570)  # 35.58 blocks
    assert more_blocks(difference(0.25, 1 / 90**0.5, 90), 3.65, deals=16) == ("about", 3700)  # 322.75 - 90 blocks
    assert more_blocks(difference(3.0, 1 / 90**0.5, 90), 1.96, deals=16) == ("about", 16)


def test_no_number_tells_copies_apart() -> None:
    assert more_blocks(difference(0.0, 0.0, 90), 1.96) is None
    assert more_blocks(difference(2.0, 0.0, 90), 1.96) is None


def test_so_many_blocks_find_four_in_five() -> None:
    """The formula's promise, from the normal distribution alone: of 125 blocks of spread 1, 0.25 apart."""
    word, more = more_blocks(difference(0.25, 1 / 8, 64), 1.96) or ("", 0)
    assert word == "about" and 64 + more == pytest.approx(125, abs=2)
