"""Calls the tricks that its best suit is worth, and leads from that suit."""

from roundsim.strategy import by_rank, playable, say

from .worth import best_suit, tricks


class Dora:
    games = ["nap"]

    def call(self, view):
        return say(view, f"call {tricks(view.hand)}")

    def play(self, view):
        suit = best_suit(view.hand)
        return max(playable(view), key=lambda card: (not view.trick and card.suit == suit, by_rank(card))).play
