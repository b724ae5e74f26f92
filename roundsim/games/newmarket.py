"""Newmarket: stops, with stakes on four cards laid out (Baxter-Wray, "Round Games with Cards", 1891, p. 89)."""

from __future__ import annotations

from functools import cached_property
from itertools import permutations, product
from typing import Literal

from roundsim.game import (
    CARD,
    SUITS,
    Action,
    Ask,
    Card,
    OneOf,
    Stops,
    StopsRules,
    Story,
    carried,
    option,
    pack_of,
    say,
    so_many,
)

PACK_48 = pack_of("2345689TJQKA")
FORERUNNER = {"A": "K", "K": "Q", "Q": "J", "J": "T"}  # wins what lies on the card above it


class Newmarket(Stops):
    """Get rid of your cards before anybody else does, and win the counters on the four cards on the table."""

    id = "newmarket"
    title = "Newmarket"
    seats = (3, 10)
    usual = (4, 8)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, p. 89'
    own_places = {"p. 89": "deal_out playing one_run going_on leads follows due play_card pay_for_the_cards_left"}
    pool_names = ("As", "Kc", "Qh", "Jd")
    shows = ("pools",)  # named after the cards on the table
    rules: NewmarketRules

    def deal(self) -> Story:
        self.clear_the_table()
        yield from self.placing()
        self.deal_out(self.rules.whole_pack)
        yield from self.playing()
        self.pay_for_the_cards_left()

    def placing(self) -> Story:
        """Four cards lie on the table during the whole sitting: {layout} (p. 89).

        With later = all: From the eldest hand, the player on the dealer's left, each player in turn places {stake
        counter} on one of them, and the dealer does so twice. Each of the four must have counters in the end (p. 89).

        With later = dealer: In the first deal, each player in turn places {stake counter} on one of them, and the
        dealer does so twice; in later deals only the dealer places, once. Cards without counters come first (p. 89)."""
        seats = [*self.round_from(self.eldest), self.dealer]
        if not self.first and self.rules.later == "dealer":
            seats = [self.dealer]
        self.first = False
        for to_come, seat in zip(range(len(seats), 0, -1), seats, strict=True):
            bare = [card for card in self.pools if not self.pools[card]]
            legal = bare if len(bare) >= to_come else self.pools
            placed = yield Ask(seat, "place", tuple([say("place", card) for card in legal]))
            self.into_pool(seat, self.rules.stake, placed.card, "placed on a card")

    def play_card(self, seat: int, card: Card) -> None:
        """A player who plays the card below one on the table takes the counters on it at once (p. 89), also if the card
        follows (ours). Counters that nobody takes stay for the next deal (p. 89)."""
        super().play_card(seat, card)
        if card in self.rules.taken_by:
            self.take_pool(seat, self.rules.taken_by[card], "won by the forerunner")

    def where_it_is(self, card: Card) -> str:
        """A run ends with a stop: a king, a six, or a card whose next lies on the table or has been played (p. 89)."""
        return "lies on the table" if card in self.pools else super().where_it_is(card)

    def says(self, ask: Ask, action: Action) -> str:
        if ask.phase == "place":
            return f"places {so_many(self.rules.stake, 'counter')} on {action.card}"
        return super().says(ask, action)

    def why_refused(self, ask: Ask, action: Action) -> str:
        if ask.phase == "place" and action.verb == "place":
            return f"{action.card} is not bare" if action.card in self.pools else "only on " + " ".join(self.pools)
        return super().why_refused(ask, action)

    first: bool = carried(True, "whether this is the first deal")

    what_wins = """In each suit the cards follow from low to high: A 2 3 4 5 6, then 8 9 T J Q K, as there are no
sevens. The first player without cards wins (p. 89).

The card below one on the table, of the same suit, wins the counters on it: a ten those on a jack, a jack those on a
queen, a queen those on a king, and a king those on an ace (p. 89)."""
    course = "placing deal_out playing follows where_it_is play_card pay_for_the_cards_left"

    played_with = PACK_48
    phases = {
        "place": "before the cards, the dealer twice: `place As` puts the stake on that card",
        "lead": "`play As`: any card; the holder of the next higher card of the suit must then play it",
    }


def layouts() -> OneOf:
    """Return the four cards in any order, as 'As Kc Qh Jd' (p. 89)."""
    orders = product(permutations("AKQJ"), permutations(SUITS))
    listed = [" ".join(map("".join, zip(ranks, suits, strict=True))) for ranks, suits in orders]
    return OneOf(*listed, words="an ace, a king, a queen and a knave, one of each suit")


class NewmarketRules(StopsRules, of=Newmarket):
    """The options of Newmarket, the cards on the table and those that are dealt."""

    layout: str = option("As Kc Qh Jd", "which four cards lie on the table", "p. 89", values=layouts())
    stake: int = option(1, "how many counters a player places at a time", "p. 89", high=100)
    later: Literal["all", "dealer"] = option(
        "all", "who places counters after the first deal; dealer: the dealer alone, once", "p. 89"
    )
    card_price: int = option(1, "what each player pays for a card left in the hand", "p. 89", high=100)

    @property
    def pool_names(self) -> tuple[Card, ...]:
        """The four cards on the table (p. 89)."""
        return tuple([CARD[word] for word in self.layout.split()])

    @cached_property
    def whole_pack(self) -> tuple[Card, ...]:
        """Without the sevens and the four cards on the table (p. 89)."""
        return tuple([card for card in PACK_48 if card not in self.pool_names])

    @cached_property
    def taken_by(self) -> dict[Card, Card]:
        """The card that takes the stakes of each: the one below it, the ace above the king (p. 89)."""
        return {CARD[FORERUNNER[card[0]] + card.suit]: card for card in self.pool_names}
