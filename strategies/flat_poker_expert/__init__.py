"""Flat poker by a table of shares: the blind, coming in, backing and calling."""

from collections.abc import Sequence
from pathlib import Path

from roundsim.games.flat_poker import FlatPoker
from roundsim.strategy import Vying, betting_table, ranking_of

files = ["shares.txt"]


class Expert(Vying):
    """The answers of a table that has played against itself and the book, by the hand, the seats that have spoken, and the
    number of cards that the others have drawn.

    It draws as the book does."""

    name = "expert"
    games = ["flat-poker"]
    needs = {"mode": "field"}
    phases = ("blind", "come", "back", "call")
    table = betting_table(Path(__file__).with_name("shares.txt"))

    def strength(self, view: FlatPoker.View) -> float:
        return ranking_of(view.options).key(view.hand) if view.hand else 0

    def situation(self, view: FlatPoker.View) -> str:
        seats, phase = view.still_in, view.phase
        if phase == "blind":
            return phase
        before = seats.index(view.seat)
        after = len(seats) - 1 - before
        if phase == "come":
            price = "dear" if 10 * view.blind > view.options.limit else "cheap"
            return f"come, {price}, {before} in {after} behind"
        if phase == "back":
            return f"back, {before} passed {after} behind, {draw_of(view, seats)}"
        if view.callers:
            return "call, called"
        assert view.backer is not None
        behind = (seats.index(view.backer) - before) % len(seats) - 1
        return f"call, {len(seats)} in {behind} behind, {draw_of(view, [view.backer])}"


def draw_of(view: FlatPoker.View, seats: Sequence[int]) -> str:
    """Name the fewest cards that another one of these seats has drawn. Three are drawn to a pair."""
    fewest = min(view.drawn[seat] or 0 for seat in seats if seat != view.seat)
    return "3 drawn" if fewest == 3 else "few drawn" if fewest < 3 else "many drawn"
