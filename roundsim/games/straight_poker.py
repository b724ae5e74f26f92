"""Straight poker, or bluff (Foster, "The Poker Family"; "Hoyle's Games Modernized", p. 134)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Literal

from roundsim.game import (
    JOKER,
    PACK,
    PASS,
    PASS_OR_BET,
    RANK_OF_HANDS,
    WITH_A_JOKER,
    Action,
    Ask,
    Card,
    Poker,
    RankingRules,
    Seat,
    StackRules,
    Story,
    carried,
    frozen_out,
    moves_counters,
    option,
    otherwise,
    public,
    tells,
)


class StraightPoker(Poker):
    """Hold the best five cards as they are dealt, or bet until all others give up."""

    id = "straight-poker"
    title = "Straight Poker"
    family = "poker"
    seats = (2, 8)
    usual = (5, 5)
    source = 'Foster, "The Poker Family", section Straight Poker; "Hoyle\'s Games Modernized", p. 134'
    rules: StraightRules
    winner: int | None = None

    def deal(self) -> Story:
        self.take_places()
        self.pay_antes()
        self.deal_cards()
        yield from self.betting()
        if self.still_in:
            self.settle()
        self.pass_the_buck_on()

    def pay_antes(self) -> None:
        """With buck: One player holds the buck, a marker; in the first deal it is the dealer. The holder pays
        {ante counter} into the pool for each player, and hands the buck to the left (Foster, section Straight Poker).

        Without buck: Each player pays {ante counter} into the pool (Hoyle's Games p. 134)."""
        # they are nobody's stake
        ante = self.rules.ante
        if self.rules.buck:
            holder = self.in_the_game(self.buck)[0]
            self.ante(holder, ante * len(self.dealt_in), "the holder of the buck antes for all")
            self.buck = self.in_the_game(self.next_to(holder))[0]
        else:
            for seat in self.dealt_in:
                self.ante(seat, ante, "ante")

    @moves_counters
    def ante(self, payer: int, counters: int, why: str = "") -> None:
        """Into the pool; who has less pays what he has (ours)."""
        if self.stacks is not None:
            counters = min(counters, self.stacks[payer])
            self.stacks[payer] -= counters
        self.into_pool(payer, counters)

    def deal_cards(self) -> None:
        """Each player gets five cards, one at a time. No cards are changed (Foster, section Straight Poker)."""
        self.pack = self.chance.pack(self.rules.cards)
        self.hands = self.deal_singly(5, self.dealt_in)
        self.passed: list[int] = []

    def betting(self) -> Story:
        """From the eldest hand, the player on the dealer's left, each player in turn passes, and keeps the cards, until
        one bets. Then all others answer, also those who have passed (Foster, section Straight Poker; Hoyle's Games p.
        134).

        If everybody passes, nobody wins: the pool stays, and the next deal adds to it (Foster, section Straight Poker;
        Hoyle's Games p. 134).

        With stakes = table: If fewer than two have counters, there is no betting, and all hands are shown (ours)."""
        queue = self.able_from(self.eldest)
        if len(queue) < 2:
            return
        for seat in queue:
            action = yield Ask(seat, "bet", PASS_OR_BET[self.most(seat)])
            if action is not PASS:
                self.speak(seat, action)
                yield from self.speaking(self.others_able(seat), "bet")
                return
            self.passed.append(seat)
        self.leave_standing()

    def speak(self, seat: int, action: Action) -> None:
        """With pass_excluded: A raise puts out all who have passed and have not come in since (Hoyle's Games p.
        134)."""
        Poker.speak(self, seat, action)  # sooner found than by super()
        if seat in self.passed:
            self.passed.remove(seat)
        if self.passed and action.verb == "raise" and self.rules.pass_excluded:
            for other in self.passed:
                self.leave_out(other)
            self.passed = []

    @tells("seat {seat} has passed, and is out")
    def leave_out(self, seat: int) -> None:
        """A player who has passed does not come in after a raise (Hoyle's Games p. 134)."""
        self.fold(seat)

    def settle(self) -> None:
        """A player who is left alone need not show. Otherwise all who are left show their hands (Foster, section
        Straight Poker)."""
        keys = dict.fromkeys(self.still_in, 0)
        if len(keys) > 1:
            self.lay_down()
            ranking, hands = self.rules.ranking, self.hands
            keys = {seat: ranking.key(hands[seat]) for seat in keys}
        before = list(self.net)
        self.take_pots(self.pots(), keys)
        self.winner = self.who_has_taken_most(before)

    def who_has_taken_most(self, before: Sequence[int]) -> int:
        """The greatest share of the pool counts, without what nobody has matched of a stake (ours)."""
        if len(self.still_in) == 1:
            return self.still_in[0]
        second = sorted(self.stake)[-2]
        share = [self.net[seat] - before[seat] - max(0, self.stake[seat] - second) for seat in self.still_in]
        return self.still_in[share.index(max(share))]

    @tells(frozen_out)
    def pass_the_buck_on(self) -> None:
        """A player who is frozen out holds no buck (ours)."""
        self.buck = self.in_the_game(self.buck)[0]

    def next_dealer(self) -> int:
        """The player who takes the pool deals next, or the eldest hand if nobody does (Foster, section Straight Poker;
        Hoyle's Games p. 134)."""
        return self.in_the_game(self.eldest if self.winner is None else self.winner)[0]

    buck: int = carried(
        lambda rules, dealer: dealer, "the seat that pays the next antes, if there is a buck", names="seat"
    )

    what_wins = f"{RANK_OF_HANDS}\n\n{WITH_A_JOKER}"
    course = "buy_stacks pay_antes deal_cards betting speaking most able_from speak settle take_pots next_dealer"

    played_with = "cards"
    phases = {"bet": "`pass` or `bet 5`; after a bet `fold`, `call` or `raise 5`"}

    class View(Poker.View):
        """The names that everybody sees at Straight Poker."""

        passed: tuple[Seat, ...] = public("the seats that have passed and not come in since")
        buck: Seat = public()


class StraightRules(StackRules, RankingRules, of=StraightPoker):
    """The options of Straight Poker."""

    ante: int = option(
        1,
        "what is paid into the pool for each seat",
        "Foster, section Straight Poker; Hoyle's Games p. 134",
        high=1000,
        role="doubles",
    )
    limit: int = option(50, "the greatest bet or raise", "Foster, section Draw Poker", high=100000, role="doubles")
    buck: bool = option(
        True,
        "whether the holder of the buck pays the antes of all; if false, each pays their own",
        "Foster, section Straight Poker; Hoyle's Games p. 134: frequently",
    )
    stakes: Literal["open", "table"] = option(
        "open", "open: everybody can pay; table: stacks, and no limit", "Foster, section Table Stakes"
    )
    pass_excluded: bool = option(
        False, "whether players who have passed are out as soon as another raises", "Hoyle's Games p. 134, rule 5"
    )
    joker: bool = option(
        False, "whether a joker, the mistigris, is added to the pack", "Hoyle's Games p. 134: any version"
    )
    straight_flush: bool = otherwise(False)

    @cached_property
    def cards(self) -> Sequence[Card]:
        """Any version of poker may be played straight, mistigris too (Hoyle's Games p. 134)."""
        return (*PACK, JOKER) if self.joker else PACK

    @property
    def minimum_stake(self) -> int:
        """A player who cannot pay the ante is ruined (ours)."""
        return self.ante
