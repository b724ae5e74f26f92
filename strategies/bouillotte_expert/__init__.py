"""Bouillotte by the book, with corrections for opening, calling and the first raise."""

from __future__ import annotations

from bisect import bisect
from pathlib import Path

from roundsim.games.bouillotte import PACK_FOR, Bouillotte
from roundsim.strategy import (
    SUITS,
    Choices,
    Corrected,
    by_rank,
    corrections_in,
    of_suit,
    pool,
    sized,
    stack_of,
    to_call,
)

files = ["corrections.txt"]
HANDS = "worst", "weak", "low", "fair", "good", "best"
STRENGTHS = 1.5, 2.0, 2.5, 3.0, 3.75  # the least strength of each name but the first


class Expert(Corrected):
    """The book, except where trying all answers on the same cards has shown that another gains more.

    A hand is stronger with more cards of a suit, the retourne included, and with fewer higher cards that others may hold.
    The expert opens by the strength and its place, and answers by the strength, the company and the price. After a raise
    it calls or folds, or does as the book."""

    name = "expert"
    games = ["bouillotte"]
    pages = "section Bouillotte"
    shares_pool = True  # a pool that nobody opens stays for the next deal
    table = corrections_in(Path(__file__).with_name("corrections.txt"))

    def choices(self, view: Bouillotte.View) -> Choices | None:
        if view.phase == "open":
            return Choices(f"{held(view)}, {place_to_speak(view)}", answers_tried(view))
        if view.phase == "bet" and not view.raises:
            return Choices(f"{held(view)}, {min(in_before(view), 2)} in, {price(view)}", answers_tried(view))
        if view.phase == "bet" and "fold" in view.legal:
            return Choices(f"{held(view)}, raised, {price(view)}", {"fold": "fold", "call": "call"})
        return None


def answers_tried(view: Bouillotte.View) -> dict[str, str]:
    """Return the answers that are tried, among them the least and a large bet or raise."""
    return sized(view, {"least": 0, "more": pool(view) + view.level})


def held(view: Bouillotte.View) -> str:
    """Name a brelan, or the strength of a hand without one, which rises with its chance to win a show-down."""
    turned = view.retourne
    assert turned
    ranks = [card[0] for card in view.hand]
    if len({*ranks}) == 1 or ranks.count(turned[0]) == 2:
        return "brelan"
    strength = 0.0
    for suit in SUITS:
        if cards := of_suit(view.hand, suit):
            top = max(map(by_rank, cards))
            higher = sum(card.rank > top and card != turned for card in of_suit(PACK_FOR[4], suit))
            strength += 1.5 ** (len(cards) + (suit == turned.suit)) / 2**higher
    return f"{HANDS[bisect(STRENGTHS, strength)]} hand"


def place_to_speak(view: Bouillotte.View) -> str:
    """Say how many players speak after this one before a bet; if a pool stands, only whether anybody does."""
    seats = view.dealt_in
    follow = (seats.index(view.age) - seats.index(view.seat)) % len(seats)
    return f"{follow} follow" if not view.pools["pool"] else f"a pool stands, {'some' if follow else 'none'} follow"


def in_before(view: Bouillotte.View) -> int:
    """Count the others who have come in, or are in with all they have."""
    spoken = [entry.seat for entry in view.history if entry.action.verb in ("bet", "call", "raise")]
    others = [seat for seat in view.still_in if seat != view.seat]
    return sum(seat in spoken or not stack_of(view, seat) for seat in others)


def price(view: Bouillotte.View) -> str:
    """Say how much there is to pay: a blind or two, less than half of a stack, or more."""
    due = to_call(view)
    return "free" if due <= 0 else "cheap" if due <= 10 else "dear" if due <= 40 else "very dear"
