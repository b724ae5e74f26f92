"""Bouillotte, or Brelan: three cards and one turned up (Foster, "The Poker Family", section Bouillotte).

game.py plays it; here are its options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from roundsim.game import Card, PokerRules, option

from .game import PACK_FOR, Bouillotte

__all__ = ["PACK_FOR", "Bouillotte", "BouillotteRules"]


class BouillotteRules(PokerRules, of=Bouillotte):
    """The options of Bouillotte, and the same in the words of the poker games."""

    cave: int = option(
        100,
        "how many counters each player begins with, and buys",
        "section Bouillotte",
        low=10,
        high=100000,
        role="stack",
    )
    blind: int = option(5, "the dealer's blind", "section Bouillotte", high=1000, role="doubles")
    straddle: bool = option(True, "whether players may straddle the blind", "section Bouillotte")
    void_fee: int = option(
        5,
        "what each player pays into the pool when nobody opens",
        "section Bouillotte",
        low=0,
        high=1000,
        role="doubles",
    )
    rebuy: bool = option(
        True,
        "whether players who have lost all buy counters again; if not, they are out for good",
        "section Bouillotte",
        role="rebuy",
    )
    new_cave: Literal["same", "choice"] = option(
        "same",
        "how many counters they buy; choice: any number, from 1 to ten times the cave",
        "section Bouillotte; the bounds ours",
        rebuy=True,
    )

    stakes = "table"

    @property
    def cards(self) -> tuple[Card, ...]:
        """The fewer play, the fewer ranks there are (section Bouillotte)."""
        return PACK_FOR[self.players]

    def __init__(self, players: int, given: Mapping[str, object] | None = None) -> None:
        super().__init__(players, given)
        self.stack, self.freeze_out = self.cave, not self.rebuy

    def refusals(self) -> Iterator[str]:
        if self.blind > self.cave:
            yield f"blind = {self.blind} with cave = {self.cave}: the stake bought must hold a blind"

    @property
    def minimum_stake(self) -> int:
        """A player who cannot pay a blind is ruined (ours)."""
        return self.blind
