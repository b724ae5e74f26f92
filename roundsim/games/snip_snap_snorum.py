"""Snip-Snap-Snorum: pairing the card just played (Baxter-Wray, "Round Games with Cards", 1891, pp. 90-94)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..actions import Action
from ..cards import PACK, PACK_32, Card
from ..options import OneOf, Option, Rules, between
from ..table import Ask, Carry, Deal, Story


class SnipSnapSnorum(Deal):
    """Who pairs the card played before his makes its player pay: one for Snip, two for Snap, three for Snorum."""

    id = "snip-snap-snorum"
    title = "Snip-Snap-Snorum"
    family = "stops"
    seats = (2, 10)
    usual = (5, 6)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, pp. 90-94'
    course = """Every player has counters, his lives, and five cards. In turn from the eldest hand each plays a card;
he must pair the one played before his if he can, and its player then pays into the pool: one counter for a Snip, two
for a Snap, if the card paired had itself paired one, and three for a Snorum. Who has paid his last counter is out, and
who was out first deals the next game; the last one left takes the pool. A card may be turned up before the play
(turn_up), to be paired like one just played: the dealer pays for it, or the pool, out of which he who pairs it takes a
counter.

Whole: the whole pack is dealt, and one plays card after card until his next on the left pairs it, and goes on.

Unlimited: as whole, but counters are without end and nobody is out; the first without cards takes the pool."""

    options = (
        Option(
            "variant",
            "five",
            OneOf("five", "whole", "unlimited"),
            "five cards each; the whole pack; the whole pack, and counters without end",
            "Baxter-Wray pp. 91-94",
        ),
        Option("pack", 52, OneOf(52, 32), "with 32: seven to ace, for at most six players", "Baxter-Wray pp. 90-91"),
        Option(
            "lives", 5, between(1, 100), "five, whole: counters of each at the beginning of a game", "Baxter-Wray p. 91"
        ),
        Option(
            "turn_up",
            "off",
            OneOf("off", "dealer", "pool"),
            "five: a card is turned up to be paired, as if the dealer had played it, or the pool",
            "Baxter-Wray p. 94",
        ),
    )

    @classmethod
    def refusals(cls, rules: Rules) -> Iterator[str]:
        if rules.turn_up != "off" and rules.variant != "five":
            yield f'turn_up = "{rules.turn_up}" with variant = "{rules.variant}": all cards are dealt'
        if rules.pack == 32 and rules.players > 6:
            yield f"pack = 32 with {rules.players} players: at most six"

    @classmethod
    def sitting(cls, rules: Rules) -> int:
        """Each seat deals once; of five cards as often as there are lives, which is some games."""
        return int(rules.players * (rules.lives if rules.variant == "five" else 1))

    pool_names = ("pool",)
    carried = {
        "lives": Carry(lambda rules, dealer: [rules.lives] * rules.players, "the counters of each seat", names="each"),
        "first_out": Carry(
            -1, "the seat that was out first in this game, and deals the next one; -1: none yet", names="seat"
        ),
    }
    phases = {
        "play": "`play As`: any card; five: one that pairs the last, if there is one in hand",
        "pair": "whole, unlimited, to the next on the left who can pair: `play As`, a card of the same rank",
    }
    public = {
        "turn_up": "the card turned up; None without that option",
        "played": "every card played in this deal, in order, and the seat that played it",
        "last": "the card that may be paired; None before the first",
        "level": "0 for a card that pairs nothing, 1 for a Snip, 2 for a Snap, 3 for a Snorum",
        "cards_left": "how many cards each seat holds",
        **{name: carry.help for name, carry in carried.items()},
    }

    lives: list[int]
    first_out: int
    dealer_of_next_game: int | None = None  # when this deal has ended a game

    def deal(self) -> Story:
        self.deal_cards()
        yield from self.in_turn() if self.rules.variant == "five" else self.by_the_active()

    def in_the_game(self, first: int) -> Sequence[int]:
        """Those who have lives; with counters unlimited all."""
        seats = self.round_from(first)
        return seats if self.rules.variant == "unlimited" else [seat for seat in seats if self.lives[seat]]

    def deal_cards(self) -> None:
        """Five each, and a card may be turned up; or all of them, so that the first ones may have one more."""
        cards = PACK if self.rules.pack == 52 else PACK_32
        self.pack = self.chance.pack(cards)
        seats = self.in_the_game(self.next_to(self.dealer))
        self.eldest = seats[0]
        drawn = self.pack.draw(5 * len(seats) if self.rules.variant == "five" else len(cards))
        self.hands: list[list[Card]] = [[] for _ in range(self.players)]
        for place, seat in enumerate(seats):
            self.hands[seat] = drawn[place :: len(seats)]
        self.turn_up: Card | None = self.pack.draw(1)[0] if self.rules.turn_up != "off" else None
        self.played: dict[Card, int] = {}
        self.last, self.level = self.turn_up, 0
        self.player: Any = self.dealer if self.rules.turn_up == "dealer" else None

    def in_turn(self) -> Story:
        """Five cards each: round and round, and who can must pair the last card."""
        seat = self.eldest
        while self.hands[seat] and self.dealer_of_next_game is None:
            card = (yield Ask(seat, "play", self.pairing(seat) or self.any_card(seat))).card
            self.play_card(seat, card)
            seat = self.in_the_game(self.next_to(seat))[0]

    def by_the_active(self) -> Story:
        """The whole pack: one plays card after card, until his next can pair and becomes the active one himself.

        The deal ends when no two have cards; with counters unlimited when one has none."""
        active, unlimited = self.eldest, self.rules.variant == "unlimited"
        while len(left := [seat for seat in self.in_the_game(active) if self.hands[seat]]) > 1:
            active = left[0]
            self.last = None
            self.play_card(active, (yield Ask(active, "play", self.any_card(active))).card)
            while (following := self.next_with_cards(active)) is not None and (legal := self.pairing(following)):
                was_last = not self.hands[active]
                self.play_card(following, (yield Ask(following, "pair", legal)).card)
                if self.dealer_of_next_game is not None:
                    return
                if unlimited and was_last:
                    break
                active = following
            if unlimited and not self.hands[active]:
                self.take_pool(active)
                return

    def next_with_cards(self, active: int) -> int | None:
        """The first on his left who has cards; None if nobody else has."""
        others = self.in_the_game(self.next_to(active))
        return next((seat for seat in others if self.hands[seat] and seat != active), None)

    def any_card(self, seat: int) -> tuple[Action, ...]:
        return tuple([card.play for card in self.hands[seat]])

    def pairing(self, seat: int) -> tuple[Action, ...]:
        """The cards with which a seat can pair the last one."""
        return tuple([card.play for card in self.hands[seat] if self.last is not None and card.rank == self.last.rank])

    def play_card(self, seat: int, card: Card) -> None:
        """A card that pairs the last one makes its player pay, more for every pair on end."""
        self.hands[seat].remove(card)
        self.played[card] = seat
        pairs = self.last is not None and card.rank == self.last.rank
        self.level = self.level + 1 if pairs else 0
        if pairs and self.player is None:
            self.draw_from_the_pool(seat)
        elif pairs:
            self.pay_for_the_pair(self.player)
        self.last, self.player = card, seat

    def draw_from_the_pool(self, seat: int) -> None:
        """Who pairs the pool's card takes a counter from it."""
        if self.pools["pool"]:
            self.into_pool(seat, -1)
            self.lives[seat] += 1

    def pay_for_the_pair(self, payer: int) -> None:
        """As much as the level, or what he has left; with his last counter he is out."""
        if self.rules.variant == "unlimited":
            self.into_pool(payer, self.level)
            return
        counters = min(self.level, self.lives[payer])
        self.into_pool(payer, counters)
        self.lives[payer] -= counters
        if not self.lives[payer]:
            self.put_out(payer)

    def put_out(self, seat: int) -> None:
        """His cards are put away.  The last one left takes the pool, and who was out first deals the next game."""
        self.hands[seat] = []
        if self.first_out == -1:
            self.first_out = seat
        last, *others = self.in_the_game(seat)
        if not others:
            self.take_pool(last)
            self.dealer_of_next_game, self.first_out = self.first_out, -1
            self.lives = [self.rules.lives] * self.players

    def next_dealer(self) -> int:
        if self.dealer_of_next_game is not None:
            return self.dealer_of_next_game
        return self.in_the_game(self.next_to(self.dealer))[0]

    @property
    def cards_left(self) -> list[int]:
        return [len(hand) for hand in self.hands or ()]

    def refusal(self, ask: Ask, said: Action) -> str:
        if said.card and said == said.card.play:
            in_hand = said.card in self.hands[ask.seat]
            return f"{ask.phase}: " + (f"{self.last} must be paired" if in_hand else f"{said.card} is not in hand")
        return f"{ask.phase}: not a legal action"
