"""The strategies at a live table, with the script of the sitting that they play."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from ..refereeing.recording import Recording, script_deal, so_far, state_keys, write_script
from ..table.deal import Deal
from .strategies import Strategies


class Noting(Strategies):
    """A driver that also notes the current sitting as a script: its top, its finished deals, and the deal in play."""

    place, playing = "", False

    def play(self, place: str, deal: Deal, first: bool) -> None:
        if first or not self.entry.format.one_script:
            self.top = deepcopy(state_keys(deal))
            self.deals: list[dict[str, Any]] = []
        deal.chance = self.source = Recording(deal.chance)
        self.place, self.deal, self.playing = place, deal, True
        super().play(place, deal, first)
        self.deals.append(script_deal(deal, self.source))
        self.playing = False

    def script(self, comment: str) -> str:
        """Return the script of the sitting up to the deal in play; only the comment before the first deal."""
        if not self.place:
            return f"# {comment}\n"
        comment = f"{self.entry.name}/{self.place}: {comment}"
        return write_script(self.top, [*self.deals, *self.at_hand()], comment)

    def at_hand(self) -> list[dict[str, Any]]:
        """Return the deal in play, up to its last action; nothing once it is over."""
        return [{**so_far(self.deal, self.source), "expect": {}}] if self.playing else []
