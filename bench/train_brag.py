"""Solve Brag for two:  python bench/train_brag.py

CFR+ (Tammelin 2014) for a smaller game. The hands are put into 100 classes by their place among all 22 100, and the cards of
one do not change the chances of the other. The dealer's ante is 1, 4 or 10, and the raises are few. The strategy goes to
`two_seats.txt` next to the expert, the same bytes everywhere: sums are in a fixed order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import accumulate, combinations
from pathlib import Path
from typing import Any

from roundsim.table.cards import PACK, Card

EXPERT: Any = import_module("roundsim_strategies.brag_expert")
ANTES = 1, 4, 10
SIZES = (1, 5, 10), (1, 5, 10), (10,), (10,)  # of the first raise, the second and so on
CLASSES, ROUNDS = 100, 300
# Shares: of a hand that is left out, of an answer that is left out, and by which ranges of hands differ.
SELDOM, LEAST, NEAR = 0.005, 0.005, 0.05
Vector = list[float]  # a number for each class of hands, from the worst


class Hands:
    """The classes: the least hand of each, its probability, and how often the eldest wins if both hands are of it."""

    def __init__(self) -> None:
        kinds = Counter[Any]()
        first = dict[Any, tuple[Card, ...]]()
        for hand in combinations(PACK, 3):
            kinds[EXPERT.reading_of(hand)] += 1
            first.setdefault(EXPERT.reading_of(hand), hand)
        below, classes = 0, dict[int, list[int]]()
        self.least: list[str] = []
        for kind in sorted(kinds):
            place = (2 * below + kinds[kind]) * CLASSES // (2 * kinds.total())
            if place not in classes:
                self.least.append(" ".join(first[kind]))
            classes.setdefault(place, []).append(kinds[kind])
            below += kinds[kind]
        self.share = [sum(each) / below for each in classes.values()]
        self.elder = [(1 + sum(n * n for n in each) / sum(each) ** 2) / 2 for each in classes.values()]


class Question:
    """A question of the betting. `raises`: those before it."""

    def __init__(self, ante: int, hands: Hands, raises: tuple[int, ...] = ()) -> None:
        self.hands, self.seat = hands, len(raises) % 2
        self.level = ante + sum(raises)
        self.lost = ante + sum(raises[:-1]) if raises else 1  # by a fold; before a raise it is the white counter
        self.name = ", ".join([f"ante {ante}", *[f"raise {by}" for by in raises]])
        sizes = SIZES[len(raises)] if len(raises) < len(SIZES) else ()
        self.after = [Question(ante, hands, (*raises, by)) for by in sizes]
        self.answers = ["fold", "call", *[f"raise {by}" for by in sizes]]
        self.regrets = [[0.0] * len(hands.share) for _ in self.answers]
        self.played = [[0.0] * len(hands.share) for _ in self.answers]

    def __iter__(self) -> Iterator[Question]:
        yield self
        for question in self.after:
            yield from question

    def shares(self) -> list[Vector]:
        """Return how often each answer is given: by its regret."""
        totals = [*map(total, zip(*self.regrets, strict=True))]
        usual = 1 / len(self.answers)
        return [
            [one / all_ if all_ else usual for one, all_ in zip(each, totals, strict=True)] for each in self.regrets
        ]

    def called(self, seat: int, others: Vector) -> Vector:
        """Return what a seat wins in a show of hands, by its hand, from the other's hands."""
        *below, all_ = accumulate(others, initial=0.0)
        wins = self.hands.elder if seat == 0 else [1 - each for each in self.hands.elder]
        return [self.level * (2 * (a + b * n) - all_) for a, b, n in zip(below, wins, others, strict=True)]

    def learn(self, seat: int, reach: Vector, others: Vector, weight: int) -> Vector:
        """Return what a seat wins from here on, by its hand, and note its regrets. `reach`, `others`: how often it and
        the other come here, by hand."""
        shares = self.shares()
        if self.seat != seat:
            others_by = [[*map(float.__mul__, others, each)] for each in shares]
            gains = [[self.lost * total(others_by[0])] * len(reach), self.called(seat, others_by[1])]
            gains += [each.learn(seat, reach, by, weight) for each, by in zip(self.after, others_by[2:], strict=True)]
            return [*map(total, zip(*gains, strict=True))]
        reaches = [[*map(float.__mul__, reach, each)] for each in shares]
        gains = [[-self.lost * total(others)] * len(reach), self.called(seat, others)]
        gains += [each.learn(seat, by, others, weight) for each, by in zip(self.after, reaches[2:], strict=True)]
        parts = [map(float.__mul__, *both) for both in zip(shares, gains, strict=True)]
        mean = [*map(total, zip(*parts, strict=True))]
        for at, gain in enumerate(gains):
            self.regrets[at] = [max(0.0, r + g - m) for r, g, m in zip(self.regrets[at], gain, mean, strict=True)]
            self.played[at] = [p + weight * r for p, r in zip(self.played[at], reaches[at], strict=True)]
        return mean

    def rows(self, rounds: int) -> Iterator[tuple[str, str]]:
        """Yield the least hand of each range of hands, and what is answered with them: much the same with all.

        A hand that is hardly ever played so far belongs to the range below it."""
        least, played, said = "", (0.0,) * len(self.answers), ""
        for hand, more in zip(self.hands.least, zip(*self.played, strict=True), strict=True):
            if total(more) < SELDOM * rounds * (rounds + 1) / 2:
                continue
            if not said or far(played, more):
                if said:
                    yield least, said
                least, played = hand, (0.0,) * len(self.answers)
            played = tuple(map(float.__add__, played, more))
            said = text_of(self.answers, played)
        if said:
            yield least, said
        else:  # a question after own answers that are never given
            yield self.hands.least[0], "call"


def far(one: Sequence[float], other: Sequence[float]) -> bool:
    """Return whether two numbers for each answer are far apart as shares."""
    return any(abs(a / total(one) - b / total(other)) > NEAR for a, b in zip(one, other, strict=True))


def total(numbers: Sequence[float]) -> float:
    """Return the sum, rounded after each addition: `sum` differs between versions of Python."""
    all_ = 0.0
    for each in numbers:
        all_ += each
    return all_


def text_of(answers: Sequence[str], played: Sequence[float]) -> str:
    """Return the shares of the answers, the greatest first: "raise 10 .82, call .18"; one alone has none."""
    shares = [each / total(played) for each in played]
    counted = total([each for each in shares if each >= LEAST])
    rows = sorted([(-int(100 * each / counted + 0.5), at) for at, each in enumerate(shares) if each >= LEAST])
    return ", ".join([f"{answers[at]} .{-n:02}" if -n < 100 else answers[at] for n, at in rows])


def solve(ante: int, hands: Hands, rounds: int = ROUNDS) -> Question:
    """Return the first question after an ante, with what is played on average."""
    first, always = Question(ante, hands), [1.0] * len(hands.share)
    for weight in range(1, rounds + 1):
        for seat in 0, 1:
            first.learn(seat, always, hands.share, weight)
    return first


def text(rounds: int = ROUNDS) -> str:
    """Return the file: a paragraph for each question."""
    hands = Hands()
    questions = [question for ante in ANTES for question in solve(ante, hands, rounds)]
    return "\n".join(
        "".join([f"{question.name}\n", *[f"  {least}  {said}\n" for least, said in question.rows(rounds)]])
        for question in questions
    )


if __name__ == "__main__":
    Path(EXPERT.__file__).with_name("two_seats.txt").write_text(text(), "utf-8")
