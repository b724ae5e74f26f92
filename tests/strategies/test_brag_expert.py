"""Brag for two: the solution is near the best play of the smaller game, and the same wherever it is made."""

import sys
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from itertools import combinations

import pytest
from helpers.command import ROOT, seldom_with

from roundsim.table.cards import CARD, PACK

sys.path.append(str(ROOT / "bench"))

from train_brag import ANTES, EXPERT, SIZES, text

CHANCES = Counter(EXPERT.reading_of(hand) for hand in combinations(PACK, 3))
KINDS = sorted(CHANCES)
ALL = CHANCES.total()
MORE_RAISES = *[(1, 5, 10)] * 4, (10,)


def best_answer(ante: int, me: int, sizes: Sequence[Sequence[int]]) -> float:
    """Return what the best answer to the solution wins a deal from the seat `me`, 0 being eldest, with these sizes of the
    first raise, the second and so on, if a hand does not change the chances of the other's."""

    def gain(raises: Sequence[int], others: Sequence[float]) -> list[float]:
        """Return the best gain with each kind of hand, from the other's hands, each with its probability here."""
        level, put_up = ante + sum(raises), ante + sum(raises[:-1]) if raises else 1
        more = sizes[len(raises)] if len(raises) < len(sizes) else ()
        if len(raises) % 2 == me:
            later = [gain([*raises, by], others) for by in more]
            return [*map(max, [-put_up * sum(others)] * len(KINDS), show(level, others), *later)]
        parts = {each: [0.0] * len(KINDS) for each in ("fold", "call", *[f"raise {by}" for by in more])}
        for at, kind in enumerate(KINDS):
            shares = EXPERT.shares_for(kind, ante, raises)
            for answer, share in shares:
                legal = answer if answer in parts else "call"
                parts[legal][at] += others[at] * share / sum(share for _, share in shares)
        later = [gain([*raises, by], parts[f"raise {by}"]) for by in more]
        kept = put_up * sum(parts["fold"])
        return [kept + sum(each) for each in zip(show(level, parts["call"]), *later, strict=True)]

    def show(level: int, others: Sequence[float]) -> list[float]:
        """Return the gain of a call with each kind of hand. The eldest's wins against an equal one."""
        worse = [sum(others[: at + (me == 0)]) for at in range(len(others))]
        return [level * (2 * each - sum(others)) for each in worse]

    chances = [CHANCES[kind] / ALL for kind in KINDS]
    return sum(chance * best for chance, best in zip(chances, gain([], chances), strict=True))


@pytest.mark.parametrize(
    ("ante", "sizes", "most"),
    [
        (4, SIZES, 0.012),
        *seldom_with((1, SIZES, 0.009), (10, SIZES, 0.012), *[(ante, MORE_RAISES, 0.25) for ante in ANTES]),
    ],
)
def test_no_answer_wins_much_from_the_solution(ante: int, sizes: Sequence[Sequence[int]], most: float) -> None:
    """Other raises than the solution's are answered like the nearest."""
    assert len(KINDS) == 547
    assert 0 < (best_answer(ante, 0, sizes) + best_answer(ante, 1, sizes)) / 2 < most


@pytest.mark.soak
def test_the_same_solution_is_made_everywhere() -> None:
    assert sha256(text(5).encode()).hexdigest()[:16] == "8e7b0428406dc01e"


def test_an_unknown_question_is_answered_like_the_nearest() -> None:
    weak, strong = (
        EXPERT.reading_of([CARD[name] for name in hand]) for hand in (("2s", "3s", "4s"), ("As", "Ah", "Ac"))
    )
    assert EXPERT.shares_for(strong, 2, [7, 4]) == EXPERT.shares_for(strong, 1, [5, 5])
    assert EXPERT.shares_for(weak, 1, [5, 10, 5, 10, 5]) == EXPERT.shares_for(weak, 1, [5, 10, 5])
    assert {name for name in EXPERT.SOLUTION if "," not in name} == {"ante 1", "ante 4", "ante 10"}
