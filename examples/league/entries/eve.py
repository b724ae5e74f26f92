"""Calls two on two long suits, and forgets that a hand may have one suit only."""

from roundsim.strategy import SUITS, by_rank, of_suit, playable, say


class Eve:
    games = ["nap"]

    def call(self, view):
        lengths = sorted([len(own) for suit in SUITS if (own := of_suit(view.hand, suit))], reverse=True)
        return say(view, "call 2") if lengths[1] >= 2 else "pass"

    def play(self, view):
        return max(playable(view), key=by_rank).play
