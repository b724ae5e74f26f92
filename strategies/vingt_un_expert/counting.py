"""How boxes at Vingt-un end, and what they are worth, by the cards that are unseen.

The first two cards are dealt without replacement. A card that is drawn is as likely as its share of the unseen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import mul

from roundsim.strategy import Card, ace_low

OVER = 22  # stands for every count above twenty-one
ALL_CARDS = range(1, 11)  # what a card counts, an ace one
HIGH = (1, 10)

Box = tuple[int, bool]  # the count with every ace at one, and whether there is an ace
EMPTY: Box = 0, False


def with_card(box: Box, card: int) -> Box:
    """Return the box with one more card."""
    return box[0] + card, box[1] or card == 1


def box_of(cards: Iterable[Card]) -> Box:
    """Return the box that these cards make."""
    box = EMPTY
    for card in cards:
        box = with_card(box, worth_of(card))
    return box


def worth_of(card: Card) -> int:
    """Return what a card counts, an ace one."""
    return min(10, ace_low(card))


def count(box: Box) -> int:
    """Return what a box counts, an ace eleven where it may."""
    low, ace = box
    return low + 10 if ace and low <= 11 else min(low, OVER)


def stands(box: Box) -> bool:
    """Return whether others are taken to stand on a box, as the book does."""
    low, ace = box
    return low >= 16 or ace and 8 <= low <= 11


def pays(mine: int, theirs: int) -> int:
    """Return what the banker's count pays to a box, in its stakes."""
    if mine == OVER:
        return -1
    if theirs == OVER or mine > theirs:
        return 2 if mine == 21 else 1
    return -2 if theirs == 21 > mine else -1


class Unseen:
    """The cards that are unseen: how many count one, two, ... ten."""

    def __init__(self, cards: Iterable[int]) -> None:
        self.number = [0] * 11
        for card in cards:
            self.number[card] += 1
        total = sum(self.number)
        self.share = [number / total for number in self.number]

    def pairs(self, firsts: Iterable[int]) -> dict[tuple[int, int], float]:
        """Return the chance of each two cards whose first is one of these; of any two if that is impossible."""
        number = self.number
        ways = {
            (first, second): number[first] * (number[second] - (first == second))
            for first in firsts
            for second in ALL_CARDS
        }
        total = sum(ways.values())
        return {pair: way / total for pair, way in ways.items() if way} if total else self.pairs(ALL_CARDS)

    def boxes(self, firsts: Iterable[int]) -> tuple[float, dict[Box, float]]:
        """Return the chance that two cards are a natural, and of each box if they are none."""
        natural, boxes = 0.0, dict[Box, float]()
        for (first, second), chance in self.pairs(firsts).items():
            if {first, second} == {*HIGH}:
                natural += chance
            else:
                box = with_card(with_card(EMPTY, first), second)
                boxes[box] = boxes.get(box, 0) + chance
        return natural, {box: chance / (1 - natural) for box, chance in boxes.items()}

    def ends(self, boxes: Mapping[Box, float]) -> list[float]:
        """Return the chance of each count at which boxes end that are drawn to as the book does."""
        ends, left = [0.0] * (OVER + 1), {(low, ace): 0.0 for low in range(OVER) for ace in (False, True)}
        left.update(boxes)
        for box, chance in left.items():  # from low to high
            if not chance:
                continue
            if stands(box):
                ends[count(box)] += chance
                continue
            for card in ALL_CARDS:
                after = with_card(box, card)
                if after in left:
                    left[after] += chance * self.share[card]
                else:
                    ends[OVER] += chance * self.share[card]
        return ends


class Play:
    """The best play of a box. `stand`: what each count is worth at the end, up to OVER."""

    def __init__(self, unseen: Unseen, stand: Sequence[float]) -> None:
        self.stand = stand
        hard, soft = [[stand[OVER]] * (OVER + 10) for _ in range(2)]  # by the count with aces at one
        self.drawn = dict[Box, float]()
        ace, *others = unseen.share[1:]
        for low in range(OVER - 1, -1, -1):
            after = sum(map(mul, unseen.share, soft[low : low + 11]))  # no card counts 0
            self.drawn[low, True] = after
            soft[low] = max(stand[count((low, True))], after)
            after = ace * soft[low + 1] + sum(map(mul, others, hard[low + 2 : low + 11]))
            self.drawn[low, False] = after
            hard[low] = max(stand[low], after)
        self.best = {False: hard, True: soft}

    def worth(self, box: Box) -> float:
        """Return what a box is worth."""
        return self.best[box[1]][box[0]]

    def to_draw(self, box: Box) -> float:
        """Return what a box is worth if it draws a card."""
        return self.drawn[box]


PAYS = [[pays(mine, theirs) for theirs in range(OVER + 1)] for mine in range(OVER + 1)]
RECEIVES = [[-pays(mine, theirs) for mine in range(OVER + 1)] for theirs in range(OVER + 1)]


def against_banker(ends: Sequence[float]) -> list[float]:
    """Return what each count of a player is worth, in stakes, if the banker ends so."""
    return [sum(map(mul, row, ends)) for row in PAYS]


def against_player(ends: Sequence[float]) -> list[float]:
    """Return what each count of the banker is worth, in stakes, if a player ends so."""
    return [sum(map(mul, row, ends)) for row in RECEIVES]
