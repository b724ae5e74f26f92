"""Vingt-un: each plays against the banker for twenty-one (Baxter-Wray, "Round Games with Cards", 1891, pp. 59-69)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

from roundsim.game import PACK, Action, Card, Rules, amounts, option

from .game import KEEP, VingtUn

__all__ = ["VingtUn", "VingtUnRules"]


class VingtUnRules(Rules, of=VingtUn):
    """The options of Vingt-un."""

    min_stake: int = option(1, "the lowest stake", "p. 61", high=1000)
    max_stake: int = option(10, "the highest stake, before doubling", "p. 61", high=1000)
    packs: Literal[1, 2] = option(1, "how many packs are shuffled together", "p. 68")
    deal_ends: Literal["natural", "hands", "pack"] = option(
        "natural",
        "what ends a dealer's turn: a player's natural, a number of hands, or the pack gone through",
        "pp. 60, 65, 68",
    )
    hands: int = option(4, "how many hands a turn has", "p. 68", high=100, deal_ends="hands")
    times: int = option(2, "how often the pack is gone through in a turn", "p. 68", high=10, deal_ends="pack")
    after_natural: Literal["left", "holder"] = option(
        "left", "who deals when a natural has ended the turn: the next on the left, or its holder", "p. 65"
    )
    natural_bonus: Literal["none", "stake", "double"] = option(
        "none", "what a natural gets from each other player, in its holder's first stakes", "p. 69"
    )
    pool_deal: int = option(0, "what each player pays into the pool at the start of a turn", "p. 68", low=0, high=100)
    pool_overdraw: int = option(
        0, "what the banker pays into the pool for a box that counts more than twenty-one", "p. 68", low=0, high=100
    )
    pool_ties: Literal["none", "quarter", "third"] = option(
        "none", "which part of the ties the banker pays into the pool", "p. 68"
    )
    dealer_splits: bool = option(True, "whether the banker may divide a pair too", "p. 65")
    sell_deal: bool = option(False, "whether the dealer may sell the turn", "p. 68")
    sell_max: int = option(100, "the highest price and bid", "ours", high=10000)

    def refusals(self) -> Iterator[str]:
        if self.min_stake > self.max_stake:
            yield f"min_stake = {self.min_stake} with max_stake = {self.max_stake}: the lowest is above the highest"
        if self.after_natural == "holder" and self.deal_ends != "natural":
            yield f'after_natural = "holder" with deal_ends = "{self.deal_ends}": no natural ends the turn'

    def script_refusals(self, carry: Mapping[str, Any], deals: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        for name, low in ("hand", 1), ("gone", 0), ("left", 0):
            if carry[name] < low:
                yield f"carry.{name} must be a whole number from {low} up, not {carry[name]}"
        rest = Counter(self.whole_pack)
        for name in "used", "pack_left":
            rest.subtract(carry[name])
            yield from [f"carry.{name}: {card} is named more often than the pack has it" for card in -rest]
            rest = +rest
        if carry["pack_left"] and rest:
            yield f"carry.pack_left: {' '.join(rest.elements())} is neither there nor in carry.used"
        if not carry["pack_left"] and not rest:
            yield "carry.used: no card is left for the pack"

    @property
    def sitting(self) -> int:
        """About a turn for each seat (p. 60; how long one is: ours)."""
        return (self.hands if self.deal_ends == "hands" else 6) * self.players

    @cached_property
    def whole_pack(self) -> tuple[Card, ...]:
        return PACK * self.packs

    @cached_property
    def stakes(self) -> Sequence[Action]:
        """Whatever lies between the limits (p. 61)."""
        return amounts((), "stake", self.min_stake, self.max_stake)

    @cached_property
    def splits(self) -> Sequence[Action]:
        """To divide a pair takes a stake of any height within the limits (p. 65)."""
        return amounts((KEEP,), "split", self.min_stake, self.max_stake)

    @cached_property
    def bonus(self) -> int:
        return {"none": 0, "stake": 1, "double": 2}[self.natural_bonus]

    @cached_property
    def pooled(self) -> bool:
        return bool(self.pool_deal or self.pool_overdraw or self.ties_part)

    @cached_property
    def ties_part(self) -> int:
        return {"none": 0, "quarter": 4, "third": 3}[self.pool_ties]
