"""Whiskey poker by the book, with corrections for knocking and exchanging."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from roundsim.games.whiskey_poker import WhiskeyPoker
from roundsim.strategy import Card, Choices, Corrected, corrections_in, groups, of_suit, ranking_of

files = ["corrections.txt"]

HIGH = 10  # the lowest rank of a high pair


class Expert(Corrected):
    """The book, except where trying all answers on the same cards has shown that another gains more.

    While the widow lies face down: by the hand and by how many follow. Once it lies open, and nobody has knocked:
    whether to knock or to go on, by the hand, the best that a card would make of it, and the round."""

    name = "expert"
    games = ["whiskey-poker"]
    pages = "section Whiskey Poker"
    needs = {"mode": "pool", "whole_exchange": True, "pass_open": False, "knock_turns_widow": False}
    table = corrections_in(Path(__file__).with_name("corrections.txt"))

    def choices(self, view: WhiskeyPoker.View) -> Choices | None:
        if view.phase == "widow":
            after = len(view.order) - 1 - view.order.index(view.seat)
            knocked = ", one has knocked" if view.knocker is not None else ""
            return Choices(
                f"closed, {held(view, view.hand)}, {after} follow{knocked}", {action: action for action in view.legal}
            )
        if view.knocker is not None or len(view.legal) == 1:
            return None
        draws = [action for action in view.legal if action.verb == "draw"]
        ranking = ranking_of(view.options)
        best = max(draws, key=lambda action: ranking.key(with_draw(view.hand, *action.cards)))
        first = "first round" if view.turns < view.players else "later"
        kind = f"open, {held(view, view.hand)}, {held(view, with_draw(view.hand, *best.cards))} possible, {first}"
        return Choices(kind, {"knock": "knock", "draw": best, "exchange": "exchange"})


def with_draw(hand: Sequence[Card], taken: Card, laid: Card) -> list[Card]:
    """Return the hand with one card in the place of another."""
    return [taken if card == laid else card for card in hand]


def held(view: WhiskeyPoker.View, hand: Sequence[Card]) -> str:
    """Return the class of a hand in words, and the height of a pair or of two."""
    kind, (size, rank) = ranking_of(view.options).class_of(hand).replace("-", " "), groups(hand)[0]
    if kind in ("pair", "two pairs"):
        return f"{'high' if rank >= HIGH else 'low'} {kind}"
    if size == 1 and kind == "high" and max(len(of_suit(hand, card.suit)) for card in hand) == 4:
        return "four of a suit"
    return "nothing" if kind == "high" else kind
