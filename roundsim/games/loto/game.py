"""Loto: cards of numbers, and knobs drawn from a bag (Baxter-Wray, "Round Games with Cards", 1891, pp. 108-112)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from roundsim.game import Action, Ask, Deal, Each, Story, TableView, carried, public

from .cards import card_set, laid_out, may_take

if TYPE_CHECKING:
    from . import LotoRules


class Loto(Deal):
    """Cover the numbers on your cards as they are drawn, and fill rows before anybody else does."""

    id = "loto"
    title = "Loto"
    family = "drawing"
    seats = (2, 24)
    usual = (4, 12)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, pp. 108-112'
    pool_names = ("pool",)
    keys = ("cards", "stock", "knobs", "final", "last")
    imaginable = False  # the order of the stock is hidden, and is not of cards
    rules: LotoRules

    knobs: Sequence[int] = ()
    final = False

    def deal(self) -> Story:
        self.lay_out_the_set()
        yield from self.taking_cards()
        self.draw_knobs()
        self.settle()

    def lay_out_the_set(self) -> None:
        """All cards are shuffled into a stock (p. 109).

        With caller = dealer: The dealer, who calls the numbers, takes no card and pays nothing (p. 109)."""
        given = self.chance.key("cards")
        if given is not None:
            self.own_set = list(given)
        self.set, self.rows = laid_out(tuple(self.own_set) or card_set(self.rules.set_seed))
        seats = self.round_from(self.eldest)
        self.players_in = seats[:-1] if self.rules.caller == "dealer" else seats
        if self.begins_anew():
            self.in_stock = list(self.set) if self.own_set else self.chance.shuffled(self.set, "stock")
            self.cards, self.held = [[] for _ in range(self.players)], [0] * self.players

    def begins_anew(self) -> bool:
        """The cards are dealt for each game (p. 109)."""
        return True

    def taking_cards(self) -> Story:
        """From the dealer's left, each player takes cards from the top of the stock (pp. 109-110).

        With method = 1 and max_cards = 1: Each takes one (p. 109).

        Without max_cards = 1: Each takes 1 to {max_cards} (p. 109), and leaves one for each player after them (ours)."""
        takes, seats = self.rules.takes, self.players_in
        for later, seat in zip(range(len(seats) - 1, -1, -1), seats, strict=True):
            most = self.stock - takes[0] * later
            self.buy(seat, (yield Ask(seat, "cards", may_take(takes, most))).amount)

    def buy(self, seat: int, taken: int) -> None:
        """They pay {price counter} for each card into the pool (pp. 109-110, 112)."""
        self.into_pool(seat, taken * self.rules.price, why="cards are paid for")
        self.take_from_stock(seat, taken)

    def take_from_stock(self, seat: int, taken: int) -> None:
        self.cards[seat] = [*self.cards[seat], *self.in_stock[:taken]]
        self.in_stock, self.held = self.in_stock[taken:], [*self.held]
        self.held[seat] += taken

    @property
    def stock(self) -> int:
        return len(self.in_stock)

    def draw_knobs(self) -> None:
        """Out of the bag, and their numbers are covered on the cards (pp. 110-111)."""
        raise NotImplementedError

    def settle(self) -> None:
        """The pool goes to those who have covered what wins (pp. 109, 111)."""
        raise NotImplementedError

    def says(self, ask: Ask, action: Action) -> str:
        if action.amount and action.verb in ("take", "buy"):
            return f"{action.verb}s {action.amount} card{'s' * (action.amount > 1)}"
        return super().says(ask, action)

    def refusal(self, ask: Ask, action: Action) -> str:
        return f"cards: {self.why_refused(ask, action)}"

    def why_refused(self, ask: Ask, action: Action) -> str:
        return "you may " + ", ".join(ask.legal) if action.verb == "take" else "not a legal action"

    held: list[int] = carried(lambda rules, dealer: [0] * rules.players, "how many cards each seat holds", names="each")
    cards: list[list[int]] = carried(
        lambda rules, dealer: [[] for _ in range(rules.players)],
        "the numbers of the cards that each seat holds",
        names="each",
    )
    in_stock: list[int] = carried([], "the numbers of the cards in the stock, from the top")
    away: int = carried(0, "how many knobs are put away")
    knobs_away: list[int] = carried([], "which knobs are put away")
    own_set: list[str] = carried([], "a set of cards given by a script; empty in play")

    what_wins = """There are 24 cards, each with three rows of five numbers from 1 to 90 (pp. 108-109).

With method = 1 and prizes = quarters: The first whole row wins a quarter of the pool, the first two whole rows on one card
another quarter, and the first whole card the rest (pp. 109-110).

With method = 1 and prizes = card: The first whole card wins the pool (p. 109).

With method = 1 and prizes = saved: The first whole card wins what the numbers covered leave of the pool (pp. 109-110).

With method = 2: Each row is paid for the numbers covered in it: abstract, one number, 1 counter; ambo, two, 7; terne,
three, 28; quaterne, four, 104; quinterne, all five, 255 (p. 111)."""

    played_with = ()
    phases = {
        "cards": "`take 2` takes and pays for two cards; method 2, later drawings: `keep`, `buy 2`, `throw 3 7` to give cards"
        " back, or `change 3` for the top card of the stock",
    }

    class View(TableView):
        """The names that everybody sees at Loto: all except the order of the stock."""

        set: Mapping[int, str] = public(
            "every card by its number: its rows, as '3 26 32 56 80 / 14 49 66 75 88 / 19 29 38 68 78'"
        )
        cards: Each[tuple[int, ...]] = public()
        held: Each[int] = public()
        stock: int = public("how many cards are in the stock")
        knobs_away: tuple[int, ...] = public("the knobs that are put away")
        knobs: tuple[int, ...] = public("the knobs drawn in this deal, in order")
        final: bool = public("whether this drawing is final: nobody pays again")
