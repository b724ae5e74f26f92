"""The worth of answers to a question: each is played out in the same imagined deals.

All chance comes from names, so the same question under the same name has the same estimate in every process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, inf, sqrt
from operator import mul
from typing import Any, NamedTuple

from ..refereeing.referee import Answer
from ..statistics.distributions import LEAST_BLOCKS, student
from ..statistics.moments import Moments
from ..table.actions import Action
from ..table.cards import Card
from ..table.deal import deal_of
from ..table.imagine import Memory, SeenQuestion
from ..table.imagined import replayed_behind
from ..table.view import TableView
from .hearing import Ears, effective


class Mean(NamedTuple):
    """The mean of `n` numbers, and half the width of its 95 % interval: infinite for under ten numbers, or if those that
    fit what was said count for fewer."""

    n: int
    mean: float
    error: float

    @property
    def low(self) -> float:
        return self.mean - self.error

    @property
    def high(self) -> float:
        return self.mean + self.error


class Gain(NamedTuple):
    """A number of an imagined deal, and the logarithm of the deal's weight."""

    number: float
    weight: float = 0.0


def mean_and_error(gains: Sequence[Gain]) -> Mean:
    """Return the weighted mean of some gains. Its error is at least what three deals of the worst outcome make."""
    numbers, weights = [gain.number for gain in gains], [gain.weight for gain in gains]
    if len({*weights}) < 2:
        moments = Moments.of(numbers)
        few = moments.n < LEAST_BLOCKS
        return Mean(moments.n, moments.mean, inf if few else student(moments.n - 1) * moments.standard)
    most, n = max(weights), effective(weights)
    shares = [exp(weight - most) for weight in weights]
    mean = sum(map(mul, shares, numbers)) / sum(shares)
    if n < LEAST_BLOCKS:
        return Mean(len(gains), mean, inf)
    squares = sum((share * (number - mean)) ** 2 for share, number in zip(shares, numbers, strict=True))
    error = student(round(n) - 1) * sqrt(squares * n / (n - 1)) / sum(shares)
    return Mean(len(gains), mean, max(error, 3 / n * (max(numbers) - min(numbers))))


def remembered(view: TableView) -> SeenQuestion | None:
    """Return the question that a view asks, as its deal remembers it; None if nothing can be imagined there."""
    memory = deal_of(view).chance
    assert isinstance(memory, Memory)
    return memory.question(view)


class Estimate:
    """Answers to the question that a view asks, played out by a guide in the same imagined deals.

    The deal of the view must remember (see `imagine.remember`), and must be at this question whenever `more` is called.
    `guide`: seats a table at which everybody plays like it (see `strategy.table_like`). `name`: of the chance; `first`:
    the number of its first imagined deal. `ears`: weighs the imagined deals by what the others have said.

    `nets`: for each answer what the seat gains, by imagined deal."""

    def __init__(
        self,
        view: TableView,
        answers: Sequence[str],
        guide: Callable[[], Answer],
        name: str,
        first: int = 0,
        ears: Ears | None = None,
    ) -> None:
        self.view, self.answers, self.guide, self.name, self.next = view, answers, guide, name, first
        self.ears, self.question = ears or Ears(guide), remembered(view)
        self.nets: list[list[Gain]] = [[] for _ in answers]
        self.hands = set[Any]()

    def more(self, deals: int) -> None:
        """Imagine this many more deals. One that is not found is left out."""
        seat, question = self.view.seat, self.question
        for number in range(self.next + 1, self.next + deals + 1):
            drawn = question and self.ears.draw(question, f"{self.name}/{number}", seat)
            if not drawn:
                continue
            if len(self.hands) < 2:
                self.hands.add(tuple(map(frozenset, replayed_behind(drawn.imagined).deal.hands)))
            for answer, nets in zip(self.answers, self.nets, strict=True):
                tried = drawn.imagined if nets is self.nets[-1] else drawn.imagined.again()
                tried.answer(answer)
                nets.append(Gain(tried.play(self.guide())[seat], drawn.weight))
        self.next += deals

    @property
    def known(self) -> bool:
        """Whether the seat knows all hands: they are the same in all imagined deals, and not yet to be dealt."""
        return len(self.hands) == 1 and any(*self.hands)

    @property
    def effective(self) -> float:
        """How many of the deals fit what was said, in effect."""
        return effective([net.weight for net in self.nets[0]])

    def worth(self, answer: int) -> Mean:
        """Return what the seat gains after an answer, given by its number."""
        return mean_and_error(self.nets[answer])

    def cost(self, answer: int, than: int) -> Mean:
        """Return by how much an answer is worth less than another one, deal by deal."""
        return mean_and_error(self.costs(answer, than))

    def costs(self, answer: int, than: int) -> list[Gain]:
        both = zip(self.nets[answer], self.nets[than], strict=True)
        return [Gain(other.number - own.number, own.weight) for own, other in both]


@dataclass
class CoachDecision:
    """A question at which the strategy and its coach answer differently.

    `step`: the number of the action in its deal, from 1. `costs`: for each imagined deal the net of the coach's answer
    less that of the strategy's; `earlier`: those of the deals that chose the decision. `known`: the seat knew where all
    cards are. `group`: see `hearing.group_for`. `others`: by every other legal answer, if they are few, what it gains next
    to the coach's. `rule`: the place in the book of the rule that asks. `level`: of the bet, in a game with bets; `among`:
    the others at the table."""

    block: int
    place: str
    step: int
    seat: int
    phase: str
    mine: Action
    coach: Action
    forfeited: bool
    hand: Sequence[Card]
    says: tuple[str, str]
    costs: list[Gain] = field(default_factory=list)
    earlier: Sequence[Gain] = ()
    known: bool = False
    group: int = 1
    others: Mapping[str, Mean] = field(default_factory=dict)
    rule: str = ""
    level: int = 0
    among: Sequence[str] = ()

    @property
    def cost(self) -> Mean:
        return mean_and_error(self.costs)

    @property
    def certain(self) -> bool:
        return self.known and not self.cost.error

    @property
    def best(self) -> str:
        """The best of the other answers, if the interval of what it gains over the coach's is above 0."""
        better = {answer: gain for answer, gain in self.others.items() if gain.low > 0}
        return max(better, key=lambda answer: better[answer].mean, default="")
