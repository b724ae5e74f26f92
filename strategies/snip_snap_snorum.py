"""House strategies for Snip-Snap-Snorum."""

from collections import Counter

from roundsim.games.snip_snap_snorum import SnipSnapSnorum
from roundsim.strategy import Action, by_rank


class Book:
    """Plays the rank with the fewest unseen cards, which is almost safe when two have been played (Baxter-Wray, "Round
    Games with Cards", 1891, p. 92); if ranks are equal, one that it holds a pair of, then the lowest.

    If the whole pack is dealt to more than two, that loses to chance: safe play keeps the lead, and the dangerous cards
    for later. There it first plays a rank that it holds several of, and the one with most unseen. `letter`: it plays the
    fewest unseen there, too."""

    name = "book"
    games = ["snip-snap-snorum"]

    def __init__(self, letter: bool = False) -> None:
        self.letter = letter

    def play(self, view: SnipSnapSnorum.View) -> str:
        held = Counter(map(by_rank, view.hand))
        seen = held + Counter(map(by_rank, view.played))
        if view.turn_up:
            seen[view.turn_up.rank] += 1

        def safety(action: Action) -> tuple[int, bool, float]:
            rank = action.card.rank
            return seen[rank], held[rank] > 1, -rank

        if view.options.variant == "whole" and view.players > 2 and not self.letter:
            return max(view.legal, key=lambda action: (held[action.card.rank] > 1, -seen[action.card.rank]))
        return max(view.legal, key=safety)

    def pair(self, view: SnipSnapSnorum.View) -> str:
        return view.legal[0]
