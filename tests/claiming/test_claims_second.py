"""Verdicts of the house against a second computation from the rules alone, of 40 claims that `random.Random("forty")` drew.

Long computations are in a table: figures counted once, in other deals, by programs that share nothing with measures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import comb, sqrt
from pathlib import Path
from statistics import fmean, stdev

import pytest

import roundsim

PACK = [(rank, suit) for rank in range(2, 15) for suit in range(4)]  # 14: the ace


def exact(claim: str) -> dict[str, Fraction]:
    (row,) = roundsim.claims(claim)
    return {name: Fraction(figure) for name, figure in row["exact"].items()}


def same_hand(owners: Sequence[int | None]) -> Fraction:
    """The chance that two cards lie in one hand, if these own the places of the pack; None: nobody."""
    return Fraction(sum(a == b is not None for a, b in permutations(owners, 2)), len(owners) * (len(owners) - 1))


def test_one_or_two_hands() -> None:
    """Brag 2, Loo 9 and 21, Ambigu 12, Show-down Poker 2 and 21."""
    braggers = Fraction(comb(8, 3), comb(52, 3)) * Fraction(comb(5, 3), comb(49, 3))
    assert exact("brag/2") == {"share": comb(8, 2) * braggers}  # of eight braggers at most two seats hold three
    assert exact("loo/9")[""] * comb(52, 5) == 3 * comb(13, 5) + comb(12, 5) + 3 * comb(13, 4) + comb(12, 4)
    trumps = Counter(sum(suit == 0 for _, suit in hand) for hand in combinations(PACK[1:], 3))  # the first is turned up
    assert [*exact("loo/21").values()] == [Fraction(trumps[number], comb(51, 3)) for number in range(4)]
    ambigu = Counter[str]()
    for hand in combinations([(rank, suit) for rank in range(1, 11) for suit in range(4)], 4):
        ranks, suits = Counter(rank for rank, _ in hand), {suit for _, suit in hand}
        ambigu["tricon_prime"] += len(suits) == 4 and 3 in ranks.values()
        ambigu["flush"] += len(suits) == 1 and max(ranks) - min(ranks) > 3
    assert {name: exact("ambigu/12")[name] for name in ambigu} == ambigu
    gone = {(13, 0), (13, 1), (9, 2), (8, 3), (7, 0), (14, 0), (14, 1), (5, 2), (4, 3), (2, 0)}
    for name, kept in (("kings", (13, 13)), ("next", (13, 13, 9))):  # with a pair no straight and no flush
        draws = [*combinations([rank for rank, suit in PACK if (rank, suit) not in gone], 5 - len(kept))]
        better = sum(sorted(Counter(kept + drawn).values()) != [1, 1, 1, 2] for drawn in draws)
        assert exact("show-down-poker/2")[name] == Fraction(better, len(draws))


def test_chances_by_seats() -> None:
    """Pope Joan 1, Spin 1, Loo 11, Speculation 2 and 12."""
    for seats in (4, 5, 6, 8):
        owners = [*[*range(seats), None] * (50 // (seats + 1)), *[None] * (50 % (seats + 1))]
        assert exact("pope-joan/1")[f"n{seats}"] == Fraction(51 - 4 * 2, 51) * same_hand(owners)
        assert exact("spin/1").get(f"n{seats}") in (None, same_hand([place % seats for place in range(50)]))
        beaten = [1 - Fraction(comb(51 - higher, seats), comb(51, seats)) for higher in range(13)]
        assert exact("loo/11")[f"n{seats}"] == 1 - sum(beaten) / 13
        # if the turn-up is beaten, each seat has as good a chance of the pool
        wins = [(1 - Fraction(comb(51 - higher, 3 * seats), comb(51, 3 * seats))) / seats for higher in range(13)]
        assert exact("speculation/12")[f"n{seats}"] == (seats + 1) * sum(wins) / 13 - 1
        others = (seats - 1) * sum(wins[4:]) / 13  # an ace to knave turned up wins at once
        assert exact("speculation/2")[f"n{seats}"] == (seats + 1) * (1 - others) - 2


def compare(claim: str, at: str, figure: float, error: float) -> None:
    """Compare a figure and its standard error with those that are kept, and the verdict with what the figure says."""
    (row,) = roundsim.claims(claim)
    (case,) = (case for case in row["cases"] if (case["at"], case["among"]) == (at, "book"))
    assert abs(figure - case["value"]) < 4 * sqrt(error**2 + (case["error"] / 1.96) ** 2)
    *_, sign, bound = row["true_if"].split()
    if sign != "=" and case["verdict"] != "no difference":
        assert case["verdict"] == ("right" if (figure > float(bound)) == (sign == ">") else "wrong")


@pytest.mark.parametrize(("seats", "claims"), [(2, {"21": [1, 1, 3]}), (5, {"11": [1, 2, 2], "21": [1, 1, 3]})])
def test_pools_of_straight_poker(tmp_path: Path, seats: int, claims: dict[str, list[int]]) -> None:
    """Straight Poker 11 and 21: who has staked and gets counters has taken the pool, even if it is only his own antes."""
    seated, out = ["book"] * seats, tmp_path / "run"
    run = roundsim.play("straight-poker", seated, deals=4000, fresh_cards=True, seed=40, jobs=1, seats=seats, out=out)
    deals = [*roundsim.deals(run.folder)]
    for claim, shape in claims.items():
        took = [
            any(move.payee == seat for move in deal.moves)
            for deal in deals
            for seat in {view.seat for view, said in deal.walk() if said.verb in ("bet", "call", "raise")}
            if sorted(Counter(card.rank for card in deal.hands[seat]).values()) == shape
        ]
        compare(f"straight-poker/{claim}", f"{seats} seats", fmean(took), stdev(took) / sqrt(len(took)))


COUNTED = """
brag/3 -.0218 .0047 4 seats
brag/4 -4.226 .1192 4 seats
brag/41 -1.878 .0530 4 seats
brag/6 -.2547 .0333 4 seats, third_draw=True, variant=three
cassino/21 2.618 .2700 4 seats, partners=False
cassino/5 .8407 .0858 2 seats, must_take=False
commerce/1 2.091 .1146 3 seats
commerce/1 2.061 .1080 5 seats
commerce/1 1.339 .1012 8 seats
commerce/6 .8367 .0935 5 seats, dealer_penalty=all
commerce/7 -.6896 .0647 5 seats
draw-poker/3 .2044 .0018 5 seats
flat-poker/21 .5517 .0090 4 seats, limit=1, mode=show
loo/51 -3.369 .2766 7 seats
nap/4 -8.145 1.184 4 seats
newmarket/11 .3820 .0090 4 seats
newmarket/11 .7209 .0079 6 seats
newmarket/51 .9300 .0025 3 seats
newmarket/51 .3853 .0041 10 seats
pope-joan/5 1.132 .1138 4 seats
pope-joan/6 1.186 .0832 4 seats
snip-snap-snorum/12 -.1159 .0066 5 seats
solo-whist/10 .0546 .0035 4 seats
solo-whist/41 2.080 .1691 4 seats
solo-whist/8 .6170 .1146 4 seats, all_pass=general-misere
speculation/41 -.0065 .0015 5 seats
spin/2 -1.734 .2395 4 seats
thirty-one/11 -.0051 .0007 4 seats
thirty-one/2 -.2151 .0368 2 seats
"""


@pytest.mark.parametrize("line", COUNTED.strip().splitlines())
def test_figures_of_a_second_count(line: str) -> None:
    claim, figure, error, at = line.split(" ", 3)
    compare(claim, at, float(figure), float(error))
