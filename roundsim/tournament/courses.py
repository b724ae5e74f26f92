"""The courses of two sittings with the same cards: where they differ, and whether cards are drawn after that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest

from ..refereeing.names import Names
from ..refereeing.redrawn import RedrawnSitting
from ..table.actions import Action
from ..table.chance import Source
from ..table.deal import Ask
from ..table.playthrough import replay_deal
from .format_parts import Difference

PlayedDeal = tuple[Sequence[Ask], Sequence[Action]]  # the questions and answers of a deal
Course = Sequence[PlayedDeal]  # the deals of a sitting


def parting(course: Course, other: Course) -> Difference | None:
    """Return where two courses part: the number of the deal, and of the action in it."""
    for number, ((_, actions), (_, others)) in enumerate(zip(course, other, strict=False), 1):
        if actions != others:
            return Difference(
                number, next(at for at, (one, two) in enumerate(zip_longest(actions, others), 1) if one != two)
            )
    return None


def draws_after(new_sitting: Callable[[], RedrawnSitting], names: Names, *courses: Course) -> bool:
    """Return whether in any of these courses cards are drawn after the action of the sitting, in the same deal."""
    return any(draws_in(new_sitting(), names, course) for course in courses)


def draws_in(sitting: RedrawnSitting, names: Names, course: Course) -> bool:
    for number, (_, actions) in enumerate(course[: sitting.number], 1):
        sitting.settle(replay_deal(sitting.next_deal(Source(names.deal(number))), actions))
    return sitting.source.drawn > 0
