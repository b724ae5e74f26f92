"""All draws to some cards of a poker hand, by their ranks: the key of each resulting hand, and the number of ways.

Suits are ignored: no hand is taken to be of one suit. Keys are negative here, for `bisect`: -5 is better than -3, where
`Ranking.key` has 5 and 3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb
from operator import itemgetter, mul
from typing import NamedTuple

from ..mechanics.hands import Ranking
from ..table.cards import CARD, PACK, Card

RankTuple = tuple[int, ...]  # of some cards, low to high, the deuce 0
Pick = Callable[[list[int]], tuple[int, ...]]  # takes some of a list

RANKS = "23456789TJQKA"
BIT = {card: 1 << RANKS.index(card[0]) for card in PACK}
MARK = [CARD[rank + "s"].mark for rank in RANKS]


class Numbered(NamedTuple):
    """All possible draws by their ranks, numbered; the smaller draws come first.

    `numbers`, `marks`: of the draws of k cards, by k; a mark says which ranks. `built`: a draw of k is a smaller one,
    and some cards of its last rank: which of the smaller ones, and of these cards, for each k from 1."""

    draws: list[RankTuple]
    numbers: list[list[int]]
    marks: list[list[int]]
    built: list[tuple[Pick, Pick]]


@cache
def numbered_draws() -> Numbered:
    """Return all draws of up to five cards."""
    draws = [draw for k in range(6) for draw in combinations_with_replacement(range(13), k)]
    number = {draw: at for at, draw in enumerate(draws)}
    numbers = [[at for draw, at in number.items() if len(draw) == k] for k in range(6)]
    marks = [[sum([MARK[rank] for rank in draws[at]]) for at in these] for these in numbers]
    return Numbered(draws, numbers, marks, [built([draws[at] for at in these], number) for these in numbers[1:]])


def built(draws: Sequence[RankTuple], number: Mapping[RankTuple, int]) -> tuple[Pick, Pick]:
    """Return how draws of the same number of cards are built."""
    cut = [(draw, draw.index(draw[-1])) for draw in draws]
    smaller = itemgetter(*[number[draw[:at]] for draw, at in cut])
    return smaller, itemgetter(*[13 * (len(draw) - at - 1) + draw[-1] for draw, at in cut])


def places(cards: Iterable[Card]) -> RankTuple:
    """Return the ranks of some cards."""
    return tuple(sorted([RANKS.index(card[0]) for card in cards]))


def draw_bits(cards: Iterable[Card]) -> int:
    """Return the ranks of cards of a suit, as bits."""
    return sum([BIT[card] for card in cards])


def ways(stock: Iterable[Card]) -> list[int]:
    """Return in how many ways each draw may come from a stock, by the number of the draw.

    >>> from roundsim.game import cards
    >>> from roundsim.odds import ways
    >>> found = ways(cards("As Ah Kd"))
    >>> found[0], found[1], found[13]  # no card, a deuce, an ace
    (1, 0, 2)"""
    held = Counter(card[0] for card in stock)
    of_a_rank = [comb(held[rank], k) for k in range(1, 6) for rank in RANKS]
    found = [1]
    for smaller, last in numbered_draws().built:
        found += map(mul, smaller(found), last(of_a_rank))
    return found


@lru_cache(4)
def all_draws(ranking: Ranking) -> AllDraws:
    """Return the draws under a ranking; always the same object for one of the last four rankings.

    >>> from roundsim.game import cards
    >>> from roundsim.odds import all_draws, rules_of
    >>> draws = all_draws(rules_of().ranking)
    >>> keys, numbers = draws.to(draws.places(cards("9s 9h 4c 4d")))
    >>> numbers[:2]  # a nine is the best draw, then a four
    (8, 3)"""
    return AllDraws(ranking)


class AllDraws:
    """Tables for a ranking: the keys of hands by their ranks, of flushes too, and all draws to some ranks.

    They take long to make: `all_draws` keeps them."""

    def __init__(self, ranking: Ranking) -> None:
        self.key, every = ranking.key, numbered_draws()
        hands = [(mark, every.draws[at]) for mark, at in zip(every.marks[5], every.numbers[5], strict=True)]
        self.by_marks = {mark: self.of_ranks(ranks) for mark, ranks in hands if ranks[0] != ranks[4]}
        self.by_kept: dict[RankTuple, tuple[tuple[int, ...], tuple[int, ...]]] = {}
        self.by_suit: dict[str, list[tuple[int, int]]] = {}
        fives = [*combinations(range(13), 5)]
        self.mixed = sorted((self.of_ranks(ranks), sum(1 << rank for rank in ranks)) for ranks in fives)
        self.lowest_flush = self.flushes("s")[-1][0]

    places, bits = staticmethod(places), staticmethod(draw_bits)  # as these tables say which ranks

    def of_ranks(self, ranks: RankTuple) -> int:
        """Return the key of a hand of these ranks that is not of one suit."""
        suits = ["sdch"[ranks[:at].count(rank)] for at, rank in enumerate(ranks)]
        suits[0] = "d" if len(set(ranks)) == 5 else suits[0]
        return -self.key([CARD[RANKS[rank] + suit] for rank, suit in zip(ranks, suits, strict=True)])

    def flushes(self, suit: str) -> list[tuple[int, int]]:
        """Return the key and the ranks, as bits, of all hands of a suit."""
        if suit not in self.by_suit:
            hands = combinations([card for card in PACK if card.suit == suit], 5)
            self.by_suit[suit] = sorted((-self.key(hand), draw_bits(hand)) for hand in hands)
        return self.by_suit[suit]

    def to(self, kept: RankTuple) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return all draws to these ranks, the best first: the keys of the resulting hands, and the numbers of the
        draws."""
        if kept not in self.by_kept:
            k, mark, every = 5 - len(kept), sum([MARK[rank] for rank in kept]), numbered_draws()
            hands = zip(map(self.by_marks.get, [mark + bit for bit in every.marks[k]]), every.numbers[k], strict=True)
            keys, numbers = zip(*sorted([hand for hand in hands if hand[0] is not None]), strict=True)
            self.by_kept[kept] = keys, numbers
        return self.by_kept[kept]
