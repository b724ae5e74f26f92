"""Loto by the first method: three prizes (Baxter-Wray, "Round Games with Cards", 1891, pp. 109-110)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from roundsim.game import moves_counters, tells

from .cards import KNOBS, CardRows, card_set
from .game import Loto

if TYPE_CHECKING:
    from . import LotoRules

PLACES = bytes(range(len(KNOBS)))
ROWS, CARD = ("the first row", "the first two rows"), "the first whole card"


class FirstMethod(Loto):
    """The first to have a whole card covered wins the pool, or what rows or the numbers covered leave of it."""

    @tells(lambda deal: f"{len(deal.knobs)} knobs are drawn, the last of them {deal.knobs[-1]}")
    def draw_knobs(self) -> None:
        """Rapidly, one by one, until the first card is whole (p. 110)."""
        order = self.chance.shuffled(KNOBS, "knobs")
        self.whole = when_whole(order, [[*map(self.rows.__getitem__, self.cards[seat])] for seat in self.players_in])
        self.knobs = order[: min(self.whole[2]) + 1]

    def settle(self) -> None:
        """The first whole card takes the pool, or what rows or the numbers covered leave of it (pp. 109-110)."""
        winners = self.first_to_have(3)
        if self.rules.prizes == "quarters":
            self.award_rows()
        elif self.rules.prizes == "saved":
            self.pay_for_the_covered(winners)
        self.award(self.pools["pool"], winners, CARD)

    def first_to_have(self, rows: int) -> list[int]:
        """Those who have so many whole rows with the same knob win together, or the eldest of them alone (ours)."""
        times = self.whole[rows - 1]
        first = min(times)
        winners = [seat for seat, time in zip(self.players_in, times, strict=True) if time == first]
        return winners if self.rules.ties == "split" else winners[:1]

    def award_rows(self) -> None:
        """A fourth part for the first row, another for the first two, the rest for the first card (pp. 109-110)."""
        quarter = self.pools["pool"] // 4
        for rows, why in enumerate(ROWS, 1):
            self.award(quarter, self.first_to_have(rows), why)

    def pay_for_the_covered(self, winners: Sequence[int]) -> None:
        """Each takes back a counter for each number covered, the winner fifteen (pp. 109-110; the winner first ours)."""
        drawn = {*self.knobs}
        for seat in filter(self.players_in.__contains__, self.round_from(winners[0])):
            covered = sum([len(drawn.intersection(row)) for card in self.cards[seat] for row in self.rows[card]])
            due = 15 if seat in winners else covered
            self.into_pool(seat, -min(due, self.pools["pool"]), why="the numbers covered")

    @classmethod
    def bound(cls, rules: LotoRules) -> int:
        """One takes all prizes with a single card, the others having the rest (pp. 109-110); odd counters may stay (ours)."""
        others = rules.playing - 1
        cards = min(others * rules.max_cards, len(card_set(rules.set_seed)) - 1)
        return cards * rules.stake + (others if rules.ties == "split" else 0)

    @moves_counters
    def award(self, counters: int, winners: Sequence[int], why: str) -> None:
        """To one; or several who win it at the same time share it, and what is over stays (ours)."""
        for seat in winners:
            self.into_pool(seat, -(counters // len(winners)), why=why)


def when_whole(order: Sequence[int], held: Sequence[Sequence[CardRows]]) -> list[tuple[int, ...]]:
    """With which knob each seat has one, two and three whole rows, on one of its cards (pp. 109-110; one card ours)."""
    when, times = bytes.maketrans(bytes(order), PLACES), []
    for cards in held:
        one, *others = [rows_whole(rows, when) for rows in cards]
        times.append([*map(min, one, *others)] if others else one)
    return [*zip(*times, strict=True)]


def rows_whole(rows: CardRows, when: bytes) -> list[int]:
    """With which knob, by `when` each is drawn, a card has one, two and three whole rows (p. 109)."""
    a, b, c = rows
    return sorted((max(a.translate(when)), max(b.translate(when)), max(c.translate(when))))
