"""Law 60: a player who cannot meet a raise may have a show for what he has (Baxter-Wray, "Round Games with Cards",
1891)."""

from __future__ import annotations

from collections.abc import Sequence

from roundsim.game import BEST, EQUAL, FOLD, Action, Ask, divide, moves_counters, say

from .english import English

SHOW = say("show")
CLAIM, NEXT_BEST = "the claim of a show", "the next best hand has the rest"


class Law60(English):
    """The English game with stacks, and a show for those who have not funds to call."""

    course = f"{English.course} may_say law_60 claim"

    def take_places(self) -> None:
        super().take_places()
        self.in_at_last_counter: dict[int, list[int]] = {}

    def deal_cards(self) -> None:
        """A shower has only what those not in with him staked before the cards (Baxter-Wray law 60)."""
        self.blinds = list(self.stake)
        super().deal_cards()

    def may_say(self, seat: int, raising: bool) -> Sequence[Action]:
        """Players who have staked before, and cannot pay what is asked, may put in all they have and demand a show,
        instead of folding: they stay in and are not asked again (Baxter-Wray law 60)."""
        if self.stacks is not None and self.gap(seat) > self.stacks[seat]:
            return (FOLD, SHOW) if self.stake[seat] else (FOLD,)
        return super().may_say(seat, raising)

    def put_up(self, seat: int, counters: int, why: str = "", payer: int | None = None) -> None:
        """It is noted with whom a seat was in when it put in its last counter (Baxter-Wray law 60; that time ours)."""
        super().put_up(seat, counters, payer=payer)
        if self.stacks is not None and not self.stacks[seat]:
            self.in_at_last_counter[seat] = list(self.still_in)

    def take_the_pool(self, keys: dict[int, int]) -> list[int]:
        return self.law_60(keys) if self.called() else super().take_the_pool(keys)

    def law_60(self, keys: dict[int, int]) -> list[int]:
        """The best hand takes all stakes, or in a show what it may claim; then the next best hand takes of what is left
        (Baxter-Wray laws 60-61)."""
        there, taken = [*self.stake, self.pools["pool"]], [0] * (self.players + 1)
        by_stake, best = sorted(self.still_in, key=lambda seat: self.stake[seat]), max(keys.values())
        for key in sorted(set(keys.values()), reverse=True):
            tied = [seat for seat in self.still_in if keys[seat] == key]
            for seat in by_stake:
                if seat in tied:
                    claim = there if self.stake[seat] == self.level else self.claim(seat)
                    new = sum(max(0, most - had) for most, had in zip(claim, taken, strict=True))
                    taken = [max(most, had) for most, had in zip(claim, taken, strict=True)]
                    sharing = [sharer for sharer in tied if self.stake[sharer] >= self.stake[seat]]
                    why = CLAIM if self.stake[seat] < self.level else BEST if key == best else NEXT_BEST
                    self.share(new, sharing, why if len(sharing) == 1 else EQUAL)
        winners = [seat for seat in self.still_in if keys[seat] == best]
        # something is left only if all are showers
        self.share(sum(there) - sum(taken), winners, "nobody else can claim it")
        self.pools["pool"] = 0
        return winners

    def claim(self, shower: int) -> list[int]:
        """Players who show may claim as much as they have staked from each player who was in when they put in the last
        counter, and from the others what these put up before the cards (Baxter-Wray law 60)."""
        # returns the claim on the stake of each seat, in their order, and last on the pool
        staked, with_him = self.stake[shower], self.in_at_last_counter[shower]
        stakes = [self.stake[seat] if seat in with_him else self.blinds[seat] for seat in range(self.players)]
        return [*[min(staked, stake) for stake in stakes], self.pools["pool"]]

    @moves_counters
    def share(self, counters: int, seats: list[int], why: str = "") -> None:
        """Equal hands divide; the odd counters go to the dealer's left (Baxter-Wray law 76; the odd ours)."""
        for seat, share in divide(counters, seats):
            self.receive(seat, share)

    def says(self, ask: Ask, action: Action) -> str:
        return "demands a show" if action == SHOW else super().says(ask, action)
