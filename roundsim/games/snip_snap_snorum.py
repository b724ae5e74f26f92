"""Snip-Snap-Snorum: pairing the card just played (Baxter-Wray, "Round Games with Cards", 1891, pp. 90-94)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from roundsim.game import (
    Action,
    Ask,
    Card,
    Deal,
    Each,
    Rules,
    Seat,
    Story,
    TableView,
    carried,
    in_turn,
    option,
    public,
    tells,
)

PAIRED = "", "a Snip", "a Snap", "a Snorum"  # by its level


class SnipSnapSnorum(Deal):
    """Keep your counters longest: pair the card just played, so that its player must pay."""

    id = "snip-snap-snorum"
    title = "Snip-Snap-Snorum"
    family = "stops"
    seats = (2, 10)
    usual = (5, 6)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, pp. 90-94'
    pool_names = ("pool",)
    shows = ("turn_up",)
    rules: SnipSnapSnorumRules

    turn_up: Card | None = None
    last: Card | None = None
    player: int | None = None  # who has played it; None: the pool
    level = 0
    dealer_of_next_game: int | None = None  # when this deal has ended a game

    def deal(self) -> Story:
        self.deal_cards(self.in_the_game(self.next_to(self.dealer)))
        yield from self.playing()
        self.settle()

    def in_the_game(self, first: int) -> Sequence[int]:
        """At the beginning of a game, which lasts several deals, each player has {lives counter}. Players who have paid
        their last counter are out (pp. 91-92)."""
        return [seat for seat in self.round_from(first) if self.lives[seat]]

    @tells(lambda deal, seats: deal.what_is_turned_up())
    def deal_cards(self, seats: Sequence[int]) -> None:
        """Each player gets five cards, one at a time (p. 91).

        With turn_up = dealer: A card is turned up, as if the dealer had played it (p. 94).

        With turn_up = pool: A card is turned up, as if the pool had played it (p. 94)."""
        self.take_the_pack(seats)
        self.hands = self.deal_singly(5, seats)
        if self.rules.turn_up != "off":
            self.turn_up = self.last = self.pack.draw(1)[0]
        if self.rules.turn_up == "dealer":
            self.player = self.dealer

    def take_the_pack(self, seats: Sequence[int]) -> None:
        self.eldest = seats[0]
        self.pack = self.chance.pack(self.rules.all_cards)
        self.played: dict[Card, int] = {}

    def playing(self) -> Story:
        """From the eldest hand, the player on the dealer's left, each player in turn plays one card, until all cards
        are played. Players must pair the card just played if they can (pp. 91-93)."""
        seat, *others = self.in_the_game(self.eldest)
        while others and self.hands[seat]:
            card = (yield Ask(seat, "play", self.pairing(seat) or self.any_card(seat))).card
            self.play_card(seat, card)
            seat, *others = self.in_the_game(self.next_to(seat))

    def any_card(self, seat: int) -> tuple[Action, ...]:
        return tuple([card.play for card in self.hands[seat]])

    def pairing(self, seat: int) -> tuple[Action, ...]:
        """Only the card just played can be paired (p. 92)."""
        return tuple([card.play for card in self.hands[seat] if self.last is not None and card.rank == self.last.rank])

    def play_card(self, seat: int, card: Card) -> None:
        """A card that pairs the last one makes its player pay: Snip, and if it goes on Snap and Snorum (pp. 91-92)."""
        self.hands[seat].remove(card)
        self.played[card] = seat
        if self.last is None or card.rank != self.last.rank:
            self.level = 0
        else:
            self.level += 1
            if self.player is None:
                self.draw_from_the_pool(seat)
            else:
                self.pay_for_the_pair(self.player)
        self.last, self.player = card, seat

    def draw_from_the_pool(self, seat: int) -> None:
        """With turn_up = pool: A player who pairs the card of the pool takes a counter from it (p. 94)."""
        if self.pools["pool"]:
            self.into_pool(seat, -1, why="the card of the pool is paired")
            self.lives[seat] += 1

    def pay_for_the_pair(self, payer: int) -> None:
        """Whenever a card is paired, its player pays one counter for a Snip, two for a Snap or three for a Snorum into
        the pool (p. 91).

        A player who has fewer counters pays those (ours)."""
        counters = min(self.level, self.lives[payer])
        self.into_pool(payer, counters, why="his card is paired")
        self.lives[payer] -= counters
        if not self.lives[payer]:
            self.put_out(payer)

    @tells("seat {seat} has paid his last counter, and is out")
    def put_out(self, seat: int) -> None:
        """Without variant = unlimited: The cards of players who are out are put away (p. 92). The first to be out deals
        the next game (p. 93)."""
        self.hands[seat] = []
        if self.first_out == -1:
            self.first_out = seat

    @tells(lambda deal: deal.whether_the_game_is_over())
    def settle(self) -> None:
        """If only one player has counters left, that player takes the pool, and a new game begins; otherwise the pool
        stays for the next deal (pp. 91-93)."""
        last, *others = self.in_the_game(self.eldest)
        if not others:
            self.take_pool(last, why="the last one left")
            self.dealer_of_next_game, self.first_out = self.first_out, -1
            self.lives = [self.rules.lives] * self.players

    def next_dealer(self) -> int:
        """The next who is in the game (p. 92); of a new game who was out first in the last one (p. 93)."""
        if self.dealer_of_next_game is not None:
            return self.dealer_of_next_game
        return self.in_the_game(self.next_to(self.dealer))[0]

    @classmethod
    def bound(cls, rules: SnipSnapSnorumRules) -> int:
        """The last one left, who had a single counter, has all counters of the game (p. 92)."""
        return rules.players * rules.lives - 1

    @property
    def cards_left(self) -> list[int]:
        return [len(hand) for hand in self.hands]

    def what_is_turned_up(self) -> str | None:
        by = "the pool" if self.player is None else "the dealer"
        return f"{self.turn_up} is turned up, as if {by} had played it" if self.turn_up else None

    def whether_the_game_is_over(self) -> str | None:
        first = self.dealer_of_next_game
        return None if first is None else f"the game is over; seat {first} was out first, and deals the next"

    def says(self, ask: Ask, action: Action) -> str:
        if self.pairing(ask.seat):
            return f"pairs {self.last} with {action.card}: {PAIRED[self.level + 1]}"
        return super().says(ask, action)

    def refusal(self, ask: Ask, action: Action) -> str:
        if action.card and action == action.card.play:
            in_hand = action.card in self.hands[ask.seat]
            return f"{ask.phase}: " + (f"{self.last} must be paired" if in_hand else f"{action.card} is not in hand")
        return f"{ask.phase}: not a legal action"

    lives: list[int] = carried(
        lambda rules, dealer: [rules.lives] * rules.players, "the counters of each seat", names="each"
    )
    first_out: int = carried(
        -1, "the seat that was out first in this game and deals the next one; -1: none yet", names="seat"
    )

    what_wins = """Only ranks count: a card pairs the one played just before it if both have the same rank (pp. 91-92).

The player of a card that is paired pays one counter for a Snip. If the next card pairs it again, that is a Snap and
costs two, and the fourth card of the rank is a Snorum and costs three (pp. 91-92).

Without variant = unlimited: The last player who has counters takes the pool (p. 92).

With variant = unlimited: Nobody runs out of counters, and the first player without cards takes the pool (p. 94)."""
    course = "in_the_game deal_cards playing pay_for_the_pair draw_from_the_pool put_out settle"

    played_with = "all_cards"
    phases = {
        "play": "`play As`: any card; in the game of five cards one that pairs the last, if you can",
        "pair": "whole and unlimited, to the next player on the left if they can pair: `play As`, a card of the same rank",
    }

    class View(TableView):
        """The names that everybody sees at Snip-Snap-Snorum."""

        turn_up: Card | None = public("the card turned up; None without that option")
        played: Mapping[Card, Seat] = public("the cards played in this deal, in order, and the seat that played each")
        last: Card | None = public("the card that may be paired; None before the first card")
        level: int = public("what the last card is: 0 no pair, 1 a Snip, 2 a Snap, 3 a Snorum")
        cards_left: Each[int] = public("how many cards each seat holds")
        lives: Each[int] = public()
        first_out: Seat = public()


class WholePack(SnipSnapSnorum):
    """The whole pack is dealt, and one plays card after card until his next pairs one, and goes on."""

    course = "in_the_game deal_cards playing goes_on pay_for_the_pair put_out settle"

    def deal_cards(self, seats: Sequence[int]) -> None:
        """The whole pack is dealt, one card at a time; the first players may get one more than the others (p. 93)."""
        self.take_the_pack(seats)
        self.hands = in_turn(self.pack.draw(len(self.pack)), seats, self.players, len(seats))

    def playing(self) -> Story:
        """The eldest hand, the player on the dealer's left, plays card after card, until the next player with cards on
        the left can pair one. That player must, and goes on instead, and so do those who follow (pp. 93-94)."""
        active = self.eldest
        while self.goes_on():
            active = next(seat for seat in self.round_from(active) if self.hands[seat])
            self.last = None
            self.play_card(active, (yield Ask(active, "play", self.any_card(active))).card)
            while (following := self.who_pairs(active)) is not None:
                active = following
                self.play_card(active, (yield Ask(active, "pair", self.pairing(active))).card)

    def goes_on(self) -> bool:
        """When a player has no cards left, the next one goes on (p. 94), as long as two have any (ours)."""
        return sum(map(bool, self.hands)) > 1

    def who_pairs(self, active: int) -> int | None:
        """His next on the left, if he can: the first who has cards; None if he cannot (p. 93; who has cards: ours)."""
        following = next((seat for seat in self.round_from(active)[1:] if self.hands[seat]), None)
        return following if following is not None and self.pairing(following) else None


class Unlimited(WholePack):
    """The whole pack, and counters without end: the first without cards takes the pool."""

    winner: int

    def in_the_game(self, first: int) -> Sequence[int]:
        """The players have counters without end, and nobody is ever out (p. 94)."""
        return self.round_from(first)

    @tells(lambda deal, seat, card: None if deal.hands[seat] else deal.out_of_cards(seat))
    def play_card(self, seat: int, card: Card) -> None:
        """The first without cards wins (p. 94)."""
        nobody_was_out = all(self.hands)
        super().play_card(seat, card)
        if nobody_was_out and not self.hands[seat]:
            self.winner = seat

    def pay_for_the_pair(self, payer: int) -> None:
        """Whenever a card is paired, its player pays one counter for a Snip, two for a Snap or three for a Snorum into
        the pool (p. 94)."""
        self.into_pool(payer, self.level, why="his card is paired")

    def goes_on(self) -> bool:
        """Each deal is complete in itself, and ends as soon as one player has no cards (p. 94)."""
        return all(self.hands)

    @classmethod
    def bound(cls, rules: SnipSnapSnorumRules) -> int:
        """For each rank a Snip, a Snap and a Snorum are paid, of one, two and three counters (pp. 91, 94)."""
        return len(rules.all_cards) // 4 * (1 + 2 + 3)

    def out_of_cards(self, seat: int) -> str:
        return f"seat {seat} is out of cards{'' if seat == self.winner else f', after seat {self.winner}'}"

    def who_pairs(self, active: int) -> int | None:
        """The winner's last card is still paired, and no other after it (ours)."""
        return super().who_pairs(active) if all(self.hands) or active == self.winner else None

    def settle(self) -> None:
        """The first player without cards takes the pool (p. 94)."""
        self.take_pool(self.winner, why="the first without cards")


class SnipSnapSnorumRules(Rules, of=SnipSnapSnorum):
    """The options of Snip-Snap-Snorum."""

    variant: Literal["five", "whole", "unlimited"] = option(
        "five",
        "whether five cards are dealt to each, or the whole pack, or the whole pack with counters without end",
        "pp. 91-94",
    )
    pack: Literal[52, 32] = option(52, "with 32 the cards run from seven to ace, for at most six players", "pp. 90-91")
    lives: int = option(
        5, "how many counters each player has at the beginning of a game", "p. 91", high=100, variant=("five", "whole")
    )
    turn_up: Literal["off", "dealer", "pool"] = option(
        "off", "five: whether a card is turned up to be paired, as if the dealer or the pool had played it", "p. 94"
    )

    def refusals(self) -> Iterator[str]:
        if self.turn_up != "off" and self.variant != "five":
            yield f'turn_up = "{self.turn_up}" with variant = "{self.variant}": all cards are dealt'
        if self.pack == 32 and self.players > 6:
            yield f"pack = 32 with {self.players} players: at most six"

    @property
    def played_by(self) -> type[SnipSnapSnorum]:
        return {"five": SnipSnapSnorum, "whole": WholePack, "unlimited": Unlimited}[self.variant]

    @property
    def sitting(self) -> int:
        """Each seat deals once; of five cards as often as there are lives, which is some games (ours)."""
        return self.players * (self.lives if self.variant == "five" else 1)
