"""Hints: what each answer to a question is worth in imagined deals, and who would give it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import process_time
from typing import NamedTuple

from ..base.errors import StrategyError
from ..base.text import so_many
from ..refereeing.referee import Referee
from ..sources.plugins import Strategy, seated_named
from ..sources.strategy import Seated, table_like
from ..statistics.distributions import LEAST_BLOCKS
from ..table.actions import Action
from ..table.chance import Chance
from ..table.deal import Deal, deal_of
from ..table.legal import count
from ..table.view import TableView
from .estimate import Estimate, Mean
from .hearing import Ears, models_of

ADVISERS = "expert", "book"  # where the game has them
MOST = 12  # answers that are tried; of more, those of the advisers and a few others
SECONDS, MORE = 0.3, 3.0  # for a hint, and when it is asked for again
STEP, ENOUGH = 10, 2000  # deals that are imagined at once, and in all


class HintRow(NamedTuple):
    """An answer: who gives it; what it wins, and by how much that is less than the best, if anything could be imagined."""

    answer: Action
    who: Sequence[str]
    worth: Mean | None = None
    cost: Mean | None = None

    @property
    def figure(self) -> str:
        return f"{self.worth.mean:+.1f} ± {self.worth.error:.1f}" if self.worth else ""

    @property
    def verdict(self) -> str:
        """How much worse it is than the best, if that is sure."""
        if not self.cost:
            return ""
        return f"{self.cost.mean:.1f} worse" if self.cost.low > 0 else "not distinguished"


class Hint(NamedTuple):
    """An estimate of a question: a heading, and the answers, the best first."""

    head: str
    rows: Sequence[HintRow]

    @property
    def lines(self) -> list[str]:
        width = max((len(row.answer) for row in self.rows), default=0)
        return [f"    {self.head}", *[hint_line(row, width) for row in self.rows]]


def hint_line(row: HintRow, width: int) -> str:
    known = [f"{row.figure:>12}"] * bool(row.worth) + [row.verdict] * bool(row.cost)
    return "  ".join([f"    {row.answer:<{width}}", *known, *[f"<- {name}" for name in row.who]])


class Hints:
    """The hints of a game. In imagined deals the book plays at all seats, or `random` where there is none; nothing is drawn
    from the chance of the table. `strategies`: those that may sit there, by name. `usual`: the book, or `random`."""

    def __init__(self, game: type[Deal], strategies: Mapping[str, Strategy] | None = None) -> None:
        self.game, self.strategies = game, strategies or {}
        self.advisers = dict[str, Seated]()
        for name in ADVISERS:
            with suppress(StrategyError):
                self.advisers[name] = seated_named(name, game.id)
        self.usual = self.advisers.get("book") or seated_named("random", game.id)
        self.guide = table_like(self.usual)
        self.asked: TableView | None = None

    def __call__(self, view: TableView, names: Sequence[str] = (), also: Sequence[Action] = ()) -> Hint:
        """Return what is known of a question; if it is asked again, from more deals. `names`: by seat, of those who
        sit there, to hear what they have said. `also`: answers that are tried if not all are."""
        again, self.asked = self.asked is view, view
        advice = {name: self.answer_of(adviser, view) for name, adviser in self.advisers.items()}
        answers = self.answers(view, [*advice.values(), *also])
        ears = Ears(self.guide, models_of(self.seated(names), self.game))
        estimate = Estimate(view, answers, self.guide, "hint", ears=ears)
        end = process_time() + (MORE if again else SECONDS)
        while estimate.question and estimate.next < ENOUGH and (not estimate.next or process_time() < end):
            estimate.more(STEP)
        who = [[name for name, own in advice.items() if own == answer] for answer in answers]
        deals, fitting = len(estimate.nets[0]), estimate.effective
        if fitting < LEAST_BLOCKS:
            rows = [HintRow(answer, names) for answer, names in zip(answers, who, strict=True) if names]
            unknown = f"Not known: too few of {so_many(deals, 'imagined deal')} fit what you know and what was said."
            return Hint(unknown if deals else "Nothing can be imagined here; there is only what others would do.", rows)
        best, *others = sorted(range(len(answers)), key=lambda at: (-estimate.worth(at).mean, not who[at]))
        rows = [HintRow(answers[best], who[best], estimate.worth(best))]
        rows += [HintRow(answers[at], who[at], estimate.worth(at), estimate.cost(at, best)) for at in others]
        guide = "the book" if "book" in self.advisers else "random"
        return Hint(f"The mean net of each answer in {deals} imagined deals, if all play like {guide}", rows)

    def seated(self, names: Sequence[str]) -> dict[int, Strategy]:
        """Return by seat the strategies that are known by these names."""
        return {seat: self.strategies[name] for seat, name in enumerate(names) if name in self.strategies}

    def answer_of(self, strategy: Seated, view: TableView) -> Action:
        """Return what a strategy answers that sits down now, with a chance of its own."""
        own = type(view)(deal_of(view), view.seat, view.phase, view.legal, Chance())
        return Referee.accepted(view.legal, table_like(strategy)()(own))

    def answers(self, view: TableView, wanted: Sequence[Action]) -> list[Action]:
        if (many := count(view.legal)) <= MOST:
            return [*view.legal]
        some = [view.legal[many * at // (MOST - len(wanted))] for at in range(MOST - len(wanted))]
        return [*dict.fromkeys([*wanted, *some])]
