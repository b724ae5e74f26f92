"""Hands as numbers, to deal and play out thousands of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

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


class Bits(NamedTuple):
    """The numbers of cards, of suits, and by the number of a card led the cards that must follow it: see `BITS`."""

    bit: Mapping[Card, int]
    suits: Mapping[str, int]
    led: Mapping[int, int]


BITS: dict[str | None, Bits] = {  # by the suit of trumps, None without
    trumps: Bits(bit, SUIT_BITS[trumps], {bit[card]: SUIT_BITS[trumps][card.suit] for card in PACK})
    for trumps, bit in BIT.items()
}


class Hands:
    """All hands of a trick game, as far as a seat knows them: `deal` deals the unknown cards, again and again, and
    `play_out` plays a deal out. A game's own class says what is led, and what is played to a trick.

    A hand is a number with one bit for each card, the plain cards by rank and above them all the trumps: `hand & -hand`
    is its lowest card, `highest(hand)` its highest, `hand & suits["h"]` its hearts. Places are counted as `seats` are
    given, from 0; lists are by place.

    Arguments: the number of `tricks` in the deal and the trumps; `pack`: all its cards; `seen`: the cards that the view
    shows besides the hand and the tricks; `bits`: the numbers of the cards, where they do not rank from ace to two.

    `bit`, `suits`, `follows`: the numbers of cards, of suits, and of what must follow a card. `me`: your place;
    `first`: the place that plays next, yours. `fixed`: the cards that a place is known to hold; `sizes`: how many
    others it has; `lacks`: the cards that it has shown not to hold. `unseen`: the cards that may lie anywhere;
    `hidden`: they, and all that others are known to hold, as one number. `tricks_left`: tricks that are not over;
    `won`: tricks won. For the trick on the table: `table`, its cards; `led`, what must follow, 0 at a lead; `best`, the
    card that has it, and `taker`, the place of that card; `to_play`: how many are still to play to it."""

    def __init__(
        self,
        view: Tricks.View,
        seats: Sequence[int],
        trumps: str | None,
        tricks: int,
        pack: Iterable[Card] = PACK,
        seen: Iterable[Card] = (),
        bits: Bits | None = None,
    ) -> None:
        over, trick, players = view.tricks, view.trick, len(seats)
        self.seats, self.me = seats, seats.index(view.seat)
        self.bit, self.suits, self.follows = bits or BITS[trumps]
        self.first, self.won = self.me, [view.won[seat] for seat in seats]
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
        """Take in a trick that this place led: what the players have shown not to hold, and who has it so far."""
        led = best = 0
        for card in trick:
            bit = self.bit[card]
            self.known |= bit
            led = led or self.follows[bit]
            self.lacks[at] |= self.lacked(bit, led, best)
            if bit > best and (bit & led or bit >= TRUMPS):
                best, self.taker = bit, at
            at = (at + 1) % len(self.seats)
        self.led, self.best = led, best

    def lacked(self, bit: int, led: int, best: int) -> int:
        """Return the cards that the player of this one does not hold: those of the suit led, if it is of another."""
        return 0 if bit & led else led

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
        below: dict[int, int] = {}
        for card in sorted(cards, key=self.bit.__getitem__):
            bit = self.bit[card]
            suit = next(suit for suit in self.suits.values() if bit & suit)
            last = below.get(suit)
            if last is None or others & suit & (bit - last):
                tried.append(card)
            below[suit] = bit
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

    # The playout.

    def play_out(self, hands: list[int], card: int = 0) -> list[int]:
        """Play these hands out and return the tricks that each place has won. `card`: what the first place plays, if
        not what it would. Meanwhile `hands` are the cards left, and `taken` the tricks won."""
        self.hands, follows, legal, lead, follow, over = (
            hands,
            self.follows,
            self.legal,
            self.lead,
            self.follow,
            self.over,
        )
        players, seat, left, won = len(hands), self.first, self.tricks_left, self.won[:]
        self.taken = won
        led, best, taker, to_play = self.led, self.best, self.taker, self.to_play
        while True:
            while to_play:
                to_play -= 1
                hand = hands[seat]
                if not led:
                    card = card or lead(seat, hand)
                    led, best, taker = follows[card], card, seat
                else:
                    card = card or legal(hand, led, best)
                    if card & (card - 1):
                        card = follow(seat, card, led, best, taker, to_play)
                    if card > best and (card & led or card >= TRUMPS):
                        best, taker = card, seat
                hands[seat] = hand - card
                card = 0
                seat += 1
                if seat == players:
                    seat = 0
            left -= 1
            won[taker] += 1
            if not left or over(won, left):
                return won
            seat, led, to_play = taker, 0, players

    def legal(self, hand: int, led: int, best: int) -> int:
        """Return the cards that may be played to a trick: those of the suit led, or else any."""
        return hand & led or hand

    def lead(self, seat: int, hand: int) -> int:
        """Return the card that a place leads."""
        raise NotImplementedError

    def follow(self, seat: int, cards: int, led: int, best: int, taker: int, to_play: int) -> int:
        """Return the card of these, all legal, that a place plays to a trick; `to_play` places play after it."""
        raise NotImplementedError

    def over(self, won: list[int], left: int) -> bool:
        """Return whether a deal is over with these tricks won, and so many left."""
        return False


def highest(cards: int) -> int:
    """Return the highest of these cards, a number with one bit. Raises ValueError if there are none.

    >>> from roundsim.strategy import BIT, CARD, highest
    >>> bit = BIT["h"]  # hearts are trumps
    >>> highest(bit[CARD["2h"]] | bit[CARD["As"]]) == bit[CARD["2h"]]
    True"""
    return 1 << cards.bit_length() - 1


def cheapest(cards: int, best: int) -> int:
    """Return the lowest of these cards that is above the best; 0 if there is none.

    >>> from roundsim.strategy import cheapest
    >>> cheapest(0b10110, best=0b100) == 0b10000, cheapest(0b00110, best=0b100)
    (True, 0)"""
    above = cards >> best.bit_length() << best.bit_length()
    return above & -above
