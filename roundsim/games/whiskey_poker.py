"""Whiskey Poker: a spare hand on the table, exchanged for one's own (Foster, "The Poker Family";
"Hoyle's Games Modernized", pp. 135-136)."""

from __future__ import annotations

from collections.abc import Iterator

from ..actions import PASS, Action
from ..mechanics.exchange import EXCHANGE, KNOCK, LIVES, MAX_ROUNDS, Exchange
from ..mechanics.hands import ranking_of
from ..options import FLAG, OneOf, Option, Rules, between
from ..table import Ask, Story


class WhiskeyPoker(Exchange):
    """Five cards and a widow of five: who knocks ends it, and the best poker hand wins, or the worst loses a life."""

    id = "whiskey-poker"
    title = "Whiskey Poker"
    family = "poker"
    seats = (2, 9)
    usual = (4, 6)
    source = 'Foster, "The Poker Family"; "Hoyle\'s Games Modernized", pp. 135-136'
    course = """Each stakes one counter. Five cards each and five for the widow, which lies face down. Once round, each
in turn may take up the widow unseen for his own hand, which then lies face up in its place; knock, to stand on his
hand; or pass. If nobody takes the widow the dealer turns it up. Then each in turn draws one card of the widow for one
of his own, or takes it whole, or knocks. After a knock every other player has one more turn, then the best poker hand
takes the pool. With lives the worst hand loses one, and who has lost all pays for the whiskey."""

    options = (
        Option(
            "mode", "pool", OneOf("pool", "lives"), "the best hand takes the pool, or the worst loses a life", "Foster"
        ),
        Option("ante", 1, between(1, 100), "mode pool: what each stakes", "Foster"),
        Option("lives", 5, between(1, 20), "mode lives: lives of each", "Foster"),
        Option(
            "whiskey",
            1,
            between(1, 100),
            "mode lives: what a loser pays to each who has some left",
            "Foster; the figure ours",
        ),
        Option(
            "knock_turns_widow",
            False,
            FLAG,
            "a knock turns the closed widow up at once",
            "Foster; Hoyle's Games pp. 135-136",
        ),
        Option(
            "whole_exchange",
            True,
            FLAG,
            "the open widow may be taken whole",
            "Foster; false: Hoyle's Games pp. 135-136",
        ),
        Option(
            "pass_open",
            False,
            FLAG,
            "before a knock one may pass with the open widow, too",
            "Hoyle's Games pp. 135-136",
        ),
        MAX_ROUNDS,
    )

    @classmethod
    def refusals(cls, rules: Rules) -> Iterator[str]:
        lives = rules.mode == "lives"
        for key in ("ante",) if lives else ("lives", "whiskey"):
            if key in rules.given:
                yield f'{key} with mode = "{rules.mode}": it belongs to {"pool" if lives else "lives"}'

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        rules.with_lives = rules.mode == "lives"
        rules.key = ranking_of(rules).key

    @classmethod
    def sitting(cls, rules: Rules) -> int:
        """Each deals once; with lives until somebody has lost all, which takes no more deals than this."""
        return rules.players * (rules.lives - 1) + 1 if rules.with_lives else int(rules.players)

    carried = {"lives": LIVES}
    phases = {
        "widow": "the widow lies face down: `pass`, `knock` if nobody has, or `exchange` your hand for it",
        "draw": "it lies open: `draw As 2c`, the ace for the deuce, `exchange` for all five, or `knock`; `pass`"
        " (pass_open); after a knock `stand`",
    }
    public = {
        **Exchange.public,
        "table": "the widow, once it lies face up",
        "turns": "turns taken with the open widow; after `max_rounds` rounds without a knock the next seat must knock",
        "lives": LIVES.help,
    }
    where = "in the widow"

    def deal(self) -> Story:
        if self.rules.with_lives:
            self.new_game()
        else:
            self.stake()
        self.deal_cards()
        first = yield from self.closed_stage()
        self.table = self.widow
        if self.knocker is None:
            first = yield from self.drawing(first)
        yield from self.last_draws(first)
        self.show(self.rules.key)
        if self.rules.with_lives:
            self.worst_loses_a_life()
        else:
            self.divide_pool(self.best())

    def stake(self) -> None:
        for seat in range(self.players):
            self.into_pool(seat, self.rules.ante)

    def deal_cards(self) -> None:
        """Five rounds; the widow lies face down."""
        self.deal_hands(5)
        self.widow, self.table = self.table, []

    def closed_stage(self) -> Story:
        """Once round, or until it is taken unseen or a knock turns it up; returns the seat on the left of who opened it."""
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

    def may_draw_or_knock(self, seat: int) -> tuple[Action, ...]:
        """One must draw or knock; passing is Hoyle's."""
        legal = super().may_draw_or_knock(seat)
        return (PASS, *legal) if self.rules.pass_open else legal

    def may_take(self, seat: int) -> list[Action]:
        """One card, or the widow whole."""
        legal = super().may_take(seat)
        return [*legal, EXCHANGE] if self.rules.whole_exchange else legal

    def worst_loses_a_life(self) -> None:
        """Who has now none left pays for the whiskey: to each who has."""
        self.lose_a_life(self.worst())
        for payer in self.order:
            for payee in self.order:
                if not self.lives[payer] and self.lives[payee]:
                    self.pay(payer, payee, self.rules.whiskey)

    def over(self) -> bool:
        """A game of lives is over when somebody has none."""
        return bool(self.rules.with_lives) and not all(self.lives)
