"""Three-card loo (Baxter-Wray, "Round Games with Cards", 1891, pp. 17-26)."""

from __future__ import annotations

from collections.abc import Sequence

from roundsim.game import STAND, Action, Ask, say

from .game import FOLD, Loo

MISS, DEFEND = say("miss"), say("defend")


class ThreeCardLoo(Loo):
    """With the miss, a spare hand that one of the players may take for his own."""

    has_miss = True

    def may_declare(self, seat: int) -> Sequence[Action]:
        """One player may take the miss: they lay their own cards aside and must play with those of the miss. If only
        one has stood, on their own cards, the last player may not fold, but may defend: play the miss for the pool, and
        neither win nor lose by it (pp. 19-20)."""
        if self.miss is not None:
            return (FOLD, STAND)
        against_one = seat == self.order[-1] and len(self.standing) == 1
        return (DEFEND, STAND, MISS) if against_one else (FOLD, STAND, MISS)

    def declare(self, seat: int, action: Action) -> None:
        """A player who takes the miss throws up his own cards, and must play it (p. 19); or for the pool (p. 20)."""
        super().declare(seat, action)
        if action is MISS or action is DEFEND:
            self.thrown_up[seat], self.hands[seat] = self.hands[seat], self.spare
            self.miss, self.defender = seat, seat if action is DEFEND else None

    def first_leader(self) -> int:
        """Without miss_leads: The first player to the dealer's left who stands leads (p. 20).

        With miss_leads: The player with the miss leads, or else the first to the dealer's left who stands (p. 20)."""
        return self.miss if self.rules.miss_leads and self.miss is not None else self.standing[0]

    def says(self, ask: Ask, action: Action) -> str:
        if action is MISS:
            return "takes the miss"
        return "plays the miss for the pool" if action is DEFEND else super().says(ask, action)

    def declaration_refused(self, seat: int, action: Action) -> str:
        if action == MISS:
            return "the miss is already taken"
        if action == FOLD:
            return "the last hand must stand, take the miss or defend"
        return "only the last hand against one player" if action == DEFEND else "not a legal action"
