"""Spoil Five by dealing the unseen cards and playing them out."""

from __future__ import annotations

from functools import cache

from roundsim.games.spoil_five import ORDINARY, PLAIN, SpoilFive, following
from roundsim.games.spoil_five import TRUMPS as RANKED
from roundsim.strategy import CARD, SUITS, TRUMPS, Bits, Card, Corrected, Hands, cheapest, highest, playable

ALL_TRUMPS = -TRUMPS


class Expert(Corrected):
    """The book, but it plays the card that brings most in many deals of the unseen cards, each played out.

    The pool is worth its full sum if won, and a share of it if the deal is spoilt.  The quick play of a deal is the
    book's: to win with a hand worth two tricks and more, to spoil otherwise, and to beat whoever wants but one trick.

    `cards`: about how many are played out, in all deals, for a card."""

    name = "expert"
    games = ["spoil-five"]
    searches = ("play",)

    def __init__(self, cards: int = 2500) -> None:
        self.cards = cards

    def play(self, view: SpoilFive.View) -> str:
        options = view.options
        if len(view.legal) == 1 or options.game != "pool" or options.partners or options.jinking:
            return str(self.guided(view))
        known = Known(view)
        cards = known.worth_trying(playable(view))
        if len(cards) == 1:
            return cards[0].play
        brought = [0] * len(cards)
        for _ in range(1 + self.cards // (sum(known.sizes) * len(cards) + 30)):
            dealt = known.deal(view.chance)
            for at, card in enumerate(cards):
                brought[at] += known.brought(known.play_out(dealt[:], known.bit[card]))
        return cards[brought.index(max(brought))].play


@cache
def numbers(ranking: str, suit: str) -> Bits:
    """Return the numbers of the cards where this suit is trumps: its cards above all others, and the ace of hearts."""
    special = ranking == "spoil-five"
    trumps, plain = (RANKED, PLAIN) if special else (ORDINARY, ORDINARY)
    bit: dict[Card, int] = {}
    for place, other in enumerate(SUITS):
        bit |= {card: 1 << 4 * height + place for height, card in enumerate(reversed(plain[other]))}
    bit |= {card: TRUMPS << height for height, card in enumerate(reversed(trumps[suit]))}
    suits = {other: sum([bit[card] for card in plain[other] if bit[card] < TRUMPS]) for other in SUITS}
    suits[suit] = sum([bit[card] for card in trumps[suit]])
    led = {
        bit[card]: sum([bit[other] for other in following(card, suit, trumps[suit], plain[card.suit], special).binding])
        for card in bit
    }
    return Bits(bit, suits, led)


class Known(Hands):
    """The deal as a seat knows it; places are seats."""

    def __init__(self, view: SpoilFive.View) -> None:
        options, bits = view.options, numbers(view.options.ranking, view.trumps)
        ace, seen = f"A{view.trumps}", [*view.put_out, *view.turned]
        if view.robber is None:
            seen.append(view.turn_up)
            if view.tricks and options.robbing == "compulsory" and view.declined is None and view.turn_up != ace:
                seen += [CARD[ace]]  # nobody had it to rob with
        super().__init__(view, range(view.players), view.trumps, 5, seen=seen, bits=bits)
        if view.robber is not None:
            self.holds(view.robber, [view.turn_up, CARD[ace]])
        trumps, self.wanted = self.suits[view.trumps], int(options.tricks_to_win)
        self.first_three = trumps & ~((highest(trumps) >> 2) - 1)
        self.court = trumps & ~((highest(trumps) >> 5) - 1)
        self.kings = sum([highest(suit) for suit in self.suits.values() if suit < TRUMPS])

    def brought(self, won: list[int]) -> int:
        """Return what a deal is worth, in shares of the pool."""
        if won[self.me] >= self.wanted:
            return len(won)
        return 0 if max(won) >= self.wanted else 1

    def lacked(self, bit: int, led: int, best: int) -> int:
        """A trump may always be played, if not always held back."""
        return 0 if bit & led or bit >= TRUMPS else led

    def legal(self, hand: int, led: int, best: int) -> int:
        """Whoever holds a card that must follow plays such a card, or a trump."""
        return hand & (led | ALL_TRUMPS) if hand & led else hand

    def to_win(self, seat: int) -> bool:
        """Return whether a place plays to win: its hand should make the tricks that it wants."""
        hand = self.hands[seat]
        tenths = 10 * (hand & self.first_three).bit_count() + 4 * (hand & self.kings).bit_count()
        tenths += (
            3 * (hand & ALL_TRUMPS & ~self.first_three).bit_count()
            + 2 * (hand & self.court & ~self.first_three).bit_count()
        )
        return tenths >= 10 * (self.wanted - self.taken[seat]) - 8

    def lead(self, seat: int, hand: int) -> int:
        """To win or against a threat the highest trump if nobody has a higher; else to win the highest plain card, to
        spoil the lowest."""
        best, wins = highest(hand), self.to_win(seat)
        threat = any(taken == self.wanted - 1 for place, taken in enumerate(self.taken) if place != seat)
        if best >= TRUMPS and (wins or threat) and best >= max(self.hands) >> 1:
            return best
        plain = hand % TRUMPS
        return highest(plain) if plain and wins else hand & -hand

    def follow(self, seat: int, cards: int, led: int, best: int, taker: int, to_play: int) -> int:
        """Beat whoever wants but one trick; to win, cheaply; to spoil, with plain cards alone."""
        able, low = cards & (led | ALL_TRUMPS), cards & -cards
        if able <= best:
            return low
        last_wanted, places = self.wanted - 1, len(self.taken)
        danger = any(self.taken[(seat + n) % places] == last_wanted for n in range(1, to_play + 1))
        if danger or self.taken[seat] == last_wanted:
            return highest(able) if to_play else cheapest(able, best)
        if self.taken[taker] == last_wanted:
            return cheapest(able, best)
        if not self.to_win(seat):
            return highest(able % TRUMPS) if able % TRUMPS > best else low
        if led >= TRUMPS:
            able &= ~self.first_three
        return cheapest(able, best) or low

    def over(self, won: list[int], left: int) -> bool:
        """Return whether somebody has won the pool."""
        return max(won) >= self.wanted
