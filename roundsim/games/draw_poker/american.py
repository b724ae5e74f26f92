"""The American game (Foster, "The Poker Family", sections Draw Poker, Jack Pots)."""

from __future__ import annotations

from collections.abc import Sequence

from roundsim.game import (
    CALL,
    FOLD,
    FOLD_OR_BET,
    JOKER,
    PASS,
    SUITS,
    Action,
    Ask,
    Card,
    Story,
    UpTo,
    say,
    tells,
)

from .game import DrawPoker

JACK = say("jack")
JACK_TOO, PASS_OR_OPEN = UpTo((FOLD, JACK, CALL), "raise"), UpTo((PASS,), "open")
HIGH_HANDS = {"flush": 50, "full": 60, "fours": 70, "round": 70}


class American(DrawPoker):
    """Straddles double; each jack pot has its own ante, may follow upon another, and is paid for by the player who asks
    for it."""

    same_dealer = False  # deal_off: until the jack pot is opened

    def begin_the_deal(self) -> None:
        """A dealer who has the buck deals a jack pot, and it goes back into the pool (Foster, section Jack Pots)."""
        if self.buck == self.dealer:
            self.buck, self.jacks = -1, self.jacks or 1
        super().begin_the_deal()

    # An ordinary deal.

    def next_straddle(self) -> int:
        """Twice the last (Foster law 17)."""
        return 2 * self.level

    def all_say(self, queue: list[int]) -> Story:
        """Each may raise, and is then to be met by all others (Foster, section Draw Poker)."""
        return self.speaking(queue, "ante")

    def may_answer(self, seat: int) -> UpTo:
        """Only two in: eldest may ask for a jack pot instead (Foster law 21)."""
        return JACK_TOO if self.only_two_in(seat) else super().may_answer(seat)

    def only_two_in(self, seat: int) -> bool:
        """Eldest's turn, and all have folded but one who has come in: no straddle, no raise (Foster law 21)."""
        return (
            self.rules.only_two_in
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
        """Both take back their stakes, and eldest will pay the other's ante in the jack pot (Foster law 21)."""
        (other,) = self.came_in
        self.take_back(seat)
        self.take_back(other)
        self.still_in = []
        self.jacks += 1
        self.payer = [seat if own == other else payer for own, payer in enumerate(self.payer)]

    @tells(lambda deal: "nobody has come in: a natural jack" if deal.rules.jacks and not deal.still_in else None)
    def nobody_comes_in(self) -> None:
        """A natural jack: eldest takes back his blind; a straddler takes the pool (Foster law 21; the blind ours)."""
        if self.last_say == self.eldest:
            self.take_back(self.eldest)
            self.still_in = []
            self.jacks += self.rules.jacks

    # A jack pot.

    def pay_antes(self) -> None:
        """`jack_ante` in a fresh jack pot, by the payer; then `fatten` each (Foster, section Jack Pots, laws 21, 40).

        A payer pays his own first, then those on his left (ours)."""
        fresh = not self.round
        ante = self.rules.jack_ante if fresh else self.rules.fatten
        why = "ante for the jack pot" if fresh else "the jack pot is fattened"
        for payer in self.dealt_in:
            for seat in self.round_from(payer):
                if seat in self.dealt_in and payer == (self.pays_for(seat) if fresh else seat):
                    self.put_up(seat, ante, why if payer == seat else "ante for another", payer)
        if fresh:
            self.payer = list(range(self.players))
        self.level = max(self.stake)

    def pays_for(self, seat: int) -> int:
        """The payer of a seat's ante: the seat itself when he is frozen out (ours)."""
        payer = self.payer[seat]
        return payer if payer in self.dealt_in else seat

    def each_may_open(self) -> Story:
        """Each player in turn may open; then all others come in, also those who have passed (Foster, section Jack
        Pots)."""
        for seat in self.dealt_in:
            most = self.most(seat) if self.may_open(seat) else 0
            action = yield Ask(seat, "open", PASS_OR_OPEN[most])
            if action is not PASS:
                self.opens(seat)
                self.speak(seat, action)
                yield from self.speaking(self.others_able(seat), "ante")
                return

    def openers(self, seat: int) -> Sequence[Card]:
        """Or the four cards of a bobtail, where that opens (Foster, section Jack Pots)."""
        made = super().openers(seat)
        return self.bobtail(self.dealt[seat]) if self.rules.bobtail and not made else made

    def bobtail(self, hand: Sequence[Card]) -> Sequence[Card]:
        """Four cards of one suit, or four ranks out of some straight (Foster, section Jack Pots; the joker ours)."""
        for suit in SUITS:
            four = [card for card in hand if card.suit == suit or card is JOKER]
            if len(four) == 4:
                return four
        for ranks in self.rules.ranking.straights:
            by_rank = {card.rank: card for card in hand if card is JOKER or card[0] in ranks}
            if len(by_rank) == 4:
                return list(by_rank.values())
        return ()

    def unopened(self) -> None:
        """The same dealer deals again, until it is opened (Foster laws 12, 40)."""
        super().unopened()
        self.same_dealer = self.rules.deal_off

    # The betting after the draw.

    def betting(self) -> Story:
        """From the left of the eldest hand, or from the opener, each player folds or bets, until one bets (Foster,
        section Jack Pots, law 28)."""
        self.better, self.raises = None, 0
        queue = self.able_from(self.next_to(self.eldest) if self.opener is None else self.opener)
        for seat in queue[:-1]:
            action = yield Ask(seat, "bet", FOLD_OR_BET[self.most(seat)])
            self.speak(seat, action)
            if action is not FOLD:
                yield from self.speaking(self.others_able(seat), "bet")
                return

    def fold(self, seat: int) -> None:
        """The opener shows what he was dealt, or, when he has drawn, only his openers (Foster, section Jack Pots)."""
        super().fold(seat)
        if seat == self.opener:
            has_drawn = self.drawn[seat] is not None
            self.show_openers(seat, self.openers(seat) if has_drawn else self.dealt[seat])
            if not has_drawn:
                self.false_opener = None  # he has lost his stake, and that is all

    # The show.

    def opener_wins(self, opener: int) -> None:
        """Without a call he shows his openers (Foster, section Jack Pots)."""
        if not self.called():
            self.show_openers(opener, self.openers(opener))

    def punish(self, false: int, keys: dict[int, int]) -> None:
        """A false opener's hand is foul, and he pays for one more jack pot (Foster laws 39, 44).

        If he is the only one left the pool stands (Foster, section Jack Pots; before the draw ours)."""
        if list(keys) == [false]:
            if self.drawn[false] is None:
                self.unopened()
                return
            self.leave_standing()
        else:
            keys.pop(false, None)
            self.pay_out(keys)
            self.jacks += 1  # in place of the one just played
        self.show_openers(false, self.openers_shown or self.dealt[false])
        self.penalty(false)

    @tells("seat {false} opened without openers, and pays all antes of another jack pot")
    def penalty(self, false: int) -> None:
        """All antes of the next are his to pay (Foster laws 39, 44)."""
        self.round = 0
        self.payer = [false] * self.players

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
        """To one, or to one for every seat (Foster, section Jack Pots)."""
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

    def next_dealer(self) -> int:
        """The next on the left; with deal_off the same until the jack pot is opened (Foster laws 12, 40)."""
        return self.in_the_game(self.dealer)[0] if self.same_dealer else super().next_dealer()

    def says(self, ask: Ask, action: Action) -> str:
        return "asks for a jack pot" if action == JACK else super().says(ask, action)
