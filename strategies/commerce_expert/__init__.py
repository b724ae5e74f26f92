"""Commerce by the book, with a rule for bartering, and corrections for standing, buying, bartering and giving."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from roundsim.games.commerce import Commerce
from roundsim.strategy import Card, Choices, Corrected, corrections_in, of_suit, pips

files = ["corrections.txt"]

HIGH_POINT = 25  # from this point on it buys: what is given in barter is low


class Expert(Corrected):
    """The book, except where trying all answers on the same cards has shown that another gains more.

    With two of a suit and a low point it barters where the book buys: the neighbour's odd card is of the suit as often
    as one of the pack, and costs nothing. For the rest it has a table, by its hand and by how many turns are over."""

    name = "expert"
    games = ["commerce"]
    pages = "pp. 70-73"
    needs = {"variant": "modern", "combos": "full", "pack": "52", "extended": False}
    table = corrections_in(Path(__file__).with_name("corrections.txt"))

    def trade(self, view: Commerce.View) -> str:
        if self.here is not None and barters(view):
            return f"barter {worst(view.hand, suits=True)}"
        return self.act(view)

    def choices(self, view: Commerce.View) -> Choices | None:
        if barters(view):
            return None
        return Choices(f"{view.phase}, {held(view.hand)}, {stage_of(view)}", answers_tried(view))


def barters(view: Commerce.View) -> bool:
    """Return whether to barter for a third card of a suit: not as the dealer, who buys for nothing, nor with one."""
    if "barter" not in [action.verb for action in view.legal]:
        return False
    left = view.order[(view.order.index(view.seat) + 1) % len(view.order)]
    low = sum(map(pips, view.hand)) < HIGH_POINT
    return low and "point, two of a suit" in held(view.hand) and view.dealer not in (view.seat, left)


def answers_tried(view: Commerce.View) -> dict[str, str]:
    """Return the answers that are tried: a card is put out that the rank of the others does not need, or their suit."""
    verbs = {"trade": ("buy", "barter"), "answer": ("give",), "declare": ()}[view.phase]
    tried = {answer: answer for answer in ("stand", "pass") if answer in view.legal}
    for verb in verbs:
        if "two of a suit" not in held(view.hand):
            tried[f"{verb} for rank"] = f"{verb} {worst(view.hand)}"
        if len({card.suit for card in view.hand}) == 2:
            tried[f"{verb} for suit"] = f"{verb} {worst(view.hand, suits=True)}"
    return {name: answer for name, answer in tried.items() if answer in view.legal}


def worst(hand: Sequence[Card], suits: bool = False) -> Card:
    """Return the lowest card that has the fewest fellows, of its rank or of its suit."""
    ranks = [card.rank for card in hand]
    return min(hand, key=lambda card: (len(of_suit(hand, card.suit)) if suits else ranks.count(card.rank), card.rank))


def held(hand: Sequence[Card]) -> str:
    """Return a hand in words: a class of the game, and more about a pair or a point."""
    ranks, suits, point = sorted([card.rank for card in hand]), len({card.suit for card in hand}), sum(map(pips, hand))
    if ranks[0] == ranks[2] or suits == 1 and (ranks[2] - ranks[0] == 2 or ranks == [2, 3, 14]):
        return "sequence or tricon"
    if suits == 1:
        return "high flush" if point > 23 else "low flush"
    if ranks[1] in (ranks[0], ranks[2]):
        return f"pair of {grade(ranks[1])}"
    high = "top" if point >= 29 else "high" if point >= 26 else "fair" if point >= 20 else "low"
    return f"{high} point, {'two of a suit' if suits == 2 else 'three suits'}"


def grade(rank: float) -> str:
    """Return the rank of a pair, the lower ones in groups."""
    return {14: "aces", 13: "kings"}.get(int(rank)) or (
        "tens to queens" if rank >= 10 else "sixes to nines" if rank >= 6 else "deuces to fives"
    )


def stage_of(view: Commerce.View) -> str:
    """Return how many turns are over, in words, and whether this is the dealer."""
    rounds, turns = divmod(view.turns, len(view.order))
    so_far = "later" if rounds > 1 else "second round" if rounds else ("first turn" if not turns else "first round")
    return f"{so_far}, dealer" if view.seat == view.dealer else so_far
