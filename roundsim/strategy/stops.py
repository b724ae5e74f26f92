"""Hands at stops as numbers, to deal and play out thousands of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..mechanics.stops import RANK_ORDER, Stops
from ..table.cards import PACK, SUITS, Card
from ..table.chance import Chance
from .trials import best_answer

RUN_BIT = {card: 1 << 14 * SUITS.index(card.suit) + RANK_ORDER.index(card[0]) for card in PACK}
EACH_SUIT = [sum([bit for card, bit in RUN_BIT.items() if card.suit == suit]) for suit in SUITS]
ACES = sum([bit for card, bit in RUN_BIT.items() if card[0] == "A"])
NO_PRIZES: dict[Card, int] = {}


class Runs:
    """All hands of a game of stops, as far as a seat knows them: `deal` deals the unknown cards, `play_out` plays a deal
    to its end, and `best` compares first cards in many deals. All seats lead as the book does at Pope Joan, Newmarket
    and Spin; a subclass may `lead` and `run` otherwise.

    Cards are a number with one bit for each, the ace of a suit lowest: `card << 1` is the next card. Lists are by seat.

    Arguments: `pack`, the cards that may be in a hand or put away, as far as everybody knows; `prizes`, the counters
    that a card wins when it is played.

    `me`, `hand`: your seat and cards. `sizes`: how many unknown cards each other seat has; `fixed`: the cards that it
    is known to hold. `unseen`: the cards that may lie anywhere; `known`: they and all that are in hands. `gains`: cards
    of yours with the counters that you win when all of them are played. `game`: what the winner wins besides. `price`:
    of a card left in the hand; `special`: how many times it is paid if `special_card` is among them. `then`: the card
    that is led when there is no certain stop."""

    def __init__(self, view: Stops.View, pack: Iterable[Card], prizes: Mapping[Card, int] = NO_PRIZES) -> None:
        self.me, self.hand = view.seat, mask(view.hand)
        self.price: int = view.options.card_price
        self.sizes, self.fixed = [*view.cards_left], [0] * view.players
        self.sizes[self.me], self.fixed[self.me] = 0, self.hand
        self.known = mask(pack) & ~mask(view.played)
        self.unseen = singles(self.known & ~self.hand)
        self.prizes = {RUN_BIT[card]: counters for card, counters in prizes.items()}
        self.with_prize = sum(self.prizes)
        self.gains = [(card, counters) for card, counters in self.prizes.items() if card & self.hand]
        self.game = self.special_card = self.then = 0
        self.special = 1

    def holds(self, seat: int, cards: int) -> None:
        """Note that another seat holds these cards."""
        for card in singles(cards):
            if card in self.unseen:
                self.unseen.remove(card)
                self.fixed[seat] |= card
                self.sizes[seat] -= 1

    # A deal.

    def deal(self, chance: Chance) -> list[int]:
        """Return all hands by seat; cards that are put away are left over."""
        left, hands, n = self.unseen[:], self.fixed[:], chance.getrandbits(256)
        free = len(left)
        for seat, size in enumerate(self.sizes):
            for _ in range(size):
                n, place = divmod(n, free)
                free -= 1
                hands[seat] |= left[place]
                left[place] = left[free]
        return hands

    def play_out(self, hands: Sequence[int], card: int) -> int:
        """Return your net when you lead this card and the deal is played to its end; no card: as the book leads.

        Several cards are played at once, and the lead stays."""
        hands, seat, held = [*hands], self.me, sum(hands)
        secret, again = self.known & ~held, False
        while True:
            if not card:
                again |= seat == self.me
                card = self.lead(hands[seat], held | secret)
            if card & card - 1:
                hands[seat] ^= card
                held ^= card
                card = 0
                if hands[seat]:
                    continue
                return self.net(hands, seat, again or seat == self.me)
            run = self.run(hands, held, card)
            left = [hand & ~run for hand in hands]
            if 0 in left:
                return self.end(hands, run, card, again)
            last = 1 << run.bit_length() - 1
            for at, hand in enumerate(hands):
                if hand & last:
                    seat = at
                    break
            held &= ~run
            secret &= ~(last << 1)
            hands, card = left, 0

    def end(self, hands: Sequence[int], run: int, card: int, again: bool) -> int:
        """Return your net when this run, led with this card, takes the last card of a seat."""
        after, winner = min([(1 << hand.bit_length(), seat) for seat, hand in enumerate(hands) if not hand & ~run])
        left = [hand & ~(run & after - 1) for hand in hands]
        return self.net(left, winner, again or winner == self.me and not sum(left) & after)

    def run(self, hands: Sequence[int], held: int, card: int) -> int:
        """Return the cards that are played when this one is led."""
        return held & ~(held + card)

    def net(self, hands: Sequence[int], winner: int, again: bool) -> int:
        """Return your net, from the hands that are left. `again`: you had the lead again, or went out with a stop."""
        mine = hands[self.me]
        net = sum([counters for cards, counters in self.gains if not cards & mine])
        if winner == self.me:
            return net + self.game + sum([self.pays(hand) for hand in hands])
        return net - self.pays(mine)

    def pays(self, hand: int) -> int:
        """Return what is paid for the cards left in a hand."""
        return self.price * hand.bit_count() * (self.special if hand & self.special_card else 1)

    # The book's lead.

    def lead(self, hand: int, known: int) -> int:
        """Return the card that the book leads from this hand, or several stops that it leads one after the other.

        `known`: the cards that may be in a hand, as far as everybody knows."""
        stops = hand & ~(known >> 1)
        close, above = links(hand, known, 4)
        if first := stops & ~above or hand & self.then:
            return first
        if stops:
            return self.longest(hand, close, above, stops)
        for steps in (1, 2):
            lower, higher = links(hand, known, steps)
            if lower:
                return self.longest(hand, lower, higher, hand)
        if close:
            return max(singles(close), key=self.counts)
        lengths = [(hand & suit).bit_count() for suit in EACH_SUIT]
        return max(singles(hand & ACES or hand), key=lambda card: self.by_length(card, lengths))

    def by_length(self, card: int, lengths: Sequence[int]) -> tuple[int, int, int]:
        suit, rank = divmod(card.bit_length() - 1, 14)
        return lengths[suit], -rank, self.counts(card)

    def longest(self, hand: int, lower: int, higher: int, stops: int) -> int:
        """Return the lowest card of the longest sequence that ends in one of these stops."""
        bottoms, tops = lower & ~higher, higher & ~lower
        best, lowest = (0, 0), 0
        while bottoms:
            bottom, top = bottoms & -bottoms, tops & -tops
            bottoms ^= bottom
            tops ^= top
            if top & stops:
                cards = hand & 2 * top - bottom
                worth = cards.bit_count(), self.counts(cards)
                if worth > best:
                    best, lowest = worth, bottom
        return lowest

    def counts(self, cards: int) -> int:
        """Return the counters that these cards win, if there are three or more."""
        cards &= self.with_prize
        counters = sum([self.prizes[card] for card in singles(cards)]) if cards else 0
        return counters if counters >= 3 else 0

    # The search.

    def worth_trying(self, own: int) -> list[int]:
        """Return the book's lead and all others that are not worse for certain: of cards in sequence the lowest, and
        only one certain stop."""
        cards = self.hand & ~((self.hand & ~self.special_card) << 1)
        stops = self.hand & ~(self.known >> 1)
        free = stops & ~links(self.hand, self.known, 4)[1]
        if own & free:
            cards &= ~free
        elif free:
            cards &= ~free | free & -free
        return [own, *singles(cards & ~own)]

    def best(self, chance: Chance, tried: Sequence[int], playouts: int, sure: float) -> int:
        """Return the best of these cards, as `best_answer` does."""

        def play_out(cards: Iterable[int]) -> dict[int, int]:
            hands = self.deal(chance)
            return {card: self.play_out(hands, card) for card in cards}

        return best_answer(tried, play_out, playouts, sure)


def mask(cards: Iterable[Card]) -> int:
    """Return these cards of the pack as a number, with one bit for each: see `Runs`.

    >>> from roundsim.strategy import cards, mask
    >>> mask(cards("As 2s")) == 0b11
    True"""
    return sum([RUN_BIT[card] for card in cards])


def singles(cards: int) -> list[int]:
    """Return each card of a number, from the lowest.

    >>> from roundsim.strategy import singles
    >>> singles(0b1101) == [0b1, 0b100, 0b1000]
    True"""
    bits = []
    while cards:
        card = cards & -cards
        bits.append(card)
        cards ^= card
    return bits


def links(hand: int, known: int, steps: int) -> tuple[int, int]:
    """Return the cards that have another of the hand at most so many steps above them, and those below them, no stop
    being between."""
    up = down = hand
    for _ in range(steps - 1):
        up |= known & up >> 1
        down |= known & down << 1
    return hand & up >> 1, hand & down << 1
