"""Verdicts of the house against figures settled by hand, or by a second program written from the rules alone."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from statistics import fmean, stdev

import pytest

import roundsim

PACK = [(rank, suit) for rank in range(2, 15) for suit in range(4)]  # 14: the ace
HANDS = comb(52, 5)


def exact(claim: str) -> dict[str, Fraction]:
    """The figures that the house has kept for a claim with an exact function."""
    (row,) = roundsim.claims(claim)
    return {name: Fraction(figure) for name, figure in row["exact"].items()}


def against(good: int, of: int) -> Fraction:
    """The odds to one against it."""
    return Fraction(of - good, good)


@pytest.mark.parametrize(
    ("claim", "figure", "by_hand"),
    [
        # not those without a pair, nor those with a pair below tens (knaves) and nothing else
        ("straight-poker/41", "", 1 - Fraction(1_302_540 + 8 * 84_480, HANDS)),
        ("draw-poker/8", "", 1 - Fraction(1_302_540 + 9 * 84_480, HANDS)),
        ("nap/11", "n52", Fraction(4, HANDS)),  # A K Q J T of a suit
        ("nap/21", "akq", Fraction(4 * comb(49, 2), HANDS)),
        ("nap/41", "sure_four", Fraction(3, 5)),  # 10p - 5(1-p) = 4
        ("nap/41", "all_or_nothing", Fraction(1, 7)),  # 10p - 5(1-p) = 4p - 4(1-p)
        ("loto/5", "card", Fraction(15 * 91, 16)),  # the mean of the highest of 15 of 90 numbers
        ("loto/5", "row", Fraction(5 * 91, 6)),
        ("loto/5", "last", Fraction(15, 90)),
        ("loo/41", "", Fraction(4 * 3, 52 - 1 - 3)),
        ("vingt-un/3", "", Fraction(4 * 16, comb(52, 2))),
        ("vingt-un/8", "", Fraction(3, 51)),
        ("draw-poker/122", "full", against(4, 47)),
        ("draw-poker/126", "straight", against(8, 47)),
        ("draw-poker/127", "flush", against(9, 47)),
        ("draw-poker/128", "flush", against(comb(10, 2), comb(47, 2))),
        ("my-bird-sings/4", "", Fraction(4 * comb(13, 3), comb(52, 3))),
        ("bouillotte/11", "simple", Fraction(5 * 4, comb(20, 3))),
    ],
)
def test_exact_claims_by_hand(claim: str, figure: str, by_hand: Fraction) -> None:
    assert exact(claim)[figure] == by_hand


def test_three_cards_to_a_pair() -> None:
    """Draw Poker 12, by all 16 215 draws to a pair of aces; 2, 3 and 4 are put away."""
    rest = [card for card in PACK if card not in {(14, 0), (14, 1), (2, 0), (3, 1), (4, 2)}]
    found = Counter(
        tuple(sorted(Counter([14, 14, *(rank for rank, _ in drawn)]).values())) for drawn in combinations(rest, 3)
    )
    ways = {"threes": (1, 1, 3), "two_pairs": (1, 2, 2), "full": (2, 3), "fours": (1, 4)}
    by_count = {name: against(found[shape], 16_215) for name, shape in ways.items()}
    assert exact("draw-poker/12") == {**by_count, "improved": against(16_215 - found[1, 1, 1, 2], 16_215)}


def test_hands_of_commerce() -> None:
    """Commerce 4, by all 22 100 hands: a flush with the cards of a sequence is a sequence; the ace is high or low."""

    def classes(hands: Iterator[Sequence[tuple[int, int]]]) -> Iterator[str]:
        for hand in hands:
            ranks, suits = sorted({rank for rank, _ in hand}), {suit for _, suit in hand}
            together = len(ranks) == 3 and (ranks[2] - ranks[0] == 2 or ranks == [2, 3, 14])
            if len(ranks) == 1:
                yield "tricon"
            elif len(suits) == 1:
                yield "sequence" if together else "flush"
            else:
                yield "pair" if len(ranks) == 2 else "point"

    found = Counter(classes(combinations(PACK, 3)))
    assert {name: count for name, count in exact("commerce/4").items() if "_" not in name} == found


def test_birds() -> None:
    """My Bird Sings 1, by all 270 725 hands of four; five cards by their suits alone."""
    fours = Counter(len({suit for _, suit in hand}) for hand in combinations(PACK, 4))
    held = [
        (parts, comb(13, parts[0]) * comb(13, parts[1]) * comb(13, parts[2]) * comb(13, parts[3]))
        for parts in deals_of(5)
    ]
    five_suits = sum(ways for parts, ways in held if min(parts) >= 1)
    five_flush = sum(ways for parts, ways in held if max(parts) >= 4)
    assert exact("my-bird-sings/1") == {
        "four": Fraction(fours[4] + fours[1], 270_725),
        "four_suits": Fraction(fours[4], 270_725),
        "four_flush": Fraction(fours[1], 270_725),
        "five": Fraction(five_suits + five_flush, HANDS),
        "five_suits": Fraction(five_suits, HANDS),
        "five_flush": Fraction(five_flush, HANDS),
    }


def deals_of(cards: int) -> list[tuple[int, int, int, int]]:
    """The ways in which so many cards lie in four suits."""
    upto = range(cards + 1)
    return [(a, b, c, cards - a - b - c) for a in upto for b in upto for c in upto if a + b + c <= cards]


def test_turn_up_of_speculation() -> None:
    """Speculation 1: each of the trumps in the hands and turned up is as likely to be the one turned up."""
    for seats in (3, 4, 5, 6, 8, 10):
        dealt = 3 * seats
        in_hands = [Fraction(comb(12, n) * comb(39, dealt - n), comb(51, dealt)) for n in range(min(12, dealt) + 1)]
        highest = sum(chance / (n + 1) for n, chance in enumerate(in_hands))
        assert exact("speculation/1")[f"n{seats}"] == highest


def test_the_dealer_pays_least_at_snip_snap_snorum() -> None:
    """Snip-Snap-Snorum 11 among `random`, by a second program, in the first deal."""
    for case in roundsim.claims("snip-snap-snorum/11")[0]["cases"]:
        if case["among"] == "random":
            seats = int(case["at"].split()[0])
            paid = [snip_snap_snorum(random.Random(seed), seats) for seed in range(4000)]
            for name, places in (("dealer", [seats - 1]), ("others", range(seats - 1))):
                by_count = fmean(fmean(each[place] for place in places) for each in paid)
                assert case["figures"][name] == pytest.approx(by_count, abs=2 * case["error"])


def snip_snap_snorum(chance: random.Random, seats: int) -> list[int]:
    """Return what each pays in a deal of five cards, from the eldest hand to the dealer; each has only five counters."""
    pack = [rank for rank, _ in PACK]
    chance.shuffle(pack)
    hands = [pack[5 * seat : 5 * seat + 5] for seat in range(seats)]
    paid, level, last, player = [0] * seats, 0, -1, -1
    for turn in range(5 * seats):
        seat = turn % seats
        if paid[seat] == 5:
            continue  # is out
        hand = hands[seat]
        card = last if last in hand else chance.choice(hand)
        level = level + 1 if card == last else 0
        hand.remove(card)
        if level:
            paid[player] = min(5, paid[player] + level)
        last, player = card, seat
    return paid


def test_hands_of_vingt_un() -> None:
    """Vingt-un 61 and 83, thirteen and a pair of eights, by a second program that deals cards from 1 to 13."""
    chance, won = random.Random(1), defaultdict[str, list[int]](list)
    for deal in range(40_000):
        eights = [8, 8] * (deal % 3 == 0)
        pack = chance.sample([*range(1, 14)] * 4, 52)
        for card in eights:
            pack.remove(card)
        pack += eights
        player, dealer = ([pack.pop(), pack.pop()] for _ in range(2))
        if counts(dealer) == 21:
            continue
        double = 2 if min(dealer[0], 10) in (1, 10) else 1
        dealers = [drawn_to(pack, box) for box in divided(pack, dealer, {1})]
        boxes = divided(pack, player, {1, 8})
        if eights:
            ends = [drawn_to(pack, box) for box in boxes]
            won["split_1"].append(sum(paid(box, dealers) * (1 if at else double) for at, box in enumerate(ends)))
            won["keep"].append(paid(player, dealers) * double)
            continue
        for at, box in enumerate(boxes):
            while low(box) < 13 and counts(box) < 18:
                box = [*box, pack.pop()]
            if low(box) == 13:
                stake = {1: 10, 9: 3, 10: 5}.get(min(box[0], 10), 1) * (1 if at else double)
                won["stand"].append(stake * paid(box, dealers))
                won["card"].append(stake * paid(drawn_to(pack, [*box, pack.pop()]), dealers))
    for say, figure in (exact("vingt-un/61") | exact("vingt-un/83")).items():
        assert fmean(won[say]) == pytest.approx(float(figure), abs=2.5 * stdev(won[say]) / len(won[say]) ** 0.5)


def low(box: list[int]) -> int:
    return sum(min(card, 10) for card in box)


def counts(box: list[int]) -> int:
    return low(box) + 10 * (1 in box and low(box) <= 11)


def divided(pack: list[int], box: list[int], pairs: set[int]) -> list[list[int]]:
    if box[0] != box[1] or box[0] not in pairs:
        return [box]
    return [part for card in box for part in divided(pack, [card, pack.pop()], pairs)]


def drawn_to(pack: list[int], box: list[int]) -> list[int]:
    while counts(box) < 16 or low(box) < counts(box) < 18:
        box = [*box, pack.pop()]
    return box


def paid(box: list[int], dealers: list[list[int]]) -> int:
    """Return what a box gets from the dealer's boxes; none is a natural."""
    mine, theirs = counts(box), [counts(each) for each in dealers]
    if mine > 21:
        return -len(theirs)
    return sum(-1 - (count == 21 > mine) if mine <= count <= 21 else 1 + (mine == 21) for count in theirs)
