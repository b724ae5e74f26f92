"""Deals in a row: what passes from one to the next, and the end of the sitting."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .chance import Source
from .options import Rules
from .referee import RulesError
from .table import Deal, State


class Sitting:
    """A sitting of one game: `next_deal` makes each deal, `settle` takes over what it came to."""

    __slots__ = ("game", "rules", "state", "deals")

    def __init__(self, game: type[Deal], rules: Rules, state: State | None = None) -> None:
        self.game, self.rules, self.deals = game, rules, 0
        self.state = state or game.begin(rules)

    def next_deal(self, source: Source) -> Deal:
        """The next deal, not yet played."""
        self.deals += 1
        return self.game(self.rules, self.state, source)

    def settle(self, deal: Deal, before: int) -> bool:
        """Take over what the deal passes on (`before`: counters in the pools before it); whether the sitting is over."""
        if sum(deal.net) + sum(deal.pools.values()) != before:
            raise RulesError(f"{deal.id}: counters are not conserved: nets {deal.net}, pools {deal.pools}, before {before}")
        state = self.state
        if deal.carried:
            state.carry = deal.carry()
        state.pools, state.stacks, state.last_dealer, state.dealer = deal.pools, deal.stacks, deal.dealer, deal.next_dealer()
        return deal.over()

    def play(self, source: Source, play: Callable[[Deal], Any]) -> tuple[Deal, Any, bool]:
        """One deal: made, played by `play`, settled.  Returns the deal, what `play` returned, whether it was the last."""
        before = sum(self.state.pools.values())
        deal = self.next_deal(source)
        played = play(deal)
        return deal, played, self.settle(deal, before)

    def end(self, source: Source) -> Deal:
        """The end of the sitting: its nets are in the returned deal."""
        before = sum(self.state.pools.values())
        deal = self.game(self.rules, self.state, source)
        deal.end()
        self.settle(deal, before)
        return deal
