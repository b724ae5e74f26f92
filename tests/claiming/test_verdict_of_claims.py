"""Conditions, and verdicts from sums of blocks."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import inf

import pytest
from helpers.command import drawn, seldom_with

from roundsim import deals, play
from roundsim.claiming.measures import counters
from roundsim.claiming.verdict import (
    ALIKE,
    DEPENDS,
    OPEN,
    PROGRAM,
    RIGHT,
    WRONG,
    BlockSums,
    Condition,
    Sum,
    judge_blocks,
    together,
)


@pytest.mark.parametrize(
    "text, terms, sign, bound",
    [
        ("dealer - eldest < 0", {"dealer": 1, "eldest": -1}, "<", 0),
        ("share > .01", {"share": 1}, ">", 0.01),
        ("2*a-b.won=-1.5", {"a": 2, "b.won": -1}, "=", -1.5),
        ("- a + b + a > 3", {"a": 0, "b": 1}, ">", 3),
    ],
)
def test_a_condition_is_read(text: str, terms: dict[str, float], sign: str, bound: float) -> None:
    assert Condition.parse(text) == Condition(tuple(terms.items()), sign, bound)


@pytest.mark.parametrize("text", ["", "a", "a >", "> 0", "a > b", "a b > 0", "a >= 0", "a - 2 > 0", "a > 0 0"])
def test_other_texts_are_refused_as_conditions(text: str) -> None:
    with pytest.raises(ValueError, match="is no condition: write NAME - NAME > 0"):
        Condition.parse(text)


def test_an_exact_condition_holds_or_not() -> None:
    figures = {"a": 0.5, "b": 0.25}
    held = {text: Condition.parse(text).holds(figures) for text in ("a > .5", "a < .6", "2*b = .5", "a - b < 0")}
    assert held == {"a > .5": False, "a < .6": True, "2*b = .5": True, "a - b < 0": False}


def blocks(n: int, **numbers: Sequence[float]) -> list[BlockSums]:
    """So many blocks, each with the next number under each name, as if it was one deal."""
    return [
        {name: Sum(1, each[at % len(each)], each[at % len(each)] ** 2) for name, each in numbers.items()}
        for at in range(n)
    ]


@pytest.mark.parametrize(
    "text, numbers, verdict",
    [
        ("a - b > 0", {"a": [3, 1], "b": [1, 0]}, RIGHT),  # 2 and 1: always above
        ("a - b < 0", {"a": [3, 1], "b": [1, 0]}, WRONG),
        ("a > 2.5", {"a": [3, 1]}, WRONG),  # the mean is 2, an error of some .05
        ("a = 2", {"a": [3, 1]}, OPEN),  # no number is surely within a fiftieth of the spread of 1, of 400 blocks
        ("a = 3", {"a": [3, 1]}, WRONG),
        ("a - b > 0", {"a": [1, 0, 1], "b": [0]}, PROGRAM),  # b never comes
        ("a - b < 0", {"a": [0.5, 0], "b": [1]}, PROGRAM),  # b always comes
    ],
)
def test_verdicts_of_plain_numbers(text: str, numbers: dict[str, list[float]], verdict: str) -> None:
    assert judge_blocks(Condition.parse(text), blocks(400, **numbers)).verdict == verdict


def test_differences_too_small_to_matter_and_equal_numbers_after_a_thousand_blocks_are_none() -> None:
    pairs, same = blocks(4000, a=[1, -1, 1, -1], b=[0, 0]), blocks(1000, a=[1], b=[1])
    for text, rows, matters, verdict in [
        ("a - b > 0", pairs, {"matters": 0.2}, ALIKE),
        ("a - b = 0", pairs, {"matters": 0.2}, RIGHT),
        ("a - b > 0", pairs, {"matters": 0.01}, OPEN),
        ("a - b > 0", same[1:], {}, OPEN),
        ("a - b > 0", same, {}, ALIKE),
        ("a - b = 0", same, {}, RIGHT),
    ]:
        assert judge_blocks(Condition.parse(text), rows, **matters).verdict == verdict, (text, matters)


@pytest.mark.parametrize("deals, verdict", [(500, OPEN), (1054, OPEN), (1055, PROGRAM)])
def test_an_absent_event_is_surely_rare_only_after_enough_deals(deals: int, verdict: str) -> None:
    """If it came in 1 of 100 deals, n deals without it had a chance of .99 ** n: .0066 for 500.

    It is below .0001 / 4, for the four looks at one of 500 claims, from 10.597 / .0100503 = 1054.4 deals on, by hand. The
    share p that n deals miss with a chance of .025 is the end of its interval."""
    found = judge_blocks(Condition.parse("rare < .01"), blocks(deals, rare=[0]))
    assert found.verdict == verdict and found.error == pytest.approx(1 - 0.025 ** (1 / deals))
    assert judge_blocks(Condition.parse("a > 1"), blocks(deals, a=[2])).error == inf


def test_a_figure_is_a_ratio_over_all_blocks_and_open_without_one() -> None:
    """Two deals with 1, then one with 4: 6 of 3, not the mean of 1 and 4."""
    found = judge_blocks(Condition.parse("a > 0"), [{"a": Sum(2, 2, 2)}, {"a": Sum(1, 4, 16)}])
    assert (found.value, found.n, found.verdict, found.error) == (2, 3, OPEN, inf)
    found = judge_blocks(Condition.parse("a - b > 0"), blocks(500, a=[1]))
    assert (found.verdict, found.value, found.n) == (OPEN, None, 0), "a name never came"


def test_two_ratios_of_different_counts_have_the_error_of_the_ratio_estimator() -> None:
    """Names that are counted differently often: the error is that of the linearised difference, by hand.

    In 100 blocks `a` is 1 twice or 0 once by turns: 100 of 150 numbers are 1, two thirds. A block with two is 2/3 above,
    one without 2/3 below, of 1.5 numbers a block: influences of 4/9. Their standard deviation is 4/9 * sqrt(100/99), the
    standard error a tenth of that, and the quantile of Student's t for 99 is 1.98422."""
    turns = [{"a": Sum(2, 2, 2), "b": Sum(1, 0, 0)}, {"a": Sum(1, 0, 0), "b": Sum(1, 0, 0)}] * 50
    found = judge_blocks(Condition.parse("a - b > 0"), turns)
    assert found.value == pytest.approx(2 / 3)
    assert found.error == pytest.approx(1.98422 * 4 / 9 * (100 / 99) ** 0.5 / 10, rel=1e-4)


def test_tables_that_disagree_depend_and_an_open_one_keeps_it_open() -> None:
    assert together([RIGHT, RIGHT]) == RIGHT
    assert together([RIGHT, WRONG]) == together([ALIKE, OPEN, RIGHT]) == DEPENDS
    assert together([RIGHT, OPEN]) == OPEN
    assert together([PROGRAM, PROGRAM]) == PROGRAM and together([PROGRAM, WRONG]) == WRONG


LEVEL = {"a > 0": 1, "a - b > 0": 0, "2*a - b - c > 0": 0}  # and the sum of the factors of its names
SHAPES: dict[str, tuple[Callable[[random.Random], float], float]] = {
    "two numbers": (lambda chance: chance.choice((6, 12)), 9.0),
    "a jackpot": (lambda chance: 20.0 if chance.random() < 0.1 else 1.0, 2.9),
}


@pytest.mark.parametrize("text", LEVEL)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("rates", "blocks"),
    [
        ((0.002, 1, 0.1), 125),
        *seldom_with(
            *[((rate, b, c), n) for rate in (0.01, 0.03, 0.1, 0.3) for b, c in ((1, 0.1), (0.1, 1)) for n in (125, 500)]
        ),
    ],
)
def test_hardly_any_level_claim_is_decided_however_rare_a_name_is(
    text: str, shape: str, rates: tuple[float, ...], blocks: int
) -> None:
    """Blocks of four deals; a deal yields a number under a name at this rate. Before, one number decided half of these."""
    (draw, mean), chance, decided = SHAPES[shape], random.Random(f"{text} {shape} {rates} {blocks}"), 0
    condition = Condition.parse(f"{text[:-1]}{LEVEL[text] * mean}")
    for _ in range(drawn(40, 2000)):
        sums = list[BlockSums]()
        for _ in range(blocks):
            numbers = {
                name: [draw(chance) for _ in range(4) if chance.random() < rate]
                for name, rate in zip("abc", rates, strict=True)
            }
            sums.append(
                {name: Sum(len(each), sum(each), sum(n * n for n in each)) for name, each in numbers.items() if each}
            )
        decided += any(judge_blocks(condition, sums[:few], matters=0).verdict != OPEN for few in (blocks // 4, blocks))
    assert decided <= 1


@pytest.mark.parametrize(("claims", "many"), [(50, 400), *seldom_with((drawn(1000, 2000), 1600))])
def test_hardly_any_claim_about_copies_of_one_strategy_is_decided(
    claims: int, many: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The bar of the page: of 2 000 claims about two copies of one strategy at most one is decided.

    The deals are real ones of four books at Nap; each claim draws its own sittings, and which of the four it compares."""
    folder = tmp_path_factory.mktemp("copies") / "run"
    run = play("nap", ["book"] * 4, deals=many, seed=7, fresh_cards=True, jobs=1, out=folder)
    nets = list[dict[int, int]]()
    for at, deal in enumerate(deals(run.folder)):
        if at % 4 == 0:
            nets.append(dict.fromkeys(range(4), 0))
        for seat, entrant in enumerate(deal.entrants):
            nets[-1][entrant] += counters(deal, seat)
    condition, decided, chance = Condition.parse("one - other > 0"), 0, random.Random(1)
    for _ in range(claims):
        drawn_blocks = list[BlockSums]()
        for _ in range(400):
            one, other = chance.sample([*chance.choice(nets).values()], 2)
            drawn_blocks.append({"one": Sum(4, one, one * one), "other": Sum(4, other, other * other)})
        looks = (judge_blocks(condition, drawn_blocks[:few], matters=0).verdict for few in (100, 200, 400))
        decided += any(verdict != OPEN for verdict in looks)
    assert decided <= 1
