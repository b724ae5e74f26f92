"""Vingt-un by the hints of Baxter-Wray, "Round Games with Cards", 1891, pp. 59-69."""

from collections.abc import Iterable

from roundsim.games.vingt_un import VingtUn
from roundsim.strategy import Card, ace_low


class Book:
    """Stakes by the first card, doubles on an ace or a ten-card, and stands at sixteen.

    The hints are Baxter-Wray's ("Round Games with Cards", 1891, pp. 61-66: the stake follows the chance of the first
    card; stand at 20, draw with 13); the thresholds are ours."""

    name = "book"
    games = ["vingt-un"]

    def sell(self, view: VingtUn.View) -> str:
        return "deal"

    def bid(self, view: VingtUn.View) -> str:
        return "pass"

    def stake(self, view: VingtUn.View) -> str:
        low, high = view.options.min_stake, view.options.max_stake
        first = view.hand[0].rank
        wanted = high if first == 14 else (high + 1) // 2 if first >= 10 else (high + 3) // 4 if first == 9 else low
        return f"stake {max(low, wanted)}"

    def double(self, view: VingtUn.View) -> str:
        return "double" if view.hand[0].rank >= 10 else "pass"

    def split(self, view: VingtUn.View) -> str:
        """Aces and eights; as banker aces only."""
        rank, options = view.hand[0].rank, view.options
        if view.seat == view.banker:
            return "split" if rank == 14 else "keep"
        if rank in (8, 14):
            return f"split {options.max_stake if rank == 14 else options.min_stake}"
        return "keep"

    def draw(self, view: VingtUn.View) -> str:
        total, soft = count(view.hand)
        return "card" if total < self.enough(view, soft) else "stand"

    def enough(self, view: VingtUn.View, soft: bool) -> int:
        """The count to stand at: the banker goes one further against three boxes, if one of them has drawn no card."""
        if soft:
            return 18
        if view.seat != view.banker:
            return 16
        drawn = [
            cards
            for boxes, fates in zip(view.drawn, view.fate, strict=True)
            for cards, fate in zip(boxes, fates, strict=True)
            if fate == "stand"
        ]
        return 17 if len(drawn) >= 3 and not all(drawn) else 16


def count(cards: Iterable[Card]) -> tuple[int, bool]:
    """The count of a box, and whether an ace counts eleven in it."""
    total = sum(min(ace_low(card), 10) for card in cards)
    soft = total <= 11 and any(card.rank == 14 for card in cards)
    return (total + 10, True) if soft else (total, False)
