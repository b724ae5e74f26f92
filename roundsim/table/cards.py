"""The pack. A card is its text: the ace of spades == 'As', and there is only one of each.

Because a card is text, `max(hand)` compares letters; say `max(hand, key=lambda card: card.rank)`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..base.errors import CardError

if TYPE_CHECKING:
    from .actions import Action

SUITS = "shdc"
SUIT_NAMES = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
MARKS = (
    0,
    94321,
    105216,
    136463,
    143782,
    194492,
    216040,
    225044,  # any five, also the same ones, have a sum
    251900,
    262419,
    310539,
    426612,
    441026,
    451810,
    468286,
    470425,
)  # of their own (after Bose and Chowla, 1962)
RANKS: dict[str, float] = {
    **{str(n): n for n in range(2, 10)},
    "T": 10,
    "E": 10.3,
    "W": 10.6,  # elevens and twelves of the pack of 60 rank below the knave
    "J": 11,
    "Q": 12,
    "K": 13,
    "A": 14,
}
PLACE = {rank: place for place, rank in enumerate(RANKS, 1)}  # deuce 1 ... ace 15, elevens and twelves included


put = object.__setattr__


def unchangeable(thing: object, name: str, value: object = None) -> None:
    """Refuse to change a card or an action. Strategies receive them, and all share the same objects."""
    raise AttributeError(f"{thing} cannot be changed")


class Card(str):
    """A card: `rank` from 2 to 14 (ace; the joker 15), `suit` one of s h d c, `play` the action of playing it.

    It is its text, and cannot be changed; `CARD` has every card. `mark`: a number for its rank; the marks of five cards
    add up to a number that says which ranks they are.

    >>> from roundsim.strategy import CARD
    >>> CARD["Th"].rank, CARD["Th"].suit, CARD["Th"].play
    (10, 'h', 'play Th')"""

    __slots__ = ("rank", "suit", "mark", "play")
    rank: float
    suit: str
    mark: int
    play: Action  # given by actions.py

    def __new__(cls, text: str) -> Card:
        self = super().__new__(cls, text)
        put(self, "rank", 15 if text == "Jo" else RANKS[text[0]])
        put(self, "suit", "joker" if text == "Jo" else text[1])
        put(self, "mark", MARKS[0 if text == "Jo" else PLACE[text[0]]])
        return self

    __setattr__ = __delattr__ = unchangeable

    def __reduce__(self) -> tuple[Any, ...]:  # pickled or copied, it is still the one card
        return card, (str(self),)

    def __copy__(self) -> Card:
        return self

    def __deepcopy__(self, memo: object) -> Card:
        return self


CARD: dict[str, Card] = {text: Card(text) for text in [rank + suit for suit in SUITS for rank in RANKS] + ["Jo"]}


def card(text: str) -> Card:
    """Return the card of this text: a rank of A K Q J T 9 ... 2 and a suit of s h d c; Jo is the joker.

    Raises CardError if there is none."""
    try:
        return CARD[text]
    except KeyError:
        hint = "the ten is T; " if text.startswith("10") else ""
        raise CardError(
            f"no such card: {text!r} ({hint}a rank of A K Q J T 9 ... 2 and a suit of s h d c; Jo)"
        ) from None


def cards(text: str) -> list[Card]:
    """Return the cards of a text, with spaces between them, in its order.

    Raises CardError if a word is no card, and names the first that is none.

    >>> from roundsim.game import cards
    >>> cards("As Kd 2c")
    ['As', 'Kd', '2c']"""
    return [card(word) for word in text.split()]


def pack_of(ranks: Iterable[str], *without: str) -> tuple[Card, ...]:
    """Return all four suits of these ranks, without the cards named.

    >>> from roundsim.game import pack_of
    >>> pack_of("KA", "Kh")
    ('Ks', 'As', 'Ah', 'Kd', 'Ad', 'Kc', 'Ac')"""
    return tuple(CARD[rank + suit] for suit in SUITS for rank in ranks if rank + suit not in without)


PACK = pack_of("23456789TJQKA")
PACK_32 = pack_of("789TJQKA")
PACK_60 = pack_of("23456789TEWJQKA")
JOKER = CARD["Jo"]
