"""Exchange: hands that are bettered until they are shown, with the cards on the table or otherwise; knocks; lives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from itertools import cycle
from typing import ClassVar

from ..base.text import spelled
from ..native import native
from ..table.actions import PASS, STAND, Action, say
from ..table.cards import PACK, Card
from ..table.deal import Ask, Deal, Story, carried, moves_counters
from ..table.events import tells
from ..table.options import Rules, option
from ..table.view import Each, Seat, TableView, public

KNOCK, EXCHANGE = say("knock"), say("exchange")


def seats_text(seats: Sequence[int]) -> str:
    names = [f"seat {seat}" for seat in seats]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def show_text(deal: Bettering) -> str:
    best = deal.best()
    has, named = "has the" if len(best) == 1 else "have equal hands, the", deal.named(best[0])
    return f"{seats_text(best)} {has} best{' hand' * (len(best) == 1)}{f', {named}' * bool(named)}"


class Bettering(Deal):
    """A deal in which hands are bettered until they are shown, and the best wins."""

    pool_names = ("pool",)
    order: Sequence[int]
    turns = 0
    shown: Sequence[Sequence[Card]] = ()
    value_of: dict[int, tuple[float, ...]]

    @moves_counters
    def all_pay(self, counters: int, why: str = "") -> None:
        net = self.net
        for seat in self.order_from[0]:
            net[seat] -= counters
        self.pools["pool"] += counters * self.players

    def deal_hands(self, cards: int, pack: tuple[Card, ...] = PACK, for_the_table: bool = False) -> list[Card]:
        """One at a time, eldest first; one for the table just before the dealer's own (Foster, section Whiskey Poker).

        Returns the cards for the table."""
        self.order = order = self.in_the_game(self.eldest)
        self.pack = self.chance.pack(pack)
        places = (*order[:-1], self.players, order[-1]) if for_the_table else (*order,)
        self.hands = self.deal_singly(cards, places)
        return self.hands.pop() if for_the_table else []

    def value(self, hand: Sequence[Card]) -> tuple[float, ...]:
        raise NotImplementedError

    def named(self, seat: int) -> str:
        return ""  # the hand that a seat has shown, if the book has a name for it: "a sequence"

    @tells(show_text)
    def show(self) -> None:
        """Then all hands are shown (Baxter-Wray pp. 72-73; Foster, sections Commerce, Thirty-One, Whiskey Poker)."""
        self.shown = hands = self.hands
        self.value_of = value_of = {}
        for seat in self.order:  # a comprehension is a call, and costs more for a few seats
            value_of[seat] = self.value(hands[seat])

    def best(self) -> list[int]:
        best = max(self.value_of.values())
        return [seat for seat in self.order if self.value_of[seat] == best]

    def worst(self) -> list[int]:
        """All that are equally bad; none if all hands are equal (ours)."""
        worst = min(self.value_of.values())
        return [seat for seat in self.order if self.value_of[seat] == worst != max(self.value_of.values())]

    @moves_counters
    def divide_pool(self, winners: Sequence[int], why: str = "") -> None:
        """Each has an equal share of the pool (Baxter-Wray p. 102); an odd remainder stays there (ours)."""
        share = self.pools["pool"] // len(winners)
        for seat in winners:
            self.net[seat] += share
        self.pools["pool"] -= share * len(winners)

    @staticmethod
    def most_divided(players: int, stake: int) -> int:
        """Return the most that a seat can win of a pool that equal hands divide: the others' stakes, and odd counters (ours).

        A division by all seats leaves as much as was there before; one by fewer leaves at most `players` - 2."""
        return (players - 1) * stake + players - 2

    class View(TableView):
        """The names that everybody sees in games in which hands are bettered and shown."""

        order: tuple[Seat, ...] = public("the seats that have cards, eldest first, the dealer last")
        shown: Each[tuple[Card, ...]] = public("the hands shown at the end, by seat; empty before")


class Exchange(Bettering):
    """A deal in which cards of the hand are changed for those on the table, until somebody knocks."""

    shows: ClassVar[tuple[str, ...]] = ("table",)
    rules: ExchangeRules
    where: ClassVar[str] = "on the table"  # as the book says it
    table: list[Card]
    knocker: int | None = None

    def drawing(self, first: int) -> Story:
        """As long as nobody has knocked, each player in turn changes cards with those on the table, or knocks to keep
        their hand (Foster, sections Commerce, Thirty-One, Whiskey Poker). After {max_rounds round} the next player must
        knock (ours)."""
        # returns the seat on the left of the one that knocked
        for seat in cycle(self.in_the_game(first)):
            action = yield Ask(seat, "draw", (KNOCK,) if self.last_round_is_over() else self.may_draw_or_knock(seat))
            if action is KNOCK:
                break
            self.change(seat, action)
            self.turns += 1
        self.knocker = seat
        return self.next_to(seat)

    def last_draws(self, first: int) -> Story:
        """After a knock each player up to the knocker has one more turn, to change cards or stand (Foster, sections
        Thirty-One, Whiskey Poker)."""
        for seat in self.in_the_game(first):
            if seat == self.knocker:
                return
            self.change(seat, (yield Ask(seat, "draw", self.may_take(seat, STAND))))

    def last_round_is_over(self) -> bool:
        return self.turns >= len(self.order) * self.rules.max_rounds

    def may_draw_or_knock(self, seat: int) -> tuple[Action, ...]:
        """One must draw or knock (Foster, sections Commerce, Whiskey Poker)."""
        return self.may_take(seat, KNOCK)

    def may_take(self, seat: int, *first: Action) -> tuple[Action, ...]:
        """Any card of the table for any of the hand (Baxter-Wray p. 74; Foster, section Thirty-One).

        `first` comes what may be said instead."""
        return exchanges(first, self.table, self.hands[seat], (), draws_of)

    def change(self, seat: int, action: Action) -> None:
        """To change, a player takes one card of the table and lays one of theirs face up in its place (Baxter-Wray p. 74;
        Foster, sections Commerce, Thirty-One, Whiskey Poker)."""
        hand = self.hands[seat]
        if action is EXCHANGE:
            self.hands[seat], self.table = self.table, hand
        elif action.verb == "draw":
            taken, laid = action.cards
            self.table[self.table.index(taken)] = laid
            hand[hand.index(laid)] = taken

    def says(self, ask: Ask, action: Action) -> str:
        return "takes {} for {}".format(*action.cards) if action.verb == "draw" else super().says(ask, action)

    def refusal(self, ask: Ask, action: Action) -> str:
        if action.verb == "draw" and len(action.cards) == len(action.words) == 2:
            taken, laid = action.cards
            if taken not in self.table:
                return f"{taken} is not {self.where}"
            if laid not in self.hands[ask.seat]:
                return f"{laid} is not in hand"
        if action == STAND and KNOCK in ask.legal:
            return "nobody has knocked"
        if action in (KNOCK, PASS) and self.knocker is not None:
            return f"seat {self.knocker} has already knocked"
        return "not legal: " + ", ".join(ask.legal[:4]) + (" ..." if len(ask.legal) > 4 else "")

    class View(Bettering.View):
        """The names that everybody sees where cards are exchanged with the table."""

        table: tuple[Card, ...] = public("the cards that lie face up on the table")
        knocker: Seat | None = public("the seat that has knocked; None before")
        turns: int = public("how many turns have been taken to change cards")


def lives_text(deal: ForLives, losers: Sequence[int]) -> str | None:
    losses = []
    for what, left in ("a life", True), ("the last life", False):
        if seats := [seat for seat in sorted(losers) if bool(deal.lives[seat]) == left]:
            losses.append(f"{seats_text(seats)} lose{'s' * (len(seats) == 1)} {what}")
    return ", ".join(losses) or None


class ForLives(Exchange):
    """An exchange that may be played for lives; `over` says when a game of them is over."""

    rules: LivesRules

    def new_game(self) -> bool:
        """Once a game is over all have their lives again (Baxter-Wray p. 75; Foster, section Whiskey Poker).

        So it is before the first. Returns whether it was so."""
        fresh = self.over()
        if fresh:
            self.give_lives()
        return fresh

    @tells(
        lambda deal: f"a new game begins, each with {spelled(n := deal.rules.lives)} {'life' if n == 1 else 'lives'}"
    )
    def give_lives(self) -> None:
        self.lives = [self.rules.lives] * self.players

    @tells(lives_text)
    def lose_a_life(self, seats: Sequence[int]) -> None:
        self.lives = [life - (seat in seats) for seat, life in enumerate(self.lives)]

    lives: list[int] = carried(
        lambda rules, dealer: [0] * rules.players if rules.with_lives else [],
        "the lives of each seat, where they are played for",
        names="each",
    )

    class View(Exchange.View):
        """The names that everybody sees where lives are played for."""

        lives: Each[int] = public()


@cache
def draws_of(taken: Card) -> dict[Card, Action]:
    return {laid: say("draw", taken, laid) for laid in PACK if laid is not taken}


# a docstring above would be a rule of the sheet
draws_of.__doc__ = """Return the actions that take a card, by the card that is laid down for it.

>>> from roundsim.game import CARD, draws_of
>>> draws_of(CARD["Ah"])[CARD["2c"]]
'draw Ah 2c'
"""


@native
def exchanges(
    first: tuple[Action, ...],
    table: Sequence[Card],
    hand: Sequence[Card],
    last: tuple[Action, ...],
    draws: Callable[[Card], Mapping[Card, Action]],
) -> tuple[Action, ...]:
    """Any card of the table for any of the hand; what may be said instead comes first, or last (their order ours).

    Returns the actions. `draws`: a function of the card taken; it returns the action for each card laid down, as
    `draws_of` does."""
    return *first, *[of[laid] for of in map(draws, table) for laid in hand], *last


PIPS = {card: 11 if card.rank == 14 else min(card.rank, 10) for card in PACK}
# faster than a function; ace eleven, court cards ten (Baxter-Wray p. 70; Foster, sections Commerce, Thirty-One)
pips = PIPS.__getitem__


def best_suit(hand: Sequence[Card], least: int = 1) -> tuple[float, int]:
    """The most pips of one suit, and of how many cards: equal, the more (Foster, sections Commerce, Thirty-One).

    At least `least` cards must make them: (0, 0) if there are not as many of any suit.

    >>> from roundsim.game import best_suit, cards
    >>> best_suit(cards("As Ks 9h")), best_suit(cards("As Ks 9h"), least=3)
    ((21, 2), (0, 0))"""
    suits = [[pips(card) for card in hand if card.suit == suit] for suit in {card.suit for card in hand}]
    return max([(sum(counts), len(counts)) for counts in suits if len(counts) >= least], default=(0, 0))


class ExchangeRules(Rules):
    """The rules of a table at which an exchange must end, after `max_rounds` rounds of turns."""

    max_rounds: int = option(10, "after how many rounds of turns the next player must knock", "ours", high=100)


class LivesRules(ExchangeRules):
    """The rules of a table at which lives may be played for: its game says when, and how many."""

    lives: int

    @cached_property
    def with_lives(self) -> bool:
        raise NotImplementedError
