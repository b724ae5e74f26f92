"""The legal actions of a question: a short tuple, or a lazy sequence of this module where there may be very many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, overload

from .actions import Action, say
from .cards import put, unchangeable
from .completion import After, after_listed, after_number, after_prefix


class Lazy(Sequence[Action]):
    """Legal actions that are made on demand. `size` is their number, which may be too large for `len`.

    Some classes begin with `plain` actions, and all others begin with their `verb`. For these a subclass defines four
    things: their number, the action at a place, the place of an action, and its words one by one. Two of one class with
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
        plain = self.plain
        return plain[place] if place < len(plain) else self.own_at(place - len(plain))

    def own_at(self, place: int) -> Action:
        """Return the action at this place after the plain ones."""
        raise NotImplementedError

    def place(self, action: Action) -> int:
        """Return the place of this action, in any order of its words; ValueError if it is not among them."""
        return len(self.plain) + self.own_place(action) if action.verb == self.verb else self.plain.index(action)

    def own_place(self, action: Action) -> int:
        """Return the place of an action of this verb after the plain ones; ValueError if it is not among them."""
        raise NotImplementedError

    def after(self, prefix: Sequence[str] = ()) -> After:
        """Return the words that may come next after these, the verb first, and whether the action may end there.

        Exactly one path leads to each action: where the order makes no difference, only one order counts. ValueError if
        no action begins so."""
        own = self.size > len(self.plain)  # else its verb is not to be said
        if own and prefix and prefix[0] == self.verb:
            return after_prefix(self.then(prefix[1:]), prefix)
        words, ends = after_prefix(after_listed(self.plain, prefix), prefix)
        return ((*words, self.verb), False) if own and not prefix else (words, ends)

    def then(self, prefix: Sequence[str]) -> After:
        """Return the same after the verb and these words; nothing and False if they cannot be said."""
        raise NotImplementedError

    def accept(self, action: str) -> Action:
        """Return our own action for what a player said; ValueError if it is not legal."""
        if action is (made := self.made) is not None:
            return made
        return self.at(self.place(action if type(action) is Action else Action(action)))

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

    def __contains__(self, action: object) -> bool:
        try:
            return isinstance(action, str) and self.place(Action(action)) >= 0
        except ValueError:
            return False

    def index(self, action: Any, start: int = 0, stop: int | None = None) -> int:
        place = self.place(Action(action))
        if place < start or stop is not None and place >= stop:
            raise ValueError(f"{action!r} is not there")
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

    def own_at(self, place: int) -> Action:
        return say(self.verb, self.low + place)

    def own_place(self, action: Action) -> int:
        if not self.low <= action.amount <= self.high or action != f"{self.verb} {action.amount}":
            raise ValueError(f"{action!r} is not legal")
        return action.amount - self.low

    def then(self, prefix: Sequence[str]) -> After:
        return after_number(self.low, self.high, prefix)


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

    def place(self, action: Action) -> int:
        try:
            return self.one.place(action)
        except ValueError:
            return self.one.size + self.other.place(action)

    def after(self, prefix: Sequence[str] = ()) -> After:
        if not prefix:
            return (*self.one.after()[0], *self.other.after()[0]), False
        return (self.one if prefix[0] in self.one.after()[0] else self.other).after(prefix)


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

    def place(self, action: Action) -> int:
        if action in self.actions:
            return self.actions.index(action)
        return [self._sorted(own) for own in self.actions].index(self._sorted(action))

    def after(self, prefix: Sequence[str] = ()) -> After:
        return after_prefix(after_listed(self.actions, prefix), prefix)

    def _sorted(self, action: Action) -> tuple[str, ...]:
        return action.verb, *action.words[: self.fixed], *sorted(action.words[self.fixed :])


def any_order(actions: Sequence[Action], fixed: int = 0) -> Sequence[Action]:
    """Return a few actions whose words, except the first `fixed`, may be named in any order: a tuple if only one order
    exists, else an `AnyOrder`."""
    if all([len(action.words) <= fixed + 1 for action in actions]):
        return tuple(actions)
    return AnyOrder(actions, fixed)


def accept(legal: Sequence[Action], action: str) -> Action:
    """Return our own action for what was said: ValueError if it is not legal."""
    own: Callable[[str], Action] | None = getattr(legal, "accept", None)  # of a lazy sequence; sooner than isinstance
    return own(action) if own else legal[legal.index(action)]


def count(legal: Sequence[Action]) -> int:
    """Return the number of legal actions, however many; `len` raises OverflowError from 2**63 on.

    >>> from roundsim.game import PACK, Subsets
    >>> from roundsim.strategy import count
    >>> count(Subsets("discard", PACK, 0, 52)) == 2**52
    True"""
    return legal.size if type(legal) is not tuple and isinstance(legal, Lazy) else len(legal)


def after(legal: Sequence[Action], prefix: Sequence[str] = ()) -> After:
    """Return the words that may come next after these, the verb first, and whether the action may end there.

    Raises ValueError if no legal action begins with these words.

    >>> from roundsim.game import Subsets, after, cards
    >>> legal = Subsets("discard", cards("2c 5d"), 0, 1)
    >>> after(legal), after(legal, ["discard"])
    ((('discard',), False), (('2c', '5d'), True))"""
    return legal.after(prefix) if isinstance(legal, Lazy) else after_prefix(after_listed(legal, prefix), prefix)
