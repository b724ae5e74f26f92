"""Legal actions word by word, the verb first: the words that may come next, whether the action may end there, and the
vocabulary.

Exactly one path leads to each action: where the order of cards makes no difference, only one order counts. If no word
may come next and the action may not end, no legal action begins with these words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, overload

from .actions import Action
from .cards import CARD, Card

After = tuple[Sequence[str], bool]  # the next words, and whether the action may end


@dataclass(frozen=True)
class Numbers(Sequence[str]):
    """The words '1', '2', '3' ... of the numbers from `low` to `high`; made when they are looked at."""

    low: int
    high: int

    @property
    def range(self) -> range:
        return range(self.low, self.high + 1)

    def __len__(self) -> int:
        return len(self.range)

    def __bool__(self) -> bool:
        return self.low <= self.high

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        number = self.range[place]
        return str(number) if isinstance(number, int) else [*map(str, number)]

    def __contains__(self, word: object) -> bool:
        if not isinstance(word, str) or not word.isdecimal() or len(word) > len(str(self.high)):
            return False
        return word == str(int(word)) and int(word) in self.range


def after_prefix(after: After, prefix: Sequence[str]) -> After:
    """Return the words that come after these; ValueError if no legal action begins with them."""
    words, ends = after
    if prefix and not ends and not words:
        raise ValueError(f"no legal action begins with {' '.join(prefix)!r}")
    return after


def after_listed(actions: Sequence[Action], prefix: Sequence[str]) -> After:
    """The next words of actions that are listed, in the order of the list."""
    if not prefix:
        return tuple(dict.fromkeys([action.verb for action in actions])), False
    verb, *before = prefix
    n, start = len(before), tuple(before)
    rests = [action.words for action in actions if action.verb == verb and action.words[:n] == start]
    return tuple(dict.fromkeys([rest[n] for rest in rests if len(rest) > n])), start in rests


def after_number(low: int, high: int, prefix: Sequence[str]) -> After:
    """The next words of a number from `low` to `high`."""
    numbers = Numbers(low, high)
    return (numbers, False) if not prefix else ((), len(prefix) == 1 and prefix[0] in numbers)


def after_choice(things: Sequence[str], low: int, high: int, prefix: Sequence[str]) -> After:
    """The next words of a choice of `low` to `high` of these things, named in their order."""
    at = 0
    for word in prefix:
        if word not in things[at:]:
            return (), False
        at = things.index(word, at) + 1
    if len(prefix) >= high:
        return (), len(prefix) == high
    wanted = low - len(prefix)
    return things[at : len(things) + 1 - max(wanted, 1)], wanted <= 0


def after_arrangement(things: Sequence[str], low: int, high: int, prefix: Sequence[str]) -> After:
    """The next words of `low` to `high` of these things in any order, where the order makes a difference."""
    left = [thing for thing in things if thing not in prefix]
    if len(left) + len(prefix) > len(things) or len(prefix) >= high:
        return (), len(left) + len(prefix) == len(things) and len(prefix) == high
    return left, len(prefix) >= low


def after_multiset(names: Sequence[str], k: int, bare: Collection[str], cover: int, prefix: Sequence[str]) -> After:
    """The next words of `k` of these names, in their order and with repeats, that include `cover` of the bare ones,
    which come first."""
    at = 0
    for word in prefix:
        if word not in names[at:]:
            return (), False
        at = names.index(word, at)
    left, covered = k - len(prefix), {*bare} & {*prefix}
    if left <= 0:
        return (), left == 0 and len(covered) >= cover
    to_come = [(name, len(covered | {name} & {*bare}), len(bare) - place) for place, name in enumerate(names, 1)]
    return [name for name, now, later in to_come[at:] if now + min(left - 1, max(later, 0)) >= cover], False


class Words(NamedTuple):
    """The vocabulary of actions: verbs and other `names`; `cards`; and whether it includes `numbers`, which are not
    listed."""

    names: tuple[str, ...]
    cards: tuple[Card, ...]
    numbers: bool


def words_in(texts: Iterable[str], pools: Collection[str], cards: Iterable[Card]) -> Words:
    """Return the words of the actions that these texts name in backticks. A card in them means all cards, a pool all
    pools, and a number any number."""
    spoken = dict.fromkeys([word for text in texts for action in IN_BACKTICKS.findall(text) for word in action.split()])
    named = [word for word in spoken if word not in CARD and not word.isdecimal()]
    names = dict.fromkeys([name for word in named for name in (pools if word in pools else [word])])
    any_card, numbers = any(word in CARD for word in spoken), any(map(str.isdecimal, spoken))
    return Words(tuple(names), tuple(dict.fromkeys(cards)) if any_card else (), numbers)


IN_BACKTICKS = re.compile("`([^`]+)`")
