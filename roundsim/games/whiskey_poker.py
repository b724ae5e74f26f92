"""Whiskey Poker: a spare hand on the table, exchanged for one's own (Foster, "The Poker Family", section Whiskey Poker;
"Hoyle's Games Modernized", pp. 135-136)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Literal

from roundsim.game import (
    CLASS_NAMES,
    EXCHANGE,
    HANDS,
    KNOCK,
    PASS,
    STRAIGHT_FLUSH,
    WITHIN,
    Action,
    Ask,
    Card,
    ForLives,
    LivesRules,
    Ranking,
    Story,
    draws_of,
    exchanges,
    option,
    public,
    ranking_of,
    tells,
)


class WhiskeyPoker(ForLives):
    """Change cards with those on the table, and hold the best five when somebody knocks."""

    id = "whiskey-poker"
    title = "Whiskey Poker"
    family = "poker"
    seats = (2, 9)
    usual = (4, 6)
    source = 'Foster, "The Poker Family", section Whiskey Poker; "Hoyle\'s Games Modernized", pp. 135-136'
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
        """With mode = pool: Each player pays {ante counter} into the pool (Foster, section Whiskey Poker).

        With mode = lives: For a game each player has {lives marker}, one for each life (Foster, section Whiskey Poker)."""
        if self.rules.with_lives:
            self.new_game()
        else:
            self.all_pay(self.rules.ante, "ante")

    def deal_cards(self) -> None:
        """Each player gets five cards, one at a time. Five more, the widow, lie face down on the table (Foster, section
        Whiskey Poker)."""
        self.widow, self.table = self.deal_hands(5, for_the_table=True), []

    def closed_stage(self) -> Story:
        """Once round from the eldest hand, the player on the dealer's left, each player passes, or knocks to keep their
        hand, if nobody has, or takes the widow unseen and lays their own hand face up in its place. As soon as one takes
        it the round ends (Foster, section Whiskey Poker).

        With knock_turns_widow: So it does after a knock (Foster, section Whiskey Poker; Hoyle's Games pp. 135-136)."""
        # returns the seat on the left of the one that opened it
        for seat in self.order:
            knock = (KNOCK,) if self.knocker is None else ()
            action = yield Ask(seat, "widow", (PASS, *knock, EXCHANGE))
            if action is KNOCK:
                self.knocker = seat
            elif action is EXCHANGE:
                self.hands[seat], self.widow = self.widow, self.hands[seat]
            if action is EXCHANGE or action is KNOCK and self.rules.knock_turns_widow:
                break
        return self.next_to(seat)

    @tells(lambda deal: f"the widow lies face up: {' '.join(deal.table)}")
    def turn_up_the_widow(self) -> None:
        """If nobody has taken the widow, it is turned up. The next player on the left goes on (Foster, section Whiskey
        Poker)."""
        self.table = self.widow

    def may_draw_or_knock(self, seat: int) -> tuple[Action, ...]:
        """With pass_open: Players may also pass (Hoyle's Games pp. 135-136)."""
        rules = self.rules
        return exchanges(rules.instead, self.table, self.hands[seat], rules.at_last, draws_of)

    def may_take(self, seat: int, *first: Action) -> tuple[Action, ...]:
        """With whole_exchange: A player may also change all five (Foster, section Whiskey Poker)."""
        return exchanges(first, self.table, self.hands[seat], self.rules.at_last, draws_of)

    def value(self, hand: Sequence[Card]) -> tuple[float, ...]:
        """As at poker (Foster, section Whiskey Poker)."""
        return (self.rules.ranking.key(hand),)

    def named(self, seat: int) -> str:
        return CLASS_NAMES[self.rules.ranking.class_of(self.hands[seat])]

    def settle(self) -> None:
        """With mode = pool: The best hand takes the pool. Equal hands divide it, and odd counters stay for the next deal
        (Foster, section Whiskey Poker; equal hands ours).

        With mode = lives: The worst hand loses a life. So do all equal ones, unless all hands are equal (Foster, section
        Whiskey Poker; equal hands ours)."""
        if self.rules.with_lives:
            self.lose_a_life(self.worst())
            self.pay_for_the_whiskey()
        else:
            best = self.best()
            self.divide_pool(best, "the best hand" if len(best) == 1 else "equal hands divide the pool")

    def pay_for_the_whiskey(self) -> None:
        """With mode = lives: A player who has lost all lives pays {whiskey counter} to each who has any, and the game is
        over (Foster, section Whiskey Poker; to each ours)."""
        for payer in self.order:
            for payee in self.order:
                if not self.lives[payer] and self.lives[payee]:
                    self.pay(payer, payee, self.rules.whiskey, "pays for the whiskey")

    def over(self) -> bool:
        """A game of lives is over when somebody has none (Foster, section Whiskey Poker)."""
        return self.rules.with_lives and not all(self.lives)

    @classmethod
    def bound(cls, rules: WhiskeyPokerRules) -> int:
        """The antes of the others, and odd counters left before; or one pays all for the whiskey, or all pay one (Foster,
        section Whiskey Poker)."""
        return (rules.players - 1) * rules.whiskey if rules.with_lives else cls.most_divided(rules.players, rules.ante)

    def says(self, ask: Ask, action: Action) -> str:
        if action == EXCHANGE:
            return "takes the widow unseen" if ask.phase == "widow" else "takes the widow whole"
        return super().says(ask, action)

    what_wins = f"""The hands, from best to least: {STRAIGHT_FLUSH}; {HANDS} (Foster, section Rank of the Hands).

{WITHIN} (Foster, section Rank of the Hands)."""
    course = """stake deal_cards closed_stage turn_up_the_widow drawing change may_take may_draw_or_knock last_draws show
settle pay_for_the_whiskey"""

    phases = {
        "widow": "the widow lies face down: `pass`, `knock` if nobody has, or `exchange` your hand for it",
        "draw": "the widow lies face up: `draw As 2c`, the ace for your two, `exchange` for all five, or `knock`; `pass`"
        " with pass_open; after a knock `stand`",
    }

    class View(ForLives.View):
        """The names that everybody sees at Whiskey Poker."""

        table: tuple[Card, ...] = public("the widow, once it lies face up")
        turns: int = public(
            "how many turns were taken with the open widow; after `max_rounds` rounds the next seat must knock"
        )


class WhiskeyPokerRules(LivesRules, of=WhiskeyPoker):
    """The options of Whiskey Poker; its hands rank as at poker."""

    mode: Literal["pool", "lives"] = option(
        "pool", "whether the best hand takes the pool, or the worst loses a life", "Foster"
    )
    ante: int = option(1, "what each player pays into the pool", "Foster", high=100, mode="pool")
    lives: int = option(5, "how many lives each player has", "Foster", high=20, mode="lives")
    whiskey: int = option(
        1,
        "what a player without lives pays to each who has some left",
        "Foster; the figure ours",
        high=100,
        mode="lives",
    )
    knock_turns_widow: bool = option(
        False, "whether a knock turns the closed widow up at once", "Foster; Hoyle's Games pp. 135-136"
    )
    whole_exchange: bool = option(
        True, "whether the open widow may be taken whole", "Foster; false: Hoyle's Games pp. 135-136"
    )
    pass_open: bool = option(
        False, "whether players may pass before a knock even when the widow lies face up", "Hoyle's Games pp. 135-136"
    )

    @property
    def sitting(self) -> int:
        """Each deals once; with lives no more deals than it can take until somebody has lost all (ours)."""
        return self.players * (self.lives - 1) + 1 if self.with_lives else self.players

    @cached_property
    def with_lives(self) -> bool:
        return self.mode == "lives"

    @cached_property
    def instead(self) -> tuple[Action, ...]:
        """The answers that one may give before a knock (Foster, section Whiskey Poker; Hoyle's Games pp. 135-136)."""
        return (PASS, KNOCK) if self.pass_open else (KNOCK,)

    @cached_property
    def at_last(self) -> tuple[Action, ...]:
        return (EXCHANGE,) if self.whole_exchange else ()

    @cached_property
    def ranking(self) -> Ranking:
        """As at draw poker, without its variations (Foster, section Whiskey Poker)."""
        return ranking_of(self)
