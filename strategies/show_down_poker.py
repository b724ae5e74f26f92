"""Show-down poker by reckoning."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, combinations, combinations_with_replacement
from math import comb
from operator import itemgetter, mul

from roundsim.games.show_down_poker import ShowDownPoker
from roundsim.toolkit import CARD, PACK, SUITS, Card, Chance, Ranking, all_but, by_rank, discard, of_suit, ranking_of

Hand = Sequence[Card]
Targets = Counter[tuple[int, int]]  # the key of the best hand, and how many have it: how often that came
Ranks = tuple[int, ...]  # of some cards, low to high, the deuce 0
Pick = Callable[[list[int]], tuple[int, ...]]  # some of a list

RANKS = "23456789TJQKA"
PLACE = {rank: place for place, rank in enumerate(RANKS)}
BIT = {card: 1 << PLACE[card[0]] for card in PACK}
DRAWS = [draw for k in range(6) for draw in combinations_with_replacement(range(13), k)]  # what ranks may be drawn
NUMBER = {draw: number for number, draw in enumerate(DRAWS)}
NUMBERS = [[number for draw, number in NUMBER.items() if len(draw) == k] for k in range(6)]
MARK = [CARD[rank + "s"].mark for rank in RANKS]
MARKS = [[sum([MARK[rank] for rank in DRAWS[number]]) for number in numbers] for numbers in NUMBERS]  # say which ranks


def built(k: int) -> tuple[Pick, Pick]:
    """A draw of k is a smaller one, and some cards of its last rank: which of the smaller ones, and of these cards."""
    draws = [(draw, draw.index(draw[-1])) for draw in DRAWS if len(draw) == k]
    smaller = itemgetter(*[NUMBER[draw[:at]] for draw, at in draws])
    return smaller, itemgetter(*[13 * (k - at - 1) + draw[-1] for draw, at in draws])


BUILT = [built(k) for k in range(1, 6)]


class Book:
    """Everything lies open, and it computes: of the 32 discards it takes the one with the greatest share of the pool.

    The dealer, who draws last, counts the cards that are left: his choice is exact.  Who draws earlier deals cards to
    those after him, `samples` times, and counts his own draws against the best of their hands and of those that have
    drawn; they keep what one keeps in draw poker, or their whole hand if that is better in the end.  Foster gives no
    advice; to compute is ours.

    Ours: when fewer than six cards are left the dead ones are counted with them, as they will be shuffled; and who does
    not draw last leaves out of account the flushes that come of one card kept, or none."""

    name = "book"
    games = ["show-down-poker"]

    def __init__(self, samples: int = 16) -> None:
        self.samples = samples

    def draw(self, view: ShowDownPoker.View) -> str:
        hands, dead, table = view.hands, view.dead, table_of(ranking_of(view.options))
        lying = {card for hand in (*hands, dead) for card in hand}
        left = [card for card in PACK if card not in lying]
        if len(left) < 6:
            left += dead
        others = [seat for seat in view.still_in if seat != view.seat]
        drawn = [table.key(hands[seat]) for seat in others if view.drawn[seat] is not None]
        later = [hands[seat] for seat in others if view.drawn[seat] is None]
        targets = self.sampled(table, drawn, later, left, view.chance)
        kept = Count(table, view.hand, left, targets, exact=not later).best()
        return discard(all_but(view.hand, kept))

    def sampled(
        self, table: Table, drawn: list[int], later: Sequence[Hand], left: list[Card], chance: Chance
    ) -> Targets:
        """What is to be beaten: the key of the best hand, and how many have it, by how often that came."""
        drawing = [(table.key(hand), table.kept(hand)) for hand in later]
        targets: Targets = Counter()
        for _ in range(self.samples if later else 1):
            keys = drawn + [max(pat, table.key(kept + some(left, 5 - len(kept), chance))) for pat, kept in drawing]
            best = max(keys)
            targets[best, keys.count(best)] += 1
        return targets


class Count:
    """How many of all draws beat what is to be beaten: counted by ranks, and then set right for flushes suit by suit.

    As in the table keys are below nothing here: -5 is better than -3."""

    def __init__(self, table: Table, hand: Hand, left: list[Card], targets: Targets, exact: bool) -> None:
        self.table, self.hand, self.left, self.exact = table, hand, left, exact
        self.targets = sorted((-key, times / targets.total(), 1 / (1 + tied)) for (key, tied), times in targets.items())
        self.keys = [key for key, _, _ in self.targets]
        self.beaten = [*accumulate([part for _, part, _ in self.targets], initial=0.0)]
        self.tied = [*accumulate([part * tie for _, part, tie in self.targets], initial=0.0)]

    def worth(self, key: int) -> float:
        """What share of the pool a hand of this key has."""
        better, worse = bisect_left(self.keys, key), bisect_right(self.keys, key)
        return 1 - self.beaten[worse] + self.tied[worse] - self.tied[better]

    def best(self) -> Hand:
        """The cards to keep: those with the greatest share of the pool, and of like ones the most."""
        pat = self.worth(-self.table.key(self.hand))
        if pat > 0.999999:
            return self.hand
        won = self.by_ranks()
        for suit in SUITS:
            mine = of_suit(self.hand, suit)
            if self.exact or len(mine) > 1:
                for kept, more in self.by_suit(suit, mine):
                    won[kept] += more
        ways = [comb(len(self.left), k) for k in range(6)]
        return max([self.hand, *won], key=lambda kept: won[kept] / ways[5 - len(kept)] if kept in won else pat)

    def by_ranks(self) -> dict[Hand, float]:
        """By what is kept: how many draws win, as if there were no suits."""
        held = Counter(card[0] for card in self.left)
        of_a_rank = [comb(held[rank], k) for k in range(1, 6) for rank in RANKS]
        ways = [1]  # of all draws, by their numbers
        for smaller, last in BUILT:
            ways += map(mul, smaller(ways), last(of_a_rank))
        found, won = dict[Ranks, float](), dict[Hand, float]()
        for kept in [kept for k in range(4, -1, -1) for kept in combinations(self.hand, k)]:
            ranks = tuple(sorted([PLACE[card[0]] for card in kept]))
            if ranks not in found:
                found[ranks] = self.winning(*self.table.draws(ranks), ways)
            won[kept] = found[ranks]
        return won

    def winning(self, keys: Sequence[int], draws: Sequence[int], ways: list[int]) -> float:
        """How many of these draws win, those that divide counted by what they get."""
        upto = [*accumulate(map(ways.__getitem__, draws[: bisect_right(keys, self.keys[-1])]), initial=0)]
        won = 0.0
        for key, part, tie in self.targets:
            better = upto[bisect_left(keys, key)]
            won += part * (better + tie * (upto[bisect_right(keys, key)] - better))
        return won

    def by_suit(self, suit: str, mine: list[Card]) -> Iterator[tuple[Hand, float]]:
        """By what is kept of a suit: how much more the draws of nothing but that suit win, being flushes."""
        own, left = mask(mine), mask(of_suit(self.left, suit))
        more, always = defaultdict[int, float](float), self.keys[0] > self.table.lowest_flush
        for sign, hands in (-1, self.table.mixed), (1, () if always else self.table.flushes(suit)):
            for key, ranks in hands:
                if key > self.keys[-1]:
                    break
                if ranks & (own | left) == ranks:
                    more[ranks & own] += sign * self.worth(key)
        for k in range(min(len(mine), 4) + 1):
            for kept in combinations(mine, k):
                yield kept, more[mask(kept)] + always * comb(left.bit_count(), 5 - k)


@lru_cache(4)
def table_of(ranking: Ranking) -> Table:
    return Table(ranking)


class Table:
    """What follows from a ranking: the keys of hands by their ranks, and all draws to some ranks, the best first.

    But for `key`, keys are below nothing, for `bisect`: -5 is better than -3."""

    def __init__(self, ranking: Ranking) -> None:
        self.ranking, self.key = ranking, ranking.key
        hands = [(mark, DRAWS[number]) for mark, number in zip(MARKS[5], NUMBERS[5], strict=True)]
        self.by_marks = {mark: self.of_ranks(ranks) for mark, ranks in hands if ranks[0] != ranks[4]}
        self.by_kept: dict[Ranks, tuple[tuple[int, ...], tuple[int, ...]]] = {}
        self.by_suit: dict[str, list[tuple[int, int]]] = {}
        fives = [*combinations(range(13), 5)]
        self.mixed = sorted((self.of_ranks(ranks), sum(1 << rank for rank in ranks)) for ranks in fives)
        self.lowest_flush = self.flushes("s")[-1][0]

    def of_ranks(self, ranks: Ranks) -> int:
        """The key of a hand of these ranks that is not of one suit."""
        suits = ["sdch"[ranks[:at].count(rank)] for at, rank in enumerate(ranks)]
        suits[0] = "d" if len(set(ranks)) == 5 else suits[0]
        return -self.key([CARD[RANKS[rank] + suit] for rank, suit in zip(ranks, suits, strict=True)])

    def flushes(self, suit: str) -> list[tuple[int, int]]:
        """The key and the ranks, as bits, of all hands of a suit."""
        if suit not in self.by_suit:
            hands = combinations(of_suit(PACK, suit), 5)
            self.by_suit[suit] = sorted((-self.key(hand), mask(hand)) for hand in hands)
        return self.by_suit[suit]

    def draws(self, kept: Ranks) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """All draws to these ranks: the keys that they come to, and their numbers."""
        if kept not in self.by_kept:
            k, mark = 5 - len(kept), sum([MARK[rank] for rank in kept])
            found = zip(map(self.by_marks.get, [mark + each for each in MARKS[k]]), NUMBERS[k], strict=True)
            keys, numbers = zip(*sorted([hand for hand in found if hand[0] is not None]), strict=True)
            self.by_kept[kept] = keys, numbers
        return self.by_kept[kept]

    def kept(self, hand: Hand) -> list[Card]:
        """As in draw poker: what makes the class, else four of a flush, else the highest card."""
        made = self.ranking.grouped(hand)
        if made:
            return list(made)
        four = next((suit for suit in SUITS if len(of_suit(hand, suit)) == 4), None)
        return of_suit(hand, four) or [max(hand, key=by_rank)]


def mask(cards: Sequence[Card]) -> int:
    """The ranks of these cards, as bits."""
    return sum([BIT[card] for card in cards])


def some(cards: list[Card], k: int, chance: Chance) -> list[Card]:
    """As many of these cards, which change places by it."""
    for at in range(k):
        other = at + chance.below(len(cards) - at)
        cards[at], cards[other] = cards[other], cards[at]
    return cards[:k]
