"""Measures: small functions that look at a deal, and yield names with numbers.

A figure is the mean of all numbers that were yielded under its name. A measure whose first parameter is called `deals`
gets all deals of a sitting at once. One with a parameter `names` gets the names of the claim's condition."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from ..replaying.played import PlayedDeal

Figures = Iterator[tuple[str, float]]
Function = TypeVar("Function", bound=Callable[..., Any])


def gives(*names: str) -> Callable[[Function], Function]:
    """Declare which names a measure yields, so that a claim's condition is checked before anything is played.

    Returns a decorator, `@gives("net", "won")`, that returns the function."""

    def mark(function: Function) -> Function:
        vars(function)["gives"] = names
        return function

    return mark


def usual(claim: Mapping[str, Any]) -> str:
    """Return the measure of a claim that names none."""
    return "" if "exact" in claim or "untestable" in claim else "forced" if "force" in claim else "net"


def name_of_answer(answer: str) -> str:
    """Return an answer as a name of a condition: "call 4" is call_4."""
    return re.sub(r"\W+", "_", answer).strip("_")


def counters(deal: PlayedDeal, seat: int) -> int:
    """Return the counters that a deal brought a seat, with its part of the end of the sitting."""
    return deal.net[seat] + deal.end_net[seat]


def subject(deal: PlayedDeal) -> int:
    """Return the seat of the strategy that is tested: the first in the list of the run.

    Raises ValueError if it is not at the table."""
    return deal.entrants.index(0)


@gives("net", "won")
def net(deal: PlayedDeal) -> Figures:
    """Yield `net`, of the strategy that is tested, and `won`, whether it wins anything."""
    yield "net", counters(deal, subject(deal))
    yield "won", deal.net[subject(deal)] > 0


@gives("dealer", "eldest", "second", "third", "fourth", "others", "rest")
def place(deal: PlayedDeal) -> Figures:
    """Yield the net of each place: `dealer`, `eldest` and those after it, `second` to `fourth`; `others`, all except
    the dealer; `rest`, all except the eldest."""
    order = deal.deal_class.rounds[deal.players][deal.eldest]
    for name, seat in zip(("eldest", "second", "third", "fourth"), order, strict=False):
        yield name, counters(deal, seat)
    for seat in range(deal.players):
        yield "dealer" if seat == deal.dealer else "others", counters(deal, seat)
        if seat != deal.eldest:
            yield "rest", counters(deal, seat)


def said(deal: PlayedDeal, names: Sequence[str], phase: str, of: str = "asked") -> Figures:
    """How often answers are given in a phase: of the questions with a choice (`of="asked"`), or a deal (`of="deal"`).

    `names`: those of the condition: the answers with _ for other characters than letters and digits, "call 4" as call_4;
    or only the first word of answers, "call"."""
    answers = [
        (name_of_answer(action), name_of_answer(action.verb)) for view, action in deal.walk() if view.phase == phase
    ]
    for name in names:
        counts = [name in both for both in answers]
        for count in counts if of == "asked" else [sum(counts)]:
            yield name, count


@gives("net", "won")
def net_when(deal: PlayedDeal, where: Callable[[Any], bool], phase: str = "") -> Figures:
    """Yield `net` and `won` of each seat for which `where(view)` was true, at its first question in this phase of the
    deal; in any phase if none is named."""
    met = dict[int, bool]()
    for view, _ in deal.walk():
        if phase in ("", view.phase) and view.seat not in met:
            met[view.seat] = bool(where(view))
    for seat, true in met.items():
        if true:
            yield "net", counters(deal, seat)
            yield "won", deal.net[seat] > 0


@gives("net", "won")
def forced(deal: PlayedDeal, where: Callable[[Any], bool], phase: str) -> Figures:
    """Yield `net` and `won` of the strategy that is tested, in a deal in which its answer was forced.

    `where`, `phase`: a function of the view, and the phase, that say which answer was forced."""
    seat = subject(deal)
    for view, _ in deal.walk():
        if view.seat == seat and view.phase == phase and where(view):
            yield "net", counters(deal, seat)
            yield "won", deal.net[seat] > 0
            return


@gives("counters", "deals")
def paid(deal: PlayedDeal, why: str) -> Figures:
    """Yield `counters`, those that move in a deal for a reason, and `deals`, whether any do.

    `why`: the reason as the game words it, or a part of it."""
    moved = [move.counters for move in deal.moves if why in move.why]
    yield "counters", sum(moved)
    yield "deals", bool(moved)


@gives("counters", "empty")
def left(deal: PlayedDeal) -> Figures:
    """Yield `counters`, those that a deal leaves in the pools, and `empty`, whether it leaves none."""
    pools = sum(deal.over.pools.values())
    yield "counters", pools
    yield "empty", pools == 0


@gives("answers", "deals")
def length(deals: Sequence[PlayedDeal]) -> Figures:
    """Yield `answers`, how many are given in each deal of a sitting, and `deals`, how many it has."""
    for deal in deals:
        yield "answers", len(deal.actions)
    yield "deals", len(deals)


GENERAL: dict[str, Callable[..., Any]] = {
    measure.__name__: measure for measure in (net, place, said, net_when, forced, paid, left, length)
}
