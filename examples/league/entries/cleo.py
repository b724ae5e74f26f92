"""Calls three on four cards of a suit, leads from the top, and wins a trick as cheaply as it can."""

from roundsim.strategy import SUITS, beats, by_rank, of_suit, playable, say, winning


class Cleo:
    games = ["nap"]

    def call(self, view):
        longest = max(len(of_suit(view.hand, suit)) for suit in SUITS)
        return say(view, "call 3") if longest >= 4 else "pass"

    def play(self, view):
        cards = sorted(playable(view), key=by_rank)
        if not view.trick:
            return cards[-1].play
        best, _ = winning(view, view.trumps, view.order)
        return next((card for card in cards if beats(card, best, view.trumps)), cards[0]).play
