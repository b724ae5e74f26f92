"""Show-down poker by computation."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate, combinations
from math import comb

from roundsim.games.show_down_poker import ShowDownPoker
from roundsim.strategy import (
    PACK,
    SUITS,
    AllDraws,
    Card,
    Chance,
    Ranking,
    all_but,
    all_draws,
    by_rank,
    discard,
    of_suit,
    ranking_of,
    ways,
)

Hand = Sequence[Card]
Targets = Counter[tuple[int, int]]  # the key of the best hand, and how many have it: how often that came


class Book:
    """Everything lies open, and it computes: of the 32 discards it takes the one with the greatest share of the pool.

    The dealer, who draws last, counts the cards that are left: this choice is exact. An earlier seat deals cards to those
    after it, `samples` times, and counts its own draws against the best of their hands and of those that have drawn;
    they keep what a player keeps in draw poker, or their whole hand if that is better in the end. Foster gives no
    advice; to compute is ours.

    Ours: if fewer than six cards are left, the dead ones are counted with them, because they will be shuffled; and a
    seat that does not draw last ignores flushes drawn to one card kept, or none."""

    name = "book"
    games = ["show-down-poker"]

    def __init__(self, samples: int = 16) -> None:
        self.samples = samples

    def draw(self, view: ShowDownPoker.View) -> str:
        hands, dead, ranking = view.hands, view.dead, ranking_of(view.options)
        lying = {card for hand in (*hands, dead) for card in hand}
        left = [card for card in PACK if card not in lying]
        if len(left) < 6:
            left += dead
        others = [seat for seat in view.still_in if seat != view.seat]
        drawn = [ranking.key(hands[seat]) for seat in others if view.drawn[seat] is not None]
        later = [hands[seat] for seat in others if view.drawn[seat] is None]
        targets = self.sampled(ranking, drawn, later, left, view.chance)
        kept = Count(all_draws(ranking), view.hand, left, targets, exact=not later).best()
        return discard(all_but(view.hand, kept))

    def sampled(
        self, ranking: Ranking, drawn: list[int], later: Sequence[Hand], left: list[Card], chance: Chance
    ) -> Targets:
        """Return how often each best hand of the others came: its key, and how many have it."""
        drawing = [(ranking.key(hand), worth_keeping(ranking, hand)) for hand in later]
        targets: Targets = Counter()
        for _ in range(self.samples if later else 1):
            keys = drawn + [max(pat, ranking.key(kept + some(left, 5 - len(kept), chance))) for pat, kept in drawing]
            best = max(keys)
            targets[best, keys.count(best)] += 1
        return targets


class Count:
    """How many of all draws beat what is to be beaten: counted by ranks, and then set right for flushes suit by suit.

    As in all draws keys are below nothing here: -5 is better than -3."""

    def __init__(self, table: AllDraws, hand: Hand, left: list[Card], targets: Targets, exact: bool) -> None:
        self.table, self.hand, self.left, self.exact = table, hand, left, exact
        self.targets = sorted((-key, times / targets.total(), 1 / (1 + tied)) for (key, tied), times in targets.items())
        self.keys = [key for key, _, _ in self.targets]
        self.beaten = [*accumulate([part for _, part, _ in self.targets], initial=0.0)]
        self.tied = [*accumulate([part * tie for _, part, tie in self.targets], initial=0.0)]

    def worth(self, key: int) -> float:
        """Return the share of the pool that a hand of this key wins."""
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
        draws = [comb(len(self.left), k) for k in range(6)]
        return max([self.hand, *won], key=lambda kept: won[kept] / draws[5 - len(kept)] if kept in won else pat)

    def by_ranks(self) -> dict[Hand, float]:
        """By what is kept: how many draws win, as if there were no suits."""
        of_each = ways(self.left)
        chances, won = dict[tuple[int, ...], float](), dict[Hand, float]()
        for kept in [kept for k in range(4, -1, -1) for kept in combinations(self.hand, k)]:
            ranks = self.table.places(kept)
            if ranks not in chances:
                chances[ranks] = self.winning(*self.table.to(ranks), of_each)
            won[kept] = chances[ranks]
        return won

    def winning(self, keys: Sequence[int], draws: Sequence[int], of_each: list[int]) -> float:
        """How many of these draws win, those that divide counted by what they get."""
        upto = [*accumulate(map(of_each.__getitem__, draws[: bisect_right(keys, self.keys[-1])]), initial=0)]
        won = 0.0
        for key, part, tie in self.targets:
            better = upto[bisect_left(keys, key)]
            won += part * (better + tie * (upto[bisect_right(keys, key)] - better))
        return won

    def by_suit(self, suit: str, mine: list[Card]) -> Iterator[tuple[Hand, float]]:
        """Yield the cards kept of a suit, each with how much more its draws win that are flushes."""
        bits = self.table.bits
        own, left = bits(mine), bits(of_suit(self.left, suit))
        more, always = defaultdict[int, float](float), self.keys[0] > self.table.lowest_flush
        for sign, hands in (-1, self.table.mixed), (1, () if always else self.table.flushes(suit)):
            for key, ranks in hands:
                if key > self.keys[-1]:
                    break
                if ranks & (own | left) == ranks:
                    more[ranks & own] += sign * self.worth(key)
        for k in range(min(len(mine), 4) + 1):
            for kept in combinations(mine, k):
                yield kept, more[bits(kept)] + always * comb(left.bit_count(), 5 - k)


def worth_keeping(ranking: Ranking, hand: Hand) -> list[Card]:
    """As in draw poker: what makes the class, else four of a flush, else the highest card."""
    made = ranking.grouped(hand)
    if made:
        return list(made)
    four = next((suit for suit in SUITS if len(of_suit(hand, suit)) == 4), None)
    return of_suit(hand, four) or [max(hand, key=by_rank)]


def some(cards: list[Card], k: int, chance: Chance) -> list[Card]:
    """As many of these cards, which change places by it."""
    for at in range(k):
        other = at + chance.below(len(cards) - at)
        cards[at], cards[other] = cards[other], cards[at]
    return cards[:k]
