"""Brag by tables of shares: for two from a solution of a smaller game, for more from play against itself and the book."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate, combinations_with_replacement
from math import comb, prod
from pathlib import Path
from typing import NamedTuple

from roundsim.games.brag import BRAGGERS, Brag
from roundsim.strategy import CARD, PACK, Card, SharesTable, TableView, Vying, Wary, betting_table

files = ["shares.txt", "two_seats.txt"]

Reading = tuple[int, float, int, tuple[float, ...]]
Shares = list[tuple[str, float]]  # how often each answer is given
MOST = 4  # raises in the solution


class Expert(Wary, Vying):
    """For two, CFR+ has solved a game with few sizes of raises, and the answers are mixed by its shares.

    For more, a table that has played against itself, the book and random answers by the place of its hand among all, who is
    in, and the price of a call. For six, the book plays against those who bet by chance. With another limit or white
    counter than the usual, or in another variant, the book plays."""

    name = "expert"
    games = ["brag"]
    phases = ("bet",)
    wary_from = 6  # the other tables have met more random answers
    needs = {"variant": "single", "limit": 10, "white": 1}
    table = {2: SharesTable({}, {})} | betting_table(Path(__file__).with_name("shares.txt"))

    def act(self, view: TableView) -> str:
        if view.phase == "bet" and view.players == 2 and self.here:
            return solved_name(view)
        return super().act(view)

    def strength(self, view: Brag.View) -> float:
        return places_of_hands()[pattern_of(view.hand)]


def pattern_of(hand: Iterable[Card]) -> tuple[str, ...]:
    """Return the ranks of a hand and its braggers: they settle how high it stands."""
    return tuple(sorted([card if card in BRAGGERS else card[0] for card in hand]))


@cache
def places_of_hands() -> dict[tuple[str, ...], float]:
    """Return the place of each kind of hand among all hands, from 0 to 1."""
    cards: dict[str, list[Card]] = {}
    for card in PACK:
        (one,) = pattern_of([card])
        cards.setdefault(one, []).append(card)
    hands, ways = dict[tuple[str, ...], Reading](), Counter[Reading]()
    for kind in combinations_with_replacement(sorted(cards), 3):
        many = Counter(kind)
        if number := prod(comb(len(cards[one]), n) for one, n in many.items()):
            hands[kind] = reading_of([card for one, n in many.items() for card in cards[one][:n]])
            ways[hands[kind]] += number
    above = dict(zip(sorted(ways), accumulate([ways[reading] for reading in sorted(ways)]), strict=True))
    return {kind: (above[reading] - ways[reading] / 2) / ways.total() for kind, reading in hands.items()}


def ante(view: TableView) -> int:
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


def solved_name(view: TableView) -> str:
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
