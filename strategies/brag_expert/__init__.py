"""Brag for two from a solution of a smaller game; for more, the book with corrections."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from roundsim.games.brag import BRAGGERS, Brag
from roundsim.strategy import CARD, Card, Choices, Corrected, corrections_in, owed

files = ["corrections.txt", "two_seats.txt"]

Reading = tuple[int, float, int, tuple[float, ...]]
Shares = list[tuple[str, float]]  # how often each answer is given
PAIRS = {14: "aces", 13: "kings", 12: "queens", 10: "jacks or tens", 8: "nines or eights", 5: "sevens to fives"}
MOST = 4  # raises in the solution


class Expert(Corrected):
    """For two, CFR+ has solved a game with few sizes of raises, and the answers are mixed by its shares.

    For more, the book's betting is corrected by the hand, how many are against it, and the price of a call. Other tables
    than of four use their corrections. With another limit or white counter than the usual, or in another variant, the
    book plays."""

    name = "expert"
    games = ["brag"]
    pages = "section Brag"
    table = corrections_in(Path(__file__).with_name("corrections.txt"))

    def begin(self, view: Brag.View) -> None:
        super().begin(view)
        self.corrections = self.corrections or self.table.get(4, {})

    def act(self, view: Brag.View) -> str:
        if view.phase == "bet" and view.players == 2 and is_usual(view):
            return solved_name(view)
        return super().act(view)

    def choices(self, view: Brag.View) -> Choices | None:
        if view.phase != "bet" or not is_usual(view) or ante(view) > 2:
            return None
        against = f"{held(reading_of(view.hand))}, {min(3, len(view.still_in) - 1)} against"
        after = len(view.dealt_in) - 1 - view.dealt_in.index(view.seat)
        costs = ("half", "once", "twice", "more than twice")[bisect((5, 10, 20), owed(view) - 1)]
        bets = (
            f"owes {costs} the limit, {min(4, view.raises)} raises" if view.raises else f"ante, {min(3, after)} follow"
        )
        answers = "fold", "call", "raise 5", "raise 10"
        return Choices(f"{against}, {bets}", {answer: answer for answer in answers if answer in view.legal})


def is_usual(view: Brag.View) -> bool:
    """Return whether the tables were made for these options."""
    options = view.options
    return (options.variant, options.limit, options.white) == ("single", 10, 1)


def ante(view: Brag.View) -> int:
    """Return the dealer's ante."""
    return next(entry.action.amount for entry in view.history if entry.phase == "ante")


def reading_of(hand: Iterable[Card]) -> Reading:
    """Return how high a hand stands: the cards of a rank, the rank, fewer braggers in use, the highest of these or the
    odd cards."""
    cards, readings = [*hand], list[Reading]()
    for rank in {card.rank for card in cards}:
        used = [card.rank for card in BRAGGERS if card in cards and card.rank != rank]
        others = sorted([card.rank for card in cards if card.rank != rank], reverse=True)
        readings.append((3 - len(others) + len(used), rank, -len(used), tuple(used[:1] or others)))
    return max(readings)


def held(hand: Reading) -> str:
    """Return the hand in words."""
    size, rank, *_ = hand
    if size == 3:
        return "triplet"
    if size == 2:
        return next((name for least, name in PAIRS.items() if rank >= least), "fours or lower")
    return {14: "ace high", 13: "king high"}.get(int(rank), "low cards")


# Two seats.


class Question(NamedTuple):
    """A question of the solution: the least hand of each range of hands, in order, and what is answered with them."""

    least: list[Reading]
    shares: list[Shares]


def solution_in(path: Path) -> dict[str, Question]:
    """Return the questions by their names, "ante 1, raise 5", as `bench/train_brag.py` writes them."""
    questions = dict[str, Question]()
    for paragraph in path.read_text("utf-8").split("\n\n"):
        name, *lines = paragraph.splitlines()
        rows = [line.strip().split("  ") for line in lines]
        hands = [reading_of([CARD[card] for card in hand.split()]) for hand, _ in rows]
        questions[name] = Question(hands, [[*map(share_of, answers.split(", "))] for _, answers in rows])
    return questions


def share_of(part: str) -> tuple[str, float]:
    """Return an answer and its share: "call .18"; one that stands alone has none, "call"."""
    answer, dot, share = part.partition(" .")
    return answer, float(dot.strip() + share) if dot else 1.0


SOLUTION = solution_in(Path(__file__).with_name("two_seats.txt"))


def solved_name(view: Brag.View) -> str:
    """Return an answer drawn by its share; a call where the solution's raise is not legal."""
    raises = [entry.action.amount for entry in view.history if entry.action.verb == "raise"]
    shares = shares_for(reading_of(view.hand), ante(view), raises)
    sums = [*accumulate(share for _, share in shares)]
    answer, _ = shares[bisect(sums[:-1], view.chance.random() * sums[-1])]
    return answer if answer == "fold" or answer in view.legal and len(raises) <= MOST else "call"


def shares_for(hand: Reading, ante: int, raises: Sequence[int]) -> Shares:
    """Return what is answered with a hand after the most similar ante and raises that the solution knows."""
    known = [*raises]
    while len(known) > MOST:
        del known[-3:-1]
    name = ""
    for verb, counters in [("ante", ante), *[("raise", raised) for raised in known]]:
        name = nearest(f"{name}, {verb} " if name else f"{verb} ", counters)
    least, shares = SOLUTION[name]
    return shares[max(0, bisect(least, hand) - 1)]


def nearest(start: str, counters: int) -> str:
    """Return the name that goes on from this with the most similar number of counters."""
    sizes = [int(name[len(start) :]) for name in SOLUTION if name.startswith(start) and name[len(start) :].isdigit()]
    return start + str(min(sizes, key=lambda size: (max(size, counters) / min(size, counters), size)))
