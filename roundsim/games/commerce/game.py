"""The rules and the view that all forms of Commerce share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from roundsim.game import STAND, Action, Ask, ForLives, Seat, Story, carried, public, say

if TYPE_CHECKING:
    from . import CommerceRules

TRIPLET, SEQUENCE, FLUSH, PAIR, POINT, NOTHING = 5, 4, 3, 2, 1, 0


class Commerce(ForLives):
    """Trade one card at a time for a better hand of three, and hold the best when somebody stands."""

    id = "commerce"
    title = "Commerce"
    family = "commerce"
    seats = (2, 12)
    usual = (5, 8)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, pp. 70-76; Foster, "The Poker Family", section Commerce'
    shows = ("table", "shown")
    unseen_verbs = ("buy", "barter", "give")
    rules: CommerceRules
    with_table: ClassVar[bool]  # whether three cards are dealt to the table
    triplet: ClassVar[str] = "a triplet"

    def deal(self) -> Story:
        self.pay_in()
        self.deal_cards()
        yield from self.commerce()
        self.show()
        self.settle()

    def pay_in(self) -> None:
        raise NotImplementedError

    def deal_cards(self) -> None:
        """Each player gets three cards, one at a time (Baxter-Wray pp. 72, 74; Foster, section Commerce).

        With variant = old, pool or foster-widow: Three more lie face up on the table (Baxter-Wray pp. 72, 74; Foster,
        section Commerce)."""
        self.table = self.deal_hands(3, self.rules.all_cards, self.with_table)
        self.trading = [*self.order]
        self.stood: list[int] = []

    def commerce(self) -> Story:
        """Each player in turn, round and round to the left, as long as anybody trades (Baxter-Wray pp. 73-74; Foster,
        section Commerce)."""
        while self.trading:
            seat = self.trading[0]
            yield from self.turn(seat)
            self.turns += 1
            if seat in self.trading:
                self.trading.append(self.trading.pop(0))

    def turn(self, seat: int) -> Story:
        raise NotImplementedError

    def settle(self) -> None:
        raise NotImplementedError

    def next_dealer(self) -> int:
        """The next in the game (Baxter-Wray p. 75)."""
        return self.in_the_game(self.eldest)[0]

    def over(self) -> bool:
        """A game of lives is over when only one has any (Baxter-Wray p. 75; Foster, section Commerce)."""
        return self.rules.with_lives and sum(map(bool, self.lives)) < 2

    def in_the_game(self, first: int) -> Sequence[int]:
        """A player without lives gets no cards until a new game begins (Baxter-Wray p. 75; Foster, section Commerce)."""
        seats = self.order_from[first]
        return [seat for seat in seats if self.lives[seat]] if self.rules.with_lives and not self.over() else seats

    @property
    def stock(self) -> int:
        return len(self.pack)

    def named(self, seat: int) -> str:
        kind, *count = self.value_of[seat]
        names = {TRIPLET: self.triplet, SEQUENCE: "a sequence", FLUSH: "a flush", PAIR: "a pair", NOTHING: "no point"}
        return names.get(int(kind)) or f"a point of {count[0]}"

    def says(self, ask: Ask, action: Action) -> str:
        if action.verb == "buy":
            return f"buys a card, and puts out {action.card or 'another'}"
        if action.verb in ("barter", "give"):
            return f"{'offers' if action.verb == 'barter' else 'gives'} {action.card or 'a card'} in barter"
        return SAYS.get(ask.phase, {}).get(action) or super().says(ask, action)

    def refusal(self, ask: Ask, action: Action) -> str:
        if action.verb in ("buy", "barter", "give") and action.card and len(action.words) == 1:
            if action.card not in self.hands[ask.seat]:
                return f"{action.card} is not in hand"
            if action.verb == "buy" and not self.stock:
                return "no cards left"
            if action.verb == "barter" and self.rules.extended and len(self.trading) < 2:
                return "nobody to barter with"
        if action == STAND and self.with_table and len(self.stood) == 2:
            return "two have stood"
        return super().refusal(ask, action)

    def seen(self, ask: Ask, action: Action) -> Action:
        return say(action.verb) if action.verb in self.unseen_verbs else action

    horse: bool = carried(False, "pool: whether a horse has been offered in this game")

    played_with = "all_cards"
    phases = {
        "trade": "modern and foster: `stand` (foster: `knock`), `buy 2c` or `barter 2c`; old and pool: `pass`, `stand`,"
        " or `draw As 2c`, the ace for your two",
        "answer": "modern and foster, to the player who is offered a card unseen: `give 2c`, or `stand` (foster: `knock`)",
        "declare": "modern, after a trade: `stand`, or `pass`",
        "dealer": "foster-widow, to the dealer, before they see their cards: `yes` for those on the table, or `no`",
        "draw": "foster-widow: `draw As 2c`, or `knock`",
        "horse": "pool, to a player who has just lost the last life: `yes` to buy another, or `no`",
    }

    class View(ForLives.View):
        """The names that everybody sees at Commerce."""

        trading: tuple[Seat, ...] = public("the seats that still trade or exchange, the one whose turn it is first")
        stood: tuple[Seat, ...] = public("the seats that have stood (foster: knocked), in order")
        stock: int = public("how many cards are left in the pack")
        turns: int = public(
            "how many turns are over; after `max_rounds` rounds the next must stand or knock (old, pool: all pass)"
        )
        horse: bool = public()


SAYS = {
    "answer": {"stand": "stands instead of giving one", "knock": "knocks instead of giving one"},
    "declare": {"pass": "does not stand yet"},
    "dealer": {"yes": "changes his cards, unseen, for the widow", "no": "keeps his cards, unseen"},
    "horse": {"yes": "buys a horse, one life more", "no": "buys no horse"},
}


def top_of_sequence(ranks: Sequence[float]) -> float:
    """Three that follow on each other; three, deuce, ace is the lowest (Baxter-Wray p. 71; Foster, section Commerce).

    The rank of the highest, 3 in the lowest; 0 if they are no sequence. They are given in order, the highest first."""
    return 3 if ranks == [14, 3, 2] else ranks[0] if ranks[0] - ranks[2] == 2 else 0
