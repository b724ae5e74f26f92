"""My Bird Sings: one card handed on round the table (Baxter-Wray, "Round Games with Cards", 1891, pp. 101-102).

My Ship Sails is another game of it (Foster, "The Poker Family", section Commerce).

game.py has what both have in common, and the bird; ship.py the ship."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from roundsim.game import Rules, option

from .game import MyBirdSings, OfTheWholePack, Singing
from .ship import MyShipSails

__all__ = ["MyBirdSings", "MyBirdSingsRules"]


class MyBirdSingsRules(Rules, of=MyBirdSings):
    """The options of My Bird Sings and My Ship Sails."""

    variant: Literal["bird", "ship"] = option(
        "bird", "which game is played: My Bird Sings, or My Ship Sails", "Baxter-Wray p. 101; Foster"
    )
    pack: Literal["52", "32"] = option(
        "52", "with 32 the cards run from seven to ace, for at most eight players", "Baxter-Wray p. 101"
    )
    stake: int = option(
        1,
        "what each player pays into the pool; in My Bird Sings the dealer pays twice",
        "Baxter-Wray p. 101; Foster",
        high=100,
    )
    method: Literal["throw", "draw"] = option(
        "throw",
        "whether a card is thrown to the next player, or that player draws one unseen",
        "Baxter-Wray p. 102",
        variant="bird",
    )
    cards: Literal[4, 3] = option(
        4, "how many cards are dealt to each, and sing; three must be of one suit", "Baxter-Wray p. 102", variant="bird"
    )
    flush_only: bool = option(False, "whether only four cards of one suit sing", "Baxter-Wray p. 102", variant="bird")
    whole_pack: bool = option(
        False,
        "whether a hand that sings is laid down for new cards; the most of these win",
        "Baxter-Wray p. 102",
        variant="bird",
    )
    max_rounds: int = option(20, "after how many rounds the deal ends", "ours", low=3, high=200, variant="bird")
    ship_rounds: int = option(2, "how many rounds of exchange there are", "Foster", high=10, variant="ship")

    def refusals(self) -> Iterator[str]:
        ship = self.variant == "ship"
        if ship and self.pack == "32":
            yield 'pack = "32" with variant = "ship": Foster has the whole pack'
        if ship and self.players > 12:
            yield f'variant = "ship" with {self.players} players: at most twelve'
        if self.cards == 3 and "flush_only" in self.given and not self.flush_only:
            yield "flush_only = false with cards = 3: three cards sing only if they are of one suit"
        if self.pack == "32" and self.players > 8:
            yield f'pack = "32" with {self.players} players: at most eight'

    @property
    def played_by(self) -> type[MyBirdSings]:
        if self.variant == "ship":
            return MyShipSails
        return OfTheWholePack if self.whole_pack else MyBirdSings

    @cached_property
    def sings(self) -> Singing:
        """Which hands make a bird at this table (Baxter-Wray pp. 101-102)."""
        return Singing(self.cards, self.suits_that_sing)

    @cached_property
    def suits_that_sing(self) -> tuple[int, ...]:
        """Cards of one suit, or of four; of three cards only the first can be (Baxter-Wray pp. 101-102)."""
        return (1,) if self.flush_only else (1, 4)
