"""Deals in a row: what passes from one to the next, and the end of the sitting."""

from __future__ import annotations

from ..base.errors import RulesError
from ..table.chance import Source
from ..table.deal import Deal, State
from ..table.options import Rules


class Sitting:
    """A sitting of one game: `next_deal` makes a deal, which is then played, and `settle` takes over its results.

    `deals`: how many there will be, if that is known. `compiled`: whether compiled deals may be played, because nobody
    listens to them and nothing is imagined of them."""

    __slots__ = ("game", "rules", "state", "before", "to_come", "new_deal")

    def __init__(
        self,
        game: type[Deal],
        rules: Rules,
        state: State | None = None,
        deals: int | None = None,
        compiled: bool = False,
    ) -> None:
        self.game, self.rules, self.before, self.to_come = game, rules, 0, deals
        self.state = state or game.begin(rules)
        self.new_deal: type[Deal] = rules.played_quickly_by if compiled else rules.played_by

    def next_deal(self, source: Source) -> Deal:
        """Return the next deal, not yet played."""
        state = self.state
        self.before = sum(state.pools.values())
        if self.to_come is not None:
            self.to_come = state.to_come = self.to_come - 1
        return self.new_deal(self.rules, state, source)

    def settle(self, deal: Deal) -> bool:
        """Take over what a deal passes on. Returns whether the sitting is over with it.

        Raises RulesError if counters were lost or made."""
        state = self.state
        if sum(deal.net) + sum(deal.pools.values()) != self.before:
            raise RulesError(
                f"{deal.id}: counters are not conserved: nets {deal.net}, pools {deal.pools}, {self.before} before"
            )
        if deal.carried:
            state.carry = deal.carry()
        state.pools, state.stacks = deal.pools, deal.stacks
        state.last_dealer, state.dealer = deal.dealer, deal.next_dealer()
        return deal.over()

    def end(self, source: Source) -> Deal:
        """End the sitting. Its counters are the net of the returned deal."""
        self.to_come = None
        deal = self.next_deal(source)
        deal.end()
        self.settle(deal)
        return deal
