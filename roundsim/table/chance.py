"""Chance. Every random choice is drawn from one 512-bit number, the hash of a name: '1891/nap/17/3/pack'.

So every deal has its own shuffle, whichever worker deals it and whatever was dealt before, and the same shuffle in
every version of Python. A number below 2**512 holds a whole shuffle of 60 (60! < 2**273)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from math import perm
from struct import unpack
from typing import Any, TypeVar

from ..base.errors import RulesError
from ..native import native
from .cards import Card

T = TypeVar("T")
NOT_IMAGINING = "a strategy that imagines deals says so: `imagines = True` in its class"
LOW = 1 << 36  # refill a pool below this; draw more than SMALL things from whole words
SMALL = 1 << 20
TOP = 1 << 64
WORD_MASK = TOP - 1


def hash_number(name: str) -> int:
    """Return the 512 bits that belong to a name."""
    return number_of(blake2b(name.encode()).digest())


def number_of(hash: bytes) -> int:
    """Return a hash as a number."""
    return int.from_bytes(hash, "little")


def shuffled(things: Iterable[T], name: str) -> list[T]:
    """Return these things in the order that belongs to a name."""
    left, drawn, n = list(things), [], hash_number(name)
    for more in range(len(left) * len(left).bit_length() // 512):  # many want more than 512 bits
        n = n << 512 | hash_number(f"{name}/{more}")
    for size in range(len(left), 0, -1):
        n, at = divmod(n, size)
        drawn.append(left.pop(at))
    return drawn


class Shuffle:
    """The order of a shuffled pack, computed only as far as it is dealt."""

    __slots__ = ("left", "name", "number", "order", "size")

    def __init__(self, cards: Iterable[Card], name: str) -> None:
        self.left, self.name = list(cards), name
        self.number = -1  # until a card is drawn: of most imagined packs none is
        self.order: list[Card] = []
        self.size = len(self.left)

    def reach(self, n: int) -> None:
        """Compute the order up to the n-th card."""
        cards, order = self.left, self.order
        if n > self.size:
            raise RulesError(f"card {n} is drawn of a pack of {self.size}")
        if self.number < 0 and len(order) < n:
            self.number = hash_number(self.name)
            if len(cards) > 60:  # two packs want more than 512 bits
                self.number = self.number << 512 | hash_number(f"{self.name}/more")
        while len(order) < n:
            self.number = take_out(cards, self.number, min(len(cards), 20), order)


@native
def take_out(cards: list[Card], number: int, few: int, order: list[Card]) -> int:
    """Move `few` of these cards to an order, as a number determines. Return the rest of the number."""
    left = len(cards)
    number, drawn = divmod(number, perm(left, few))  # a small number is quicker to draw from
    for _ in range(few):
        drawn, at = divmod(drawn, left)
        left -= 1
        order.append(cards[at])
        cards[at] = cards[left]
    del cards[left:]
    return number


class Pack:
    """A shuffled pack, shuffled only as far as it is dealt: `cards` are those that are left, in no order."""

    __slots__ = ("shuffle", "at")

    def __init__(self, shuffle: Shuffle) -> None:
        self.shuffle, self.at = shuffle, 0

    @property
    def cards(self) -> list[Card]:
        return self.shuffle.order[self.at :] + self.shuffle.left

    def __len__(self) -> int:
        return self.shuffle.size - self.at

    def draw(self, n: int) -> list[Card]:
        """Return the top n cards, top first; the pack must hold as many."""
        at, shuffle = self.at, self.shuffle
        self.at = end = at + n
        if end > len(shuffle.order):
            shuffle.reach(end)
        return shuffle.order[at:end]


class OrderedPack(Pack):
    """A pack whose order is given, top first. `draw` returns fewer cards if there are not as many.

    >>> from roundsim.game import OrderedPack, cards
    >>> pack = OrderedPack(cards("As Kd 2c"))
    >>> pack.draw(2), len(pack)
    (['As', 'Kd'], 1)"""

    __slots__ = ("left",)

    def __init__(self, order: Iterable[Card]) -> None:
        self.left = list(order)

    @property
    def cards(self) -> list[Card]:
        return self.left

    def __len__(self) -> int:
        return len(self.left)

    def draw(self, n: int) -> list[Card]:
        drawn = self.left[:n]
        del self.left[:n]
        return drawn


class NotedPack(Pack):
    """A pack that notes what is drawn from it."""

    __slots__ = ("inner", "drawn")

    def __init__(self, inner: Pack) -> None:
        self.inner, self.drawn = inner, list[Card]()

    @property
    def cards(self) -> list[Card]:
        return self.inner.cards

    def __len__(self) -> int:
        return len(self.inner)

    def draw(self, n: int) -> list[Card]:
        drawn = self.inner.draw(n)
        self.drawn += drawn
        return drawn


class Source:
    """The chance of a deal in play: everything is named after the deal. A block plays the same deal in every sitting,
    so the orders of its pack and of other things are kept.

    >>> from roundsim.format import Source
    >>> from roundsim.game import PACK
    >>> hand = Source("1/nap/17/3").pack(PACK).draw(5)
    >>> hand == Source("1/nap/17/3").pack(PACK).draw(5)
    True"""

    __slots__ = ("name", "kept", "others")

    def __init__(self, name: str) -> None:
        self.name = name
        self.others: dict[str, tuple[list[Any], list[Any]]] | None = None
        self.kept: tuple[Any, Shuffle] | None = None

    def new_deal(self, make: Callable[[Source], T]) -> T:
        """Return the deal that a function makes of a chance like this one, from its first card on."""
        return make(Source(self.name))

    def pack(self, cards: Iterable[Card], what: str = "pack") -> Pack:
        """Return a shuffled pack of these cards; a deal that shuffles twice names the second pack."""
        if what != "pack":
            return Pack(Shuffle(cards, f"{self.name}/{what}"))
        if self.kept is None or self.kept[0] is not cards:
            self.kept = cards, Shuffle(cards, f"{self.name}/pack")
        return Pack(self.kept[1])

    def shuffled(self, things: Iterable[T], what: str) -> list[T]:
        """Return things other than cards in a random order: "knobs"; "backs 2", if a deal shuffles them more than
        once."""
        left, self.others = list(things), self.others or {}
        known = self.others.get(what)
        if known is None or known[0] != left:
            known = self.others[what] = left, shuffled(left, f"{self.name}/{what}")
        return [*known[1]]

    def key(self, name: str, usual: Any = None) -> Any:
        """Return the value that a script gives under a key of the game. In play no script gives one, and `usual`
        holds."""
        return usual

    def imagine(self, view: Any, bits: int) -> Any:
        """Return an Imagined for a view of the deal; None if none is found. ValueError for a seat that may not
        imagine."""
        raise ValueError(NOT_IMAGINING)


class Chance(random.Random):
    """A `random.Random` for a strategy. It keeps only the hash of its name, so nothing in it reveals the seed.
    `random`, `choice` and `below` give the same numbers in every version of Python.

    >>> from roundsim.game import Chance
    >>> chance, other = Chance("my test"), Chance("my test")
    >>> [chance.below(6) for _ in range(100)] == [other.below(6) for _ in range(100)]
    True"""

    __slots__ = ("hash", "pool", "words", "gauss_next")
    hash: bytes  # whose words come next
    pool: int  # what is left of a word of 64 bits
    words: list[int]

    def __init__(self, name: str | None = None) -> None:
        self.hash, self.words, self.pool, self.gauss_next = bytes(64), [], 0, None
        if name is not None:  # otherwise it starts later
            self.begin(name)

    def seed(self, name: Any = None, version: int = 2) -> None:
        """Start again under a name."""
        self.begin(str(name or ""))

    def begin(self, name: str, bits: int = 0) -> None:
        """Start again under a name. If `bits` are given, the first 64 of them are drawn first."""
        vars(self).clear()  # whatever a strategy has set
        self.hash, self.words, self.gauss_next = blake2b(name.encode()).digest(), [], None
        self.pool = bits & WORD_MASK | TOP if bits else 0

    def take_seat(self, sitting: str, seat: int, bits: int) -> None:
        """Start again as the chance of a seat in a sitting; `bits` are those of the sitting's name."""
        self.begin(f"{sitting}/{seat}", bits >> 64 * seat)

    def go_on_as(self, other: Chance) -> None:
        """Draw what the other one would draw."""
        self.hash, self.words, self.pool = other.hash, other.words, other.pool
        self.gauss_next = other.gauss_next

    def as_sent(self) -> tuple[str, str]:
        """Return a chance that has just started as two texts: the bits that are drawn first, "" if none, and the hash
        that follows."""
        return f"{self.pool & WORD_MASK:016x}" if self.pool else "", self.hash.hex()

    def begin_as(self, bits: str, hash: str) -> None:
        """Start again as a chance that was sent."""
        self.hash, self.words, self.gauss_next = bytes.fromhex(hash), [], None
        self.pool = int(bits, 16) | TOP if bits else 0

    def word(self) -> int:
        """Return the next 64 bits."""
        if not self.words:
            self.words = list(unpack("<8Q", bytes(self.hash)))  # natively it may not be hashed yet
            self.hash = blake2b(self.hash.hex().encode()).digest()
        return self.words.pop()

    def below(self, n: int) -> int:
        """Return a whole number from 0 to n - 1, each equally likely to within 1 part in 2**16."""
        if n > SMALL:
            return self.getrandbits(n.bit_length() + 64) % n
        if self.pool < LOW:
            self.pool = self.word() | TOP
        self.pool, drawn = divmod(self.pool, n)
        return drawn

    _randbelow = below

    def getrandbits(self, k: int) -> int:
        bits = 0
        for _ in range(-(-k // 64)):
            bits = bits << 64 | self.word()
        return bits >> -k % 64

    def random(self) -> float:
        return (self.word() >> 11) * 2.0**-53

    @native
    def choice(self, seq: Sequence[T]) -> T:  # type: ignore[override]
        """Return one of these, each equally likely. It also takes more legal actions than `len` can count."""
        try:
            n, pool = len(seq), self.pool
            if pool < LOW or n > SMALL:
                return seq[self.below(n)]
            self.pool, at = divmod(pool, n)
            return seq[at]
        except OverflowError:
            return seq[self.below(seq.size)]  # type: ignore[attr-defined]
        except ZeroDivisionError:
            raise IndexError("cannot choose from nothing") from None


def module_random() -> Chance:
    """Return the chance that the functions of the module `random` draw from after this call. It restarts at no cost;
    seeding Python's own generator takes longer than shuffling a deal."""
    whole = getattr(random, "_inst", None)
    if isinstance(whole, Chance):
        return whole
    mine = random._inst = Chance()
    for name, function in list(vars(random).items()):
        if getattr(function, "__self__", None) is whole:
            setattr(random, name, getattr(mine, name))
    return mine
