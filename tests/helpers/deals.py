"""Deals that several of our own tests share; `roundsim.testing` has helpers for the author of any game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from helpers.command import DEALS

from roundsim import games
from roundsim.refereeing.script import load_script
from roundsim.refereeing.sitting import Sitting
from roundsim.table.chance import Source
from roundsim.table.deal import Deal
from roundsim.table.legal import accept, count
from roundsim.table.options import Rules
from roundsim.table.playthrough import Playthrough
from roundsim.testing import Played
from roundsim.testing.exchange import seen_before
from roundsim.testing.tables import copy_of


def examples(quick: int) -> pytest.MarkDecorator:
    """So many examples, and five times as many in the soak run."""
    return pytest.mark.parametrize("examples", [quick, pytest.param(5 * quick, marks=pytest.mark.soak)])


def listen_to(person: Any, seat: int, name: str, number: int = 1) -> Deal:
    """Let a person listen in a seat to a deal of a script, and answer nothing. Returns the deal."""
    loaded = load_script(DEALS / name)
    sitting = Sitting(loaded.game, loaded.rules, loaded.state)
    for before in range(1, number):
        loaded.play_deal(before, sitting)
    deal = sitting.next_deal(loaded.source(number))
    person.begins("1/1/1", deal, ["you" if each == seat else f"seat{each}" for each in range(deal.players)])
    lines, telling = loaded.lines(number), Playthrough(deal)
    while telling.ask:
        forced = count(telling.ask.legal) == 1 and lines[:1] != [(telling.ask.seat, telling.ask.legal[0])]
        telling.answer(telling.ask.legal[0] if forced else accept(telling.ask.legal, lines.pop(0)[1]))
    person.ends("1/1/1", deal)
    return deal


def states(deal: dict[str, Any]) -> list[dict[str, Any]]:
    """The table before the first step, and after each, put together from the changes."""
    found = [deal["start"]]
    for step in deal["steps"]:
        now = dict(found[-1]) | step.get("d", {})
        for name, more in step.get("a_", {}).items():
            now[name] = now[name] + more
        for name, keyed in step.get("k", {}).items():
            old = now[name]
            now[name] = (
                {**old, **keyed} if isinstance(old, dict) else [keyed.get(str(at), x) for at, x in enumerate(old)]
            )
        found.append(now)
    return found


BOAST = '''
from roundsim.game import Ask, Deal, say


class Boast(Deal):
    """Each says a number, and is paid it by each of the others. The first legal action is 30."""

    id = "boast"
    title = "Boast"
    family = "none"
    seats = (2, 6)
    usual = (3, 4)
    source = "a test"
    phases = {"claim": "`claim 5`: what each of the others pays"}

    def deal(self):
        for seat in self.round_from(self.eldest):
            said = yield Ask(seat, "claim", tuple(say("claim", n) for n in (30, *range(30), *range(31, 50))))
            for other in self.round_from(seat)[1:]:
                self.pay(other, seat, said.amount)
'''


def write_boast(folder: Path, strategies: str) -> None:
    """The game and strategies for it in one file, `boast.py`."""
    (folder / "boast.py").write_text(BOAST + strategies)
    games.allow(str(folder / "boast.py"))


@contextmanager
def own_games() -> Iterator[None]:
    """For a fixture of a module: games from files are forgotten before and after."""
    with pytest.MonkeyPatch.context() as patch:
        for name in "outside", "files":
            patch.setattr(games.GAMES, name, {})
        yield


class OtherOrder(Source):
    """The same chance, except for the cards in the stock below the top ones, and for the knobs."""

    __slots__ = ("top",)

    def __init__(self, name: str, top: int) -> None:
        super().__init__(name)
        self.top = top

    def shuffled(self, things: Any, what: str) -> list[Any]:
        order = super().shuffled(things, what)
        return self.below_the_top(order) if what == "stock" else order[::-1]

    def below_the_top(self, order: list[Any]) -> list[Any]:
        return order[: self.top] + order[self.top :][::-1]


def check_orders(rules: Rules, played: Played, rng: Random) -> None:
    """Up to some question, all views are the same whatever comes from the stock after it, and from the bag."""
    deal, until = played.deal, rng.randrange(len(played.deal.asked))
    taken = [1 if said.verb == "change" else said.amount * (said.verb != "throw") for said in deal.actions[:until]]
    source, state = OtherOrder(played.name, sum(taken)), copy_of(played.before)
    state.carry["in_stock"] = source.below_the_top(state.carry["in_stock"])
    first = seen_before(played.again(rules), deal.actions, until)
    second = seen_before(rules.played_by(rules, state, source), deal.actions, until)
    assert first == second, f"question {until + 1} shows what it must not"
