"""Environments are copied and pickled in the middle of a sitting: a copy goes on as the original does."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

import numpy as np
from conftest import Write
from helpers.command import seldom
from helpers.deciding import asking

import roundsim
from roundsim import games
from roundsim.base.errors import InputError
from roundsim.bridges.gymnasium import SeatEnv
from roundsim.bridges.gymnasium_vector import TableVectorEnv
from roundsim.bridges.pettingzoo import TableEnv, env

pytestmark = pytest.mark.usefixtures("met")
FEW = "nap", "draw-poker", "vingt-un"
ALL = [*FEW, *seldom(*[game for game in games.ours() if game not in FEW])]
Copied = Callable[[Any], Any]
WAYS = [pytest.param(deepcopy, id="copy"), pytest.param(lambda made: pickle.loads(pickle.dumps(made)), id="pickle")]


def first_open(mask: Any, at: int) -> Any:
    rows = np.atleast_2d(mask)
    tokens = [int(np.flatnonzero(row)[at % row.sum()]) for row in rows]
    return tokens if mask.ndim == 2 else tokens[0]


def course(made: Any, steps: int, seen: Any = None) -> list[Any]:
    """The results of some steps, from the start or from where a copy was made."""
    found = [] if seen is None else [seen]
    for at in range(steps):
        mask = (found[-1] if found else made.reset(seed=2))[0]["action_mask"]
        found.append(made.step(first_open(mask, at)))
        over = found[-1][2]
        if over is True:
            found.append(made.reset())
    return found


def alike(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(alike, one, other))
    return bool(np.array_equal(one, other))


@pytest.mark.parametrize("copied", WAYS)
@pytest.mark.parametrize("game", ALL)
def test_a_copy_goes_on_as_the_original_does(game: str, copied: Copied) -> None:
    for kind in SeatEnv, TableVectorEnv:
        more: dict[str, Any] = {"num_envs": 3} if kind is TableVectorEnv else {}
        others = ["book", "random"] if game == "nap" else ["random"]
        made = kind(game, others=others, options=asking(game), deals=2, **more)
        last = course(made, 17)[-1]
        other = copied(made)
        assert alike(course(made, 25, last), course(other, 25, last))
        assert made.tables[0] is not other.tables[0] if kind is TableVectorEnv else made.table is not other.table


@pytest.mark.parametrize("copied", WAYS)
@pytest.mark.parametrize("game", ALL)
def test_a_copied_table_goes_on(game: str, copied: Copied) -> None:
    made = env(game, options=asking(game), deals=2)
    made.reset(seed=4)

    def goes_on(table: Any, steps: int) -> list[Any]:
        found = []
        for at in range(steps):
            seen, reward, over, _, _ = table.last()
            found.append((table.agent_selection, seen["observation"].tobytes(), reward, over))
            table.step(None if over else first_open(seen["action_mask"], at))
            if not table.agents:
                break
        return found

    goes_on(made, 9)
    other = copied(made)
    assert goes_on(other, 200) == goes_on(made, 200)


def test_a_copy_leaves_the_original_as_it_is() -> None:
    made = SeatEnv("nap", others=["random"], players=4, deals=1)
    seen, _ = made.reset(seed=5)
    actions, hand = [*made.table.deal.actions], made.table.view(made.own).hand
    other = deepcopy(made)
    while not other.step(first_open(other.action_masks(), 0))[2]:
        pass
    assert made.table.deal.actions == actions and made.table.view(made.own).hand == hand
    untouched, token = SeatEnv("nap", others=["random"], players=4, deals=1), first_open(seen["action_mask"], 0)
    untouched.reset(seed=5)
    assert alike(made.step(token), untouched.step(token))


COUNTING = """
count = [0]

class Mine:
    def act(self, view):
        count[0] += 1
        return view.legal[count[0] % len(view.legal)]
"""


def test_a_strategy_that_keeps_something_else_is_refused(write: Write) -> None:
    made = SeatEnv("nap", [str(write("mine.py", COUNTING))], 4, deals=1, seat=3)
    made.reset(seed=1)
    words = "Nap: this sitting cannot be copied: played again, the strategies answer differently"
    with pytest.raises(InputError, match=words):
        [deepcopy(made) for _ in range(5)]


def test_options_are_pickled() -> None:
    for game in games.ours():
        options = roundsim.Table(game, options=asking(game)).view().options
        again = pickle.loads(pickle.dumps(options))
        assert again == options and again._fields == options._fields and type(again) is type(options)


@pytest.mark.parametrize("copied", WAYS)
def test_a_copy_before_the_first_sitting_and_with_the_seed_0_goes_on(copied: Copied) -> None:
    for made in SeatEnv("nap"), TableVectorEnv("nap", 2):
        other = copied(made)
        assert alike(made.reset(seed=3), other.reset(seed=3))
    fresh = copied(TableEnv("nap"))
    fresh.reset(seed=3)
    assert fresh.agent_selection == "seat_0"
    made = SeatEnv("nap")
    seen, _ = made.reset(seed=0)
    token = first_open(seen["action_mask"], 0)
    assert alike(copied(made).step(token), made.step(token))
