"""Hints: what each answer to a question is worth in imagined deals, and who would give it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from time import process_time

from ..contract import plugins
from ..contract.strategy import Seated, table_like
from ..errors import StrategyError
from ..refereeing.referee import Referee
from ..table.actions import Action
from ..table.chance import Chance
from ..table.deal import Deal, deal_of
from ..table.legal import count
from ..table.view import TableView
from .estimate import Estimate, remembered

ADVISERS = "expert", "book"  # where the game has them
MOST = 12  # answers that are tried; of more, those of the advisers and a few others
SECONDS, MORE = 0.3, 3.0  # for a hint, and when it is asked for again
STEP, ENOUGH = 10, 2000  # deals that are imagined at once, and in all


class Hints:
    """The hints of a game. In imagined deals the book plays at all seats, or `random` where there is none; nothing is drawn
    from the chance of the table."""

    def __init__(self, game: type[Deal]) -> None:
        self.advisers = dict[str, Seated]()
        for name in ADVISERS:
            with suppress(StrategyError):
                self.advisers[name] = seated_named(name, game)
        self.guide = table_like(self.advisers.get("book") or seated_named("random", game))
        self.asked: TableView | None = None

    def __call__(self, view: TableView) -> Sequence[str]:
        """Return what is known of a question, a line for each answer; of the same question in more deals."""
        again, self.asked = self.asked is view, view
        who = {name: self.answer_of(name, view) for name in self.advisers}
        answers = self.answers(view, [*who.values()])
        estimate = Estimate(view, answers, self.guide, "hint")
        end = process_time() + (MORE if again else SECONDS)
        while remembered(view) and estimate.next < ENOUGH and (not estimate.next or process_time() < end):
            estimate.more(STEP)
        said = {
            at: "".join(f"  <- {name}" for name, own in who.items() if own == each) for at, each in enumerate(answers)
        }
        if not estimate.nets[0]:
            known = [f"    {each}{said[at]}" for at, each in enumerate(answers) if said[at]]
            return ["    Nothing can be imagined here; there is only what others would do.", *known]
        order = sorted(range(len(answers)), key=lambda at: -estimate.worth(at).mean)
        head = f"    What each answer wins in {len(estimate.nets[0])} deals that fit what you know"
        width = max(map(len, answers))
        return [head, *[f"    {answers[at]:<{width}}  {worth(estimate, at, order[0])}{said[at]}" for at in order]]

    def answer_of(self, name: str, view: TableView) -> Action:
        """Return what an adviser answers who sits down now, with a chance of its own."""
        own = type(view)(deal_of(view), view.seat, view.phase, view.legal, Chance())
        return Referee.accepted(view.legal, table_like(self.advisers[name])()(own))

    def answers(self, view: TableView, wanted: Sequence[Action]) -> list[Action]:
        if (many := count(view.legal)) <= MOST:
            return [*view.legal]
        some = [view.legal[many * at // (MOST - len(wanted))] for at in range(MOST - len(wanted))]
        return [*dict.fromkeys([*wanted, *some])]


def seated_named(name: str, game: type[Deal]) -> Seated:
    (found,) = plugins.find(name, game.id)
    return Seated(plugins.load_strategy(found), dict(found.parameters), game)


def worth(estimate: Estimate, at: int, best: int) -> str:
    """+1.1 ± 0.4; then how much worse than the best, if that is sure"""
    own = estimate.worth(at)
    text = f"{own.mean:+6.1f} ± {own.error:.1f}"
    if at == best:
        return text
    cost = estimate.cost(at, best)
    return f"{text}  {cost.mean:.1f} worse" if cost.low > 0 else f"{text}  not distinguished"
