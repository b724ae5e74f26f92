"""A strategy for Linger Longer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roundsim.strategy import beats, by_rank, in_order, playable, taker

if TYPE_CHECKING:
    from linger_longer import LingerLonger


class Book:
    """Takes every trick that it can, as cheaply as may be; leads its highest plain card, and throws its weakest."""

    name = "book"
    games = ["linger-longer"]

    def play(self, view: LingerLonger.View) -> str:
        trumps = view.turn_up.suit
        cards = in_order(playable(view), trumps)
        if not view.trick:
            return max([card for card in cards if card.suit != trumps] or cards, key=by_rank).play
        best = view.trick[taker(view.trick, trumps)]
        return next((card for card in cards if beats(card, best, trumps)), cards[0]).play
