"""Loo by the book, with corrections for standing, throwing up and the miss."""

from __future__ import annotations

from pathlib import Path

from roundsim.games.loo import Loo
from roundsim.strategy import Choices, Corrected, by_rank, corrections_in, of_suit

files = ["corrections.txt"]


class Expert(Corrected):
    """The book, except where trying all answers on the same cards has shown that another gains more.

    It declares by its trumps, its best side card, its place, by how many have stood, whether the miss is there, and what
    a trick is worth against a loo."""

    name = "expert"
    games = ["loo"]
    pages = "pp. 19-23"
    needs = {"variant": "three-card"}
    table = corrections_in(Path(__file__).with_name("corrections.txt"))

    def choices(self, view: Loo.View) -> Choices | None:
        if view.phase != "declare":
            return None
        trumps = sorted(of_suit(view.hand, view.trumps), key=by_rank, reverse=True)
        side = max([card.rank for card in view.hand if card.suit != view.trumps], default=0)
        held = "no trump"
        if trumps:
            best = trumps[0][0]
            held = f"{best if best in 'AKQJ' else 'low'} of {len(trumps)}"
        after = len(view.order) - 1 - view.order.index(view.seat)
        outside = "ace" if side == 14 else "king" if side == 13 else "low"
        miss = "miss free" if view.miss is None else "miss taken"
        worth = view.played_for // 3 / view.loo
        pool = "rich" if worth >= 1 else "fair" if worth > 0.5 else "small"
        kind = f"{held}, {outside} outside, {len(view.standing)} stand, {after} follow, {miss}, {pool} pool"
        return Choices(kind, {action: action for action in view.legal})
