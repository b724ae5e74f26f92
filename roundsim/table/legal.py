"""The legal actions of a question: a short tuple, or a lazy sequence of this module where there may be very many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Any, overload

from .actions import Action, naming, say
from .cards import CARD, Card, put, unchangeable
from .choices import choice, choices, order, orders, place_of_choice, place_of_order, place_of_share, share, shares
from .completion import After, after_arrangement, after_choice, after_listed, after_multiset, after_number, after_prefix


class Lazy(Sequence[Action]):
    """Legal actions that are made on demand. `size` is their number, which may be too large for `len`.

    A subclass defines four things: `size`, the action `at` a place, the place of an action that was `said`, and its
    words one by one: some classes have `plain` actions, and all others begin with their `verb`. Two of one class with
    the same contents are equal. `made`: the last action that was taken out, which need not be parsed when it comes
    back."""

    __slots__ = ("size", "made")
    size: int
    made: Action | None
    plain: tuple[Action, ...] = ()
    verb: str = ""

    __setattr__ = __delattr__ = unchangeable

    def __init__(self, size: int) -> None:
        put(self, "size", size)
        put(self, "made", None)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._made_of() == other._made_of()

    def __hash__(self) -> int:
        return hash(self._made_of())

    def _made_of(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in type(self).__slots__])

    def at(self, place: int) -> Action:
        raise NotImplementedError

    def place(self, said: Action) -> int:
        """Return the place of this action, in any order of its words; ValueError if it is not among them."""
        raise NotImplementedError

    def after(self, said: Sequence[str] = ()) -> After:
        """Return the words that may come next after these, the verb first, and whether the action may end there.

        Exactly one path leads to each action: where the order makes no difference, only one order counts. ValueError if
        no action begins so."""
        own = self.size > len(self.plain)  # else its verb is not to be said
        if own and said and said[0] == self.verb:
            return after_prefix(self.then(said[1:]), said)
        words, ends = after_prefix(after_listed(self.plain, said), said)
        return ((*words, self.verb), False) if own and not said else (words, ends)

    def then(self, said: Sequence[str]) -> After:
        """Return the same after the verb and these words; nothing and False if they cannot be said."""
        raise NotImplementedError

    def accept(self, said: str) -> Action:
        """Return our own action for what a player said; ValueError if it is not legal."""
        if said is (made := self.made) is not None:
            return made
        return self.at(self.place(said if type(said) is Action else Action(said)))

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, place: int) -> Action: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Action]: ...
    def __getitem__(self, place: int | slice) -> Action | Sequence[Action]:
        if isinstance(place, slice):
            return [self.at(n) for n in range(*place.indices(self.size))]
        if place < 0:
            place += self.size
        if not 0 <= place < self.size:
            raise IndexError("no such legal action")
        action = self.at(place)
        put(self, "made", action)
        return action

    def __iter__(self) -> Iterator[Action]:
        at = 0
        while at < self.size:
            yield self.at(at)
            at += 1

    def __contains__(self, said: object) -> bool:
        try:
            return isinstance(said, str) and self.place(Action(said)) >= 0
        except ValueError:
            return False

    def index(self, said: Any, start: int = 0, stop: int | None = None) -> int:
        place = self.place(Action(said))
        if place < start or stop is not None and place >= stop:
            raise ValueError(f"{said!r} is not there")
        return place

    def __repr__(self) -> str:
        few = ", ".join(repr(str(self.at(n))) for n in range(min(self.size, 3)))
        return f"<{self.size} legal actions: {few}{', ...' if self.size > 3 else ''}>"


class Amounts(Lazy):
    """Some plain actions, then `verb low` to `verb high` counters.

    >>> from roundsim.game import PASS, Amounts
    >>> legal = Amounts((PASS,), "bet", 5, 500)
    >>> len(legal), legal[0], legal[1], legal[-1]
    (497, 'pass', 'bet 5', 'bet 500')"""

    __slots__ = ("plain", "verb", "low", "high")
    plain: tuple[Action, ...]
    verb: str
    low: int
    high: int

    def __init__(self, plain: tuple[Action, ...], verb: str, low: int, high: int) -> None:
        put(self, "plain", plain)
        put(self, "verb", verb)
        put(self, "low", low)
        put(self, "high", high)
        super().__init__(len(plain) + max(0, high - low + 1))

    def at(self, place: int) -> Action:
        if place < len(self.plain):
            return self.plain[place]
        return say(self.verb, self.low + place - len(self.plain))

    def place(self, said: Action) -> int:
        if said.verb == self.verb and self.low <= said.amount <= self.high and said == f"{self.verb} {said.amount}":
            return len(self.plain) + said.amount - self.low
        return self.plain.index(said)

    def then(self, said: Sequence[str]) -> After:
        return after_number(self.low, self.high, said)


FEW = 128


@cache
def few_amounts(verb: str) -> tuple[Action, ...]:
    """Return the verb with each of the lowest numbers of counters, from none on."""
    return tuple([say(verb, counters) for counters in range(FEW)])


@lru_cache(1 << 13)
def amounts(plain: tuple[Action, ...], verb: str, low: int, high: int) -> Sequence[Action]:
    """Return some plain actions, then `verb low` to `verb high` counters: a tuple, which is faster, unless they are
    many.

    >>> from roundsim.game import PASS, amounts
    >>> amounts((PASS,), "bet", 1, 3)
    ('pass', 'bet 1', 'bet 2', 'bet 3')"""
    if high < low:
        return plain
    return (*plain, *few_amounts(verb)[low : high + 1]) if high < FEW else Amounts(plain, verb, low, high)


class UpTo(dict[int, Sequence[Action]]):
    """Some plain actions, then the verb with 1 to n counters, looked up by n: see `amounts`.

    >>> from roundsim.game import PASS, UpTo
    >>> UpTo((PASS,), "bet")[2]
    ('pass', 'bet 1', 'bet 2')"""

    def __init__(self, plain: tuple[Action, ...], verb: str) -> None:
        self.plain, self.verb = plain, verb

    def __missing__(self, most: int) -> Sequence[Action]:
        legal = amounts(self.plain, self.verb, 1, most)
        return self.setdefault(most, legal) if 0 <= most < FEW else legal


class Either(Lazy):
    """The actions of one sequence, then those of another; each verb occurs in only one of them.

    >>> from roundsim.game import Amounts, Either, PASS, Subsets, cards
    >>> [*Either(Amounts((PASS,), "bet", 1, 2), Subsets("discard", cards("2c 5d"), 1, 1))]
    ['pass', 'bet 1', 'bet 2', 'discard 2c', 'discard 5d']"""

    __slots__ = ("one", "other")
    one: Lazy
    other: Lazy

    def __init__(self, one: Lazy, other: Lazy) -> None:
        put(self, "one", one)
        put(self, "other", other)
        super().__init__(one.size + other.size)

    def at(self, place: int) -> Action:
        return self.one.at(place) if place < self.one.size else self.other.at(place - self.one.size)

    def place(self, said: Action) -> int:
        try:
            return self.one.place(said)
        except ValueError:
            return self.one.size + self.other.place(said)

    def after(self, said: Sequence[str] = ()) -> After:
        if not said:
            return (*self.one.after()[0], *self.other.after()[0]), False
        return (self.one if said[0] in self.one.after()[0] else self.other).after(said)


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
        super().__init__(len(plain) + choices(len(hand), low, high))

    def at(self, place: int) -> Action:
        if place < len(self.plain):
            return self.plain[place]
        hand = self.hand
        return naming(self.verb, [hand[n] for n in choice(len(hand), self.low, place - len(self.plain))])

    def place(self, said: Action) -> int:
        if said.verb != self.verb:
            return self.plain.index(said)
        places = [self.hand.index(card) for card in self.chosen(said.words)]
        return len(self.plain) + place_of_choice(len(self.hand), self.low, places)

    def then(self, said: Sequence[str]) -> After:
        return after_choice(self.hand, self.low, self.high, said)

    def accept(self, said: str) -> Action:
        if said is (made := self.made) is not None:
            return made
        verb, *words = said.split() or [""]
        return naming(verb, self.chosen(words)) if verb == self.verb else self.plain[self.plain.index(Action(said))]

    def chosen(self, words: Sequence[str]) -> list[Card]:
        """Return the cards of these words, in the order of the hand; ValueError if they are no such choice."""
        cards = [card for card in self.hand if card in words]
        if len(cards) != len(words) or not self.low <= len(cards) <= self.high:
            raise ValueError(f"{' '.join([self.verb, *words])!r} is not legal")
        return cards


class Discards(Subsets):
    """Subsets whose cards keep the order in which they were named: they return in it where they are not shuffled."""

    __slots__ = ()

    def _made_of(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in Subsets.__slots__])

    def accept(self, said: str) -> Action:
        own = super().accept(said)
        return own if own == said else naming(self.verb, [CARD[word] for word in said.split()[1:]])


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

    def at(self, place: int) -> Action:
        if place < len(self.plain):
            return self.plain[place]
        named = self.named
        found = order(len(named), self.low, place - len(self.plain))
        return Action(" ".join([self.verb, *[named[n] for n in found]]))

    def place(self, said: Action) -> int:
        if said.verb != self.verb:
            return self.plain.index(said)
        if not self.low <= len(said.words) <= self.high:
            raise ValueError(f"{said!r} is not legal")
        places = list(map(self.named.index, said.words))
        return len(self.plain) + place_of_order(len(self.named), self.low, places)

    def then(self, said: Sequence[str]) -> After:
        return after_arrangement(self.named, self.low, self.high, said)


class AnyOrder(Lazy):
    """A few actions whose words, except the first `fixed`, may be named in any order.

    >>> from roundsim.game import AnyOrder, say
    >>> legal = AnyOrder([say("take 9h 4c 5d")], fixed=1)
    >>> "take 9h 5d 4c" in legal, "take 4c 9h 5d" in legal
    (True, False)"""

    __slots__ = ("actions", "fixed")
    actions: tuple[Action, ...]
    fixed: int

    def __init__(self, actions: Iterable[Action], fixed: int = 0) -> None:
        put(self, "actions", tuple(actions))
        put(self, "fixed", fixed)
        super().__init__(len(self.actions))

    def at(self, place: int) -> Action:
        return self.actions[place]

    def place(self, said: Action) -> int:
        if said in self.actions:
            return self.actions.index(said)
        return [self._sorted(action) for action in self.actions].index(self._sorted(said))

    def after(self, said: Sequence[str] = ()) -> After:
        return after_prefix(after_listed(self.actions, said), said)

    def _sorted(self, action: Action) -> tuple[str, ...]:
        return action.verb, *action.words[: self.fixed], *sorted(action.words[self.fixed :])


def any_order(actions: Sequence[Action], fixed: int = 0) -> Sequence[Action]:
    """Return a few actions whose words, except the first `fixed`, may be named in any order: a tuple if only one order
    exists, else an `AnyOrder`."""
    if all([len(action.words) <= fixed + 1 for action in actions]):
        return tuple(actions)
    return AnyOrder(actions, fixed)


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

    def at(self, place: int) -> Action:
        for used in self.parts:
            if place < (ways := self._ways(used)):
                break
            place -= ways
        kinds, counts = self._open(used), Counter(used)
        for name, more in zip(kinds, share(len(kinds), self.k - len(used), place), strict=True):
            counts[name] += more
        return Action(" ".join([self.verb, *(name for name in self.names for _ in range(counts[name]))]))

    def place(self, said: Action) -> int:
        counts = Counter(said.words)
        used = tuple(name for name in self.bare if counts[name])
        if (
            said.verb != self.verb
            or len(said.words) != self.k
            or len(used) < self.cover
            or counts.keys() - set(self.names)
        ):
            raise ValueError(f"{said!r} is not legal")
        at = 0
        for part in self.parts:
            if part == used:
                break
            at += self._ways(part)
        return at + place_of_share([counts[name] - (name in used) for name in self._open(used)])

    def then(self, said: Sequence[str]) -> After:
        return after_multiset(self.names, self.k, self.bare, self.cover, said)


def accept(legal: Sequence[Action], said: str) -> Action:
    """Return our own action for what was said: ValueError if it is not legal."""
    own: Callable[[str], Action] | None = getattr(legal, "accept", None)  # of a lazy sequence; sooner than isinstance
    return own(said) if own else legal[legal.index(said)]


def count(legal: Sequence[Action]) -> int:
    """Return the number of legal actions, however many; `len` raises OverflowError from 2**63 on.

    >>> from roundsim.game import PACK, Subsets
    >>> from roundsim.strategy import count
    >>> count(Subsets("discard", PACK, 0, 52)) == 2**52
    True"""
    return legal.size if type(legal) is not tuple and isinstance(legal, Lazy) else len(legal)


def after(legal: Sequence[Action], said: Sequence[str] = ()) -> After:
    """Return the words that may come next after these, the verb first, and whether the action may end there.

    Raises ValueError if no legal action begins with these words.

    >>> from roundsim.game import Subsets, after, cards
    >>> legal = Subsets("discard", cards("2c 5d"), 0, 1)
    >>> after(legal), after(legal, ["discard"])
    ((('discard',), False), (('2c', '5d'), True))"""
    return legal.after(said) if isinstance(legal, Lazy) else after_prefix(after_listed(legal, said), said)
