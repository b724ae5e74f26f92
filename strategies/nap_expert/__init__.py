"""Nap: corrections of the book's calls, and the play by dealing the unseen cards and playing them out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from roundsim.games.nap import Nap
from roundsim.toolkit import (
    BITS,
    PACK,
    PACK_32,
    SUIT_BITS,
    SUITS,
    TRUMPS,
    Card,
    Choices,
    Corrected,
    Hands,
    best_suits,
    cheapest,
    corrections_in,
    highest,
    playable,
)

files = ["corrections.txt"]
HIGH = {"A": 0.85, "K": 0.55, "Q": 0.35, "J": 0.25, "T": 0.15}  # of a trump, beyond .85 for each, in tricks
OUTSIDE = {"A": 0.7, "K": 0.35, "Q": 0.15}
NAPS = ("call nap", "call spare", "call wellington", "call blucher")


class Expert(Corrected):
    """The house's strongest: the book's calls, except where trying all calls on the same cards has shown that another
    gains more; and that card which makes the call, or beats it, in most of many deals of the unseen cards.

    It calls by the tricks that its cards promise with the best suit for trumps, and by what has been called.  In the
    deals nobody holds a suit that he could not follow.  They are played out quickly, as the book plays: trumps
    from the top, win cheaply when last, leave a fellow's trick alone.

    `cards`: about how many are played out, in all deals, for a card."""

    name = "expert"
    games = ["nap"]
    pages = "pp. 3-15"
    table = corrections_in(Path(__file__).with_name("corrections.txt"))

    def __init__(self, cards: int = 2000) -> None:
        self.cards = cards

    def choices(self, view: Nap.View) -> Choices | None:
        options = view.options
        if view.phase != "call" or options.cards == 9 or options.pack == "32" or options.misery or options.spare_hand:
            return None
        quarters = round(4 * max([promise(view.hand, suit) for suit in SUITS]))
        stands = str(view.call).removeprefix("call ")
        return Choices(f"{quarters / 4:.2f} tricks, {stands} stands", {each: each for each in view.legal})

    # The play.

    def play(self, view: Nap.View) -> str:
        """The card that makes the call, or beats it, in most deals."""
        if len(view.legal) == 1:
            return view.legal[0]
        known = Known(view)
        cards = known.worth_trying(playable(view))
        if known.first_lead and not known.misery:
            suits = best_suits(view.hand)[:2]
            cards = [card for card in cards if card.suit in suits]
        if len(cards) == 1:
            return cards[0].play
        each = sum(known.sizes) + len(view.hand)
        done = [0] * len(cards)
        for _ in range(1 + self.cards // (each * len(cards) + 30)):
            dealt = known.deal(view.chance)
            for at, card in enumerate(cards):
                done[at] += known.succeeds(dealt, card)
        return cards[done.index(max(done))].play


class Known(Hands):
    """The deal as a seat knows it; places are counted from the senior hand."""

    def __init__(self, view: Nap.View) -> None:
        options, self.trumps = view.options, view.trumps
        start = view.order.index(view.senior)
        seats = view.order[start:] + view.order[:start]
        tricks = 9 if options.cards == 9 else 5
        super().__init__(view, seats, self.trumps, tricks, PACK if options.pack == "52" else PACK_32, view.put_out)
        self.misery = view.call == "call misery"
        self.first_lead = not view.tricks and not view.trick
        self.lifts = self.first_lead and not (self.misery and not options.misery_trumps)
        self.needs = tricks if view.call in NAPS else 1 if self.misery else int(view.call[5:])

    def succeeds(self, dealt: list[int], card: Card) -> bool:
        """Whether this card makes the call in a deal, or for the others beats it; the first card makes trumps."""
        hands = dealt[:]
        if self.lifts:
            self.bit, _, self.follows = BITS[card.suit]
            hands = raised(hands, card.suit)
        made = (self.play_out(hands, self.bit[card])[0] >= self.needs) != self.misery
        return made == (self.me == 0)

    def lead(self, seat: int, hand: int) -> int:
        """The highest card; the others keep their trumps."""
        if self.misery:
            return hand & -hand
        return highest(hand if not seat else hand % TRUMPS or hand)

    def follow(self, seat: int, cards: int, led: int, best: int, taker: int, to_play: int) -> int:
        """Win with the highest, last with the cheapest; a fellow's trick is left to him. In a misery the senior hand
        plays the highest that does not win."""
        if self.misery:
            under = cards & ((best if cards & led else max(best, TRUMPS)) - 1)
            return highest(under) if under and not (seat and taker) else cards & -cards
        able = cards if cards & led else cards & -TRUMPS
        if able <= best or not to_play and seat and taker:
            return cards & -cards
        return highest(able) if to_play else cheapest(able, best)

    def over(self, won: list[int], left: int) -> bool:
        """Whether the senior hand has enough tricks, or cannot have them."""
        return won[0] >= self.needs or won[0] + left < self.needs


def promise(hand: Iterable[Card], suit: str) -> float:
    """Return the tricks that a hand makes with these trumps, by a count of its cards."""
    trumps = [card[0] for card in hand if card.suit == suit]
    outside = [card[0] for card in hand if card.suit != suit]
    worth = [0.85 + HIGH.get(rank, 0) for rank in trumps] + [OUTSIDE.get(rank, 0) for rank in outside]
    return sum(worth) - 1


def raised(hands: list[int], trumps: str) -> list[int]:
    """Return hands that were dealt before trumps were known, now that they are."""
    suit = SUIT_BITS[None][trumps]
    return [hand + (hand & suit) * (TRUMPS - 1) for hand in hands]
