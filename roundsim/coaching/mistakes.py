"""The costliest answer of a person in a deal that is over, by a coach who would have answered differently."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from ..base.text import second_person, so_many
from ..replaying.example import held_story
from ..replaying.log_driver import walk
from ..statistics.distributions import LEAST_BLOCKS
from ..table.chance import Chance
from ..table.deal import Deal
from ..table.imagine import remember
from ..table.legal import count
from .coach import place_of_rule
from .estimate import Estimate, Mean
from .hearing import Ears, models_of
from .hints import Hints

FIRST = 32  # imagined deals for each answer that differs
FRESH = 192  # for the costliest of them; these alone are shown, since the others chose it and flatter it


class Mistake(NamedTuple):
    """An answer, and what the `coach` would have said. `after`: the actions before it; `says`: what both do, in words;
    `cost`: by how much it is worse, None if too few of the `imagined` deals fit; `rule`: the place in the book of the rule
    that asks."""

    after: int
    coach: str
    says: tuple[str, str]
    cost: Mean | None
    imagined: int
    rule: str

    def __str__(self) -> str:
        both = f"{second_person(self.says[0])}; {self.coach} {self.says[1]}"
        rule = f" ({self.rule})" * bool(self.rule)
        if not self.cost:
            return f"not known: too few of {so_many(self.imagined, 'imagined deal')} fit: {both}{rule}"
        sure = "" if self.cost.low > 0 else ", so yours is better" if self.cost.high < 0 else ", not distinguished"
        return f"{both}, {self.cost.mean:+.1f} ± {self.cost.error:.1f}{sure}{rule}"


def costliest(
    hints: Hints, begun: Callable[[], Deal], actions: Sequence[str], seat: int, who: Sequence[str]
) -> Mistake | None:
    """Return the answer of a seat that cost most; None if the first adviser of these hints would have given the same ones.
    `begun`: makes the deal before its first question; `who`: by seat."""
    differing = [*mistakes(hints, begun(), actions, seat, who, FIRST)]
    if not differing:
        return None
    most = max(differing, key=lambda mistake: mistake.cost.mean if mistake.cost else float("-inf"))
    (again,) = mistakes(hints, begun(), actions, seat, who, FRESH, {most.after})
    return again


def mistakes(
    hints: Hints,
    deal: Deal,
    actions: Sequence[str],
    seat: int,
    who: Sequence[str],
    imagined: int,
    only: Collection[int] | None = None,
) -> Iterator[Mistake]:
    """Yield the answers of a seat that a coach would not have given, each by a number of imagined deals. `only`: those with
    one of these numbers of actions before them."""
    name, coach = f"{deal.chance.name}/mistakes {imagined}", next(iter(hints.advisers), "")
    remember(deal, {seat})
    story = held_story(deal)
    ears = Ears(hints.guide, models_of(hints.seated(who), hints.game))
    for ask, mine in walk(deal, actions):
        after = len(deal.actions)
        if not coach or ask.seat != seat or count(ask.legal) == 1 or only is not None and after not in only:
            continue
        view = deal.View(deal, seat, ask.phase, ask.legal, Chance())
        better = hints.answer_of(hints.advisers[coach], view)
        if better == mine:
            continue
        estimate = Estimate(view, (mine, better), hints.guide, f"{name}/{after}", ears=ears)
        estimate.more(imagined)
        cost = estimate.cost(0, 1) if estimate.effective >= LEAST_BLOCKS else None
        says = deal.says(ask, mine), deal.says(ask, better)
        yield Mistake(after, coach, says, cost, len(estimate.nets[0]), place_of_rule(deal, story))
