"""Chance.  Whatever is random is drawn from one 512-bit number, the hash of a name: '1891/nap/17/3/pack'.

So every deal has its own shuffle, whichever worker deals it and whatever was dealt before, and the same shuffle in
every version of Python.  A number below 2**512 holds a whole shuffle of 60 (60! < 2**273)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from math import perm
from typing import Any, TypeVar

from .cards import Card

T = TypeVar("T")
LOW = 1 << 256  # a pool of chance below this is drawn anew


def number(name: str) -> int:
    """The 512 bits that belong to a name."""
    return int.from_bytes(blake2b(name.encode()).digest(), "little")


def shuffled(things: Iterable[T], name: str) -> list[T]:
    """These things in the order that belongs to a name (at most some 90 of them)."""
    left, drawn, n = list(things), [], number(name)
    while left:
        n, at = divmod(n, len(left))
        drawn.append(left.pop(at))
    return drawn


class Pack:
    """A shuffled pack, shuffled only as far as it is dealt: `cards` are those that are left, in no order."""

    __slots__ = ("cards", "number")

    def __init__(self, cards: Iterable[Card], name: str) -> None:
        self.cards, self.number = list(cards), number(name)
        if len(self.cards) > 60:  # two packs want more than 512 bits
            self.number = self.number << 512 | number(f"{name}/more")

    def __len__(self) -> int:
        return len(self.cards)

    def draw(self, n: int) -> list[Card]:
        """The top n cards, top first; the pack must hold as many."""
        cards, left, drawn = self.cards, len(self.cards), []
        self.number, number = divmod(self.number, perm(left, n))    # a small number is quicker to draw from
        for _ in range(n):
            number, at = divmod(number, left)
            left -= 1
            drawn.append(cards[at])
            cards[at] = cards[left]
        del cards[left:]
        return drawn


class Source:
    """Where a deal has its chance from in play: everything is named after the deal."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def pack(self, cards: Iterable[Card], what: str = "pack") -> Pack:
        """A shuffled pack of these cards; a deal that shuffles twice says what the second one is."""
        return Pack(cards, f"{self.name}/{what}")

    def key(self, name: str) -> Any:
        """What a script gives under a key of the game's own; in play nothing is given."""
        return None


class Chance(random.Random):
    """A `random.Random` for a strategy: named at no cost, hashed when it is first drawn from.

    The same numbers in every version of Python as far as `random`, `choice` and `below` go."""

    name: str
    pool: int

    def seed(self, name: Any = None, version: int = 2) -> None:
        """Begin anew under a name."""
        self.name, self.pool, self.gauss_next = str(name or ""), 0, None

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each as likely (but for 1 part in 2**256)."""
        if n >> 248:
            return self.getrandbits(n.bit_length() + 64) % n
        if self.pool < LOW:
            self._fill()
        self.pool, drawn = divmod(self.pool, n)
        return drawn

    def _fill(self) -> None:
        digest = blake2b(self.name.encode()).digest()
        self.name, self.pool = digest.hex(), int.from_bytes(digest, "little") | 1 << 512

    _randbelow = below

    def getrandbits(self, k: int) -> int:
        return self.below(1 << k) if k <= 240 else self.getrandbits(k - 240) << 240 | self.below(1 << 240)

    def random(self) -> float:
        return self.below(1 << 53) * 2.0**-53

    def choice(self, seq: Sequence[T]) -> T:  # type: ignore[override]
        """One of these, each as likely; of legal actions there may be more than `len` can say."""
        if self.pool < LOW:
            self._fill()
        try:
            self.pool, at = divmod(self.pool, len(seq))
            return seq[at]
        except OverflowError:
            return seq[self.below(seq.size)]  # type: ignore[attr-defined]
        except ZeroDivisionError:
            raise IndexError("cannot choose from nothing") from None
