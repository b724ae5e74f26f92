"""Betting: stakes and stacks, the round of folding, calling and raising, and the division of what was staked.

The engine is that of all poker games (Foster, "The Poker Family", draw poker)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from ..base.text import spelled
from ..table.actions import PASS, Action, say
from ..table.cards import Card
from ..table.deal import Ask, Deal, Story, moves_counters
from ..table.events import tells
from ..table.legal import UpTo
from ..table.options import Rules, option, option_text
from ..table.view import Each, Seat, TableView, public
from .ranks import CLASS_NAMES

FOLD, CALL = say("fold"), say("call")
FOLD_OR_CALL = FOLD, CALL
TO_PAY, CONTENT = UpTo(FOLD_OR_CALL, "raise"), UpTo((CALL,), "raise")  # answers to a bet, by the highest raise
PASS_OR_BET, FOLD_OR_BET = UpTo((PASS,), "bet"), UpTo((FOLD,), "bet")  # by the highest bet
ALONE, BEST, EQUAL = "nobody else is in for it", "the best hand", "equal hands divide"


def able(seats: Sequence[int], still_in: Sequence[int], stacks: Sequence[int] | None) -> list[int]:
    """Those still in, and with stacks not yet in for all they have (Foster, section Table Stakes)."""
    those = filter(still_in.__contains__, seats)
    return [*those] if stacks is None else [*filter(stacks.__getitem__, those)]


def divide(counters: int, seats: Sequence[int]) -> list[tuple[int, int]]:
    """Equal hands divide; the odd counters go one each to the first (Baxter-Wray law 76; the odd ones ours).

    >>> from roundsim.game import divide
    >>> divide(10, [2, 0, 1])  # (seat, counters) for each, in their order
    [(2, 4), (0, 3), (1, 3)]"""
    if len(seats) == 1:
        return [(seats[0], counters)]
    share, odd = divmod(counters, len(seats))
    return [(seat, share + (place < odd)) for place, seat in enumerate(seats)]


def layers(stake: Sequence[int], seats: Sequence[int]) -> list[tuple[int, list[int]]]:
    """A player with a smaller stake contests only that much of each stake (Foster, section Table Stakes).

    (counters, who contests them) for each different stake of the seats in, the lowest first; the last layer also has
    what others have staked above it."""
    levels = sorted({stake[seat] for seat in seats})
    layered, below, contest = list[tuple[int, list[int]]](), 0, list(seats)
    for level in levels[:-1]:
        upto = sum([counters if counters < level else level for counters in stake])
        layered.append((upto - below, contest))
        below, contest = upto, [seat for seat in contest if stake[seat] > level]
    return [*layered, (sum(stake) - below, contest)]


def hands_shown(deal: Staking) -> str:
    named = [f"seat {seat} {name}" for seat in deal.in_the_call if (name := deal.name_of(deal.hands[seat]))]
    return ": ".join(["the hands are shown", *[", ".join(named)] * bool(named)])


class Staking(Deal):
    """A deal in which the seats stake, and those who have not folded contest what was staked."""

    as_at = "draw poker"
    shows: ClassVar[tuple[str, ...]] = ("shown",)
    dealt_in: Sequence[int]
    still_in: list[int]
    stake: list[int]
    shown: list[Sequence[Card]]

    def take_places(self) -> None:
        """The player on the dealer's left is the eldest hand, and is first in the deal and in everything that goes
        round (Foster, section Draw Poker; Baxter-Wray p. 32)."""
        self.dealt_in = self.in_the_game(self.next_to(self.dealer))
        self.eldest = self.dealt_in[0]
        self.still_in = list(self.dealt_in)
        self.stake = [0] * self.players
        self.shown = [()] * self.players

    @moves_counters
    def put_up(self, seat: int, counters: int, why: str = "", payer: int | None = None) -> None:
        """Into the stake of a seat; with stacks nobody pays more than he has (Foster, section Table Stakes)."""
        payer, stacks = seat if payer is None else payer, self.stacks
        if stacks is not None:
            if counters > stacks[payer]:
                counters = stacks[payer]
            stacks[payer] -= counters
        self.net[payer] -= counters
        self.stake[seat] += counters

    @moves_counters
    def receive(self, seat: int, counters: int, why: str = "") -> None:
        self.net[seat] += counters
        if self.stacks is not None:
            self.stacks[seat] += counters

    def fold(self, seat: int) -> None:
        """A player who folds is out, and his stake is lost (Foster, section Draw Poker; Baxter-Wray p. 37, law 54)."""
        self.still_in.remove(seat)

    def able_from(self, first: int) -> list[int]:
        """With stakes = table: Players who cannot pay all put up what they have left, and are in for a sight: they have
        no more to say, and can win only as much of each other stake (Foster, section Table Stakes)."""
        return able(self.order_from[first], self.still_in, self.stacks)

    def others_able(self, seat: int) -> list[int]:
        """The others with a say once a seat has raised, from the next on (Foster, section Table Stakes)."""
        still_in, stacks = self.still_in, self.stacks
        at = still_in.index(seat)
        others = still_in[at + 1 :] + still_in[:at]
        return others if stacks is None else [*filter(stacks.__getitem__, others)]

    @tells(hands_shown)
    def lay_down(self) -> None:
        """In a call all hands that are in are shown (Foster, section Draw Poker; Baxter-Wray p. 37, law 59)."""
        self.in_the_call = tuple(self.still_in)
        shown, hands = self.shown, self.hands
        for seat in self.in_the_call:
            shown[seat] = hands[seat]

    def name_of(self, hand: Sequence[Card]) -> str:
        ranking = getattr(self.rules, "ranking", None)
        return CLASS_NAMES[ranking.class_of(hand)] if ranking else ""  # where the game has no names for hands

    def says(self, ask: Ask, action: Action) -> str:
        if action.verb == "discard" and not action.cards:
            drawn = action.amount
            return f"discards {spelled(drawn)} card{'s' * (drawn > 1)}" if drawn else "stands pat"
        return super().says(ask, action)

    def refusal(self, ask: Ask, action: Action) -> str:
        legal, most = ask.legal, ask.legal[-1]
        if action.verb == most.verb and action.amount > most.amount > 0:
            return f"over the limit: at most {most}"
        return "not legal: " + ", ".join(legal[:4]) + (f" ... {legal[-1]}" if len(legal) > 4 else "")

    class View(TableView):
        """The names that everybody sees in games in which the seats stake."""

        eldest: Seat = public("the seat that is dealt to and speaks first, also called the age or the ante")
        dealt_in: tuple[Seat, ...] = public("the seats that get cards, eldest first, the dealer last")
        still_in: tuple[Seat, ...] = public("the seats that have not folded")
        stake: Each[int] = public("what each seat has put up in this deal")
        shown: Each[tuple[Card, ...]] = public("the hands shown at the end, by seat; empty: not shown")


class Betting(Staking):
    """A deal with betting: a bet must be called or raised, or else the player who made it takes the stakes unseen."""

    rules: BettingRules
    level: int
    better: int | None
    raises: int

    def take_places(self) -> None:
        super().take_places()
        self.level, self.better, self.raises = 0, None, 0

    # the engine

    def gap(self, seat: int) -> int:
        """The counters that a seat must put up to be in (Foster, section Draw Poker; Baxter-Wray p. 37, law 53)."""
        lacking = self.level - self.stake[seat]
        return lacking if lacking > 0 else 0

    def most(self, seat: int) -> int:
        """A bet or a raise is of 1 to {limit} counters (Foster, section Draw Poker; Baxter-Wray p. 31)."""
        limit, stacks = self.rules.limit, self.stacks
        return limit if stacks is None else min(limit, stacks[seat] - self.gap(seat))

    def may_raise(self) -> bool:
        """The number of raises in a round of betting is limited, so that it ends (ours)."""
        return self.raises < self.rules.max_raises

    def may_say(self, seat: int, raising: bool) -> Sequence[Action]:
        """It may raise, too (Foster, section Draw Poker; Baxter-Wray p. 37)."""
        return self.may_answer(seat)[self.most(seat) if raising else 0]

    def may_answer(self, seat: int) -> UpTo:
        """Fold or call; with nothing to pay one is content (Foster, section Draw Poker; Baxter-Wray p. 37)."""
        return TO_PAY if self.level > self.stake[seat] else CONTENT

    def speak(self, seat: int, action: Action) -> None:
        """It folds, puts up what it lacks, or that and more (Foster, section Draw Poker; Baxter-Wray p. 37)."""
        if action is FOLD:
            self.fold(seat)
            return
        counters, lacking = action.amount, self.level - self.stake[seat]
        gap = lacking if lacking > 0 else 0
        if not counters:
            self.put_up(seat, gap, "to be in")
            return
        raising = action.verb == "raise"
        self.put_up(seat, gap + counters, "to be in, and the raise" if raising else "the bet")
        self.level, self.better = self.stake[seat], seat
        self.raises += raising

    def has_a_say(self, seat: int) -> bool:
        """A player who has nothing to pay, and nobody to raise, is not asked (ours)."""
        return self.level > self.stake[seat] or self.stacks is None or len(self.others_able(seat)) > 0

    def speaking(self, queue: list[int], phase: str) -> Story:
        """Each player in turn folds, calls, which is to pay as much as the highest stake, or raises it. After a raise
        all others must answer again (Foster, section Draw Poker; Baxter-Wray p. 38)."""
        while queue and len(self.still_in) > 1:
            seat = queue.pop(0)
            if self.has_a_say(seat):
                action = yield Ask(seat, phase, self.may_say(seat, self.may_raise()))
                self.speak(seat, action)
                if action.amount:
                    queue = self.others_able(seat)

    def says(self, ask: Ask, action: Action) -> str:
        if action == CALL:
            gap, stacks = self.gap(ask.seat), self.stacks
            return "is content" if not gap else "calls for a sight" if stacks and stacks[ask.seat] < gap else "calls"
        return super().says(ask, action)

    class View(Staking.View):
        """The names that everybody sees in every game with betting."""

        level: int = public("the stake that all players who are in must meet")
        better: Seat | None = public("the last seat to bet or raise in this round of betting; None before a bet")
        raises: int = public("how many raises there have been in this round of betting")


class Poker(Betting):
    """Betting at open or at table stakes, with a pool that a deal may leave standing."""

    pool_names: ClassVar[tuple[str, ...]] = ("pool",)
    rules: PokerRules

    # who is in the game

    def in_the_game(self, first: int) -> Sequence[int]:
        """In a freeze-out those who have counters; all, if nobody has (Foster, section Freeze Out; the last ours)."""
        seats = self.order_from[first]
        if self.stacks is None or not self.rules.freeze_out:
            return seats
        return [seat for seat in seats if self.stacks[seat]] or seats

    def take_places(self) -> None:
        """A seat without counters buys a stack, or is frozen out (Foster, sections Table Stakes, Freeze Out)."""
        if self.stacks is not None and 0 in self.stacks and not self.rules.freeze_out:
            self.buy_stacks(self.stacks)
        super().take_places()

    def buy_stacks(self, stacks: list[int]) -> None:
        """With stakes = table or law60: Each player begins with {stack counter} (Foster, section Table Stakes).

        With buys_stacks: A player who has lost all buys as many again (Foster, section Table Stakes).

        With freeze_out: A player who has lost all is out, and the game is over when only one has counters (Foster,
        section Freeze Out)."""
        for seat in [seat for seat, stack in enumerate(stacks) if not stack]:
            self.buy_a_stack(stacks, seat)

    @tells("seat {seat} buys a stack of {deal.rules.stack}")
    def buy_a_stack(self, stacks: list[int], seat: int) -> None:
        """No part of any net (Foster, section Table Stakes)."""
        stacks[seat] = self.rules.stack

    def next_dealer(self) -> int:
        return self.in_the_game(self.next_to(self.dealer))[0]

    def over(self) -> bool:
        """A freeze-out is over when no two seats have counters (Foster, section Freeze Out)."""
        return self.rules.freeze_out and self.stacks is not None and sum(map(bool, self.stacks)) < 2

    def leave_the_rest_to_the_last(self) -> None:
        """With freeze_out: The last player who has counters also takes a pool that is left standing (ours)."""
        if self.over() and any(self.stacks or ()):
            self.receive(self.in_the_game(0)[0], self.pools["pool"], why="the last one left takes the pool")
            self.pools["pool"] = 0

    def end(self) -> None:
        """Those still in the game share the pool, the odd counters from the left of the last dealer on (ours)."""
        for seat, share in divide(self.pools["pool"], self.in_the_game(self.next_to(self.last_dealer))):
            self.receive(seat, share, why="at the end what is left is shared")
        self.pools["pool"] = 0

    # counters

    def take_back(self, seat: int) -> None:
        self.receive(seat, self.stake[seat], why="the stake goes back")
        self.stake[seat] = 0

    @tells("nobody wins, and the pool stands")
    def leave_standing(self) -> None:
        """Nobody wins: all that was staked stays in the pool (Foster, sections Straight Poker, Jack Pots)."""
        self.pools["pool"] += sum(self.stake)
        self.still_in = []

    def most(self, seat: int) -> int:
        """Without stakes = table: A bet or a raise is of 1 to {limit} counters (Foster, section Draw Poker).

        With stakes = table: A player may bet or raise up to all they have left (Foster, section Table Stakes)."""
        rules, stacks = self.rules, self.stacks
        if stacks is None:
            return rules.limit
        lacking = self.level - self.stake[seat]
        left = stacks[seat] - lacking if lacking > 0 else stacks[seat]
        return left if rules.stakes == "table" else min(rules.limit, left)

    # the division

    def pots(self) -> list[tuple[int, list[int]]]:
        """All in one, or in layers; what stood in the pool goes with the first (Foster, section Table Stakes)."""
        still_in = self.still_in
        layered = len(still_in) > 1 and self.rules.stakes == "table"
        (counters, seats), *rest = layers(self.stake, still_in) if layered else [(sum(self.stake), still_in)]
        return [(counters + self.pools["pool"], seats), *rest]

    def take_pots(self, pots: list[tuple[int, list[int]]], keys: Mapping[int, int]) -> list[list[int]]:
        """The best hand takes the pool, or the player who is left alone; equal hands divide it (Foster, section Draw
        Poker; Baxter-Wray p. 37, laws 59, 76)."""  # returns who won each pot; a foul hand has no key
        winners: list[list[int]] = []
        for counters, seats in pots:
            best = max([keys[seat] for seat in seats if seat in keys])
            won = [seat for seat in seats if keys.get(seat) == best]
            winners.append(won)
            why = ALONE if len(seats) == 1 else BEST if len(won) == 1 else EQUAL
            for seat, share in divide(counters, won):
                self.receive(seat, share, why)
        self.pools["pool"] = 0
        return winners


def frozen_out(deal: Poker) -> str | None:  # who has lost the stack in this deal of a freeze-out
    if deal.stacks is None or not deal.rules.freeze_out:
        return None
    out = [f"seat {seat}" for seat in deal.dealt_in if not deal.stacks[seat]]
    return f"frozen out: {', '.join(out)}" if out else None


class BettingRules(Rules):
    """The options that betting needs, `limit` and `max_raises`; each game declares them by its own book."""

    limit: int
    max_raises: int

    @property
    def dearest(self) -> int:
        """The most that a seat stakes in a round of betting: a bet and all raises, each of the limit (ours)."""
        return self.limit * (1 + self.max_raises)


class PokerRules(BettingRules):
    """The options that poker needs: whether there are stacks, how large, and whether a player who loses his is out."""

    stakes: str
    stack: int
    freeze_out: bool

    @property
    def buys_stacks(self) -> bool:
        """A player who has lost all buys a stack, except in a freeze-out (Foster, sections Table Stakes, Freeze
        Out)."""
        return self.stakes != "open" and not self.freeze_out

    @property
    def first_stacks(self) -> list[int] | None:
        """With open stakes nobody counts what the others have (Foster, sections Draw Poker, Table Stakes)."""
        return None if self.stakes == "open" else [self.stack] * self.players


class StackRules(PokerRules):
    """The options of the games in which stacks may be agreed upon; the game itself has `stakes` and `limit`."""

    stack: int = option(
        200,
        "how many counters each seat begins with, and buys when it has none",
        "Foster, section Table Stakes",
        low=2,
        high=10**6,
        role="stack",
    )
    freeze_out: bool = option(
        False,
        "whether a player who has lost the stack is out for good",
        "Foster, section Freeze Out",
        role="freeze-out",
    )
    max_raises: int = option(12, "how many raises there may be in one round of betting", "ours", high=100)

    def refusals(self) -> Iterator[str]:
        if self.stakes == "open":
            for key, value in self.changed().items():
                if key in ("stack", "freeze_out"):
                    yield f'{key} = {option_text(value)} with stakes = "open": there are no stacks'
        yield from super().refusals()
