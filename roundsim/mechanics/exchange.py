"""Exchange: cards on the table, taken for cards of the hand until somebody knocks; the show, and lives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import cycle
from typing import Any, ClassVar

from ..actions import PASS, STAND, Action, say
from ..cards import PACK, Card
from ..options import Option, between
from ..table import Ask, Carry, Deal, Story

KNOCK, EXCHANGE = say("knock"), say("exchange")
MAX_ROUNDS = Option("max_rounds", 10, between(1, 100), "after so many rounds of turns the exchange is ended", "ours")
LIVES = Carry(
    lambda rules, dealer: [0] * rules.players if rules.with_lives else [],
    "where lives are played for: those of each seat",
    "each",
)


@cache
def draws_of(taken: Card) -> dict[Card, Action]:
    """Taking this card, by the one laid down for it."""
    return {laid: say("draw", taken, laid) for laid in PACK if laid is not taken}


def pips(card: Card) -> int:
    """Ace eleven, court cards ten."""
    return 11 if card.rank == 14 else int(min(card.rank, 10))


def best_suit(hand: Sequence[Card], least: int = 1) -> tuple[int, int]:
    """The greatest sum of pips that at least so many cards of one suit make, and how many they are; of equal sums more
    cards.  Nothing if there are not so many of any suit."""
    suits = [[pips(card) for card in hand if card.suit == suit] for suit in {card.suit for card in hand}]
    return max([(sum(counts), len(counts)) for counts in suits if len(counts) >= least], default=(0, 0))


class Exchange(Deal):
    """A deal in which hands are bettered with the cards on the table, until they are shown.

    Where lives are played for `rules.with_lives` is set, and `over` says when a game of them is over."""

    pool_names = ("pool",)
    public = {
        "order": "the seats that have cards, eldest first, the dealer last",
        "table": "the cards that lie face up on the table",
        "knocker": "the seat that has knocked; None before",
        "turns": "how many turns the drawing has had",
        "shown": "the hands at the show, by seat; empty before",
    }
    where: ClassVar[str] = "on the table"  # as the book says it
    knocker: Any
    lives: list[int]

    def deal_hands(self, cards: int, table: bool = True, pack: tuple[Card, ...] = PACK) -> None:
        """One at a time, eldest first; in each round one for the table is dealt just before the dealer's own."""
        self.order = self.in_the_game(self.next_to(self.dealer))
        self.pack = self.chance.pack(pack)
        places = [*self.order]
        if table:
            places.insert(-1, self.players)
        drawn = self.pack.draw(cards * len(places))
        hands: list[list[Card]] = [[] for _ in range(self.players + 1)]
        for at, place in enumerate(places):
            hands[place] = drawn[at :: len(places)]
        self.table, self.hands = hands.pop(), hands
        self.knocker = None
        self.turns = 0
        self.shown: list[list[Card]] = []

    # exchanging

    def drawing(self, first: int) -> Story:
        """Round and round from the first, until somebody knocks; after the last round the next seat must.

        Returns the seat on the left of the one that knocked."""
        for seat in cycle(self.in_the_game(first)):
            said = yield Ask(seat, "draw", (KNOCK,) if self.last_round_is_over() else self.may_draw_or_knock(seat))
            if said is KNOCK:
                break
            self.change(seat, said)
            self.turns += 1
        self.knocker = seat
        return self.next_to(seat)

    def last_draws(self, first: int) -> Story:
        """After a knock each seat from the first has one more turn, up to the one that knocked."""
        for seat in self.in_the_game(first):
            if seat == self.knocker:
                return
            self.change(seat, (yield Ask(seat, "draw", (STAND, *self.may_take(seat)))))

    def last_round_is_over(self) -> bool:
        return bool(self.turns >= len(self.order) * self.rules.max_rounds)

    def may_draw_or_knock(self, seat: int) -> tuple[Action, ...]:
        """A turn before the knock."""
        return (KNOCK, *self.may_take(seat))

    def may_take(self, seat: int) -> list[Action]:
        """Any card of the table for any of the hand."""
        hand = self.hands[seat]
        return [draws[laid] for draws in map(draws_of, self.table) for laid in hand]

    def change(self, seat: int, said: Action) -> None:
        """One card of the table for one of the hand, or all for all; who passes or stands changes nothing."""
        hand = self.hands[seat]
        if said is EXCHANGE:
            self.hands[seat], self.table = self.table, hand
        elif said.verb == "draw":
            taken, laid = said.cards
            self.table[self.table.index(taken)] = laid
            hand[hand.index(laid)] = taken

    # the show

    def show(self, key: Callable[[list[Card]], Any]) -> None:
        """All hands are laid open; the greater key is the better hand."""
        self.shown = self.hands
        self.value_of = {seat: key(self.hands[seat]) for seat in self.order}

    def best(self) -> list[int]:
        """The seats with the best hand, in order from the eldest."""
        best = max(self.value_of.values())
        return [seat for seat in self.order if self.value_of[seat] == best]

    def worst(self) -> list[int]:
        """The seats with the worst hand; none if all hands are equal."""
        worst = min(self.value_of.values())
        return [seat for seat in self.order if self.value_of[seat] == worst != max(self.value_of.values())]

    def divide_pool(self, winners: Sequence[int]) -> None:
        """Each has an equal share of the pool; an odd remainder stays there."""
        share = self.pools["pool"] // len(winners)
        for seat in winners:
            self.into_pool(seat, -share)

    # lives

    def new_game(self) -> bool:
        """Once a game is over, and before the first, all lives are restored; whether it was so."""
        fresh = self.over()
        if fresh:
            self.lives = [self.rules.lives] * self.players
        return fresh

    def lose_a_life(self, seats: Sequence[int]) -> None:
        self.lives = [life - (seat in seats) for seat, life in enumerate(self.lives)]

    # words

    def refusal(self, ask: Ask, said: Action) -> str:
        if said.verb == "draw" and len(said.cards) == len(said.words) == 2:
            taken, laid = said.cards
            if taken not in self.table:
                return f"{taken} is not {self.where}"
            if laid not in self.hands[ask.seat]:
                return f"{laid} is not in hand"
        if said == STAND and KNOCK in ask.legal:
            return "nobody has knocked"
        if said in (KNOCK, PASS) and self.knocker is not None:
            return f"seat {self.knocker} has already knocked"
        return "not legal: " + ", ".join(ask.legal[:4]) + (" ..." if len(ask.legal) > 4 else "")
