"""Bouillotte by the book, with corrections for opening, calling and the first raise."""

from __future__ import annotations

from pathlib import Path

from roundsim.games.bouillotte import Bouillotte
from roundsim.toolkit import (
    SUITS,
    Card,
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


class Expert(Corrected):
    """The book, except where trying all answers on the same cards has shown that another gains more.

    It opens by its best suit and its place, and answers by its best suit, the company and the price. Once somebody has
    raised it calls or folds, or does as the book."""

    name = "expert"
    games = ["bouillotte"]
    pages = "section Bouillotte"
    table = corrections_in(Path(__file__).with_name("corrections.txt"))

    def choices(self, view: Bouillotte.View) -> Choices | None:
        if view.phase == "open":
            pooled = "a pool stands" if view.pools["pool"] else "no pool"
            return Choices(f"{held(view)}, {follow(view)} follow, {pooled}", answers(view))
        if view.phase == "bet" and not view.raises:
            return Choices(f"{held(view)}, {min(in_for_it(view), 2)} in, {price(view)}", answers(view))
        if view.phase == "bet" and "fold" in view.legal:
            return Choices(f"{held(view)}, raised, {price(view)}", {"fold": "fold", "call": "call"})
        return None


def answers(view: Bouillotte.View) -> dict[str, str]:
    """Return the answers that are tried, among them the least and a large bet or raise."""
    return sized(view, {"least": 0, "more": pool(view) + view.level})


def held(view: Bouillotte.View) -> str:
    """Name a brelan, or the suit with most cards in hand and turned up, and whether its highest card is in hand."""
    turned = view.retourne
    assert turned
    ranks = [card[0] for card in view.hand]
    if len({*ranks}) == 1 or ranks.count(turned[0]) == 2:
        return "brelan"
    suits = [(suit, cards) for suit in SUITS if (cards := of_suit(view.hand, suit))]
    most, high = max(
        (len(cards) + (suit == turned.suit), is_highest(max(cards, key=by_rank), turned)) for suit, cards in suits
    )
    return f"{min(most, 3)} of a suit {'with' if high else 'without'} its best"


def is_highest(card: Card, turned: Card) -> bool:
    """Return whether nobody can hold a higher card of the suit."""
    return card[0] == "A" or card[0] == "K" and turned == f"A{card.suit}"


def follow(view: Bouillotte.View) -> int:
    """Count the players who speak after this one before a bet."""
    seats = view.dealt_in
    return (seats.index(view.age) - seats.index(view.seat)) % len(seats)


def in_for_it(view: Bouillotte.View) -> int:
    """Count the others who have come in, or are in with all they have."""
    spoken = [said.seat for said in view.history if said.action.verb in ("bet", "call", "raise")]
    others = [seat for seat in view.still_in if seat != view.seat]
    return sum(seat in spoken or not stack_of(view, seat) for seat in others)


def price(view: Bouillotte.View) -> str:
    """Say how much there is to pay: a blind or two, less than half of a stack, or more."""
    due = to_call(view)
    return "free" if due <= 0 else "cheap" if due <= 10 else "dear" if due <= 40 else "very dear"
