"""Jig: stops, in runs of five cards at most (Baxter-Wray, "Round Games with Cards", 1891, pp. 95-96, where it is the
second game under the name Snip-Snap-Snorum)."""

from __future__ import annotations

from typing import Literal

from roundsim.game import PACK, Action, Ask, Card, Stops, StopsRules, Story, option

CALLED = ("Snip", "Snap", "Snorum", "Hicockalorum", "Jig")


class Jig(Stops):
    """Get rid of your cards before anybody else does, by playing them in sequence."""

    id = "jig"
    title = "Jig"
    seats = (2, 10)
    usual = (4, 6)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, pp. 95-96'
    own_places = {
        "p. 95": "deal_out playing one_run going_on leads follows due play_card",
        "p. 96": "pay_for_the_cards_left",
    }
    pool_names = ("pool",)
    rules: JigRules

    def deal(self) -> Story:
        self.clear_the_table()
        self.pay_the_pool()
        self.deal_out(PACK)
        yield from self.playing()
        self.settle()

    def pay_the_pool(self) -> None:
        """With pool = each: Each player pays {pool_stake counter} into a pool (p. 96).

        With pool = dealer: The dealer pays {pool_stake counter} into a pool (p. 96)."""
        pool = self.rules.pool
        for seat in self.round_from(self.eldest):
            if pool == "each" or pool == "dealer" and seat == self.dealer:
                self.into_pool(seat, self.rules.pool_stake, why="paid into the pool")

    def due(self) -> Card | None:
        """The five cards of a run are called Snip, Snap, Snorum, Hicockalorum and Jig. The run ends with Jig, or before
        it with a stop: a king, or a card whose next has been played (p. 95)."""
        return super().due() if len(self.run) < 5 else None

    def settle(self) -> None:
        """Play ends as soon as one player has no cards. Each other player pays the winner {card_price counter} for
        every card they have left (pp. 95-96).

        With pool = each or dealer: The winner takes the pool (p. 96)."""
        self.take_pool(self.winner, why="the winner takes the pool")
        self.pay_for_the_cards_left()

    @classmethod
    def bound(cls, rules: JigRules) -> int:
        """The eldest, whose hand is the largest, is out before anybody else plays, and takes the pool (pp. 95-96)."""
        largest = -(-len(PACK) // rules.players)
        payers = {"none": 0, "dealer": 1, "each": rules.players - 1}[rules.pool]
        return (len(PACK) - largest) * rules.card_price + payers * rules.pool_stake

    def why_a_stop(self, card: Card) -> str | None:
        return super().why_a_stop(card) if len(self.run) < 5 else f"{card} is Jig, and ends the run"

    def says(self, ask: Ask, action: Action) -> str:
        return f"{super().says(ask, action)}: {CALLED[0 if self.stopped else len(self.run)]}"

    what_wins = """In each suit the cards follow from low to high: A 2 3 4 5 6 7 8 9 T J Q K. The first player without
cards wins (pp. 95-96)."""
    course = "pay_the_pool deal_out playing follows due settle"

    phases = {"lead": "`play As`: any card; the holder of the next higher card of the suit must then play it"}


class JigRules(StopsRules, of=Jig):
    """The options of Jig."""

    card_price: int = option(1, "what each player pays for a card left in the hand", "p. 95", high=100)
    pool: Literal["none", "each", "dealer"] = option("none", "who pays into a pool, which the winner takes", "p. 96")
    pool_stake: int = option(1, "one payment into the pool", "p. 96", high=100)
