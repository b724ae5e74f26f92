"""Ambigu by the book, with corrections for the draws and the betting."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from roundsim.games.ambigu import FLUSH, NAMES, POINT, PRIME, Ambigu, judge
from roundsim.strategy import (
    Card,
    Choices,
    Corrected,
    ace_low,
    all_but,
    best_suits,
    corrections_in,
    discard,
    of_suit,
    owed,
    sized,
)

files = ["corrections.txt"]


class Expert(Corrected):
    """The book, except where trying all answers on the same cards has shown that another gains more.

    It bets by the class of its hand, its place and the company, and draws by the class and the suits. It does not bet
    points: that gains from the book, and loses more to somebody who calls."""

    name = "expert"
    games = ["ambigu"]
    pages = "section Ambigu"
    table = corrections_in(Path(__file__).with_name("corrections.txt"))
    bets_points = False

    def choices(self, view: Ambigu.View) -> Choices | None:
        if view.phase == "first-draw":
            return first_draw(view.hand)
        if view.phase == "second-draw":
            return second_draw(view)
        hand, drawn = held(view.hand), len(view.drawn[view.seat]) - 1
        time = ("first", "last")[drawn]
        if view.phase == "bet":
            cost = owed(view)
            price = "cheap" if cost <= 1 else "a bet" if cost <= view.options.limit else "raised"
            return Choices(f"{time} betting: {hand}, {others_in(view)} others in, {price}", self.bets(view))
        if view.phase == "redeal":
            return Choices(f"redeal: {hand}", {action: action for action in view.legal})
        after = len(view.still_in) - 1 - view.still_in.index(view.seat)
        return Choices(f"{time} betting: {hand}, {after} follow", self.bets(view))

    def bets(self, view: Ambigu.View) -> dict[str, str]:
        """Return the answers that are tried, among them a bet or raise of half the limit and of the limit."""
        (kind, *_), _ = judge(view.hand)
        limit = view.options.limit
        return sized(view, {"half": limit // 2, "all": limit} if kind != POINT or self.bets_points else {})


def first_draw(hand: Sequence[Card]) -> Choices:
    """Keep both cards, one, or none."""
    low, high = sorted(hand, key=ace_low)
    steps, total = ace_low(high) - ace_low(low), ace_low(low) + ace_low(high)
    if not steps:
        kind = "a pair"
    elif low.suit == high.suit:
        kind = f"a suit, {'in sequence' if steps <= 2 else 'apart'}"
    else:
        kind = "two suits"
    pips = "16 pips" if total >= 16 else "11 pips" if total >= 11 else "low"
    kept = {"keep both": [], "keep the higher": [low], "keep the lower": [high], "change both": [low, high]}
    return Choices(f"first draw: {kind}, {pips}", {name: discard(cards) for name, cards in kept.items()})


def second_draw(view: Ambigu.View) -> Choices:
    """Stand, or draw to a suit, to the pair or to a prime."""
    hand = sorted(view.hand, key=ace_low, reverse=True)
    suits = {card.suit: card for card in reversed(hand)}
    longest = max((of_suit(hand, suit) for suit in suits), key=len)
    ranks = [card.rank for card in hand]
    alike = [card for card in hand if ranks.count(card.rank) > 1]
    kept = {"stand": hand, "draw to the suit": longest, "draw to a prime": list(suits.values())}
    if alike:
        kept["draw to the pair"] = alike
    company = min(len(view.still_in), 3)
    pair = ", a pair" if alike else ""
    return Choices(
        f"second draw: {held(hand)}, {len(suits)} suits{pair}, {company} in",
        {name: discard(all_but(hand, cards)) for name, cards in kept.items()},
    )


def held(hand: Sequence[Card]) -> str:
    """Name the class of a hand, points by their number of cards and primes by their pips."""
    (kind, *_), price = judge(hand)
    if kind == POINT:
        return f"a point of {len(of_suit(hand, best_suits(hand)[0]))}"
    if kind == PRIME:
        return "a grand prime" if price == 3 else "a prime of 24" if sum(map(ace_low, hand)) >= 24 else "a low prime"
    return "a flush or better" if kind >= FLUSH else NAMES[kind]


def others_in(view: Ambigu.View) -> int:
    """Count the others who have bet or called in this round."""
    return min(2, sum(view.stake[seat] >= view.level > view.stake[view.seat] for seat in view.still_in))
