"""False openers of the American game (Foster, "The Poker Family", section Jack Pots, laws 39, 44)."""

from __future__ import annotations

from roundsim.game import Ask, Story, say, tells

from .jack_pots import JackPots

STAY, TAKE_BACK = say("stay"), say("take-back")


class FalseOpeners(JackPots):
    """A player who opens without openers pays for it."""

    exposed: int | None = None  # before the draw, where the others do not simply play on

    # Before the draw.

    def fold(self, seat: int) -> None:
        """With jacks: An opener who folds, or wins without a call, shows the cards that open; before the draw, all five
        (Foster, section Jack Pots)."""
        super().fold(seat)
        if seat == self.opener:
            has_drawn = self.drawn[seat] is not None
            self.show_openers(seat, self.openers(seat) if has_drawn else self.dealt[seat])
            if not has_drawn:
                if self.false_opener is not None and self.rules.false_opening != "stay":
                    self.exposed = seat
                self.false_opener = None  # he has lost his stake

    def has_a_say(self, seat: int) -> bool:
        """A false opening that the others do not play on ends the betting (Foster, section Jack Pots)."""
        return self.exposed is None and super().has_a_say(seat)

    def treating_a_false_opening(self) -> Story:
        """With false_openers = penalty and false_opening = stay: A false opener who folds before the draw loses the
        stake, and the others play on (Foster, section Jack Pots)."""
        false, self.exposed = self.exposed, None
        if false is not None and self.rules.false_opening == "withdraw":
            yield from self.withdrawing(false)
        elif false is not None:
            self.make_good(false)
            self.same_dealer = True

    def withdrawing(self, false: int) -> Story:
        """With false_opening = withdraw: If a false opener folds before the draw, those who have come in without a hand
        that opens may take back all but the antes, and another may open (Foster, section Jack Pots)."""
        for seat in self.round_from(false):
            if seat in self.still_in and self.stake[seat] > self.antes[seat]:
                legal = (STAY,) if self.openers(seat) else (STAY, TAKE_BACK)
                if (yield Ask(seat, "withdraw", legal)) is TAKE_BACK:
                    self.withdraw(seat, self.stake[seat] - self.antes[seat])
        self.opener, self.better, self.raises, self.came_in = None, None, 0, []
        self.level = max([self.stake[seat] for seat in self.still_in])
        yield from self.opening_in_turn()

    def withdraw(self, seat: int, counters: int) -> None:
        """All but the antes; he keeps his cards as if he had passed (Foster, section Jack Pots; his cards ours)."""
        self.put_up(seat, -counters, "the opening was false")

    @tells("seat {false} opened without openers, and makes good what all others have paid")
    def make_good(self, false: int) -> None:
        """With false_opening = make_good: A false opener who folds before the draw pays all others what they have paid,
        and the cards are dealt again (Foster, section Jack Pots)."""
        for seat in self.round_from(false)[1:]:
            self.pay(false, seat, self.paid[seat] - self.net[seat], "the false opener makes it good")
        self.leave_standing()
        self.dealt_afresh = True

    # After the draw.

    def punish(self, false: int, keys: dict[int, int]) -> None:
        """With false_openers = penalty: Anybody may open, but a false opener, who has no such hand, cannot win: the
        best of the other hands takes the pool, or it stays if nobody else is left (Foster laws 39, 44)."""
        whole = self.rules.after_draw == "whole"
        if list(keys) != [false]:
            keys.pop(false, None)
            counters = self.pools["pool"] + sum(self.stake)
            self.pay_out(keys)
            self.jacks += 1  # in place of the one just played
            if whole:
                self.put_up_the_pool(false, counters)
        elif self.drawn[false] is None:
            self.unopened()
            return
        else:
            if whole:
                self.make_good(false)
            else:
                self.leave_standing()
            self.end_the_jack()
        self.show_openers(false, self.openers_shown or self.dealt[false])
        self.penalty(false)

    def put_up_the_pool(self, false: int, counters: int) -> None:
        """As much as was in the pool, for one more jack pot (Foster, section Jack Pots)."""
        self.into_pool(false, counters, why="the false opener puts up the pool")
        self.paid[false] = counters
        self.dealt_afresh = True

    @tells(lambda deal, false: f"seat {false} opened without openers, and {deal.pays_for_it()}")
    def penalty(self, false: int) -> None:
        """With false_openers = penalty and after_draw = jack: A false opener who is discovered after the draw pays all
        antes of another jack pot (Foster laws 39, 44).

        With false_openers = penalty and after_draw = whole: A false opener who is discovered after the draw puts up as
        much again as was in the pool, or gives back what the others have paid, and another jack pot is dealt (Foster,
        section Jack Pots).

        With barred: They are also barred from {barred} jack pots, and yet pay the antes of each (Foster, section Jack
        Pots)."""
        self.round = 0
        if self.rules.after_draw == "jack":
            self.payer = [false] * self.players
        self.barred = [self.rules.barred if seat == false else jacks for seat, jacks in enumerate(self.barred)]

    def pays_for_it(self) -> str:
        barred = self.rules.barred
        paid = "all antes" if self.rules.after_draw == "jack" else "the whole pool"
        return f"pays {paid} of another jack pot" + (f", barred from {barred}" if barred else "")
