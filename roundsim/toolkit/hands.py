"""Hands as numbers, to deal and play out thousands of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..mechanics.tricks import Tricks
from ..table.cards import PACK, SUITS, Card
from ..table.chance import Chance

TRUMPS = 1 << 64  # the lowest bit of a trump; `hand % TRUMPS` are the plain cards of a hand
BIT: dict[str | None, dict[Card, int]] = {  # by the suit of trumps, None without: the bit of each card
    trumps: {
        card: (TRUMPS if card.suit == trumps else 1) << 4 * int(card.rank) + SUITS.index(card.suit) for card in PACK
    }
    for trumps in (None, *SUITS)
}
SUIT_BITS: dict[str | None, dict[str, int]] = {  # by the suit of trumps, None without: all bits of each suit
    trumps: {suit: sum([bit[card] for card in PACK if card.suit == suit]) for suit in SUITS}
    for trumps, bit in BIT.items()
}


class Hands:
    """All hands of a trick game, as far as a seat knows them: `deal` deals the unknown cards, again and again.

    A hand is a number with one bit for each card, the plain cards by rank and above them all the trumps: `hand & -hand`
    is its lowest card, `1 << hand.bit_length() - 1` its highest, `hand & suits["h"]` its hearts. Places are counted as
    `seats` are given, from 0; lists are by place.

    Arguments: the number of `tricks` in the deal and the trumps; `pack`: all its cards; `seen`: the cards that the view
    shows besides the hand and the tricks.

    `bit`, `suits`: the numbers of cards and of suits. `me`: your place. `fixed`: the cards that a place is known to
    hold; `sizes`: how many others it has; `lacks`: the suits that it has shown not to hold. `unseen`: the cards that
    may lie anywhere; `hidden`: they, and all that others are known to hold, as one number. `tricks_left`: tricks that
    are not over. For the trick on the table: `table`, its cards; `led`, the suit, 0 at a lead; `best`, the card that
    has it, and `taker`, the place of that card; `to_play`: how many are still to play to it."""

    def __init__(
        self,
        view: Tricks.View,
        seats: Sequence[int],
        trumps: str | None,
        tricks: int,
        pack: Iterable[Card] = PACK,
        seen: Iterable[Card] = (),
    ) -> None:
        over, trick, players = view.tricks, view.trick, len(seats)
        self.seats, self.me, self.bit, self.suits = seats, seats.index(view.seat), BIT[trumps], SUIT_BITS[trumps]
        self.tricks_left, self._random_bits = tricks - len(over), 64 if tricks < 10 else 128
        self.sizes, self.lacks, self.fixed = [self.tricks_left] * players, [0] * players, [0] * players
        self.known, self.table, self.to_play = self.mask(seen), self.mask(trick), players - len(trick)
        for leader, played in over:
            self.look_at(seats.index(leader), played)
        self.led = self.best = self.taker = 0
        if trick and view.leader is not None:
            first = seats.index(view.leader)
            self.look_at(first, trick)
            for at in range(first, first + len(trick)):
                self.sizes[at % players] -= 1
        self.unseen = [bit for bit in map(self.bit.__getitem__, pack) if not bit & self.known]
        self.holds(self.me, view.hand)
        self.hidden = sum(self.unseen)
        self.others = sorted([at for at in range(players) if at != self.me], key=lambda at: -self.lacks[at])

    def mask(self, cards: Iterable[Card]) -> int:
        """Return these cards as a number."""
        return sum([self.bit[card] for card in cards])

    def look_at(self, at: int, trick: Iterable[Card]) -> None:
        """Take in a trick that this place led: the players that could not follow, and the one that has it so far."""
        led = best = 0
        for card in trick:
            bit = self.bit[card]
            self.known |= bit
            led = led or self.suits[card.suit]
            if not bit & led:
                self.lacks[at] |= led
            if bit > best and (bit & led or bit >= TRUMPS):
                best, self.taker = bit, at
            at = (at + 1) % len(self.seats)
        self.led, self.best = led, best

    def holds(self, at: int, cards: Iterable[Card]) -> None:
        """Note that these cards are in the hand at this place, except those that are played or known to be in a
        hand."""
        for card in cards:
            bit = self.bit[card]
            if not bit & self.known:
                self.known |= bit
                self.fixed[at] |= bit
                self.sizes[at] -= 1
                self.unseen.remove(bit)

    def worth_trying(self, cards: Iterable[Card]) -> list[Card]:
        """Return the lowest of each run of equal cards. Cards without a hidden card or one on the table between them
        are worth the same."""
        others, tried = self.hidden | self.table, []
        below: dict[str, int] = {}
        for card in sorted(cards, key=lambda card: card.rank):
            bit, last = self.bit[card], below.get(card.suit)
            if last is None or others & self.suits[card.suit] & (bit - last):
                tried.append(card)
            below[card.suit] = bit
        return tried

    def deal(self, chance: Chance) -> list[int]:
        """Return all hands by place. The unseen cards are dealt so that no place gets a suit that it lacks, if that is
        possible."""
        left, hands = self.unseen[:], self.fixed[:]
        for at in self.others:
            size, lacks = self.sizes[at], self.lacks[at]
            fit = [card for card in left if not card & lacks] if lacks else left
            if len(fit) < size:
                fit = left
            hand, n, free = 0, chance.getrandbits(self._random_bits), len(fit)
            for _ in range(size):
                n, place = divmod(n, free)
                free -= 1
                hand |= fit[place]
                fit[place] = fit[free]
            hands[at] |= hand
            if fit is left:
                del left[free:]
            else:
                left = [card for card in left if not card & hand]
        return hands
