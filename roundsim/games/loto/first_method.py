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

    course = """lay_out_the_set taking_cards buy draw_knobs award_rows pay_for_the_covered settle first_to_have"""

    @tells(lambda deal: f"{len(deal.knobs)} knobs are drawn, the last of them {deal.knobs[-1]}")
    def draw_knobs(self) -> None:
        """A bag holds 90 knobs with the numbers from 1 to 90. They are drawn one by one, and every player who has the
        number covers it (p. 110)."""
        order = self.chance.shuffled(KNOBS, "knobs")
        self.whole = when_whole(order, [[*map(self.rows.__getitem__, self.cards[seat])] for seat in self.players_in])
        self.knobs = order[: min(self.whole[2]) + 1]

    def settle(self) -> None:
        """The game ends with the first whole card (pp. 109-110).

        With prizes = card: It takes the pool (pp. 109-110).

        Without prizes = card: It takes what is left of the pool (pp. 109-110)."""
        winners = self.first_to_have(3)
        if self.rules.prizes == "quarters":
            self.award_rows()
        elif self.rules.prizes == "saved":
            self.pay_for_the_covered(winners)
        self.award(self.pools["pool"], winners, CARD)

    def first_to_have(self, rows: int) -> list[int]:
        """With ties = split: Players who win a prize with the same knob share it, and odd counters stay in the pool (ours).

        With ties = eldest: If several win a prize with the same knob, the first from the dealer's left takes it (ours)."""
        times = self.whole[rows - 1]
        first = min(times)
        winners = [seat for seat, time in zip(self.players_in, times, strict=True) if time == first]
        return winners if self.rules.ties == "split" else winners[:1]

    def award_rows(self) -> None:
        """With prizes = quarters: The first whole row takes a quarter of the pool, and the first two whole rows on one card
        another quarter. One player may win all prizes (pp. 109-110)."""
        quarter = self.pools["pool"] // 4
        for rows, why in enumerate(ROWS, 1):
            self.award(quarter, self.first_to_have(rows), why)

    def pay_for_the_covered(self, winners: Sequence[int]) -> None:
        """With prizes = saved: When a card is whole, its player takes back 15 counters, and each other player one for each
        number covered, as long as the pool has any (pp. 109-110; the winner first ours)."""
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
