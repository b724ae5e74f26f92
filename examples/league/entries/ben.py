"""Calls its aces and kings, and plays its highest card."""

from roundsim.strategy import by_rank, playable, say


class Ben:
    games = ["nap"]

    def call(self, view):
        high = sum(card.rank >= 13 for card in view.hand)
        return say(view, f"call {high}")

    def play(self, view):
        return max(playable(view), key=by_rank).play
