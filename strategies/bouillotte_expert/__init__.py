"""Bouillotte by a table of shares for opening, calling and raising; else by the book."""

from __future__ import annotations

from pathlib import Path

from roundsim.games.bouillotte import PACK_FOR, Bouillotte
from roundsim.strategy import SUITS, Vying, betting_table, by_rank, of_suit

files = ["shares.txt"]
SIMPLE, FAVORI = 100, 200  # more than the strength of any hand without a brelan


class Expert(Vying):
    """The answers of a table that has played against itself and the book, by how high its hand stands, who is in, and the
    price of a call.

    A brelan stands above all others. Without one a hand is stronger with more cards of a suit, the retourne included, and
    with fewer higher cards that others may hold."""

    name = "expert"
    games = ["bouillotte"]
    table = betting_table(Path(__file__).with_name("shares.txt"))

    def strength(self, view: Bouillotte.View) -> float:
        turned = view.retourne
        assert turned
        ranks = [card[0] for card in view.hand]
        if len({*ranks}) == 1:
            return (FAVORI if ranks[0] == turned[0] else SIMPLE) + by_rank(view.hand[0])
        if ranks.count(turned[0]) == 2:
            return by_rank(turned) + SIMPLE / 2
        strength = 0.0
        for suit in SUITS:
            if cards := of_suit(view.hand, suit):
                top = max(map(by_rank, cards))
                higher = sum(card.rank > top and card != turned for card in of_suit(PACK_FOR[view.players], suit))
                strength += 1.5 ** (len(cards) + (suit == turned.suit)) / 2**higher
        return strength
