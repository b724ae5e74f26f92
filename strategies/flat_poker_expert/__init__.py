"""Flat poker by thresholds, with corrections for the blind, the draw, backing and calling."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from roundsim.games.flat_poker import FlatPoker
from roundsim.strategy import Card, Choices, Corrected, Ranking, by_rank, corrections_in, ranking_of

files = ["corrections.txt"]
PAIR, TWO_PAIRS, THREES = 10, 20, 30  # places in the order of classes
TEN, KING = 10, 13


class Expert(Corrected):
    """The book, except where trying all answers on the same cards has shown that another gains more.

    It names the blind and comes in by the seats, backs by its hand, the company and what the others have drawn, and
    calls by its hand, the company and the callers."""

    name = "expert"
    games = ["flat-poker"]
    pages = "section Flat Poker"
    table = corrections_in(Path(__file__).with_name("corrections.txt"))

    def choices(self, view: FlatPoker.View) -> Choices | None:
        if view.phase == "blind":
            return Choices("blind", {"least": str(view.legal[0]), "limit": str(view.legal[-1])})
        as_named = {str(action): str(action) for action in view.legal[:2]}
        if view.phase == "come" and 10 * view.blind > view.options.limit:
            return Choices(f"come in, dear, {len(view.still_in)} left", as_named)
        if view.phase not in ("back", "call"):
            return None
        hand, company = held(view.hand, ranking_of(view.options)), len(view.still_in)
        among = f"{company if company < 4 else '4 or more'} in"
        if view.phase == "back":
            after = "last" if view.seat == view.still_in[-1] else "not last"
            return Choices(f"back: {hand}, {among}, {after}", as_named)
        called = "called" if view.callers else "last" if is_last(view) else "not called"
        return Choices(f"call: {hand}, {among}, {called}", as_named)


def is_last(view: FlatPoker.View) -> bool:
    """Return whether nobody of the field speaks after this seat."""
    seats = view.still_in
    return seats[(seats.index(view.seat) + 1) % len(seats)] == view.backer


def held(hand: Sequence[Card], ranking: Ranking) -> str:
    """Name the class of a hand, pairs by their rank."""
    position = ranking.position(hand)
    if position < PAIR:
        return "no pair"
    if position == PAIR:
        rank = max(map(by_rank, ranking.grouped(hand)))
        return "kings or aces" if rank >= KING else "tens to queens" if rank >= TEN else "a low pair"
    return "two pairs" if position == TWO_PAIRS else "threes" if position == THREES else "a straight or better"
