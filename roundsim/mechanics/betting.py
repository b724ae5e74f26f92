"""Betting: stakes and stacks, the round of folding, calling and raising, and the division of what was staked.

The engine is that of all poker games (Foster, "The Poker Family", draw poker)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from ..actions import Action, Amounts, say
from ..cards import Card
from ..options import FLAG, Option, Rules, between
from ..table import Ask, Deal, Story

FOLD, CALL = say("fold"), say("call")

STACK_OPTIONS = (
    Option(
        "stack", 200, between(2, 10**6), "counters of each seat at first, and bought by one that has none", "Foster"
    ),
    Option("freeze_out", False, FLAG, "who has lost his stack is out for good", "Foster"),
)
MAX_RAISES = Option("max_raises", 12, between(1, 100), "raises in one round of betting", "ours")


def stack_refusals(rules: Rules) -> Iterator[str]:
    """Without stacks nobody can be frozen out, nor buy."""
    if rules.stakes == "open":
        if rules.freeze_out:
            yield 'freeze_out = true with stakes = "open": there are no stacks'
        if rules.stack != 200:
            yield f'stack = {rules.stack} with stakes = "open": there are no stacks'


def divide(counters: int, seats: Sequence[int]) -> Iterator[tuple[int, int]]:
    """(seat, share) each; the odd counters go one each to the first of these seats."""
    each, odd = divmod(counters, len(seats))
    for place, seat in enumerate(seats):
        yield seat, each + (place < odd)


def layers(stake: Sequence[int], seats: Sequence[int]) -> list[tuple[int, list[int]]]:
    """Table stakes: (counters, who contests them) for each different stake of the seats in, the lowest first.

    The last layer also has what others have staked above it."""
    levels = sorted({stake[seat] for seat in seats})
    bounds = zip([0, *levels], [*levels[:-1], max(stake)], strict=False)
    return [
        (sum(min(each, high) - min(each, low) for each in stake), [seat for seat in seats if stake[seat] >= level])
        for (low, high), level in zip(bounds, levels, strict=True)
    ]


class Betting(Deal):
    """A deal with betting: who bets must be called or raised, or takes what was staked unseen.

    With stacks nobody puts up more than he has.  Its options are `limit`, if there is one, and `MAX_RAISES`."""

    public = {
        "eldest": "the seat that is dealt to and speaks first: the age, or ante",
        "dealt_in": "the seats that are dealt in, eldest first, the dealer last",
        "still_in": "those of them that have not folded",
        "stake": "what has been put up in this deal, by seat",
        "level": "the stake that is asked of all who are in",
        "better": "the seat that was the last to bet or raise in this round of betting; None before a bet",
        "raises": "raises so far in this round of betting",
        "shown": "hands shown at the end, by seat (empty: not shown)",
    }

    def take_places(self) -> None:
        """At the beginning of a deal: who is dealt in, and nobody has staked."""
        self.dealt_in = self.in_the_game(self.next_to(self.dealer))
        self.eldest = self.dealt_in[0]
        self.still_in = list(self.dealt_in)
        self.stake, self.level = [0] * self.players, 0
        self.better: int | None = None
        self.raises = 0
        self.shown: list[Sequence[Card]] = [()] * self.players

    # counters

    def put_up(self, seat: int, counters: int, payer: int | None = None) -> None:
        """Into the stake of a seat, paid by itself or for it; with stacks never more than the payer has."""
        payer = seat if payer is None else payer
        if self.stacks is not None:
            counters = min(counters, self.stacks[payer])
            self.stacks[payer] -= counters
        self.net[payer] -= counters
        self.stake[seat] += counters

    def receive(self, seat: int, counters: int) -> None:
        """To a seat, out of what was staked."""
        self.net[seat] += counters
        if self.stacks is not None:
            self.stacks[seat] += counters

    # the engine

    def able_from(self, first: int) -> list[int]:
        """The seats that are in and, with stacks, have counters left; in order from the first."""
        stacks = self.stacks
        return [seat for seat in self.round_from(first) if seat in self.still_in and (stacks is None or stacks[seat])]

    def others_able(self, seat: int) -> list[int]:
        """All other able seats, in order from this one's left."""
        return [other for other in self.able_from(seat) if other != seat]

    def gap(self, seat: int) -> int:
        """What a seat must put up to be in with the others."""
        return max(0, self.level - self.stake[seat])

    def most(self, seat: int) -> int:
        """The most it may bet, or raise."""
        limit = int(self.rules.limit)
        return limit if self.stacks is None else min(limit, self.stacks[seat] - self.gap(seat))

    def may_raise(self) -> bool:
        return bool(self.raises < self.rules.max_raises)

    def may_say(self, seat: int, raising: bool) -> Sequence[Action]:
        """Fold, call or raise; with nothing to pay a call is to be content, and there is no folding."""
        plain = (FOLD, CALL) if self.gap(seat) else (CALL,)
        if raising and (most := self.most(seat)) > 0:
            return Amounts(plain, "raise", 1, most)
        return plain

    def speak(self, seat: int, said: Action) -> None:
        """Carry out what a seat has said: it folds, puts up what it lacks, or that and more."""
        if said is FOLD:
            self.fold(seat)
            return
        self.put_up(seat, self.gap(seat) + said.amount)
        if said.amount:
            self.level, self.better = self.stake[seat], seat
            self.raises += said.verb == "raise"

    def fold(self, seat: int) -> None:
        """Out; what it has staked is lost."""
        self.still_in.remove(seat)

    def has_a_say(self, seat: int) -> bool:
        """Who has nothing to pay, and nobody who could be raised, is not asked."""
        return bool(self.gap(seat) or self.others_able(seat))

    def speaking(self, queue: list[int], phase: str) -> Story:
        """Each in the queue speaks in turn; when one raises, all others that are able must speak again."""
        while queue and len(self.still_in) > 1:
            seat = queue.pop(0)
            if not self.has_a_say(seat):
                continue
            said = yield Ask(seat, phase, self.may_say(seat, self.may_raise()))
            self.speak(seat, said)
            if said.amount:
                queue = self.others_able(seat)

    # refusals

    def refusal(self, ask: Ask, said: Action) -> str:
        legal = ask.legal
        if isinstance(legal, Amounts) and said.verb == legal.verb and said.amount > legal.high > 0:
            return f"over the limit: at most {legal.verb} {legal.high}"
        return "not legal: " + ", ".join(legal[:4]) + (f" ... {legal[-1]}" if len(legal) > 4 else "")


class Poker(Betting):
    """Betting at open or at table stakes, with a pool that a deal may leave standing.

    Its options are `stakes`, `limit`, those of `STACK_OPTIONS`, and `MAX_RAISES`."""

    pool_names: ClassVar[tuple[str, ...]] = ("pool",)

    @classmethod
    def first_stacks(cls, rules: Rules) -> list[int] | None:
        return None if rules.stakes == "open" else [rules.stack] * rules.players

    # who is in the game

    def in_the_game(self, first: int) -> Sequence[int]:
        """Once round from the first; in a freeze-out without those who have lost their stack (all, if all have)."""
        seats = self.round_from(first)
        if self.stacks is None or not self.rules.freeze_out:
            return seats
        return [seat for seat in seats if self.stacks[seat]] or seats

    def take_places(self) -> None:
        """A seat without counters buys a stack, or is frozen out."""
        if self.stacks is not None and not self.rules.freeze_out:
            self.stacks[:] = [stack or self.rules.stack for stack in self.stacks]
        super().take_places()

    def next_dealer(self) -> int:
        return self.in_the_game(self.next_to(self.dealer))[0]

    def over(self) -> bool:
        """A freeze-out is over when no two seats have counters."""
        return bool(self.rules.freeze_out) and self.stacks is not None and sum(map(bool, self.stacks)) < 2

    def leave_the_rest_to_the_last(self) -> None:
        """In a freeze-out a pool left standing belongs to the only one who still has counters."""
        if self.over() and any(self.stacks or ()):
            self.receive(self.in_the_game(0)[0], self.pools["pool"])
            self.pools["pool"] = 0

    def end(self) -> None:
        """The pool is shared among those still in the game, the odd counters from the left of the last dealer on."""
        for seat, share in divide(self.pools["pool"], self.in_the_game(self.next_to(self.last_dealer))):
            self.receive(seat, share)
        self.pools["pool"] = 0

    # counters

    def take_back(self, seat: int) -> None:
        """A seat gets back what it has staked."""
        self.receive(seat, self.stake[seat])
        self.stake[seat] = 0

    def leave_standing(self) -> None:
        """Nobody wins: all that was staked stays in the pool."""
        self.pools["pool"] += sum(self.stake)
        self.still_in = []

    def most(self, seat: int) -> int:
        """At table stakes all that it has, instead of the limit."""
        if self.rules.stakes == "table" and self.stacks is not None:
            return self.stacks[seat] - self.gap(seat)
        return super().most(seat)

    # the division

    def pots(self) -> list[tuple[int, list[int]]]:
        """What is to be won, and by whom: all in one, or in layers; what stood in the pool goes with the first."""
        pots = layers(self.stake, self.still_in) if self.rules.stakes == "table" else [(sum(self.stake), self.still_in)]
        counters, seats = pots[0]
        return [(counters + self.pools["pool"], seats), *pots[1:]]

    def take_pots(self, pots: list[tuple[int, list[int]]], keys: Mapping[int, int]) -> list[list[int]]:
        """The best hand takes each, equal hands divide it, and foul hands have no key.  Returns who won each."""
        winners: list[list[int]] = []
        for counters, seats in pots:
            best = max(keys[seat] for seat in seats if seat in keys)
            winners.append([seat for seat in seats if keys.get(seat) == best])
            for seat, share in divide(counters, winners[-1]):
                self.receive(seat, share)
        self.pools["pool"] = 0
        return winners
