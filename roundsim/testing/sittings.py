"""Sittings of random players."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from ..refereeing.sitting import Sitting
from ..table.actions import Action
from ..table.chance import Source
from ..table.deal import Ask, Deal, State
from ..table.legal import count
from ..table.options import Rules
from ..table.playthrough import run_deal
from .tables import Table

QUESTIONS = 5000  # more than any deal has
DEALS = 10  # of a sitting, at most
ENOUGH = 200  # questions: no further deal is played in the sitting

OnQuestion = Callable[[Deal, Ask], object]


class RandomPlayer:
    """Answers at random; how often it gives the first legal action or the last is drawn for the whole sitting."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.first, self.last = rng.choice([(0, 0), (0.1, 0.1), (0.5, 0), (0.9, 0), (0, 0.5)])

    def answer(self, legal: Sequence[Action]) -> Action:
        drawn = self.rng.random()
        if drawn < self.first:
            return legal[0]
        return legal[count(legal) - 1 if drawn < self.first + self.last else self.rng.randrange(count(legal))]


def no_look(deal: Deal, ask: Ask) -> None:
    """Do nothing."""


def every_seventh(look: OnQuestion) -> OnQuestion:
    """Look at every seventh question after the first ones of a deal: some deals have hundreds."""
    return lambda deal, ask: look(deal, ask) if len(deal.asked) < 20 or len(deal.asked) % 7 == 0 else None


def play_out(deal: Deal, answer: Callable[[Ask], Action], look: OnQuestion = no_look) -> Deal:
    """Play a deal to its end and return it; `look(deal, ask)` sees every question before it is answered by
    `answer(ask)`.

    Raises AssertionError if the deal does not end."""

    def looked_at(ask: Ask) -> Action:
        assert len(deal.asked) < QUESTIONS, f"{deal.id}: the deal does not end within {QUESTIONS} questions"
        look(deal, ask)
        return answer(ask)

    run_deal(deal, looked_at)
    return deal


def copy_of(state: State) -> State:
    return copy.deepcopy(state)


@dataclass(frozen=True)
class Played:
    """A deal that was played: the name of its chance, and the state before and after it."""

    name: str
    before: State
    deal: Deal
    after: State
    over: bool

    def again(self, rules: Rules) -> Deal:
        """Return the same deal before it was played."""
        game: type[Deal] = rules.played_by
        return game(rules, copy_of(self.before), Source(self.name))


def play_sitting(table: Table, seed: int, look: OnQuestion = no_look) -> tuple[list[Played], Played]:
    """Return a sitting of random players: its deals, at most ten, and its end. `look`: as with `play_out`.

    >>> from roundsim.games.nap import Nap
    >>> from roundsim.testing import Table, play_sitting
    >>> deals, end = play_sitting(Table(Nap, 4, {}), seed=1)
    >>> len(deals), sum(end.after.pools.values())
    (4, 0)"""
    rules, rng = table.rules, Random(seed)
    player, played = RandomPlayer(rng), list[Played]()
    deals = min(rules.sitting, DEALS)
    sitting = Sitting(table.game, rules, deals=deals)
    for number in range(deals):
        name = f"{seed}/{number}"
        deal = sitting.next_deal(Source(name))
        before = copy_of(sitting.state)  # which knows now how many deals are to come
        play_out(deal, lambda ask: player.answer(ask.legal), look)
        over = sitting.settle(deal)
        played.append(Played(name, before, deal, copy_of(sitting.state), over))
        if over or sum(len(before.deal.asked) for before in played) > ENOUGH:
            break
    before, name = copy_of(sitting.state), f"{seed}/end"
    end = sitting.end(Source(name))
    return played, Played(name, before, end, copy_of(sitting.state), True)
