"""Legal actions that name several cards or words: every choice of them, made on demand and found by its number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import combinations
from math import comb, perm
from typing import Any

from .actions import Action, naming
from .cards import CARD, Card, put
from .completion import After, after_arrangement, after_choice, after_multiset
from .legal import Lazy


@cache
def ways_to_choose(n: int, low: int, high: int) -> int:
    """Return the number of choices of `low` to `high` things among n."""
    return sum(comb(n, k) for k in range(low, high + 1))


@lru_cache(1 << 12)
def choice(n: int, low: int, place: int) -> tuple[int, ...]:
    """Return the things in the choice at this place, of all choices of at least `low` of n things, fewest first."""
    k = low
    while place >= comb(n, k):
        place -= comb(n, k)
        k += 1
    chosen, at = [], 0
    while k:  # the k things at `place` among all choices of k
        if place < (with_it := comb(n - at - 1, k - 1)):
            chosen.append(at)
            k -= 1
        else:
            place -= with_it
        at += 1
    return tuple(chosen)


def place_of_choice(n: int, low: int, chosen: Sequence[int]) -> int:
    """Return the place of this choice of n things, among all choices of at least `low`."""
    at, start = ways_to_choose(n, low, len(chosen) - 1), 0
    for left, place in zip(range(len(chosen), 0, -1), chosen, strict=True):
        at += sum(comb(n - skipped - 1, left - 1) for skipped in range(start, place))
        start = place + 1
    return at


def orders(n: int, low: int, high: int) -> int:
    """Return the number of orders of `low` to `high` things among n."""
    return sum(perm(n, k) for k in range(low, high + 1))


def nth_order(n: int, low: int, place: int) -> list[int]:
    """Return the things in the order at this place, of all orders of at least `low` of n things, fewest first."""
    left, k = list(range(n)), low
    chosen: list[int] = []
    while place >= (ways := perm(n, k)):
        place -= ways
        k += 1
    for after in range(k - 1, -1, -1):  # so many come after the one that is found
        at, place = divmod(place, perm(len(left) - 1, after))
        chosen.append(left.pop(at))
    return chosen


def place_of_order(n: int, low: int, chosen: Sequence[int]) -> int:
    """Return the place of this order of n things. ValueError if it contains one of them twice."""
    left, at = list(range(n)), orders(n, low, len(chosen) - 1)
    for after, thing in zip(range(len(chosen) - 1, -1, -1), chosen, strict=True):
        at += left.index(thing) * perm(len(left) - 1, after)
        left.remove(thing)
    return at


def shares(kinds: int, number: int) -> int:
    """Return the number of ways to share a number among `kinds` kinds."""
    return comb(kinds + number - 1, number) if kinds else int(number == 0)


def share(kinds: int, number: int, place: int) -> list[int]:
    """Return the share of each kind in the way at this place; the way with the most on the first kind is the first."""
    counts: list[int] = []
    for after in range(kinds - 1, -1, -1):
        for here in range(number, -1, -1):
            ways = comb(after + number - here - 1, number - here) if after else int(number == here)
            if place < ways:
                break
            place -= ways
        counts.append(here)
        number -= here
    return counts


def place_of_share(counts: Sequence[int]) -> int:
    """Return the place of this way of sharing."""
    at, number = 0, sum(counts)
    for after, here in zip(range(len(counts) - 1, -1, -1), counts, strict=True):
        for more in range(number, here, -1):
            at += comb(after + number - more - 1, number - more) if after else int(number == more)
        number -= here
    return at


class Subsets(Lazy):
    """Some plain actions, then the verb with every choice of `low` to `high` cards of the hand, fewest first.

    The order in which the cards are named makes no difference.

    >>> from roundsim.game import Subsets, cards
    >>> legal = Subsets("discard", cards("2c 5d 9h"), 0, 1)
    >>> [*legal], "discard 5d 2c" in Subsets("discard", cards("2c 5d 9h"), 2, 3)
    (['discard', 'discard 2c', 'discard 5d', 'discard 9h'], True)"""

    __slots__ = ("plain", "verb", "hand", "low", "high")
    plain: tuple[Action, ...]
    verb: str
    hand: tuple[Card, ...]
    low: int
    high: int

    def __init__(self, verb: str, hand: Iterable[Card], low: int, high: int, plain: tuple[Action, ...] = ()) -> None:
        hand = tuple(hand)
        high = min(high, len(hand))
        put(self, "plain", plain)
        put(self, "verb", verb)
        put(self, "hand", hand)
        put(self, "low", low)
        put(self, "high", high)
        super().__init__(len(plain) + ways_to_choose(len(hand), low, high))

    def own_at(self, place: int) -> Action:
        hand = self.hand
        return naming(self.verb, [hand[n] for n in choice(len(hand), self.low, place)])

    def own_place(self, action: Action) -> int:
        places = [self.hand.index(card) for card in self.chosen(action.words)]
        return place_of_choice(len(self.hand), self.low, places)

    def then(self, prefix: Sequence[str]) -> After:
        return after_choice(self.hand, self.low, self.high, prefix)

    def accept(self, action: str) -> Action:
        if action is (made := self.made) is not None:
            return made
        verb, *names = action.split() or [""]
        return naming(verb, self.chosen(names)) if verb == self.verb else self.plain[self.plain.index(Action(action))]

    def chosen(self, names: Sequence[str]) -> list[Card]:
        """Return the cards of these words, in the order of the hand; ValueError if they are no such choice."""
        cards = [card for card in self.hand if card in names]
        if len(cards) != len(names) or not self.low <= len(cards) <= self.high:
            raise ValueError(f"{' '.join([self.verb, *names])!r} is not legal")
        return cards


class Discards(Subsets):
    """Subsets whose cards keep the order in which they were named: they return in it where they are not shuffled."""

    __slots__ = ()

    def _made_of(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in Subsets.__slots__])

    def accept(self, action: str) -> Action:
        own = super().accept(action)
        return own if own == action else naming(self.verb, [CARD[word] for word in action.split()[1:]])


class Arrangements(Lazy):
    """Some plain actions, then the verb with `low` to `high` of these words in every order, fewest first.

    Here the order of the words makes a difference.

    >>> from roundsim.game import Arrangements
    >>> [*Arrangements("lay", ["2c", "5d"], 1, 2)]
    ['lay 2c', 'lay 5d', 'lay 2c 5d', 'lay 5d 2c']"""

    __slots__ = ("plain", "verb", "named", "low", "high")
    plain: tuple[Action, ...]
    verb: str
    named: tuple[str, ...]
    low: int
    high: int

    def __init__(self, verb: str, named: Iterable[object], low: int, high: int, plain: tuple[Action, ...] = ()) -> None:
        named = tuple(map(str, named))
        put(self, "plain", plain)
        put(self, "verb", verb)
        put(self, "named", named)
        put(self, "low", low)
        put(self, "high", high)
        super().__init__(len(plain) + orders(len(named), low, high))

    def own_at(self, place: int) -> Action:
        named = self.named
        return Action(" ".join([self.verb, *[named[n] for n in nth_order(len(named), self.low, place)]]))

    def own_place(self, action: Action) -> int:
        if not self.low <= len(action.words) <= self.high:
            raise ValueError(f"{action!r} is not legal")
        return place_of_order(len(self.named), self.low, list(map(self.named.index, action.words)))

    def then(self, prefix: Sequence[str]) -> After:
        return after_arrangement(self.named, self.low, self.high, prefix)


class Multisets(Lazy):
    """The verb with `k` of these names, repeats allowed. They must include at least `cover` of those in `bare`.

    They are counted by how many of the bare names are used; the order of the names makes no difference.

    >>> from roundsim.game import Multisets
    >>> legal = Multisets("stake", ["ace", "king"], 2, bare=["ace"], cover=1)
    >>> len(legal), "stake king ace" in legal, "stake king king" in legal
    (2, True, False)"""

    __slots__ = ("verb", "names", "k", "bare", "cover", "parts")
    verb: str
    names: tuple[str, ...]
    k: int
    bare: tuple[str, ...]
    cover: int
    parts: tuple[tuple[str, ...], ...]

    def __init__(self, verb: str, names: Sequence[str], k: int, bare: Sequence[str], cover: int) -> None:
        covered = [name for name in names if name not in bare]
        put(self, "verb", verb)
        put(self, "k", k)
        put(self, "bare", tuple(bare))
        put(self, "cover", cover)
        put(self, "names", (*bare, *covered))
        # one part for each set of bare names that is used; within it the rest lies on those and on the covered ones
        sets = [used for m in range(len(bare), cover - 1, -1) if m <= k for used in combinations(self.bare, m)]
        put(self, "parts", tuple(sets))
        super().__init__(sum(self._ways(used) for used in sets))

    def _open(self, used: tuple[str, ...]) -> list[str]:
        return [name for name in self.names if name in used or name not in self.bare]

    def _ways(self, used: tuple[str, ...]) -> int:
        return shares(len(self._open(used)), self.k - len(used))

    def own_at(self, place: int) -> Action:
        for used in self.parts:
            if place < (ways := self._ways(used)):
                break
            place -= ways
        kinds, counts = self._open(used), Counter(used)
        for name, more in zip(kinds, share(len(kinds), self.k - len(used), place), strict=True):
            counts[name] += more
        return Action(" ".join([self.verb, *(name for name in self.names for _ in range(counts[name]))]))

    def own_place(self, action: Action) -> int:
        counts = Counter(action.words)
        used = tuple(name for name in self.bare if counts[name])
        if len(action.words) != self.k or len(used) < self.cover or counts.keys() - set(self.names):
            raise ValueError(f"{action!r} is not legal")
        before = sum([self._ways(part) for part in self.parts[: self.parts.index(used)]])
        return before + place_of_share([counts[name] - (name in used) for name in self._open(used)])

    def then(self, prefix: Sequence[str]) -> After:
        return after_multiset(self.names, self.k, self.bare, self.cover, prefix)
