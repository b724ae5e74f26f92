"""The American game (Foster, "The Poker Family", sections Draw Poker, Jack Pots)."""

from __future__ import annotations

from roundsim.game import CALL, FOLD, FOLD_OR_BET, PASS, Action, Ask, Story, UpTo, say, tells

from .false_openers import TAKE_BACK, FalseOpeners

JACK = say("jack")
JACK_TOO = UpTo((FOLD, JACK, CALL), "raise")
SAYS = {
    ("ante", JACK): "asks for a jack pot",
    ("jack", PASS): "passes the jack pot",
    ("withdraw", TAKE_BACK): "takes back all but the antes",
}
HIGH_HANDS = {"flush": 50, "full": 60, "fours": 70, "round": 70}


class American(FalseOpeners):
    """Straddles double; eldest may ask for a jack pot, and a high hand or the buck leads to one."""

    course = """buy_stacks making_the_blind straddling deal_five coming_in speaking most able_from nobody_comes_in
ask_for_jack deal_again_for_a_jack begin_the_deal paying_antes passing pay_antes opening_in_turn unopened punish
treating_a_false_opening withdrawing make_good penalty fold drawing betting settle but_the_kitty high_hand_shown
leave_the_rest_to_the_last"""

    # An ordinary deal.

    def next_straddle(self) -> int:
        """Twice the last (Foster law 17)."""
        return 2 * self.level

    def all_say(self, queue: list[int]) -> Story:
        """Each may raise, and is then to be met by all others (Foster, section Draw Poker)."""
        yield from self.speaking(queue, "ante")
        if self.dealer_alone():
            self.deal_again_for_a_jack()

    def dealer_alone(self) -> bool:
        """Nobody but the dealer has come in against the blind (Foster, section Jack Pots: the older custom)."""
        return (
            self.rules.only_two_in == "older"
            and self.came_in == [self.dealer]
            and self.still_in == [self.last_say, self.dealer]
            and self.last_say == self.eldest
            and not self.jack_pot
        )

    def has_a_say(self, seat: int) -> bool:
        """The blind may not draw against the dealer (Foster, section Jack Pots)."""
        return not self.dealer_alone() and super().has_a_say(seat)

    @tells("only the dealer has come in: the cards are dealt again for a jack pot")
    def deal_again_for_a_jack(self) -> None:
        """With only_two_in = older: If only the dealer comes in against the blind, the stakes go back, and the same
        player deals a jack pot (Foster, section Jack Pots; that the stakes go back ours)."""
        self.take_back(self.eldest)
        self.take_back(self.dealer)
        self.still_in = []
        self.jacks += 1
        self.same_dealer = True

    def may_answer(self, seat: int) -> UpTo:
        """Only two in: eldest may ask for a jack pot instead (Foster law 21)."""
        return JACK_TOO if self.only_two_in(seat) else super().may_answer(seat)

    def only_two_in(self, seat: int) -> bool:
        """Eldest's turn, and all have folded but one who has come in: no straddle, no raise (Foster law 21)."""
        return (
            self.rules.only_two_in is True
            and not self.jack_pot
            and not self.raises
            and seat == self.eldest == self.last_say
            and len(self.still_in) == 2
            and len(self.came_in) == 1
            and (self.stacks is None or self.stacks[seat] + self.stake[seat] >= 2 * self.rules.jack_ante)
        )

    def speak(self, seat: int, action: Action) -> None:
        if action is JACK:
            self.ask_for_jack(seat)
        else:
            super().speak(seat, action)

    def ask_for_jack(self, seat: int) -> None:
        """With only_two_in = true: If only one player comes in, without a straddle or a raise, the eldest hand may ask
        for a jack pot instead: both take back their stakes, and the eldest hand pays the antes of both in the jack pot
        (Foster law 21)."""
        (other,) = self.came_in
        self.take_back(seat)
        self.take_back(other)
        self.still_in = []
        self.jacks += 1
        self.payer = [seat if own == other else payer for own, payer in enumerate(self.payer)]

    @tells(lambda deal: "nobody has come in: a natural jack" if deal.rules.jacks and not deal.still_in else None)
    def nobody_comes_in(self) -> None:
        """With jacks: If nobody comes in, the eldest hand takes back the blind, and the next deal is a jack pot (Foster
        law 21; the blind ours).

        Without jacks: If nobody comes in, the eldest hand takes back the blind (ours).

        With straddle: After a straddle the last one to straddle takes the pool instead (Foster law 21)."""
        if self.last_say == self.eldest:
            self.take_back(self.eldest)
            self.still_in = []
            self.jacks += self.rules.jacks

    # The betting after the draw.

    def betting(self) -> Story:
        """In a second round of betting the player on the left of the eldest hand speaks first. Each folds or bets,
        until one bets; then the others call, raise or fold (Foster, section Jack Pots, law 28).

        With jacks: In a jack pot the opener speaks first (Foster, section Jack Pots, law 28)."""
        self.better, self.raises = None, 0
        queue = self.able_from(self.next_to(self.eldest) if self.opener is None else self.opener)
        for seat in queue[:-1]:
            action = yield Ask(seat, "bet", FOLD_OR_BET[self.most(seat)])
            self.speak(seat, action)
            if action is not FOLD:
                yield from self.speaking(self.others_able(seat), "bet")
                return

    # The show.

    def opener_wins(self, opener: int) -> None:
        """With jacks: An opener who wins without a call shows the cards that open (Foster, section Jack Pots)."""
        if not self.called():
            self.show_openers(opener, self.openers(opener))

    def pay_out(self, keys: dict[int, int]) -> list[int]:
        """A high hand shown leads to a jack pot, and the winner takes the buck (Foster, section Jack Pots)."""
        winners = super().pay_out(keys)
        if self.best_shown(keys) >= HIGH_HANDS.get(self.rules.high_hand, 100):
            self.high_hand_shown()
        if self.rules.buck and self.buck == -1:
            self.take_the_buck(winners[0])
        return winners

    @tells("a high hand is shown, which leads to a jack pot")
    def high_hand_shown(self) -> None:
        """With high_hand = flush: If a flush or a better hand is shown, the next deal is a jack pot (Foster, section
        Jack Pots).

        With high_hand = full: If a full house or a better hand is shown, the next deal is a jack pot (Foster, section
        Jack Pots).

        With high_hand = fours: If four of a kind or better is shown, the next deal is a jack pot (Foster, section Jack
        Pots).

        With high_hand = round: If four of a kind or better is shown, a jack pot is dealt for each player (Foster,
        section Jack Pots)."""
        self.jacks += len(self.dealt_in) if self.rules.high_hand == "round" else 1

    @tells("seat {seat} takes the buck")
    def take_the_buck(self, seat: int) -> None:
        """It lay in the pool (Foster, section Jack Pots)."""
        self.buck = seat

    def leave_the_game(self) -> None:
        """A player who has lost his last counter puts the buck back (ours)."""
        if self.buck not in self.in_the_game(0):
            self.buck = -1
        super().leave_the_game()

    def says(self, ask: Ask, action: Action) -> str:
        if action.verb in ("blind", "name"):
            return f"{'makes the blind' if action.verb == 'blind' else 'names an ante of'} {action.amount}"
        return SAYS.get((ask.phase, action)) or super().says(ask, action)
