"""Whiskey Poker: a spare hand on the table, exchanged for one's own (Foster, "The Poker Family", section Whiskey Poker;
"Hoyle's Games Modernized", pp. 135-136)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Literal

from ..mechanics.betting import NAMES
from ..mechanics.exchange import EXCHANGE, KNOCK, ForLives, LivesRules, draws_of, exchanges
from ..mechanics.hands import Ranking, ranking_of
from ..table.actions import PASS, Action
from ..table.cards import Card
from ..table.deal import Ask, Story
from ..table.heard import tells
from ..table.options import option
from ..table.view import public


class WhiskeyPoker(ForLives):
    """Five cards and a widow of five: who knocks ends it, and the best poker hand wins, or the worst loses a life."""

    id = "whiskey-poker"
    title = "Whiskey Poker"
    family = "poker"
    seats = (2, 9)
    usual = (4, 6)
    source = 'Foster, "The Poker Family", section Whiskey Poker; "Hoyle\'s Games Modernized", pp. 135-136'
    course = """Each stakes one counter. Five cards each and five for the widow, which lies face down. Once round, each
in turn may take up the widow unseen for his own hand, which then lies face up in its place; knock, to stand on his
hand; or pass. If nobody takes the widow the dealer turns it up. Then each in turn draws one card of the widow for one
of his own, or takes it whole, or knocks. After a knock every other player has one more turn, then the best poker hand
takes the pool. With lives the worst hand loses one, and who has lost all pays for the whiskey."""
    rules: WhiskeyPokerRules
    where = "in the widow"

    def deal(self) -> Story:
        self.stake()
        self.deal_cards()
        first = yield from self.closed_stage()
        self.turn_up_the_widow()
        if self.knocker is None:
            first = yield from self.drawing(first)
        yield from self.last_draws(first)
        self.show()
        self.settle()

    def stake(self) -> None:
        """Each one counter; or for a game his lives (Foster, section Whiskey Poker)."""
        if self.rules.with_lives:
            self.new_game()
        else:
            self.all_pay(self.rules.ante, "ante")

    def deal_cards(self) -> None:
        """Five cards each, and five for the widow, which lies face down (Foster, section Whiskey Poker)."""
        self.widow, self.table = self.deal_hands(5, for_the_table=True), []

    def closed_stage(self) -> Story:
        """Once round, or until the widow is taken unseen, or a knock turns it up (Foster, section Whiskey Poker).

        Returns the seat on the left of who opened it."""
        for seat in self.order:
            knock = (KNOCK,) if self.knocker is None else ()
            said = yield Ask(seat, "widow", (PASS, *knock, EXCHANGE))
            if said is KNOCK:
                self.knocker = seat
            elif said is EXCHANGE:
                self.hands[seat], self.widow = self.widow, self.hands[seat]
            if said is EXCHANGE or said is KNOCK and self.rules.knock_turns_widow:
                break
        return self.next_to(seat)

    @tells(lambda deal: f"the widow lies face up: {' '.join(deal.table)}")
    def turn_up_the_widow(self) -> None:
        """Or the hand that was laid down for it (Foster, section Whiskey Poker)."""
        self.table = self.widow

    def may_draw_or_knock(self, seat: int) -> tuple[Action, ...]:
        """One must draw or knock (Foster, section Whiskey Poker), or may pass (Hoyle's Games pp. 135-136)."""
        rules = self.rules
        return exchanges(rules.instead, self.table, self.hands[seat], rules.at_last, draws_of)

    def may_take(self, seat: int, *first: Action) -> tuple[Action, ...]:
        """One card, or the widow whole (Foster, section Whiskey Poker)."""
        return exchanges(first, self.table, self.hands[seat], self.rules.at_last, draws_of)

    def value(self, hand: Sequence[Card]) -> tuple[float, ...]:
        """As at poker (Foster, section Whiskey Poker)."""
        return (self.rules.ranking.key(hand),)

    def named(self, seat: int) -> str:
        return NAMES[self.rules.ranking.class_of(self.hands[seat])]

    def settle(self) -> None:
        """The best hand takes the pool, or the worst loses a life (Foster, section Whiskey Poker)."""
        if self.rules.with_lives:
            self.lose_a_life(self.worst())
            self.pay_for_the_whiskey()
        else:
            best = self.best()
            self.divide_pool(best, "the best hand" if len(best) == 1 else "equal hands divide the pool")

    def pay_for_the_whiskey(self) -> None:
        """Who has lost all his lives pays each who has any (Foster, section Whiskey Poker; to each ours)."""
        for payer in self.order:
            for payee in self.order:
                if not self.lives[payer] and self.lives[payee]:
                    self.pay(payer, payee, self.rules.whiskey, "pays for the whiskey")

    def over(self) -> bool:
        """A game of lives is over when somebody has none (Foster, section Whiskey Poker)."""
        return self.rules.with_lives and not all(self.lives)

    def says(self, ask: Ask, said: Action) -> str:
        if said == EXCHANGE:
            return "takes the widow unseen" if ask.phase == "widow" else "takes the widow whole"
        return super().says(ask, said)

    phases = {
        "widow": "the widow lies face down: `pass`, `knock` if nobody has, or `exchange` your hand for it",
        "draw": "it lies open: `draw As 2c`, the ace for the deuce, `exchange` for all five, or `knock`; `pass`"
        " (pass_open); after a knock `stand`",
    }

    class View(ForLives.View):
        """What lies open at Whiskey Poker."""

        table: tuple[Card, ...] = public("the widow, once it lies face up")
        turns: int = public(
            "turns taken with the open widow; after `max_rounds` rounds without a knock the next seat must knock"
        )


class WhiskeyPokerRules(LivesRules, of=WhiskeyPoker):
    """The options of Whiskey Poker; its hands rank as at poker."""

    mode: Literal["pool", "lives"] = option("pool", "the best hand takes the pool, or the worst loses a life", "Foster")
    ante: int = option(1, "what each stakes", "Foster", high=100, mode="pool")
    lives: int = option(5, "lives of each", "Foster", high=20, mode="lives")
    whiskey: int = option(
        1, "what a loser pays to each who has some left", "Foster; the figure ours", high=100, mode="lives"
    )
    knock_turns_widow: bool = option(
        False, "a knock turns the closed widow up at once", "Foster; Hoyle's Games pp. 135-136"
    )
    whole_exchange: bool = option(True, "the open widow may be taken whole", "Foster; false: Hoyle's Games pp. 135-136")
    pass_open: bool = option(False, "before a knock one may pass with the open widow, too", "Hoyle's Games pp. 135-136")

    @property
    def sitting(self) -> int:
        """Each deals once; with lives no more deals than it can take until somebody has lost all (ours)."""
        return self.players * (self.lives - 1) + 1 if self.with_lives else self.players

    @cached_property
    def with_lives(self) -> bool:
        return self.mode == "lives"

    @cached_property
    def instead(self) -> tuple[Action, ...]:
        """What one may say before a knock (Foster, section Whiskey Poker; Hoyle's Games pp. 135-136)."""
        return (PASS, KNOCK) if self.pass_open else (KNOCK,)

    @cached_property
    def at_last(self) -> tuple[Action, ...]:
        return (EXCHANGE,) if self.whole_exchange else ()

    @cached_property
    def ranking(self) -> Ranking:
        """As at draw poker, without its variations (Foster, section Whiskey Poker)."""
        return ranking_of(self)
